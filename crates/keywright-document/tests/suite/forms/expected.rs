//! What an item must be before a write and what it becomes, whatever the order in which the inputs stand.

use keywright_document::read_access_patterns;
use keywright_model::Model;

use crate::forms::music::{conditions, inputs};

/// The Model of one write of a lot.
fn write(given: &str, items: &str, must: &str) -> Model {
    let document = format!(
        "## Entities\n### Lot\n- lotId: ulid, id\n- closesAt: datetime, mutable\n- status: enum(OPEN, SOLD, VOID), mutable\n\
         - highBid: integer, mutable\n## Access Patterns\n### Writes\n\
         | ID | Entity | Description | Input Parameters | Items Written | Transaction | Conditions |\n|---|---|---|---|---|---|---|\n\
         | AP-1 | Lot | Change a lot | {given} | {items} | No | {must} |\n"
    );
    read_access_patterns(&document).0
}

/// Whether an input is what must be there before.
fn expects(model: &Model, name: &str) -> bool {
    let pattern = &model.patterns[0];
    let input = pattern.inputs().iter().find(|it| it.name == name).unwrap();
    pattern.expects(input, &input.binds[0])
}

#[test]
fn the_order_of_expected_and_new_values_makes_no_difference() {
    for given in ["lotId, newClosesAt, expectedClosesAt", "lotId, expectedClosesAt, newClosesAt"] {
        let model = write(given, "Lot update", "closesAt must match expectedClosesAt");
        assert!(inputs(&model).contains(&"newClosesAt new Lot.closesAt".to_owned()));
        assert!(inputs(&model).contains(&"expectedClosesAt is Lot.closesAt".to_owned()));
        assert!(expects(&model, "expectedClosesAt") && !expects(&model, "newClosesAt"));
        assert!(!expects(&model, "lotId"));
    }
}

#[test]
fn a_plain_name_beside_a_new_value_is_what_is_there() {
    for given in ["lotId, status, newStatus", "lotId, newStatus, status"] {
        let model = write(given, "Lot update", "-");
        assert!(inputs(&model).contains(&"status is Lot.status".to_owned()), "{:?}", inputs(&model));
        assert!(inputs(&model).contains(&"newStatus new Lot.status".to_owned()));
        assert!(expects(&model, "status"));
    }
    let fixed = write("lotId, newStatus, status = OPEN", "Lot update", "-");
    assert_eq!(inputs(&fixed)[2], "status is Lot.status = OPEN");
    // Alone it is what becomes of it.
    assert_eq!(inputs(&write("lotId, status", "Lot update", "-"))[1], "status new Lot.status");
}

#[test]
fn what_a_name_expects_is_a_condition() {
    let model = write("lotId, oldStatus, newStatus", "Lot update", "-");
    assert_eq!(conditions(&model), ["Lot.status = oldStatus"]);
    let model = write("lotId, closesAt, previousStatus", "Lot (SET closesAt, status = SOLD)", "-");
    assert_eq!(conditions(&model), ["Lot.status = previousStatus"]);
    // What is said is not said again.
    let model = write("lotId, newStatus, expectedStatus", "Lot update", "status must match expectedStatus");
    assert_eq!(conditions(&model), ["Lot.status = expectedStatus"]);
    let model = write("lotId, newHighBid, currentHighBid", "Lot update", "highBid < currentHighBid");
    assert_eq!(conditions(&model), ["Lot.highBid < currentHighBid"]);
}

#[test]
fn a_change_of_state_goes_from_one_to_another() {
    let model = write("lotId, fromStatus, toStatus", "Lot update", "-");
    assert_eq!(inputs(&model)[1..], ["fromStatus is Lot.status", "toStatus new Lot.status"]);
    assert_eq!(conditions(&model), ["Lot.status = fromStatus"]);
}

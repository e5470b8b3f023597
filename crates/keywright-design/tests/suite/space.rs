//! What is in the space of designs: candidates that are easily left out, since a plainer one does the same for more.

use crate::support;

use keywright_dynamodb::expression::Comparator;
use keywright_model::model::{AttributeRef, ConditionKind, ConditionValue, Literal};
use support::{Doc, doc, keys, summary};

fn was(value: &str) -> ConditionKind {
    ConditionKind::Compare {
        attribute: AttributeRef::new("Seat", "state"),
        comparator: Comparator::Equal,
        value: ConditionValue::Literal(Literal::String(value.to_owned())),
    }
}

/// Seats, of which those that are held are listed by a time that only they have.
fn seats(holds: &str) -> Doc {
    doc("Seats")
        .entity(
            "Seat",
            40_000_000,
            "seatId:ulid:id, state:enum(FREE|HELD|SOLD):mutable, heldUntil:datetime:optional:mutable",
        )
        .read("AP-001", "Seat", "seatId", "single", 10)
        .read("AP-002", "Seat", "state=HELD", "page 25 by heldUntil", 1)
        .write("AP-003", "create Seat", "state=FREE", 1)
        .write("AP-004", "update Seat", holds, 10)
        .condition("state must be FREE", was("FREE"))
        .write("AP-005", "update Seat", "seatId, new state=SOLD", 10)
        .condition("state must be HELD", was("HELD"))
}

#[test]
fn an_entry_is_there_for_a_constant_and_an_optional_attribute() {
    let design = seats("seatId, new heldUntil, new state=HELD").design();
    let sparse = design.item("Seat").unwrap().keys.iter().filter_map(|key| key.sparse.as_ref());
    assert!(sparse.clone().count() > 0 && sparse.clone().all(|it| it.equals.is_some()), "{design:?}");
    assert!(keys(&design, "Seat").contains("<heldUntil:iso>"), "{}", keys(&design, "Seat"));
}

#[test]
fn who_knows_of_neither_reason_would_need_two_tests() {
    let design = seats("seatId, new heldUntil?, new state").design();
    let mut sparse = design.item("Seat").unwrap().keys.iter().filter_map(|key| key.sparse.as_ref());
    assert!(sparse.all(|it| it.equals.is_none()), "{}", keys(&design, "Seat"));
}

/// Parcels that move between depots, listed by depot and day.
fn parcels() -> Doc {
    doc("Parcels")
        .entity("Parcel", 30_000_000, "parcelId:string:id, depotId:string:5B:300values:mutable, dueDate:date")
        .read("AP-001", "Parcel", "depotId, dueDate", "page 25", 1)
        .write("AP-002", "create Parcel", "parcelId, depotId, dueDate", 10)
        .write("AP-003", "update Parcel", "parcelId, new depotId", 100)
}

/// A key string is rebuilt whole: who moves a parcel does not know its day.
#[test]
fn what_a_write_does_not_know_stands_in_the_other_string() {
    let design = parcels().design();
    assert_eq!(summary(&design, "AP-003"), "UpdateItem", "{}", keys(&design, "Parcel"));
    assert!(!keys(&design, "Parcel").contains("<depotId>#<dueDate"), "{}", keys(&design, "Parcel"));
    // Who knows the day rebuilds the string, and the larger partition is the cooler one.
    let mut told = parcels();
    told.0.patterns.pop();
    let told = told.write("AP-003", "update Parcel", "parcelId, dueDate, new depotId", 100).design();
    assert!(keys(&told, "Parcel").contains("<depotId>#<dueDate"), "{}", keys(&told, "Parcel"));
}

#[test]
fn one_read_more_is_never_cheaper() {
    let total = |doc: &Doc| doc.design().total.bill + doc.design().total.operational;
    let (less, more) = (parcels(), parcels().read("AP-004", "Parcel", "depotId", "page 25 by dueDate", 1));
    assert!(total(&less) <= total(&more), "{:?} {:?}", total(&less), total(&more));
}

/// Tasks of a project by state, of which a project has few: an entry need not move with each change of state.
#[test]
fn a_filter_stands_in_for_what_changes_in_a_bounded_collection() {
    let tasks = |max| {
        doc("Tasks")
            .entity("Project", 1_000_000, "projectId:ulid:id, name:string")
            .entity("Task", 50_000_000, "taskId:ulid:id, projectId:ulid, state:enum(NEW|DOING|DONE):mutable")
            .belongs("Task", "Project", "projectId", 20, max)
            .read("AP-001", "Task", "taskId", "single", 5)
            .read("AP-002", "Task", "projectId, state", "page 25 by taskId", 5)
            .write("AP-003", "create Task", "projectId, state", 20)
            .write("AP-004", "update Task", "taskId, new state", 400)
            .design()
    };
    let (bounded, unbounded) = (keys(&tasks(Some(40)), "Task"), keys(&tasks(None), "Task"));
    assert!(!bounded.contains("<state>"), "{bounded}");
    assert!(unbounded.contains("<state>"), "{unbounded}");
}

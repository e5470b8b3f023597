//! What is in the space of designs: candidates that are easily left out, since a plainer one does the same for more.

use crate::support;

use keywright_dynamodb::expression::Comparator;
use keywright_model::design::Projection;
use keywright_model::model::{AttributeRef, ConditionKind, ConditionValue, Literal};
use support::{Doc, doc, keys, operation};

/// Deals that are listed by company, by owner, and all of them.
fn deals(export: &str, rate: u64) -> Doc {
    doc("Deals")
        .entity(
            "Deal",
            1_000_000,
            "dealId:ulid:id, companyId:ulid, ownerId:ulid, stage:enum(LEAD|WON|LOST), amount:integer, closeDate:date",
        )
        .read("AP-001", "Deal", "dealId", "single", 10)
        .read("AP-002", "Deal", "companyId", "page 25 by closeDate", 10)
        .read("AP-003", "Deal", "ownerId, stage", "page 25 by closeDate", 10)
        .read("AP-004", "Deal", "", &format!("page 1000 by closeDate{export}"), rate)
        .write("AP-005", "create Deal", "companyId, ownerId, stage, amount, closeDate", 1)
}

fn projection_for(doc: &Doc, pattern: &str) -> Projection {
    let design = doc.design();
    let index = operation(&design, pattern).index.clone().unwrap();
    design.indexes.iter().find(|it| it.name == index).unwrap().projection.clone()
}

#[test]
fn a_list_of_all_attributes_holds_no_keys_of_other_indexes() {
    let Projection::Include(names) = projection_for(&deals("", 20), "AP-004") else { panic!("no list") };
    assert_eq!(names, ["amount", "closeDate", "companyId", "dealId", "ownerId", "stage", "type"]);
    // It costs little more than a list without one of them.
    let total = |doc: Doc| doc.outcome().design.map(|it| it.total.bill + it.total.operational).unwrap();
    let (all, most) =
        (total(deals("", 20)), total(deals(" returns dealId+companyId+ownerId+stage+closeDate", 20)));
    assert!(all.pico() < most.pico() * 11 / 10, "{all} and {most}");
    // What a list costs to run is more than it spares a read that is rare.
    assert_eq!(projection_for(&deals("", 1), "AP-004"), Projection::All);
}

#[test]
fn lists_have_no_more_names_than_a_table_takes() {
    let attributes: String = (0..45).map(|at| format!(", a{at:02}:string:8B")).collect();
    let mut doc = doc("Wide").entity(
        "Row",
        1_000_000,
        &format!("rowId:ulid:id, x:ulid, y:ulid, z:ulid, at:date{attributes}"),
    );
    let given: Vec<String> = (0..45).map(|at| format!("a{at:02}")).collect();
    for (pattern, by) in [("AP-001", "x"), ("AP-002", "y"), ("AP-003", "z")] {
        doc = doc.read(pattern, "Row", by, "page 1000 by at", 200);
    }
    let doc = doc.read("AP-004", "Row", "rowId", "single", 10).write(
        "AP-005",
        "create Row",
        &format!("x, y, z, at, {}", given.join(", ")),
        1,
    );
    let design = doc.design();
    let listed: Vec<usize> = design
        .indexes
        .iter()
        .filter_map(|index| match &index.projection {
            Projection::Include(names) => Some(names.len()),
            Projection::All | Projection::KeysOnly => None,
        })
        .collect();
    assert!(!listed.is_empty(), "each by itself would have a list");
    assert!(listed.iter().sum::<usize>() <= 100, "{listed:?}");
}

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

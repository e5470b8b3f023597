//! What is in the space of designs: candidates that are easily left out, since a plainer one does the same for more.

use crate::support;

use keywright_dynamodb::expression::Comparator;
use keywright_model::model::{AttributeRef, ConditionKind, ConditionValue, Literal};
use support::{Doc, doc, keys};

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

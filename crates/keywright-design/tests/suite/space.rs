//! What is in the space of designs: candidates that are easily left out, since a plainer one does the same for more.

use crate::support;

use keywright_audit::{Refusal, audit};
use keywright_dynamodb::expression::Comparator;
use keywright_model::design::{Projection, Subject};
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
    let index = operation(&design, pattern).index.clone().expect("the pattern reads an index");
    design.indexes.iter().find(|it| it.name == index).expect("the index is there").projection.clone()
}

#[test]
fn a_list_of_all_attributes_holds_no_keys_of_other_indexes() {
    let design = deals("", 20).design();
    let index = operation(&design, "AP-004").index.clone().unwrap();
    let Projection::Include(names) = projection_for(&deals("", 20), "AP-004") else { panic!("no list") };
    assert_eq!(names, ["amount", "closeDate", "companyId", "dealId", "ownerId", "stage", "type"]);
    let decision = design.decisions.iter().find(|it| it.subject == Subject::Index(index.clone())).unwrap();
    assert!(decision.reason.contains("ALL also repeats"), "{}", decision.reason);
    let all = decision.alternatives.iter().find(|it| it.choice == format!("{index} with projection ALL"));
    // Twenty pages of 1000 a second, in a month of 730 hours: 61 units of 4 KB for entries of 247 bytes, 104 for 422 bytes.
    // The key strings of the other indexes are 85 bytes (`GSI1PK` and `GSI1SK`, twice `DEAL`, 27 of companyId, 11 of closeDate
    // and 27 of dealId) and 90 (the same for ownerId and `stage`). Of the read units a million costs $0.125, half of each is
    // taken; a GB of the 175 million bytes costs $0.25, and a list $10.
    let reads = (104 - 61) * 20 * 730 * 3600 * 125_000 / 2;
    let stored = 175 * 1_000_000 * 250_000_000_000 / (1i128 << 30);
    let all = all.unwrap();
    assert_eq!(all.reason, "entries of 422 bytes, not 247");
    let apart = all.extra.unwrap().pico() - (reads + stored - 10_000_000_000_000);
    assert!(apart.abs() <= 1, "{:?} for {reads} and {stored}", all.extra);
    assert_eq!((design.total.bill + design.total.operational).in_cents(), "$252.33");
    // What a list costs to run is more than it spares a read that is rare.
    assert_eq!(projection_for(&deals("", 1), "AP-004"), Projection::All);
}

/// Rows of so many attributes, all of which come back.
fn rows(attributes: usize) -> Doc {
    let names: Vec<String> = (0..attributes).map(|at| format!("a{at:02}")).collect();
    let declared: Vec<String> = names.iter().map(|name| format!("{name}:string:8B")).collect();
    let parents = "x:uuid:1000values, y:uuid:1000values, z:uuid:1000values";
    let declared = format!("rowId:ulid:id, {parents}, at:date, {}", declared.join(", "));
    let mut doc = doc("Wide").entity("Row", 1_000_000, &declared);
    for (pattern, by) in [("AP-001", "x"), ("AP-002", "y"), ("AP-003", "z")] {
        doc = doc.read(pattern, "Row", by, "page 1000 by at", 20);
    }
    doc.read("AP-004", "Row", "rowId", "single", 300).write(
        "AP-005",
        "create Row",
        &format!("x, y, z, at, {}", names.join(", ")),
        1,
    )
}

#[test]
fn lists_of_all_attributes_are_left_out_where_a_table_takes_fewer_names() {
    let listed = |doc: &Doc| {
        let outcome = doc.outcome();
        let lists = outcome.design.as_ref().unwrap().indexes.iter().map(|it| match &it.projection {
            Projection::Include(names) => names.len(),
            Projection::All | Projection::KeysOnly => 0,
        });
        let certificate = outcome.certificate.as_ref().unwrap();
        assert!(certificate.optimal);
        let verdict = audit(outcome.design.as_ref().unwrap(), certificate).unwrap();
        assert!(verdict.is_shown(), "{verdict:?}");
        let said = certificate.not_covered.iter().any(|it| it.contains("lists of all attributes of Row"));
        (lists.sum::<usize>(), said)
    };
    // Three lists of five attributes, 27 others and the type; with one more they would have 102 names.
    assert_eq!(listed(&rows(27)), (99, false));
    assert_eq!(listed(&rows(28)), (0, true));
}

#[test]
fn who_leaves_lists_out_has_to_have_too_many_names() {
    let outcome = deals("", 1).outcome();
    let (design, mut certificate) = (outcome.design.unwrap(), outcome.certificate.unwrap());
    assert!(audit(&design, &certificate).unwrap().is_shown());
    certificate.proof.as_mut().unwrap().entities[0].crowded = true;
    assert_eq!(audit(&design, &certificate), Err(Refusal::Malformed));
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

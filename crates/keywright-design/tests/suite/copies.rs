//! Copies: where a strong read leaves nothing else, and nowhere else.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use crate::support;

use keywright_dynamodb::Money;
use keywright_model::design::{ItemKind, Subject};
use support::{Doc, doc, hub_with_each, keys, summary};

fn hospital() -> Doc {
    doc("Hospital")
        .entity("Nurse", 10_000, "nurseId:string:id, name:string")
        .entity("Ward", 200, "wardId:string:id, floor:integer")
        .entity("Shift", 1_000_000, "shiftId:ulid:id, nurseId:string, wardId:string, note:string")
        .belongs("Shift", "Nurse", "nurseId", 100, None)
        .belongs("Shift", "Ward", "wardId", 5_000, None)
        .write("AP-010", "create Shift", "nurseId, wardId, note", 2)
        .write("AP-011", "update Shift", "nurseId, wardId, shiftId, new note", 1)
        .write("AP-012", "delete Shift", "nurseId, wardId, shiftId", 1)
}

#[test]
fn what_two_parents_want_strongly_is_there_twice() {
    let design = hospital()
        .read("AP-001", "Nurse, Shift", "nurseId", "page 20 by shiftId desc strong", 5)
        .read("AP-002", "Ward, Shift", "wardId", "page 20 by shiftId desc strong", 5)
        .design();
    let copy = design.items.iter().find(|item| item.kind == ItemKind::Copy).unwrap();
    assert_eq!(copy.entities, ["Shift"]);
    let both = [keys(&design, "Shift"), keys(&design, &copy.name)];
    assert!(both.iter().any(|keys| keys.starts_with("NURSE#<nurseId> |")), "{both:?}");
    assert!(both.iter().any(|keys| keys.starts_with("WARD#<wardId> |")), "{both:?}");
    assert_eq!((summary(&design, "AP-001"), summary(&design, "AP-002")), ("Query".into(), "Query".into()));
    assert!(design.indexes.is_empty());
    // Whatever is made up for the one is the other's too, and both are written or none.
    for write in ["AP-010", "AP-011", "AP-012"] {
        assert_eq!(summary(&design, write), "TransactWriteItems");
    }
    let made: Vec<&str> =
        design.operations.iter().flat_map(|it| &it.generated).map(|it| it.name.as_str()).collect();
    assert_eq!(made, ["shiftId"]);
    let decision = design.decisions.iter().find(|it| it.subject == Subject::Item(copy.name.clone())).unwrap();
    assert!(decision.reason.contains("strongly"), "{decision:?}");
    let other = decision.alternatives.iter().find(|it| it.choice.ends_with("instead")).unwrap();
    assert!(other.extra.is_some_and(|extra| extra >= Money::ZERO), "{other:?}");
}

#[test]
fn an_index_is_never_dearer_than_a_copy() {
    let design = hospital()
        .read("AP-001", "Nurse, Shift", "nurseId", "page 20 by shiftId desc strong", 5)
        .read("AP-002", "Ward, Shift", "wardId", "page 20 by shiftId desc", 5)
        .design();
    assert!(design.items.iter().all(|item| item.kind != ItemKind::Copy));
    assert_eq!(summary(&design, "AP-002"), "Query GSI1");
}

#[test]
fn what_changes_is_not_copied_for_a_list_of_its_own() {
    let lists = |doc: Doc| {
        doc.read("AP-001", "Shift", "nurseId", "page 20 by shiftId desc strong", 5)
            .read("AP-002", "Shift", "wardId", "page 20 by shiftId desc strong", 5)
            .outcome()
    };
    let changing = lists(hospital());
    assert!(changing.design.is_none());
    assert!(
        changing
            .findings
            .iter()
            .any(|finding| finding.rule.name() == "too-hot" || finding.rule.name() == "unservable-pattern")
    );
    let lasting = doc("Hospital")
        .entity("Nurse", 10_000, "nurseId:string:id, name:string")
        .entity("Ward", 200, "wardId:string:id, floor:integer")
        .entity("Shift", 1_000_000, "shiftId:ulid:id, nurseId:string, wardId:string, note:string")
        .belongs("Shift", "Nurse", "nurseId", 100, None)
        .belongs("Shift", "Ward", "wardId", 5_000, None)
        .write("AP-010", "create Shift", "nurseId, wardId, note", 2);
    let lasting = lists(lasting).design.unwrap();
    assert_eq!(lasting.items.iter().filter(|item| item.kind == ItemKind::Copy).count(), 1);
}

/// Shifts that nothing changes, which are read strongly by their identity and by nurse.
fn rota() -> Doc {
    doc("Rota")
        .entity("Shift", 1_000_000, "shiftId:ulid:id, nurseId:string:1000values, wardId:string:1000values")
        .read("AP-001", "Shift", "shiftId", "single strong", 5)
        .read("AP-002", "Shift", "nurseId", "page 25 strong", 5)
        .write("AP-010", "create Shift", "nurseId, wardId", 1)
}

fn copies(doc: &Doc) -> usize {
    doc.design().items.iter().filter(|item| item.kind == ItemKind::Copy).count()
}

#[test]
fn a_list_is_copied_where_the_identity_is_read_strongly_too() {
    assert_eq!(copies(&rota()), 1);
    assert_eq!(copies(&rota().read("AP-003", "Shift", "wardId", "page 25 strong", 5)), 2);
}

#[test]
fn one_copy_serves_all_reads_of_its_key() {
    let twice = rota().read("AP-003", "Shift", "nurseId", "page 25 by shiftId strong", 5);
    assert_eq!(copies(&twice), 1);
    let design = twice.design();
    let copy = design.items.iter().find(|item| item.kind == ItemKind::Copy).unwrap();
    let decision = design.decisions.iter().find(|it| it.subject == Subject::Item(copy.name.clone())).unwrap();
    assert!(decision.reason.starts_with("AP-002 and AP-003 are strong reads"), "{decision:?}");
}

#[test]
fn reads_of_an_entity_and_of_its_copies_share_a_collection() {
    // A hub has two neighbours at most, so that copies of it lie in the same collection with neighbours of their own.
    for (eventual, strong) in [(0, 5), (3, 4)] {
        let design = hub_with_each(eventual, strong).design();
        let copies = design.items.iter().filter(|item| item.kind == ItemKind::Copy).count();
        assert!(copies > 0, "{eventual} and {strong}");
        for at in eventual..eventual + strong {
            assert_eq!(summary(&design, &format!("AP-{:03}", at + 1)), "Query");
        }
    }
}

#[test]
fn what_two_parents_want_in_the_same_order_is_no_panic() {
    let parents = |how: &str| {
        doc("Cross")
            .entity("Hub", 10_000, "hubId:ulid:id, name:string")
            .entity("Plan", 10_000, "hubId:ulid:id, title:string")
            .entity("Kid", 200_000, "kidId:ulid:id, hubId:ulid, text:string")
            .one_to_one("Plan", "Hub", "hubId")
            .belongs("Kid", "Hub", "hubId", 20, None)
            .read("AP-001", "Hub, Kid", "hubId", how, 5)
            .read("AP-002", "Plan, Kid", "hubId", how, 5)
            .outcome()
    };
    for how in ["page 20 by kidId desc strong", "page 20 by kidId desc"] {
        let outcome = parents(how);
        assert!(outcome.design.is_some() || !outcome.findings.is_empty(), "{how}");
    }
}

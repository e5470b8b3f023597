//! Writes that move items, take something away, or depend on what is there: nothing is lost, and nothing is read in vain.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use crate::support;

use keywright_dynamodb::expression::Condition;
use keywright_model::design::{Action, Design, Request, Value, as_it_was_read};
use keywright_model::model::ConditionKind;
use support::{Doc, doc, operation};

fn unique(entity: &str, attribute: &str) -> ConditionKind {
    ConditionKind::Unique { entity: entity.to_owned(), attributes: vec![attribute.to_owned()] }
}

/// The actions of a pattern's last request.
fn actions<'d>(design: &'d Design, pattern: &str) -> Vec<&'d Action> {
    match operation(design, pattern).requests.last().unwrap() {
        Request::Write { action } => vec![action],
        Request::TransactWriteItems { actions } => actions.iter().collect(),
        other => panic!("{other:?}"),
    }
}

/// Pupils whose cards are read so often that the card is their key.
fn pupils(card: &str) -> Doc {
    doc("School")
        .entity(
            "Pupil",
            2_000_000,
            &format!("pupilId:uuid:id, name:string, born:date, card:string:unique{card}"),
        )
        .read("AP-001", "Pupil", "pupilId", "single", 1)
        .read("AP-002", "Pupil", "card", "single strong", 5_000)
        .write(
            "AP-003",
            "create Pupil",
            if card.is_empty() { "name, born, card" } else { "name, born, card?" },
            1,
        )
        .condition("card must be unique", unique("Pupil", "card"))
        .write("AP-004", "update Pupil", "pupilId, new card", 1)
        .condition("card must be unique", unique("Pupil", "card"))
        .write("AP-005", "update Pupil", "pupilId, new name", 1)
}

#[test]
fn an_item_moves_only_as_it_was_read() {
    let design = pupils("").design();
    let actions = actions(&design, "AP-004");
    let Action::Delete(gone) = actions[0] else { panic!("{actions:?}") };
    let Some(Condition::All(parts)) = &gone.condition else { panic!("{gone:?}") };
    let held: Vec<&str> = parts.iter().filter_map(as_it_was_read).collect();
    // The name may be changed meanwhile; the day of birth never is, and the card is the key.
    assert_eq!(held, ["name"], "{parts:?}");
    let once: Vec<_> = parts.iter().filter(|part| parts.iter().filter(|it| it == part).count() > 1).collect();
    assert!(once.is_empty(), "said twice: {once:?}");
    assert!(operation(&design, "AP-004").retry.is_some());
}

#[test]
fn what_is_absent_is_not_kept_unique() {
    let design = pupils(":optional").design();
    let named = |action: &&Action| match action {
        Action::Put(put) => put.item == "PupilCard",
        Action::Delete(delete) => delete.item == "PupilCard",
        _ => false,
    };
    let of = |pattern: &str| actions(&design, pattern).into_iter().filter(named).collect::<Vec<_>>();
    let given = Value::Input("card".to_owned());
    assert_eq!(of("AP-003").iter().map(|it| it.when()).collect::<Vec<_>>(), [std::slice::from_ref(&given)]);
    let [Action::Delete(old), Action::Put(new)] = of("AP-004")[..] else { panic!("{:?}", of("AP-004")) };
    assert!(matches!(&old.when[..], [Value::Read { attribute, .. }] if attribute == "card"), "{old:?}");
    assert!(new.when.is_empty(), "it is always given: {new:?}");
}

fn faults() -> Doc {
    doc("Machines")
        .entity(
            "Fault",
            5_000_000,
            "faultId:ulid:id, site:string:500values, state:enum(OPEN|CLOSED|MUTED):mutable, openSince:datetime:optional",
        )
        .read("AP-001", "Fault", "faultId", "single", 10)
        .read("AP-002", "Fault", "site", "page 20 by openSince", 50)
        .read("AP-003", "Fault", "site, state=OPEN", "page 20 by faultId", 50)
        .write("AP-004", "create Fault", "site, state=OPEN, openSince", 1)
        .write("AP-005", "update Fault without openSince", "faultId", 1)
        .write("AP-006", "update Fault", "faultId, new state=CLOSED", 1)
}

#[test]
fn what_goes_leaves_its_index_without_being_read() {
    let design = faults().design();
    for pattern in ["AP-005", "AP-006"] {
        let operation = operation(&design, pattern);
        assert_eq!(operation.requests.len(), 1, "nothing has to be known: {operation:?}");
        let [Action::Update(update)] = actions(&design, pattern)[..] else { panic!() };
        assert!(!update.entries.is_empty(), "{update:?}");
        assert!(update.entries.iter().all(|it| it.value.is_none() && it.when.is_none()), "{update:?}");
    }
    let [Action::Update(update)] = actions(&design, "AP-005")[..] else { panic!() };
    assert_eq!(update.update.remove, ["openSince"]);
    assert!(update.update.set.is_empty(), "{update:?}");
}

#[test]
fn only_what_is_optional_goes() {
    let outcome = faults().write("AP-007", "update Fault without site", "faultId", 1).outcome();
    let messages: Vec<&str> = outcome.findings.iter().map(|it| it.message.as_str()).collect();
    assert!(messages.contains(&"AP-007 removes site of Fault, which is required"), "{messages:?}");
}

#[test]
fn a_write_that_can_never_succeed_is_refused() {
    let exists = ConditionKind::Exists { entity: "Fault".to_owned() };
    let outcome = faults()
        .write("AP-007", "create Fault", "site, state=OPEN", 1)
        .condition("Fault must exist", exists)
        .outcome();
    let never = outcome.findings.iter().find(|it| it.message.contains("can never succeed")).unwrap();
    assert_eq!(never.message, "AP-007 can never succeed: it creates a Fault, but \"Fault must exist\"");
}

#[test]
fn a_sequence_without_a_parent_has_a_counter_for_its_scope() {
    let design = doc("Deals")
        .entity(
            "Deal",
            1_000_000,
            "tenantId:string:id:tenant:3000values, dealNumber:integer:id:sequential, value:integer",
        )
        .read("AP-001", "Deal", "tenantId, dealNumber", "single", 10)
        .write("AP-002", "create Deal", "tenantId, value", 1)
        .design();
    let counter = design.item("LastDealNumber").expect("a counter");
    assert!(support::keys(&design, &counter.name).contains("<tenantId>"));
    let create = operation(&design, "AP-002");
    assert!(matches!(&create.requests[0], Request::GetItem(get) if get.consistent && get.may_be_absent));
    assert!(create.retry.is_some());
    let put = actions(&design, "AP-002").into_iter().find_map(|it| match it {
        Action::Put(put) => Some(put),
        _ => None,
    });
    let number = put.unwrap().values.iter().find(|(name, _)| name == "dealNumber").unwrap();
    assert!(matches!(&number.1, Value::Sum { plus: 1, .. }), "{number:?}");
}

/// Cars that are inside for a while: each stay enters the index, and leaves it.
fn stays(inside: &str, leaving: Option<ConditionKind>) -> Doc {
    let doc = doc("Parking")
        .entity(
            "Stay",
            100_000_000,
            "stayId:ulid:id, siteId:string:2000values, insideSince:datetime:optional",
        )
        .read("AP-001", "Stay", "siteId", "page 20 by insideSince", 5)
        .write("AP-002", "create Stay", inside, 40)
        .write("AP-003", "update Stay without insideSince", "stayId", 40);
    leaving.into_iter().fold(doc, |doc, kind| doc.condition("insideSince must be set", kind))
}

/// Millionths of write units that a pattern is expected to take.
fn written(design: &Design, pattern: &str) -> u64 {
    operation(design, pattern).expected.as_ref().unwrap().write_micro_units
}

#[test]
fn an_entry_is_priced_by_what_the_write_does_to_it() {
    let held = ConditionKind::Held {
        attribute: keywright_model::model::AttributeRef::new("Stay", "insideSince"),
        held: true,
    };
    let sure = stays("siteId, insideSince", Some(held)).design();
    // Each always enters, and always leaves.
    assert_eq!((written(&sure, "AP-002"), written(&sure, "AP-003")), (2_000_000, 2_000_000));
    // Where nothing says so, as many enter as hold it on average. Who takes it away takes it from those who have it,
    // though few of all items do.
    let perhaps = stays("siteId, insideSince?", None).design();
    let enters = written(&perhaps, "AP-002");
    assert!((1_000_001..2_000_000).contains(&enters), "{enters}");
    assert_eq!(written(&perhaps, "AP-003"), 2_000_000);
    let moved =
        stays("siteId, insideSince", None).write("AP-004", "update Stay", "stayId, new insideSince", 40);
    assert_eq!(written(&moved.design(), "AP-004"), 3_000_000);
    // Who does not give it never enters.
    assert_eq!(written(&stays("siteId", None).design(), "AP-002"), 1_000_000);
}

#[test]
fn a_put_is_priced_as_what_it_replaces() {
    let devices = |writing: &str, condition: Option<ConditionKind>| {
        let doc = doc("Sites")
            .entity("Device", 500_000, "deviceId:string:id, site:string:500values, lastSeen:datetime:mutable")
            .read("AP-001", "Device", "site", "page 20 by lastSeen desc", 1)
            .write("AP-002", &format!("{writing} Device"), "deviceId, site, lastSeen", 50);
        let doc = condition.into_iter().fold(doc, |doc, kind| doc.condition("Device must exist", kind));
        written(&doc.design(), "AP-002")
    };
    let exists = ConditionKind::Exists { entity: "Device".to_owned() };
    // The item, the entry that goes and the entry that comes, as of an update; a create has none that goes.
    assert_eq!(devices("put", Some(exists)), 3_000_000);
    assert_eq!(devices("put", None), 3_000_000);
    assert_eq!(devices("create", None), 2_000_000);
}

#[test]
fn a_put_that_leaves_the_keys_of_an_index_alone_writes_one_entry() {
    let seats = |returns: &str, condition: Option<ConditionKind>| {
        let doc = doc("Hall")
            .entity("Seat", 500_000, "hall:string:id:500values, seat:string:id, colour:string")
            .read("AP-001", "Seat", "hall", "page 20", 1_000)
            .read("AP-002", "Seat", "seat", &format!("page 20{returns}"), 1_000)
            .write("AP-003", "put Seat", "hall, seat, colour", 1);
        let doc = condition.into_iter().fold(doc, |doc, kind| doc.condition("Seat must exist", kind));
        written(&doc.design(), "AP-003")
    };
    let exists = || Some(ConditionKind::Exists { entity: "Seat".to_owned() });
    // The entry holds the colour, which may be another.
    assert_eq!((seats("", exists()), seats("", None)), (2_000_000, 2_000_000));
    // Where it holds keys alone, one that is there stays as it is, and only a new one comes.
    assert_eq!(
        (seats(" returns hall+seat", exists()), seats(" returns hall+seat", None)),
        (1_000_000, 2_000_000)
    );
}

#[test]
fn who_gives_the_present_value_and_a_new_one_gets_the_new_one() {
    let stated = |inputs: &str| {
        let design = doc("Sales")
            .entity("Lot", 1_000_000, "lotId:ulid:id, hall:string:50values, closesAt:datetime:mutable")
            .read("AP-001", "Lot", "hall", "page 20 by closesAt", 10)
            .write("AP-002", "create Lot", "hall, closesAt", 1)
            .write("AP-003", "update Lot", inputs, 1)
            .design();
        let written = actions(&design, "AP-003");
        let [Action::Update(update)] = written.as_slice() else { panic!("{written:?}") };
        format!("{:?}", update.update)
    };
    let new_first = stated("lotId, new closesAt, closesAt");
    assert_eq!(new_first, stated("lotId, closesAt, new closesAt"));
    assert!(new_first.contains("new_closesAt") && !new_first.contains("Input(\"closesAt\")"), "{new_first}");
}

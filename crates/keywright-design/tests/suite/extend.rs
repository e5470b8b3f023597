//! Extending a table that exists: its keys stay, what is new comes beside them, and what that takes is said.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use crate::support;

use keywright_design::{Addition, Options, Outcome, Takes};
use keywright_document::Companions;
use keywright_model::Style;
use keywright_model::design::{Design, ItemKind, KeyAssignment, Subject};
use support::{Doc, doc, keys, summary};

fn extend(doc: &Doc, base: &Design) -> Outcome {
    keywright_design::design(&doc.0, &Options { base: Some(base.clone()), ..Options::default() })
}

fn extended(doc: &Doc, base: &Design) -> (Design, Vec<Addition>) {
    let outcome = extend(doc, base);
    let messages: Vec<&String> = outcome.findings.iter().map(|finding| &finding.message).collect();
    let design = outcome.design.unwrap_or_else(|| panic!("{messages:#?}"));
    (design, outcome.additions)
}

/// Every key and index of the base is in the design as it was.
fn assert_kept(base: &Design, design: &Design) {
    for item in &base.items {
        let now: Vec<&KeyAssignment> = design.item(&item.name).expect("it stays").keys.iter().collect();
        let was: Vec<&KeyAssignment> = item.keys.iter().collect();
        assert_eq!(now[..was.len()], was[..], "{}", item.name);
    }
    for index in &base.indexes {
        let now = design.index(&index.table, &index.name).expect("it stays");
        assert_eq!(
            (&now.partition, &now.sort, &now.projection),
            (&index.partition, &index.sort, &index.projection)
        );
    }
    assert_eq!(base.tables, design.tables);
}

fn shop() -> Doc {
    doc("Shop")
        .entity("Customer", 100_000, "customerId:ulid:id, email:string:unique, name:string")
        .entity(
            "Order",
            1_000_000,
            "orderId:ulid:id, customerId:ulid, status:enum(OPEN|PAID|SENT):mutable, placedAt:datetime",
        )
        .entity("Line", 5_000_000, "orderId:ulid:id, number:integer:id:max999, sku:string")
        .belongs("Order", "Customer", "customerId", 10, None)
        .belongs("Line", "Order", "orderId", 5, Some(50))
        .read("AP-001", "Customer", "customerId", "single", 100)
        .read("AP-002", "Order", "customerId", "page 20 by placedAt desc", 50)
        .read("AP-003", "Order, Line", "orderId", "all", 50)
        .read("AP-004", "Order", "orderId", "single", 50)
        .write("AP-010", "create Customer", "customerId, email, name", 1)
        .write("AP-011", "create Order", "orderId, customerId, status, placedAt", 10)
        .write("AP-012", "create Line", "orderId, number, sku", 10)
        .write("AP-013", "update Order", "orderId, new status", 10)
}

/// The same document, a year later.
fn grown() -> Doc {
    shop()
        .entity("Payment", 1_000_000, "paymentId:ulid:id, orderId:ulid, amount:integer, paidAt:datetime")
        .read("AP-020", "Order", "status", "page 20 by placedAt", 5)
        .read("AP-021", "Payment", "orderId", "all", 5)
        .write("AP-022", "create Payment", "paymentId, orderId, amount, paidAt", 5)
}

#[test]
fn nothing_new_changes_nothing() {
    for style in [Style::Overloaded, Style::MultiAttribute, Style::MultiTable] {
        let options = Options { style: Some(style), ..Options::default() };
        let base = keywright_design::design(&shop().0, &options).design.unwrap();
        let (design, additions) = extended(&shop(), &base);
        assert_kept(&base, &design);
        assert_eq!(additions, []);
        assert_eq!(design.items, base.items, "{style}");
        assert_eq!(design.operations, base.operations, "{style}");
        assert_eq!(design.total, base.total, "{style}");
    }
}

#[test]
fn a_strong_read_that_comes_later_gets_a_copy_beside_what_is_there() {
    let hospital = doc("Hospital")
        .entity("Nurse", 10_000, "nurseId:string:id, name:string")
        .entity("Ward", 200, "wardId:string:id, floor:integer")
        .entity("Shift", 1_000_000, "shiftId:ulid:id, nurseId:string, wardId:string, note:string")
        .belongs("Shift", "Nurse", "nurseId", 100, None)
        .belongs("Shift", "Ward", "wardId", 5_000, None)
        .read("AP-001", "Nurse, Shift", "nurseId", "page 20 by shiftId desc strong", 5)
        .read("AP-002", "Ward", "wardId", "single", 5)
        .write("AP-010", "create Shift", "nurseId, wardId, note", 2)
        .write("AP-011", "create Ward", "wardId, floor", 1);
    let base = hospital.design();
    let more = hospital.read("AP-003", "Ward, Shift", "wardId", "page 20 by shiftId desc strong", 5);
    let (design, additions) = extended(&more, &base);
    assert_kept(&base, &design);
    let copy = design.items.iter().find(|item| item.kind == ItemKind::Copy).unwrap();
    assert_eq!(summary(&design, "AP-003"), "Query");
    let added = additions.iter().find(|it| it.subject == Subject::Item(copy.name.clone())).unwrap();
    assert!(matches!(added.takes, Takes::Backfill { items: 1_000_000, .. }), "{added:?}");
    // Once it is there it stays.
    let (again, none) = extended(&more, &design);
    assert_eq!((again.items, none), (design.items, Vec::new()));
}

#[test]
fn an_index_that_no_pattern_uses_any_more_says_so() {
    let mut base = shop().design();
    let lists = |doc: &Design| doc.indexes.iter().map(|it| it.purpose.clone().unwrap()).collect::<Vec<_>>();
    assert_eq!(lists(&base), ["serves AP-002"]);
    let mut fewer = shop();
    fewer.0.patterns.retain(|pattern| pattern.id != "AP-002");
    assert_eq!(lists(&extended(&fewer, &base).0), ["serves no pattern"]);
    // What somebody wrote about it stays, however often the table is extended.
    base.indexes[0].purpose = Some("for the yearly report".to_owned());
    for _ in 0..2 {
        base = extended(&fewer, &base).0;
        assert_eq!(lists(&base), ["for the yearly report; serves no pattern"]);
    }
}

#[test]
fn months_lists_of_several_kinds_and_copies_stay_as_they_are() {
    let number = "owner:string:id, name:string:id, number:integer:id:sequential:max99999999, title:string";
    let documents = [
        doc("Audit")
            .entity("Log", 5_000_000, "tenantId:string:500values, logId:ulid:id, at:datetime, text:string")
            .read("AP-001", "Log", "tenantId, month at", "page 50 by at desc", 20)
            .write("AP-002", "create Log", "tenantId, at, text", 100),
        doc("Hub")
            .entity("Repo", 100_000, "owner:string:id, name:string:id, about:string")
            .entity("Issue", 5_000_000, number)
            .entity("PullRequest", 2_000_000, number)
            .belongs("Issue", "Repo", "owner, name", 50, None)
            .belongs("PullRequest", "Repo", "owner, name", 20, None)
            .shared_number("Issue", "number", "PullRequest")
            .read("AP-001", "Repo, Issue, PullRequest", "owner, name", "page 25 by number desc", 50)
            .read("AP-002", "Issue", "owner, name, number", "single", 50)
            .write("AP-003", "create Issue", "owner, name, title", 5),
        doc("Hospital")
            .entity("Nurse", 10_000, "nurseId:string:id, name:string")
            .entity("Ward", 200, "wardId:string:id, floor:integer")
            .entity("Shift", 1_000_000, "shiftId:ulid:id, nurseId:string, wardId:string, note:string")
            .belongs("Shift", "Nurse", "nurseId", 100, None)
            .belongs("Shift", "Ward", "wardId", 5_000, None)
            .read("AP-001", "Nurse, Shift", "nurseId", "page 20 by shiftId desc strong", 5)
            .read("AP-002", "Ward, Shift", "wardId", "page 20 by shiftId desc strong", 5)
            .write("AP-010", "create Shift", "nurseId, wardId, note", 2),
    ];
    for document in documents {
        let base = document.design();
        let (design, additions) = extended(&document, &base);
        assert_kept(&base, &design);
        assert_eq!(additions, []);
        assert_eq!(design.items, base.items);
        assert_eq!(design.operations, base.operations);
    }
}

#[test]
fn a_new_collection_keeps_clear_of_literals_that_somebody_wrote() {
    let text = "# DynamoDB Table Design\n\n## Table Configuration\n\n| Property | Value |\n|---|---|\n\
        | Table Name | `app` |\n| Partition Key | `PK` (String) |\n| Sort Key | `SK` (String) |\n\n\
        ## Entity Key Design\n\n### User\n\n- **PK**: `TASK#<username>`\n- **SK**: `PROFILE`\n\
        - **Attributes**:\n  - `username` (string)\n  - `name` (string)\n";
    let read = keywright_document::read_table_design(text);
    let grown = doc("App")
        .entity("User", 1_000, "username:string:id, name:string")
        .entity("Task", 10_000, "taskId:ulid:id, title:string")
        .read("AP-001", "User", "username", "single", 10)
        .read("AP-002", "Task", "taskId", "single", 10)
        .write("AP-003", "create Task", "title", 1);
    let (design, _) = extended(&grown, &read.design);
    // Users lie under `TASK#` there: a task whose id is a username would lie among them.
    assert!(keys(&design, "Task").starts_with("TASK2#<taskId>"), "{}", keys(&design, "Task"));
}

#[test]
fn a_new_pattern_and_a_new_entity_come_beside_what_is_there() {
    let base = shop().design();
    let (design, additions) = extended(&grown(), &base);
    assert_kept(&base, &design);
    assert_eq!(design.operations.len(), grown().0.patterns.len());
    assert_eq!(summary(&design, "AP-020"), format!("Query GSI{}", base.indexes.len() + 1));
    let about = |subject: Subject| additions.iter().find(|it| it.subject == subject);
    assert_eq!(about(Subject::Item("Payment".to_owned())).map(|it| &it.takes), Some(&Takes::Nothing));
    let order = about(Subject::Item("Order".to_owned())).expect("orders get the keys of the new index");
    let Takes::Backfill { items, price } = &order.takes else { panic!("{order:?}") };
    assert_eq!(*items, 1_000_000);
    // Two write units and an eventual read of a small item each: well below two dollars.
    assert!(price.pico() > 1_000_000_000_000 && price.pico() < 2_000_000_000_000, "{price:?}");
    // Each addition is a decision too, so that the document shows it.
    let reasons: Vec<&String> = design.decisions.iter().map(|decision| &decision.reason).collect();
    assert!(reasons.iter().any(|reason| reason.starts_with("needs a backfill")), "{reasons:#?}");
    assert!(reasons.iter().any(|reason| reason.starts_with("additive")), "{reasons:#?}");
}

#[test]
fn a_new_child_takes_the_names_of_the_parent_that_is_there() {
    let text = "# DynamoDB Table Design\n\n## Table Configuration\n\n| Property | Value |\n|---|---|\n\
        | Table Name | `app` |\n| Partition Key | `PK` (String) |\n| Sort Key | `SK` (String) |\n\n\
        ## Entity Key Design\n\n### User\n\n- **PK**: `U#<username>`\n- **SK**: `PROFILE`\n\
        - **Attributes**:\n  - `username` (string)\n  - `name` (string)\n";
    let read = keywright_document::read_table_design(text);
    assert_eq!(keys(&read.design, "User"), "U#<username> | PROFILE");
    let grown = doc("App")
        .entity("User", 1_000, "username:string:id, name:string")
        .entity("Session", 10_000, "username:string:id, sessionId:ulid:id")
        .belongs("Session", "User", "username", 5, None)
        .read("AP-001", "User", "username", "single", 10)
        .read("AP-002", "Session", "username", "all", 10)
        .read("AP-003", "User, Session", "username", "all", 10)
        .write("AP-004", "create User", "username, name", 1)
        .write("AP-005", "create Session", "username, sessionId", 1);
    let (design, additions) = extended(&grown, &read.design);
    assert_kept(&read.design, &design);
    assert_eq!(keys(&design, "Session"), "U#<username> | SESSION#<sessionId>");
    assert_eq!(summary(&design, "AP-003"), "Query");
    assert_eq!(additions.len(), 1, "{additions:?}");
}

#[test]
fn a_key_that_would_have_to_move_is_said_and_priced() {
    let base = shop().design();
    assert_eq!(keys(&base, "Order").split(" | ").next(), Some("ORDER#<orderId>"));
    // A strong read can't use an index.
    let grown = shop().read("AP-030", "Order", "customerId", "all strong", 5);
    let outcome = extend(&grown, &base);
    assert!(outcome.design.is_none());
    let rules: Vec<&str> = outcome.findings.iter().map(|finding| finding.rule.name()).collect();
    assert!(rules.contains(&"unservable-pattern"), "{rules:?}");
    let moved = outcome.findings.iter().find(|finding| finding.rule.name() == "key-must-move");
    let moved = moved.unwrap_or_else(|| panic!("{rules:?}"));
    assert!(moved.message.contains("customerId"), "{}", moved.message);
    let help = moved.help.clone().unwrap_or_default();
    assert!(help.contains("1000000 items of Order") && help.contains('$'), "{help}");
}

#[test]
fn who_gives_the_identity_is_not_asked_for_it() {
    let riders = || {
        doc("Rides")
            .entity("Rider", 5_000_000, "riderId:ulid:id, phone:string, name:string")
            .read("AP-001", "Rider", "phone", "all strong", 20)
            .write("AP-010", "create Rider", "phone, name", 1)
    };
    let base = riders().design();
    assert_eq!(keys(&base, "Rider").split(" | ").next(), Some("RIDER_PHONE#<phone>"));
    let outcome = extend(&riders().read("AP-012", "Rider", "riderId", "single strong", 20), &base);
    let refused = outcome.findings.iter().find(|it| it.rule.name() == "unservable-pattern");
    let refused = refused.unwrap_or_else(|| panic!("{:#?}", outcome.findings));
    assert_eq!(
        refused.message,
        "AP-012 can't be served: a strong read can't use an index, and the present key of Rider holds more than riderId"
    );
    assert!(refused.help.as_deref().is_some_and(|help| !help.contains("give the identity")));
}

#[test]
fn a_move_takes_the_entries_of_indexes_along() {
    let price = |listed: bool| -> f64 {
        let orders = || {
            let orders = doc("Shop")
                .entity("Order", 1_000_000, "orderId:ulid:id, customerId:ulid, total:integer")
                .read("AP-001", "Order", "orderId", "single", 100)
                .write("AP-010", "create Order", "customerId, total", 1);
            if listed {
                orders.read("AP-002", "Order", "customerId", "page 20 by total", 100)
            } else {
                orders
            }
        };
        let base = orders().design();
        assert_eq!(base.indexes.len(), usize::from(listed));
        let strong = orders().read("AP-030", "Order", "customerId", "page 20 by total strong", 5);
        let outcome = extend(&strong, &base);
        let (_, help) = moves(&outcome)[0];
        help.split_once("for $").and_then(|(_, rest)| rest.split_once(';')).unwrap().0.parse().unwrap()
    };
    // A million entries are deleted, at one unit each.
    let entries = price(true) - price(false);
    assert!((0.60..0.70).contains(&entries), "{entries}");
}

/// What moves, as it is said and priced.
fn moves(outcome: &Outcome) -> Vec<(&str, &str)> {
    let moves = outcome.findings.iter().filter(|it| it.rule.name() == "key-must-move");
    moves.map(|it| (it.message.as_str(), it.help.as_deref().unwrap_or_default())).collect()
}

/// Orders that are only got by their whole key, so that their table has no sort key.
fn got_by_key(order: &str) -> Doc {
    let listed = order.contains("customerId");
    doc("Shop")
        .entity("Order", 10_000_000, order)
        .read("AP-001", "Order", if listed { "customerId, orderId" } else { "orderId" }, "single strong", 40)
        .write("AP-010", "create Order", if listed { "customerId, total" } else { "total" }, 3)
}

#[test]
fn a_table_without_a_sort_key_is_left_for_one_that_has_it() {
    let order = "orderId:ulid:id, customerId:ulid, total:integer";
    let mut base = got_by_key(order).design();
    assert_eq!(base.tables[0].sort, None);
    base.items[0].keys[0].value =
        keywright_model::design::KeyValue::Template("ORDER#<orderId>#<customerId>".to_owned());
    let listed =
        got_by_key(order).read("AP-002", "Order", "customerId", "page 20 by orderId desc strong", 10);
    let outcome = extend(&listed, &base);
    assert!(outcome.design.is_none());
    let said: Vec<&str> = outcome.findings.iter().map(|it| it.message.as_str()).collect();
    assert!(said.iter().any(|it| it.contains("AP-002") && it.contains("has no sort key")), "{said:#?}");
    let moved = moves(&outcome);
    let [(message, help)] = moved.as_slice() else { panic!("{said:#?}") };
    assert_eq!(
        *message,
        "the key of Order would have to move: from `orderId`, `customerId` as partition key in table `Shop`, which has no \
         sort key, to `customerId` as partition key and `orderId` as sort key in a new table that has one"
    );
    assert!(help.contains("all 10000000 items of Order once, for $"), "{help}");
}

#[test]
fn what_is_there_moves_where_what_is_new_needs_a_sort_key() {
    let order = "orderId:ulid:id, total:integer";
    let with_lines = |base: Doc, reads: &str| {
        base.entity("Line", 50_000_000, "orderId:ulid:id, number:integer:id:max999, sku:string")
            .belongs("Line", "Order", "orderId", 5, Some(50))
            .read("AP-002", "Order, Line", "orderId", reads, 10)
            .write("AP-011", "create Line", "orderId, number, sku", 3)
    };
    let base = got_by_key(order).design();
    // An index holds both; only a strong read needs the table.
    let (design, _) = extended(&with_lines(got_by_key(order), "all by number"), &base);
    assert_kept(&base, &design);
    for style in [Style::Overloaded, Style::MultiAttribute] {
        let base = keywright_design::design(
            &got_by_key(order).0,
            &Options { style: Some(style), ..Options::default() },
        );
        let outcome = extend(&with_lines(got_by_key(order), "all by number strong"), &base.design.unwrap());
        assert!(outcome.design.is_none());
        let moved = moves(&outcome);
        let [(message, help)] = moved.as_slice() else { panic!("{style}: {:#?}", outcome.findings) };
        // The lines are new: what moves is the orders, into a table that both fit in.
        assert_eq!(
            *message,
            "the key of Order would have to move: from `orderId` as partition key in table `Shop`, which has no sort key, to \
             `orderId` as partition key in a new table that has one"
        );
        assert!(help.contains("all 10000000 items of Order once, for $"), "{help}");
    }
}

/// Vehicles and who drives them: the drivers of a vehicle are found by an index.
fn fleet() -> Doc {
    doc("Fleet")
        .entity("Driver", 200_000, "driverId:ulid:id, name:string")
        .entity("Vehicle", 150_000, "plate:string:id, model:string")
        .entity("Permit", 300_000, "driverId:ulid:id, plate:string:id, since:datetime")
        .belongs("Permit", "Driver", "driverId", 2, Some(10))
        .belongs("Permit", "Vehicle", "plate", 2, Some(20))
        .read("AP-001", "Driver", "driverId", "single", 100)
        .read("AP-002", "Vehicle", "plate", "single", 10)
        .read("AP-003", "Permit", "driverId", "all", 5)
        .read("AP-004", "Permit", "plate", "all", 1)
        .write("AP-010", "create Driver", "driverId, name", 1)
        .write("AP-011", "create Vehicle", "plate, model", 1)
        .write("AP-012", "create Permit", "driverId, plate, since", 1)
}

#[test]
fn a_parent_comes_into_the_index_that_its_children_are_in() {
    let base = fleet().design();
    assert_eq!(base.indexes.len(), 1, "{:#?}", base.indexes);
    let grown = fleet().read("AP-020", "Vehicle, Permit", "plate", "all", 2);
    let (design, additions) = extended(&grown, &base);
    assert_kept(&base, &design);
    assert_eq!(design.indexes.len(), 1, "{:#?}", design.indexes);
    let read = design.operations.iter().find(|it| it.pattern == "AP-020").unwrap();
    assert_eq!(read.index.as_deref(), Some("GSI1"), "{:#?}", design.indexes);
    let partition = |item: &str| design.item(item).unwrap().key("GSI1PK").unwrap().value.clone();
    assert_eq!(partition("Vehicle"), partition("Permit"));
    // Every vehicle that is there gets its entry.
    let backfill = additions.iter().find(|it| it.subject == Subject::Item("Vehicle".to_owned())).unwrap();
    assert!(matches!(backfill.takes, Takes::Backfill { items: 150_000, .. }), "{additions:#?}");
}

/// Reservations, of which a new read wants some.
#[test]
fn only_who_comes_into_a_sparse_index_is_written_for_it() {
    let booked = doc("Stay")
        .entity(
            "Reservation",
            100_000_000,
            "reservationId:ulid:id, hotelId:string:2000values, state:enum(BOOKED|HERE|GONE|CANCELLED):mutable, checkIn:date",
        )
        .read("AP-001", "Reservation", "reservationId", "single", 90)
        .write("AP-002", "create Reservation", "hotelId, checkIn", 25)
        .write("AP-003", "update Reservation", "reservationId, new state", 1);
    let base = booked.design();
    let with = |inputs: &str| {
        let grown = Doc(booked.0.clone()).read("AP-004", "Reservation", inputs, "page 20 by checkIn desc", 1);
        let (_, additions) = extended(&grown, &base);
        let it = additions.into_iter().find(|it| it.subject == Subject::Item("Reservation".to_owned()));
        let Some(Takes::Backfill { items, price }) = it.map(|it| it.takes) else { panic!("no backfill") };
        (items, price.pico())
    };
    // One of four states: all are read, a quarter is written with its entry.
    let (items, sparse) = with("hotelId, state=CANCELLED");
    assert_eq!(items, 25_000_000);
    let (all, whole) = with("hotelId");
    assert_eq!(all, 100_000_000);
    assert!(sparse < whole / 3, "{sparse} of {whole}");
}

#[test]
fn what_lies_under_more_than_its_identity_is_not_put_over() {
    let devices = |write: &str, inputs: &str| {
        doc("Sites")
            .entity("Device", 500_000, "deviceId:uuid:id, site:string:500values, lastSeen:datetime:mutable")
            .read("AP-001", "Device", "site", "page 20 by lastSeen desc", 1)
            .write("AP-002", &format!("{write} Device"), inputs, 50)
    };
    let base = devices("create", "site, lastSeen").design();
    assert_eq!(keys(&base, "Device"), "DEVICE_SITE#<site> | DEVICE#<lastSeen:iso>#<deviceId>");
    let outcome = extend(&devices("put", "deviceId, site, lastSeen"), &base);
    assert!(outcome.design.is_none());
    let names: Vec<&str> = outcome.findings.iter().map(|it| it.rule.name()).collect();
    assert!(names.contains(&"key-must-move"), "{:#?}", outcome.findings);
}

#[test]
fn a_new_parent_and_its_children_come_beside_many_kinds() {
    let entities = ["Ant", "Bee", "Cat", "Dog", "Eel", "Fox", "Gnu", "Hen", "Ibis"];
    let zoo = || {
        let nests = doc("Zoo")
            .entity("Nest", 9_000, "antId:ulid:id, nestId:ulid:id, size:integer")
            .read("AP-090", "Nest", "antId", "page 10", 1)
            .write("AP-190", "create Nest", "antId, nestId, size", 1);
        entities.iter().enumerate().fold(nests, |zoo, (at, name)| {
            let id = format!("{}Id", name.to_lowercase());
            zoo.entity(name, 1_000, &format!("{id}:ulid:id, name:string"))
                .read(&format!("AP-{at:03}"), name, &id, "single", 1)
                .write(&format!("AP-{:03}", 100 + at), &format!("create {name}"), &format!("{id}, name"), 1)
        })
    };
    let base = zoo().design();
    let grown = zoo()
        .entity("Keeper", 1_000, "keeperId:ulid:id, name:string")
        .entity("Shift", 20_000, "keeperId:ulid:id, shiftId:ulid:id, place:string")
        .belongs("Shift", "Keeper", "keeperId", 20, None)
        .read("AP-050", "Keeper, Shift", "keeperId", "page 20 by shiftId desc strong", 5)
        .write("AP-150", "create Keeper", "keeperId, name", 1)
        .write("AP-151", "create Shift", "keeperId, shiftId, place", 1);
    let (design, additions) = extended(&grown, &base);
    assert_kept(&base, &design);
    assert!(additions.iter().all(|it| it.takes == Takes::Nothing), "{additions:#?}");
}

#[test]
fn what_must_move_is_said_alone_from_where_to_where_and_for_how_much() {
    let base = fleet().design();
    // A strong read finds nothing in an index: either the permits move to their vehicles, or nothing does.
    let grown = fleet().read("AP-020", "Vehicle, Permit", "plate", "all strong", 2);
    let outcome = extend(&grown, &base);
    assert!(outcome.design.is_none());
    let moves = outcome.findings.iter().filter(|it| it.rule.name() == "key-must-move");
    let moves: Vec<(&str, &str)> =
        moves.map(|it| (it.message.as_str(), it.help.as_deref().unwrap_or_default())).collect();
    let [(message, help)] = moves.as_slice() else { panic!("{moves:#?}") };
    assert_eq!(
        *message,
        "the key of Permit would have to move: from `driverId` as partition key and `plate` as sort key to `plate` as \
         partition key and `driverId` as sort key"
    );
    assert!(help.contains("all 300000 items of Permit once, for $"), "{help}");
    assert!(outcome.findings.iter().any(|it| it.message.contains("AP-020")), "{:#?}", outcome.findings);
}

#[test]
fn a_base_that_speaks_of_other_attributes_is_refused() {
    let mut base = shop().design();
    let order = base.items.iter_mut().find(|item| item.name == "Order").unwrap();
    order.keys[0].value = keywright_model::design::KeyValue::Template("ORDER#<number>".to_owned());
    let outcome = extend(&shop(), &base);
    assert!(outcome.design.is_none());
    let rules: Vec<&str> = outcome.findings.iter().map(|finding| finding.rule.name()).collect();
    assert_eq!(rules, ["base-not-extendable"]);
}

#[test]
fn a_number_that_writes_keep_stays_kept_and_a_new_one_is_counted_once() {
    let notes = |reads: u64| {
        doc("Notes")
            .entity("User", 10_000, "userId:ulid:id, name:string")
            .entity("Note", 50_000_000, "noteId:ulid:id, userId:ulid, text:string:800B")
            .belongs("Note", "User", "userId", 5_000, None)
            .read("AP-001", "Note", "userId", "page 25", 10)
            .read("AP-002", "User", "userId", "single", 10)
            .write("AP-003", "create User", "name", 1)
            .write("AP-004", "create Note", "userId, text", 1)
            .write("AP-005", "delete Note", "userId, noteId", 1)
            .read("AP-006", "Note", "userId", "count", reads)
    };
    // Counted by the writes, and so it stays.
    let base = notes(100).design();
    let counter = |design: &Design| design.items.iter().any(|item| item.name == "NoteCount");
    assert!(counter(&base), "{:?}", base.items.iter().map(|item| &item.name).collect::<Vec<_>>());
    let (design, additions) = extended(&notes(100), &base);
    assert_kept(&base, &design);
    assert_eq!(additions, []);
    assert_eq!(design.operations, base.operations);
    // A table without the number: it is counted once for the notes that are there.
    let mut before = notes(100);
    before.0.patterns.retain(|pattern| pattern.id != "AP-006");
    let base = before.design();
    assert!(!counter(&base));
    let (design, additions) = extended(&notes(100), &base);
    assert!(counter(&design));
    let subject = Subject::Item("NoteCount".to_owned());
    let takes = additions.iter().find(|it| it.subject == subject).map(|it| &it.takes);
    assert!(matches!(takes, Some(Takes::Backfill { items: 10_000, .. })), "{additions:?}");
}

/// A design in a style, as it reads back from its document.
fn written(doc: &Doc, style: Style) -> Design {
    let options = Options { style: Some(style), ..Options::default() };
    let design = keywright_design::design(&doc.0, &options).design.unwrap();
    let text = keywright_document::write_table_design(&design, Companions::default());
    keywright_document::read_table_design(&text).design
}

#[test]
fn every_table_of_several_is_extended_as_it_is() {
    let base = written(&shop(), Style::MultiTable);
    assert!(base.tables.len() > 2, "{:?}", base.tables);
    let (design, additions) = extended(&grown(), &base);
    // All tables are there as they were, and one more.
    assert_eq!(design.tables[..base.tables.len()], base.tables[..]);
    let new: Vec<&str> = design.tables[base.tables.len()..].iter().map(|it| it.name.as_str()).collect();
    assert_eq!(new, ["Shop-Payment"]);
    assert_kept(&base, &Design { tables: base.tables.clone(), ..design.clone() });
    assert_eq!(design.operations.len(), grown().0.patterns.len());
    let order = design.item("Order").unwrap();
    let line = design.item("Line").unwrap();
    assert_eq!(order.table, line.table, "they are read together");
    // Orders get an index in their own table, which takes a backfill; payments touch nothing.
    let index = design.indexes.iter().find(|it| base.index(&it.table, &it.name).is_none()).unwrap();
    assert_eq!(index.table, order.table);
    let said: Vec<(&str, bool)> =
        additions.iter().map(|it| (it.what.as_str(), it.takes == Takes::Nothing)).collect();
    assert!(
        said.contains(&("a new item type Payment in a table of its own, Shop-Payment", true)),
        "{said:#?}"
    );
    assert!(said.iter().any(|(what, free)| what.starts_with("items of Order get") && !free), "{said:#?}");
}

#[test]
fn what_lies_in_two_tables_moves_before_it_is_read_together() {
    let apart = || {
        doc("Shop")
            .entity("Customer", 100_000, "customerId:ulid:id, name:string")
            .entity("Order", 1_000_000, "orderId:ulid:id, customerId:ulid, placedAt:datetime")
            .belongs("Order", "Customer", "customerId", 10, None)
            .read("AP-001", "Customer", "customerId", "single", 100)
            .read("AP-002", "Order", "customerId", "page 20 by placedAt desc", 50)
            .write("AP-010", "create Customer", "customerId, name", 1)
            .write("AP-011", "create Order", "orderId, customerId, placedAt", 10)
    };
    let base = written(&apart(), Style::MultiTable);
    assert_eq!(base.tables.len(), 2);
    let together = apart().read("AP-020", "Customer, Order", "customerId", "page 20 by placedAt desc", 5);
    let outcome = extend(&together, &base);
    assert!(outcome.design.is_none());
    let said: Vec<&str> = outcome.findings.iter().map(|it| it.message.as_str()).collect();
    assert!(said.iter().any(|it| it.contains("are in different tables")), "{said:#?}");
    let moved: Vec<&str> = outcome
        .findings
        .iter()
        .filter(|it| it.rule.name() == "key-must-move")
        .filter_map(|it| it.help.as_deref())
        .collect();
    assert_eq!(moved.len(), 2, "{said:#?}");
    assert!(moved.iter().any(|help| help.contains("all 1000000 items of Order once, for $")), "{moved:#?}");
}

#[test]
fn native_indexes_stay_and_new_ones_come_beside_them() {
    let base = written(&shop(), Style::MultiAttribute);
    let (design, additions) = extended(&grown(), &base);
    assert_kept(&base, &design);
    assert_eq!(design.style, Style::MultiAttribute);
    let new: Vec<_> = design.indexes.iter().filter(|it| base.index(&it.table, &it.name).is_none()).collect();
    assert!(!new.is_empty() && new.iter().all(|it| it.partition.iter().all(|key| key.name != "GSI1PK")));
    // What a native index is made of is in the items already: it is built from them, and nothing is written.
    let backfills = additions.iter().filter(|it| it.takes != Takes::Nothing).count();
    assert_eq!(backfills, 0, "{additions:#?}");
}

/// A table by hand, with these kinds of items.
fn by_hand(items: &str) -> Design {
    let text = format!(
        "# DynamoDB Table Design\n\n## Table Configuration\n\n| Property | Value |\n|---|---|\n\
        | Table Name | `app` |\n| Partition Key | `PK` (String) |\n| Sort Key | `SK` (String) |\n\n\
        ## Entity Key Design\n\n{items}"
    );
    keywright_document::read_table_design(&text).design
}

#[test]
fn a_base_without_any_literal_is_extended() {
    let base = by_hand(
        "### Session\n\n- **PK**: `<username>`\n- **SK**: `<sessionId>`\n\
        - **Attributes**:\n  - `username` (string)\n  - `sessionId` (ulid)\n",
    );
    let document = || {
        doc("App")
            .entity("Session", 10_000, "username:string:id, sessionId:ulid:id, device:string:20values")
            .read("AP-001", "Session", "username", "page 20 by sessionId desc", 10)
            .read("AP-002", "Session", "username, sessionId", "single", 10)
            .write("AP-003", "create Session", "username, sessionId, device", 1)
    };
    let (design, additions) = extended(&document(), &base);
    assert_kept(&base, &design);
    assert_eq!(summary(&design, "AP-001"), "Query");
    let items: Vec<&Subject> = additions.iter().map(|it| &it.subject).collect();
    assert_eq!(items, [&Subject::Item("Session".to_owned())], "they get a device: {additions:#?}");
    // A new kind of item keeps clear of the names of users.
    let grown = document()
        .entity("Alarm", 10_000, "alarmId:ulid:id, text:string")
        .read("AP-010", "Alarm", "alarmId", "single", 10)
        .read("AP-011", "Session", "device", "page 20 by sessionId desc", 10)
        .write("AP-012", "create Alarm", "text", 1);
    let (design, _) = extended(&grown, &base);
    assert_kept(&base, &design);
    assert_eq!(keys(&design, "Alarm").split(" | ").next(), Some("ALARM#<alarmId>"));
    assert_eq!(summary(&design, "AP-011"), "Query GSI1");
}

#[test]
fn kinds_that_no_literal_tells_apart_are_not_read_one_by_one() {
    let base = by_hand(
        "### User\n\n- **PK**: `<username>`\n- **SK**: `<username>`\n\
        - **Attributes**:\n  - `username` (string)\n  - `name` (string)\n\n\
        ### Session\n\n- **PK**: `<username>`\n- **SK**: `<sessionId>`\n\
        - **Attributes**:\n  - `username` (string)\n  - `sessionId` (ulid)\n",
    );
    let document = doc("App")
        .entity("User", 1_000, "username:string:id, name:string")
        .entity("Session", 10_000, "username:string:id, sessionId:ulid:id")
        .belongs("Session", "User", "username", 5, None)
        .read("AP-001", "User", "username", "single", 10)
        .read("AP-002", "Session", "username, sessionId", "single", 10)
        .read("AP-003", "Session", "username", "page 20 by sessionId desc", 10)
        .write("AP-004", "create Session", "username, sessionId", 1);
    let (design, _) = extended(&document, &base);
    assert_kept(&base, &design);
    // The user lies among the sessions: a Query of the table would find both.
    assert_eq!(summary(&design, "AP-003"), "Query GSI1");
}

/// An entry in an index of all attributes is written again when its item gets a key of another index: the item, the entry
/// there and the new one are three units.
#[test]
fn a_backfill_pays_for_the_entries_that_show_all_attributes() {
    let read = |text: &str| keywright_document::read_access_patterns(text).0;
    let base = keywright_design::design(&read(include_str!("../documents/accounts.md")), &Options::default());
    let later = read(include_str!("../documents/accounts-disputed.md"));
    let outcome = keywright_design::design(&later, &Options { base: base.design, ..Options::default() });
    let entries = outcome.additions.iter().find(|it| it.what.starts_with("items of Entry get GSI2PK"));
    let Some(Takes::Backfill { items, price }) = entries.map(|it| &it.takes) else {
        panic!("{:#?}", outcome.additions)
    };
    assert_eq!((*items, price.in_cents().as_str()), (200_000_000, "$376.15"));
}

fn tickets(values: &str) -> Doc {
    doc("Tickets")
        .entity("Ticket", 1_000_000, &format!("ticketId:ulid:id, team:string, level:enum({values}):mutable"))
        .read("AP-001", "Ticket", "ticketId", "single", 50)
        .read("AP-002", "Ticket", "team", "page 20 by level desc", 50)
        .write("AP-010", "create Ticket", "ticketId, team, level", 10)
}

#[test]
fn values_that_follow_the_others_leave_keys_as_they_are() {
    let base = tickets("LOW|HIGH|URGENT").design();
    let (design, additions) = extended(&tickets("LOW|HIGH|URGENT|BLOCKING"), &base);
    assert!(additions.is_empty(), "{additions:?}");
    let text = format!("{:?}", design.item("Ticket").unwrap().keys);
    assert!(text.contains("<level:enum(LOW,HIGH,URGENT,BLOCKING)>"), "{text}");
}

#[test]
fn a_value_between_others_would_move_every_key() {
    let base = tickets("LOW|HIGH|URGENT").design();
    for values in ["LOW|MEDIUM|HIGH|URGENT", "URGENT|HIGH|LOW", "LOW|HIGH|URGENT|A|B|C|D|E|F|G|H"] {
        let outcome = extend(&tickets(values), &base);
        assert!(outcome.design.is_none(), "{values}");
        let message = &outcome.findings[0].message;
        assert!(message.contains("the position of `level` among LOW, HIGH, URGENT"), "{values}: {message}");
    }
}

#[test]
fn keys_that_hold_names_do_not_give_the_declared_order() {
    let mut base = tickets("LOW|HIGH|URGENT").design();
    for key in base.items.iter_mut().flat_map(|item| &mut item.keys) {
        if let keywright_model::design::KeyValue::Template(template) = &mut key.value {
            *template = template.replace(":enum(LOW,HIGH,URGENT)", "");
        }
    }
    let (design, _) = extended(&tickets("LOW|HIGH|URGENT"), &base);
    assert_kept(&base, &design);
    assert_eq!(design.indexes.len(), base.indexes.len() + 1);
    assert_eq!(design.operation("AP-002").unwrap().index, Some("GSI2".to_owned()));
}

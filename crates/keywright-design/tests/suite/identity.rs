//! A natural identity under other keys: an item of its own keeps it from being taken twice.

use crate::support;

use keywright_model::design::{Action, Design, ItemKind, Request};
use keywright_model::model::{ConditionKind, UniqueSet};
use support::{Doc, doc, keys, operation, summary};

#[test]
fn a_strong_read_with_the_parent_puts_a_natural_identity_under_the_parents_key() {
    let design = doc("Shop")
        .entity("Category", 500, "categoryId:ulid:id, name:string")
        .entity("Product", 100_000, "sku:string:id, categoryId:ulid, title:string")
        .belongs("Product", "Category", "categoryId", 200, None)
        .read("AP-001", "Category, Product", "categoryId", "all strong", 10)
        .write("AP-002", "create Product", "sku, categoryId, title", 1)
        .write("AP-003", "delete Product", "categoryId, sku", 1)
        .design();
    assert_eq!(keys(&design, "Product"), "CATEGORY#<categoryId> | PRODUCT#<sku>");
    let guard = design.item("ProductSku").expect("something keeps the identity");
    assert_eq!(guard.kind, ItemKind::Uniqueness);
    assert_eq!(keys(&design, "ProductSku"), "PRODUCTSKU#<sku> | PRODUCTSKU#<sku>");
    assert_eq!(summary(&design, "AP-002"), "TransactWriteItems");
    assert_eq!(summary(&design, "AP-003"), "TransactWriteItems");
}

/// Products that go with their category, of which one has so many at most.
fn cleared(most: Option<u64>) -> Doc {
    doc("Shop")
        .entity("Category", 500, "categoryId:ulid:id, name:string")
        .entity("Product", 100_000, "sku:string:id, categoryId:ulid, title:string")
        .belongs("Product", "Category", "categoryId", 20, most)
        .read("AP-001", "Category, Product", "categoryId", "all strong", 10)
        .write("AP-002", "create Product", "sku, categoryId, title", 1)
        .write("AP-003", "delete Category, delete Product all", "categoryId", 1)
}

#[test]
fn whoever_deletes_all_of_a_parent_deletes_what_keeps_their_identities() {
    // Where nothing says how many there are, the parent goes first.
    for (most, requests) in [(Some(40), 2), (None, 3)] {
        let design = cleared(most).design();
        assert_eq!(keys(&design, "Product"), "CATEGORY#<categoryId> | PRODUCT#<sku>");
        let cleared = operation(&design, "AP-003");
        assert_eq!(cleared.requests.len(), requests);
        let Some(Request::TransactWriteItems { actions }) = cleared.requests.last() else { panic!() };
        let deleted = actions.iter().filter_map(|action| match action {
            Action::Delete(delete) => Some((delete.item.as_str(), delete.condition.is_some())),
            _ => None,
        });
        let items: Vec<(&str, bool)> = deleted.filter(|(item, _)| *item != "Category").collect();
        // Where a product is gone, its identity may be another's.
        assert_eq!(items, [("Product", true), ("ProductSku", false)]);
        assert!(cleared.retry.is_some());
    }
}

#[test]
fn a_transaction_without_room_for_what_keeps_identities_says_so() {
    let findings = cleared(Some(60)).outcome().findings;
    let messages: Vec<&str> = findings.iter().map(|it| it.message.as_str()).collect();
    assert!(messages.iter().any(|it| it.contains("the transaction of AP-003")), "{messages:?}");
}

#[test]
fn where_nothing_asks_for_it_a_natural_identity_is_the_key() {
    let design = doc("Shop")
        .entity("Product", 100_000, "sku:string:id, categoryId:ulid, title:string")
        .read("AP-001", "Product", "sku", "single", 10)
        .read("AP-002", "Product", "categoryId", "page 20", 10)
        .write("AP-003", "create Product", "sku, categoryId, title", 1)
        .design();
    assert!(keys(&design, "Product").starts_with("PRODUCT#<sku> |"), "{}", keys(&design, "Product"));
    assert!(design.item("ProductSku").is_none());
}

#[test]
fn kinds_with_one_identity_are_items_of_their_own() {
    let one = || {
        doc("App")
            .entity("User", 1_000_000, "userId:ulid:id, name:string")
            .read("AP-001", "User", "userId", "single", 10)
            .write("AP-010", "create User", "name", 1)
    };
    let both = || {
        one()
            .entity("Settings", 1_000_000, "userId:ulid:id, theme:string")
            .belongs("Settings", "User", "userId", 1, None)
            .read("AP-002", "Settings", "userId", "single", 10)
            .write("AP-011", "update Settings", "userId, new theme", 1)
    };
    let design = both().design();
    // Under one partition key, so that something else must tell them apart.
    assert_eq!(keys(&design, "User"), "USER#<userId> | USER#<userId>");
    assert_eq!(keys(&design, "Settings"), "USER#<userId> | SETTINGS#<userId>");
    // Where the table has no sort key, each kind has partition keys of its own.
    let base = one().design();
    assert_eq!(keys(&base, "User"), "USER#<userId>");
    let options = keywright_design::Options { base: Some(base), ..Default::default() };
    let extended = keywright_design::design(&both().0, &options).design.unwrap();
    assert_ne!(keys(&extended, "Settings"), "USER#<userId>");
}

/// What is pinned in rooms, read with the room by the time of the pinning.
fn pins(message: &str, inputs: &str) -> Design {
    doc("Chat")
        .entity("Room", 10_000, "roomId:ulid:id, topic:string")
        .entity("Message", 1_000_000, "messageId:ulid:id, text:string")
        .entity("Pin", 100_000, &format!("roomId:ulid:id, {message}:ulid:id, pinnedAt:datetime"))
        .belongs("Pin", "Room", "roomId", 10, None)
        .read("AP-001", "Room, Pin", "roomId", "all strong by pinnedAt desc", 100)
        .read("AP-002", "Message", "messageId", "single", 1)
        .write("AP-003", "create Pin", inputs, 1)
        .design()
}

fn is_guarded(design: &Design) -> bool {
    design.items.iter().any(|item| item.kind == ItemKind::Uniqueness)
}

#[test]
fn an_identifier_that_names_another_item_is_no_new_one() {
    let design = pins("messageId", "roomId, messageId, pinnedAt");
    assert!(is_guarded(&design), "{}: who pins twice at other times would have two", keys(&design, "Pin"));
    // Nor is one that the caller gives.
    let design = pins("pinId", "roomId, pinId, pinnedAt");
    assert!(is_guarded(&design), "{}: one id would come twice", keys(&design, "Pin"));
    // An identifier that the create makes up comes once.
    let design = pins("pinId", "roomId, pinnedAt");
    assert!(keys(&design, "Pin").contains("pinnedAt"), "{}", keys(&design, "Pin"));
    assert!(!is_guarded(&design));
}

/// Devices of sites by when they were last seen, written in this way with these inputs.
fn devices(write: &str, inputs: &str) -> Doc {
    doc("Sites")
        .entity("Device", 500_000, "deviceId:uuid:id, site:string:500values, lastSeen:datetime:mutable")
        .read("AP-001", "Device", "site", "page 20 by lastSeen desc", 1)
        .write("AP-002", &format!("{write} Device"), inputs, 50)
}

#[test]
fn an_identity_that_is_given_is_natural_whatever_its_type() {
    // A save of a device that is there must meet it, whatever its site and time were: they are in no primary key.
    let saved = devices("put", "deviceId, site, lastSeen").design();
    assert_eq!(
        keys(&saved, "Device"),
        "DEVICE#<deviceId> | DEVICE_SITE#<site> | DEVICE#<lastSeen:iso>#<deviceId>"
    );
    assert_eq!(summary(&saved, "AP-002"), "PutItem");
    // A create refuses an identity that is taken, said or not: by its key, or by an item that holds the identity.
    let created = devices("create", "deviceId, site, lastSeen").design();
    let own_key = keys(&created, "Device").starts_with("DEVICE#<deviceId> |");
    assert!(own_key || is_guarded(&created), "{}", keys(&created, "Device"));
    // What is made up is new, and what is put under it too: it is never put over another.
    for write in ["create", "put"] {
        let made_up = devices(write, "site, lastSeen").design();
        assert_eq!(keys(&made_up, "Device"), "DEVICE_SITE#<site> | DEVICE#<lastSeen:iso>#<deviceId>");
        assert!(!is_guarded(&made_up));
        let text = serde_json::to_string(operation(&made_up, "AP-002")).unwrap();
        assert!(text.contains("notExists"), "{text}");
    }
}

#[test]
fn what_contains_a_unique_set_needs_no_item_of_its_own() {
    let both = ConditionKind::Unique {
        entity: "Patient".to_owned(),
        attributes: vec!["ssn".to_owned(), "phone".to_owned()],
    };
    let clinic = |patient: &str| {
        let design = doc("Clinic")
            .entity("Patient", 5_000_000, patient)
            .read("AP-001", "Patient", "patientId", "single", 5)
            .write("AP-002", "create Patient", "ssn, phone", 10)
            .condition("ssn and phone must be unique", both.clone())
            .design();
        let refused = serde_json::to_string(operation(&design, "AP-002")).unwrap();
        let said = refused.matches("ssn and phone must be unique").count();
        let unique = design.items.iter().filter(|item| item.kind == ItemKind::Uniqueness);
        (unique.map(|item| item.name.clone()).collect::<Vec<_>>(), said)
    };
    let each = clinic("patientId:uuid:id, ssn:string:unique, phone:string:unique");
    assert_eq!(each, (vec!["PatientSsn".to_owned(), "PatientPhone".to_owned()], 2));
    // Where nothing else is said, the two are unique together.
    assert_eq!(clinic("patientId:uuid:id, ssn:string, phone:string").0.len(), 1);
}

#[test]
fn the_tenant_comes_first_in_what_keeps_values_unique() {
    let mut doc = doc("Desk")
        .entity("Agent", 10_000, "agentId:ulid:id, email:string, tenantId:string:tenant, name:string")
        .read("AP-001", "Agent", "tenantId, agentId", "single", 10)
        .write("AP-002", "create Agent", "tenantId, email, name", 1);
    let attributes = ["tenantId", "email"].map(str::to_owned).to_vec();
    let owner = &mut doc.0.entities[0];
    owner.unique.push(UniqueSet { attributes, span: owner.span });
    let design = doc.design();
    let item = design.items.iter().find(|item| item.kind == ItemKind::Uniqueness).unwrap();
    assert!(keys(&design, &item.name).contains("#<tenantId>#<email>"), "{}", keys(&design, &item.name));
}

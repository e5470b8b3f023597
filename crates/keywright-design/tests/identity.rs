//! A natural identity under other keys: an item of its own keeps it from being taken twice.

mod support;

use keywright_model::design::ItemKind;
use support::{doc, keys, summary};

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
fn pins(message: &str) -> keywright_model::design::Design {
    doc("Chat")
        .entity("Room", 10_000, "roomId:ulid:id, topic:string")
        .entity("Message", 1_000_000, "messageId:ulid:id, text:string")
        .entity("Pin", 100_000, &format!("roomId:ulid:id, {message}:ulid:id, pinnedAt:datetime"))
        .belongs("Pin", "Room", "roomId", 10, None)
        .read("AP-001", "Room, Pin", "roomId", "all strong by pinnedAt desc", 100)
        .read("AP-002", "Message", "messageId", "single", 1)
        .write("AP-003", "create Pin", &format!("roomId, {message}, pinnedAt"), 1)
        .design()
}

#[test]
fn an_identifier_that_names_another_item_is_no_new_one() {
    let design = pins("messageId");
    let guarded = design.items.iter().any(|item| item.kind == ItemKind::Uniqueness);
    assert!(guarded, "{}: who pins twice at other times would have two", keys(&design, "Pin"));
    // An identifier of its own comes once, whoever makes it up.
    let design = pins("pinId");
    assert!(keys(&design, "Pin").contains("pinnedAt"), "{}", keys(&design, "Pin"));
    assert!(design.items.iter().all(|item| item.kind != ItemKind::Uniqueness));
}

//! One search, three styles: what each makes of the same patterns.

use crate::support;

use keywright_design::{Options, Outcome};
use keywright_dynamodb::expression::SortRange;
use keywright_model::design::{Design, KeyType, Query, Request, Value};
use keywright_model::{Model, Style};
use support::{Doc, doc, keys, operation, summary};

fn derive(model: &Model, style: Style) -> Outcome {
    keywright_design::design(model, &Options { style: Some(style), ..Options::default() })
}

fn in_style(doc: &Doc, style: Style) -> Design {
    let outcome = derive(&doc.0, style);
    assert_eq!(outcome.proven.map(|proven| proven.gap.pico()), Some(0), "the optimum of {style}");
    let messages: Vec<&String> = outcome.findings.iter().map(|finding| &finding.message).collect();
    outcome.design.unwrap_or_else(|| panic!("{messages:#?}"))
}

/// `GSI1: status / placedAt, orderId`.
fn indexes(design: &Design) -> Vec<String> {
    let names = |keys: &[keywright_model::design::KeyAttribute]| {
        keys.iter().map(|key| format!("{}:{}", key.name, key.ty.symbol())).collect::<Vec<_>>().join(", ")
    };
    let line = |index: &keywright_model::design::Index| {
        format!("{} on {}: {} / {}", index.name, index.table, names(&index.partition), names(&index.sort))
    };
    design.indexes.iter().map(line).collect()
}

fn query<'d>(design: &'d Design, id: &str) -> &'d Query {
    match &operation(design, id).requests[0] {
        Request::Query(query) => query,
        other => panic!("{id} is {other:?}"),
    }
}

fn orders() -> Doc {
    doc("Shop")
        .entity(
            "Order",
            1_000_000,
            "orderId:ulid:id, customerId:ulid, status:enum(OPEN|PAID|SENT):mutable, total:integer:mutable, placedAt:datetime",
        )
        .read("AP-001", "Order", "orderId", "single", 100)
        .read("AP-002", "Order", "customerId, status, > total", "page 20 by total", 50)
        .write("AP-003", "create Order", "orderId, customerId, status, total, placedAt", 10)
        .write("AP-004", "update Order", "orderId, new status", 10)
}

#[test]
fn native_keys_are_the_attributes_themselves() {
    let design = in_style(&orders(), Style::MultiAttribute);
    assert_eq!(
        indexes(&design),
        ["orderByCustomerIdStatus on Shop: customerId:S, status:S / total:N, orderId:S"]
    );
    assert_eq!(keys(&design, "Order"), "ORDER#<orderId> | customerId | status | total | orderId");
    let key = &query(&design, "AP-002").key;
    let input = |name: &str| Value::Input(name.to_owned());
    assert_eq!(
        key.partition,
        [("customerId".to_owned(), input("customerId")), ("status".to_owned(), input("status"))]
    );
    assert!(key.sort.is_empty());
    assert!(matches!(&key.range, Some((name, SortRange::Compare(..))) if name == "total"), "{key:?}");
}

#[test]
fn a_changed_attribute_moves_its_native_entry_by_itself() {
    let overloaded = in_style(&orders(), Style::Overloaded);
    assert_eq!(summary(&overloaded, "AP-004"), "UpdateItem +1", "the key string holds what is not given");
    let native = in_style(&orders(), Style::MultiAttribute);
    assert_eq!(summary(&native, "AP-004"), "UpdateItem");
    let Request::Write { action: keywright_model::design::Action::Update(update) } =
        &operation(&native, "AP-004").requests[0]
    else {
        panic!("an update")
    };
    assert!(update.entries.is_empty(), "{:?}", update.entries);
}

#[test]
fn items_that_hold_all_key_attributes_are_kept_apart_by_their_kind() {
    let design = in_style(
        &doc("Fleet")
            .entity("Device", 10_000, "deviceId:ulid:id, siteId:ulid")
            .entity("Alarm", 100_000, "alarmId:ulid:id, deviceId:ulid, siteId:ulid")
            .read("AP-001", "Device", "deviceId", "single", 10)
            .read("AP-002", "Device", "siteId", "all", 10)
            .read("AP-003", "Alarm", "alarmId", "single", 10)
            .write("AP-004", "create Device", "deviceId, siteId", 1)
            .write("AP-005", "create Alarm", "alarmId, deviceId, siteId", 1),
        Style::MultiAttribute,
    );
    // An Alarm has a site and a device too, so that it is in the index.
    assert_eq!(indexes(&design), ["deviceBySiteId on Fleet: type:S, siteId:S / deviceId:S"]);
    let key = &query(&design, "AP-002").key;
    assert_eq!(key.partition[0], ("type".to_owned(), Value::Template("Device".to_owned())));
    // And it pays for its entry there.
    let units = |id: &str| operation(&design, id).expected.as_ref().unwrap().write_micro_units;
    assert_eq!(units("AP-005"), 2_000_000);
}

#[test]
fn more_attributes_than_a_native_key_takes_are_no_candidate() {
    let wide = |style| {
        derive(
            &doc("Wide")
                .entity(
                    "Thing",
                    1_000_000,
                    "thingId:ulid:id, a:string, b:string, c:string, d:string, e:string",
                )
                .read("AP-001", "Thing", "thingId", "single strong", 10)
                .read("AP-002", "Thing", "a, b, c, d, e", "all", 10)
                .write("AP-003", "create Thing", "thingId, a, b, c, d, e", 1)
                .0,
            style,
        )
    };
    assert!(wide(Style::Overloaded).design.is_some());
    let refused = wide(Style::MultiAttribute);
    assert!(refused.design.is_none());
    // The strong read needs the table's own key, and no index takes five partition attributes.
    let messages: Vec<&String> = refused.findings.iter().map(|finding| &finding.message).collect();
    assert!(messages.iter().any(|it| it.contains("need different primary keys of Thing")), "{messages:?}");
}

#[test]
fn what_another_entity_holds_with_another_type_is_no_native_key() {
    let outcome = derive(
        &doc("Mixed")
            .entity("Ticket", 1_000, "ticketId:ulid:id, level:integer")
            .entity("Course", 1_000, "courseId:ulid:id, level:string")
            .read("AP-001", "Ticket", "level", "all", 1)
            .read("AP-002", "Course", "courseId", "single", 1)
            .write("AP-003", "create Ticket", "ticketId, level", 1)
            .write("AP-004", "create Course", "courseId, level", 1)
            .0,
        Style::MultiAttribute,
    );
    // DynamoDB would refuse to write a Course whose level is no number; the table's own key serves instead.
    let design = outcome.design.expect("the base key serves it");
    assert!(design.indexes.is_empty(), "{:?}", indexes(&design));
}

#[test]
fn every_entity_has_a_table_with_natural_names() {
    let design = in_style(&orders(), Style::MultiTable);
    let table = &design.tables[0];
    assert_eq!((table.name.as_str(), table.partition.name.as_str()), ("Shop-Order", "orderId"));
    assert_eq!(table.sort, None);
    // Two attributes make one string, under their names; one stands for itself.
    assert_eq!(indexes(&design), ["byCustomerIdStatus on Shop-Order: customerIdStatus:S / totalOrderId:S"]);
    assert_eq!(keys(&design, "Order"), "orderId | <customerId>#<status> | <total:pad12>#<orderId>");
    assert_eq!(summary(&design, "AP-001"), "GetItem");
}

#[test]
fn a_unique_value_has_a_table_of_its_own() {
    let design = in_style(
        &doc("Shop")
            .entity("Customer", 1_000, "customerId:ulid:id, email:string:unique")
            .read("AP-001", "Customer", "customerId", "single", 1)
            .write("AP-002", "create Customer", "customerId, email", 1),
        Style::MultiTable,
    );
    let names: Vec<(&str, &str, KeyType)> = design
        .tables
        .iter()
        .map(|table| (table.name.as_str(), table.partition.name.as_str(), table.partition.ty))
        .collect();
    assert_eq!(
        names,
        [("Shop-Customer", "customerId", KeyType::String), ("Shop-CustomerEmail", "email", KeyType::String)]
    );
    assert_eq!(summary(&design, "AP-002"), "TransactWriteItems");
}

#[test]
fn what_is_read_together_shares_a_table() {
    let design = in_style(
        &doc("Shop")
            .entity("Order", 1_000, "orderId:ulid:id, total:integer")
            .entity("Line", 10_000, "orderId:ulid:id, number:integer:id:max999")
            .entity("Product", 1_000, "productId:ulid:id, title:string")
            .belongs("Line", "Order", "orderId", 10, Some(50))
            .read("AP-001", "Order, Line", "orderId", "all", 10)
            .read("AP-002", "Product", "productId", "single", 10)
            .write("AP-003", "create Order", "orderId, total", 1)
            .write("AP-004", "create Line", "orderId, number", 1)
            .write("AP-005", "create Product", "productId, title", 1),
        Style::MultiTable,
    );
    let table = |item: &str| design.item(item).unwrap().table.as_str();
    assert_eq!(
        (table("Order"), table("Line"), table("Product")),
        ("Shop-Order", "Shop-Order", "Shop-Product")
    );
    assert_eq!(summary(&design, "AP-001"), "Query");
    assert_eq!(keys(&design, "Line"), "ORDER#<orderId> | LINE#<number:pad3>");
}

#[test]
fn every_example_is_served_optimally_in_every_style() {
    for example in ["orders", "forum", "saas", "devices", "expedition"] {
        let path = format!("{}/../../examples/{example}/access-patterns.md", env!("CARGO_MANIFEST_DIR"));
        let (model, _) = keywright_document::read_access_patterns(&std::fs::read_to_string(path).unwrap());
        for style in [Style::Overloaded, Style::MultiAttribute, Style::MultiTable] {
            let outcome = derive(&model, style);
            let design =
                outcome.design.unwrap_or_else(|| panic!("{example} as {style}: {:?}", outcome.findings));
            assert_eq!(design.operations.len(), model.patterns.len(), "{example} as {style}");
            assert_eq!(design.style, style);
            let gap = outcome.proven.map(|proven| proven.gap.pico());
            assert_eq!(gap, Some(0), "{example} as {style}");
        }
    }
}

#[test]
fn a_style_that_can_not_read_several_entities_from_an_index_says_which_one_can() {
    let tickets = doc("Tickets")
        .entity("Order", 1_000_000, "orderId:ulid:id, userId:ulid")
        .entity("Seat", 1_000_000, "eventId:ulid:id, seatNo:string:id, orderId:ulid:optional:mutable")
        .belongs("Seat", "Order", "orderId", 2, None)
        .read("AP-001", "Order, Seat", "orderId", "all", 10)
        .write("AP-002", "update Seat", "eventId, seatNo, new orderId", 10);
    let outcome = derive(&tickets.0, Style::MultiAttribute);
    let said =
        outcome.findings.iter().find(|it| it.rule.name() == "unservable-pattern").expect("it is refused");
    assert_eq!(
        said.message,
        "AP-001 can't be served: the style multi-attribute reads several entities only from the table, and no primary key \
         of Seat begins with orderId"
    );
    assert!(
        said.help.as_deref().is_some_and(|help| help.contains("`--style overloaded`")),
        "{:?}",
        said.help
    );
    in_style(&tickets, Style::Overloaded);
}

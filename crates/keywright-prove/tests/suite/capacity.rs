//! Our unit calculator against the embedded engine's consumed capacity: any writes, any reads, exactly equal.
#![allow(clippy::unwrap_used, reason = "a test that can't go on fails")]

use crate::bench_table;

use std::collections::BTreeMap;

use bench_table::{Bench, item};
use keywright_dynamodb::index::{Index, KeyAttributes, Projection, Table, entry};
use keywright_dynamodb::size::item_bytes;
use keywright_dynamodb::units::{self, Consistency, Consumed};
use keywright_dynamodb::value::Item;
use keywright_prove::engine::{Engine, capacity};
use proptest::prelude::*;
use serde_json::{Value, json};

fn table() -> Table {
    let index = |name: &str, projection| Index {
        name: name.into(),
        key: KeyAttributes::simple("g", Some("h")),
        projection,
    };
    Table {
        key: KeyAttributes::simple("pk", Some("sk")),
        indexes: vec![
            index("ALL", Projection::All),
            index("INCLUDE", Projection::Include(["note".to_owned()].into())),
            index("KEYS", Projection::KeysOnly),
        ],
    }
}

/// An item at one of four keys, in the indexes or not, with sizes around the steps of a unit.
fn any_item() -> impl Strategy<Value = Value> {
    let size = prop_oneof![0usize..20, 900usize..1100, 1950usize..2100, 3900usize..4200];
    let number = prop_oneof![Just("0"), Just("-12.5"), Just("1E20"), Just("123456789.123"), Just("-0.001")];
    (0..4u8, prop::option::of("[ab]"), prop::option::of("[xy]"), size, 0usize..1200, number).prop_map(
        |(key, g, h, note, more, number)| {
            let mut item = json!({
                "pk": {"S": "p"}, "sk": {"S": key.to_string()}, "note": {"S": "n".repeat(note)},
                "more": {"L": [{"S": "m".repeat(more)}, {"N": number}, {"NULL": true}, {"M": {"é": {"SS": ["a", "b"]}}}]},
            });
            for (name, value) in [("g", g), ("h", h)] {
                if let Some(value) = value {
                    item[name] = json!({"S": value});
                }
            }
            item
        },
    )
}

#[derive(Clone, Debug)]
enum Step {
    Put(Value),
    Delete(u8),
    SetNote(u8, usize),
    RemoveIndexKey(u8),
    /// A put whose condition fails where there is an item.
    PutIfAbsent(Value),
    Transact(Value, u8),
}

fn any_step() -> impl Strategy<Value = Step> {
    prop_oneof![
        4 => any_item().prop_map(Step::Put),
        1 => (0..4u8).prop_map(Step::Delete),
        2 => (0..4u8, 0usize..3000).prop_map(|(key, bytes)| Step::SetNote(key, bytes)),
        1 => (0..4u8).prop_map(Step::RemoveIndexKey),
        1 => any_item().prop_map(Step::PutIfAbsent),
        2 => (any_item(), 0..4u8).prop_map(|(item, key)| Step::Transact(item, key)),
    ]
}

fn key(number: u8) -> Value {
    json!({"pk": {"S": "p"}, "sk": {"S": number.to_string()}})
}

/// What the engine says about the one table.
fn consumed(answer: &Value) -> Consumed {
    capacity::reported(answer).unwrap().remove("Bench").unwrap()
}

fn carry_out(bench: &Bench, items: &mut BTreeMap<String, Item>, step: &Step) {
    let table = table();
    let write = |operation: &str, mut body: Value| {
        body["TableName"] = json!("Bench");
        body["ReturnConsumedCapacity"] = json!("INDEXES");
        consumed(&bench.call(operation, body))
    };
    let update = |items: &mut BTreeMap<String, Item>, number: u8, body: Value| {
        let before = items.get(&number.to_string()).cloned();
        let reported = write("UpdateItem", body);
        let after = item(&bench.get("p", &number.to_string()));
        assert_eq!(reported, Consumed::of_write(&table, before.as_ref(), Some(&after)), "{step:?}");
        items.insert(number.to_string(), after);
    };
    match step {
        Step::Put(put) => {
            let after = item(put);
            let sort = after["sk"].as_s().unwrap().to_owned();
            let reported = write("PutItem", json!({"Item": put}));
            assert_eq!(reported, Consumed::of_write(&table, items.get(&sort), Some(&after)), "{step:?}");
            items.insert(sort, after);
        }
        Step::Delete(number) => {
            let before = items.remove(&number.to_string());
            let reported = write("DeleteItem", json!({"Key": key(*number)}));
            assert_eq!(reported, Consumed::of_write(&table, before.as_ref(), None), "{step:?}");
        }
        Step::SetNote(number, bytes) => update(
            items,
            *number,
            json!({
                "Key": key(*number), "UpdateExpression": "SET note = :note",
                "ExpressionAttributeValues": {":note": {"S": "N".repeat(*bytes)}},
            }),
        ),
        Step::RemoveIndexKey(number) => {
            update(items, *number, json!({"Key": key(*number), "UpdateExpression": "REMOVE g"}));
        }
        Step::PutIfAbsent(put) => {
            let after = item(put);
            let sort = after["sk"].as_s().unwrap().to_owned();
            let body = json!({
                "TableName": "Bench", "Item": put, "ConditionExpression": "attribute_not_exists(pk)",
                "ReturnConsumedCapacity": "INDEXES",
            });
            match (bench.engine.call("PutItem", body), items.contains_key(&sort)) {
                (Ok(answer), false) => {
                    assert_eq!(consumed(&answer), Consumed::of_write(&table, None, Some(&after)), "{step:?}");
                    items.insert(sort, after);
                }
                (Err(error), true) => assert!(error.is_conditional_check_failed(), "{error}"),
                (answer, there) => panic!("{answer:?} although there is an item: {there}"),
            }
        }
        Step::Transact(put, checked) => {
            let after = item(put);
            let sort = after["sk"].as_s().unwrap().to_owned();
            let mut expected = Consumed::of_write(&table, items.get(&sort), Some(&after)).in_transaction();
            let mut actions = vec![json!({"Put": {"TableName": "Bench", "Item": put}})];
            if sort != checked.to_string() {
                let checked_item = items.get(&checked.to_string());
                expected += Consumed::of_table(units::condition_check(checked_item.map(item_bytes)));
                actions.push(json!({"ConditionCheck": {
                    "TableName": "Bench", "Key": key(*checked),
                    "ConditionExpression":
                        if checked_item.is_some() { "attribute_exists(pk)" } else { "attribute_not_exists(pk)" },
                }}));
            }
            let body = json!({"TransactItems": actions, "ReturnConsumedCapacity": "INDEXES"});
            assert_eq!(consumed(&bench.call("TransactWriteItems", body)), expected, "{step:?}");
            items.insert(sort, after);
        }
    }
}

/// Every kind of read of what is there now.
fn check_reads(bench: &Bench, items: &BTreeMap<String, Item>) {
    let read = |operation: &str, mut body: Value| {
        body["ReturnConsumedCapacity"] = json!("INDEXES");
        consumed(&bench.call(operation, body))
    };
    let bytes = |number: u8| items.get(&number.to_string()).map(item_bytes);
    let four = [0, 1, 2, 3].map(bytes);
    for (strong, consistency) in [(false, Consistency::Eventual), (true, Consistency::Strong)] {
        for number in 0..4 {
            let get = json!({"TableName": "Bench", "Key": key(number), "ConsistentRead": strong});
            assert_eq!(read("GetItem", get), Consumed::of_table(units::get_item(bytes(number), consistency)));
        }
        let keys: Vec<Value> = (0..4).map(key).collect();
        let batch = json!({"RequestItems": {"Bench": {"Keys": keys, "ConsistentRead": strong}}});
        assert_eq!(read("BatchGetItem", batch), Consumed::of_table(units::get_items(four, consistency)));
        let query = json!({
            "TableName": "Bench", "ConsistentRead": strong, "KeyConditionExpression": "pk = :p",
            "FilterExpression": "attribute_exists(g)", "ProjectionExpression": "sk",
            "ExpressionAttributeValues": {":p": {"S": "p"}},
        });
        assert_eq!(
            read("Query", query),
            Consumed::of_table(units::query(four.into_iter().flatten(), consistency))
        );
    }
    let gets: Vec<Value> =
        (0..4).map(|number| json!({"Get": {"TableName": "Bench", "Key": key(number)}})).collect();
    let transaction = units::get_items(four, Consistency::Transactional);
    assert_eq!(read("TransactGetItems", json!({"TransactItems": gets})), Consumed::of_table(transaction));
    let table = table();
    for index in &table.indexes {
        for partition in ["a", "b"] {
            let entries = items.values().filter(|item| item.get("g") == Some(&partition.into()));
            let entries = entries.filter_map(|item| entry(item, &table.key, &index.key, &index.projection));
            let expected = units::query(entries.map(|entry| item_bytes(&entry)), Consistency::Eventual);
            let query = json!({
                "TableName": "Bench", "IndexName": index.name, "KeyConditionExpression": "g = :g",
                "ExpressionAttributeValues": {":g": {"S": partition}},
            });
            assert_eq!(
                read("Query", query),
                Consumed::default().with_index(&index.name, expected),
                "{}",
                index.name
            );
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn our_units_are_the_engines(steps in prop::collection::vec(any_step(), 1..16)) {
        let bench = Bench::new();
        let mut items = BTreeMap::new();
        for step in &steps {
            carry_out(&bench, &mut items, step);
        }
        check_reads(&bench, &items);
    }
}

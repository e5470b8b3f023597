//! What we rely on in the embedded engine. Rerun at every new version of it: its behaviour changes in minor ones.
#![allow(clippy::unwrap_used, reason = "a test that can't go on fails")]

use crate::bench_table;

use bench_table::{Bench, item, names};
use keywright_dynamodb::limits;
use keywright_prove::engine::{Capability, Embedded, Engine, EngineError, capability};
use serde_json::{Value, json};

#[test]
fn an_item_that_loses_an_index_key_leaves_the_index() {
    let bench = Bench::new();
    bench.put(json!({"pk": {"S": "1"}, "sk": {"S": "a"}, "g": {"S": "x"}, "h": {"S": "1"}}));
    bench.put(json!({"pk": {"S": "2"}, "sk": {"S": "a"}, "g": {"S": "x"}}));
    assert_eq!(
        bench.query_index("ALL", "x").len(),
        1,
        "an item without the sort key is not in a sparse index"
    );
    bench.call(
        "UpdateItem",
        json!({
            "TableName": "Bench", "Key": {"pk": {"S": "1"}, "sk": {"S": "a"}}, "UpdateExpression": "REMOVE h",
        }),
    );
    assert!(bench.query_index("ALL", "x").is_empty());
    assert_eq!(bench.get("1", "a")["g"], json!({"S": "x"}));
}

#[test]
fn a_changed_index_key_moves_the_entry_and_leaves_nothing_behind() {
    let bench = Bench::new();
    bench.put(json!({"pk": {"S": "1"}, "sk": {"S": "a"}, "g": {"S": "old"}, "h": {"S": "1"}}));
    bench.call(
        "UpdateItem",
        json!({
            "TableName": "Bench", "Key": {"pk": {"S": "1"}, "sk": {"S": "a"}}, "UpdateExpression": "SET g = :g",
            "ExpressionAttributeValues": {":g": {"S": "new"}},
        }),
    );
    assert!(bench.query_index("ALL", "old").is_empty());
    assert_eq!(bench.query_index("ALL", "new").len(), 1);
    bench.call("DeleteItem", json!({"TableName": "Bench", "Key": {"pk": {"S": "1"}, "sk": {"S": "a"}}}));
    assert!(bench.query_index("ALL", "new").is_empty());
}

#[test]
fn an_index_holds_what_it_projects_and_no_more() {
    let bench = Bench::new();
    bench.put(json!({
        "pk": {"S": "1"}, "sk": {"S": "a"}, "g": {"S": "x"}, "h": {"S": "1"}, "note": {"S": "n"}, "more": {"S": "m"},
    }));
    assert_eq!(names(&bench.query_index("ALL", "x")[0]), ["g", "h", "more", "note", "pk", "sk"]);
    assert_eq!(names(&bench.query_index("INCLUDE", "x")[0]), ["g", "h", "note", "pk", "sk"]);
    assert_eq!(names(&bench.query_index("KEYS", "x")[0]), ["g", "h", "pk", "sk"]);
}

#[test]
fn sort_keys_are_in_byte_order_both_ways() {
    let bench = Bench::new();
    let ascending = ["", "#", "0", "10", "9", "A", "Z", "_", "a", "~", "é", "😀"];
    for sort in ascending.iter().rev() {
        bench.put(json!({"pk": {"S": "1"}, "sk": {"S": format!("k{sort}")}}));
    }
    let read = |forward: bool| -> Vec<String> {
        let answer = bench.call(
            "Query",
            json!({
                "TableName": "Bench", "KeyConditionExpression": "pk = :p", "ScanIndexForward": forward,
                "ExpressionAttributeValues": {":p": {"S": "1"}},
            }),
        );
        answer["Items"]
            .as_array()
            .unwrap()
            .iter()
            .map(|item| item["sk"]["S"].as_str().unwrap()[1..].to_owned())
            .collect()
    };
    assert_eq!(read(true), ascending);
    assert_eq!(read(false), ascending.into_iter().rev().collect::<Vec<_>>());
}

#[test]
fn pages_join_to_the_whole_without_gaps_or_repetitions() {
    let bench = Bench::new();
    for number in 0..23 {
        bench.put(json!({
            "pk": {"S": "1"}, "sk": {"S": format!("{number:02}")}, "g": {"S": "x"}, "h": {"S": "same"},
        }));
    }
    for (index, partition) in [(None, "pk"), (Some("ALL"), "g")] {
        for limit in [1, 5, 22, 23, 24] {
            let (mut seen, mut start) = (Vec::new(), None::<Value>);
            loop {
                let mut query = json!({
                    "TableName": "Bench", "Limit": limit,
                    "KeyConditionExpression": format!("{partition} = :p"),
                    "ExpressionAttributeValues": {":p": {"S": if index.is_some() { "x" } else { "1" }}},
                });
                if let Some(index) = index {
                    query["IndexName"] = json!(index);
                }
                if let Some(start) = start.take() {
                    query["ExclusiveStartKey"] = start;
                }
                let mut page = bench.call("Query", query);
                seen.extend(page["Items"].as_array().unwrap().iter().map(|item| item["sk"]["S"].clone()));
                match page["LastEvaluatedKey"].take() {
                    Value::Null => break,
                    key => start = Some(key),
                }
            }
            let all: Vec<Value> = (0..23).map(|number| json!(format!("{number:02}"))).collect();
            assert_eq!(seen, all, "index {index:?}, limit {limit}: ties in the index key included");
        }
    }
}

#[test]
fn a_page_ends_at_one_megabyte_before_filters() {
    let bench = Bench::new();
    for number in 0..4 {
        bench.put(
            json!({"pk": {"S": "1"}, "sk": {"S": number.to_string()}, "note": {"S": "x".repeat(390_000)}}),
        );
    }
    let page = bench.call("Query", json!({
        "TableName": "Bench", "KeyConditionExpression": "pk = :p", "FilterExpression": "attribute_exists(nothing)",
        "ExpressionAttributeValues": {":p": {"S": "1"}},
    }));
    assert_eq!((page["Count"].as_u64(), page["ScannedCount"].as_u64()), (Some(0), Some(3)));
    assert!(page["LastEvaluatedKey"].is_object());
}

#[test]
fn a_cancelled_transaction_gives_a_reason_per_action_and_changes_nothing() {
    let bench = Bench::new();
    bench.put(json!({"pk": {"S": "1"}, "sk": {"S": "a"}, "n": {"N": "1"}}));
    let before = bench.scan();
    let error = bench.refused("TransactWriteItems", json!({"TransactItems": [
        {"Put": {"TableName": "Bench", "Item": {"pk": {"S": "2"}, "sk": {"S": "a"}}}},
        {"Update": {
            "TableName": "Bench", "Key": {"pk": {"S": "1"}, "sk": {"S": "a"}}, "UpdateExpression": "SET n = :two",
            "ConditionExpression": "n = :two", "ExpressionAttributeValues": {":two": {"N": "2"}},
            "ReturnValuesOnConditionCheckFailure": "ALL_OLD",
        }},
        {"ConditionCheck": {
            "TableName": "Bench", "Key": {"pk": {"S": "9"}, "sk": {"S": "a"}}, "ConditionExpression": "attribute_exists(pk)",
        }},
    ]}));
    assert!(error.is_transaction_canceled());
    let reasons = &error.refusal().unwrap().reasons;
    let codes: Vec<&str> = reasons.iter().map(|reason| reason.code.as_str()).collect();
    assert_eq!(codes, ["None", "ConditionalCheckFailed", "ConditionalCheckFailed"]);
    assert_eq!(reasons[1].item.as_ref().unwrap()["n"], json!({"N": "1"}));
    assert_eq!(bench.scan(), before);
}

#[test]
fn a_failed_condition_changes_nothing_and_shows_the_item_if_asked() {
    let bench = Bench::new();
    bench.put(json!({"pk": {"S": "1"}, "sk": {"S": "a"}, "n": {"N": "1"}}));
    let before = bench.scan();
    let put = json!({
        "TableName": "Bench", "Item": {"pk": {"S": "1"}, "sk": {"S": "a"}, "n": {"N": "2"}},
        "ConditionExpression": "attribute_not_exists(pk)", "ReturnValuesOnConditionCheckFailure": "ALL_OLD",
    });
    let error = bench.refused("PutItem", put);
    assert!(error.is_conditional_check_failed());
    assert_eq!(error.refusal().unwrap().item.as_ref().unwrap()["n"], json!({"N": "1"}));
    assert_eq!(bench.scan(), before);
}

#[test]
fn a_transaction_with_a_token_takes_place_once() {
    let bench = Bench::new();
    bench.put(json!({"pk": {"S": "1"}, "sk": {"S": "a"}, "n": {"N": "1"}}));
    let add = json!({"ClientRequestToken": "token-1", "TransactItems": [{"Update": {
        "TableName": "Bench", "Key": {"pk": {"S": "1"}, "sk": {"S": "a"}}, "UpdateExpression": "ADD n :one",
        "ExpressionAttributeValues": {":one": {"N": "1"}},
    }}]});
    bench.call("TransactWriteItems", add.clone());
    bench.call("TransactWriteItems", add);
    assert_eq!(bench.get("1", "a")["n"], json!({"N": "2"}));
}

#[test]
fn two_actions_on_one_item_are_refused() {
    let bench = Bench::new();
    let put = json!({"Put": {"TableName": "Bench", "Item": {"pk": {"S": "1"}, "sk": {"S": "a"}}}});
    let error = bench.refused("TransactWriteItems", json!({"TransactItems": [put, put]}));
    assert!(error.is_refusal("ValidationException"), "{error}");
}

#[test]
fn an_item_may_have_400_kb_and_not_a_byte_more() {
    let bench = Bench::new();
    // pk + 1, sk + 1, note + n.
    let largest = limits::ITEM_BYTES as usize - 3 - 3 - 4;
    let put = |bytes: usize| json!({"TableName": "Bench", "Item": {"pk": {"S": "1"}, "sk": {"S": "a"}, "note": {"S": "x".repeat(bytes)}}});
    bench.call("PutItem", put(largest));
    let error = bench.refused("PutItem", put(largest + 1));
    assert!(error.is_refusal("ValidationException") && error.to_string().contains("size"), "{error}");
}

#[test]
fn indexes_with_several_key_attributes_are_read_left_to_right() {
    let engine = Embedded::in_memory().unwrap();
    for (capability, support) in capability::probe(&engine).unwrap() {
        assert!(support.is_present(), "{capability:?}");
        assert_eq!(engine.support(capability).unwrap(), support);
    }
    assert_eq!(Capability::ALL.len(), 4);
    let key = |name: &str, kind: &str| json!({"AttributeName": name, "KeyType": kind});
    let attributes =
        ["pk", "a", "b", "c", "d"].map(|name| json!({"AttributeName": name, "AttributeType": "S"}));
    engine
        .call(
            "CreateTable",
            json!({
                "TableName": "Multi", "BillingMode": "PAY_PER_REQUEST",
                "AttributeDefinitions": attributes,
                "KeySchema": [key("pk", "HASH")],
                "GlobalSecondaryIndexes": [{
                    "IndexName": "multi", "Projection": {"ProjectionType": "ALL"},
                    "KeySchema": [key("a", "HASH"), key("b", "HASH"), key("c", "RANGE"), key("d", "RANGE")],
                }],
            }),
        )
        .unwrap();
    for (pk, c, d) in [("1", "x", "2"), ("2", "x", "1"), ("3", "w", "9")] {
        let item = json!({"pk": {"S": pk}, "a": {"S": "A"}, "b": {"S": "B"}, "c": {"S": c}, "d": {"S": d}});
        engine.call("PutItem", json!({"TableName": "Multi", "Item": item})).unwrap();
    }
    engine.call("PutItem", json!({"TableName": "Multi", "Item": {"pk": {"S": "4"}, "a": {"S": "A"}, "b": {"S": "B"}, "c": {"S": "x"}}})).unwrap();
    let query = |condition: &str, values: Value| {
        engine.call("Query", json!({
            "TableName": "Multi", "IndexName": "multi", "KeyConditionExpression": condition, "ExpressionAttributeValues": values,
        }))
    };
    let found =
        query("a = :a AND b = :b AND c = :c", json!({":a": {"S": "A"}, ":b": {"S": "B"}, ":c": {"S": "x"}}))
            .unwrap();
    let keys: Vec<&str> =
        found["Items"].as_array().unwrap().iter().map(|item| item["pk"]["S"].as_str().unwrap()).collect();
    assert_eq!(keys, ["2", "1"], "in order of the next attribute, without the item that lacks it");
    assert!(query("a = :a", json!({":a": {"S": "A"}})).is_err(), "every HASH attribute is needed");
    let gap =
        query("a = :a AND b = :b AND d = :d", json!({":a": {"S": "A"}, ":b": {"S": "B"}, ":d": {"S": "1"}}));
    assert!(gap.is_err(), "no gaps in RANGE attributes");
}

#[test]
fn what_is_past_its_time_is_removed_when_we_say_so() {
    let engine = Embedded::in_memory().unwrap();
    let bench = Bench::on(engine);
    bench.call(
        "UpdateTimeToLive",
        json!({
            "TableName": "Bench", "TimeToLiveSpecification": {"Enabled": true, "AttributeName": "ttl"},
        }),
    );
    bench.put(json!({"pk": {"S": "old"}, "sk": {"S": "a"}, "ttl": {"N": "1700000000"}}));
    bench.put(json!({"pk": {"S": "new"}, "sk": {"S": "a"}, "ttl": {"N": "99999999999"}}));
    assert_eq!(bench.engine.remove_expired().unwrap(), 1);
    assert_eq!(bench.scan().len(), 1);
}

#[test]
fn deep_nesting_is_refused_and_the_engine_lives_on() {
    let bench = Bench::new();
    for depth in [150, 5_000, 1_000_000] {
        let condition = "(".repeat(depth) + "attribute_not_exists(pk)" + &")".repeat(depth);
        let put = json!({"TableName": "Bench", "Item": {"pk": {"S": "1"}, "sk": {"S": "a"}}, "ConditionExpression": condition});
        let refused = bench.engine.call("PutItem", put);
        assert!(refused.is_err_and(|error| error.is_refusal("ValidationException")), "{depth}");
    }
    bench.put(json!({"pk": {"S": "1"}, "sk": {"S": "a"}}));
}

#[test]
fn what_it_does_not_know_or_can_t_read_is_a_refusal() {
    let engine = Embedded::in_memory().unwrap();
    for (operation, body, kind) in [
        ("CreateBackup", json!({}), "UnknownOperationException"),
        ("putitem", json!({}), "UnknownOperationException"),
        ("PutItem", json!({}), "ValidationException"),
        ("PutItem", json!([]), "ValidationException"),
        ("PutItem", json!({"TableName": "Bench", "Item": {"pk": {"NULL": false}}}), "ValidationException"),
        ("GetItem", json!({"TableName": "None", "Key": {"pk": {"S": "1"}}}), "ResourceNotFoundException"),
    ] {
        let error = engine.call(operation, body.clone()).unwrap_err();
        assert!(error.is_refusal(kind), "{operation} {body}: {error:?}");
        assert!(!error.to_string().contains("VALIDATION"), "no marker of the engine's shows: {error}");
    }
}

#[test]
fn a_file_keeps_its_tables_and_a_bad_one_is_a_clear_error() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("tables.db");
    {
        let bench = Bench::on(Embedded::on_file(&path).unwrap());
        bench.put(json!({"pk": {"S": "1"}, "sk": {"S": "a"}}));
    }
    let engine = Embedded::on_file(&path).unwrap();
    assert_eq!(engine.call("Scan", json!({"TableName": "Bench"})).unwrap()["Count"], json!(1));

    let text = folder.path().join("text.db");
    std::fs::write(
        &text,
        "not a database at all, but long enough to be looked at as if it were one. ".repeat(20),
    )
    .unwrap();
    for bad in [text.as_path(), folder.path(), &folder.path().join("missing/tables.db")] {
        let error = Embedded::on_file(bad).err();
        let Some(EngineError::Broken { reason }) = error else { panic!("{}: {error:?}", bad.display()) };
        assert!(reason.contains(bad.to_str().unwrap()), "{reason}");
    }
}

#[test]
fn calls_from_many_threads_are_all_carried_out() {
    let bench = Bench::new();
    bench.put(json!({"pk": {"S": "1"}, "sk": {"S": "a"}, "n": {"N": "0"}}));
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                for _ in 0..25 {
                    bench.call("UpdateItem", json!({
                        "TableName": "Bench", "Key": {"pk": {"S": "1"}, "sk": {"S": "a"}}, "UpdateExpression": "ADD n :one",
                        "ExpressionAttributeValues": {":one": {"N": "1"}},
                    }));
                }
            });
        }
    });
    assert_eq!(item(&bench.get("1", "a"))["n"], 200.into());
}

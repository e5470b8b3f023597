//! A small table with one index per projection kind, for the tests beside this file.
#![allow(dead_code, reason = "each test uses what it needs")]
#![allow(clippy::unwrap_used, reason = "a test that can't go on fails")]

use keywright_dynamodb::value::Item;
use keywright_prove::engine::{Embedded, Engine, EngineError};
use serde_json::{Value, json};

/// The body that creates table `Bench`: keys pk and sk, indexes ALL, INCLUDE (note) and KEYS on g and h.
pub(crate) fn definition() -> Value {
    let string = |name: &str| json!({"AttributeName": name, "AttributeType": "S"});
    let attributes = ["pk", "sk", "g", "h"].map(string);
    let key = |name: &str, kind: &str| json!({"AttributeName": name, "KeyType": kind});
    let index = |name: &str, projection: Value| json!({"IndexName": name, "KeySchema": [key("g", "HASH"), key("h", "RANGE")], "Projection": projection});
    json!({
        "TableName": "Bench",
        "BillingMode": "PAY_PER_REQUEST",
        "AttributeDefinitions": attributes,
        "KeySchema": [key("pk", "HASH"), key("sk", "RANGE")],
        "GlobalSecondaryIndexes": [
            index("ALL", json!({"ProjectionType": "ALL"})),
            index("INCLUDE", json!({"ProjectionType": "INCLUDE", "NonKeyAttributes": ["note"]})),
            index("KEYS", json!({"ProjectionType": "KEYS_ONLY"})),
        ],
    })
}

/// An engine with that table.
pub(crate) struct Bench {
    pub(crate) engine: Embedded,
}

impl Bench {
    pub(crate) fn new() -> Self {
        Bench::on(Embedded::in_memory().unwrap())
    }

    pub(crate) fn on(engine: Embedded) -> Self {
        engine.call("CreateTable", definition()).unwrap();
        Bench { engine }
    }

    pub(crate) fn call(&self, operation: &str, body: Value) -> Value {
        self.engine.call(operation, body).unwrap_or_else(|error| panic!("{operation}: {error}"))
    }

    pub(crate) fn refused(&self, operation: &str, body: Value) -> EngineError {
        match self.engine.call(operation, body) {
            Ok(answer) => panic!("{operation} went through: {answer}"),
            Err(error) => error,
        }
    }

    pub(crate) fn put(&self, item: Value) {
        self.call("PutItem", json!({"TableName": "Bench", "Item": item}));
    }

    pub(crate) fn get(&self, pk: &str, sk: &str) -> Value {
        let key = json!({"pk": {"S": pk}, "sk": {"S": sk}});
        self.call("GetItem", json!({"TableName": "Bench", "Key": key, "ConsistentRead": true}))["Item"].take()
    }

    pub(crate) fn scan(&self) -> Vec<Value> {
        self.call("Scan", json!({"TableName": "Bench"}))["Items"].as_array().unwrap().clone()
    }

    pub(crate) fn query_index(&self, index: &str, partition: &str) -> Vec<Value> {
        let query = json!({
            "TableName": "Bench", "IndexName": index, "KeyConditionExpression": "g = :g",
            "ExpressionAttributeValues": {":g": {"S": partition}},
        });
        self.call("Query", query)["Items"].as_array().unwrap().clone()
    }
}

/// The attribute names of an item in JSON.
pub(crate) fn names(item: &Value) -> Vec<&str> {
    item.as_object().unwrap().keys().map(String::as_str).collect()
}

/// An item in JSON as a value of ours.
pub(crate) fn item(json: &Value) -> Item {
    serde_json::from_value(json.clone()).unwrap()
}

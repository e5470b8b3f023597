//! The server takes what strangers send, and lives.
#![allow(clippy::unwrap_used, reason = "a test that can't go on fails")]

use crate::bench_table;

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::Duration;

use bench_table::Bench;
use keywright_prove::engine::serve::{ServeError, Server};
use keywright_prove::engine::{Embedded, Engine};
use serde_json::{Value, json};

/// Posts a body as an SDK would, with a signature of the right shape, and gives the whole response.
fn post(server: &Server, operation: &str, body: &str) -> String {
    let address = server.url().replace("http://", "");
    let mut stream = TcpStream::connect(&address).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(30))).unwrap();
    let request = format!(
        "POST / HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\ncontent-type: application/x-amz-json-1.0\r\n\
         x-amz-date: 20260101T000000Z\r\nx-amz-target: DynamoDB_20120810.{operation}\r\n\
         authorization: AWS4-HMAC-SHA256 Credential=a/20260101/us-east-1/dynamodb/aws4_request, \
         SignedHeaders=host;x-amz-date;x-amz-target, Signature=00\r\ncontent-length: {}\r\n\r\n{body}",
        body.len()
    );
    // A server that refuses a large body may hang up before it has read all of it.
    let _ = stream.write_all(request.as_bytes());
    let mut response = Vec::new();
    let _ = stream.read_to_end(&mut response);
    String::from_utf8_lossy(&response).into_owned()
}

#[test]
fn it_serves_the_engines_own_tables() {
    let bench = Bench::new();
    let server = Server::start(&bench.engine, 0).unwrap();
    let put = json!({"TableName": "Bench", "Item": {"pk": {"S": "1"}, "sk": {"S": "a"}}});
    assert!(post(&server, "PutItem", &put.to_string()).starts_with("HTTP/1.1 200"));
    assert_eq!(bench.scan().len(), 1);
    server.stop().unwrap();
}

#[test]
fn hostile_requests_are_refused_and_the_next_one_is_served() {
    let bench = Bench::new();
    let server = Server::start(&bench.engine, 0).unwrap();
    let nested = |depth: usize| "(".repeat(depth) + "attribute_not_exists(pk)" + &")".repeat(depth);
    let lists = |depth: usize| format!("{}1{}", "[".repeat(depth), "]".repeat(depth));
    let values = |depth: usize| format!("{}{{\"S\":\"x\"}}{}", "{\"L\":[".repeat(depth), "]}".repeat(depth));
    let put = |condition: &str| {
        json!({"TableName": "Bench", "Item": {"pk": {"S": "1"}, "sk": {"S": "a"}}, "ConditionExpression": condition}).to_string()
    };
    let filter = |field: &str, expression: &str| {
        let mut query = json!({
            "TableName": "Bench", "KeyConditionExpression": "pk = :p", "ExpressionAttributeValues": {":p": {"S": "1"}},
        });
        query[field] = Value::from(expression);
        query.to_string()
    };
    for (operation, body) in [
        ("PutItem", put(&nested(2_000))),
        ("PutItem", put(&"(".repeat(4_096))),
        ("PutItem", put(&nested(5_000))),
        ("PutItem", put(&nested(1_000_000))),
        ("PutItem", put(&format!("{} attribute_exists(pk)", "NOT ".repeat(1_000)))),
        ("PutItem", put(&"NOT ".repeat(1_000_000))),
        ("Query", filter("FilterExpression", &nested(2_000))),
        ("Query", filter("FilterExpression", &nested(500_000))),
        ("Query", filter("KeyConditionExpression", &nested(2_000))),
        ("Query", filter("KeyConditionExpression", &nested(500_000))),
        ("Query", filter("ProjectionExpression", &("a".to_owned() + &".a".repeat(1_000_000)))),
        (
            "UpdateItem",
            json!({
                "TableName": "Bench", "Key": {"pk": {"S": "1"}, "sk": {"S": "a"}},
                "UpdateExpression": format!("SET a = {}", "list_append(".repeat(300)),
            })
            .to_string(),
        ),
        (
            "UpdateItem",
            json!({
                "TableName": "Bench", "Key": {"pk": {"S": "1"}, "sk": {"S": "a"}},
                "UpdateExpression": format!("SET a = {}", "(".repeat(500_000)),
            })
            .to_string(),
        ),
        (
            "ExecuteStatement",
            json!({"Statement": format!("SELECT * FROM Bench WHERE {}", nested(100_000))}).to_string(),
        ),
        (
            "ExecuteStatement",
            json!({"Statement": format!("SELECT * FROM Bench WHERE a = {}", lists(100_000))}).to_string(),
        ),
        ("PutItem", format!(r#"{{"TableName":"Bench","Item":{{"pk":{}}}}}"#, values(100_000))),
        ("PutItem", lists(1_000_000)),
        ("PutItem", "{".repeat(1_000_000)),
        ("PutItem", "x".repeat(20_000_000)),
    ] {
        let response = post(&server, operation, &body);
        let shown: String = body.chars().take(80).collect();
        assert!(!response.starts_with("HTTP/1.1 200"), "{operation} {shown}: {response}");
        let alive = post(&server, "ListTables", "{}");
        assert!(alive.starts_with("HTTP/1.1 200"), "after {operation} {shown}: {alive}");
    }
    assert!(bench.scan().is_empty());
}

#[test]
fn a_port_in_use_is_told() {
    let engine = Embedded::in_memory().unwrap();
    let server = Server::start(&engine, 0).unwrap();
    let port: u16 = server.url().rsplit(':').next().unwrap().parse().unwrap();
    let Err(error) = Server::start(&engine, port) else { panic!("two servers on one port") };
    assert!(matches!(error, ServeError::PortInUse { .. }), "{error:?}");
    assert!(error.to_string().contains(&port.to_string()));
    drop(server);
    assert!(Server::start(&engine, port).is_ok(), "free again");
    assert!(engine.call("ListTables", json!({})).is_ok());
}

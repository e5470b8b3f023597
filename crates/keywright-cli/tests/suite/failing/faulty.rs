//! An endpoint that misbehaves on demand: the embedded engine behind a small HTTP server, with a say in every request.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;

use keywright_prove::engine::{Embedded, Engine, EngineError};
use serde_json::{Value, json};

/// What the endpoint does with a request.
pub(crate) enum Fate {
    /// Carries it out.
    Served,
    /// Refuses it with this type of error.
    Refused(&'static str),
    /// Carries it out, and hangs up before the answer.
    Cut,
    /// Hangs up without having done anything.
    Lost,
    /// Carries it out, and answers without the items.
    Emptied,
    /// Carries it out, and says that it took half a unit more.
    Dearer,
    /// Says that it is done, and does nothing.
    Ignored,
    /// Fails inside, without having done anything.
    Failing,
}

/// An endpoint on a port of its own.
pub(crate) struct Faulty {
    engine: Arc<Embedded>,
    port: u16,
    seen: Arc<Mutex<Vec<Seen>>>,
}

/// A request that came in: its operation, and the tables that it names.
struct Seen {
    operation: String,
    tables: Vec<String>,
}

/// What becomes of a request, by its operation and how many of that kind came before.
type Decides = dyn Fn(&str, usize) -> Fate + Send + Sync;

impl Faulty {
    /// Starts one; `fate` is asked about every request, by its operation and how many of that kind came before.
    pub(crate) fn start(fate: impl Fn(&str, usize) -> Fate + Send + Sync + 'static) -> Self {
        let engine = Arc::new(Embedded::in_memory().unwrap());
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let seen = Arc::new(Mutex::new(Vec::new()));
        let fate: Arc<Decides> = Arc::new(fate);
        let (served, noted) = (engine.clone(), seen.clone());
        thread::spawn(move || {
            for connection in listener.incoming().flatten() {
                let (engine, fate, seen) = (served.clone(), fate.clone(), noted.clone());
                thread::spawn(move || serve(connection, &engine, &*fate, &seen));
            }
        });
        Faulty { engine, port, seen }
    }

    /// Its address.
    pub(crate) fn url(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    /// The operations that were asked for, in order.
    pub(crate) fn seen(&self) -> Vec<String> {
        self.seen.lock().unwrap().iter().map(|it| it.operation.clone()).collect()
    }

    /// How often an operation was asked for.
    pub(crate) fn count(&self, operation: &str) -> usize {
        self.seen().iter().filter(|one| *one == operation).count()
    }

    /// The tables that are there.
    pub(crate) fn tables(&self) -> Vec<String> {
        let answer = self.engine.call("ListTables", json!({})).unwrap();
        serde_json::from_value(answer["TableNames"].clone()).unwrap()
    }

    /// Makes a table that somebody else has here, and gives what is in it.
    pub(crate) fn make_table_of_others(&self, name: &str) -> Value {
        let key = json!([{"AttributeName": "pk", "KeyType": "HASH"}]);
        let attributes = json!([{"AttributeName": "pk", "AttributeType": "S"}]);
        let table = json!({
            "TableName": name, "BillingMode": "PAY_PER_REQUEST", "KeySchema": key, "AttributeDefinitions": attributes,
        });
        self.engine.call("CreateTable", table).unwrap();
        for pk in ["NOTE#1", "NOTE#2"] {
            let item = json!({"pk": {"S": pk}, "title": {"S": "theirs"}});
            self.engine.call("PutItem", json!({"TableName": name, "Item": item})).unwrap();
        }
        self.engine.call("Scan", json!({"TableName": name})).unwrap()
    }

    /// Whether that table is as it was, alone, and was never even asked for.
    pub(crate) fn is_left_with_the_table_of_others(&self, name: &str, before: &Value) -> bool {
        let touched = self.seen.lock().unwrap().iter().any(|it| it.tables.iter().any(|table| table == name));
        let after = self.engine.call("Scan", json!({"TableName": name})).unwrap();
        !touched && self.tables() == [name] && after == *before
    }
}

/// The tables that a request names, wherever it does.
fn tables_of(body: &Value) -> Vec<String> {
    match body {
        Value::Object(fields) => fields
            .iter()
            .flat_map(|(name, value)| match (name.as_str(), value) {
                ("TableName", Value::String(table)) => vec![table.clone()],
                ("RequestItems", Value::Object(tables)) => tables.keys().cloned().collect(),
                _ => tables_of(value),
            })
            .collect(),
        Value::Array(values) => values.iter().flat_map(tables_of).collect(),
        _ => Vec::new(),
    }
}

fn serve(
    connection: TcpStream,
    engine: &Embedded,
    fate: &(dyn Fn(&str, usize) -> Fate + Send + Sync),
    seen: &Mutex<Vec<Seen>>,
) {
    let mut out = connection.try_clone().unwrap();
    let mut lines = BufReader::new(connection);
    while let Some((operation, body)) = request(&mut lines) {
        let before = {
            let mut seen = seen.lock().unwrap();
            seen.push(Seen { operation: operation.clone(), tables: tables_of(&body) });
            seen.iter().filter(|one| one.operation == operation).count() - 1
        };
        let (status, body) = match fate(&operation, before) {
            Fate::Served => answer(engine, &operation, body),
            Fate::Refused(kind) => (400, json!({"__type": format!("aws#{kind}"), "message": "by order"})),
            Fate::Cut => {
                answer(engine, &operation, body);
                return;
            }
            Fate::Lost => return,
            Fate::Ignored => (200, json!({})),
            Fate::Failing => (500, json!({"__type": "aws#InternalServerError", "message": "by order"})),
            Fate::Dearer => {
                let (status, mut body) = answer(engine, &operation, body);
                let capacity = &mut body["ConsumedCapacity"];
                let more = |units: &Value| units.as_f64().map(|units| json!(units + 0.5));
                for part in ["/CapacityUnits", "/Table/CapacityUnits"] {
                    if let Some(units) = capacity.pointer_mut(part) {
                        *units = more(units).unwrap_or(Value::Null);
                    }
                }
                (status, body)
            }
            Fate::Emptied => {
                let (status, mut body) = answer(engine, &operation, body);
                body["Items"] = json!([]);
                (status, body)
            }
        };
        let body = body.to_string();
        let head = format!(
            "HTTP/1.1 {status} X\r\ncontent-type: application/x-amz-json-1.0\r\ncontent-length: {}\r\n\r\n",
            body.len()
        );
        if out.write_all(head.as_bytes()).and_then(|()| out.write_all(body.as_bytes())).is_err() {
            return;
        }
    }
}

/// The next request: its operation and its body; none where the other side is done.
fn request(lines: &mut BufReader<TcpStream>) -> Option<(String, Value)> {
    let (mut operation, mut length) = (String::new(), 0);
    loop {
        let mut line = String::new();
        if lines.read_line(&mut line).ok()? == 0 {
            return None;
        }
        let line = line.trim_end().to_lowercase();
        if line.is_empty() {
            break;
        }
        if let Some(target) = line.strip_prefix("x-amz-target: dynamodb_20120810.") {
            operation = target.to_owned();
        }
        if let Some(value) = line.strip_prefix("content-length: ") {
            length = value.parse().unwrap();
        }
    }
    let mut body = vec![0; length];
    lines.read_exact(&mut body).ok()?;
    let operation = OPERATIONS.iter().find(|name| name.to_lowercase() == operation)?;
    Some(((*operation).to_owned(), serde_json::from_slice(&body).ok()?))
}

/// The operations by their proper names: headers come in lower case.
const OPERATIONS: [&str; 18] = [
    "BatchGetItem",
    "BatchWriteItem",
    "CreateTable",
    "DeleteItem",
    "DeleteTable",
    "DescribeTable",
    "DescribeTimeToLive",
    "GetItem",
    "ListTables",
    "ListTagsOfResource",
    "PutItem",
    "Query",
    "Scan",
    "TransactGetItems",
    "TransactWriteItems",
    "UpdateItem",
    "UpdateTable",
    "UpdateTimeToLive",
];

fn answer(engine: &Embedded, operation: &str, body: Value) -> (u16, Value) {
    match engine.call(operation, body) {
        Ok(answer) => (200, answer),
        Err(EngineError::Refused(refusal)) => {
            let reasons: Vec<Value> = refusal.reasons.iter().map(|it| json!({"Code": it.code})).collect();
            let mut body = json!({"__type": refusal.kind, "message": refusal.message});
            if !reasons.is_empty() {
                body["CancellationReasons"] = reasons.into();
            }
            (400, body)
        }
        Err(error) => (500, json!({"message": error.to_string()})),
    }
}

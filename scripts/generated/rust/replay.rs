//! Replays recordings of proofs through generated Rust: every method must give what the oracle gave.
//!
//! Usage: replay ENDPOINT NAME MANIFEST RECORDING [NAME MANIFEST RECORDING …]

mod calls;
mod value;

use std::collections::{BTreeMap, HashMap};
use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Mutex};

use aws_sdk_dynamodb::Client;
use aws_sdk_dynamodb::config::{BehaviorVersion, Config, Credentials, Region, SharedAsyncSleep};
use aws_sdk_dynamodb::types::{
    AttributeDefinition, BillingMode, GlobalSecondaryIndex, KeySchemaElement, KeyType, Projection, ProjectionType,
    ScalarAttributeType,
};
use serde_json::Value as Json;
use value::{Item, Row, item, row};

/// Which page of an answer is wanted.
#[derive(Clone, Debug, Default)]
pub struct Wanted {
    pub limit: Option<u32>,
    pub cursor: Option<String>,
}

/// What a method gave, in a form that can be compared.
#[derive(Debug)]
pub enum Came {
    Nothing,
    Count(i64),
    Made(Row),
    Rows(Vec<Row>, Option<String>),
}

/// Why a method gave nothing.
#[derive(Debug, PartialEq)]
pub enum Refusal {
    Condition(Vec<String>),
    NothingThere,
    Cursor,
    Other(String),
}

pub type Calling = Pin<Box<dyn Future<Output = Result<Came, Refusal>>>>;

/// Calls the method of a pattern.
pub type Program = Box<dyn Fn(&str, &Json, Wanted) -> Calling>;

/// What the next call makes up.
pub type Made = Arc<Mutex<Item>>;

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let mut arguments = std::env::args().skip(1);
    let endpoint = arguments.next().expect("an endpoint");
    let config = Config::builder()
        .behavior_version(BehaviorVersion::latest())
        .endpoint_url(endpoint)
        .region(Region::new("us-east-1"))
        .credentials_provider(Credentials::new("replay", "replay", None, None, "replay"))
        .sleep_impl(SharedAsyncSleep::new(aws_smithy_async::rt::sleep::TokioSleep::new()))
        .http_client(aws_smithy_http_client::Builder::new().build_http())
        .build();
    let client = Client::from_conf(config);
    while let Some(name) = arguments.next() {
        let mut json = || -> Json {
            let path = arguments.next().expect("a file");
            serde_json::from_str(&std::fs::read_to_string(&path).expect("it can be read")).expect("it is JSON")
        };
        let (manifest, recording) = (json(), json());
        Replay::new(&client, &name, &manifest, &recording).await.run(&recording).await;
    }
}

struct Replay<'m> {
    client: &'m Client,
    name: &'m str,
    manifest: &'m Json,
    tables: HashMap<String, String>,
    made: Made,
    program: Program,
    attempts: Attempts,
}

/// Attempts to read elsewhere with a cursor.
#[derive(Default)]
struct Attempts {
    /// The first cursor of each pattern, and the call that it came from.
    cursors: BTreeMap<String, (String, Json)>,
    tried: BTreeMap<String, usize>,
    refused: usize,
}

impl<'m> Replay<'m> {
    async fn new(client: &'m Client, name: &'m str, manifest: &'m Json, recording: &Json) -> Self {
        let mut tables = HashMap::new();
        for table in list(&recording["tables"]) {
            let stated = string(&table["TableName"]);
            let deployed = format!("{stated}-rust-{}", std::process::id());
            create(client, table, &deployed).await;
            tables.insert(stated, deployed);
        }
        let made = Made::default();
        let program = calls::program(name, client.clone(), tables.clone(), Arc::clone(&made));
        Replay { client, name, manifest, tables, made, program, attempts: Attempts::default() }
    }

    fn method(&self, pattern: &str) -> &'m Json {
        list(&self.manifest["methods"]).iter().find(|it| it["pattern"] == pattern).expect("every pattern has a method")
    }

    async fn run(mut self, recording: &Json) {
        let mut calls = 0;
        let mut patterns = std::collections::BTreeSet::new();
        for (number, event) in list(&recording["events"]).iter().enumerate() {
            match event["event"].as_str() {
                Some("place") => self.place(event).await,
                Some("call") => {
                    calls += 1;
                    patterns.insert(string(&event["pattern"]));
                    if let Err(why) = self.call(event).await {
                        let shown: String = event.to_string().chars().take(600).collect();
                        panic!("{} event {number}: {why}\n{shown}", self.name);
                    }
                }
                _ => self.whole(event).await,
            }
        }
        println!(
            "rust: {}: {calls} calls of {} of {} patterns as the oracle has them, {} cursors refused",
            self.name,
            patterns.len(),
            list(&self.manifest["methods"]).len(),
            self.attempts.refused,
        );
    }

    async fn place(&self, event: &Json) {
        let table = &self.tables[&string(&event["table"])];
        if event["item"].is_null() {
            let delete = self.client.delete_item().table_name(table).set_key(Some(item(&event["key"])));
            delete.send().await.expect("an item can be taken away");
        } else {
            let put = self.client.put_item().table_name(table).set_item(Some(item(&event["item"])));
            put.send().await.expect("an item can be put");
        }
    }

    /// The whole table is what the oracle has.
    async fn whole(&self, event: &Json) {
        let table = &self.tables[&string(&event["table"])];
        let mut items = Vec::new();
        let mut start = None;
        loop {
            let scan = self.client.scan().table_name(table).set_exclusive_start_key(start);
            let page = scan.send().await.expect("a table can be scanned");
            items.extend(page.items.into_iter().flatten());
            start = page.last_evaluated_key.filter(|key| !key.is_empty());
            if start.is_none() {
                break;
            }
        }
        let sorted = |items: Vec<Item>| {
            let mut rows: Vec<Row> = items.iter().map(|item| row(item, item.keys().map(String::as_str))).collect();
            rows.sort();
            rows
        };
        assert_eq!(sorted(items), sorted(list(&event["items"]).iter().map(item).collect()), "{}: {table}", self.name);
    }

    async fn call(&mut self, event: &Json) -> Result<(), String> {
        let pattern = string(&event["pattern"]);
        let method = self.method(&pattern);
        let answer = &event["answer"];
        let generated = if event["generated"].is_null() { Item::new() } else { item(&event["generated"]) };
        *self.made.lock().expect("nobody panicked with it") = generated.clone();
        let limit = event["limit"].as_u64().and_then(|limit| u32::try_from(limit).ok());
        let came = (self.program)(&pattern, &event["inputs"], Wanted { limit, cursor: None }).await;
        let same = |came: &dyn std::fmt::Debug, wanted: &dyn std::fmt::Debug| {
            let (came, wanted) = (format!("{came:?}"), format!("{wanted:?}"));
            if came == wanted { Ok(()) } else { Err(format!("\ncame   {came}\nwanted {wanted}")) }
        };
        if answer["nothingThere"] == true {
            return same(&came.err(), &Some(Refusal::NothingThere));
        }
        if !answer["refused"].is_null() {
            let conditions = list(&answer["refused"]).iter().map(string).collect();
            return same(&came.err(), &Some(Refusal::Condition(conditions)));
        }
        match came.map_err(|refusal| format!("{refusal:?}"))? {
            Came::Count(count) => same(&Some(count), &answer["number"].as_i64()),
            Came::Nothing => same(&true, &(answer["written"] == true)),
            Came::Made(made) => {
                let wanted = row(&generated, made.keys().map(String::as_str));
                let made = made.into_iter().filter(|(name, _)| wanted.contains_key(name)).collect::<Row>();
                same(&made, &wanted)
            }
            Came::Rows(mut rows, mut next) => {
                let first = next.clone();
                while let Some(cursor) = next {
                    let wanted = Wanted { limit, cursor: Some(cursor) };
                    match (self.program)(&pattern, &event["inputs"], wanted).await {
                        Ok(Came::Rows(more, after)) => {
                            rows.extend(more);
                            next = after;
                        }
                        other => return Err(format!("{other:?}")),
                    }
                }
                let wanted: Vec<Row> = list(&answer["items"]).iter().map(|found| self.expected(method, found)).collect();
                same(&rows, &wanted)?;
                match first {
                    Some(cursor) => self.mislead(&pattern, event, cursor, &wanted).await,
                    None => Ok(()),
                }
            }
        }
    }

    /// The row of a recorded item.
    fn expected(&self, method: &Json, found: &Json) -> Row {
        let found = item(found);
        let views = list(&method["views"]);
        let stated = self.manifest["typeAttribute"].as_str().and_then(|name| found.get(name)?.as_s().ok());
        let view = match views {
            [one] => one,
            several => several.iter().find(|it| it["item"].as_str() == stated.map(String::as_str)).expect("a view"),
        };
        let mut row = row(&found, list(&view["fields"]).iter().filter_map(|field| field["attribute"].as_str()));
        if views.len() > 1 {
            row.insert("\0type".to_owned(), string(&view["item"]));
        }
        row
    }

    /// A cursor never leads out of the partition that a call reads: one of another pattern or partition is refused, and
    /// one with another character gives nothing but items of the call's own answer.
    async fn mislead(&mut self, pattern: &str, event: &Json, cursor: String, wanted: &[Row]) -> Result<(), String> {
        let tried = self.attempts.tried.entry(pattern.to_owned()).or_default();
        *tried += 1;
        if *tried > 3 {
            return Ok(());
        }
        let limit = event["limit"].as_u64().and_then(|limit| u32::try_from(limit).ok());
        let run = |cursor: String| (self.program)(pattern, &event["inputs"], Wanted { limit, cursor: Some(cursor) });
        let partition = &self.method(pattern)["partition"];
        for (from, (foreign, inputs)) in &self.attempts.cursors {
            let elsewhere = list(partition).iter().filter_map(Json::as_str).any(|it| inputs[it] != event["inputs"][it]);
            if from == pattern && !elsewhere {
                continue;
            }
            match run(foreign.clone()).await {
                Err(Refusal::Cursor) => self.attempts.refused += 1,
                other => return Err(format!("a cursor of {from} {inputs} gave {other:?}")),
            }
        }
        let step = (cursor.len() / 24).max(1);
        for at in (0..cursor.len()).step_by(step) {
            let other = if &cursor[at..=at] == "1" { "2" } else { "1" };
            let forged = format!("{}{other}{}", &cursor[..at], &cursor[at + 1..]);
            match run(forged).await {
                Err(Refusal::Cursor) => self.attempts.refused += 1,
                // DynamoDB itself refuses a key that its condition does not reach.
                Err(Refusal::Other(why)) if ["ValidationException", "SerializationException"].iter().any(|it| why.contains(it)) => self.attempts.refused += 1,
                Ok(Came::Rows(rows, _)) if rows.iter().all(|row| wanted.contains(row)) => {}
                other => return Err(format!("a cursor that was changed at {at} gave {other:?}")),
            }
        }
        self.attempts.cursors.entry(pattern.to_owned()).or_insert((cursor, event["inputs"].clone()));
        Ok(())
    }
}

async fn create(client: &Client, table: &Json, name: &str) {
    let keys = |keys: &Json| -> Vec<KeySchemaElement> {
        let of = |key: &Json| {
            KeySchemaElement::builder()
                .attribute_name(string(&key["AttributeName"]))
                .key_type(KeyType::from(string(&key["KeyType"]).as_str()))
                .build()
                .expect("a key is whole")
        };
        list(keys).iter().map(of).collect()
    };
    let attributes = list(&table["AttributeDefinitions"]).iter().map(|it| {
        AttributeDefinition::builder()
            .attribute_name(string(&it["AttributeName"]))
            .attribute_type(ScalarAttributeType::from(string(&it["AttributeType"]).as_str()))
            .build()
            .expect("an attribute is whole")
    });
    let indexes: Vec<GlobalSecondaryIndex> = table["GlobalSecondaryIndexes"]
        .as_array()
        .into_iter()
        .flatten()
        .map(|index| {
            let projected = &index["Projection"];
            let names = projected["NonKeyAttributes"].as_array().map(|names| names.iter().map(string).collect());
            GlobalSecondaryIndex::builder()
                .index_name(string(&index["IndexName"]))
                .set_key_schema(Some(keys(&index["KeySchema"])))
                .projection(
                    Projection::builder()
                        .projection_type(ProjectionType::from(string(&projected["ProjectionType"]).as_str()))
                        .set_non_key_attributes(names)
                        .build(),
                )
                .build()
                .expect("an index is whole")
        })
        .collect();
    client
        .create_table()
        .table_name(name)
        .billing_mode(BillingMode::PayPerRequest)
        .set_attribute_definitions(Some(attributes.collect()))
        .set_key_schema(Some(keys(&table["KeySchema"])))
        .set_global_secondary_indexes((!indexes.is_empty()).then_some(indexes))
        .send()
        .await
        .expect("the table can be made");
}

fn list(value: &Json) -> &[Json] {
    value.as_array().map_or(&[], Vec::as_slice)
}

fn string(value: &Json) -> String {
    value.as_str().expect("it is a text").to_owned()
}

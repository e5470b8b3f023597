//! Tables on an engine that others use too: a private one that says it is shared.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;

use serde_json::{Value, json};

use super::*;
use crate::engine::{Capability, Embedded, Interrupt, Interruptible, ServiceError, Support};

/// An engine with other people's tables; it can be told to fail some calls. What it cuts, it has carried out before.
struct Shared {
    inner: Embedded,
    failures: Mutex<Vec<(&'static str, EngineError)>>,
}

impl Shared {
    fn new() -> Self {
        Shared { inner: Embedded::in_memory().unwrap(), failures: Mutex::default() }
    }

    fn fail_next(&self, operation: &'static str, error: EngineError) {
        self.failures.lock().unwrap().push((operation, error));
    }

    fn table_names(&self) -> Vec<String> {
        let answer = self.inner.call("ListTables", json!({})).unwrap();
        answer["TableNames"]
            .as_array()
            .unwrap()
            .iter()
            .map(|name| name.as_str().unwrap().to_owned())
            .collect()
    }
}

impl Engine for Shared {
    fn name(&self) -> String {
        "shared engine".into()
    }

    fn call(&self, operation: &str, body: Value) -> Result<Value, EngineError> {
        let mut failures = self.failures.lock().unwrap();
        if let Some(at) = failures.iter().position(|(failing, _)| *failing == operation) {
            let (_, error) = failures.remove(at);
            if matches!(error, EngineError::Cut { .. }) {
                self.inner.call(operation, body)?;
            }
            return Err(error);
        }
        self.inner.call(operation, body)
    }

    fn support(&self, _: Capability) -> Result<Support, EngineError> {
        Ok(Support::Present)
    }

    fn is_private(&self) -> bool {
        false
    }
}

fn definition(name: &str) -> Value {
    json!({
        "TableName": name,
        "BillingMode": "PAY_PER_REQUEST",
        "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}],
        "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
    })
}

fn cut(operation: &str) -> EngineError {
    EngineError::Cut { operation: operation.into(), reason: "test".into() }
}

#[test]
fn a_table_has_a_name_and_tags_of_its_own_and_leaves_the_rest_alone() {
    let engine = Shared::new();
    engine.inner.call("CreateTable", definition("Orders")).unwrap();
    let mut tables = Tables::new(&engine);
    let name = tables.create(&definition("Orders")).unwrap();
    assert!(name.starts_with("keywright-Orders-") && name.len() == 17 + 26, "{name}");
    let arn = engine.call("DescribeTable", json!({"TableName": name})).unwrap()["Table"]["TableArn"].take();
    let tags = engine.call("ListTagsOfResource", json!({"ResourceArn": arn})).unwrap();
    assert!(
        tags["Tags"].as_array().unwrap().contains(&json!({"Key": "created-by", "Value": "keywright"})),
        "{tags}"
    );
    assert_ne!(tables.create(&definition("Orders")).unwrap(), name);
    tables.clean_up().unwrap();
    assert_eq!(engine.table_names(), ["Orders"]);
}

#[test]
fn tables_are_gone_after_an_error_and_after_a_panic() {
    let engine = Shared::new();
    let run = || -> Result<(), EngineError> {
        let mut tables = Tables::new(&engine);
        tables.create(&definition("T"))?;
        Err(EngineError::Interrupted)
    };
    assert!(run().is_err());
    assert!(engine.table_names().is_empty());
    let panicked = catch_unwind(AssertUnwindSafe(|| {
        let mut tables = Tables::new(&engine);
        tables.create(&definition("T")).unwrap();
        panic!("a defect of ours");
    }));
    assert!(panicked.is_err());
    assert!(engine.table_names().is_empty());
}

#[test]
fn an_interrupt_stops_the_run_and_not_the_cleaning() {
    let engine = Shared::new();
    let interrupt = Interrupt::default();
    let mut tables = Tables::new(&engine).interrupted_by(&interrupt);
    let name = tables.create(&definition("T")).unwrap();
    let run = Interruptible::new(&engine, interrupt.clone());
    assert!(run.call("DescribeTable", json!({"TableName": name})).is_ok());
    assert!(!interrupt.request(), "the first time");
    assert!(interrupt.request(), "the second time");
    assert!(matches!(run.call("DescribeTable", json!({"TableName": name})), Err(EngineError::Interrupted)));
    drop(tables);
    assert!(engine.table_names().is_empty());
}

#[test]
fn keep_keeps() {
    let engine = Shared::new();
    let mut tables = Tables::new(&engine).keep();
    let name = tables.create(&definition("T")).unwrap();
    tables.clean_up().unwrap();
    drop(tables);
    assert_eq!(engine.table_names(), [name]);
}

#[test]
fn a_table_that_may_or_may_not_be_there_is_deleted() {
    let engine = Shared::new();
    let mut tables = Tables::new(&engine);
    // The connection is lost after the engine has carried out the request.
    engine.fail_next("CreateTable", cut("CreateTable"));
    assert!(tables.create(&definition("T")).is_err());
    assert_eq!(engine.table_names(), tables.names());
    assert_eq!(tables.names().len(), 1);
    tables.clean_up().unwrap();
    assert!(engine.table_names().is_empty());
    // A refusal creates nothing, so there is nothing to delete.
    let refusal = ServiceError::from_body(400, &json!({"__type": "ResourceInUseException"})).unwrap();
    engine.fail_next("CreateTable", refusal.into());
    assert!(tables.create(&definition("T")).is_err());
    assert!(tables.names().is_empty());
}

#[test]
fn a_busy_table_is_deleted_later_and_a_stubborn_one_is_named() {
    let engine = Shared::new();
    let mut tables = Tables::new(&engine);
    tables.create(&definition("A")).unwrap();
    let busy = ServiceError::from_body(400, &json!({"__type": "ResourceInUseException"})).unwrap();
    engine.fail_next("DeleteTable", busy.into());
    tables.clean_up().unwrap();
    assert!(engine.table_names().is_empty());

    let name = tables.create(&definition("B")).unwrap();
    engine.fail_next("DeleteTable", cut("DeleteTable"));
    let left = tables.clean_up().unwrap_err();
    assert!(
        left.to_string().contains(&format!("left behind on shared engine, to be deleted by hand: {name}")),
        "{left}"
    );
}

#[test]
fn who_fails_and_can_t_clean_up_hears_of_both() {
    let engine = Shared::new();
    let mut tables = Tables::new(&engine);
    let names = [tables.create(&definition("A")).unwrap(), tables.create(&definition("B")).unwrap()];
    engine.fail_next("DeleteTable", cut("DeleteTable"));
    let both = tables.end::<()>(Err(EngineError::Interrupted)).unwrap_err().to_string();
    assert!(both.starts_with("interrupted; and left behind on shared engine"), "{both}");
    assert!(
        names.iter().all(|name| both.contains(name)),
        "an engine that is gone is not asked again: {both}"
    );
    // The first was deleted before the line was cut; nobody knows, and the second was not asked for.
    assert_eq!(engine.table_names(), [names[1].clone()]);
}

#[test]
fn names_keep_to_what_dynamodb_allows() {
    let name = unique_name(&format!("Größe/{}", "x".repeat(400)));
    assert!(name.len() <= *keywright_dynamodb::limits::TABLE_NAME_LENGTH.end());
    assert!(name.starts_with("keywright-Gre"), "{name}");
    assert_ne!(unique_name("a"), unique_name("a"));
}

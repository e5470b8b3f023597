//! Tables that a run makes for itself: unique, tagged, and gone at the end.

use std::time::Duration;

use serde_json::{Value, json};

use crate::engine::{Engine, EngineError, Interrupt};

/// How long a table may take to become active, or deletable.
const PATIENCE: Duration = Duration::from_secs(300);
const FIRST_WAIT: Duration = Duration::from_millis(20);
const LONGEST_WAIT: Duration = Duration::from_secs(3);

/// The tables of one run.
///
/// On an engine that others use too, a table gets a unique name and tags that say whose it is; nothing that existed
/// is ever written to or deleted. All tables are deleted by [`Tables::end`] or [`Tables::clean_up`], or when this is
/// dropped, so also after an error, a panic or an [`crate::engine::Interrupt`]; [`Tables::keep`] leaves them.
///
/// ```
/// use keywright_prove::engine::{Embedded, Engine, Tables};
/// use serde_json::json;
/// let engine = Embedded::in_memory()?;
/// let mut tables = Tables::new(&engine);
/// let name = tables.create(&json!({
///     "TableName": "Orders",
///     "BillingMode": "PAY_PER_REQUEST",
///     "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}],
///     "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
/// }))?;
/// assert_eq!(name, "Orders");
/// drop(tables);
/// assert!(engine.call("DescribeTable", json!({"TableName": name})).is_err());
/// # Ok::<(), keywright_prove::engine::EngineError>(())
/// ```
pub struct Tables<'e> {
    engine: &'e dyn Engine,
    open: Vec<String>,
    keep: bool,
    interrupt: Interrupt,
}

impl<'e> Tables<'e> {
    /// No tables yet. Give it the engine itself, not an [`crate::engine::Interruptible`] one, which would refuse to
    /// clean up.
    pub fn new(engine: &'e dyn Engine) -> Self {
        Tables { engine, open: Vec::new(), keep: false, interrupt: Interrupt::default() }
    }

    /// The same, but its tables stay.
    pub fn keep(mut self) -> Self {
        self.keep = true;
        self
    }

    /// Whether its tables stay.
    pub fn is_kept(&self) -> bool {
        self.keep
    }

    /// The same, but it stops waiting for a table once the interrupt is requested.
    pub fn interrupted_by(mut self, interrupt: &Interrupt) -> Self {
        self.interrupt = interrupt.clone();
        self
    }

    /// The engine that the tables are on.
    pub fn engine(&self) -> &'e dyn Engine {
        self.engine
    }

    /// The names of the tables that are there now.
    pub fn names(&self) -> &[String] {
        &self.open
    }

    /// Creates a table from the body of a CreateTable, waits until it and its indexes are active, and gives its real
    /// name, which on a shared engine is not the one in the body.
    pub fn create(&mut self, definition: &Value) -> Result<String, EngineError> {
        let mut definition = definition.clone();
        let wanted = definition["TableName"].as_str().unwrap_or("table").to_owned();
        let name = if self.engine.is_private() { wanted } else { unique_name(&wanted) };
        definition["TableName"] = Value::from(name.clone());
        if !self.engine.is_private() {
            definition["Tags"] = json!([
                {"Key": "created-by", "Value": "keywright"},
                {"Key": "keywright:purpose", "Value": "proof; safe to delete"},
            ]);
        }
        match self.engine.call("CreateTable", definition) {
            Ok(_) => self.open.push(name.clone()),
            // It may be there or not. A unique name is ours in any case.
            Err(error @ (EngineError::Cut { .. } | EngineError::Failing { .. }))
                if !self.engine.is_private() =>
            {
                self.open.push(name);
                return Err(error);
            }
            Err(error) => return Err(error),
        }
        self.wait_until_active(&name)?;
        Ok(name)
    }

    fn wait_until_active(&self, table: &str) -> Result<(), EngineError> {
        let mut status = String::new();
        for wait in waits() {
            let answer = self.engine.call("DescribeTable", json!({"TableName": table}))?;
            let description = &answer["Table"];
            let indexes = description["GlobalSecondaryIndexes"].as_array().into_iter().flatten();
            // An engine that names no index status has no backfill to wait for.
            let mut statuses = [&description["TableStatus"]]
                .into_iter()
                .chain(indexes.map(|index| &index["IndexStatus"]))
                .filter_map(Value::as_str);
            match statuses.find(|status| *status != "ACTIVE") {
                None => return Ok(()),
                Some(other) => status = other.to_owned(),
            }
            if self.interrupt.is_requested() {
                return Err(EngineError::Interrupted);
            }
            std::thread::sleep(wait);
        }
        Err(EngineError::Failing {
            operation: "CreateTable".into(),
            attempts: 1,
            reason: format!("table {table} is still {status} after {} seconds", PATIENCE.as_secs()),
        })
    }

    /// Deletes all tables, unless they are kept; names those that it can't delete.
    pub fn clean_up(&mut self) -> Result<(), EngineError> {
        if self.keep {
            return Ok(());
        }
        let (mut left, mut first_reason) = (Vec::new(), None::<EngineError>);
        for table in std::mem::take(&mut self.open) {
            // An engine that is gone for one table is gone for all: each would cost the same patience again.
            if first_reason.as_ref().is_some_and(EngineError::is_environment) {
                left.push(table);
            } else if let Err(reason) = self.delete(&table) {
                first_reason.get_or_insert(reason);
                left.push(table);
            }
        }
        first_reason.map_or(Ok(()), |reason| {
            Err(EngineError::LeftBehind {
                engine: self.engine.name(),
                tables: left,
                reason: Box::new(reason),
            })
        })
    }

    /// Cleans up after a run, and gives its outcome: whoever failed and can't clean up either hears of both.
    pub fn end<T>(mut self, outcome: Result<T, EngineError>) -> Result<T, EngineError> {
        match (outcome, self.clean_up()) {
            (outcome, Ok(())) => outcome,
            (Ok(_), Err(left)) => Err(left),
            // What nobody else sees goes with the engine.
            (Err(cause), Err(_)) if self.engine.is_private() => Err(cause),
            (Err(cause), Err(left)) => {
                Err(EngineError::Unclean { cause: Box::new(cause), left: Box::new(left) })
            }
        }
    }

    fn delete(&self, table: &str) -> Result<(), EngineError> {
        let mut last = Ok(());
        for wait in waits() {
            match self.engine.call("DeleteTable", json!({"TableName": table})) {
                Ok(_) => return Ok(()),
                Err(error) if error.is_refusal("ResourceNotFoundException") => return Ok(()),
                // Still being created, or too many tables change at once.
                Err(error)
                    if error.is_refusal("ResourceInUseException")
                        || error.is_refusal("LimitExceededException") =>
                {
                    last = Err(error);
                }
                Err(error) => return Err(error),
            }
            std::thread::sleep(wait);
        }
        last
    }
}

impl Drop for Tables<'_> {
    fn drop(&mut self) {
        // Whoever wants to hear of failures calls `clean_up` or `end`; here it is the last resort after a panic.
        let _ = self.clean_up();
    }
}

/// Waits that double up to the longest, until patience runs out.
fn waits() -> impl Iterator<Item = Duration> {
    let mut spent = Duration::ZERO;
    std::iter::successors(Some(FIRST_WAIT), |wait| Some((*wait * 2).min(LONGEST_WAIT))).take_while(
        move |wait| {
            spent += *wait;
            spent <= PATIENCE
        },
    )
}

/// A name that nobody has: `keywright-Orders-01J…`, cut to what DynamoDB allows.
fn unique_name(wanted: &str) -> String {
    let allowed = |character: &char| character.is_ascii_alphanumeric() || "_.-".contains(*character);
    let wanted: String = wanted.chars().filter(allowed).take(200).collect();
    format!("keywright-{wanted}-{}", ulid::Ulid::generate())
}

#[cfg(test)]
mod tests;

//! Requests on their way to an engine, with what they touch in terms of the design.

use keywright_dynamodb::expression::KeyCondition;
use keywright_dynamodb::value::{AttributeValue, Item};
use serde_json::Value as Json;

use crate::engine::EngineError;

/// A request on its way to the engine, with what it is about in terms of the design.
pub(crate) struct Sent {
    /// The name of DynamoDB's operation.
    pub(crate) operation: &'static str,
    /// The body, with the engine's table names.
    pub(crate) body: Json,
    /// What it touches.
    pub(crate) touch: Touch,
}

/// What a request touches, so that whoever watches can reckon its cost.
#[derive(Clone, Debug)]
pub(crate) enum Touch {
    Get { table: String, key: Item, consistent: bool },
    BatchGet { table: String, keys: Vec<Item>, consistent: bool },
    Query(QueryTouch),
    Scan { table: String, index: Option<String>, start: Option<Item> },
    Write { actions: Vec<WriteTouch>, transaction: bool },
}

/// What a Query touches.
#[derive(Clone, Debug)]
pub(crate) struct QueryTouch {
    pub(crate) table: String,
    pub(crate) index: Option<String>,
    pub(crate) condition: KeyCondition<AttributeValue>,
    /// Some of what is read is dropped.
    pub(crate) filtered: bool,
    pub(crate) forward: bool,
    pub(crate) start: Option<Item>,
    pub(crate) consistent: bool,
}

/// One item that a write touches.
#[derive(Clone, Debug)]
pub(crate) struct WriteTouch {
    pub(crate) table: String,
    pub(crate) key: Item,
    /// A ConditionCheck changes nothing.
    pub(crate) check: bool,
}

/// Where requests go: an engine, and whoever watches it.
pub(crate) trait Wire {
    /// Sends a request.
    fn send(&mut self, sent: Sent) -> Result<Json, EngineError>;

    /// The engine's name of a table of the design.
    fn table_name(&self, table: &str) -> String;

    /// Gives an engine that left something undone time to recover, after so many attempts.
    fn pause(&mut self, attempts: u32);
}

/// Counts what goes over the wire.
pub(super) struct Counted<'w> {
    pub(super) wire: &'w mut dyn Wire,
    pub(super) sent: u64,
}

impl Wire for Counted<'_> {
    fn send(&mut self, sent: Sent) -> Result<Json, EngineError> {
        self.sent += 1;
        self.wire.send(sent)
    }

    fn table_name(&self, table: &str) -> String {
        self.wire.table_name(table)
    }

    fn pause(&mut self, attempts: u32) {
        self.wire.pause(attempts);
    }
}

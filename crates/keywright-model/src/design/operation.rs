//! Operations: the concrete, complete DynamoDB calls that serve a pattern.

use std::fmt;
use std::str::FromStr;

use keywright_dynamodb::Money;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::design::Request;
use crate::model::{Direction, Role, Type};

/// How a pattern is served.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Operation {
    /// The pattern's id.
    pub pattern: String,
    /// The pattern's description, in the author's words.
    pub description: String,
    /// The DynamoDB operation of the main request, as summaries show it.
    pub operation: OperationName,
    /// The index that the main request reads; absent for the table.
    pub index: Option<String>,
    /// The requests, in the order in which they are sent.
    pub requests: Vec<Request>,
    /// The number of shards that the main request is spread over; 1 if there are none.
    pub shards: u32,
    /// The inputs that the caller gives.
    pub inputs: Vec<Parameter>,
    /// The values that the operation generates before its first request.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub generated: Vec<Generated>,
    /// The result.
    pub outcome: Outcome,
    /// What to do when a condition fails because of a concurrent write.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub retry: Option<Retry>,
    /// Expected units of one call, and the price of a month of calls; absent in a design read from a
    /// document.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expected: Option<Expected>,
}

/// The names of DynamoDB's operations that a design uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
pub enum OperationName {
    /// One item by its key.
    GetItem,
    /// Items of one collection, in key order.
    Query,
    /// Items by their keys.
    BatchGetItem,
    /// Items by their keys, as of one point in time.
    TransactGetItems,
    /// All items of a table or an index.
    Scan,
    /// Write one item.
    PutItem,
    /// Change one item.
    UpdateItem,
    /// Delete one item.
    DeleteItem,
    /// Write several items, all or nothing.
    TransactWriteItems,
    /// Write several items, one by one.
    BatchWriteItem,
}

impl OperationName {
    /// All operations.
    pub const ALL: [OperationName; 10] = [
        OperationName::GetItem,
        OperationName::Query,
        OperationName::BatchGetItem,
        OperationName::TransactGetItems,
        OperationName::Scan,
        OperationName::PutItem,
        OperationName::UpdateItem,
        OperationName::DeleteItem,
        OperationName::TransactWriteItems,
        OperationName::BatchWriteItem,
    ];

    /// DynamoDB's name for it.
    pub const fn name(self) -> &'static str {
        match self {
            OperationName::GetItem => "GetItem",
            OperationName::Query => "Query",
            OperationName::BatchGetItem => "BatchGetItem",
            OperationName::TransactGetItems => "TransactGetItems",
            OperationName::Scan => "Scan",
            OperationName::PutItem => "PutItem",
            OperationName::UpdateItem => "UpdateItem",
            OperationName::DeleteItem => "DeleteItem",
            OperationName::TransactWriteItems => "TransactWriteItems",
            OperationName::BatchWriteItem => "BatchWriteItem",
        }
    }
}

impl fmt::Display for OperationName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for OperationName {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        OperationName::ALL
            .into_iter()
            .find(|operation| operation.name().eq_ignore_ascii_case(text.trim()))
            .ok_or_else(|| format!("`{text}` is not a DynamoDB operation that a design uses"))
    }
}

/// An input of an operation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Parameter {
    /// Its name.
    pub name: String,
    /// Its type.
    #[serde(rename = "type")]
    pub ty: Type,
    /// How the pattern uses it.
    pub role: Role,
    /// The attribute that it gives a value for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub attribute: Option<String>,
    /// Whether the caller may leave it out. The parts of the operation that are built from it are then left
    /// out too.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub optional: bool,
    /// Whether the caller gives several values.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub list: bool,
}

/// A value that the operation generates.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Generated {
    /// The name under which requests use it.
    pub name: String,
    /// The type of the value.
    #[serde(rename = "type")]
    pub ty: Type,
    /// How it is generated.
    pub generator: Generator,
}

/// How a value is generated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum Generator {
    /// A new ULID.
    Ulid,
    /// A new UUID, version 7.
    Uuid,
    /// A new KSUID.
    Ksuid,
    /// The current instant, in the form of the attribute's type. All such values of one call are the same
    /// instant.
    Now,
    /// The current instant plus this many days, in epoch seconds: a time of expiry.
    ExpiresAfterDays(u64),
}

/// The result of an operation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Outcome {
    /// One item, many items, a number, or nothing.
    pub shape: Shape,
    /// The item types that may come back.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub items: Vec<String>,
    /// The attributes that come back; empty for all.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub attributes: Vec<String>,
    /// The order that the pattern promises. Items with equal values come in a stable order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub order: Vec<Order>,
    /// Whether the result must be sorted after reading, because the key order is another one.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub client_sort: bool,
    /// How many of the sorted items come back; all if none. Only with `client_sort`: otherwise requests have limits.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub first: Option<u64>,
    /// The request whose items are the result, counted from 1.
    pub from_request: u32,
}

/// The shape of a result.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum Shape {
    /// One item or none.
    Single,
    /// All items.
    Collection,
    /// A page of items and a cursor.
    Page,
    /// A number: the count of a Query, or the attribute of a counter.
    Count {
        /// The counter's attribute; absent where the Query counts.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        attribute: Option<String>,
    },
    /// Nothing.
    Nothing,
}

/// One attribute of an order.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Order {
    /// The attribute.
    pub attribute: String,
    /// The direction.
    pub direction: Direction,
}

/// Start over when a condition fails because an item changed after an earlier request read it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Retry {
    /// The request to start over from, counted from 1.
    pub from_request: u32,
    /// The largest number of retries.
    pub attempts: u32,
}

/// The expected units and cost of a call.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Expected {
    /// Read units of one call, in millionths.
    pub read_micro_units: u64,
    /// Write units of one call, table and indexes together, in millionths.
    pub write_micro_units: u64,
    /// Requests of one call, in millionths.
    pub micro_requests: u64,
    /// The price of a month of calls at the mean rate.
    pub price: Money,
}

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
    /// The pattern's words.
    pub description: String,
    /// The operation that does the main work: the name that a summary shows.
    pub operation: OperationName,
    /// The index that the main request reads; none for the table.
    pub index: Option<String>,
    /// The requests, one after the other.
    pub requests: Vec<Request>,
    /// Over how many shards the main request is spread; 1 for none.
    pub shards: u32,
    /// What the caller gives.
    pub inputs: Vec<Parameter>,
    /// What the operation makes up before its first request.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub generated: Vec<Generated>,
    /// What comes back.
    pub outcome: Outcome,
    /// What to do when a condition fails because somebody else was faster.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub retry: Option<Retry>,
    /// Expected units of one call, and the price of a month of calls; none in a design read from a document.
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
    /// Items by their keys, at one moment.
    TransactGetItems,
    /// Everything.
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

/// A value that the caller gives.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Parameter {
    /// Its name.
    pub name: String,
    /// Its type.
    #[serde(rename = "type")]
    pub ty: Type,
    /// What it is for, seen from the pattern.
    pub role: Role,
    /// The attribute that it speaks of.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub attribute: Option<String>,
    /// The caller may leave it out; what is built from it is then left out too.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub optional: bool,
    /// The caller gives several values.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub list: bool,
}

/// A value that the operation makes up.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Generated {
    /// The name under which requests use it.
    pub name: String,
    /// The type of the value.
    #[serde(rename = "type")]
    pub ty: Type,
    /// How it is made.
    pub generator: Generator,
}

/// How a value is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum Generator {
    /// A new ULID.
    Ulid,
    /// A new UUID, version 7.
    Uuid,
    /// A new KSUID.
    Ksuid,
    /// The present instant; one instant per call, in the form of the attribute's type.
    Now,
    /// The present instant plus so many days, in epoch seconds: a time of expiry.
    ExpiresAfterDays(u64),
}

/// What an operation gives back.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Outcome {
    /// One item, many, a number, or nothing.
    pub shape: Shape,
    /// The item types that may come back.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub items: Vec<String>,
    /// The attributes that come back, where that is less than all of them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub attributes: Vec<String>,
    /// The order that the pattern promises. Equal values come in an order that is stable.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub order: Vec<Order>,
    /// The caller sorts, because the key order does not give it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub client_sort: bool,
    /// The request that the answer comes from, counted from 1.
    pub from_request: u32,
}

/// The shape of an answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum Shape {
    /// One item or none.
    Single,
    /// All items.
    Collection,
    /// A page of items and a cursor.
    Page,
    /// A number: a count of what a Query finds, or the attribute of a counter.
    Count {
        /// The counter's attribute; none where the Query counts.
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
    /// Up or down.
    pub direction: Direction,
}

/// Start over when a condition fails on what an earlier request read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Retry {
    /// The request to start over from, counted from 1.
    pub from_request: u32,
    /// How often at most.
    pub attempts: u32,
}

/// What a call is expected to use and to cost.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Expected {
    /// Read units of one call, in millionths.
    pub read_micro_units: u64,
    /// Write units of one call, table and indexes together, in millionths.
    pub write_micro_units: u64,
    /// Requests of one call, in millionths.
    pub micro_requests: u64,
    /// A month of calls at the mean rate.
    pub price: Money,
}

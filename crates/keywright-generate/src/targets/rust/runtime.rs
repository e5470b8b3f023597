//! What all generated methods share: operations as values, and the store that runs them.

mod call;
mod cursor;
mod error;
mod operation;
mod read;
mod scope;
mod store;
mod value;
mod wait;
mod write;

pub use error::Error;
pub use operation::*;
pub use store::{Page, PageOptions, Store};
pub use value::{Reader, at, key_text, type_of};

/// A value of an attribute as DynamoDB has it.
pub use aws_sdk_dynamodb::types::AttributeValue;

/// An item as DynamoDB has it.
pub type Item = std::collections::HashMap<String, AttributeValue>;

/// What the caller gives under one name.
#[derive(Clone, Debug, PartialEq)]
pub enum Input {
    /// One value.
    One(AttributeValue),
    /// Several.
    Many(Vec<AttributeValue>),
}

/// What the caller gives, by name. What is left out is not there.
pub type Inputs = std::collections::HashMap<&'static str, Input>;

/// What an operation gave.
#[derive(Clone, Debug, Default)]
pub struct Answer {
    /// The items.
    pub items: Vec<Item>,
    /// Where the next page begins.
    pub next_cursor: Option<String>,
    /// The number that was asked for.
    pub count: i64,
    /// What the operation made up, and the first item that it put.
    pub made: Item,
}

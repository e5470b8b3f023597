//! The runtime that all generated methods share: operations as values, and the store that runs them.

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

/// An attribute value in DynamoDB's form.
pub use aws_sdk_dynamodb::types::AttributeValue;

/// An item in DynamoDB's form.
pub type Item = std::collections::HashMap<String, AttributeValue>;

/// An input of the caller.
#[derive(Clone, Debug, PartialEq)]
pub enum Input {
    /// One value.
    One(AttributeValue),
    /// Several.
    Many(Vec<AttributeValue>),
}

/// The inputs of the caller, by name. Inputs that the caller leaves out are missing.
pub type Inputs = std::collections::HashMap<&'static str, Input>;

/// The result of an operation.
#[derive(Clone, Debug, Default)]
pub struct Answer {
    /// The items.
    pub items: Vec<Item>,
    /// The cursor of the next page.
    pub next_cursor: Option<String>,
    /// The count.
    pub count: i64,
    /// The generated values, and the first item that was put.
    pub made: Item,
}

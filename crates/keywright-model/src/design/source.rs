//! Where the parts of a Design stand in the document it was read from, and their original wording.
//!
//! A Design holds no spans, because most Designs are derived. A Design that was read from a document comes
//! with this table beside it: each list runs parallel to the list of the same name in the Design.

use keywright_finding::Span;

use crate::At;

/// The spans of a Design in its document. Empty for a Design that was derived.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DesignSource {
    /// The spans of each table.
    pub tables: Vec<TableSource>,
    /// The spans of each index.
    pub indexes: Vec<IndexSource>,
    /// The spans of each item type.
    pub items: Vec<ItemSource>,
    /// The spans of each operation.
    pub operations: Vec<OperationSource>,
    /// The rows of the section "Item Collections", as written.
    pub collections: Vec<CollectionRow>,
    /// Sentences of notes and decisions, which may make claims about keys.
    pub notes: Vec<At<String>>,
}

/// The spans of a table.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TableSource {
    /// Its name; `None` where the document names no table.
    pub name: Option<Span>,
    /// Its partition key.
    pub partition: Option<Span>,
    /// Its sort key.
    pub sort: Option<Span>,
    /// Its TTL attribute, as written.
    pub ttl: Option<At<String>>,
}

/// The spans of an index.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct IndexSource {
    /// Its name, or the first item type that uses it where the document does not list the index.
    pub name: Span,
    /// Whether the document lists the index, or only uses its key attributes.
    pub listed: bool,
    /// Its partition key.
    pub partition: Option<Span>,
    /// Its sort key.
    pub sort: Option<Span>,
    /// Its projection, as written; `None` where the document does not state one.
    pub projection: Option<At<String>>,
    /// Whether it is a local secondary index.
    pub local: bool,
}

/// The spans of an item type.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ItemSource {
    /// Its name.
    pub name: Span,
    /// The values of its key attributes, parallel to its keys.
    pub keys: Vec<KeySource>,
    /// The spans of its attributes, parallel to its attributes.
    pub attributes: Vec<Span>,
    /// Its example.
    pub example: Option<Example>,
    /// Its note on TTL, as written.
    pub ttl: Option<At<String>>,
    /// Notes on its keys and purpose.
    pub notes: Vec<At<String>>,
}

/// The spans of a key attribute's value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeySource {
    /// The attribute's name or label.
    pub label: Span,
    /// The template, as written.
    pub value: At<String>,
}

/// An example of an item.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Example {
    /// The whole example.
    pub span: Span,
    /// Its top-level attributes.
    pub values: Vec<(String, At<ExampleValue>)>,
}

/// A value in an example.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ExampleValue {
    /// A text.
    String(String),
    /// A number, as written.
    Number(String),
    /// Something else.
    Other,
}

/// A row of the section "Item Collections".
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CollectionRow {
    /// The partition key, as written.
    pub partition: At<String>,
    /// The item types named.
    pub items: Vec<At<String>>,
}

/// The spans and the wording of an operation.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OperationSource {
    /// The pattern's id.
    pub id: Span,
    /// The cell "Operation" of its row. This and the next cells are `None` where they are missing or empty.
    pub operation: Option<At<String>>,
    /// The cell "Table/GSI".
    pub place: Option<At<String>>,
    /// The cell "PK".
    pub partition: Option<At<String>>,
    /// The cell "SK Condition".
    pub sort_condition: Option<At<String>>,
    /// The cell "SK Value".
    pub sort_value: Option<At<String>>,
    /// The cell "Params".
    pub params: Option<At<String>>,
    /// The cell "Items".
    pub items: Option<At<String>>,
    /// The cell "Conditions".
    pub conditions: Option<At<String>>,
    /// The spans of each request.
    pub requests: Vec<RequestSource>,
}

/// The spans of a request.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RequestSource {
    /// The name of its operation.
    pub operation: Span,
    /// The table or index.
    pub place: Option<Span>,
    /// The partition key's value, or the whole key.
    pub partition: Option<Span>,
    /// The condition on the sort key.
    pub sort_condition: Option<Span>,
    /// The sort key's value or values.
    pub sort_values: Vec<Span>,
    /// The filter, as written.
    pub filter: Option<At<String>>,
    /// The projection, as written.
    pub projection: Option<At<String>>,
    /// The words that ask for a strongly consistent read.
    pub consistent: Option<Span>,
    /// The spans of each action.
    pub actions: Vec<ActionSource>,
}

/// The spans of an action.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ActionSource {
    /// The words that state it.
    pub action: Span,
    /// The action, as written.
    pub text: String,
    /// Its condition, as written.
    pub condition: Option<At<String>>,
}

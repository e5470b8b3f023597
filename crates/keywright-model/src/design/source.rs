//! Where a Design that was read from a document says what it says, and how it says it.
//!
//! A Design has no places of its own, because most are derived. One that was read comes with this table beside it:
//! each list runs parallel to the list of the same name in the Design.

use keywright_finding::Span;

use crate::At;

/// The places of a Design in its document. Empty for a Design that was derived.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DesignSource {
    /// Of each table.
    pub tables: Vec<TableSource>,
    /// Of each index.
    pub indexes: Vec<IndexSource>,
    /// Of each item type.
    pub items: Vec<ItemSource>,
    /// Of each operation.
    pub operations: Vec<OperationSource>,
    /// The rows of the section "Item Collections", as written.
    pub collections: Vec<CollectionRow>,
    /// Sentences of notes and decisions, which may claim something about keys.
    pub notes: Vec<At<String>>,
}

/// The places of a table.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TableSource {
    /// Its name; none where the document names no table.
    pub name: Option<Span>,
    /// Its partition key.
    pub partition: Option<Span>,
    /// Its sort key.
    pub sort: Option<Span>,
    /// Its TTL attribute, and what is said of it.
    pub ttl: Option<At<String>>,
}

/// The places of an index.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct IndexSource {
    /// Its name, or the first item type that uses it where the document does not list it.
    pub name: Span,
    /// Whether the document lists it, or only uses its key attributes.
    pub listed: bool,
    /// Its partition key.
    pub partition: Option<Span>,
    /// Its sort key.
    pub sort: Option<Span>,
    /// Its projection, as written; none where there is no word on it.
    pub projection: Option<At<String>>,
    /// It is a local secondary index.
    pub local: bool,
}

/// The places of an item type.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ItemSource {
    /// Its name.
    pub name: Span,
    /// The values of its key attributes, parallel to its keys.
    pub keys: Vec<KeySource>,
    /// Its attributes, parallel to its attributes.
    pub attributes: Vec<Span>,
    /// Its example.
    pub example: Option<Example>,
    /// What the item type says of TTL.
    pub ttl: Option<At<String>>,
    /// Words on its keys and purpose.
    pub notes: Vec<At<String>>,
}

/// The place of a key attribute's value.
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
    /// All of it.
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

/// The places and the words of an operation.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OperationSource {
    /// The pattern's id.
    pub id: Span,
    /// The cells of its row that are there and say something.
    pub operation: Option<At<String>>,
    /// Table/GSI.
    pub place: Option<At<String>>,
    /// PK.
    pub partition: Option<At<String>>,
    /// SK Condition.
    pub sort_condition: Option<At<String>>,
    /// SK Value.
    pub sort_value: Option<At<String>>,
    /// Params.
    pub params: Option<At<String>>,
    /// Items.
    pub items: Option<At<String>>,
    /// Conditions.
    pub conditions: Option<At<String>>,
    /// Of each request.
    pub requests: Vec<RequestSource>,
}

/// The places of a request.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RequestSource {
    /// The name of its operation.
    pub operation: Span,
    /// The table or index.
    pub place: Option<Span>,
    /// The partition key's value, or all of the key.
    pub partition: Option<Span>,
    /// The condition on the sort key.
    pub sort_condition: Option<Span>,
    /// The sort key's value or values.
    pub sort_values: Vec<Span>,
    /// The filter, as written.
    pub filter: Option<At<String>>,
    /// The projection, as written.
    pub projection: Option<At<String>>,
    /// Where a strong read is asked for.
    pub consistent: Option<Span>,
    /// Of each action.
    pub actions: Vec<ActionSource>,
}

/// The places of an action.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ActionSource {
    /// Where it is said.
    pub action: Span,
    /// What happens, as written.
    pub text: String,
    /// Under which condition, as written.
    pub condition: Option<At<String>>,
}

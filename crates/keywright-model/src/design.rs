//! The Design: tables, indexes, item types with their keys, and one executable operation per pattern.
//!
//! A Design is complete: programs that run, print or generate an operation only interpret it. Templates are
//! kept as text in the notation of `keywright-key`, with explicit encodings. In an *item type* a placeholder
//! names an attribute of the item. In an *operation* it names a value in scope: an input, a generated value,
//! or an attribute that an earlier request read (`<1.username>` is `username` of the item that request 1
//! read).

mod decision;
mod item;
mod kept;
mod operation;
mod request;
pub mod source;
mod table;

pub use decision::{Alternative, Decision, Subject, Total};
pub use item::{ItemAttribute, ItemKind, ItemType, KeyAssignment, KeyValue, Sparse};
pub use operation::{
    Expected, Generated, Generator, Operation, OperationName, Order, Outcome, Parameter, Retry, Shape,
};
pub use request::{
    Action, BatchGet, Delete, EntryUpdate, Get, Guard, Keys, Limit, Put, Query, Request, Scan, Scatter,
    Update, Value, as_it_was_read, else_in, sum_in,
};
pub use source::DesignSource;
pub use table::{Index, KeyAttribute, KeyType, Projection, Table};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::model::Type;
use crate::{Certificate, Style};

/// A table design, derived from a Model or read from a table-design document.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Design {
    /// The application's name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub application: Option<String>,
    /// The date of the document that it was derived from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub generated_on: Option<String>,
    /// The file name of the document that it was derived from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub input: Option<String>,
    /// The physical style.
    pub style: Style,
    /// The attribute that holds the item type, where items of several types share a table.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub type_attribute: Option<String>,
    /// The attributes that name the tenant, where the data of one tenant is kept apart from the others'.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tenants: Vec<String>,
    /// The tables.
    pub tables: Vec<Table>,
    /// The global secondary indexes.
    pub indexes: Vec<Index>,
    /// The item types.
    pub items: Vec<ItemType>,
    /// One operation per pattern, in the order of the patterns.
    pub operations: Vec<Operation>,
    /// The decisions, with the alternatives that lost and their extra cost.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub decisions: Vec<Decision>,
    /// The price per month.
    #[serde(default)]
    pub total: Total,
    /// How close the design is to the optimum, and the proof of that.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub certificate: Option<Certificate>,
}

impl Design {
    /// The table with that name.
    pub fn table(&self, name: &str) -> Option<&Table> {
        self.tables.iter().find(|table| table.name == name)
    }

    /// The index with that name on that table.
    pub fn index(&self, table: &str, name: &str) -> Option<&Index> {
        self.indexes.iter().find(|index| index.table == table && index.name == name)
    }

    /// The item type with that name.
    pub fn item(&self, name: &str) -> Option<&ItemType> {
        self.items.iter().find(|item| item.name == name)
    }

    /// The values of an enumeration that items of a result are sorted by, in declared order. Empty if the names sort the
    /// same way, and for any other attribute.
    pub fn declared_order(&self, outcome: &Outcome, attribute: &str) -> &[String] {
        let mut held = outcome.items.iter().filter_map(|name| self.item(name)?.attribute(attribute));
        let declared = held.find(|it| it.ty == Type::Enum && !it.values.is_sorted());
        declared.map_or(&[], |it| it.values.as_slice())
    }

    /// The operation that serves the pattern.
    pub fn operation(&self, pattern: &str) -> Option<&Operation> {
        self.operations.iter().find(|operation| operation.pattern == pattern)
    }
}

//! Item types: the kinds of items in a table, and how their keys come from their attributes.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::model::{Literal, Type};

/// A kind of item in a table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ItemType {
    /// The name, unique in the design; also the value of the type attribute.
    pub name: String,
    /// What it stands for.
    pub kind: ItemKind,
    /// The entities whose data it holds: one, or several that are merged.
    pub entities: Vec<String>,
    /// The table that it is in.
    pub table: String,
    /// The values of the key attributes of the table and of the indexes that it is in.
    pub keys: Vec<KeyAssignment>,
    /// The attributes that it holds beside the keys and the type attribute.
    pub attributes: Vec<ItemAttribute>,
    /// The author's or the designer's words on it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
}

impl ItemType {
    /// The value of a key attribute in this item type.
    pub fn key(&self, attribute: &str) -> Option<&KeyAssignment> {
        self.keys.iter().find(|key| key.attribute == attribute)
    }

    /// The attribute of that name.
    pub fn attribute(&self, name: &str) -> Option<&ItemAttribute> {
        self.attributes.iter().find(|attribute| attribute.name == name)
    }
}

/// What an item type stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum ItemKind {
    /// An entity's item (several entities where they are merged).
    Main,
    /// Holds a unique value so that nobody else can take it.
    Uniqueness,
    /// Links two items in an N:M relationship.
    Edge,
    /// Counts.
    Counter,
    /// Repeats another item elsewhere.
    Copy,
    /// The one item of an entity that has one.
    Singleton,
}

/// How a key attribute gets its value.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct KeyAssignment {
    /// The key attribute: `pk`, `GSI1SK`, `email`.
    pub attribute: String,
    /// Its value.
    pub value: KeyValue,
    /// When the item has it; always, if none. A template over an absent optional attribute is absent too.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sparse: Option<Sparse>,
}

/// The value of a key attribute.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum KeyValue {
    /// A string built by a template from the item's attributes.
    Template(String),
    /// The item's own attribute of the same name, as it is.
    Natural,
}

/// The items that are in a sparse index.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Sparse {
    /// Those that hold this attribute …
    pub attribute: String,
    /// … with this value, where one is given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub equals: Option<Literal>,
}

/// An attribute that an item type holds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ItemAttribute {
    /// The name.
    pub name: String,
    /// The type.
    #[serde(rename = "type")]
    pub ty: Type,
    /// An item may lack it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub optional: bool,
    /// The values of an enumeration, in declared order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub values: Vec<String>,
    /// The largest number, or the greatest length of a text in characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max: Option<u64>,
    /// The entity that it comes from, where the item type merges several.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub entity: Option<String>,
}

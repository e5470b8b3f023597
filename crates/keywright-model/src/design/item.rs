//! Item types: the types of items in a table, and how their keys are built from their attributes.

use std::collections::BTreeSet;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::model::{Literal, Type};

/// A type of item in a table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ItemType {
    /// The name, unique in the design; also the value of the type attribute.
    pub name: String,
    /// The role of the item type.
    pub kind: ItemKind,
    /// The entities whose data it holds: one, or several that are merged.
    pub entities: Vec<String>,
    /// The table that holds the items.
    pub table: String,
    /// The values of the key attributes: those of the table, and of the indexes that hold the items.
    pub keys: Vec<KeyAssignment>,
    /// The attributes beside the keys and the type attribute.
    pub attributes: Vec<ItemAttribute>,
    /// A description, by the author or the designer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
}

impl ItemType {
    /// The value of a key attribute in this item type.
    pub fn key(&self, attribute: &str) -> Option<&KeyAssignment> {
        self.keys.iter().find(|key| key.attribute == attribute)
    }

    /// The attribute with that name.
    pub fn attribute(&self, name: &str) -> Option<&ItemAttribute> {
        self.attributes.iter().find(|attribute| attribute.name == name)
    }

    /// The maps that hold attributes, outer ones first: `place` and `place.point` of `place.point.x`. An item has them
    /// from the start, since an update can't set what lies in a map that is not there.
    pub fn maps(&self) -> BTreeSet<&str> {
        let ends = |name: &str| name.match_indices('.').map(|(at, _)| at).collect::<Vec<_>>();
        let names = self.attributes.iter().map(|attribute| attribute.name.as_str());
        names.flat_map(|name| ends(name).into_iter().map(|at| &name[..at])).collect()
    }
}

/// The role of an item type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum ItemKind {
    /// The data of an entity, or of several entities that are merged.
    Main,
    /// Reserves a unique value, so that no other item can take it.
    Uniqueness,
    /// Links two items in an N:M relationship.
    Edge,
    /// Holds a count.
    Counter,
    /// Holds a copy of data of another item.
    Copy,
    /// The only item of a singleton entity.
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
    /// When the item has the key attribute; absent means always. A template over an optional attribute that
    /// the item lacks gives no value either.
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

/// Which items are in a sparse index.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Sparse {
    /// The items that hold this attribute …
    pub attribute: String,
    /// … with this value, if one is given.
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
    /// Whether an item may lack it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub optional: bool,
    /// The values of an enumeration, in declared order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub values: Vec<String>,
    /// The largest number, or the greatest length of a text in characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max: Option<u64>,
    /// The entity that it belongs to, where the item type merges several.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub entity: Option<String>,
}

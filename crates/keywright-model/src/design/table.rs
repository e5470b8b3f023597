//! Tables and global secondary indexes, as DynamoDB knows them.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Table {
    /// The table's name.
    pub name: String,
    /// The partition key.
    pub partition: KeyAttribute,
    /// The sort key; absent for a simple primary key.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sort: Option<KeyAttribute>,
    /// The TTL attribute, from which DynamoDB reads the time of expiry.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ttl: Option<String>,
}

impl Table {
    /// The primary key's attributes, partition key first.
    pub fn key(&self) -> impl Iterator<Item = &KeyAttribute> {
        std::iter::once(&self.partition).chain(&self.sort)
    }
}

/// A global secondary index.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Index {
    /// The index's name.
    pub name: String,
    /// The table that it belongs to.
    pub table: String,
    /// The partition key: one attribute, or up to four in the multi-attribute style.
    pub partition: Vec<KeyAttribute>,
    /// The sort key: none, one attribute, or up to four.
    pub sort: Vec<KeyAttribute>,
    /// The attributes that its entries hold beside the keys.
    pub projection: Projection,
    /// The purpose of the index, in words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub purpose: Option<String>,
}

impl Index {
    /// The key's attributes, partition first.
    pub fn key(&self) -> impl Iterator<Item = &KeyAttribute> {
        self.partition.iter().chain(&self.sort)
    }
}

/// An attribute of a key.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct KeyAttribute {
    /// The attribute's name in the table.
    pub name: String,
    /// Its type.
    #[serde(rename = "type")]
    pub ty: KeyType,
}

impl KeyAttribute {
    /// A string key.
    pub fn string(name: impl Into<String>) -> Self {
        KeyAttribute { name: name.into(), ty: KeyType::String }
    }
}

/// The types that a key may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum KeyType {
    /// Sorted by the bytes of its UTF-8 text.
    #[serde(rename = "S")]
    String,
    /// Sorted by value.
    #[serde(rename = "N")]
    Number,
    /// Sorted by bytes.
    #[serde(rename = "B")]
    Binary,
}

impl KeyType {
    /// `S`, `N` or `B`.
    pub const fn symbol(self) -> &'static str {
        match self {
            KeyType::String => "S",
            KeyType::Number => "N",
            KeyType::Binary => "B",
        }
    }
}

/// The attributes that an index entry holds beside the keys of index and table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum Projection {
    /// Every attribute.
    All,
    /// No other attributes.
    KeysOnly,
    /// These attributes.
    Include(Vec<String>),
}

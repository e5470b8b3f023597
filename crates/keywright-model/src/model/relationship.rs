//! Relationships between entities, with cardinality and fan-out.

use keywright_finding::Span;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::At;

/// A parent and a child entity. In an N:M relationship both are peers, in the order of the document.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Relationship {
    /// The parent entity.
    pub parent: String,
    /// The child entity.
    pub child: String,
    /// The words that state it.
    pub span: Span,
    /// Whether the reader inferred it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub assumed: bool,
    /// The number of parents and children.
    pub cardinality: At<Cardinality>,
    /// How many children a parent has.
    #[serde(default)]
    pub fan_out: FanOut,
    /// The child's attributes that hold the parent's identity, in the order of that identity.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub via: Vec<String>,
    /// The relationship's label.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub label: Option<At<String>>,
}

/// The number of parents and children.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum Cardinality {
    /// At most one child per parent.
    #[serde(rename = "1:1")]
    OneToOne,
    /// Many children per parent.
    #[serde(rename = "1:N")]
    OneToMany,
    /// Many of each.
    #[serde(rename = "N:M")]
    ManyToMany,
}

/// How many children a parent has. A mean is not a bound.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct FanOut {
    /// The mean number.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mean: Option<At<u64>>,
    /// The largest number; only where the document states it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max: Option<At<u64>>,
}

//! Entities: their attributes, their identity, and their number.

use keywright_finding::Span;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::At;
use crate::model::Attribute;

/// A type of thing that the application stores.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Entity {
    /// The name, as declared.
    pub name: String,
    /// The span of the name.
    pub span: Span,
    /// The author's description.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<At<String>>,
    /// Facts about the entity as a whole.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub kinds: Vec<At<EntityKind>>,
    /// Set if this entity holds the versions of another entity, which is of the kind history, and nothing
    /// else. Its identity ends with the version number, and its attributes are those of the other entity, in
    /// the same order.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub versions_of: Option<String>,
    /// The attributes, in the order of the document.
    pub attributes: Vec<Attribute>,
    /// The names of the attributes that identify an item, in order; empty for a singleton or where the
    /// identity is unknown.
    pub identity: Vec<At<String>>,
    /// Further sets of attributes that are unique over all items.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unique: Vec<UniqueSet>,
    /// How many items there are in all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub count: Option<At<u64>>,
    /// The share of traffic that the hottest value gets, in millionths.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub skew: Option<At<u32>>,
    /// How long items are kept.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub retention: Option<At<Retention>>,
    /// The author's notes on its lifecycle.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lifecycle: Option<At<String>>,
}

impl Entity {
    /// An entity with only a name.
    pub fn new(name: impl Into<String>, span: Span) -> Self {
        Entity {
            name: name.into(),
            span,
            description: None,
            kinds: Vec::new(),
            versions_of: None,
            attributes: Vec::new(),
            identity: Vec::new(),
            unique: Vec::new(),
            count: None,
            skew: None,
            retention: None,
            lifecycle: None,
        }
    }

    /// The attribute with that exact name.
    pub fn attribute(&self, name: &str) -> Option<&Attribute> {
        self.attributes.iter().find(|attribute| attribute.name == name)
    }

    /// The names of the identifying attributes.
    pub fn identity_names(&self) -> impl Iterator<Item = &str> {
        self.identity.iter().map(|name| name.value.as_str())
    }

    /// The attribute that holds the version number of an item.
    pub fn version(&self) -> Option<&Attribute> {
        self.attributes.iter().find(|attribute| attribute.version.as_ref().is_some_and(|flag| flag.value))
    }

    /// Whether the document states this kind for it.
    pub fn is(&self, kind: EntityKind) -> bool {
        self.kinds.iter().any(|it| it.value == kind)
    }
}

/// Facts about an entity as a whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum EntityKind {
    /// There is one item in the whole table.
    Singleton,
    /// Every version is kept, and the latest one is readable.
    History,
    /// Shared by all tenants.
    Common,
}

/// Attributes whose combination is unique.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct UniqueSet {
    /// The attributes' names.
    pub attributes: Vec<String>,
    /// The words that state it.
    pub span: Span,
}

/// How long items are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Retention {
    /// Days until an item is deleted.
    pub days: u64,
}

//! Entities: what they are made of, what identifies them, how many there are.

use keywright_finding::Span;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::At;
use crate::model::Attribute;

/// A kind of thing that the application keeps.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Entity {
    /// The name, as declared.
    pub name: String,
    /// Where the name stands.
    pub span: Span,
    /// The author's words on it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<At<String>>,
    /// Facts about the entity as a whole.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub kinds: Vec<At<EntityKind>>,
    /// The entity of the kind history whose versions these are, where it is nothing else: the number of the version comes
    /// last in its identity, and the attributes are the other's, in the same order.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub versions_of: Option<String>,
    /// The attributes, in the order of the document.
    pub attributes: Vec<Attribute>,
    /// The names of the attributes that identify an item, in order; empty for a singleton or where nothing tells.
    pub identity: Vec<At<String>>,
    /// Further sets of attributes that are unique over all items.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unique: Vec<UniqueSet>,
    /// How many items there are in all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub count: Option<At<u64>>,
    /// The share of traffic that the hottest value takes, in millionths.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub skew: Option<At<u32>>,
    /// How long an item is kept.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub retention: Option<At<Retention>>,
    /// The author's words on its life.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lifecycle: Option<At<String>>,
}

impl Entity {
    /// An entity of which only the name is known.
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

    /// The attribute of that exact name.
    pub fn attribute(&self, name: &str) -> Option<&Attribute> {
        self.attributes.iter().find(|attribute| attribute.name == name)
    }

    /// The names of the identifying attributes.
    pub fn identity_names(&self) -> impl Iterator<Item = &str> {
        self.identity.iter().map(|name| name.value.as_str())
    }

    /// The attribute that counts the versions of an item.
    pub fn version(&self) -> Option<&Attribute> {
        self.attributes.iter().find(|attribute| attribute.version.as_ref().is_some_and(|flag| flag.value))
    }

    /// Whether it is of the kind.
    pub fn is(&self, kind: EntityKind) -> bool {
        self.kinds.iter().any(|it| it.value == kind)
    }
}

/// Facts about an entity as a whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum EntityKind {
    /// One item for the whole table.
    Singleton,
    /// Every version is kept, the latest is readable.
    History,
    /// Shared over tenants.
    Common,
}

/// Attributes that together are unique.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct UniqueSet {
    /// The attributes' names.
    pub attributes: Vec<String>,
    /// Where the document says so.
    pub span: Span,
}

/// How long items are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Retention {
    /// Days until an item is deleted.
    pub days: u64,
}

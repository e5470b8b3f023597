//! The Model: the user's statements about data and its use, before any key is chosen.

mod attribute;
mod count;
mod entity;
mod pattern;
mod relationship;
mod role;

pub use attribute::{Attribute, AttributeRef, Mutability, Presence, Type};
pub use entity::{Entity, EntityKind, Retention, UniqueSet};
pub use pattern::{
    Action, Bound, Condition, ConditionKind, ConditionValue, Consistency, Direction, Effect, Input, Literal,
    Pattern, PatternKind, Period, Read, ResultKind, Role, Sort, Step, Transaction, Write,
};
pub use relationship::{Cardinality, FanOut, Relationship};

use keywright_finding::Span;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{At, Style};

/// The content of an access-patterns document.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Model {
    /// The application's name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub application: Option<At<String>>,
    /// The document's date, copied into generated files.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub generated_on: Option<At<String>>,
    /// DRAFT, REVIEWED or APPROVED, as written.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status: Option<At<String>>,
    /// The style that the document requests.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub style: Option<At<Style>>,
    /// The entities, in the order of the document.
    pub entities: Vec<Entity>,
    /// The relationships between entities.
    pub relationships: Vec<Relationship>,
    /// The access patterns, in the order of the document.
    pub patterns: Vec<Pattern>,
    /// Groups of entities that the author would like to see in one item collection.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub collections: Vec<CollectionCandidate>,
    /// The assumptions: what the reader inferred where the document is silent.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub assumptions: Vec<Assumption>,
}

impl Model {
    /// The entity with that exact name.
    pub fn entity(&self, name: &str) -> Option<&Entity> {
        self.entities.iter().find(|entity| entity.name == name)
    }

    /// The entity that holds the versions of the entity `name`.
    pub fn versions_of(&self, name: &str) -> Option<&Entity> {
        self.entities.iter().find(|entity| entity.versions_of.as_deref() == Some(name))
    }

    /// The pattern with that exact id.
    pub fn pattern(&self, id: &str) -> Option<&Pattern> {
        self.patterns.iter().find(|pattern| pattern.id == id)
    }

    /// The attributes by which a read interleaves items of several entities in one list: its first sort
    /// attribute and the attributes of its other entities that draw from the same sequence. Empty where the
    /// read may return the items of one entity after those of another.
    pub fn interleaved(&self, pattern: &Pattern) -> Vec<AttributeRef> {
        let Some(sort) = pattern.read().and_then(|read| read.sort.first()) else { return Vec::new() };
        let named = |name: &str| pattern.entities.iter().any(|entity| entity.value == name);
        let of = |bound: &AttributeRef| self.entity(&bound.entity)?.attribute(&bound.attribute);
        let Some(number) = of(&sort.attribute).filter(|_| named(&sort.attribute.entity)) else {
            return Vec::new();
        };
        let shares =
            |attribute: &Attribute, with: &str| attribute.shared_with.iter().any(|it| it.value == with);
        let others = pattern.entities.iter().filter(|other| other.value != sort.attribute.entity);
        let partners = others.filter_map(|other| {
            let entity = self.entity(&other.value)?;
            let same = entity.attribute(&number.name).filter(|_| shares(number, &entity.name));
            let theirs = || entity.attributes.iter().find(|it| shares(it, &sort.attribute.entity));
            let attribute = theirs().or(same)?;
            Some(AttributeRef::new(&entity.name, &attribute.name))
        });
        let all: Vec<AttributeRef> = std::iter::once(sort.attribute.clone()).chain(partners).collect();
        if all.len() > 1 { all } else { Vec::new() }
    }

    /// The relationships in which the entity is the child.
    pub fn parents_of<'a>(&'a self, child: &'a str) -> impl Iterator<Item = &'a Relationship> {
        self.relationships.iter().filter(move |relationship| relationship.child == child)
    }

    /// The relationships in which the entity is the parent.
    pub fn children_of<'a>(&'a self, parent: &'a str) -> impl Iterator<Item = &'a Relationship> {
        self.relationships.iter().filter(move |relationship| relationship.parent == parent)
    }
}

/// A row of the section "Item Collection Candidates".
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct CollectionCandidate {
    /// The group's name.
    pub name: String,
    /// The span of the name.
    pub span: Span,
    /// The entities named.
    pub entities: Vec<At<String>>,
    /// The ids of the patterns named.
    pub patterns: Vec<At<String>>,
    /// The author's reason.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rationale: Option<At<String>>,
}

/// A value that the reader inferred, and why. Refused under `--strict`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Assumption {
    /// The words that it was inferred from.
    pub span: Span,
    /// The assumption, as one sentence: `read "titlePrefix" as a prefix of Song.title`.
    pub statement: String,
    /// The reason, and how to state the value explicitly.
    pub reason: String,
}

//! The Model: what the user states about data and its use, before any key exists.

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

/// What an access-patterns document says.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Model {
    /// The application's name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub application: Option<At<String>>,
    /// The document's own date, copied into what is generated from it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub generated_on: Option<At<String>>,
    /// DRAFT, REVIEWED or APPROVED, as written.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status: Option<At<String>>,
    /// The style that the document asks for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub style: Option<At<Style>>,
    /// The entities, in the order of the document.
    pub entities: Vec<Entity>,
    /// How entities belong together.
    pub relationships: Vec<Relationship>,
    /// The access patterns, in the order of the document.
    pub patterns: Vec<Pattern>,
    /// Groups of entities that the author would like to see together.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub collections: Vec<CollectionCandidate>,
    /// What the reader inferred where the document was silent.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub assumptions: Vec<Assumption>,
}

impl Model {
    /// The entity of that exact name.
    pub fn entity(&self, name: &str) -> Option<&Entity> {
        self.entities.iter().find(|entity| entity.name == name)
    }

    /// The entity that holds the versions of another.
    pub fn versions_of(&self, name: &str) -> Option<&Entity> {
        self.entities.iter().find(|entity| entity.versions_of.as_deref() == Some(name))
    }

    /// The pattern of that exact id.
    pub fn pattern(&self, id: &str) -> Option<&Pattern> {
        self.patterns.iter().find(|pattern| pattern.id == id)
    }

    /// What a read wants as one list: the attributes of its entities that are one sequence, where it sorts by that
    /// sequence. Empty where its kinds of items may come one after the other.
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
    /// Where the name stands.
    pub span: Span,
    /// The entities named.
    pub entities: Vec<At<String>>,
    /// The ids of the patterns named.
    pub patterns: Vec<At<String>>,
    /// The author's reason.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rationale: Option<At<String>>,
}

/// What the reader inferred, and why. Refused under `--strict`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Assumption {
    /// The words that it came from.
    pub span: Span,
    /// What was assumed, as one sentence: `read "titlePrefix" as a prefix of Song.title`.
    pub statement: String,
    /// Why, and how to say it outright.
    pub reason: String,
}

//! What rules ask of a Model, answered once: which names are declared, who reads and writes what.

use std::cell::OnceCell;
use std::collections::BTreeMap;

use keywright_finding::Suggestions;
use keywright_model::Model;
use keywright_model::model::{Attribute, Entity, Pattern, Relationship};

use crate::numbers::attribute_bytes;

/// A Model with its names resolved. Where two entities share a name, the first is meant; the reader says so.
pub struct Facts<'m> {
    /// The Model itself.
    pub model: &'m Model,
    entities: BTreeMap<&'m str, EntityFacts<'m>>,
    parents: BTreeMap<&'m str, Vec<&'m Relationship>>,
    entity_names: OnceCell<Suggestions<'m>>,
}

/// An entity with its attributes by name and the patterns that touch it.
pub struct EntityFacts<'m> {
    /// The entity itself.
    pub entity: &'m Entity,
    /// Whether some read returns it.
    pub is_read: bool,
    /// Whether some write or delete touches it.
    pub is_written: bool,
    attributes: BTreeMap<&'m str, &'m Attribute>,
    item_bytes: OnceCell<u64>,
    attribute_names: OnceCell<Suggestions<'m>>,
}

impl<'m> Facts<'m> {
    /// Resolves the names of a Model.
    #[must_use]
    pub fn new(model: &'m Model) -> Self {
        let mut entities = BTreeMap::new();
        for entity in &model.entities {
            entities.entry(entity.name.as_str()).or_insert_with(|| EntityFacts::new(entity));
        }
        for pattern in &model.patterns {
            mark_use(&mut entities, pattern);
        }
        let mut parents: BTreeMap<&str, Vec<&Relationship>> = BTreeMap::new();
        for relationship in &model.relationships {
            parents.entry(relationship.child.as_str()).or_default().push(relationship);
        }
        Self { model, entities, parents, entity_names: OnceCell::new() }
    }

    /// The entity of that exact name.
    #[must_use]
    pub fn entity(&self, name: &str) -> Option<&EntityFacts<'m>> {
        self.entities.get(name)
    }

    /// The entities of a pattern that are declared.
    pub fn entities_of<'a>(&'a self, pattern: &'a Pattern) -> impl Iterator<Item = &'a EntityFacts<'m>> {
        pattern.entities.iter().filter_map(|name| self.entity(&name.value))
    }

    /// The relationships in which the entity is the child.
    #[must_use]
    pub fn parents_of(&self, child: &str) -> &[&'m Relationship] {
        self.parents.get(child).map_or(&[], Vec::as_slice)
    }

    /// The attribute of an entity.
    #[must_use]
    pub fn attribute(&self, entity: &str, attribute: &str) -> Option<&'m Attribute> {
        self.entity(entity)?.attribute(attribute)
    }

    /// The entity that was probably meant.
    #[must_use]
    pub fn nearest_entity(&self, unknown: &str) -> Option<&'m str> {
        self.entity_names.get_or_init(|| Suggestions::new(self.entities.keys().copied())).nearest(unknown)
    }
}

impl<'m> EntityFacts<'m> {
    fn new(entity: &'m Entity) -> Self {
        let attributes =
            entity.attributes.iter().rev().map(|attribute| (attribute.name.as_str(), attribute)).collect();
        Self {
            entity,
            is_read: false,
            is_written: false,
            attributes,
            item_bytes: OnceCell::new(),
            attribute_names: OnceCell::new(),
        }
    }

    /// The attribute of that exact name.
    #[must_use]
    pub fn attribute(&self, name: &str) -> Option<&'m Attribute> {
        self.attributes.get(name).copied()
    }

    /// The mean size of an item in bytes, from what is declared of its attributes.
    #[must_use]
    pub fn item_bytes(&self) -> u64 {
        *self.item_bytes.get_or_init(|| {
            let bytes = |attribute: &Attribute| {
                attribute_bytes(attribute).saturating_add(attribute.name.len() as u64)
            };
            self.entity.attributes.iter().map(bytes).fold(0, u64::saturating_add)
        })
    }

    /// The attribute that was probably meant.
    #[must_use]
    pub fn nearest_attribute(&self, unknown: &str) -> Option<&'m str> {
        self.attribute_names
            .get_or_init(|| Suggestions::new(self.attributes.keys().copied()))
            .nearest(unknown)
    }
}

fn mark_use(entities: &mut BTreeMap<&str, EntityFacts<'_>>, pattern: &Pattern) {
    let effects = pattern.write().map(|write| write.effects.as_slice()).unwrap_or_default();
    let named = pattern.entities.iter().map(|name| name.value.as_str());
    // A read goes through the link that its inputs speak of.
    let through = pattern.inputs().iter().filter(|_| pattern.read().is_some()).flat_map(|input| &input.binds);
    let through = through.map(|bind| bind.entity.as_str());
    for name in named.chain(through).chain(effects.iter().map(|effect| effect.entity.as_str())) {
        if let Some(facts) = entities.get_mut(name) {
            let used = if pattern.read().is_some() { &mut facts.is_read } else { &mut facts.is_written };
            *used = true;
        }
    }
}

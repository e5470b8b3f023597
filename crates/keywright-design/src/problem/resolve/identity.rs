//! Whether an identity is made up by whoever creates the item: then no two items ever share it, and a key may hold more
//! than it. One that callers give is natural, whatever its type: the same one may come twice, with other values beside it.

use std::collections::BTreeMap;

use keywright_model::Model;
use keywright_model::model::{Action, Entity, Pattern};

use super::writes::given_to;
use crate::problem::{Attr, EntityFacts};

/// Notes on every entity whether its identity is made up. That of a copy is its original's.
pub(super) fn note_made_up(model: &Model, entities: &mut [EntityFacts]) {
    let named = Named::of(model);
    for (at, entity) in model.entities.iter().enumerate() {
        if entities[at].copy_of.is_none() {
            entities[at].generated = is_made_up(&named, entities, at, entity);
        }
    }
}

/// What speaks of a name.
struct Named<'m> {
    /// The patterns that write a new item of the entity, or one over another.
    written: BTreeMap<&'m str, Vec<&'m Pattern>>,
    /// The entities that it identifies, alone or with others.
    identified: BTreeMap<&'m str, Vec<&'m Entity>>,
}

impl<'m> Named<'m> {
    fn of(model: &'m Model) -> Self {
        let mut named = Named { written: BTreeMap::new(), identified: BTreeMap::new() };
        for pattern in &model.patterns {
            let effects = pattern.write().into_iter().flat_map(|write| &write.effects);
            for effect in effects.filter(|it| matches!(it.action, Action::Create | Action::Put)) {
                named.written.entry(effect.entity.as_str()).or_default().push(pattern);
            }
        }
        for entity in &model.entities {
            for identity in entity.identity_names() {
                named.identified.entry(identity).or_default().push(entity);
            }
        }
        named
    }
}

fn is_made_up(named: &Named<'_>, entities: &[EntityFacts], at: usize, entity: &Entity) -> bool {
    let facts = &entities[at];
    let may_be = |attr: &Attr| {
        let it = facts.attribute(*attr);
        it.ty.is_generated_id() && !refers(named, facts, entity, *attr) || it.sequential
    };
    // Whether its inputs give the identity.
    let is_given = |pattern: &&Pattern| facts.identity_set().is_subset(given_to(pattern, entities, at));
    facts.versions_of.is_none()
        && facts.identity.iter().any(may_be)
        && !named.written.get(facts.name.as_str()).into_iter().flatten().any(is_given)
}

/// Whether an identifier is that of another item, or, in a version, of the item that it is one of.
fn refers(named: &Named<'_>, facts: &EntityFacts, entity: &Entity, attr: Attr) -> bool {
    let it = &entity.attributes[attr.index()];
    it.reference.is_some()
        || facts.parents.iter().any(|link| link.via.contains(&attr))
        || named
            .identified
            .get(it.name.as_str())
            .into_iter()
            .flatten()
            .any(|other| other.name != entity.name && is_called_after(&it.name, other))
}

/// Whether an identifier of an entity has its name, as `messageId` has that of a Message.
fn is_called_after(name: &str, entity: &Entity) -> bool {
    name.to_lowercase().starts_with(&entity.name.to_lowercase())
}

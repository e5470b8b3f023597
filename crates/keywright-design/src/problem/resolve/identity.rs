//! Whether an identity is made up by whoever creates the item: then no two items ever share it, and a key may hold more
//! than it. One that callers give is natural, whatever its type: the same one may come twice, with other values beside it.

use keywright_model::Model;
use keywright_model::model::{Action, Effect, Entity, Pattern};

use super::writes::given_to;
use crate::problem::{Attr, EntityFacts};

/// Notes on every entity whether its identity is made up. That of a copy is its original's.
pub(super) fn note_made_up(model: &Model, entities: &mut [EntityFacts]) {
    for (at, entity) in model.entities.iter().enumerate() {
        if entities[at].copy_of.is_none() {
            entities[at].generated = is_made_up(model, entities, at, entity);
        }
    }
}

fn is_made_up(model: &Model, entities: &[EntityFacts], at: usize, entity: &Entity) -> bool {
    let facts = &entities[at];
    let may_be = |attr: &Attr| {
        let it = facts.attribute(*attr);
        it.ty.is_generated_id() && !refers(model, facts, entity, *attr) || it.sequential
    };
    facts.versions_of.is_none()
        && facts.identity.iter().any(may_be)
        && !model.patterns.iter().any(|pattern| is_given(entities, at, pattern))
}

/// Whether a pattern writes a new item, or one over another, under an identity that its inputs give.
fn is_given(entities: &[EntityFacts], at: usize, pattern: &Pattern) -> bool {
    let writes = |effect: &Effect| {
        effect.entity == entities[at].name && matches!(effect.action, Action::Create | Action::Put)
    };
    pattern.write().is_some_and(|write| write.effects.iter().any(writes))
        && entities[at].identity_set().is_subset(given_to(pattern, entities, at))
}

/// Whether an identifier is that of another item, or, in a version, of the item that it is one of.
fn refers(model: &Model, facts: &EntityFacts, entity: &Entity, attr: Attr) -> bool {
    let it = &entity.attributes[attr.index()];
    it.reference.is_some()
        || facts.parents.iter().any(|link| link.via.contains(&attr))
        || model
            .entities
            .iter()
            .filter(|other| other.name != entity.name)
            .any(|other| is_called_after(&it.name, other))
}

/// Whether an identifier has the name of an entity that it identifies, as `messageId` has that of a Message.
fn is_called_after(name: &str, entity: &Entity) -> bool {
    entity.identity_names().any(|identity| identity == name)
        && name.to_lowercase().starts_with(&entity.name.to_lowercase())
}

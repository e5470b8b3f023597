//! What writes change of the attributes of an entity.

use std::collections::BTreeMap;

use keywright_model::Model;
use keywright_model::model::{Action, Attribute, Effect, Pattern, Role, Type};

use super::given::{all, bound, inputs_of, made_up};
use super::handed::handed;
use crate::candidate::time_ordered_id;
use crate::problem::{Attr, Attrs, EntityFacts};

/// Names of instants that every update sets.
const UPDATE_TIMES: [&str; 4] = ["updatedat", "modifiedat", "lastmodified", "lastupdated"];

/// Notes on every attribute whether a write changes it, and what creates give.
pub(in crate::problem::resolve) fn note_changes(model: &Model, entities: &mut [EntityFacts]) {
    let mut writes: BTreeMap<&str, Vec<(&Pattern, &Effect)>> = BTreeMap::new();
    for pattern in &model.patterns {
        for effect in pattern.write().into_iter().flat_map(|write| &write.effects) {
            writes.entry(effect.entity.as_str()).or_default().push((pattern, effect));
        }
    }
    for at in 0..entities.len() {
        let entity = &entities[at];
        if entity.versions_of.is_some() {
            continue;
        }
        let mut changed = Attrs::NONE;
        let mut at_creation: Option<Attrs> = None;
        let mut given_to_create = Attrs::NONE;
        let mut grows = Attrs::NONE;
        let mut fixed = Attrs::NONE;
        let mut added: Attrs = all(entity).filter(|attr| entity.attribute(*attr).version).collect();
        for (pattern, effect) in writes.get(entity.name.as_str()).into_iter().flatten().copied() {
            match effect.action {
                Action::Create | Action::Put => {
                    let given: Attrs = inputs_of(pattern, entities, at).collect();
                    let given = given.union(handed(pattern, entities, at));
                    given_to_create = given_to_create.union(given);
                    let known = given.union(made_up(entity, given));
                    at_creation = Some(at_creation.map_or(known, |so_far| so_far.intersection(known)));
                    // Who puts an item over another writes all of it anew, or leaves it out.
                    let identity = entity.identity_set();
                    if effect.action == Action::Put && identity.is_subset(given) {
                        changed = changed.union(all(entity).collect::<Attrs>().minus(identity));
                    }
                }
                Action::Update | Action::Add { .. } => {
                    let sets = sets(pattern, effect, entities, at);
                    changed = changed.union(sets);
                    let more = adds(pattern, effect, entities, at);
                    grows = grows.union(more);
                    // Nor does it follow what one pattern changes in many items.
                    let plain = more.is_empty() && effect.removes.is_empty() && !effect.all;
                    fixed = if plain { fixed } else { fixed.union(sets) };
                    // Of many items at once nobody reads what each has.
                    added = if effect.all { added.union(more) } else { added };
                }
                Action::Delete => {}
            }
        }
        let required: Attrs = all(entity).filter(|attr| !entity.attribute(*attr).optional).collect();
        // An identifier that creates are given is as old as what it is taken from.
        let has_own_id = time_ordered_id(entity).is_some_and(|id| !given_to_create.contains(id));
        let entity = &mut entities[at];
        let not_given =
            at_creation.map_or(Attrs::NONE, |known| required.minus(known)).minus(entity.identity_set());
        // A primary key follows neither a number that grows nor what changes with it, or with what is removed: an item
        // that moves is written whole, from what was read, and a sum is told only to keys.
        entity.at_creation = at_creation.unwrap_or(required).minus(fixed);
        let tells = |attr: &Attr| {
            let it = entity.attribute(*attr);
            matches!(it.ty, Type::Integer | Type::Number) && !it.optional
        };
        let untold: Attrs = grows.iter().filter(|attr| !tells(attr)).collect();
        entity.added = added.union(untold);
        for position in 0..entity.attributes.len() {
            let attr = Attr::new(position);
            let facts = &mut entity.attributes[position];
            // An item that is created without it lacks it, whatever is declared; prices go on counting it.
            facts.optional |= not_given.contains(attr);
            facts.changes |= changed.contains(attr);
            facts.grows = grows.contains(attr);
            facts.creation_time = facts.ty == Type::Datetime
                && !facts.optional
                && !facts.changes
                && at_creation.is_some()
                && has_own_id
                && !given_to_create.contains(attr);
        }
    }
    note_versions(entities);
}

/// A version has all that its item has, and nothing of it comes later.
fn note_versions(entities: &mut [EntityFacts]) {
    for at in 0..entities.len() {
        let Some(of) = entities[at].versions_of else { continue };
        for attr in all(&entities[at]) {
            let name = entities[at].attribute(attr).name.clone();
            let lacked = entities[of].named(&name).is_some_and(|it| entities[of].attribute(it).optional);
            entities[at].attributes[attr.index()].optional |= lacked;
        }
        let entity = &entities[at];
        entities[at].at_creation = all(entity).filter(|attr| !entity.attribute(*attr).optional).collect();
    }
}

/// The attributes that an update changes.
pub(in crate::problem::resolve) fn sets(
    pattern: &Pattern,
    effect: &Effect,
    entities: &[EntityFacts],
    at: usize,
) -> Attrs {
    let entity = &entities[at];
    let mut sets: Attrs = effect.attributes.iter().filter_map(|name| entity.named(name)).collect();
    if let Action::Add { attribute, .. } = &effect.action {
        sets.extend(entity.named(attribute));
    } else if effect.attributes.iter().all(|name| effect.removes.contains(name)) {
        // What an input is to be equal to selects the item; only new values change it.
        let new = pattern.inputs().iter().filter(|it| matches!(it.role, Role::NewValue | Role::Increment));
        sets.extend(new.flat_map(|input| bound(input, entities, at)));
    }
    sets.extend(all(entity).filter(|attr| {
        let it = entity.attribute(*attr);
        let name = it.name.to_lowercase().replace('_', "");
        it.version || it.ty == Type::Datetime && UPDATE_TIMES.contains(&name.as_str())
    }));
    sets
}

/// Whether every update of an item sets the attribute: a version, or the time of the last change.
pub(crate) fn is_kept_by_updates(attribute: &Attribute) -> bool {
    let name = attribute.name.to_lowercase().replace('_', "");
    attribute.version.as_ref().is_some_and(|version| version.value)
        || attribute.ty.value == Type::Datetime && UPDATE_TIMES.contains(&name.as_str())
}

/// The numbers to which an effect adds what it is told, without reading them.
pub(super) fn adds(pattern: &Pattern, effect: &Effect, entities: &[EntityFacts], at: usize) -> Attrs {
    let grown = pattern.inputs().iter().filter(|input| input.role == Role::Increment);
    let mut adds: Attrs = grown.flat_map(|input| bound(input, entities, at)).collect();
    if let Action::Add { attribute, .. } = &effect.action {
        adds.extend(entities[at].named(attribute));
    }
    adds
}

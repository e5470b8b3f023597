//! Item types: keys from attributes, and the attributes themselves.

use keywright_model::design::{ItemAttribute, ItemKind, ItemType, KeyAssignment, KeyValue, Sparse};

use super::context::{Context, Place};
use super::key;
use super::scope::Scope;
use crate::existing;
use crate::form::Form;
use crate::key::{Part, PartValue};
use crate::problem::{Attrs, EntityFacts};

pub(super) fn items(context: &Context<'_>) -> Vec<ItemType> {
    let mut items = Vec::new();
    for entity in 0..context.problem.entities.len() {
        items.push(main(context, entity));
        for set in &context.entity(entity).unique {
            items.push(uniqueness(context, entity, *set));
        }
    }
    // What no entity stands for stays as it is.
    let others = context.existing.map_or(&[][..], |existing| existing.design.items.as_slice());
    for item in others {
        if !items.iter().any(|it| it.name == item.name) {
            items.push(item.clone());
        }
    }
    items
}

fn main(context: &Context<'_>, entity: usize) -> ItemType {
    let facts = context.entity(entity);
    let kept = context.existing.and_then(|existing| {
        let kept = existing.entities[entity].as_ref()?;
        Some(&existing.design.items[kept.item])
    });
    let mut keys = match kept {
        Some(item) => item.keys.iter().map(|key| renewed(facts, key)).collect(),
        None => key_assignments(context, entity, Place::Base),
    };
    for (_, number) in context.open_indexes(entity) {
        for key in key_assignments(context, entity, Place::Index(number)) {
            // An attribute may be part of several keys.
            if !keys.iter().any(|it| it.attribute == key.attribute) {
                keys.push(key);
            }
        }
    }
    ItemType {
        name: facts.name.clone(),
        kind: match facts {
            // There may be only one number.
            _ if facts.counter => ItemKind::Counter,
            _ if facts.singleton => ItemKind::Singleton,
            _ if facts.copy_of.is_some() => ItemKind::Copy,
            _ if facts.edge => ItemKind::Edge,
            _ => ItemKind::Main,
        },
        entities: std::iter::once(&context.entity(facts.copy_of.unwrap_or(entity)).name)
            .chain(facts.held.iter().map(|held| &held.name))
            .cloned()
            .collect(),
        table: context.table(entity),
        keys,
        attributes: (0..facts.attributes.len())
            .map(crate::problem::Attr::new)
            .map(|attr| ItemAttribute { entity: owner(facts, attr), ..attribute(context, entity, attr) })
            .collect(),
        description: description(context, entity),
    }
}

/// A key that is there, with the values that its enumerations have by now.
fn renewed(facts: &EntityFacts, key: &KeyAssignment) -> KeyAssignment {
    let value = match &key.value {
        KeyValue::Template(template) => KeyValue::Template(existing::renewed_template(facts, template)),
        KeyValue::Natural => KeyValue::Natural,
    };
    KeyAssignment { value, ..key.clone() }
}

/// The entity that an attribute comes from, where several lie in one item.
fn owner(facts: &EntityFacts, attr: crate::problem::Attr) -> Option<String> {
    let held = facts.held.iter().find(|held| held.attrs.contains(attr));
    let own = (!facts.held.is_empty()).then_some(&facts.name);
    held.map(|held| &held.name).or(own).cloned()
}

fn description(context: &Context<'_>, entity: usize) -> Option<String> {
    if let Some(original) = context.entity(entity).copy_of {
        return Some(format!("{} once more, for strong reads", context.entity(original).name));
    }
    if let Some(declared) = context.model.entities.get(entity) {
        return declared.description.as_ref().map(|it| it.value.clone());
    }
    let facts = context.entity(entity);
    let above = match facts.parents.first() {
        Some(link) => context.entity(link.parent).name.clone(),
        None => facts.names(facts.identity.iter().copied()).join(" and "),
    };
    if above.is_empty() {
        return Some(format!("{}, kept by the writes", facts.name));
    }
    Some(format!("{} for each {above}, kept by the writes", facts.name))
}

fn attribute(context: &Context<'_>, entity: usize, attr: crate::problem::Attr) -> ItemAttribute {
    let it = context.entity(entity).attribute(attr);
    ItemAttribute {
        name: it.name.clone(),
        ty: it.ty,
        optional: it.optional,
        values: it.values.clone(),
        max: it.max,
        entity: None,
    }
}

fn key_assignments(context: &Context<'_>, entity: usize, place: Place) -> Vec<KeyAssignment> {
    let facts = context.entity(entity);
    let path = context.chosen_path(entity, place);
    let gate = path.only.as_ref().map(|(attr, value)| Sparse {
        attribute: facts.attribute(*attr).name.clone(),
        equals: Some(value.clone()),
    });
    let holding = |attr: crate::problem::Attr| Sparse {
        attribute: facts.attribute(facts.stored(attr)).name.clone(),
        equals: None,
    };
    let optional = |attrs: Attrs| attrs.iter().find(|attr| facts.attribute(*attr).optional).map(holding);
    let generic = context.form(entity, place) == Form::Generic;
    let key = context.key(entity, place);
    key.parts()
        .map(|part| {
            // An attribute that is its own key is there when it is there; a string stands by its own attributes,
            // unless both strings of an index are made for each other.
            let sparse = match &part.value {
                PartValue::Own(_) => None,
                PartValue::Text(_) if generic => gate.clone().or_else(|| optional(path.attrs())),
                PartValue::Text(_) => gate.clone().or_else(|| optional(part.composed())),
            };
            assignment(facts, part, sparse)
        })
        .collect()
}

fn assignment(facts: &EntityFacts, part: &Part, sparse: Option<Sparse>) -> KeyAssignment {
    let value = match &part.value {
        PartValue::Own(_) => KeyValue::Natural,
        PartValue::Text(pieces) => KeyValue::Template(key::render(pieces, facts, &Scope::default())),
    };
    KeyAssignment { attribute: part.name.clone(), value, sparse }
}

fn uniqueness(context: &Context<'_>, entity: usize, set: Attrs) -> ItemType {
    let facts = context.entity(entity);
    let key = key::uniqueness(context, entity, set);
    let names = facts.names(set.iter()).join(", ");
    ItemType {
        name: context.uniqueness_name(entity, set),
        kind: ItemKind::Uniqueness,
        entities: vec![facts.name.clone()],
        table: context.uniqueness_table(entity, set),
        keys: match context.existing.and_then(|existing| existing.uniqueness(facts, set)) {
            Some((item, _)) => item.keys.clone(),
            None => key.parts().map(|part| assignment(facts, part, None)).collect(),
        },
        attributes: set
            .union(facts.identity_set())
            .iter()
            .map(|attr| attribute(context, entity, attr))
            .collect(),
        description: Some(format!("keeps {names} of {} unique", facts.name)),
    }
}

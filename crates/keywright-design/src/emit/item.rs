//! Item types: keys from attributes, and the attributes themselves.

use keywright_model::design::{ItemAttribute, ItemKind, ItemType, KeyAssignment, KeyValue, Sparse};

use super::context::{Context, Place};
use super::scope::Scope;
use super::template;
use crate::naming;
use crate::problem::Attrs;

pub(super) fn items(context: &Context<'_>) -> Vec<ItemType> {
    let mut items = Vec::new();
    for entity in 0..context.problem.entities.len() {
        items.push(main(context, entity));
        for set in &context.entity(entity).unique {
            items.push(uniqueness(context, entity, *set));
        }
    }
    items
}

fn main(context: &Context<'_>, entity: usize) -> ItemType {
    let facts = context.entity(entity);
    let mut keys = key_assignments(context, entity, Place::Base);
    for (_, number) in context.open_indexes(entity) {
        keys.extend(key_assignments(context, entity, Place::Index(number)));
    }
    let model = &context.model.entities[entity];
    ItemType {
        name: facts.name.clone(),
        kind: if facts.singleton { ItemKind::Singleton } else { ItemKind::Main },
        entities: vec![facts.name.clone()],
        table: context.table(),
        keys,
        attributes: (0..facts.attributes.len())
            .map(|at| attribute(context, entity, crate::problem::Attr::new(at)))
            .collect(),
        description: model.description.as_ref().map(|it| it.value.clone()),
    }
}

fn attribute(context: &Context<'_>, entity: usize, attr: crate::problem::Attr) -> ItemAttribute {
    let it = context.entity(entity).attribute(attr);
    ItemAttribute {
        name: it.name.clone(),
        ty: it.ty,
        optional: it.optional,
        values: it.values.clone(),
        entity: None,
    }
}

fn key_assignments(context: &Context<'_>, entity: usize, place: Place) -> Vec<KeyAssignment> {
    let facts = context.entity(entity);
    let own = Scope::default();
    let path = context.chosen_path(entity, place);
    let (partition, sort) = context.key_names(place);
    let gate = path.only.as_ref().map(|(attr, value)| Sparse {
        attribute: facts.attribute(*attr).name.clone(),
        equals: Some(value.clone()),
    });
    let optional = path.attrs().iter().find(|attr| facts.attribute(*attr).optional);
    let sparse = gate.or_else(|| {
        optional.map(|attr| Sparse { attribute: facts.attribute(attr).name.clone(), equals: None })
    });
    let mut keys = vec![KeyAssignment {
        attribute: partition,
        value: KeyValue::Template(template::partition(context, entity, place, &own, false)),
        sparse: sparse.clone(),
    }];
    if place != Place::Base || context.has_sort_key() {
        keys.push(KeyAssignment {
            attribute: sort,
            value: KeyValue::Template(template::sort(context, entity, place, &own)),
            sparse,
        });
    }
    keys
}

/// The key of a uniqueness item, with values from a scope.
pub(super) fn uniqueness_key(context: &Context<'_>, entity: usize, set: Attrs, scope: &Scope) -> String {
    let facts = context.entity(entity);
    let mut key = naming::upper(&naming::uniqueness_type(facts, set));
    for attr in set.iter() {
        key.push('#');
        key.push_str(&scope.segment(facts, attr, false));
    }
    key
}

fn uniqueness(context: &Context<'_>, entity: usize, set: Attrs) -> ItemType {
    let facts = context.entity(entity);
    let key = uniqueness_key(context, entity, set, &Scope::default());
    let assignment = |attribute: &str| KeyAssignment {
        attribute: attribute.to_owned(),
        value: KeyValue::Template(key.clone()),
        sparse: None,
    };
    let mut keys = vec![assignment("pk")];
    if context.has_sort_key() {
        keys.push(assignment("sk"));
    }
    let held = set.union(facts.identity_set());
    let names = facts.names(set.iter()).join(", ");
    ItemType {
        name: naming::uniqueness_type(facts, set),
        kind: ItemKind::Uniqueness,
        entities: vec![facts.name.clone()],
        table: context.table(),
        keys,
        attributes: held.iter().map(|attr| attribute(context, entity, attr)).collect(),
        description: Some(format!("keeps {names} of {} unique", facts.name)),
    }
}

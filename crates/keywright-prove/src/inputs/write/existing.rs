//! Which of the records that exist a write's inputs name.

use keywright_dynamodb::value::AttributeValue;
use keywright_model::Model;
use keywright_model::model::{
    Cardinality, ConditionKind, ConditionValue, Entity, Pattern, Relationship, Role, Write,
};

use super::{Lead, existing_entities, new_entities};
use crate::data::{Values, fan_out, many};
use crate::inputs::given_inputs;
use crate::interpret::{Inputs, as_integer, key};
use crate::oracle::{binding, is_met, said};
use crate::world::{Record, World, identity};

/// How often a record is drawn where not every one will do, before all are looked through.
const TRIES: usize = 16;
/// Among so many records the nearest to a state is looked for.
const LOOKED_AT: usize = 1_000;

/// Whether a record breaks a condition on one of its attributes.
pub(super) fn is_unfit(model: &Model, write: &Write, entity: &Entity, record: &Record) -> bool {
    unmet(model, write, entity, record).next().is_some()
}

/// The conditions on attributes of an entity that a record of it does not meet, whatever the inputs are.
fn unmet<'m>(
    model: &Model,
    write: &'m Write,
    entity: &Entity,
    record: &Record,
) -> impl Iterator<Item = &'m ConditionKind> {
    let conditions = write.conditions.iter().map(|condition| &condition.kind);
    let own = conditions.filter(|condition| match condition {
        ConditionKind::Compare { attribute, .. }
        | ConditionKind::OneOf { attribute, .. }
        | ConditionKind::Held { attribute, .. } => attribute.entity == entity.name,
        _ => false,
    });
    own.filter(|condition| is_met(model, condition, record, &Inputs::new()) == Some(false))
}

/// How far a record is from what the conditions of a write want: how many it does not meet, and by how much its numbers
/// differ.
fn distance(model: &Model, write: &Write, entity: &Entity, record: &Record) -> (usize, u64) {
    let number = |value: &AttributeValue| value.as_n().and_then(as_integer);
    unmet(model, write, entity, record).fold((0, 0), |(count, gap), condition| {
        let differs = match condition {
            ConditionKind::Compare { attribute, value, .. } => {
                let wanted = match value {
                    ConditionValue::Literal(literal) => number(&key::literal(literal)),
                    ConditionValue::Attribute(name) => record.get(name).and_then(number),
                    ConditionValue::Input(_) => None,
                };
                let own = record.get(&attribute.attribute).and_then(number).unwrap_or(0);
                wanted.map_or(0, |wanted| own.abs_diff(wanted))
            }
            _ => 0,
        };
        (count + 1, u64::saturating_add(gap, differs))
    })
}

/// A record that agrees with the inputs so far, and holds all that they say of it, where there is such a one.
pub(super) fn pick_whole<'w>(
    model: &Model,
    world: &'w World,
    pattern: &Pattern,
    entity: &Entity,
    inputs: &Inputs,
    values: &mut Values,
) -> Option<&'w Record> {
    let said = all_said(model, pattern, entity, inputs);
    if said.iter().all(|(name, _)| entity.identity_names().any(|identity| identity == *name)) {
        return None;
    }
    let from = values.random().index(world.slots(&entity.name));
    world.one_near(&entity.name, &said, from, |record| holds(record, &said))
}

/// What the inputs so far say of a record by equality.
fn all_said<'i>(
    model: &'i Model,
    pattern: &'i Pattern,
    entity: &Entity,
    inputs: &'i Inputs,
) -> Vec<(&'i str, &'i [AttributeValue])> {
    given_inputs(pattern)
        .filter(|input| input.role == Role::Equal)
        .filter_map(|input| Some((binding(model, input, &entity.name)?, inputs.get(&input.name)?.all())))
        .collect()
}

fn holds(record: &Record, said: &[(&str, &[AttributeValue])]) -> bool {
    said.iter().all(|(name, values)| record.get(*name).is_some_and(|value| values.contains(value)))
}

/// A record that agrees with the inputs so far; early ones more often, so that some parents have many children, yet none
/// that has more of them already than the document lets one expect.
pub(super) fn pick<'w>(
    model: &Model,
    world: &'w World,
    pattern: &Pattern,
    entity: &Entity,
    inputs: &Inputs,
    values: &mut Values,
) -> Option<&'w Record> {
    let full = limits(model, pattern, entity);
    let usual = usual(model, pattern, entity);
    let reached = |limits: &[Most<'_>], record: &Record| limits.iter().any(|it| it.is_reached(world, record));
    let fits = |record: &Record| agrees(model, pattern, entity, inputs, record) && !reached(&full, record);
    let count = world.count(&entity.name);
    let mut found = None;
    for _ in 0..if full.is_empty() && usual.is_empty() { 1 } else { TRIES } {
        let (a, b) = (values.random().index(count), values.random().index(count));
        let at = if values.random().percent(50) { a.min(b) / 2 } else { a };
        let Some(record) = world.some(&entity.name, at).filter(|record| fits(record)) else { continue };
        if !reached(&usual, record) {
            return Some(record);
        }
        found = found.or(Some(record));
    }
    found.or_else(|| {
        let fixed: Vec<(&str, &[AttributeValue])> = given_inputs(pattern)
            .filter_map(|input| {
                Some((said(model, pattern, input, &entity.name)?, inputs.get(&input.name)?.all()))
            })
            .filter(|(name, _)| entity.identity_names().any(|identity| identity == *name))
            .collect();
        world.one_near(&entity.name, &fixed, values.random().index(count), fits)
    })
}

/// The record that agrees with the inputs so far and is nearest to the state in which a write takes place, and of those
/// the nearest to where it leads.
pub(super) fn nearest<'w>(
    model: &Model,
    world: &'w World,
    pattern: &Pattern,
    entity: &Entity,
    inputs: &Inputs,
    (lead, whole): (Lead<'_>, bool),
    values: &mut Values,
) -> Option<&'w Record> {
    let full = limits(model, pattern, entity);
    let said = if whole { all_said(model, pattern, entity, inputs) } else { Vec::new() };
    let from = values.random().index(world.slots(&entity.name));
    let recent = lead.recent.iter().filter(|change| change.entity == entity.name);
    let recent =
        recent.filter_map(|change| world.get(&entity.name, &identity(entity, change.after.as_ref()?)));
    let slots = (from..world.slots(&entity.name)).chain(0..from);
    let others = slots.filter_map(|slot| world.slot(&entity.name, slot)).take(LOOKED_AT);
    recent
        .chain(others)
        .filter(|record| agrees(model, pattern, entity, inputs, record))
        .filter(|record| !full.iter().any(|limit| limit.is_reached(world, record)))
        .min_by_key(|record| {
            let to = |write: &Write| distance(model, write, entity, record);
            (!holds(record, &said), pattern.write().map(to), lead.toward.map(to))
        })
}

/// Whether a record is the one that the inputs so far identify, as far as they do.
fn agrees(model: &Model, pattern: &Pattern, entity: &Entity, inputs: &Inputs, record: &Record) -> bool {
    given_inputs(pattern).all(|input| {
        let Some(given) = inputs.get(&input.name) else { return true };
        let Some(name) = said(model, pattern, input, &entity.name) else { return true };
        !entity.identity_names().any(|identity| identity == name)
            || record.get(name).is_some_and(|value| given.all().contains(value))
    })
}

/// As many children as a parent has at most, by the document.
struct Most<'m> {
    child: &'m str,
    /// The parent's identifying attributes, and the child's that hold them.
    via: Vec<(&'m str, &'m str)>,
    most: u64,
}

impl Most<'_> {
    fn is_reached(&self, world: &World, parent: &Record) -> bool {
        let held: Option<Vec<(&str, &AttributeValue)>> =
            self.via.iter().map(|(name, via)| Some((*via, parent.get(*name)?))).collect();
        held.is_some_and(|held| world.holds_as_many(self.child, &held, self.most))
    }
}

/// The stated maxima of the children that a pattern gives a parent, unless it is a condition that is to see to them.
fn limits<'m>(model: &'m Model, pattern: &Pattern, parent: &'m Entity) -> Vec<Most<'m>> {
    let Some(write) = pattern.write() else { return Vec::new() };
    if write.conditions.iter().any(|it| matches!(it.kind, ConditionKind::AtMost { .. })) {
        return Vec::new();
    }
    of_children(model, write, parent, |relationship| match *relationship.cardinality {
        Cardinality::OneToOne => Some(1),
        _ => relationship.fan_out.max.as_ref().map(|max| max.value),
    })
}

/// As many of the children that a pattern gives a parent as a parent has where it has many.
fn usual<'m>(model: &'m Model, pattern: &Pattern, parent: &'m Entity) -> Vec<Most<'m>> {
    let Some(write) = pattern.write() else { return Vec::new() };
    of_children(model, write, parent, |relationship| {
        Some(many(fan_out(model, &relationship.parent, &relationship.child)?))
    })
}

/// As many as that of the children that a write gives a parent.
fn of_children<'m>(
    model: &'m Model,
    write: &Write,
    parent: &'m Entity,
    most: impl Fn(&Relationship) -> Option<u64>,
) -> Vec<Most<'m>> {
    let new = new_entities(model, write);
    let relationships =
        model.relationships.iter().filter(|it| it.parent == parent.name && !it.via.is_empty());
    relationships
        .filter(|relationship| new.contains(&relationship.child.as_str()))
        .filter_map(|relationship| {
            let via = parent.identity_names().zip(relationship.via.iter().map(String::as_str));
            Some(Most { child: &relationship.child, via: via.collect(), most: most(relationship)? })
        })
        .collect()
}

/// Whether the inputs name a parent that has as many children as the document says that there are at most.
pub(super) fn is_crowded(
    model: &Model,
    world: &World,
    pattern: &Pattern,
    write: &Write,
    inputs: &Inputs,
) -> bool {
    existing_entities(model, pattern, write).into_iter().any(|(parent, _)| {
        let named: Record = given_inputs(pattern)
            .filter_map(|input| {
                let name = binding(model, input, &parent.name)?;
                Some((name.to_owned(), inputs.get(&input.name)?.one()?.clone()))
            })
            .collect();
        limits(model, pattern, parent).iter().any(|limit| limit.is_reached(world, &named))
    })
}

//! Inputs of reads.

use std::collections::BTreeMap;

use keywright_dynamodb::value::AttributeValue;
use keywright_model::Model;
use keywright_model::design::Operation;
use keywright_model::model::{AttributeRef, Input, Pattern, Relationship, Role, Type};

use crate::data::{absent_value, neighbours};
use crate::inputs::{InputSet, attribute_of, given_for, given_inputs, is_key_value, stated_type};
use crate::interpret::{Given, Inputs, key};
use crate::oracle::{binding, compare_attribute, select};
use crate::random::Random;
use crate::world::{Record, World};

/// How many records of each entity serve as samples.
const SAMPLES: usize = 7;
/// Among so many records those are looked for that few are like.
const LOOKED_AT: usize = 60;
/// More records than this in one answer take long to compare.
const MANY: usize = 500;

/// Sets of inputs for a read, each once.
pub(crate) fn for_read(
    model: &Model,
    world: &World,
    pattern: &Pattern,
    operation: &Operation,
    random: &mut Random,
) -> Vec<InputSet> {
    let mut sets: Vec<InputSet> = Vec::new();
    let mut add = |inputs: Inputs, typical: bool| {
        if is_complete(operation, &inputs) && !sets.iter().any(|set| set.inputs == inputs) {
            sets.push(InputSet { inputs, typical });
        }
    };
    for entity in sampled(model, pattern) {
        for (at, record) in samples(world, entity, random).into_iter().enumerate() {
            let equal = equalities(model, pattern, entity, record);
            for (inputs, typical) in with_ranges(model, world, pattern, entity, record, &equal) {
                for inputs in with_lists(model, world, pattern, entity, inputs) {
                    let fewer = without_optional(pattern, &inputs, at);
                    add(inputs, typical);
                    add(fewer, false);
                }
            }
            for hostile in near(model, pattern, &equal) {
                let ranged = with_ranges(model, world, pattern, entity, record, &hostile);
                ranged.into_iter().take(1).for_each(|(inputs, _)| add(inputs, false));
            }
        }
    }
    for entity in sampled(model, pattern) {
        let Some(record) = crowded(model, world, pattern, entity) else { continue };
        let equal = equalities(model, pattern, entity, record);
        for (inputs, _) in with_ranges(model, world, pattern, entity, record, &equal) {
            add(inputs, false);
        }
        let beside = childless(model, world, pattern, entity).into_iter();
        for record in beside {
            let equal = equalities(model, pattern, entity, &record);
            let ranged = with_ranges(model, world, pattern, entity, &record, &equal);
            ranged.into_iter().take(1).for_each(|(inputs, _)| add(inputs, false));
        }
        for name in half_named(model, pattern, entity) {
            let Some((record, namesake)) = namesakes(model, world, entity, name) else { continue };
            let mixed = record.iter().map(|(own, value)| {
                let value = if own == name { namesake.get(name).unwrap_or(value) } else { value };
                (own.clone(), value.clone())
            });
            add(equalities(model, pattern, entity, &mixed.collect()), false);
        }
    }
    add(nobody(model, pattern, operation), false);
    sets
}

/// The record with the most others that the same inputs find, as far as they are not too many: an order shows only where
/// there are several.
fn crowded<'w>(model: &Model, world: &'w World, pattern: &Pattern, entity: &str) -> Option<&'w Record> {
    let sorted = pattern.read().into_iter().flat_map(|read| &read.sort);
    let needed = sorted.filter(|sort| sort.attribute.entity == entity).map(|sort| &sort.attribute.attribute);
    let needed: Vec<&String> = needed.collect();
    let fits = |record: &&Record| {
        needed.iter().all(|name| record.contains_key(*name))
            && pattern.inputs().iter().all(|input| {
                let selects = matches!(input.role, Role::Equal | Role::Within(_));
                let held = || binding(model, input, entity).map(|name| record.get(name));
                match (selects.then(held).flatten(), &input.constant) {
                    (Some(value), Some(constant)) => value.is_some_and(|value| key::same(value, constant)),
                    (Some(value), None) => value.is_some(),
                    (None, _) => true,
                }
            })
    };
    let mut crowds: BTreeMap<Vec<AttributeValue>, (usize, &Record)> = BTreeMap::new();
    for record in world.records(entity).filter(fits) {
        let equal = equalities(model, pattern, entity, record);
        let values = equal.into_values().filter_map(|given| given.one().cloned()).collect();
        crowds.entry(values).or_insert((0, record)).0 += 1;
    }
    let worth = |count: usize| if count <= MANY { (1, count) } else { (0, usize::MAX - count) };
    crowds.into_values().max_by_key(|(count, _)| worth(*count)).map(|(_, record)| record)
}

/// Parents that have no such record yet, one of each kind, as far as the inputs name them: what they would hold who belong
/// there. Where two lie in one item, only these show that one of them is missing.
fn childless(model: &Model, world: &World, pattern: &Pattern, entity: &str) -> Vec<Record> {
    let named = |name: &String| {
        let mut inputs = given_inputs(pattern).filter(|input| input.role == Role::Equal && !input.list);
        inputs.any(|input| binding(model, input, entity) == Some(name))
    };
    let parents = model.parents_of(entity).filter(|it| !it.via.is_empty() && it.via.iter().all(named));
    let held = |relationship: &Relationship| {
        let parent = model.entity(&relationship.parent)?;
        let via = || parent.identity_names().zip(&relationship.via);
        let is_alone = |record: &&Record| {
            let held: Option<Vec<(&str, &AttributeValue)>> =
                via().map(|(name, via)| Some((via.as_str(), record.get(name)?))).collect();
            held.is_some_and(|held| !world.holds_as_many(entity, &held, 1))
        };
        let alone = world.slots_from(&parent.name, 0).take(LOOKED_AT).find(is_alone)?;
        via().map(|(name, via)| Some((via.clone(), alone.get(name)?.clone()))).collect()
    };
    parents.filter_map(held).collect()
}

/// The attributes of an identity that a read gives where it does not give all of it, but something else: what it finds by
/// that may be somebody else's who is called the same.
pub(crate) fn half_named<'m>(model: &'m Model, pattern: &'m Pattern, entity: &str) -> Vec<&'m str> {
    let Some(owner) = model.entity(entity) else { return Vec::new() };
    let equal = given_inputs(pattern).filter(|input| input.role == Role::Equal && !input.list);
    let given: Vec<&str> = equal.filter_map(|input| binding(model, input, entity)).collect();
    let (parts, others): (Vec<&str>, Vec<&str>) =
        given.into_iter().partition(|name| owner.identity_names().any(|identity| identity == *name));
    if others.is_empty() || parts.len() >= owner.identity.len() { Vec::new() } else { parts }
}

/// Two records that have the same identity but for one attribute.
pub(crate) fn namesakes<'w>(
    model: &Model,
    world: &'w World,
    entity: &str,
    name: &str,
) -> Option<(&'w Record, &'w Record)> {
    let owner = model.entity(entity)?;
    world.slots_from(entity, 0).take(LOOKED_AT).find_map(|record| {
        let others = owner.identity_names().filter(|other| *other != name);
        let held: Option<Vec<(&str, &[AttributeValue])>> =
            others.map(|other| Some((other, std::slice::from_ref(record.get(other)?)))).collect();
        let held = held?;
        let near = world.near(entity, &held).into_iter();
        let mut same = near.filter(|it| held.iter().all(|(other, values)| it.get(*other) == values.first()));
        same.find(|it| it.get(name) != record.get(name)).map(|namesake| (record, namesake))
    })
}

/// The entities whose records give inputs: those of the answer, and links that inputs speak of to find it.
fn sampled<'m>(model: &'m Model, pattern: &'m Pattern) -> Vec<&'m str> {
    let mut names: Vec<&str> = pattern.entities.iter().map(|name| name.value.as_str()).collect();
    for input in pattern.inputs().iter().filter(|input| input.role == Role::Equal) {
        let binds = |name: &&str| binding(model, input, name).is_some();
        if let (false, [only]) = (names.iter().any(binds), input.binds.as_slice()) {
            names.push(&only.entity);
        }
    }
    names
}

/// The inputs that lead to one record: what it holds by equality, and ranges that end in its own value.
pub(crate) fn of_record(
    model: &Model,
    pattern: &Pattern,
    operation: &Operation,
    entity: &str,
    record: &Record,
) -> Option<InputSet> {
    let mut inputs = equalities(model, pattern, entity, record);
    for input in given_inputs(pattern) {
        let Some(value) = binding(model, input, entity).and_then(|name| record.get(name)) else { continue };
        let value = given_for(input, value.clone());
        let given = if input.list { Given::Many(vec![value]) } else { Given::One(value) };
        inputs.entry(input.name.clone()).or_insert(given);
    }
    is_complete(operation, &inputs).then_some(InputSet { inputs, typical: false })
}

/// Whether every value is there that the operation can't do without.
fn is_complete(operation: &Operation, inputs: &Inputs) -> bool {
    operation
        .inputs
        .iter()
        .filter(|parameter| !parameter.optional && !matches!(parameter.role, Role::Limit | Role::Cursor))
        .all(|parameter| inputs.contains_key(&parameter.name))
}

/// The first and the last record, and some between.
fn samples<'w>(world: &'w World, entity: &str, random: &mut Random) -> Vec<&'w Record> {
    let count = world.count(entity);
    let mut places: Vec<usize> = (2..SAMPLES).map(|_| random.index(count)).collect();
    places.sort_unstable();
    places.dedup();
    let between = places.into_iter().filter_map(|at| world.some(entity, at));
    world.ends(entity).into_iter().flatten().chain(between).collect()
}

/// What the record gives for inputs by equality.
fn equalities(model: &Model, pattern: &Pattern, entity: &str, record: &Record) -> Inputs {
    given_inputs(pattern)
        .filter(|input| matches!(input.role, Role::Equal | Role::Within(_)) && !input.list)
        .filter_map(|input| {
            let name = binding(model, input, entity);
            let value = match name.and_then(|name| record.get(name)) {
                Some(value) => value.clone(),
                None => absent_value(attribute_of(model, input, &[entity])?.1),
            };
            Some((input.name.clone(), Given::One(given_for(input, value))))
        })
        .collect()
}

/// The equalities together with ranges and prefixes around what they select; whether the set is a typical one.
fn with_ranges(
    model: &Model,
    world: &World,
    pattern: &Pattern,
    entity: &str,
    record: &Record,
    equal: &Inputs,
) -> Vec<(Inputs, bool)> {
    let mut sets = vec![(equal.clone(), true)];
    let ranged = given_inputs(pattern)
        .filter(|input| matches!(input.role, Role::Lower(_) | Role::Upper(_) | Role::Prefix));
    for input in ranged {
        let Some((owner, attribute)) = attribute_of(model, input, &[entity]) else { continue };
        let named = AttributeRef::new(&owner.name, &attribute.name);
        let values = match input.role {
            Role::Prefix => prefixes(record.get(&attribute.name)),
            _ => bounds(model, world, pattern, &named, equal, absent_value(attribute)),
        };
        let is_upper = matches!(input.role, Role::Upper(_));
        let mut next = Vec::new();
        for (set, typical) in &sets {
            for (step, value) in values.iter().enumerate() {
                // DynamoDB refuses a range whose upper bound lies below the lower one, and so does any caller.
                let inverted = is_upper
                    && lower_of(model, pattern, &named, set).is_some_and(|lower| {
                        compare_attribute(model, &named, Some(value), Some(lower)).is_lt()
                    });
                if !inverted {
                    let mut set = set.clone();
                    set.insert(input.name.clone(), Given::One(value.clone()));
                    next.push((set, *typical && step <= 1));
                }
            }
        }
        sets = next;
    }
    sets
}

/// The lower bound on the attribute that the set already has.
fn lower_of<'i>(
    model: &Model,
    pattern: &Pattern,
    attribute: &AttributeRef,
    set: &'i Inputs,
) -> Option<&'i AttributeValue> {
    given_inputs(pattern)
        .filter(|input| matches!(input.role, Role::Lower(_)))
        .filter(|input| binding(model, input, &attribute.entity) == Some(&attribute.attribute))
        .find_map(|input| set.get(&input.name)?.one())
}

/// Values at the ends, in the middle and beyond of what the equalities select.
fn bounds(
    model: &Model,
    world: &World,
    pattern: &Pattern,
    attribute: &AttributeRef,
    equal: &Inputs,
    beyond: AttributeValue,
) -> Vec<AttributeValue> {
    let mut values: Vec<AttributeValue> = select(model, world, pattern, &attribute.entity, equal, &[])
        .into_iter()
        .filter_map(|record| record.get(&attribute.attribute).cloned())
        .collect();
    values.sort_by(|a, b| compare_attribute(model, attribute, Some(a), Some(b)));
    values.dedup();
    let picks = [0, values.len().saturating_sub(1), values.len() / 2];
    let mut chosen: Vec<AttributeValue> = Vec::new();
    for value in picks.iter().filter_map(|at| values.get(*at)).chain([&beyond]) {
        if !chosen.contains(value) {
            chosen.push(value.clone());
        }
    }
    chosen
}

/// Half of the text, the whole, its first character, and what only looks like a prefix.
fn prefixes(value: Option<&AttributeValue>) -> Vec<AttributeValue> {
    let Some(text) = value.and_then(AttributeValue::as_s) else { return vec!["a".into()] };
    let count = text.chars().count();
    let cut = |length: usize| -> AttributeValue { text.chars().take(length).collect::<String>().into() };
    let mut prefixes = vec![cut(count.div_ceil(2)), cut(count), cut(1), format!("{text}#").into()];
    prefixes.retain(is_key_value);
    prefixes.dedup();
    prefixes
}

/// List inputs: one value, a few with one that is nobody's, and more than one batch holds.
fn with_lists(model: &Model, world: &World, pattern: &Pattern, entity: &str, inputs: Inputs) -> Vec<Inputs> {
    let lists: Vec<&Input> = given_inputs(pattern).filter(|input| input.list).collect();
    if lists.is_empty() {
        return vec![inputs];
    }
    let mut sets = Vec::new();
    for count in [1usize, 3, 120] {
        let mut set = inputs.clone();
        for input in &lists {
            let Some(name) = binding(model, input, entity) else { continue };
            let mut values: Vec<AttributeValue> =
                world.records(entity).filter_map(|record| record.get(name).cloned()).take(count).collect();
            if count > 1 {
                values.extend(
                    attribute_of(model, input, &[entity]).map(|(_, attribute)| absent_value(attribute)),
                );
            }
            values.sort();
            values.dedup();
            set.insert(input.name.clone(), Given::Many(values));
        }
        sets.push(set);
    }
    sets
}

/// The same without the optional inputs: all of them, or every second one.
fn without_optional(pattern: &Pattern, inputs: &Inputs, at: usize) -> Inputs {
    let optional = given_inputs(pattern).filter(|input| input.optional).map(|input| input.name.as_str());
    let mut fewer = inputs.clone();
    for (place, name) in optional.enumerate() {
        if at.is_multiple_of(2) || place % 2 == at % 2 {
            fewer.remove(name);
        }
    }
    fewer
}

/// Texts near those of the equalities: prefixes and extensions of names, other tenants.
fn near(model: &Model, pattern: &Pattern, equal: &Inputs) -> Vec<Inputs> {
    let mut sets = Vec::new();
    for input in given_inputs(pattern).filter(|input| input.role == Role::Equal) {
        let free = attribute_of(model, input, &[])
            .is_some_and(|(_, attribute)| matches!(*attribute.ty, Type::String | Type::Text));
        let text = equal.get(&input.name).and_then(Given::one).and_then(AttributeValue::as_s);
        for other in text.into_iter().filter(|_| free).flat_map(neighbours) {
            let mut set = equal.clone();
            set.insert(input.name.clone(), Given::One(other.into()));
            sets.push(set);
        }
    }
    sets
}

/// Values that no record has.
fn nobody(model: &Model, pattern: &Pattern, operation: &Operation) -> Inputs {
    given_inputs(pattern)
        .filter_map(|input| {
            let value = match attribute_of(model, input, &[]) {
                Some((_, attribute)) => given_for(input, absent_value(attribute)),
                None => {
                    stated_type(operation, input)?;
                    "nobody".into()
                }
            };
            let given = if input.list { Given::Many(vec![value]) } else { Given::One(value) };
            Some((input.name.clone(), given))
        })
        .collect()
}

//! Which records the inputs of a pattern select.

use std::cmp::Ordering;

use keywright_dynamodb::value::AttributeValue;
use keywright_model::Model;
use keywright_model::model::{AttributeRef, Bound, Input, Pattern, Role};

use crate::interpret::{Given, Inputs, key};
use crate::oracle::order::compare_attribute;
use crate::world::{Record, World};

/// The attribute of an entity that an input speaks of: bound by the document, or through a relationship in which
/// the child's attribute holds the parent's identity.
pub(crate) fn binding<'m>(model: &'m Model, input: &'m Input, entity: &str) -> Option<&'m str> {
    if let Some(bind) = input.binds.iter().find(|bind| bind.entity == entity) {
        return Some(&bind.attribute);
    }
    input.binds.iter().find_map(|bind| across(model, bind, entity))
}

/// The same within a pattern: what an input says only because it points to the same, it does not say where another input of
/// the pattern has the very name, as `owner` says whose a repository is that somebody else (`login`) likes.
pub(crate) fn said<'m>(
    model: &'m Model,
    pattern: &Pattern,
    input: &'m Input,
    entity: &str,
) -> Option<&'m str> {
    let name = binding(model, input, entity)?;
    let own = |bind: &AttributeRef| bind.entity == entity && bind.attribute == name;
    let points =
        model.entity(entity).and_then(|it| it.attribute(name)).is_some_and(|it| it.reference.is_some());
    let says = |other: &Input| {
        let same = other.role == Role::Equal && other.name == name && input.name != name;
        same && binding(model, other, entity) == Some(name)
    };
    let another = input.role == Role::Equal
        && (points || !input.binds.iter().any(own))
        && pattern.inputs().iter().any(says);
    (!another).then_some(name)
}

/// The attribute of `entity` that holds the same value as the bound one, in a parent or a child of its entity.
fn across<'m>(model: &'m Model, bind: &AttributeRef, entity: &str) -> Option<&'m str> {
    model.relationships.iter().find_map(|relationship| {
        let parent = model.entity(&relationship.parent)?;
        let mut pairs = parent.identity_names().zip(relationship.via.iter().map(String::as_str));
        if relationship.parent == bind.entity && relationship.child == entity {
            pairs.find(|(identity, _)| *identity == bind.attribute).map(|(_, via)| via)
        } else if relationship.child == bind.entity && relationship.parent == entity {
            pairs.find(|(_, via)| *via == bind.attribute).map(|(identity, _)| identity)
        } else {
            None
        }
    })
}

/// Whether an input says what an attribute of the entity is before the write, though the write gives it another value.
pub(crate) fn is_expected(pattern: &Pattern, input: &Input, entity: &str) -> bool {
    input.binds.iter().any(|bind| bind.entity == entity && pattern.expects(input, bind))
}

/// What the caller gives for an input: the constant, the given value, or nothing.
fn given(input: &Input, inputs: &Inputs) -> Option<Given> {
    match &input.constant {
        Some(constant) => Some(Given::One(key::literal(constant))),
        None => inputs.get(&input.name).cloned(),
    }
}

/// Whether a record meets all inputs that select; `skip` names attributes that the pattern writes instead.
fn matches(
    model: &Model,
    pattern: &Pattern,
    entity: &str,
    inputs: &Inputs,
    skip: &[String],
    record: &Record,
) -> bool {
    pattern.inputs().iter().all(|input| {
        let Some(attribute) = said(model, pattern, input, entity) else { return true };
        let skipped = skip.iter().any(|name| name == attribute);
        if skipped && !is_expected(pattern, input, entity) {
            return true;
        }
        let Some(given) = given(input, inputs) else { return true };
        meets(model, entity, input.role, attribute, &given, record.get(attribute))
    })
}

fn meets(
    model: &Model,
    entity: &str,
    role: Role,
    attribute: &str,
    given: &Given,
    value: Option<&AttributeValue>,
) -> bool {
    let selects =
        matches!(role, Role::Equal | Role::Lower(_) | Role::Upper(_) | Role::Prefix | Role::Within(_));
    if !selects {
        return true;
    }
    // An equality, a range or an order on an optional attribute wants only records that hold it.
    let Some(value) = value else { return false };
    let named = AttributeRef::new(entity, attribute);
    let against = |other: &AttributeValue| compare_attribute(model, &named, Some(value), Some(other));
    match role {
        Role::Equal => given.all().iter().any(|other| value == other),
        Role::Lower(bound) => given.one().is_some_and(|other| match against(other) {
            Ordering::Greater => true,
            Ordering::Equal => bound == Bound::Inclusive,
            Ordering::Less => false,
        }),
        Role::Upper(bound) => given.one().is_some_and(|other| match against(other) {
            Ordering::Less => true,
            Ordering::Equal => bound == Bound::Inclusive,
            Ordering::Greater => false,
        }),
        Role::Prefix => match (value.as_s(), given.one().and_then(AttributeValue::as_s)) {
            (Some(value), Some(prefix)) => value.starts_with(prefix),
            _ => false,
        },
        Role::Within(period) => match (value.as_s(), given.one().and_then(AttributeValue::as_s)) {
            (Some(value), Some(given)) => value.get(..period.width()) == Some(given),
            _ => false,
        },
        Role::NewValue | Role::Increment | Role::Amount | Role::Limit | Role::Cursor | Role::Unknown => true,
    }
}

/// The records of an entity that a pattern's inputs select. An entity that no input speaks of is reached through a
/// relationship with one that they do.
pub(crate) fn select<'w>(
    model: &Model,
    world: &'w World,
    pattern: &Pattern,
    entity: &str,
    inputs: &Inputs,
    skip: &[String],
) -> Vec<&'w Record> {
    let selected = |entity: &str| -> Vec<&'w Record> {
        let mut records = near(model, world, pattern, entity, inputs, skip);
        records.retain(|record| matches(model, pattern, entity, inputs, skip, record));
        records
    };
    let constrained = |entity: &str| {
        pattern.inputs().iter().any(|input| {
            matches!(input.role, Role::Equal)
                && said(model, pattern, input, entity)
                    .is_some_and(|name| !skip.iter().any(|other| other == name))
        })
    };
    if constrained(entity) {
        return selected(entity);
    }
    // What the inputs speak of may be a link that is no part of the answer.
    let bound = pattern.inputs().iter().flat_map(|input| &input.binds).map(|bind| bind.entity.as_str());
    let mut peers: Vec<&str> = pattern.entities.iter().map(|name| name.value.as_str()).chain(bound).collect();
    peers.sort_unstable();
    peers.dedup();
    peers.retain(|peer| is_linked(model, entity, peer) && constrained(peer));
    let found: Vec<(&str, Vec<&Record>)> = peers.into_iter().map(|peer| (peer, selected(peer))).collect();
    let Some((first, others)) = found.first() else { return selected(entity) };
    // Whoever is linked holds what the others hold.
    let shared = shared_values(model, entity, first, others);
    let held: Vec<(&str, &[AttributeValue])> =
        shared.iter().map(|(name, values)| (*name, values.as_slice())).collect();
    let mut records = world.near(entity, &held);
    records.retain(|record| matches(model, pattern, entity, inputs, skip, record));
    for (peer, others) in &found {
        records.retain(|record| others.iter().any(|other| related(model, entity, record, peer, other)));
    }
    records
}

/// The attributes of an entity that a relationship with a peer makes equal to those of its records, with their values.
fn shared_values<'m>(
    model: &'m Model,
    entity: &str,
    peer: &str,
    others: &[&Record],
) -> Vec<(&'m str, Vec<AttributeValue>)> {
    let mut shared = Vec::new();
    for relationship in &model.relationships {
        let Some(parent) = model.entity(&relationship.parent) else { continue };
        for (identity, via) in parent.identity_names().zip(relationship.via.iter().map(String::as_str)) {
            let (own, theirs) = if relationship.parent == entity && relationship.child == peer {
                (identity, via)
            } else if relationship.parent == peer && relationship.child == entity {
                (via, identity)
            } else {
                continue;
            };
            let mut values: Vec<AttributeValue> =
                others.iter().filter_map(|other| other.get(theirs).cloned()).collect();
            values.sort();
            values.dedup();
            shared.push((own, values));
        }
    }
    shared
}

/// How many records a read finds at most, without looking at any.
pub(crate) fn at_most(model: &Model, world: &World, pattern: &Pattern, inputs: &Inputs) -> usize {
    let found = pattern.entities.iter().map(|entity| {
        let equal = equalities(model, pattern, entity, inputs, &[]);
        world.count_near(entity, &held(&equal))
    });
    found.sum()
}

/// Records among which are all that the inputs select by equality.
fn near<'w>(
    model: &Model,
    world: &'w World,
    pattern: &Pattern,
    entity: &str,
    inputs: &Inputs,
    skip: &[String],
) -> Vec<&'w Record> {
    let equal = equalities(model, pattern, entity, inputs, skip);
    world.near(entity, &held(&equal))
}

fn held<'v>(equal: &'v [(&'v str, Given)]) -> Vec<(&'v str, &'v [AttributeValue])> {
    equal.iter().map(|(name, given)| (*name, given.all())).collect()
}

/// What the inputs say by equality of an entity's attributes.
fn equalities<'m>(
    model: &'m Model,
    pattern: &'m Pattern,
    entity: &str,
    inputs: &Inputs,
    skip: &[String],
) -> Vec<(&'m str, Given)> {
    pattern
        .inputs()
        .iter()
        .filter(|input| input.role == Role::Equal)
        .filter_map(|input| Some((said(model, pattern, input, entity)?, given(input, inputs)?)))
        .filter(|(name, _)| !skip.iter().any(|other| other == name))
        .collect()
}

/// Whether two entities have a relationship that attributes hold.
fn is_linked(model: &Model, entity: &str, peer: &str) -> bool {
    model.relationships.iter().filter(|relationship| !relationship.via.is_empty()).any(|relationship| {
        (relationship.parent == entity && relationship.child == peer)
            || (relationship.parent == peer && relationship.child == entity)
    })
}

/// Whether two records belong together by some relationship of their entities; yes where there is none.
fn related(model: &Model, entity: &str, record: &Record, peer: &str, other: &Record) -> bool {
    let holds = |parent: &Record, child: &Record, relationship: &keywright_model::model::Relationship| {
        let Some(declared) = model.entity(&relationship.parent) else { return true };
        declared.identity_names().zip(&relationship.via).all(|(name, via)| parent.get(name) == child.get(via))
    };
    model.relationships.iter().all(|relationship| {
        if relationship.parent == entity && relationship.child == peer {
            holds(record, other, relationship)
        } else if relationship.parent == peer && relationship.child == entity {
            holds(other, record, relationship)
        } else {
            true
        }
    })
}

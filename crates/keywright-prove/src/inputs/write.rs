//! Inputs of writes and deletes.

mod existing;
mod taken;

use keywright_dynamodb::expression::Comparator;
use keywright_dynamodb::value::AttributeValue;
use keywright_finding::Span;
use keywright_model::design::Operation;
use keywright_model::model::{
    Action, Attribute, ConditionKind, ConditionValue, Effect, Entity, Input, Pattern, Role, Write,
};
use keywright_model::{At, Model};

use crate::data::{Values, absent_value, parents};
use crate::inputs::{attribute_of, given_inputs, stated_type};
use crate::interpret::{Given, Inputs, key};
use crate::oracle::{binding, said, unique_sets};
use crate::world::{Change, Record, World};
use crate::writing::Writing;
use existing::{is_crowded, is_unfit, nearest, pick, pick_whole};
use taken::take_another_s;

/// How often a record is looked for that no other input points to: a transaction takes an item once.
const POINTED: usize = 8;

/// What kind of call a write's inputs make.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Flavour<'l> {
    /// What exists is named, what is new is new.
    Fresh,
    /// What is to be created has an identity or a unique value that is taken.
    Taken,
    /// What must exist does not, or is not as the conditions want it.
    Missing,
    /// What exists is as near as can be to what the conditions want.
    Led(Lead<'l>),
    /// As fresh, with some inputs that are given.
    Within(&'l Inputs),
}

/// Where a call is to lead to.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Lead<'l> {
    /// The write that is to become possible by it, where it is not for its own sake.
    pub(crate) toward: Option<&'l Write>,
    /// What was changed last, to go on with.
    pub(crate) recent: &'l [Change],
}

/// The inputs of one call; none where the world lacks what they would name.
pub(crate) fn for_write(
    model: &Model,
    world: &World,
    writing: Writing<'_>,
    flavour: Flavour<'_>,
    values: &mut Values,
) -> Option<Inputs> {
    let Writing { pattern, write, operation } = writing;
    let new = new_entities(model, write);
    let taken = if flavour == Flavour::Taken && new.is_empty() {
        take_another_s(model, world, pattern, write, values)
    } else {
        None
    };
    let took = taken.is_some();
    let mut inputs = match flavour {
        Flavour::Within(given) => given.clone(),
        _ => taken.unwrap_or_default(),
    };
    let mut named: Vec<(&Entity, &Record)> = Vec::new();
    let existing = existing_entities(model, pattern, write);
    for (entity, whole) in existing.iter().copied() {
        // What is led to the state that a delete of all wants may have nothing that goes with it yet.
        let swept = existing.len() > 1 && goes_along(write, &entity.name);
        if swept && matches!(flavour, Flavour::Led(_)) {
            continue;
        }
        let unfit = if flavour == Flavour::Missing && inputs.is_empty() && values.random().percent(60) {
            world.records(&entity.name).find(|record| is_unfit(model, write, entity, record))
        } else {
            None
        };
        if flavour == Flavour::Missing && unfit.is_none() && values.random().percent(70) {
            name_missing(model, pattern, entity, &mut inputs);
            continue;
        }
        let record = match (unfit, flavour) {
            (Some(record), _) => record,
            (None, Flavour::Led(lead)) => {
                nearest(model, world, pattern, entity, &inputs, (lead, whole), values)?
            }
            (None, _) => {
                let fitting = match whole {
                    true => pick_whole(model, world, pattern, entity, &inputs, values),
                    false => None,
                };
                match fitting {
                    Some(record) => record,
                    None => pick(model, world, pattern, entity, &inputs, values)?,
                }
            }
        };
        name_existing(model, pattern, entity, record, whole, &mut inputs);
        named.push((entity, record));
    }
    if flavour != Flavour::Missing {
        say_what_matches(write, &named, &mut inputs);
    }
    if flavour == Flavour::Missing && values.random().percent(40) {
        lead_astray(model, pattern, write, &mut inputs);
    }
    if flavour == Flavour::Taken && !took {
        take_existing(model, world, pattern, &new, &mut inputs, values)?;
    }
    for input in given_inputs(pattern) {
        let may_lack = input.optional || leaves_out(operation, &input.name);
        let named = attribute_of(model, input, &new);
        if inputs.contains_key(&input.name) || may_lack && !is_given(named, values) {
            continue;
        }
        let pointed = match named {
            Some((_, attribute)) if flavour != Flavour::Missing => {
                pointed_at(model, world, pattern, input, attribute, &inputs, values)
            }
            _ => None,
        };
        let made = match (pointed, named) {
            (Some(pointed), _) => pointed,
            (None, Some((entity, attribute))) => {
                let distinct = is_distinct(entity, attribute, values);
                values.make(entity, attribute, distinct)
            }
            (None, None) => {
                let ty = stated_type(operation, input)?;
                let entity = Entity::new("input", Span::default());
                let attribute = Attribute::new(&input.name, Span::default(), At::stated(ty, Span::default()));
                values.make(&entity, &attribute, false)
            }
        };
        let given = if input.list { Given::Many(vec![made]) } else { Given::One(made) };
        inputs.insert(input.name.clone(), given);
    }
    match flavour {
        // Most callers ask for what can be had.
        Flavour::Fresh if values.random().percent(90) => keep_within(write, &named, &mut inputs),
        Flavour::Within(_) => keep_within(write, &named, &mut inputs),
        Flavour::Led(lead) => {
            keep_within(write, &named, &mut inputs);
            lead.toward.into_iter().for_each(|toward| give_wanted(model, writing, toward, &mut inputs));
        }
        _ => {}
    }
    // Whoever takes the name of a sibling takes its parent too, which may have no room.
    let crowded = flavour == Flavour::Taken && is_crowded(model, world, pattern, write, &inputs);
    (!crowded).then_some(inputs)
}

/// Whether a write only deletes all there is of an entity.
fn goes_along(write: &Write, entity: &str) -> bool {
    let mut effects = write.effects.iter().filter(|effect| effect.entity == entity).peekable();
    effects.peek().is_some() && effects.all(|effect| effect.all)
}

/// The identifier of a record that an input points to, of one that agrees with what is given so far.
fn pointed_at(
    model: &Model,
    world: &World,
    pattern: &Pattern,
    input: &Input,
    attribute: &Attribute,
    inputs: &Inputs,
    values: &mut Values,
) -> Option<AttributeValue> {
    let reference = &attribute.reference.as_ref()?.value;
    let entity = model.entity(&reference.entity)?;
    let seen = model.seen_through(pattern, &entity.name, &input.name);
    let pointing = model.pointing(pattern, &entity.name).into_iter();
    let others: Vec<&Given> = pointing.filter_map(|(other, _)| inputs.get(&other.name)).collect();
    for _ in 0..POINTED {
        let pointed = pick(model, world, &seen, entity, inputs, values)?.get(&reference.attribute)?;
        if !others.iter().any(|given| given.all().contains(pointed)) {
            return Some(pointed.clone());
        }
    }
    None
}

/// Gives as new values those that the conditions of another write want.
fn give_wanted(model: &Model, writing: Writing<'_>, toward: &Write, inputs: &mut Inputs) {
    for condition in &toward.conditions {
        let (attribute, wanted) = match &condition.kind {
            ConditionKind::Compare { attribute, value: ConditionValue::Literal(wanted), .. } => {
                (attribute, wanted)
            }
            ConditionKind::OneOf { attribute, values } => match values.first() {
                Some(wanted) => (attribute, wanted),
                None => continue,
            },
            _ => continue,
        };
        let identifies = |entity: &Entity| entity.identity_names().any(|name| name == attribute.attribute);
        if model.entity(&attribute.entity).is_none_or(identifies) {
            continue;
        }
        let sets = |input: &&Input| input.role == Role::NewValue || writing.creates(&attribute.entity);
        for input in given_inputs(writing.pattern).filter(sets).filter(|input| !input.list) {
            if binding(model, input, &attribute.entity) == Some(&attribute.attribute) {
                inputs.insert(input.name.clone(), Given::One(key::literal(wanted)));
            }
        }
    }
}

/// Gives what must match an attribute of the records that are named: a caller who holds a seat knows by which hold.
fn say_what_matches(write: &Write, named: &[(&Entity, &Record)], inputs: &mut Inputs) {
    for condition in &write.conditions {
        let ConditionKind::Compare {
            attribute,
            comparator: Comparator::Equal,
            value: ConditionValue::Input(input),
        } = &condition.kind
        else {
            continue;
        };
        let record = named.iter().find(|(entity, _)| entity.name == attribute.entity);
        if let Some(value) = record.and_then(|(_, record)| record.get(&attribute.attribute)) {
            inputs.entry(input.clone()).or_insert_with(|| Given::One(value.clone()));
        }
    }
}

/// Lowers what is compared with a number of the records that are named, where that has to be as large.
fn keep_within(write: &Write, named: &[(&Entity, &Record)], inputs: &mut Inputs) {
    for condition in &write.conditions {
        let ConditionKind::Compare {
            attribute,
            comparator: Comparator::GreaterOrEqual,
            value: ConditionValue::Input(input),
        } = &condition.kind
        else {
            continue;
        };
        let record = named.iter().find(|(entity, _)| entity.name == attribute.entity);
        let most = record.and_then(|(_, record)| record.get(&attribute.attribute)?.as_n().cloned());
        if let (Some(most), Some(Given::One(AttributeValue::N(asked)))) = (most, inputs.get_mut(input))
            && *asked > most
        {
            *asked = most;
        }
    }
}

/// Whether the caller gives an input that may be left out: as often as records have the attribute.
fn is_given(named: Option<(&Entity, &Attribute)>, values: &mut Values) -> bool {
    match named.filter(|(_, attribute)| attribute.is_optional()) {
        Some((entity, attribute)) => values.present(entity, attribute),
        None => values.random().percent(60),
    }
}

/// Whether the operation lets the caller leave an input out.
fn leaves_out(operation: &Operation, name: &str) -> bool {
    operation.inputs.iter().any(|parameter| parameter.name == name && parameter.optional)
}

/// The entities of which a write creates records; a version follows from what it is one of.
fn new_entities<'w>(model: &Model, write: &'w Write) -> Vec<&'w str> {
    let follows =
        |effect: &Effect| model.entity(&effect.entity).is_some_and(|entity| entity.versions_of.is_some());
    write
        .effects
        .iter()
        .filter(|effect| matches!(effect.action, Action::Create | Action::Put) && !follows(effect))
        .map(|effect| effect.entity.as_str())
        .collect()
}

/// The entities of which a write needs existing records, and whether all selecting inputs follow from the record or
/// only its identity.
pub(crate) fn existing_entities<'m>(
    model: &'m Model,
    pattern: &Pattern,
    write: &Write,
) -> Vec<(&'m Entity, bool)> {
    let new = new_entities(model, write);
    let mut found: Vec<(&Entity, bool)> = Vec::new();
    let mut add = |name: &str, whole: bool| {
        if let Some(entity) = model.entity(name)
            && !new.contains(&name)
            && !found.iter().any(|(other, _)| other.name == name)
        {
            found.push((entity, whole));
        }
    };
    for effect in &write.effects {
        if matches!(effect.action, Action::Update | Action::Add { .. } | Action::Delete) {
            add(&effect.entity, new.is_empty());
        }
    }
    for condition in &write.conditions {
        match &condition.kind {
            ConditionKind::Exists { entity } => add(entity, false),
            ConditionKind::Compare { attribute, .. }
            | ConditionKind::OneOf { attribute, .. }
            | ConditionKind::Held { attribute, .. } => {
                add(&attribute.entity, false);
            }
            _ => {}
        }
    }
    // A parent that no input names is none yet: what refers to it comes later.
    let is_named = |parent: &str| {
        let identity =
            |name: &str| model.entity(parent).is_some_and(|it| it.identity_names().any(|id| id == name));
        pattern.inputs().iter().any(|input| binding(model, input, parent).is_some_and(identity))
    };
    for name in &new {
        parents(model, name)
            .into_iter()
            .filter(|parent| is_named(parent))
            .for_each(|parent| add(parent, false));
    }
    // The most specific first: a child fixes its parents.
    found.sort_by_key(|(entity, _)| std::cmp::Reverse(entity.identity.len()));
    let mut ordered = Vec::new();
    while !found.is_empty() {
        let is_parent = |name: &str| {
            let mut others = found.iter().filter(|(other, _)| other.name != name);
            others.any(|(other, _)| parents(model, &other.name).contains(&name))
        };
        let next = found.iter().position(|(entity, _)| !is_parent(&entity.name)).unwrap_or(0);
        ordered.push(found.remove(next));
    }
    ordered
}

fn name_existing(
    model: &Model,
    pattern: &Pattern,
    entity: &Entity,
    record: &Record,
    whole: bool,
    inputs: &mut Inputs,
) {
    for input in given_inputs(pattern).filter(|input| input.role == Role::Equal) {
        let Some(name) = said(model, pattern, input, &entity.name) else { continue };
        let identifies = entity.identity_names().any(|identity| identity == name);
        if (identifies || whole)
            && let Some(value) = record.get(name)
        {
            let given = if input.list { Given::Many(vec![value.clone()]) } else { Given::One(value.clone()) };
            inputs.entry(input.name.clone()).or_insert(given);
        }
    }
}

fn name_missing(model: &Model, pattern: &Pattern, entity: &Entity, inputs: &mut Inputs) {
    for input in given_inputs(pattern).filter(|input| input.role == Role::Equal) {
        let Some(name) = said(model, pattern, input, &entity.name) else { continue };
        if let Some(attribute) = entity.attribute(name)
            && entity.identity_names().any(|identity| identity == name)
        {
            let value = absent_value(attribute);
            let given = if input.list { Given::Many(vec![value]) } else { Given::One(value) };
            inputs.insert(input.name.clone(), given);
        }
    }
}

/// Says something else of a record than what it holds beside its identity, as a caller of another tenant would.
fn lead_astray(model: &Model, pattern: &Pattern, write: &Write, inputs: &mut Inputs) {
    let existing = existing_entities(model, pattern, write);
    for input in given_inputs(pattern).filter(|input| input.role == Role::Equal && !input.list) {
        let beside = existing.iter().find_map(|(entity, _)| {
            let name = binding(model, input, &entity.name)?;
            let identifies = entity.identity_names().any(|identity| identity == name);
            entity.attribute(name).filter(|_| !identifies)
        });
        if let Some(attribute) = beside
            && let Some(given) = inputs.get_mut(&input.name)
        {
            *given = Given::One(absent_value(attribute));
        }
    }
}

/// Gives a record that is to be written the identity, or a unique value, of one that exists.
fn take_existing(
    model: &Model,
    world: &World,
    pattern: &Pattern,
    new: &[&str],
    inputs: &mut Inputs,
    values: &mut Values,
) -> Option<()> {
    let targets: Vec<&str> = if new.is_empty() {
        pattern.entities.iter().map(|entity| entity.value.as_str()).collect()
    } else {
        new.to_vec()
    };
    let mut took = false;
    for name in targets {
        let entity = model.entity(name)?;
        let record = world.some(name, values.random().index(world.count(name)))?;
        let mut sets = unique_sets(entity);
        if !new.is_empty() {
            sets.push(entity.identity_names().map(str::to_owned).collect());
        }
        // One after the other, so that none is left to chance.
        let turn = values.turn(&pattern.id);
        let Some(set) = turn.checked_rem(sets.len()).and_then(|at| sets.get(at)) else { continue };
        for input in given_inputs(pattern) {
            if let Some(bound) = binding(model, input, name)
                && set.iter().any(|name| name == bound)
                && let Some(value) = record.get(bound)
            {
                took = true;
                inputs.insert(input.name.clone(), Given::One(value.clone()));
            }
        }
    }
    took.then_some(())
}

/// Whether a value must not have been given before: a unique one, and mostly the last part of an identity. The other
/// parts repeat, and so does the last at times, so that the same name occurs under several parents and tenants.
pub(crate) fn is_distinct(entity: &Entity, attribute: &Attribute, values: &mut Values) -> bool {
    if unique_sets(entity).iter().any(|set| set.contains(&attribute.name)) {
        return true;
    }
    let is_last = entity.identity.last().is_some_and(|last| last.value == attribute.name);
    is_last && (entity.identity.len() == 1 || values.random().percent(60))
}

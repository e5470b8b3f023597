//! Inputs of writes and deletes.

use keywright_dynamodb::expression::Comparator;
use keywright_dynamodb::value::AttributeValue;
use keywright_finding::Span;
use keywright_model::design::Operation;
use keywright_model::model::{
    Action, Attribute, AttributeRef, Cardinality, ConditionKind, ConditionValue, Entity, Literal, Pattern,
    Relationship, Role, Write,
};
use keywright_model::{At, Model};

use crate::data::{Values, absent_value, parents};
use crate::inputs::{attribute_of, given_inputs, stated_type};
use crate::interpret::{Given, Inputs, key};
use crate::oracle::{binding, unique_sets};
use crate::world::{Record, World};

/// How often a record is drawn where not every one will do, before all are looked through.
const TRIES: usize = 16;

/// What kind of call a write's inputs make.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Flavour {
    /// What exists is named, what is new is new.
    Fresh,
    /// What is to be created has an identity or a unique value that is taken.
    Taken,
    /// What must exist does not, or is not as the conditions want it.
    Missing,
}

/// The inputs of one call; none where the world lacks what they would name.
pub(crate) fn for_write(
    model: &Model,
    world: &World,
    pattern: &Pattern,
    write: &Write,
    operation: &Operation,
    flavour: Flavour,
    values: &mut Values,
) -> Option<Inputs> {
    let mut inputs = Inputs::new();
    let new = new_entities(write);
    let mut named: Vec<(&Entity, &Record)> = Vec::new();
    for (entity, whole) in existing_entities(model, write) {
        let unfit = if flavour == Flavour::Missing && inputs.is_empty() && values.random().percent(60) {
            world.records(&entity.name).find(|record| is_unfit(write, entity, record))
        } else {
            None
        };
        if flavour == Flavour::Missing && unfit.is_none() && values.random().percent(70) {
            name_missing(model, pattern, entity, &mut inputs);
            continue;
        }
        let record = match unfit {
            Some(record) => record,
            None => pick(model, world, pattern, entity, &inputs, values)?,
        };
        name_existing(model, pattern, entity, record, whole, &mut inputs);
        named.push((entity, record));
    }
    if flavour == Flavour::Missing && values.random().percent(40) {
        lead_astray(model, pattern, write, &mut inputs);
    }
    if flavour == Flavour::Taken {
        take_existing(model, world, pattern, &new, &mut inputs, values)?;
    }
    for input in given_inputs(pattern) {
        let may_lack = input.optional || leaves_out(operation, &input.name);
        let named = attribute_of(model, input, &new);
        if inputs.contains_key(&input.name) || may_lack && !is_given(named, values) {
            continue;
        }
        let made = match named {
            Some((entity, attribute)) => {
                let distinct = is_distinct(entity, attribute, values);
                values.make(entity, attribute, distinct)
            }
            None => {
                let ty = stated_type(operation, input)?;
                let entity = Entity::new("input", Span::default());
                let attribute = Attribute::new(&input.name, Span::default(), At::stated(ty, Span::default()));
                values.make(&entity, &attribute, false)
            }
        };
        let given = if input.list { Given::Many(vec![made]) } else { Given::One(made) };
        inputs.insert(input.name.clone(), given);
    }
    // Most callers ask for what can be had.
    if flavour == Flavour::Fresh && values.random().percent(90) {
        keep_within(write, &named, &mut inputs);
    }
    // Whoever takes the name of a sibling takes its parent too, which may have no room.
    let crowded = flavour == Flavour::Taken && is_crowded(model, world, pattern, write, &inputs);
    (!crowded).then_some(inputs)
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

/// Whether the inputs name a parent that has as many children as the document says that there are at most.
fn is_crowded(model: &Model, world: &World, pattern: &Pattern, write: &Write, inputs: &Inputs) -> bool {
    existing_entities(model, write).into_iter().any(|(parent, _)| {
        let named: Record = given_inputs(pattern)
            .filter_map(|input| {
                let name = binding(model, input, &parent.name)?;
                Some((name.to_owned(), inputs.get(&input.name)?.one()?.clone()))
            })
            .collect();
        limits(model, pattern, parent).iter().any(|limit| limit.is_reached(world, &named))
    })
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

/// The entities of which a write creates records.
fn new_entities(write: &Write) -> Vec<&str> {
    write
        .effects
        .iter()
        .filter(|effect| matches!(effect.action, Action::Create | Action::Put))
        .map(|effect| effect.entity.as_str())
        .collect()
}

/// The entities of which a write needs existing records, and whether all selecting inputs follow from the record or
/// only its identity.
fn existing_entities<'m>(model: &'m Model, write: &Write) -> Vec<(&'m Entity, bool)> {
    let new = new_entities(write);
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
            ConditionKind::Compare { attribute, .. } | ConditionKind::OneOf { attribute, .. } => {
                add(&attribute.entity, false);
            }
            _ => {}
        }
    }
    for name in &new {
        for parent in parents(model, name) {
            add(parent, false);
        }
    }
    // The most specific first: a child fixes its parents.
    found.sort_by_key(|(entity, _)| std::cmp::Reverse(entity.identity.len()));
    found
}

/// Whether a record breaks a condition on one of its attributes.
fn is_unfit(write: &Write, entity: &Entity, record: &Record) -> bool {
    let is_none_of = |attribute: &AttributeRef, wanted: &[Literal]| {
        attribute.entity == entity.name
            && record
                .get(&attribute.attribute)
                .is_none_or(|value| !wanted.iter().any(|literal| key::same(value, literal)))
    };
    write.conditions.iter().any(|condition| match &condition.kind {
        ConditionKind::Compare {
            attribute,
            comparator: Comparator::Equal,
            value: ConditionValue::Literal(wanted),
        } => is_none_of(attribute, std::slice::from_ref(wanted)),
        ConditionKind::OneOf { attribute, values } => is_none_of(attribute, values),
        _ => false,
    })
}

/// A record that agrees with the inputs so far; early ones more often, so that some parents have many children.
fn pick<'w>(
    model: &Model,
    world: &'w World,
    pattern: &Pattern,
    entity: &Entity,
    inputs: &Inputs,
    values: &mut Values,
) -> Option<&'w Record> {
    let agrees = |record: &Record| {
        given_inputs(pattern).all(|input| {
            let Some(given) = inputs.get(&input.name) else { return true };
            let Some(name) = binding(model, input, &entity.name) else { return true };
            !entity.identity_names().any(|identity| identity == name)
                || record.get(name).is_some_and(|value| given.all().contains(value))
        })
    };
    let full = limits(model, pattern, entity);
    let fits = |record: &Record| agrees(record) && !full.iter().any(|limit| limit.is_reached(world, record));
    let count = world.count(&entity.name);
    let mut found = None;
    for _ in 0..if full.is_empty() { 1 } else { TRIES } {
        let (a, b) = (values.random().index(count), values.random().index(count));
        let at = if values.random().percent(50) { a.min(b) / 2 } else { a };
        found = found.or_else(|| world.some(&entity.name, at).filter(|record| fits(record)));
        if found.is_some() {
            break;
        }
    }
    found.or_else(|| {
        let fixed: Vec<(&str, &[AttributeValue])> = given_inputs(pattern)
            .filter_map(|input| Some((binding(model, input, &entity.name)?, inputs.get(&input.name)?.all())))
            .filter(|(name, _)| entity.identity_names().any(|identity| identity == *name))
            .collect();
        world.one_near(&entity.name, &fixed, values.random().index(count), fits)
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
    let new = new_entities(write);
    let stated = |relationship: &Relationship| match *relationship.cardinality {
        Cardinality::OneToOne => Some(1),
        _ => relationship.fan_out.max.as_ref().map(|max| max.value),
    };
    let relationships =
        model.relationships.iter().filter(|it| it.parent == parent.name && !it.via.is_empty());
    relationships
        .filter(|relationship| new.contains(&relationship.child.as_str()))
        .filter_map(|relationship| {
            let via = parent.identity_names().zip(relationship.via.iter().map(String::as_str));
            Some(Most { child: &relationship.child, via: via.collect(), most: stated(relationship)? })
        })
        .collect()
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
        let Some(name) = binding(model, input, &entity.name) else { continue };
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
        let Some(name) = binding(model, input, &entity.name) else { continue };
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
    let existing = existing_entities(model, write);
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
        // An identifier that is made up can only come twice with all that came with it.
        let made_up = set
            .iter()
            .any(|name| entity.attribute(name).is_some_and(|attribute| attribute.ty.is_generated_id()));
        for input in given_inputs(pattern) {
            if let Some(bound) = binding(model, input, name)
                && (made_up || set.iter().any(|name| name == bound))
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

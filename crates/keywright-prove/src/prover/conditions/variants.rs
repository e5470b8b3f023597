//! The calls that may break one condition: each differs from a call that takes place in one thing, on both sides of the
//! boundary where there is one.

use keywright_dynamodb::number::Number;
use keywright_dynamodb::value::AttributeValue;
use keywright_model::model::{Attribute, ConditionKind, ConditionValue, Entity, Input, Role};

use super::base::Base;
use super::demand::{Demand, Kind};
use super::probe::{self, around};
use super::{altered, asked, compared};
use crate::check::Checker;
use crate::data::absent_value;
use crate::inputs;
use crate::interpret::{Given, Inputs};
use crate::oracle::{bearers, binding, said, unique_sets};
use crate::world::{Change, Record, identity};
use crate::writing::Writing;

/// So many values that other records have are given instead of one.
const OTHERS: usize = 2;

/// A call that differs from one that takes place in one thing.
#[derive(Clone, Default)]
pub(super) struct Variant {
    /// What is made of the records first.
    pub(super) setting: Vec<Change>,
    pub(super) inputs: Inputs,
}

impl<'a> Checker<'a, '_> {
    /// The calls that may break one condition.
    pub(super) fn variants(
        &mut self,
        writing: Writing<'a>,
        demand: &Demand<'a>,
        base: &Base,
    ) -> Vec<Variant> {
        match &demand.kind {
            Kind::Attribute(kind) => self.compare_otherwise(writing, kind, base),
            Kind::Exists(entity) | Kind::First(entity) => self.take_away(writing, entity, base),
            Kind::Absent(entity) => self.put_there(writing, entity, base),
            Kind::Unique(entity, set) => self.take_values(entity, set, base),
            Kind::Beside(input, entity, attribute) => {
                let others = self.others(base.inputs.get(&input.name), entity, attribute);
                others.into_iter().map(|value| given_instead(base, input, value)).collect()
            }
            Kind::Version(input, entity) => self.number_otherwise(input, entity, base),
        }
    }

    /// An attribute on both sides of what it is compared with, and what it is compared with on both sides of it.
    fn compare_otherwise(&self, writing: Writing<'a>, kind: &ConditionKind, base: &Base) -> Vec<Variant> {
        let model = self.model;
        let Some(named) = asked(kind) else { return Vec::new() };
        let Some(entity) = model.entity(&named.entity) else { return Vec::new() };
        let Some(attribute) = entity.attribute(&named.attribute) else { return Vec::new() };
        let records = bearers(model, &self.world, writing, &base.inputs, &base.generated, kind);
        let input = match kind {
            ConditionKind::Compare { value: ConditionValue::Input(name), .. } => {
                let mut inputs = writing.pattern.inputs().iter();
                inputs.find(|input| input.name == *name && input.constant.is_none())
            }
            _ => None,
        };
        let mut variants = Vec::new();
        for record in &records {
            for wanted in compared(kind, record, &base.inputs) {
                for value in around(attribute, Some(&wanted)) {
                    let change = altered(entity, record, &attribute.name, value);
                    variants.extend(
                        change.map(|change| Variant { setting: vec![change], inputs: base.inputs.clone() }),
                    );
                }
            }
            if let ConditionKind::Held { .. } | ConditionKind::OneOf { .. } = kind {
                for value in around(attribute, record.get(&attribute.name)) {
                    let change = altered(entity, record, &attribute.name, value);
                    variants.extend(
                        change.map(|change| Variant { setting: vec![change], inputs: base.inputs.clone() }),
                    );
                }
            }
            // What the caller gives may be told of other records too: then those follow.
            let Some(input) = input else { continue };
            let own = record.get(&attribute.name).cloned();
            let middle = probe::middle(attribute);
            for (moved, center) in [(false, own), (true, middle)] {
                let Some(center) = center else { continue };
                let own = altered(entity, record, &attribute.name, Some(center.clone()));
                let most = inputs::largest(model, input).map(Number::from);
                // A number that the caller may not give is refused for another reason.
                let may_be = |value: &AttributeValue| match (value.as_n(), &most) {
                    (Some(number), Some(most)) => number <= most,
                    _ => true,
                };
                for value in around(attribute, Some(&center)).into_iter().flatten().filter(may_be) {
                    let mut setting: Vec<Change> = own.iter().filter(|_| moved).cloned().collect();
                    variants.push(Variant { ..given_instead(base, input, value.clone()) });
                    let told = self.told_by(writing, input, entity, base);
                    setting.extend(told.iter().filter_map(|(entity, record, name)| {
                        altered(entity, record, name, Some(value.clone()))
                    }));
                    if !setting.is_empty() {
                        variants.push(Variant { setting, ..given_instead(base, input, value) });
                    }
                }
            }
        }
        variants
    }

    /// The records that a call changes of which an input says what they hold beside their identity, but those of an entity.
    fn told_by(
        &self,
        writing: Writing<'a>,
        input: &Input,
        but: &Entity,
        base: &Base,
    ) -> Vec<(&'a Entity, Record, &'a str)> {
        let Some(input) = writing.pattern.inputs().iter().find(|it| it.name == input.name) else {
            return Vec::new();
        };
        let told = base.changes.iter().filter(|change| change.entity != but.name).filter_map(|change| {
            let entity = self.model.entity(&change.entity)?;
            let name = binding(self.model, input, &change.entity)?;
            let identifies = entity.identity_names().any(|identity| identity == name);
            (input.role == Role::Equal && !identifies).then_some((entity, change.before.clone()?, name))
        });
        told.collect()
    }

    /// What must be there is not: it is taken out of the tables, or somebody else is named.
    fn take_away(&self, writing: Writing<'a>, entity: &Entity, base: &Base) -> Vec<Variant> {
        let model = self.model;
        let mut variants = Vec::new();
        // What is one item with something else does not go without it.
        let merged =
            self.design.items.iter().any(|it| it.entities.len() > 1 && it.entities.contains(&entity.name));
        for record in self.at_hand(writing, entity, base).into_iter().filter(|_| !merged) {
            let gone = Change { entity: entity.name.clone(), before: Some(record), after: None };
            variants.push(Variant { setting: vec![gone], inputs: base.inputs.clone() });
        }
        let named = writing.pattern.inputs().iter().filter(|input| input.role == Role::Equal && !input.list);
        let pointing = model.pointing(writing.pattern, &entity.name);
        for input in named.filter(|input| input.constant.is_none()) {
            let points = pointing.iter().find(|(it, _)| it.name == input.name).map(|(_, name)| *name);
            let Some(name) = points.or_else(|| said(model, writing.pattern, input, &entity.name)) else {
                continue;
            };
            if let Some(attribute) = entity.attribute(name)
                && entity.identity_names().any(|identity| identity == name)
            {
                variants.push(given_instead(base, input, absent_value(attribute)));
            }
        }
        variants
    }

    /// The records of an entity that a call names by their identity.
    fn at_hand(&self, writing: Writing<'a>, entity: &Entity, base: &Base) -> Vec<Record> {
        let exists = ConditionKind::Exists { entity: entity.name.clone() };
        bearers(self.model, &self.world, writing, &base.inputs, &base.generated, &exists)
    }

    /// What must not be there is: under the identity of what the call creates, or names.
    fn put_there(&mut self, writing: Writing<'a>, entity: &'a Entity, base: &Base) -> Vec<Variant> {
        let created = base.changes.iter().find(|it| it.entity == entity.name && it.before.is_none());
        let record = match created.and_then(|change| change.after.clone()) {
            // No number of a sequence comes twice.
            Some(_) if entity.attributes.iter().any(is_numbered) => None,
            // An identifier that is made up can only come twice with all that came with it, as where a call is sent again.
            Some(record) if is_made_up(entity) => Some(record),
            // Only the identity is taken.
            Some(record) => self.new_record(entity).map(|mut other| {
                let identifies = |name: &str| entity.identity_names().any(|identity| identity == name);
                other.extend(record.into_iter().filter(|(name, _)| identifies(name)));
                other
            }),
            None => self.new_record(entity).map(|mut record| {
                for input in writing.pattern.inputs().iter().filter(|input| input.role == Role::Equal) {
                    let Some(name) = binding(self.model, input, &entity.name) else { continue };
                    let given = base.inputs.get(&input.name).and_then(Given::one);
                    let identifies = entity.identity_names().any(|identity| identity == name);
                    if let Some(value) = given.filter(|_| identifies) {
                        record.insert(name.to_owned(), value.clone());
                    }
                }
                record
            }),
        };
        let comes = |record| Change { entity: entity.name.clone(), before: None, after: Some(record) };
        let free = record.filter(|it| self.world.get(&entity.name, &identity(entity, it)).is_none());
        let inputs = base.inputs.clone();
        free.map(|record| Variant { setting: vec![comes(record)], inputs }).into_iter().collect()
    }

    /// Another record has the values that are to be unique.
    fn take_values(&mut self, entity: &'a Entity, set: &[String], base: &Base) -> Vec<Variant> {
        let mut variants = Vec::new();
        for change in base.changes.iter().filter(|change| change.entity == entity.name) {
            let Some(after) = &change.after else { continue };
            let moves = |name: &String| change.before.as_ref().and_then(|it| it.get(name)) != after.get(name);
            if !set.iter().all(|name| after.contains_key(name)) || !set.iter().any(moves) {
                continue;
            }
            let Some(mut other) = self.new_record(entity) else { continue };
            for name in set {
                other.insert(name.clone(), after[name].clone());
            }
            let own = identity(entity, after);
            let theirs = identity(entity, &other);
            let clear = unique_sets(entity).iter().filter(|it| *it != set).all(|it| {
                !it.iter().all(|name| other.contains_key(name) && other.get(name) == after.get(name))
            });
            if theirs != own && clear && self.world.get(&entity.name, &theirs).is_none() {
                let comes = Change { entity: entity.name.clone(), before: None, after: Some(other) };
                variants.push(Variant { setting: vec![comes], inputs: base.inputs.clone() });
            }
        }
        variants
    }

    /// The number of a version that the caller gives is not later than the last: there is one of that number, or of the next.
    fn number_otherwise(&self, input: &Input, entity: &Entity, base: &Base) -> Vec<Variant> {
        let Some(version) = entity.version() else { return Vec::new() };
        let keeps = |it: &&Entity| it.versions_of.as_ref().is_some_and(|of| *of == entity.name);
        let kept = self.model.entities.iter().find(keeps);
        let number = base.inputs.get(&input.name).and_then(Given::one);
        let mut variants = Vec::new();
        for change in base.changes.iter().filter(|change| change.entity == entity.name) {
            let Some(after) = &change.after else { continue };
            for last in around(version, number).into_iter().flatten() {
                let mut record = change.before.clone().unwrap_or_else(|| after.clone());
                record.insert(version.name.clone(), last);
                let of = |entity: &Entity| Change {
                    entity: entity.name.clone(),
                    before: None,
                    after: Some(record.clone()),
                };
                let last = kept.filter(|it| self.world.get(&it.name, &identity(it, &record)).is_none());
                let own = Change { before: change.before.clone(), ..of(entity) };
                let setting: Vec<Change> = std::iter::once(own).chain(last.map(of)).collect();
                variants.push(Variant { setting, inputs: base.inputs.clone() });
            }
        }
        variants
    }

    /// Other values of an attribute than the one that is given: such as other records have first, then such as none has.
    fn others(&self, given: Option<&Given>, entity: &Entity, attribute: &str) -> Vec<AttributeValue> {
        let Some(given) = given.and_then(Given::one) else { return Vec::new() };
        let Some(attribute) = entity.attribute(attribute) else { return Vec::new() };
        let (of, name) = match &attribute.reference {
            Some(reference) => (reference.value.entity.as_str(), reference.value.attribute.as_str()),
            None => (entity.name.as_str(), attribute.name.as_str()),
        };
        let held = self.world.records(of).filter_map(|record| record.get(name)).filter(|it| *it != given);
        let held = held.take(OTHERS).cloned();
        let near = around(attribute, Some(given)).into_iter().flatten().filter(|other| other != given);
        held.chain(near).collect()
    }
}

/// The same call with another value for one input.
fn given_instead(base: &Base, input: &Input, value: AttributeValue) -> Variant {
    let mut inputs = base.inputs.clone();
    inputs.insert(input.name.clone(), Given::One(value));
    Variant { setting: Vec::new(), inputs }
}

/// Whether records of an entity are told apart by an identifier that nobody chooses.
fn is_made_up(entity: &Entity) -> bool {
    let mut identity = entity.identity_names().filter_map(|name| entity.attribute(name));
    identity.any(|it| it.ty.is_generated_id() && it.reference.is_none() || is_numbered(it))
}

/// Whether an attribute is the next number of a sequence.
pub(super) fn is_numbered(attribute: &Attribute) -> bool {
    attribute.sequential.as_ref().is_some_and(|flag| flag.value)
}

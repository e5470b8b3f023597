//! Every condition is broken by itself: a call in which all but one are met must be refused, and the nearest one that meets
//! them all must not be.
//!
//! A write that was refused when several things were wrong says nothing of any of them. From a call that takes place, one
//! thing is made wrong: a record is put into the tables, taken out of them or altered past all operations, or the caller
//! gives something else. Numbers and instants are tried on both sides of the boundary, enumerations in all their values, so
//! that a comparison which is a little too weak or too strong is seen too. Everything is as it was afterwards.

mod demand;
mod probe;

use std::collections::BTreeMap;

use keywright_dynamodb::value::AttributeValue;
use keywright_model::design::Request;
use keywright_model::model::{Action, Attribute, ConditionKind, ConditionValue, Effect, Entity, Input, Role};

use crate::check::{Checked, Checker};
use crate::data::absent_value;
use crate::engine::EngineError;
use crate::image::{self, Place};
use crate::inputs::{Flavour, Lead};
use crate::interpret::{Given, Inputs, key};
use crate::oracle::{Judgement, bearers, binding, is_met, judge, said, unique_sets};
use crate::prover::Prover;
use crate::world::{Change, Identity, Record, identity};
use crate::writing::Writing;
use demand::{Demand, Kind, demands};
use probe::around;

/// So many calls that take place are started from, until one of them lets a condition be broken by itself.
const BASES: usize = 8;
/// So many inputs are looked at for a call that takes place, …
const SEARCHED: usize = 24;
/// … and so many records are altered for one, where none is found.
const MOST_MET: usize = 6;
/// So many values that other records have are given instead of one.
const OTHERS: usize = 2;
/// No more than so many calls are made for one condition.
const MOST_CALLS: usize = 16;

/// What an operation makes up, by name.
type Generated = BTreeMap<String, AttributeValue>;

/// A call that takes place, in a world that some changes may have been made to for it.
#[derive(Clone)]
pub(crate) struct Base {
    pub(crate) setting: Vec<Change>,
    pub(crate) inputs: Inputs,
    generated: Generated,
    /// What it changes.
    changes: Vec<Change>,
}

/// A call that differs from one that takes place in one thing.
#[derive(Clone, Default)]
struct Variant {
    /// What is made of the records first.
    setting: Vec<Change>,
    inputs: Inputs,
}

/// What was seen of a condition.
#[derive(Clone, Copy, Default)]
struct Seen {
    /// It was broken by itself, and came to what it must.
    broken: bool,
    calls: usize,
}

impl<'a> Prover<'a, '_, '_> {
    /// Every condition of every write that took place is broken by itself, or it is said that it was not.
    pub(crate) fn breaches(&mut self) -> Result<(), EngineError> {
        let writings = self.writings();
        let all = writings.len() as u64;
        for (nth, writing) in writings.into_iter().enumerate() {
            if self.checker.tally(writing.id()).telling == 0 || self.checker.has_failed(writing.id()) {
                continue;
            }
            self.doing(&format!("violating the conditions of {}", writing.id()), nth as u64, all);
            let demands = demands(self.checker.model, writing);
            if !demands.is_empty() && self.checker.session.may_lag() && looks_up(writing) {
                let reason = "each condition on its own: the write first reads an index, which may lag on \
                              this engine";
                self.checker.tally(writing.id()).leave(reason);
                continue;
            }
            let mut seen = vec![Seen::default(); demands.len()];
            for _ in 0..BASES {
                if seen.iter().all(|seen| seen.broken)
                    || self.is_over()
                    || self.checker.has_failed(writing.id())
                {
                    break;
                }
                let Some(base) = self.checker.base(writing) else { break };
                for (demand, seen) in demands.iter().zip(&mut seen) {
                    if !seen.broken && !self.checker.has_failed(writing.id()) {
                        self.checker.break_alone(writing, demand, &base, seen)?;
                    }
                }
            }
            if self.is_over() || self.checker.has_failed(writing.id()) {
                continue;
            }
            for (demand, seen) in demands.iter().zip(&seen) {
                if !seen.broken && demand.stated {
                    let words = &demand.words;
                    self.checker.tally(writing.id()).leave(format!(
                        "\"{words}\": no call violates only this condition; remove it if it always holds, \
                         or list the other values"
                    ));
                }
            }
        }
        Ok(())
    }
}

impl<'a> Checker<'a, '_> {
    /// A call that takes place and changes something; where none is drawn, records are brought into the state that the
    /// conditions want.
    pub(crate) fn base(&mut self, writing: Writing<'a>) -> Option<Base> {
        let generated = self.maker.all(&writing.operation.generated);
        let mut drawn = Vec::new();
        for at in 0..SEARCHED {
            let flavour = if at % 4 == 3 { Flavour::Led(Lead::default()) } else { Flavour::Fresh };
            let Some(inputs) = self.inputs_of(writing, flavour) else { continue };
            if let Some(changes) = self.changes_of(writing, &inputs, &generated) {
                return Some(Base { setting: Vec::new(), inputs, generated, changes });
            }
            drawn.push(inputs);
        }
        drawn.into_iter().find_map(|inputs| self.met(writing, inputs, generated.clone()))
    }

    /// What a call changes; none where it does not take place, or changes nothing.
    fn changes_of(
        &self,
        writing: Writing<'_>,
        inputs: &Inputs,
        generated: &Generated,
    ) -> Option<Vec<Change>> {
        match judge(self.model, &self.world, writing, inputs, generated) {
            Judgement::Holds { changes, .. } => Some(changes).filter(|changes| !changes.is_empty()),
            _ => None,
        }
    }

    /// Alters the records that a call names until it takes place.
    fn met(&mut self, writing: Writing<'a>, inputs: Inputs, generated: Generated) -> Option<Base> {
        let mut setting: Vec<Change> = Vec::new();
        let mut found = None;
        for _ in 0..MOST_MET {
            if let Some(changes) = self.changes_of(writing, &inputs, &generated) {
                found = Some(changes);
                break;
            }
            let nearer = self.nearer(writing, &inputs, &generated);
            let Some(change) = nearer.or_else(|| self.agreeing(writing, &inputs)) else { break };
            self.world.apply(self.model, std::slice::from_ref(&change));
            setting.push(change);
        }
        self.world.revert(self.model, &setting);
        Some(Base { setting, inputs, generated, changes: found? })
    }

    /// A change to a record after which a condition on it is met that is not.
    fn nearer(&self, writing: Writing<'a>, inputs: &Inputs, generated: &Generated) -> Option<Change> {
        let model = self.model;
        writing.write.conditions.iter().find_map(|condition| {
            if let ConditionKind::NotExists { entity } = &condition.kind {
                let there = ConditionKind::Exists { entity: entity.clone() };
                let record = bearers(model, &self.world, writing, inputs, generated, &there).pop()?;
                return Some(Change { entity: entity.clone(), before: Some(record), after: None });
            }
            let named = asked(&condition.kind)?;
            let entity = model.entity(&named.entity)?;
            let attribute = entity.attribute(&named.attribute)?;
            let records = bearers(model, &self.world, writing, inputs, generated, &condition.kind);
            let unmet = |record: &&Record| is_met(model, &condition.kind, record, inputs) != Some(true);
            let record = records.iter().find(unmet)?;
            let wanted = compared(&condition.kind, record, inputs);
            let mut values: Vec<Option<AttributeValue>> = Vec::new();
            wanted.iter().for_each(|wanted| values.extend(around(attribute, Some(wanted))));
            values.extend(around(attribute, None));
            values.into_iter().find_map(|value| {
                let change = altered(entity, record, &attribute.name, value)?;
                let meets = is_met(model, &condition.kind, change.after.as_ref()?, inputs) == Some(true);
                meets.then_some(change)
            })
        })
    }

    /// A change to a record after which it holds what the caller says of it beside its identity.
    fn agreeing(&self, writing: Writing<'a>, inputs: &Inputs) -> Option<Change> {
        let (model, pattern) = (self.model, writing.pattern);
        let kept = |effect: &&Effect| !effect.all && !matches!(effect.action, Action::Create | Action::Put);
        writing.write.effects.iter().filter(kept).find_map(|effect| {
            let entity = model.entity(&effect.entity)?;
            let equal = pattern.inputs().iter().filter(|input| input.role == Role::Equal);
            let told: Record = equal
                .filter_map(|input| {
                    let name = said(model, pattern, input, &entity.name)?;
                    Some((name.to_owned(), inputs.get(&input.name)?.one()?.clone()))
                })
                .collect();
            let identity: Option<Identity> =
                entity.identity_names().map(|name| told.get(name).cloned()).collect();
            let record = self.world.get(&entity.name, &identity?)?;
            let (name, value) = told.iter().find(|(name, value)| record.get(*name) != Some(*value))?;
            altered(entity, record, name, Some(value.clone()))
        })
    }

    /// Makes the calls that break one condition, and those beside them that do not.
    fn break_alone(
        &mut self,
        writing: Writing<'a>,
        demand: &Demand<'a>,
        base: &Base,
        seen: &mut Seen,
    ) -> Result<(), EngineError> {
        self.world.apply(self.model, &base.setting);
        let variants = self.variants(writing, demand, base);
        self.world.revert(self.model, &base.setting);
        for variant in variants {
            if seen.calls == MOST_CALLS || self.has_failed(writing.id()) {
                break;
            }
            let setting: Vec<Change> = base.setting.iter().chain(&variant.setting).cloned().collect();
            self.world.apply(self.model, &setting);
            let expected = self.expected(writing, demand, &variant.inputs, &base.generated);
            self.world.revert(self.model, &setting);
            let Some(expected) = expected else { continue };
            seen.calls += 1;
            let called = self.in_scene(&setting, |checker| {
                checker.call_in(writing, &setting, &variant.inputs, base, expected)
            });
            let first = matches!(demand.kind, Kind::First(_));
            seen.broken |= called? && (expected != Expected::TakesPlace || first);
        }
        Ok(())
    }

    /// What a call must come to, where it tells something of a condition: it takes place, or only that condition is in its
    /// way.
    fn expected(
        &self,
        writing: Writing<'a>,
        demand: &Demand<'a>,
        inputs: &Inputs,
        generated: &Generated,
    ) -> Option<Expected> {
        let beside = matches!(demand.kind, Kind::Beside(..));
        let silent = beside || matches!(demand.kind, Kind::Absent(_)) && demand.open.is_none();
        let fails = match judge(self.model, &self.world, writing, inputs, generated) {
            Judgement::Holds { changes, .. } if !changes.is_empty() => return Some(Expected::TakesPlace),
            Judgement::Holds { .. } if beside => return Some(Expected::Refused),
            Judgement::Unclear if silent => return Some(Expected::LeftAlone),
            Judgement::Fails(why) => why,
            _ => return None,
        };
        let alone = match &demand.open {
            Some(open) => {
                let open = Writing { pattern: open, write: open.write()?, ..writing };
                match judge(self.model, &self.world, open, inputs, generated) {
                    // What the document says elsewhere too is the same condition.
                    Judgement::Fails(why) => demand.says(&why),
                    _ => true,
                }
            }
            // What the document does not state is asked after all that it does.
            None => demand.says(&fails),
        };
        alone.then_some(Expected::Refused)
    }

    /// Does something in a world and tables that are changed for it, past all operations. Everything is as it was afterwards.
    pub(crate) fn in_scene<T>(
        &mut self,
        setting: &[Change],
        act: impl FnOnce(&mut Self) -> Result<T, EngineError>,
    ) -> Result<T, EngineError> {
        self.world.open_scene();
        self.session.open_scene();
        let set = setting.iter().try_for_each(|change| self.store(change.clone()));
        let done = set.and_then(|()| act(self));
        self.world.close_scene(self.model);
        self.session.close_scene()?;
        done
    }

    /// The same call in a world where the records that it changes have nothing that they may lack; none where they have
    /// nothing such, or it does not take place then.
    pub(crate) fn bare(&mut self, writing: Writing<'a>, base: &Base) -> Option<Base> {
        let model = self.model;
        let bare = base.changes.iter().filter_map(|change| {
            let entity = model.entity(&change.entity)?;
            let before = change.before.clone()?;
            let mut after = before.clone();
            let may_lack = |name: &str| entity.attribute(name).is_none_or(|it| it.is_optional());
            let identifies = |name: &str| entity.identity_names().any(|identity| identity == name);
            after.retain(|name, _| identifies(name) || !may_lack(name));
            (after != before).then(|| Change {
                entity: change.entity.clone(),
                before: Some(before),
                after: Some(after),
            })
        });
        let setting: Vec<Change> = base.setting.iter().cloned().chain(bare).collect();
        if setting.len() == base.setting.len() {
            return None;
        }
        self.world.apply(model, &setting);
        let changes = self.changes_of(writing, &base.inputs, &base.generated);
        self.world.revert(model, &setting);
        Some(Base { setting, changes: changes?, ..base.clone() })
    }

    /// Makes the call in the scene; says whether it came to what it must.
    fn call_in(
        &mut self,
        writing: Writing<'a>,
        setting: &[Change],
        inputs: &Inputs,
        base: &Base,
        expected: Expected,
    ) -> Result<bool, EngineError> {
        if expected == Expected::LeftAlone {
            return self.check_left_alone(writing, setting, inputs, base);
        }
        let checked = self.check_write_with(writing, inputs, base.generated.clone(), false)?;
        Ok(matches!(checked, Checked::Held(_) | Checked::Refused))
    }

    /// The calls that may break one condition.
    fn variants(&mut self, writing: Writing<'a>, demand: &Demand<'a>, base: &Base) -> Vec<Variant> {
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
                for value in around(attribute, Some(&center)).into_iter().flatten() {
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
            // An identifier that is made up can only come twice with all that came with it.
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

    /// Runs a call that names something else than what there is, or creates what is there, of which the document does not
    /// say what comes of it: whatever that is, what there is stays as it is.
    fn check_left_alone(
        &mut self,
        writing: Writing<'a>,
        setting: &[Change],
        inputs: &Inputs,
        base: &Base,
    ) -> Result<bool, EngineError> {
        let mut meant: Vec<Place> = Vec::new();
        let meant_first = base.changes.iter().map(|change| (&change.entity, &change.before));
        let placed = setting.iter().map(|change| (&change.entity, &change.after));
        for (entity, record) in meant_first.chain(placed) {
            let Some(record) = record else { continue };
            let stored = image::of_record(self.model, self.design, &self.world, entity, record);
            meant.extend(stored.unwrap_or_default().into_keys());
        }
        let touched = self.run_unjudged(writing, inputs, base.generated.clone(), &meant)?;
        if let Some(touched) = &touched {
            let expected = "an existing item that the caller does not mean stays unchanged";
            self.fail(writing.id(), "condition", inputs, expected, touched);
        }
        Ok(touched.is_none())
    }
}

/// What a call must come to.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Expected {
    TakesPlace,
    Refused,
    /// The document does not say, but what there is must stay.
    LeftAlone,
}

/// The attribute that a condition speaks of.
fn asked(kind: &ConditionKind) -> Option<&keywright_model::model::AttributeRef> {
    match kind {
        ConditionKind::Compare { attribute, .. }
        | ConditionKind::OneOf { attribute, .. }
        | ConditionKind::Held { attribute, .. } => Some(attribute),
        _ => None,
    }
}

/// What a condition compares an attribute of a record with.
fn compared(kind: &ConditionKind, record: &Record, inputs: &Inputs) -> Vec<AttributeValue> {
    match kind {
        ConditionKind::Compare { value, .. } => {
            let other = match value {
                ConditionValue::Literal(literal) => Some(key::literal(literal)),
                ConditionValue::Input(name) => inputs.get(name).and_then(Given::one).cloned(),
                ConditionValue::Attribute(name) => record.get(name).cloned(),
            };
            other.into_iter().collect()
        }
        ConditionKind::OneOf { values, .. } => values.iter().map(key::literal).collect(),
        _ => Vec::new(),
    }
}

/// A record with another value of an attribute, or none; none where that is what it is, or tells which record it is.
fn altered(entity: &Entity, record: &Record, name: &str, value: Option<AttributeValue>) -> Option<Change> {
    let mut after = record.clone();
    match value {
        Some(value) => after.insert(name.to_owned(), value),
        None => after.remove(name),
    };
    let identifies = entity.identity_names().any(|identity| identity == name);
    let unique = unique_sets(entity).iter().flatten().any(|it| it == name);
    (!identifies && !unique).then(|| Change {
        entity: entity.name.clone(),
        before: Some(record.clone()),
        after: Some(after),
    })
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
fn is_numbered(attribute: &Attribute) -> bool {
    attribute.sequential.as_ref().is_some_and(|flag| flag.value)
}

/// Whether a write reads an index before it writes.
fn looks_up(writing: Writing<'_>) -> bool {
    writing.operation.requests.iter().any(|it| matches!(it, Request::Query(query) if query.index.is_some()))
}

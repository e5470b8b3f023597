//! Limits are reached: a parent gets as many children as it may have, through the design's own writes. The last one that
//! there is room for is accepted, the next one refused, and another one accepted after one has gone.

use keywright_dynamodb::expression::Comparator;
use keywright_dynamodb::value::AttributeValue;
use keywright_model::Model;
use keywright_model::model::{
    Action, Condition, ConditionKind, ConditionValue, Entity, Literal, Pattern, Role, Write,
};

use crate::check::{Checked, Contender, keeps_exactly};
use crate::engine::EngineError;
use crate::inputs::{self, Flavour};
use crate::interpret::{Given, Inputs, as_integer};
use crate::oracle::{Judgement, binding, declared_number, judge};
use crate::prover::Prover;
use crate::prover::means::spends;
use crate::world::{Change, Identity, Record};
use crate::writing::Writing;

/// A limit that is further away than so many writes is not reached, unless the data is larger: …
const MOST_WRITES: u64 = 300;
/// … then so many writes are made in any case.
const MOST_WRITES_AT_SCALE: u64 = 1_000;
/// How many calls are drawn for the fullest parent.
const PARENTS: usize = 16;
/// For how many parents what a call needs is made, where no call is possible as the records are.
const PREPARED: usize = 4;
/// How many calls are drawn for one that only the limit could refuse, …
const DRAWS: usize = 24;
/// … and how often what such a call needs is made before that.
const ROUNDS: usize = 4;
/// How many records are tried for one that a delete can name.
const REMOVED: usize = 8;

/// A limit that a write's conditions state.
struct Limit<'a> {
    condition: &'a Condition,
    /// Whose records are limited.
    entity: &'a str,
    /// For each of whom; none for all together.
    per: Option<&'a Entity>,
    most: u64,
    /// The number of the parent's that the document itself lets the write add to.
    declared: Option<&'a str>,
    /// The write without this limit.
    open: Write,
}

/// A call that only the limit could refuse, and whether it leaves room.
type Tried = (Inputs, bool);

impl<'a> Prover<'a, '_, '_> {
    /// Every limit of every write is reached, or it is said that it was not.
    pub(crate) fn limits(&mut self) -> Result<(), EngineError> {
        let writings = self.writings();
        let all = writings.len() as u64;
        for (nth, writing) in writings.into_iter().enumerate() {
            for limit in limits(self.checker.model, writing) {
                if self.is_over() || self.checker.has_failed(writing.id()) {
                    break;
                }
                self.doing(&format!("filling up for {}", writing.id()), nth as u64, all);
                if let Some(reason) = self.reach(writing, &limit)? {
                    let words = limit.condition.text.as_str();
                    self.checker.tally(writing.id()).leave(format!("the limit \"{words}\": {reason}"));
                }
            }
        }
        Ok(())
    }

    /// Fills one parent up; says why where that can't be done.
    fn reach(&mut self, writing: Writing<'a>, limit: &Limit<'a>) -> Result<Option<String>, EngineError> {
        let (model, design) = (self.checker.model, self.checker.design);
        if let (None, Some(per)) = (limit.declared, limit.per)
            && !keeps_exactly(model, design, writing, limit.entity, &per.name)
        {
            let reason = "not reached: another write changes the number without naming the parent";
            return Ok(Some(reason.to_owned()));
        }
        let Some((number, fixed)) = self.fullest(writing, limit)? else {
            return Ok(Some("not reached: there was no parent to fill up".to_owned()));
        };
        let most_writes = (self.scale() / 4).clamp(MOST_WRITES, MOST_WRITES_AT_SCALE);
        let missing = limit.most.saturating_sub(number);
        if missing > most_writes {
            return Ok(Some(format!("not reached: that would take {missing} writes")));
        }
        for _ in 0..=missing {
            let Some((made, room)) = self.next(writing, limit, &fixed)? else { break };
            if !room {
                self.check_full(writing, limit, &fixed, &made)?;
                return Ok(None);
            }
            let last = self.number(writing, limit, &fixed) + 1 == limit.most;
            if last && self.removers(limit).is_empty() {
                self.race_for_the_last(writing, limit, &fixed, &made)?;
            }
            if self.checker.has_failed(writing.id()) || !self.takes_place(writing, &made)? {
                return Ok(None);
            }
        }
        Ok(Some("not reached: no more items could be created".to_owned()))
    }

    /// Of some parents the one with the most children: how many there are, and the inputs that name it.
    fn fullest(
        &mut self,
        writing: Writing<'a>,
        limit: &Limit<'a>,
    ) -> Result<Option<(u64, Inputs)>, EngineError> {
        let mut best: Option<(u64, Inputs)> = None;
        for _ in 0..PARENTS {
            let Some(made) = self.checker.inputs_of(writing, Flavour::Fresh) else { break };
            if self.has_room(writing, limit, &made).is_none() {
                continue;
            }
            let Some(fixed) = named(self.checker.model, writing.pattern, limit.per, &made) else { continue };
            let number = self.number(writing, limit, &fixed);
            if best.as_ref().is_none_or(|(most, _)| number > *most) {
                best = Some((number, fixed));
            }
        }
        if best.is_some() {
            return Ok(best);
        }
        self.prepared(writing, limit)
    }

    /// A parent for which what a call needs was made, as nothing that is there goes together: a user, say, in the tenant of
    /// the channel.
    fn prepared(
        &mut self,
        writing: Writing<'a>,
        limit: &Limit<'a>,
    ) -> Result<Option<(u64, Inputs)>, EngineError> {
        let Some(per) = limit.per else { return Ok(None) };
        if self.checker.world.count(&per.name) == 0 {
            for creator in self.creators(&per.name) {
                if self.create(creator, &per.name, &Record::new())?.is_some() {
                    break;
                }
            }
        }
        // The last ones first: they have the fewest children that could stand in the way.
        let count = self.checker.world.count(&per.name);
        for at in (0..count).rev().take(PREPARED) {
            let Some(parent) = self.checker.world.some(&per.name, at) else { continue };
            let identity: Record = per
                .identity_names()
                .filter_map(|name| Some((name.to_owned(), parent.get(name)?.clone())))
                .collect();
            let fixed = giving(self.checker.model, writing.pattern, &per.name, &identity);
            if named(self.checker.model, writing.pattern, limit.per, &fixed).is_some()
                && self.next(writing, limit, &fixed)?.is_some()
            {
                return Ok(Some((self.number(writing, limit, &fixed), fixed)));
            }
        }
        Ok(None)
    }

    /// How many there are for the parent that the inputs name.
    fn number(&self, writing: Writing<'a>, limit: &Limit<'a>, fixed: &Inputs) -> u64 {
        let world = &self.checker.world;
        if let (Some(attribute), Some(per)) = (limit.declared, limit.per) {
            let values = self.held(writing, &per.name, fixed);
            let identity: Identity =
                per.identity_names().filter_map(|name| values.get(name).cloned()).collect();
            let record = world.get(&per.name, &identity);
            let number = record.and_then(|record| as_integer(record.get(attribute)?.as_n()?));
            return number.unwrap_or(0).max(0) as u64;
        }
        self.children(writing, limit, fixed).len() as u64
    }

    /// What the inputs say of an entity's attributes.
    fn held(&self, writing: Writing<'a>, entity: &str, fixed: &Inputs) -> Record {
        let inputs = writing.pattern.inputs().iter();
        let held = inputs.filter_map(|input| {
            let name = binding(self.checker.model, input, entity)?;
            Some((name.to_owned(), fixed.get(&input.name)?.one()?.clone()))
        });
        held.collect()
    }

    /// The records that the limit counts for the parent that the inputs name.
    fn children(&self, writing: Writing<'a>, limit: &Limit<'a>, fixed: &Inputs) -> Vec<&Record> {
        let held = self.held(writing, limit.entity, fixed);
        let values: Vec<(&str, &[AttributeValue])> =
            held.iter().map(|(name, value)| (name.as_str(), std::slice::from_ref(value))).collect();
        let mut records = self.checker.world.near(limit.entity, &values);
        records.retain(|record| held.iter().all(|(name, value)| record.get(name) == Some(value)));
        records
    }

    /// Whether there is room for what a call creates; none where it creates nothing, or something else refuses it.
    fn has_room(&self, writing: Writing<'a>, limit: &Limit<'a>, made: &Inputs) -> Option<bool> {
        let checker = &self.checker;
        let generated = checker.maker.clone().all(&writing.operation.generated);
        let open = Writing { write: &limit.open, ..writing };
        let Judgement::Holds { changes, .. } = judge(checker.model, &checker.world, open, made, &generated)
        else {
            return None;
        };
        changes.iter().find(|change| change.entity == limit.entity && change.before.is_none())?;
        match checker.foretell(writing, made) {
            Judgement::Holds { .. } => Some(true),
            Judgement::Fails(_) => Some(false),
            Judgement::Orphans { .. } | Judgement::InParts(_) | Judgement::Unclear => None,
        }
    }

    /// A call for the parent that only the limit could refuse; what such a call needs is made where it is missing.
    fn next(
        &mut self,
        writing: Writing<'a>,
        limit: &Limit<'a>,
        fixed: &Inputs,
    ) -> Result<Option<Tried>, EngineError> {
        for _ in 0..ROUNDS {
            for _ in 0..DRAWS {
                let Some(made) = self.checker.inputs_of(writing, Flavour::Within(fixed)) else { break };
                if let Some(room) = self.has_room(writing, limit, &made) {
                    return Ok(Some((made, room)));
                }
            }
            // What was just made is used first: of much that is there, little may be left.
            let new = self.make_needed(writing, limit, fixed)?;
            if let Some(made) = self.checker.inputs_of(writing, Flavour::Within(&new))
                && let Some(room) = self.has_room(writing, limit, &made)
            {
                return Ok(Some((made, room)));
            }
        }
        Ok(None)
    }

    /// Makes one more record of everything that the write needs beside the parent; the inputs that name it come back.
    fn make_needed(
        &mut self,
        writing: Writing<'a>,
        limit: &Limit<'a>,
        fixed: &Inputs,
    ) -> Result<Inputs, EngineError> {
        let mut named = fixed.clone();
        let needed = inputs::existing_entities(self.checker.model, writing.pattern, writing.write);
        for (entity, _) in needed {
            if limit.per.is_some_and(|per| per.name == entity.name) {
                continue;
            }
            let held = self.held(writing, &entity.name, fixed);
            let creators = self.creators(&entity.name);
            if creators.is_empty() {
                self.place(&entity.name)?;
            }
            for creator in creators {
                if let Some(new) = self.create(creator, &entity.name, &held)? {
                    let identity = entity
                        .identity_names()
                        .filter_map(|name| Some((name.to_owned(), new.get(name)?.clone())));
                    let own = giving(self.checker.model, writing.pattern, &entity.name, &identity.collect());
                    own.into_iter().for_each(|(name, given)| {
                        named.entry(name).or_insert(given);
                    });
                    break;
                }
            }
        }
        Ok(named)
    }

    /// Calls a write that creates a record with those values, as far as the caller can give them.
    pub(crate) fn create(
        &mut self,
        creator: Writing<'a>,
        entity: &str,
        held: &Record,
    ) -> Result<Option<Record>, EngineError> {
        let fixed = giving(self.checker.model, creator.pattern, entity, held);
        if spends(creator.write).next().is_some()
            && let Some(inputs) = self.checker.inputs_of(creator, Flavour::Within(&fixed))
        {
            self.provide(creator, &inputs)?;
        }
        for _ in 0..DRAWS {
            let Some(made) = self.checker.inputs_of(creator, Flavour::Within(&fixed)) else { break };
            // Whoever puts may replace one that is there.
            let comes = |change: &Change| change.entity == entity && change.before.is_none();
            let Judgement::Holds { changes, .. } = self.checker.foretell(creator, &made) else { continue };
            if !changes.iter().any(comes) {
                continue;
            }
            let Checked::Held(changes) = self.checker.check_write(creator, &made, false)? else { break };
            let new = changes.into_iter().find(comes);
            return Ok(new.and_then(|change| change.after));
        }
        Ok(None)
    }

    fn takes_place(&mut self, writing: Writing<'a>, made: &Inputs) -> Result<bool, EngineError> {
        Ok(matches!(self.checker.check_write(writing, made, false)?, Checked::Held(_)))
    }

    /// Two writers for the last one that there is room for: one of them is refused.
    fn race_for_the_last(
        &mut self,
        writing: Writing<'a>,
        limit: &Limit<'a>,
        fixed: &Inputs,
        made: &Inputs,
    ) -> Result<(), EngineError> {
        let Some((other, true)) = self.next(writing, limit, fixed)? else { return Ok(()) };
        let contenders = [made.clone(), other].map(|inputs| Contender { writing, inputs });
        self.checker.check_race(contenders)
    }

    /// At the limit: one more is refused, and where one goes there is room for one.
    fn check_full(
        &mut self,
        writing: Writing<'a>,
        limit: &Limit<'a>,
        fixed: &Inputs,
        made: &Inputs,
    ) -> Result<(), EngineError> {
        if self.checker.check_write(writing, made, false)? != Checked::Refused {
            return Ok(());
        }
        for remover in self.removers(limit) {
            if !self.remove(remover, writing, limit, fixed)? {
                continue;
            }
            // Once there is room, and then there is none again.
            for _ in 0..2 {
                let Some((made, room)) = self.next(writing, limit, fixed)? else { return Ok(()) };
                if room {
                    self.race_for_the_last(writing, limit, fixed, &made)?;
                }
                if self.checker.has_failed(writing.id()) {
                    return Ok(());
                }
                let checked = self.checker.check_write(writing, &made, false)?;
                if checked == Checked::Failed || !room {
                    break;
                }
            }
        }
        Ok(())
    }

    /// The writes that delete one of what is limited.
    fn removers(&self, limit: &Limit<'a>) -> Vec<Writing<'a>> {
        self.writings().into_iter().filter(|it| removes_one(it.write, limit.entity)).collect()
    }

    /// Deletes one of the parent's children.
    fn remove(
        &mut self,
        remover: Writing<'a>,
        writing: Writing<'a>,
        limit: &Limit<'a>,
        fixed: &Inputs,
    ) -> Result<bool, EngineError> {
        let children: Vec<Record> =
            self.children(writing, limit, fixed).into_iter().take(REMOVED).cloned().collect();
        for child in children {
            let fixed = giving(self.checker.model, remover.pattern, limit.entity, &child);
            let Some(made) = self.checker.inputs_of(remover, Flavour::Within(&fixed)) else { continue };
            let Judgement::Holds { changes, .. } = self.checker.foretell(remover, &made) else { continue };
            let gone = |change: &crate::world::Change| {
                change.entity == limit.entity
                    && change.after.is_none()
                    && change.before.as_ref() == Some(&child)
            };
            if changes.iter().any(gone) {
                return self.takes_place(remover, &made);
            }
        }
        Ok(false)
    }
}

/// The limits that a write's conditions state on what it creates.
fn limits<'a>(model: &'a Model, writing: Writing<'a>) -> Vec<Limit<'a>> {
    let write = writing.write;
    let created = |effect: &&keywright_model::model::Effect| effect.action == Action::Create && !effect.all;
    let mut limits = Vec::new();
    for (at, condition) in write.conditions.iter().enumerate() {
        let (entity, per, most, declared) = match &condition.kind {
            ConditionKind::AtMost { entity, per, limit } if writing.creates(entity) => {
                let declared = per.as_deref().and_then(|per| model.declared_count(entity, per));
                (entity.as_str(), per.as_deref(), *limit, declared)
            }
            // "size < 40", where the write itself adds one to it.
            ConditionKind::Compare {
                attribute,
                comparator: comparator @ (Comparator::Less | Comparator::LessOrEqual),
                value: ConditionValue::Literal(Literal::Number(number)),
            } => {
                let declared = declared_number(write, &attribute.entity);
                let declared = declared.filter(|name| *name == attribute.attribute);
                let number: Option<u64> = number.parse().ok();
                let (Some(effect), Some(_), Some(number)) =
                    (write.effects.iter().find(created), declared, number)
                else {
                    continue;
                };
                let most = number + u64::from(*comparator == Comparator::LessOrEqual);
                (effect.entity.as_str(), Some(attribute.entity.as_str()), most, declared)
            }
            _ => continue,
        };
        let per = per.and_then(|per| model.entity(per));
        let mut open = write.clone();
        open.conditions.remove(at);
        limits.push(Limit { condition, entity, per, most, declared, open });
    }
    limits
}

/// The inputs of a call that name the parent; none where they do not.
fn named(model: &Model, pattern: &Pattern, per: Option<&Entity>, made: &Inputs) -> Option<Inputs> {
    let Some(per) = per else { return Some(Inputs::new()) };
    let name = |identity: &str| {
        let mut inputs = pattern.inputs().iter().filter(|input| input.role == Role::Equal && !input.list);
        let input = inputs.find(|input| binding(model, input, &per.name) == Some(identity))?;
        Some((input.name.clone(), made.get(&input.name)?.clone()))
    };
    per.identity_names().map(name).collect()
}

/// The inputs by which a caller gives an entity's attributes those values.
pub(crate) fn giving(model: &Model, pattern: &Pattern, entity: &str, held: &Record) -> Inputs {
    let inputs = pattern.inputs().iter().filter(|input| {
        input.constant.is_none() && !input.list && matches!(input.role, Role::Equal | Role::NewValue)
    });
    let given = inputs.filter_map(|input| {
        let value = held.get(binding(model, input, entity)?)?;
        Some((input.name.clone(), Given::One(value.clone())))
    });
    given.collect()
}

/// Whether a write deletes one record of an entity.
fn removes_one(write: &Write, entity: &str) -> bool {
    let mut effects = write.effects.iter().filter(|effect| effect.entity == entity);
    effects.any(|effect| effect.action == Action::Delete && !effect.all)
}

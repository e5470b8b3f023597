//! The data of a proof: made through the design's own writes where the document has them, placed where it has none.

use std::collections::BTreeMap;

use keywright_dynamodb::value::AttributeValue;
use keywright_model::model::{Action, Attribute, Entity};

use crate::check::Checker;
use crate::data;
use crate::engine::EngineError;
use crate::image;
use crate::inputs::{self, Flavour};
use crate::interpret::as_integer;
use crate::prover::Prover;
use crate::prover::means::spends;
use crate::world::{Change, Record, identity};
use crate::writing::Writing;

/// Where so many draws in a row bring no new record, the document has no room for more.
const MOST_MISSED: u32 = 100;
/// For so many records of an entity, those that they spend from are given something first. The others stay as they were
/// created: there are writes that want a number to be zero.
const PROVIDED: u64 = 12;
/// So many records are drawn for one that is not there yet.
const DRAWS: u32 = 8;

impl<'a> Prover<'a, '_, '_> {
    /// Makes the data, through the design's own writes where the document has them.
    pub(crate) fn load(&mut self, amounts: &BTreeMap<String, u64>) -> Result<(), EngineError> {
        // Twice: a create may also need what comes later in the order, such as a counter for the whole table.
        let order = data::creation_order(self.checker.model);
        let all: u64 = amounts.values().sum();
        let there = |prover: &Self, (name, wanted): (&String, &u64)| {
            (prover.checker.world.count(name) as u64).min(*wanted)
        };
        let mut made: u64 = amounts.iter().map(|it| there(self, it)).sum();
        for name in order.iter().chain(&order).copied() {
            let wanted = amounts.get(name).copied().unwrap_or(0);
            let creators = self.creators(name);
            let doing = format!("loading {name}");
            let (mut draws, mut missed, mut most) = (0, 0, 0);
            let lacks = |prover: &Self| (prover.checker.world.count(name) as u64) < wanted;
            while lacks(self) && draws < wanted * 3 && missed < MOST_MISSED && !self.is_over() {
                draws += 1;
                self.doing(&doing, made, all);
                let before = self.checker.world.count(name);
                let at = draws as usize % creators.len().max(1);
                match creators.get(at) {
                    Some(writing) if !self.checker.has_failed(writing.id()) => {
                        if draws <= PROVIDED
                            && spends(writing.write).next().is_some()
                            && let Some(inputs) = self.checker.inputs_of(*writing, Flavour::Fresh)
                        {
                            self.provide(*writing, &inputs)?;
                        }
                        self.draw(*writing, Flavour::Fresh)?;
                    }
                    _ => self.place(name)?,
                }
                let count = self.checker.world.count(name);
                made += count.saturating_sub(before) as u64;
                missed = if count > most { 0 } else { missed + 1 };
                most = most.max(count);
            }
            // What no create gives is given here, so that reads by it have something to find.
            self.fill(name)?;
        }
        Ok(())
    }

    /// The writes that create records of an entity.
    pub(crate) fn creators(&self, entity: &str) -> Vec<Writing<'a>> {
        let all: Vec<Writing<'a>> =
            self.writings().into_iter().filter(|writing| writing.creates(entity)).collect();
        // Further versions come of changes rather than of further items.
        let original = self.checker.model.entity(entity).and_then(|it| it.versions_of.as_deref());
        let changes = |writing: &Writing<'_>| original.is_some_and(|original| !writing.creates(original));
        let later: Vec<Writing<'a>> = all.iter().copied().filter(changes).collect();
        if later.is_empty() { all } else { later }
    }

    /// Puts a record of an entity that no pattern creates into the tables as the item types say.
    pub(crate) fn place(&mut self, name: &str) -> Result<(), EngineError> {
        let checker = &mut self.checker;
        let Some(entity) = checker.model.entity(name) else { return Ok(()) };
        let Some(record) = checker.new_record(entity) else { return Ok(()) };
        if checker.world.get(name, &identity(entity, &record)).is_some() {
            return Ok(());
        }
        let change = Change { entity: name.to_owned(), before: None, after: Some(record) };
        checker.store(change)
    }

    /// Brings a record with those values: by a write that creates such, or as the item types say where no pattern does.
    pub(crate) fn bring(&mut self, name: &str, held: &Record) -> Result<Option<Record>, EngineError> {
        let creators = self.creators(name);
        for creator in &creators {
            if !self.checker.has_failed(creator.id())
                && let Some(made) = self.create(*creator, name, held)?
            {
                return Ok(Some(made));
            }
        }
        let checker = &mut self.checker;
        let Some(entity) = checker.model.entity(name).filter(|_| creators.is_empty()) else {
            return Ok(None);
        };
        for _ in 0..DRAWS {
            let Some(mut record) = checker.new_record(entity) else { break };
            record.extend(held.clone());
            if checker.world.get(name, &identity(entity, &record)).is_none() {
                checker.store(Change {
                    entity: name.to_owned(),
                    before: None,
                    after: Some(record.clone()),
                })?;
                return Ok(Some(record));
            }
        }
        Ok(None)
    }

    /// Gives some records the attributes that no write of the document gives them.
    fn fill(&mut self, name: &str) -> Result<(), EngineError> {
        let checker = &mut self.checker;
        let Some(entity) = checker.model.entity(name) else { return Ok(()) };
        if entity.versions_of.is_some() {
            // A version is what its item was.
            return Ok(());
        }
        let never_written: Vec<&Attribute> =
            entity.attributes.iter().filter(|it| !checker.is_written(name, &it.name)).collect();
        if never_written.is_empty() {
            return Ok(());
        }
        // A record keeps its slot when it is stored anew.
        for slot in 0..checker.world.slots(name) {
            let Some(record) = checker.world.slot(name, slot).cloned() else { continue };
            let mut filled = record.clone();
            for attribute in &never_written {
                if !record.contains_key(&attribute.name) && checker.values.present(entity, attribute) {
                    let value = checker.values.make(entity, attribute, false);
                    filled.insert(attribute.name.clone(), value);
                }
            }
            if filled != record {
                checker.store(Change {
                    entity: name.to_owned(),
                    before: Some(record),
                    after: Some(filled),
                })?;
            }
        }
        Ok(())
    }
}

impl Checker<'_, '_> {
    /// A new record of an entity that no pattern creates, with parents that exist; none where there are none. A parent
    /// that another one fixes in part, as a module fixes its course, is one of those that agree.
    pub(crate) fn new_record(&mut self, entity: &Entity) -> Option<Record> {
        let mut record = Record::new();
        let mut relationships: Vec<_> = self.model.parents_of(&entity.name).collect();
        relationships.sort_by_key(|relationship| std::cmp::Reverse(relationship.via.len()));
        for relationship in relationships {
            let parent = self.model.entity(&relationship.parent)?;
            let held: Vec<(&str, &[AttributeValue])> = parent
                .identity_names()
                .zip(&relationship.via)
                .filter_map(|(name, via)| Some((name, std::slice::from_ref(record.get(via)?))))
                .collect();
            let agrees =
                |parent: &Record| held.iter().all(|(name, values)| parent.get(*name) == values.first());
            let from = self.values.random().index(self.world.slots(&parent.name));
            let Some(chosen) = self.world.one_near(&parent.name, &held, from, agrees) else { continue };
            for (name, via) in parent.identity_names().zip(&relationship.via) {
                if let Some(value) = chosen.get(name) {
                    record.entry(via.clone()).or_insert_with(|| value.clone());
                }
            }
        }
        for attribute in &entity.attributes {
            if record.contains_key(&attribute.name) || !self.values.present(entity, attribute) {
                continue;
            }
            let distinct = inputs::is_distinct(entity, attribute, &mut self.values);
            let value = match self.referred(attribute) {
                Some(value) => value,
                None => {
                    let value = self.values.make(entity, attribute, distinct);
                    self.with_room(entity, attribute, value)
                }
            };
            record.insert(attribute.name.clone(), value);
        }
        Some(record)
    }

    /// A number that writes add to begins where there is room for that: of the largest nobody says what comes next.
    fn with_room(&self, entity: &Entity, attribute: &Attribute, value: AttributeValue) -> AttributeValue {
        let grows = || {
            let patterns = self.model.patterns.iter().filter_map(|it| Writing::of(self.design, it));
            patterns.into_iter().any(|it| it.adds_to(&entity.name, &attribute.name))
        };
        let number = value.as_n().and_then(as_integer);
        match number.zip(attribute.max.as_ref()) {
            Some((number, max)) if number > (max.value / 2) as i64 && grows() => {
                AttributeValue::from((max.value / 2) as i64)
            }
            _ => value,
        }
    }

    /// A value of the attribute that another one refers to.
    fn referred(&mut self, attribute: &Attribute) -> Option<AttributeValue> {
        let reference = &attribute.reference.as_ref()?.value;
        let at = self.values.random().index(self.world.count(&reference.entity));
        self.world.some(&reference.entity, at)?.get(&reference.attribute).cloned()
    }

    /// Whether some write of the document gives an attribute its value.
    fn is_written(&self, entity: &str, attribute: &str) -> bool {
        self.model.patterns.iter().filter_map(|pattern| Some((pattern, pattern.write()?))).any(
            |(pattern, write)| {
                write.effects.iter().any(|effect| {
                    effect.entity == entity
                        && match &effect.action {
                            Action::Add { attribute: added, .. } => added == attribute,
                            Action::Delete => false,
                            _ => {
                                effect
                                    .attributes
                                    .iter()
                                    .any(|name| name == attribute && !effect.removes.contains(name))
                                    || pattern.inputs().iter().any(|input| {
                                        crate::oracle::binding(self.model, input, entity) == Some(attribute)
                                    })
                                    || self.design.operation(&pattern.id).is_some_and(|operation| {
                                        operation.generated.iter().any(|made| made.name == attribute)
                                    })
                            }
                        }
                })
            },
        )
    }

    /// Stores a change as the item types say, past all operations.
    pub(crate) fn store(&mut self, change: Change) -> Result<(), EngineError> {
        let changes = [change];
        let before = image::before_changes(self.model, self.design, &self.world, &changes);
        self.world.apply(self.model, &changes);
        let after = image::after_changes(self.model, self.design, &self.world, &changes);
        let (Ok(before), Ok(after)) = (before, after) else {
            // A template that can't take the value: the reads that need it will say so.
            self.world.revert(self.model, &changes);
            return Ok(());
        };
        for place in before.keys().filter(|place| !after.contains_key(*place)) {
            self.session.place(&place.0, &place.1, None)?;
        }
        for (place, stored) in &after {
            let item = stored.over(self.session.mirror.get(&place.0, &place.1).unwrap_or_default());
            self.session.place(&place.0, &place.1, Some(&item))?;
        }
        self.repair_kept(&changes)
    }
}

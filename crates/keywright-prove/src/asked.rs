//! What reads ask for: records that hold their constants, and more of them than the first so many that they give.

use std::collections::BTreeMap;

use keywright_dynamodb::value::AttributeValue;
use keywright_model::Model;
use keywright_model::design::{Operation, Shape};
use keywright_model::model::{Action, Attribute, Entity, EntityKind, Pattern, PatternKind, Read, Role};

use crate::engine::EngineError;
use crate::inputs;
use crate::interpret::key;
use crate::oracle::{binding, unique_sets};
use crate::prover::Prover;
use crate::world::{Change, Record};

/// So many records at least hold the constants of a read.
const SOME: usize = 3;
/// No more than so many records are made for one read.
const MOST_MADE: u64 = 300;
/// Where so many in a row could not be made, the document has no room for more.
const MOST_MISSED: u32 = 4;

/// What a read asks of the records of one entity.
struct Asked<'a> {
    entity: &'a Entity,
    /// What every record of the answer holds, as far as the document says it, …
    constants: Record,
    /// … and what the caller says.
    given: Vec<&'a str>,
    /// The attributes that the answer is in the order of.
    sorted: Vec<&'a str>,
}

impl<'a> Prover<'a, '_, '_> {
    /// Makes what reads ask for, where the data lacks it.
    pub(crate) fn give_asked(&mut self) -> Result<(), EngineError> {
        for (pattern, operation) in self.served() {
            let PatternKind::Read(read) = &pattern.kind else { continue };
            let Some(asked) = Asked::of(self.checker.model, pattern, read) else { continue };
            let wanted = match first_of(read) {
                Some(most) if most < MOST_MADE => most as usize + 1,
                _ if asked.constants.is_empty() => continue,
                _ => SOME,
            };
            self.give(pattern, read, operation, &asked, wanted)?;
        }
        Ok(())
    }

    /// Says of which reads that give the first so many it was never seen that they end there.
    pub(crate) fn leave_unended(&mut self) {
        for pattern in &self.checker.model.patterns {
            let Some(most) = pattern.read().and_then(first_of) else { continue };
            if !self.checker.ended.contains(&pattern.id) {
                let reason = format!("that it ends after the first {most}: no call found more");
                self.checker.tally(&pattern.id).leave(reason);
            }
        }
    }

    fn give(
        &mut self,
        pattern: &'a Pattern,
        read: &'a Read,
        operation: &'a Operation,
        asked: &Asked<'a>,
        wanted: usize,
    ) -> Result<(), EngineError> {
        let Some(held) = asked.fullest(self.checker.world.records(&asked.entity.name)) else { return Ok(()) };
        let have = |prover: &Self| prover.found(asked, &held).len();
        // Those that are there are altered first, in what no number depends on.
        let near: Vec<Record> = self.near(asked, &held);
        for record in near {
            if have(self) >= wanted.min(SOME) {
                break;
            }
            self.alter(asked, &held, record)?;
        }
        let mut missed = 0;
        while have(self) < wanted && missed < MOST_MISSED && wanted > SOME && !self.is_over() {
            let before = have(self);
            let mut made = None;
            for creator in self.creators(&asked.entity.name) {
                if made.is_none() && !self.checker.has_failed(creator.id()) {
                    made = self.create(creator, &asked.entity.name, &held)?;
                }
            }
            if let Some(record) = made
                && !asked.finds(&held, &record)
            {
                self.alter(asked, &held, record)?;
            }
            missed = if have(self) > before { 0 } else { missed + 1 };
        }
        let ranged = pattern
            .inputs()
            .iter()
            .any(|input| matches!(input.role, Role::Lower(_) | Role::Upper(_) | Role::Prefix));
        let one = self.found(asked, &held).first().map(|record| (*record).clone());
        let set = one.and_then(|record| {
            inputs::of_record(self.checker.model, pattern, operation, &asked.entity.name, &record)
        });
        if let Some(set) = set.filter(|_| !ranged && !self.checker.has_failed(&pattern.id)) {
            self.checker.check_read(pattern, read, operation, &set)?;
        }
        Ok(())
    }

    /// The records that the read finds with those values.
    fn found(&self, asked: &Asked<'_>, held: &Record) -> Vec<&Record> {
        let values: Vec<(&str, &[AttributeValue])> =
            held.iter().map(|(name, value)| (name.as_str(), std::slice::from_ref(value))).collect();
        let mut records = self.checker.world.near(&asked.entity.name, &values);
        records.retain(|record| asked.finds(held, record));
        records
    }

    /// Records that hold what the caller says, and not the rest.
    fn near(&self, asked: &Asked<'_>, held: &Record) -> Vec<Record> {
        let values: Vec<(&str, &[AttributeValue])> = asked
            .given
            .iter()
            .filter_map(|name| Some((*name, std::slice::from_ref(held.get(*name)?))))
            .collect();
        let records = self.checker.world.near(&asked.entity.name, &values).into_iter();
        let given = |record: &&Record| asked.given.iter().all(|name| record.get(*name) == held.get(*name));
        records.filter(given).filter(|record| !asked.finds(held, record)).take(SOME).cloned().collect()
    }

    /// Gives a record what the read asks for, past all operations, where nothing else depends on it.
    fn alter(&mut self, asked: &Asked<'_>, held: &Record, record: Record) -> Result<(), EngineError> {
        let checker = &mut self.checker;
        let mut altered = record.clone();
        altered.extend(asked.constants.clone());
        for name in &asked.sorted {
            if let Some(attribute) = asked.entity.attribute(name)
                && !altered.contains_key(*name)
            {
                let value = checker.values.make(asked.entity, attribute, false);
                altered.insert((*name).to_owned(), value);
            }
        }
        let changed =
            asked.entity.attributes.iter().filter(|it| record.get(&it.name) != altered.get(&it.name));
        let free = |it: &Attribute| is_free(checker.model, checker.design, asked.entity, it);
        if asked.finds(held, &altered) && changed.into_iter().all(free) {
            let entity = asked.entity.name.clone();
            checker.store(Change { entity, before: Some(record), after: Some(altered) })?;
        }
        Ok(())
    }
}

impl<'a> Asked<'a> {
    /// What a read of one entity asks for by equality; none of others, or of what a link leads to.
    fn of(model: &'a Model, pattern: &'a Pattern, read: &'a Read) -> Option<Self> {
        let [entity] = pattern.entities.as_slice() else { return None };
        // Whoever keeps versions would keep one of what is altered past all operations.
        let keeps = |it: &&Entity| it.versions_of.is_some() || it.is(EntityKind::History);
        let entity = model.entity(entity).filter(|entity| !keeps(entity))?;
        let mut asked = Asked { entity, constants: Record::new(), given: Vec::new(), sorted: Vec::new() };
        for input in pattern.inputs().iter().filter(|input| input.role == Role::Equal && !input.list) {
            let name = binding(model, input, &entity.name)?;
            match &input.constant {
                Some(constant) => {
                    asked.constants.insert(name.to_owned(), key::literal(constant));
                }
                None => asked.given.push(name),
            }
        }
        asked.sorted = read.sort.iter().map(|sort| sort.attribute.attribute.as_str()).collect();
        Some(asked)
    }

    /// Of what callers can say, what finds the most records; those that hold the constants count before all others.
    fn fullest<'r>(&self, records: impl Iterator<Item = &'r Record>) -> Option<Record> {
        let mut crowds: BTreeMap<Vec<&AttributeValue>, (usize, usize)> = BTreeMap::new();
        for record in records {
            let given: Option<Vec<&AttributeValue>> =
                self.given.iter().map(|name| record.get(*name)).collect();
            let Some(given) = given else { continue };
            let crowd = crowds.entry(given).or_default();
            crowd.0 +=
                usize::from(self.constants.iter().all(|(name, value)| record.get(name) == Some(value)));
            crowd.1 += 1;
        }
        let (given, _) = crowds.into_iter().max_by_key(|(_, crowd)| *crowd)?;
        let given = self.given.iter().zip(given).map(|(name, value)| ((*name).to_owned(), value.clone()));
        Some(given.chain(self.constants.clone()).collect())
    }

    fn finds(&self, held: &Record, record: &Record) -> bool {
        held.iter().all(|(name, value)| record.get(name) == Some(value))
            && self.sorted.iter().all(|name| record.contains_key(*name))
    }
}

/// How many a read gives at most, where nobody asks for more.
fn first_of(read: &Read) -> Option<u64> {
    let paginated = read.paginated.as_ref().is_some_and(|paginated| paginated.value);
    read.page_size.as_ref().filter(|_| !paginated).map(|size| size.value.max(1))
}

/// Whether nothing but the record depends on an attribute: no identity, no parent, no unique value, no number that writes
/// keep.
fn is_free(model: &Model, design: &keywright_model::Design, entity: &Entity, attribute: &Attribute) -> bool {
    let name = &attribute.name;
    let flag = |flag: &Option<keywright_model::At<bool>>| flag.as_ref().is_some_and(|flag| flag.value);
    let identifies = entity.identity_names().any(|identity| identity == name);
    let refers = attribute.reference.is_some()
        || model.parents_of(&entity.name).any(|relationship| relationship.via.contains(name));
    let unique = unique_sets(entity).iter().any(|set| set.contains(name));
    let added =
        model.patterns.iter().filter_map(Pattern::write).flat_map(|write| &write.effects).any(|effect| {
            effect.entity == entity.name
                && matches!(&effect.action, Action::Add { attribute, .. } if attribute == name)
        });
    let counted = design.operations.iter().any(|operation| {
        matches!(operation.outcome.shape, Shape::Count { attribute: Some(_) })
            && model.pattern(&operation.pattern).is_some_and(|pattern| {
                pattern.inputs().iter().any(|input| binding(model, input, &entity.name) == Some(name))
            })
    });
    let special = [&attribute.ttl, &attribute.version, &attribute.sequential, &attribute.tenant];
    !(identifies || refers || unique || added || counted || special.into_iter().any(flag))
}

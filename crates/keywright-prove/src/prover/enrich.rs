//! What reads ask for: records that hold their constants, several in one answer, more of them than the first so many that
//! they give, and one for each request that an answer is put together from.

use std::collections::{BTreeMap, BTreeSet};

use keywright_dynamodb::value::AttributeValue;
use keywright_model::design::{KeyValue, Operation, Shape};
use keywright_model::model::{
    Action, Attribute, Entity, EntityKind, Pattern, PatternKind, Read, ResultKind, Role,
};
use keywright_model::{At, Design, Model};

use crate::check::bounds;
use crate::engine::EngineError;
use crate::inputs::{self, Flavour};
use crate::interpret::key;
use crate::oracle::{Judgement, binding, unique_sets};
use crate::prover::Prover;
use crate::prover::limits::giving;
use crate::world::{Change, Record};
use crate::writing::Writing;

/// So many records at least hold the constants of a read.
const SOME: usize = 3;
/// So many records at least are in one answer of a read that lists, …
const CROWD: usize = 6;
/// … or, where they are numbered, so many that the numbers don't all have as many digits, …
const NUMBERED: usize = 11;
/// … and they have so many different values of what they are in the order of, or in a range of.
const DIFFERENT: usize = 3;
/// Among so many records those are looked for that a write can bring into an answer.
const LOOKED_AT: usize = 60;
/// No more than so many records are made for one read.
const MOST_MADE: u64 = 300;
/// Where so many in a row could not be made, the document has no room for more.
const MOST_MISSED: u32 = 4;

/// What a read asks of the records of one entity.
struct Asked<'a> {
    entity: &'a Entity,
    /// Whether nobody keeps versions of it: they would keep one of what is altered past all operations.
    is_alone: bool,
    /// What every record of the answer holds, as far as the document says it, …
    constants: Record,
    /// … and what the caller says.
    given: Vec<&'a str>,
    /// The attributes that the answer is in the order of.
    sorted: Vec<&'a str>,
    /// The attributes that lie in a range.
    ranged: Vec<&'a str>,
    /// The attributes that lie in a period, how many characters of them say which, and those of the answer.
    within: Vec<(&'a str, usize, String)>,
}

impl<'a> Prover<'a, '_, '_> {
    /// Makes what reads ask for, where the data lacks it.
    pub(crate) fn enrich(&mut self) -> Result<(), EngineError> {
        for (pattern, operation) in self.served() {
            let PatternKind::Read(read) = &pattern.kind else { continue };
            for entity in &pattern.entities {
                self.give_namesake(pattern, entity)?;
            }
            for asked in Asked::of(self.checker.model, pattern, read) {
                let wanted = match first_of(read) {
                    Some(most) if most < MOST_MADE => most as usize + 1,
                    _ if lists(read) => asked.crowd(),
                    _ if asked.constants.is_empty() => continue,
                    _ => SOME,
                };
                self.give(pattern, read, operation, asked, wanted)?;
            }
        }
        Ok(())
    }

    /// Says of which reads that give the first so many it was never seen that they end there, and what else no call met.
    pub(crate) fn leave_unmet(&mut self) {
        for (pattern, operation) in self.served() {
            if let Some(read) = pattern.read() {
                self.checker.leave_unmet(pattern, read, operation);
            }
        }
        for pattern in &self.checker.model.patterns {
            let Some(most) = pattern.read().and_then(first_of) else { continue };
            if !self.checker.ended.contains(&pattern.id) {
                let reason = format!("the limit of {most} results: no call found more");
                self.checker.tally(&pattern.id).leave(reason);
                if let Some(operation) = self.checker.design.operation(&pattern.id)
                    && !self.checker.has_failed(&pattern.id)
                {
                    self.checker.check_end(pattern, operation);
                }
            }
        }
    }

    fn give(
        &mut self,
        pattern: &'a Pattern,
        read: &'a Read,
        operation: &'a Operation,
        mut asked: Asked<'a>,
        wanted: usize,
    ) -> Result<(), EngineError> {
        let fullest = asked.fullest(self.checker.world.records(&asked.entity.name));
        let Some((held, periods)) = fullest.or_else(|| Some((self.first_held(&asked)?, Vec::new()))) else {
            return Ok(());
        };
        asked.within.iter_mut().zip(periods).for_each(|(within, period)| within.2 = period);
        let asked = &asked;
        // Those that are there are altered first, in what no number depends on.
        let near: Vec<Record> = self.near(asked, &held);
        for record in near {
            if self.found(asked, &held).len() >= wanted.min(SOME) {
                break;
            }
            self.alter(asked, &held, record)?;
        }
        let (mut missed, mut rounds) = (0, 0);
        while wanted > SOME && missed < MOST_MISSED && rounds < wanted + CROWD && !self.is_over() {
            let (before, differ) = self.met(asked, &held);
            if before >= wanted && differ {
                break;
            }
            let updated = before < wanted && self.update(asked, &held)?;
            if !updated {
                self.make(asked, &held)?;
            }
            missed = if self.met(asked, &held).0 > before { 0 } else { missed + 1 };
            rounds += 1;
        }
        if lists(read) {
            self.give_kinds(asked, &held)?;
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

    /// Brings a record of each value into the answer where each may take a request of its own.
    fn give_kinds(&mut self, asked: &Asked<'a>, held: &Record) -> Result<(), EngineError> {
        for (name, value) in kinds(self.checker.design, asked.entity) {
            if held.contains_key(name) || self.is_over() {
                continue;
            }
            let mut kind = held.clone();
            kind.insert(name.to_owned(), value);
            if !self.found(asked, &kind).is_empty() || self.update(asked, &kind)? {
                continue;
            }
            // Of those that are there, one becomes such a one whose value others have too.
            let found = self.found(asked, held);
            let shared = |record: &&&Record| {
                found.iter().filter(|other| other.get(name) == record.get(name)).count() > 1
            };
            let one = found.iter().find(shared).map(|record| (*record).clone());
            if let Some(record) = one {
                self.alter(asked, &kind, record)?;
            }
        }
        Ok(())
    }

    /// Lets two records be called the same but for what a read gives of their identity, so that it can take one for the other.
    fn give_namesake(&mut self, pattern: &'a Pattern, entity: &str) -> Result<(), EngineError> {
        let model = self.checker.model;
        let Some(owner) = model.entity(entity) else { return Ok(()) };
        for name in inputs::half_named(model, pattern, entity) {
            let world = &self.checker.world;
            if inputs::namesakes(model, world, entity, name).is_some() {
                continue;
            }
            let Some(first) = world.some(entity, 0) else { continue };
            let mut held: Record = owner
                .identity_names()
                .filter_map(|part| Some((part.to_owned(), first.get(part)?.clone())))
                .collect();
            let other = (1..world.count(entity).min(LOOKED_AT))
                .filter_map(|at| world.some(entity, at)?.get(name))
                .find(|it| Some(*it) != first.get(name));
            let Some(other) = other.cloned() else { continue };
            held.insert(name.to_owned(), other);
            for creator in self.creators(entity) {
                if !self.checker.has_failed(creator.id()) && self.create(creator, entity, &held)?.is_some() {
                    break;
                }
            }
        }
        Ok(())
    }

    /// What a caller could say of whom nothing is known yet.
    fn first_held(&mut self, asked: &Asked<'a>) -> Option<Record> {
        let checker = &mut self.checker;
        let record = checker.world.some(&asked.entity.name, 0)?.clone();
        let mut held = asked.constants.clone();
        for name in &asked.given {
            let attribute = asked.entity.attribute(name)?;
            let value = match (record.get(*name), &attribute.reference) {
                (Some(value), _) => value.clone(),
                // Where nobody is there to be referred to, nobody can be found by it.
                (None, Some(to)) => checker.world.some(&to.entity, 0)?.get(&to.attribute)?.clone(),
                (None, None) => checker.values.make(asked.entity, attribute, false),
            };
            held.insert((*name).to_owned(), value);
        }
        Some(held)
    }

    /// How many records an answer has, and whether they differ in what it is in the order or in a range of.
    fn met(&self, asked: &Asked<'_>, held: &Record) -> (usize, bool) {
        let found = self.found(asked, held);
        let differ = asked.sorted.iter().chain(&asked.ranged).all(|name| {
            let values: BTreeSet<_> = found.iter().filter_map(|record| record.get(*name)).collect();
            let declared = asked.entity.attribute(name).map_or(0, |attribute| attribute.values.len());
            let is_free = declared == 0 || declared >= DIFFERENT;
            values.len() >= if is_free { DIFFERENT } else { declared }
        });
        (found.len(), differ)
    }

    /// Lets a write of the document bring a record into the answer that is there already; whether one does.
    fn update(&mut self, asked: &Asked<'a>, held: &Record) -> Result<bool, EngineError> {
        let entity = asked.entity;
        let sets = |writing: &Writing<'a>| {
            let mut effects = writing.write.effects.iter().filter(|effect| effect.entity == entity.name);
            effects.any(|effect| effect.action == Action::Update)
        };
        let slots = self.checker.world.slots(&entity.name);
        let outside: Vec<Record> = (0..slots)
            .filter_map(|slot| self.checker.world.slot(&entity.name, slot))
            .filter(|record| !asked.finds(held, record))
            .take(LOOKED_AT)
            .cloned()
            .collect();
        for writing in self.writings().into_iter().filter(sets) {
            let gives = giving(self.checker.model, writing.pattern, &entity.name, held);
            if gives.is_empty() || self.checker.has_failed(writing.id()) {
                continue;
            }
            for record in &outside {
                let mut fixed = giving(self.checker.model, writing.pattern, &entity.name, record);
                fixed.extend(gives.clone());
                let Some(made) = self.checker.inputs_of(writing, Flavour::Within(&fixed)) else { break };
                let Judgement::Holds { changes, .. } = self.checker.foretell(writing, &made) else {
                    continue;
                };
                // What it gives may name another record, which is in the answer already.
                let in_answer =
                    |record: &Option<Record>| record.as_ref().is_some_and(|record| asked.finds(held, record));
                let comes = |change: &Change| {
                    change.entity == entity.name && !in_answer(&change.before) && in_answer(&change.after)
                };
                if changes.iter().any(comes) {
                    self.checker.check_write(writing, &made, false)?;
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    /// Makes one more record for the answer.
    fn make(&mut self, asked: &Asked<'a>, held: &Record) -> Result<(), EngineError> {
        let name = &asked.entity.name;
        let most = asked.entity.count.as_ref().map_or(u64::MAX, |count| count.value);
        let mut wanted = held.clone();
        for (name, _, period) in asked.within.iter().filter(|(_, _, period)| !period.is_empty()) {
            let Some(attribute) = asked.entity.attribute(name) else { continue };
            let value = self.checker.values.make(asked.entity, attribute, false);
            wanted.extend(in_period(&value, period).map(|value| ((*name).to_owned(), value)));
        }
        let has_room = |prover: &Self| (prover.checker.world.count(name) as u64) < most;
        let made = if has_room(self) { self.bring(name, &wanted)? } else { None };
        let is_made = made.is_some();
        let made = made.filter(|record| !asked.finds(held, record));
        // Where none can be made, one that is there is given what it lacks.
        let other = || {
            let slots = 0..self.checker.world.slots(name);
            let mut there = slots.filter_map(|slot| self.checker.world.slot(name, slot));
            there.find(|record| self.may_alter(asked, held, record)).cloned()
        };
        let is_short = self.met(asked, held).0 < asked.crowd();
        let record = match made {
            Some(record) => Some(record),
            None if is_short => other(),
            None => None,
        };
        match record {
            Some(record) => self.alter(asked, held, record),
            None if !is_made && is_short && has_room(self) => self.make_under_new(asked, &wanted),
            None => Ok(()),
        }
    }

    /// Makes one more record where every parent that is there has one with those values: under a parent that comes for it.
    fn make_under_new(&mut self, asked: &Asked<'a>, wanted: &Record) -> Result<(), EngineError> {
        let model = self.checker.model;
        let entity = asked.entity;
        let identifies = |names: &[String]| {
            !names.is_empty() && names.iter().all(|name| entity.identity_names().any(|it| it == name))
        };
        for relationship in model.parents_of(&entity.name).filter(|it| identifies(&it.via)) {
            let Some(parent) = model.entity(&relationship.parent) else { continue };
            let most = parent.count.as_ref().map_or(u64::MAX, |count| count.value);
            let has_room = (self.checker.world.count(&parent.name) as u64) < most;
            let is_free = relationship.via.iter().any(|name| !wanted.contains_key(name));
            if !has_room || !is_free {
                continue;
            }
            let named = || relationship.via.iter().zip(parent.identity_names());
            let held: Record = named()
                .filter_map(|(own, theirs)| Some((theirs.to_owned(), wanted.get(own)?.clone())))
                .collect();
            let Some(new) = self.bring(&parent.name, &held)? else { continue };
            let mut wanted = wanted.clone();
            wanted.extend(named().filter_map(|(own, theirs)| Some((own.clone(), new.get(theirs)?.clone()))));
            if self.bring(&entity.name, &wanted)?.is_some() {
                break;
            }
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
        if !self.may_alter(asked, held, &record) {
            return Ok(());
        }
        let checker = &mut self.checker;
        let mut altered = record.clone();
        altered.extend(held.clone());
        for name in &asked.sorted {
            if let Some(attribute) = asked.entity.attribute(name)
                && !altered.contains_key(*name)
            {
                let value = checker.values.make(asked.entity, attribute, false);
                altered.insert((*name).to_owned(), value);
            }
        }
        let entity = asked.entity.name.clone();
        checker.store(Change { entity, before: Some(record), after: Some(altered) })
    }

    /// Whether nothing else depends on what a record lacks that is not in the answer.
    fn may_alter(&self, asked: &Asked<'_>, held: &Record, record: &Record) -> bool {
        let lacks = |it: &&Attribute| match held.get(&it.name) {
            Some(value) => record.get(&it.name) != Some(value),
            None => asked.sorted.contains(&it.name.as_str()) && !record.contains_key(&it.name),
        };
        let (model, design) = (self.checker.model, self.checker.design);
        let mut lacking = asked.entity.attributes.iter().filter(lacks);
        asked.is_alone
            && !asked.finds(held, record)
            && lacking.all(|it| is_free(model, design, asked.entity, it))
    }
}

impl<'a> Asked<'a> {
    /// What a read asks for by equality, of each entity that it may find several of; nothing of what a link leads to.
    fn of(model: &'a Model, pattern: &'a Pattern, read: &'a Read) -> Vec<Self> {
        let entities = pattern.entities.iter().filter_map(|name| model.entity(name));
        let asked = entities.filter_map(|entity| Asked::of_one(model, pattern, read, entity));
        // What a caller names is there once, and what comes with it is many.
        let is_one = |it: &Asked<'_>| it.entity.identity_names().all(|name| it.given.contains(&name));
        let several = pattern.entities.len() > 1;
        asked.filter(|it| !(several && is_one(it))).collect()
    }

    fn of_one(model: &'a Model, pattern: &'a Pattern, read: &'a Read, entity: &'a Entity) -> Option<Self> {
        let mut asked = Asked {
            entity,
            is_alone: entity.versions_of.is_none() && !entity.is(EntityKind::History),
            constants: Record::new(),
            given: Vec::new(),
            sorted: Vec::new(),
            ranged: Vec::new(),
            within: Vec::new(),
        };
        for input in pattern.inputs() {
            if let (Role::Within(period), None) = (input.role, &input.constant) {
                asked.within.push((binding(model, input, &entity.name)?, period.width(), String::new()));
            }
        }
        for input in pattern.inputs().iter().filter(|input| input.role == Role::Equal && !input.list) {
            let name = binding(model, input, &entity.name)?;
            match &input.constant {
                Some(constant) => {
                    asked.constants.insert(name.to_owned(), key::literal(constant));
                }
                None => asked.given.push(name),
            }
        }
        asked.ranged = bounds(pattern).filter_map(|input| binding(model, input, &entity.name)).collect();
        let own = read.sort.iter().map(|sort| &sort.attribute).filter(|sort| sort.entity == entity.name);
        asked.sorted = own.map(|sort| sort.attribute.as_str()).collect();
        Some(asked)
    }

    /// So many records at least are in one answer of a read that lists them.
    fn crowd(&self) -> usize {
        let flag = |flag: &Option<At<bool>>| flag.as_ref().is_some_and(|flag| flag.value);
        let counts = |attribute: &&Attribute| {
            let of_versions = self.entity.versions_of.is_some() || self.entity.is(EntityKind::History);
            flag(&attribute.sequential) || flag(&attribute.version) && of_versions
        };
        let names = self.entity.identity_names().chain(self.sorted.iter().copied());
        let is_free = |name: &&str| !self.given.contains(name);
        let mut numbers = names.filter(is_free).filter_map(|name| self.entity.attribute(name)).filter(counts);
        if numbers.next().is_some() { NUMBERED } else { CROWD }
    }

    /// Of what callers can say, what finds the most records, and in which periods they lie; those that hold the constants
    /// count before all others.
    fn fullest<'r>(&self, records: impl Iterator<Item = &'r Record>) -> Option<(Record, Vec<String>)> {
        type Said<'r> = (Vec<&'r AttributeValue>, Vec<&'r str>);
        let mut crowds: BTreeMap<Said<'r>, (usize, usize)> = BTreeMap::new();
        for record in records {
            let given: Option<Vec<&AttributeValue>> =
                self.given.iter().map(|name| record.get(*name)).collect();
            let periods: Option<Vec<&str>> =
                self.within.iter().map(|(name, width, _)| record.get(*name)?.as_s()?.get(..*width)).collect();
            let (Some(given), Some(periods)) = (given, periods) else { continue };
            let crowd = crowds.entry((given, periods)).or_default();
            crowd.0 +=
                usize::from(self.constants.iter().all(|(name, value)| record.get(name) == Some(value)));
            crowd.1 += 1;
        }
        let ((given, periods), _) = crowds.into_iter().max_by_key(|(_, crowd)| *crowd)?;
        let given = self.given.iter().zip(given).map(|(name, value)| ((*name).to_owned(), value.clone()));
        let held = given.chain(self.constants.clone()).collect();
        Some((held, periods.into_iter().map(str::to_owned).collect()))
    }

    fn finds(&self, held: &Record, record: &Record) -> bool {
        let lies = |name: &str, period: &str| {
            record.get(name).and_then(AttributeValue::as_s).is_some_and(|text| text.starts_with(period))
        };
        held.iter().all(|(name, value)| record.get(name) == Some(value))
            && self.sorted.iter().all(|name| record.contains_key(*name))
            && self.within.iter().all(|(name, _, period)| lies(name, period))
    }
}

/// A day or an instant like another one, in a period.
fn in_period(value: &AttributeValue, period: &str) -> Option<AttributeValue> {
    let rest = value.as_s()?.get(period.len()..)?;
    let text = format!("{period}{rest}");
    // Every month has so many days.
    match text.get(8..10).filter(|day| *day > "28" && period.len() < 10) {
        Some(_) => Some(format!("{}28{}", text.get(..8)?, text.get(10..)?).into()),
        None => Some(text.into()),
    }
}

/// Whether a read lists records, or counts them.
fn lists(read: &Read) -> bool {
    let several = |it: &ResultKind| matches!(it, ResultKind::Collection | ResultKind::Count);
    read.result.as_ref().is_some_and(|result| several(&result.value))
}

/// The values of enumerations that stand in keys of an entity's items: to find all of them, a read has to look for each.
fn kinds<'m>(design: &Design, entity: &'m Entity) -> Vec<(&'m str, AttributeValue)> {
    let items = design.items.iter().filter(|item| item.entities.contains(&entity.name));
    let templates: Vec<&str> = items
        .flat_map(|item| &item.keys)
        .filter_map(|key| match &key.value {
            KeyValue::Template(text) => Some(text.as_str()),
            KeyValue::Natural => None,
        })
        .collect();
    let stands = |attribute: &&Attribute| {
        let places = [format!("<{}>", attribute.name), format!("<{}:", attribute.name)];
        templates.iter().any(|text| places.iter().any(|place| text.contains(place)))
    };
    let attributes = entity.attributes.iter().filter(stands);
    let of = |attribute: &'m Attribute| {
        attribute.values.iter().map(|value| (attribute.name.as_str(), value.value.as_str().into()))
    };
    attributes.flat_map(of).collect()
}

/// How many a read gives at most, where nobody asks for more.
fn first_of(read: &Read) -> Option<u64> {
    let paginated = read.paginated.as_ref().is_some_and(|paginated| paginated.value);
    read.page_size.as_ref().filter(|_| !paginated).map(|size| size.value.max(1))
}

/// Whether nothing but the record depends on an attribute: no identity, no parent, no unique value, no number that writes
/// keep.
fn is_free(model: &Model, design: &Design, entity: &Entity, attribute: &Attribute) -> bool {
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

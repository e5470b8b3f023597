//! The proof from beginning to end: tables, data, reads, writes, races, reads again, and everything read whole.

use std::collections::BTreeMap;

use keywright_model::design::Operation;
use keywright_model::evidence::{Failure, Outcome};
use keywright_model::model::{Action, Pattern, PatternKind, Write};
use keywright_model::{Design, Evidence, Model};

use crate::check::{Checked, Checker};
use crate::data::{self, Values};
use crate::engine::{Capability, Engine, EngineError, Interrupt, Interruptible, Support, Tables};
use crate::image;
use crate::inputs::{self, Flavour};
use crate::interpret::{Inputs, Maker, to_json};
use crate::random::Random;
use crate::record::{Event, Recorder, Recording};
use crate::session::{Session, definition};
use crate::tally::Tally;
use crate::world::{Change, Record, World, identity};

/// What a proof can be told.
#[derive(Clone, Debug)]
pub struct Options {
    /// Repeats a run exactly.
    pub seed: u64,
    /// About how many records to make.
    pub scale: u64,
    /// Leave the tables where they are.
    pub keep: bool,
    /// End at the first failure.
    pub stop_at_failure: bool,
    /// Ends the run early, with its tables deleted.
    pub interrupt: Interrupt,
}

impl Options {
    /// The scale of a proof that nobody asked to be larger: enough for every check, done in a moment.
    pub const DEFAULT_SCALE: u64 = 240;
}

impl Default for Options {
    fn default() -> Self {
        Options {
            seed: 1,
            scale: Options::DEFAULT_SCALE,
            keep: false,
            stop_at_failure: false,
            interrupt: Interrupt::default(),
        }
    }
}

/// How far a proof is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress<'p> {
    /// What it is doing: `loading Order`, `AP-003`.
    pub doing: &'p str,
    /// Steps done.
    pub done: u64,
    /// Steps in all.
    pub total: u64,
}

/// How many sets of inputs a write is checked with, beside those that make the data.
const WRITES: u64 = 12;
/// How many calls may be drawn for one that the document is clear about.
const DRAWS: u64 = 8;
/// A mean call may take so many times what the design expects, …
const COST_FACTOR: u64 = 3;
/// … and so many units more, since small data rounds up: in millionths.
const COST_SLACK: u64 = 2_000_000;

/// Runs every pattern of a design on an engine and reports what was seen.
///
/// The evidence is a function of its arguments: the same seed and scale on the same engine give the same evidence.
pub fn prove(
    model: &Model,
    design: &Design,
    engine: &dyn Engine,
    options: &Options,
    progress: &mut dyn FnMut(Progress<'_>),
) -> Result<Evidence, EngineError> {
    if let Some(evidence) = unable(model, design, engine, options)? {
        return Ok(evidence);
    }
    let watched = Interruptible::new(engine, options.interrupt.clone());
    let mut tables = Tables::new(engine);
    if options.keep {
        tables = tables.keep();
    }
    let session = Session::open(design, &watched, &mut tables)?;
    let (tallies, _) = run(model, design, session, options, progress)?;
    tables.clean_up()?;
    Ok(evidence(model, engine, options, tallies))
}

/// Proves a design and takes down everything that was done, for programs in other languages to be held to it. Where the
/// engine can't hold the tables there is nothing to take down.
pub fn record(
    model: &Model,
    design: &Design,
    engine: &dyn Engine,
    options: &Options,
) -> Result<(Evidence, Recording), EngineError> {
    if let Some(evidence) = unable(model, design, engine, options)? {
        return Ok((evidence, Recording::default()));
    }
    let mut tables = Tables::new(engine);
    let mut session = Session::open(design, engine, &mut tables)?;
    session.recorder = Some(Recorder::default());
    let (tallies, recorder) = run(model, design, session, options, &mut |_| {})?;
    let mut recording = recorder.unwrap_or_default().recording;
    recording.tables = design.tables.iter().map(|table| definition(design, table)).collect();
    tables.clean_up()?;
    Ok((evidence(model, engine, options, tallies), recording))
}

/// The evidence where the engine can't even hold the tables; none where it can.
fn unable(
    model: &Model,
    design: &Design,
    engine: &dyn Engine,
    options: &Options,
) -> Result<Option<Evidence>, EngineError> {
    let multi = design.indexes.iter().any(|index| index.partition.len() > 1 || index.sort.len() > 1);
    if !multi {
        return Ok(None);
    }
    let Support::Absent(reason) = engine.support(Capability::MultiAttributeIndexKeys)? else {
        return Ok(None);
    };
    let mut tallies: BTreeMap<String, Tally> = BTreeMap::new();
    for pattern in &model.patterns {
        let tally = tallies.entry(pattern.id.clone()).or_default();
        tally.leave(format!("the engine has no index keys of several attributes: {reason}"));
    }
    Ok(Some(evidence(model, engine, options, tallies)))
}

fn evidence(
    model: &Model,
    engine: &dyn Engine,
    options: &Options,
    mut tallies: BTreeMap<String, Tally>,
) -> Evidence {
    let patterns: Vec<_> = model
        .patterns
        .iter()
        .map(|pattern| tallies.remove(&pattern.id).unwrap_or_default().evidence(&pattern.id))
        .collect();
    let count = |outcome| patterns.iter().filter(|pattern| pattern.outcome == outcome).count() as u32;
    Evidence {
        engine: engine.name(),
        seed: options.seed,
        scale: options.scale,
        held: count(Outcome::Held),
        failed: count(Outcome::Failed),
        not_checked: count(Outcome::NotChecked),
        patterns,
    }
}

fn run(
    model: &Model,
    design: &Design,
    session: Session<'_>,
    options: &Options,
    progress: &mut dyn FnMut(Progress<'_>),
) -> Result<(BTreeMap<String, Tally>, Option<Recorder>), EngineError> {
    let checker = Checker {
        model,
        design,
        session,
        world: World::default(),
        values: Values::new(options.seed),
        maker: Maker::new(options.seed),
        random: Random::new(options.seed, "checks"),
        tallies: BTreeMap::new(),
        last_generated: BTreeMap::new(),
    };
    let amounts = data::amounts(model, options.scale);
    let total = amounts.values().sum::<u64>() + 3 * model.patterns.len() as u64;
    let mut prover = Prover { checker, progress, done: 0, total, stop_at_failure: options.stop_at_failure };
    prover.statics();
    prover.load(&amounts)?;
    prover.reads()?;
    prover.writes()?;
    prover.reads()?;
    if !prover.is_over() {
        prover.checker.check_whole()?;
        prover.costs();
    }
    let Checker { mut session, tallies, .. } = prover.checker;
    if let Some(mut recorder) = session.recorder.take() {
        for table in &design.tables {
            let mut items = Vec::new();
            session.whole(&table.name, None, &mut |item| items.push(to_json(&item)))?;
            recorder.recording.events.push(Event::Whole { table: table.name.clone(), items });
        }
        return Ok((tallies, Some(recorder)));
    }
    Ok((tallies, None))
}

struct Prover<'a, 'e, 'p> {
    checker: Checker<'a, 'e>,
    progress: &'p mut dyn FnMut(Progress<'_>),
    done: u64,
    total: u64,
    stop_at_failure: bool,
}

impl<'a> Prover<'a, '_, '_> {
    fn step(&mut self, doing: &str) {
        self.done += 1;
        (self.progress)(Progress { doing, done: self.done.min(self.total), total: self.total });
    }

    /// Whether a failure was found and one is enough.
    fn is_over(&self) -> bool {
        self.stop_at_failure && self.checker.tallies.values().any(|tally| tally.failure.is_some())
    }

    /// The patterns with their operations; none once it is over.
    fn served(&self) -> Vec<(&'a Pattern, &'a Operation)> {
        if self.is_over() {
            return Vec::new();
        }
        let design = self.checker.design;
        let patterns = self.checker.model.patterns.iter();
        patterns.filter_map(|pattern| Some((pattern, design.operation(&pattern.id)?))).collect()
    }

    /// What can be seen without running anything.
    fn statics(&mut self) {
        for pattern in &self.checker.model.patterns {
            match self.checker.design.operation(&pattern.id) {
                Some(operation) => {
                    self.checker.check_statics(pattern, operation);
                    let expected = operation.expected.as_ref();
                    self.checker.tally(&pattern.id).expected_micro_units =
                        expected.map(|expected| expected.read_micro_units + expected.write_micro_units);
                }
                None => self.checker.tally(&pattern.id).fail(Failure {
                    check: "served".into(),
                    inputs: "{}".into(),
                    request: None,
                    expected: "an operation".into(),
                    actual: "the design has none for this pattern".into(),
                }),
            }
            if !self.checker.session.states_capacity {
                self.checker.tally(&pattern.id).leave("cost: the engine does not state what it consumes");
            } else if !self.checker.session.sizes_reads && pattern.read().is_some() {
                let reason = "cost: what the engine states for a Query does not follow its size";
                self.checker.tally(&pattern.id).leave(reason);
            }
        }
    }

    /// Makes the data, through the design's own writes where the document has them.
    fn load(&mut self, amounts: &BTreeMap<String, u64>) -> Result<(), EngineError> {
        // Twice: a create may also need what comes later in the order, such as a counter for the whole table.
        let order = data::creation_order(self.checker.model);
        for name in order.iter().chain(&order).copied() {
            let wanted = amounts.get(name).copied().unwrap_or(0);
            let creators = self.creators(name);
            let doing = format!("loading {name}");
            let mut draws = 0;
            while (self.checker.world.count(name) as u64) < wanted && draws < wanted * 3 && !self.is_over() {
                draws += 1;
                self.step(&doing);
                let at = draws as usize % creators.len().max(1);
                match creators.get(at) {
                    Some((pattern, write, operation)) if !self.checker.has_failed(&pattern.id) => {
                        if self.draw(pattern, write, operation, Flavour::Fresh)?.is_none() {
                            break;
                        }
                    }
                    _ => self.place(name)?,
                }
            }
            // What no create gives is given here, so that reads by it have something to find.
            self.fill(name)?;
        }
        Ok(())
    }

    /// The writes that create records of an entity.
    fn creators(&self, entity: &str) -> Vec<(&'a Pattern, &'a Write, &'a Operation)> {
        self.served()
            .into_iter()
            .filter_map(|(pattern, operation)| Some((pattern, pattern.write()?, operation)))
            .filter(|(_, write, _)| {
                write.effects.iter().any(|effect| {
                    effect.entity == entity && matches!(effect.action, Action::Create | Action::Put)
                })
            })
            .collect()
    }

    /// Calls a write with new inputs, and says what became of it; draws again where the document is not clear.
    fn draw(
        &mut self,
        pattern: &'a Pattern,
        write: &'a Write,
        operation: &'a Operation,
        flavour: Flavour,
    ) -> Result<Option<(Inputs, Checked)>, EngineError> {
        for _ in 0..DRAWS {
            let checker = &mut self.checker;
            let made = inputs::for_write(
                checker.model,
                &checker.world,
                pattern,
                write,
                operation,
                flavour,
                &mut checker.values,
            );
            let Some(made) = made else { return Ok(None) };
            let checked = checker.check_write(pattern, write, operation, &made, flavour == Flavour::Fresh)?;
            if checked != Checked::Unclear {
                return Ok(Some((made, checked)));
            }
        }
        Ok(None)
    }

    /// Puts a record of an entity that no pattern creates into the tables as the item types say.
    fn place(&mut self, name: &str) -> Result<(), EngineError> {
        let checker = &mut self.checker;
        let Some(entity) = checker.model.entity(name) else { return Ok(()) };
        let Some(record) = checker.new_record(entity) else { return Ok(()) };
        if checker.world.get(name, &identity(entity, &record)).is_some() {
            return Ok(());
        }
        let change = Change { entity: name.to_owned(), before: None, after: Some(record) };
        checker.store(change)
    }

    /// Gives some records the attributes that no write of the document gives them.
    fn fill(&mut self, name: &str) -> Result<(), EngineError> {
        let checker = &mut self.checker;
        let Some(entity) = checker.model.entity(name) else { return Ok(()) };
        let records: Vec<Record> = checker.world.records(name).cloned().collect();
        for record in records {
            let mut filled = record.clone();
            for attribute in &entity.attributes {
                let known = record.contains_key(&attribute.name);
                if !known && !checker.is_written(name, &attribute.name) && checker.values.present(attribute) {
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

    /// Every read with many sets of inputs.
    fn reads(&mut self) -> Result<(), EngineError> {
        for (pattern, operation) in self.served() {
            if self.is_over() {
                break;
            }
            self.step(&pattern.id);
            let PatternKind::Read(read) = &pattern.kind else { continue };
            let checker = &mut self.checker;
            let sets =
                inputs::for_read(checker.model, &checker.world, pattern, operation, &mut checker.random);
            for set in &sets {
                if checker.has_failed(&pattern.id) {
                    break;
                }
                checker.check_read(pattern, read, operation, set)?;
            }
        }
        Ok(())
    }

    /// Every write: as it should be, with what is taken, with what is missing, repeated, and two at once.
    fn writes(&mut self) -> Result<(), EngineError> {
        // Deletes last, so that the others have something to work on.
        let mut served = self.served();
        served.sort_by_key(|(pattern, _)| matches!(pattern.kind, PatternKind::Delete(_)));
        for (pattern, operation) in served {
            let Some(write) = pattern.write() else { continue };
            if self.is_over() {
                break;
            }
            self.step(&pattern.id);
            for round in 0..WRITES {
                if self.checker.has_failed(&pattern.id) {
                    break;
                }
                let flavour = match round % 4 {
                    1 => Flavour::Taken,
                    3 => Flavour::Missing,
                    _ => Flavour::Fresh,
                };
                let Some((made, checked)) = self.draw(pattern, write, operation, flavour)? else { continue };
                if let Checked::Held(changes) = checked {
                    if round < 4 {
                        let generated = self.checker.last_generated.clone();
                        self.checker.check_replay(pattern, write, operation, &made, &generated)?;
                    }
                    self.reads_after(&changes)?;
                }
            }
            self.race(pattern, write, operation)?;
        }
        Ok(())
    }

    /// Two calls at once: the same one twice, and two different ones.
    fn race(
        &mut self,
        pattern: &'a Pattern,
        write: &'a Write,
        operation: &'a Operation,
    ) -> Result<(), EngineError> {
        for flavours in [[Flavour::Fresh, Flavour::Fresh], [Flavour::Fresh, Flavour::Taken]] {
            if self.checker.has_failed(&pattern.id) {
                return Ok(());
            }
            let checker = &mut self.checker;
            let mut draw = |flavour| {
                inputs::for_write(
                    checker.model,
                    &checker.world,
                    pattern,
                    write,
                    operation,
                    flavour,
                    &mut checker.values,
                )
            };
            let [Some(one), other] = flavours.map(&mut draw) else { continue };
            checker.check_race(pattern, write, operation, [&one, &one])?;
            if let Some(other) = other
                && !checker.has_failed(&pattern.id)
            {
                checker.check_race(pattern, write, operation, [&one, &other])?;
            }
        }
        Ok(())
    }

    /// The reads of what was just written see it, and no longer see what was there before.
    fn reads_after(&mut self, changes: &[Change]) -> Result<(), EngineError> {
        for (pattern, operation) in self.served() {
            let PatternKind::Read(read) = &pattern.kind else { continue };
            for change in changes {
                let concerns = pattern.entities.iter().any(|entity| entity.value == change.entity);
                for record in [&change.before, &change.after].into_iter().flatten().filter(|_| concerns) {
                    if self.checker.has_failed(&pattern.id) {
                        break;
                    }
                    let set =
                        inputs::of_record(self.checker.model, pattern, operation, &change.entity, record);
                    if let Some(set) = set {
                        self.checker.check_read(pattern, read, operation, &set)?;
                    }
                }
            }
        }
        Ok(())
    }

    /// The design's expectation against the mean of the run.
    fn costs(&mut self) {
        for tally in self.checker.tallies.values_mut() {
            let (Some(expected), Some(measured)) = (tally.expected_micro_units, tally.measured_micro_units())
            else {
                continue;
            };
            if measured > expected * COST_FACTOR + COST_SLACK {
                let units =
                    |micro: u64| format!("{}.{:02} units", micro / 1_000_000, micro % 1_000_000 / 10_000);
                tally.fail(Failure {
                    check: "expected cost".into(),
                    inputs: "{}".into(),
                    request: None,
                    expected: format!(
                        "{} per call, at most {COST_FACTOR} times that and {} more",
                        units(expected),
                        units(COST_SLACK)
                    ),
                    actual: format!("{} per call", units(measured)),
                });
            }
        }
    }
}

impl Checker<'_, '_> {
    /// A new record of an entity that no pattern creates, with parents that exist; none where there are none.
    fn new_record(&mut self, entity: &keywright_model::model::Entity) -> Option<Record> {
        let mut record = Record::new();
        for relationship in self.model.parents_of(&entity.name) {
            let parent = self.model.entity(&relationship.parent)?;
            let count = self.world.count(&parent.name);
            let chosen = self.values.random().index(count);
            let Some(chosen) = self.world.nth(&parent.name, chosen) else { continue };
            for (name, via) in parent.identity_names().zip(&relationship.via) {
                if let Some(value) = chosen.get(name) {
                    record.entry(via.clone()).or_insert_with(|| value.clone());
                }
            }
        }
        for attribute in &entity.attributes {
            if record.contains_key(&attribute.name) || !self.values.present(attribute) {
                continue;
            }
            let distinct = inputs::is_distinct(entity, attribute, &mut self.values);
            let value = match self.referred(attribute) {
                Some(value) => value,
                None => self.values.make(entity, attribute, distinct),
            };
            record.insert(attribute.name.clone(), value);
        }
        Some(record)
    }

    /// A value of the attribute that another one refers to.
    fn referred(
        &mut self,
        attribute: &keywright_model::model::Attribute,
    ) -> Option<keywright_dynamodb::value::AttributeValue> {
        let reference = &attribute.reference.as_ref()?.value;
        let at = self.values.random().index(self.world.count(&reference.entity));
        self.world.nth(&reference.entity, at)?.get(&reference.attribute).cloned()
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
                                effect.attributes.iter().any(|name| name == attribute)
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
    fn store(&mut self, change: Change) -> Result<(), EngineError> {
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
            let mut item = self.session.mirror.get(&place.0, &place.1).cloned().unwrap_or_default();
            stored.absent.iter().for_each(|name| {
                item.remove(name);
            });
            item.extend(stored.item.clone());
            self.session.place(&place.0, &place.1, Some(&item))?;
        }
        Ok(())
    }
}

//! A proof from beginning to end, phase by phase: [`Prover::run`] is the table of contents of this folder.

mod conditions;
mod enrich;
mod lead;
mod limits;
mod load;
mod means;
mod orphans;
mod pairings;

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use keywright_model::design::Operation;
use keywright_model::evidence::Failure;
use keywright_model::model::{Pattern, PatternKind};
use keywright_model::{Design, Model};

use crate::check::{Checked, Checker};
use crate::data;
use crate::engine::EngineError;
use crate::inputs::{self, Flavour};
use crate::interpret::Inputs;
use crate::prove::{Options, Progress};
use crate::session::Session;
use crate::shrink;
use crate::world::Change;
use crate::writing::Writing;

/// How many sets of inputs a write is checked with, beside those that make the data.
const WRITES: u64 = 12;
/// How many calls may be drawn for one that the document is clear about.
const DRAWS: u64 = 8;
/// A mean call may take so many times what the design expects: of what the document counts, usual calls meet up to twice as
/// many.
const COST_FACTOR: u64 = 2;
/// Where it does not say how many records go with a call, the design expects a default, and data has more, …
const OPEN_COST_FACTOR: u64 = 3;
/// … and so many units more, since the answers of small data are longer and round up: in millionths.
const COST_SLACK: u64 = 2_000_000;

/// So many inputs are looked at for some that let a write change something.
const SEARCHED: u32 = 100;
/// A proof is done after so many thousandths.
const WHOLE: u64 = 1_000;

/// A proof under way.
pub(crate) struct Prover<'a, 'e, 'p> {
    pub(crate) checker: Checker<'a, 'e>,
    options: &'p Options,
    progress: &'p mut dyn FnMut(Progress<'_>),
    /// The part of the whole, in thousandths, that is under way.
    stage: Range<u64>,
    /// How many records there are to be of each entity.
    amounts: BTreeMap<String, u64>,
}

impl<'a, 'e, 'p> Prover<'a, 'e, 'p> {
    /// A proof that has not begun.
    pub(crate) fn new(
        model: &'a Model,
        design: &'a Design,
        session: Session<'e>,
        options: &'p Options,
        progress: &'p mut dyn FnMut(Progress<'_>),
    ) -> Self {
        let plan = data::Plan::new(model, options.scale);
        let amounts = plan.amounts.clone();
        let checker = Checker::new(model, design, session, options.seed, plan);
        Prover { checker, options, progress, stage: 0..0, amounts }
    }

    /// Tables, data, reads, writes, conditions one by one, races, reads again, and everything read whole.
    pub(crate) fn run(mut self) -> Result<Checker<'a, 'e>, EngineError> {
        self.statics();
        if self.is_refused() {
            return Ok(self.checker);
        }
        let amounts = self.amounts.clone();
        self.stage = 0..500;
        self.load(&amounts)?;
        self.enrich()?;
        self.stage = 500..600;
        self.reads()?;
        self.stage = 600..750;
        self.writes()?;
        // Whoever deletes all has left nothing to race for.
        self.stage = 750..800;
        self.load(&amounts)?;
        self.enrich()?;
        self.stage = 800..840;
        self.break_conditions()?;
        self.stage = 840..880;
        self.race_others()?;
        self.stage = 880..900;
        self.limits()?;
        self.orphans()?;
        self.stage = 900..WHOLE;
        self.reads()?;
        if !self.is_over() {
            self.checker.check_whole()?;
            self.costs();
            self.checker.check_expiring()?;
        }
        self.leave_unmet();
        if self.options.shrink {
            self.shrink(self.options.seed)?;
        }
        Ok(self.checker)
    }

    /// Says what is being done, after so many of the steps of this stage.
    pub(crate) fn doing(&mut self, doing: &str, done: u64, of: u64) {
        let Range { start, end } = self.stage;
        let done = start + (end - start) * done.min(of) / of.max(1);
        (self.progress)(Progress { doing, done, total: WHOLE });
    }

    /// About how many records there are to be.
    pub(crate) fn scale(&self) -> u64 {
        self.options.scale
    }

    /// Whether a failure was found and one is enough.
    pub(crate) fn is_over(&self) -> bool {
        self.options.stop_at_failure && self.checker.tallies.values().any(|tally| tally.failure.is_some())
    }

    /// The patterns with their operations; none once it is over.
    pub(crate) fn served(&self) -> Vec<(&'a Pattern, &'a Operation)> {
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
                    let tally = self.checker.tally(&pattern.id);
                    tally.expected_micro_units =
                        expected.map(|expected| expected.read_micro_units + expected.write_micro_units);
                    if expected.is_none() {
                        tally.leave("expected cost: the design states none");
                    }
                }
                None => self.checker.tally(&pattern.id).fail(Failure {
                    check: "served".into(),
                    inputs: "{}".into(),
                    request: None,
                    expected: "an operation".into(),
                    actual: "the design has no operation for this pattern".into(),
                    records: None,
                }),
            }
            if !self.checker.session.states_capacity {
                self.checker.tally(&pattern.id).leave("cost: the engine does not report consumed capacity");
            } else if !self.checker.session.sizes_reads && pattern.read().is_some() {
                let reason = "cost: the capacity that the engine reports for a Query does not depend on its \
                              size";
                self.checker.tally(&pattern.id).leave(reason);
            }
        }
    }

    /// Whether DynamoDB would refuse items for the types of their keys: then nothing can be run, and that is said.
    fn is_refused(&mut self) -> bool {
        let design = self.checker.design;
        let Some(item) = design.items.iter().find(|item| self.checker.mistyped(item).is_some()) else {
            return false;
        };
        for pattern in &self.checker.model.patterns {
            if !self.checker.has_failed(&pattern.id) {
                let reason = format!("nothing was run: DynamoDB refuses the items of {}", item.name);
                self.checker.tally(&pattern.id).leave(reason);
            }
        }
        true
    }

    /// The writes and deletes with their operations; none once it is over.
    pub(crate) fn writings(&self) -> Vec<Writing<'a>> {
        let writing = |(pattern, operation): (&'a Pattern, &'a Operation)| {
            Some(Writing { pattern, write: pattern.write()?, operation })
        };
        self.served().into_iter().filter_map(writing).collect()
    }

    /// Calls a write with new inputs, and says what became of it; draws again where the document is not clear.
    pub(crate) fn draw(
        &mut self,
        writing: Writing<'a>,
        flavour: Flavour<'_>,
    ) -> Result<Option<(Inputs, Checked)>, EngineError> {
        for _ in 0..DRAWS {
            let Some(made) = self.checker.inputs_of(writing, flavour) else { return Ok(None) };
            let typical = flavour == Flavour::Fresh && self.checker.is_usual(writing, &made);
            let checked = self.checker.check_write(writing, &made, typical)?;
            if checked != Checked::Unclear {
                return Ok(Some((made, checked)));
            }
        }
        Ok(None)
    }

    /// Calls a write with inputs that let it change something, as far as such are found: a condition may want a state that
    /// few records are in.
    fn draw_telling(&mut self, writing: Writing<'a>) -> Result<Option<(Inputs, Checked)>, EngineError> {
        for _ in 0..SEARCHED {
            let Some(made) = self.checker.inputs_of(writing, Flavour::Fresh) else { return Ok(None) };
            if self.checker.foretell(writing, &made).changes_something() {
                let typical = self.checker.is_usual(writing, &made);
                let checked = self.checker.check_write(writing, &made, typical)?;
                return Ok(Some((made, checked)));
            }
        }
        self.draw(writing, Flavour::Fresh)
    }

    /// Every read with many sets of inputs.
    fn reads(&mut self) -> Result<(), EngineError> {
        self.checker.long_answers.clear();
        let served = self.served();
        let all = served.len() as u64;
        for (nth, (pattern, operation)) in served.into_iter().enumerate() {
            if self.is_over() {
                break;
            }
            self.doing(&pattern.id, nth as u64, all);
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
        self.checker.long_answers.clear();
        // Deletes last, so that the others have something to work on.
        let mut writings = self.writings();
        writings.sort_by_key(|writing| matches!(writing.pattern.kind, PatternKind::Delete(_)));
        let all = writings.len() as u64;
        for (nth, writing) in writings.iter().copied().enumerate() {
            if self.is_over() {
                break;
            }
            self.doing(writing.id(), nth as u64, all);
            for round in 0..WRITES {
                if self.checker.has_failed(writing.id()) {
                    break;
                }
                let flavour = match round % 4 {
                    1 => Flavour::Taken,
                    3 => Flavour::Missing,
                    _ => Flavour::Fresh,
                };
                let drawn = match flavour {
                    Flavour::Fresh => self.draw_telling(writing)?,
                    _ => self.draw(writing, flavour)?,
                };
                let Some((made, checked)) = drawn else { continue };
                if let Checked::Held(changes) = checked {
                    self.look_after(writing, &made, &changes, round < 4)?;
                }
            }
            self.race_alike(writing)?;
        }
        self.lead(&writings)
    }

    /// Looks again after a write that took place: it is repeated where that is asked, and read.
    pub(crate) fn look_after(
        &mut self,
        writing: Writing<'a>,
        made: &Inputs,
        changes: &[Change],
        repeat: bool,
    ) -> Result<(), EngineError> {
        if repeat {
            let generated = self.checker.last_generated.clone();
            self.checker.check_replay(writing, made, &generated)?;
        }
        self.reads_after(changes)
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

    /// Puts the smallest case that can be found in place of each failure.
    fn shrink(&mut self, seed: u64) -> Result<(), EngineError> {
        let checker = &mut self.checker;
        for (id, case) in std::mem::take(&mut checker.cases) {
            (self.progress)(Progress {
                doing: &format!("looking closer at {id}"),
                done: WHOLE,
                total: WHOLE,
            });
            let Some(tally) = checker.tallies.get_mut(&id) else { continue };
            let smallest = shrink::shrink(checker.model, checker.design, &id, case, seed)?;
            tally.failure = smallest.or(tally.failure.take());
        }
        Ok(())
    }

    /// The design's expectation against the mean of the run.
    fn costs(&mut self) {
        let open: BTreeSet<&str> =
            self.writings().into_iter().filter(|it| self.checker.is_open(*it)).map(|it| it.id()).collect();
        for (id, tally) in &mut self.checker.tallies {
            let factor = if open.contains(id.as_str()) { OPEN_COST_FACTOR } else { COST_FACTOR };
            let (Some(expected), Some(measured)) = (tally.expected_micro_units, tally.measured_micro_units())
            else {
                continue;
            };
            if measured > expected * factor + COST_SLACK {
                let units =
                    |micro: u64| format!("{}.{:02} units", micro / 1_000_000, micro % 1_000_000 / 10_000);
                tally.fail(Failure {
                    check: "expected cost".into(),
                    inputs: "{}".into(),
                    request: None,
                    expected: format!(
                        "{} per call, at most {factor} times that and {} more",
                        units(expected),
                        units(COST_SLACK)
                    ),
                    actual: format!("{} per call", units(measured)),
                    records: None,
                });
            }
        }
    }
}

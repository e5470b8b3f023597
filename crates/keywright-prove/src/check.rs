//! The checks: what a pattern's operation did, held against what the oracle says.

mod counters;
mod final_scan;
mod keys;
mod lifetime;
mod met;
mod own_reads;
mod race;
mod read;
mod rows;
mod statics;
mod usual;
mod write;

pub(crate) use counters::{Kept, keeps_exactly};
pub(crate) use met::{Met, bounds};
pub(crate) use race::Contender;
pub(crate) use write::Checked;

use std::collections::{BTreeMap, BTreeSet};

use keywright_dynamodb::value::AttributeValue;
use keywright_model::evidence::Failure;
use keywright_model::{Design, Model};

use crate::data::{Plan, Values};
use crate::engine::EngineError;
use crate::inputs::{self, Flavour};
use crate::interpret::{CallError, Inputs, Maker};
use crate::random::Random;
use crate::session::Session;
use crate::show;
use crate::shrink::{CallOf, Case};
use crate::tally::Tally;
use crate::world::World;
use crate::writing::Writing;

/// A proof under way: the world as it should be, the line to the engine, and what was seen.
pub(crate) struct Checker<'a, 'e> {
    pub(crate) model: &'a Model,
    pub(crate) design: &'a Design,
    pub(crate) session: Session<'e>,
    pub(crate) world: World,
    pub(crate) values: Values,
    pub(crate) maker: Maker,
    pub(crate) random: Random,
    pub(crate) tallies: BTreeMap<String, Tally>,
    /// What it takes to see the first failure of a pattern again.
    pub(crate) cases: BTreeMap<String, Case>,
    /// How many long answers of each read were asked for in this phase.
    pub(crate) long_answers: BTreeMap<String, u32>,
    /// The pairs of writes that met already.
    pub(crate) raced: BTreeSet<[String; 2]>,
    /// The reads of the first so many that found more.
    pub(crate) ended: BTreeSet<String>,
    /// What the calls of each read met.
    pub(crate) met: BTreeMap<String, Met>,
    /// Numbers that only the design knows.
    pub(crate) kept: Vec<Kept<'a>>,
    /// What the last checked write made up.
    pub(crate) last_generated: BTreeMap<String, AttributeValue>,
}

impl<'a, 'e> Checker<'a, 'e> {
    /// A proof with nothing in it yet.
    pub(crate) fn new(
        model: &'a Model,
        design: &'a Design,
        session: Session<'e>,
        seed: u64,
        plan: Plan,
    ) -> Self {
        let maker = Maker::new(seed);
        Checker {
            model,
            design,
            session,
            world: World::new(model),
            values: Values::new(seed, plan, &maker),
            maker,
            random: Random::new(seed, "checks"),
            tallies: BTreeMap::new(),
            cases: BTreeMap::new(),
            long_answers: BTreeMap::new(),
            raced: BTreeSet::new(),
            ended: BTreeSet::new(),
            met: BTreeMap::new(),
            kept: Kept::all(model, design),
            last_generated: BTreeMap::new(),
        }
    }

    /// The inputs of one call of a write; none where the world lacks what they would name.
    pub(crate) fn inputs_of(&mut self, writing: Writing<'_>, flavour: Flavour<'_>) -> Option<Inputs> {
        inputs::for_write(self.model, &self.world, writing, flavour, &mut self.values)
    }

    /// Keeps what it takes to see a failure again, where the call has just failed for the first time.
    pub(crate) fn keep_case(&mut self, pattern: &str, call: impl FnOnce() -> CallOf) {
        if self.has_failed(pattern) && !self.cases.contains_key(pattern) {
            let (world, mirror) = (&self.world, &self.session.mirror);
            let case = Case::keep(self.model, self.design, world, mirror, pattern, call());
            self.cases.insert(pattern.to_owned(), case);
        }
    }

    /// The tally of a pattern.
    pub(crate) fn tally(&mut self, pattern: &str) -> &mut Tally {
        self.tallies.entry(pattern.to_owned()).or_default()
    }

    /// Whether a pattern failed already: one failure is enough.
    pub(crate) fn has_failed(&self, pattern: &str) -> bool {
        self.tallies.get(pattern).is_some_and(|tally| tally.failure.is_some())
    }

    /// Notes a failure with the last request.
    pub(crate) fn fail(
        &mut self,
        pattern: &str,
        check: &str,
        inputs: &Inputs,
        expected: impl Into<String>,
        actual: impl Into<String>,
    ) {
        let request = self.session.last_request.as_ref().map(|(name, body)| format!("{name} {body}"));
        let failure = Failure {
            check: check.to_owned(),
            inputs: show::inputs(inputs),
            request,
            expected: expected.into(),
            actual: actual.into(),
            records: None,
        };
        self.tally(pattern).fail(failure);
    }

    /// Counts what a call took, and notes where its cost differs or a key is too long.
    pub(crate) fn account(&mut self, pattern: &str, inputs: &Inputs, typical: bool) {
        let (requests, halves) = (self.session.requests, self.session.units.half_units());
        let tally = self.tally(pattern);
        tally.requests += requests;
        tally.half_units += halves;
        if typical {
            tally.typical.0 += 1;
            tally.typical.1 += halves;
        }
        if let Some(difference) = self.session.difference.take() {
            let failure = Failure {
                check: "cost".into(),
                inputs: show::inputs(inputs),
                request: Some(difference.request),
                expected: difference.reckoned,
                actual: difference.stated,
                records: None,
            };
            self.tally(pattern).fail(failure);
        }
        if let Some(oversized_key) = self.session.oversized_key.take() {
            self.fail(pattern, "limits", inputs, "keys within DynamoDB's limits", oversized_key);
        }
    }
}

/// Splits what the design got wrong from what the world did: only the latter ends the proof.
pub(crate) fn fault<T>(result: Result<T, CallError>) -> Result<Result<T, String>, EngineError> {
    match result {
        Ok(value) => Ok(Ok(value)),
        Err(CallError::Fault(fault)) => Ok(Err(fault.to_string())),
        Err(CallError::Engine(error)) => Err(error),
    }
}

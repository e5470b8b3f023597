//! A proof from outside: what it is told, how far it is, and the evidence that it leaves.

use std::collections::BTreeMap;

use keywright_model::evidence::Outcome;
use keywright_model::{Design, Evidence, Model};

use crate::check::Checker;
use crate::engine::{Capability, Engine, EngineError, Interrupt, Interruptible, Support, Tables};
use crate::interpret::to_json;
use crate::prover::Prover;
use crate::recording::{Event, Recorder, Recording};
use crate::session::{Session, definition};
use crate::tally::Tally;

/// What a proof can be told.
#[derive(Clone, Debug)]
pub struct Options {
    /// Repeats a run exactly.
    pub seed: u64,
    /// About how many records to make.
    pub scale: u64,
    /// End at the first failure.
    pub stop_at_failure: bool,
    /// Look for the smallest case that shows each failure.
    pub shrink: bool,
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
            stop_at_failure: false,
            shrink: true,
            interrupt: Interrupt::default(),
        }
    }
}

/// How far a proof is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress<'p> {
    /// What it is doing: `loading Order`, `AP-003`.
    pub doing: &'p str,
    /// How much of it is done.
    pub done: u64,
    /// How much there is.
    pub total: u64,
}

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
    let mut tables = Tables::new(engine).interrupted_by(&options.interrupt);
    let outcome = prove_in(model, design, &mut tables, options, progress);
    tables.end(outcome)
}

/// The same, in tables that the caller ends: whoever keeps them learns their names.
pub fn prove_in(
    model: &Model,
    design: &Design,
    tables: &mut Tables<'_>,
    options: &Options,
    progress: &mut dyn FnMut(Progress<'_>),
) -> Result<Evidence, EngineError> {
    let engine = tables.engine();
    if let Some(evidence) = unable(model, design, engine, options)? {
        return Ok(evidence);
    }
    let watched = Interruptible::new(engine, options.interrupt.clone());
    let session = Session::open(design, &watched, tables)?;
    let (tallies, _) = run(model, design, session, options, progress)?;
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
    let recorded = Session::open(design, engine, &mut tables).and_then(|mut session| {
        session.recorder = Some(Recorder::default());
        run(model, design, session, options, &mut |_| {})
    });
    let (tallies, recorder) = tables.end(recorded)?;
    let mut recording = recorder.unwrap_or_default().recording;
    recording.tables = design.tables.iter().map(|table| definition(design, table)).collect();
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
        .map(|pattern| tallies.remove(&pattern.id).unwrap_or_default().evidence(pattern))
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
    let Checker { mut session, tallies, .. } =
        Prover::new(model, design, session, options, progress).run()?;
    let Some(mut recorder) = session.recorder.take() else { return Ok((tallies, None)) };
    for table in &design.tables {
        let mut items = Vec::new();
        session.whole(&table.name, None, &mut |item| items.push(to_json(&item)))?;
        recorder.recording.events.push(Event::Whole { table: table.name.clone(), items });
    }
    Ok((tallies, Some(recorder)))
}

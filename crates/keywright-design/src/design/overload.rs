//! Why no layout of an entity holds: the pattern that no key bears, in words.

use keywright_dynamodb::limits::{PARTITION_READ_UNITS, PARTITION_WRITE_UNITS};
use keywright_finding::{Finding, Span};

use crate::cost::{Load, effect_price, hottest_share, plain_bytes, tolerates};
use crate::demand::Source;
use crate::path::Path;
use crate::problem::WriteFacts;
use crate::rules;
use crate::search::{Choice, EntityTask, choices, evaluate};

/// What is to be said of an entity that no layout serves as a whole.
pub(super) fn finding(task: &EntityTask<'_>) -> Finding {
    too_hot_to_write(task).or_else(|| too_hot_to_read(task)).unwrap_or_else(|| {
        let facts = task.facts();
        Finding::new(
            &rules::TOO_HOT,
            facts.span,
            format!(
                "no key of {} bears its load, or none serves all its patterns together, though each can be served by itself",
                facts.name
            ),
        )
        .help("spread the load over more values, lower the rates, or give reads another input")
    })
}

/// The writes that are too much for every primary key: one alone, or all together.
fn too_hot_to_write(task: &EntityTask<'_>) -> Option<Finding> {
    let facts = task.facts();
    let mut writes: Vec<&WriteFacts> = Vec::new();
    for (write, _) in &task.effects {
        if !writes.iter().any(|it| it.pattern == write.pattern) {
            writes.push(write);
        }
    }
    let least = |some: &[&WriteFacts]| -> Option<u64> {
        let bases = &task.candidates.bases;
        let loads = bases.iter().map(|path| (path, written(task, path, some)));
        if loads.clone().any(|(path, load)| tolerates(facts, path, load)) {
            return None;
        }
        loads.map(|(_, load)| load.write_units()).min()
    };
    let alone = writes.iter().find_map(|write| Some((vec![*write], least(&[write])?)));
    let (blamed, units) = alone.or_else(|| {
        let units = least(&writes)?;
        Some((writes, units))
    })?;
    let ids: Vec<&str> = blamed.iter().map(|write| write.id.as_str()).collect();
    let verb = if ids.len() == 1 { "writes" } else { "together write" };
    Some(
        Finding::new(
            &rules::TOO_HOT,
            blamed[0].span,
            format!(
                "{} {verb} about {units} units a second under one key of {}; a partition takes {PARTITION_WRITE_UNITS}",
                ids.join(", "),
                facts.name
            ),
        )
        .help(format!(
            "lower the rate, state how many {} there are and how evenly they are written, or write to several and add \
             them up when reading",
            facts.name
        )),
    )
}

/// What some writes ask of the hottest partition under a primary key.
fn written(task: &EntityTask<'_>, path: &Path, writes: &[&WriteFacts]) -> Load {
    let share = hottest_share(task.facts(), path.partition_set(), true);
    let item = plain_bytes(task.problem, task.entity);
    let mut load = Load::default();
    for (write, effect) in &task.effects {
        if writes.iter().any(|it| it.pattern == write.pattern) {
            let price = effect_price(task.problem, task.month, write, effect, path, item, &[]);
            load.add_writes(write.peak, price.base_micro_units, share);
        }
    }
    load
}

/// The first read that no key bears, whatever else is read.
fn too_hot_to_read(task: &EntityTask<'_>) -> Option<Finding> {
    let facts = task.facts();
    let possible = |at: usize| {
        (0..task.candidates.bases.len()).any(|base| {
            choices(task, base, at).into_iter().any(|choice| {
                let mut alone = vec![Choice::NotNeeded; task.demands.len()];
                alone[at] = choice;
                evaluate(task, base, &alone).is_some()
            })
        })
    };
    let at = (0..task.demands.len()).find(|at| !possible(*at))?;
    let demand = &task.demands[at];
    let (id, span): (&str, Span) = match demand.source {
        Source::Read(read) | Source::Shared { read, .. } | Source::Behind(read) => {
            (&task.problem.reads[read].id, task.problem.reads[read].span)
        }
        Source::Locate { write, .. } | Source::LocateCheck { write, .. } => {
            (&task.problem.writes[write].id, task.problem.writes[write].span)
        }
    };
    Some(
        Finding::new(
            &rules::TOO_HOT,
            span,
            format!(
                "{id} asks more of one key of {} than a partition gives: it runs {} times a second, and a partition gives \
                 {PARTITION_READ_UNITS} read units",
                facts.name,
                demand.peak.nano() / 1_000_000_000
            ),
        )
        .help("answer it from a cache, lower the rate, ask for less at a time, or give it an input that divides the items"),
    )
}

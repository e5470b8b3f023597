//! The stage as a whole: a document is rewritten in every way that could pay, each is derived, and the cheapest wins.
//!
//! ```text
//! over_merges     entities that are one to one, as one item or as two
//!  └ over_copies    copies, where nothing serves all patterns without
//!     └ over_filters   one kind of item by keys of its own, or by a filter on a list of several
//!        └ over_counters  numbers that writes keep, or that reads count
//!           └ derive         prepare, search, certify, write down
//! ```

mod compared;
mod conflicts;
mod cooling;
mod copying;
mod counting;
mod crowding;
mod derive;
mod fixed;
mod heat;
mod merging;
mod moving;
mod no_layout;
mod shown;
mod sifting;
mod tried;
mod turning;
mod unserved;
mod weighing;

use std::time::{Duration, Instant};

use keywright_dynamodb::Money;
use keywright_dynamodb::price::PriceTable;
use keywright_finding::Finding;
use keywright_model::design::{Design, ItemKind, ItemType, Total};
use keywright_model::model::Assumption;
use keywright_model::{Certificate, Model, Style};

use crate::certificate::CertificateTables;
use crate::copy::{Copied, copied, copyable};
use crate::cost::OperationalPrices;
use crate::decide::Turn;
use crate::extend::Addition;
use crate::merge::{Merge, mergeable, merged};
use crate::problem::{Keeping, resolve, siftable};
use crate::rewriting::Rewriting;
use crate::search::Stop;

#[cfg(test)]
pub(crate) use cooling::cool_price;
pub use heat::PartitionHeat;
pub use turning::TurningPoints;

use derive::Job;

/// How to design.
#[derive(Clone, Debug)]
pub struct Options {
    /// The style; the document's own, else the default, where none is given.
    pub style: Option<Style>,
    /// Stop after so long with the best design found and the gap that is left.
    pub time_limit: Option<Duration>,
    /// Also find the cheapest design for numbers of indexes that can't win: the whole frontier.
    pub whole_frontier: bool,
    /// How much is written down for those who check the certificate.
    pub certificate_tables: CertificateTables,
    /// Also find what is only shown: the smallest bill, and the price of one Query for several entities.
    pub compare: bool,
    /// Which rates that would change a choice are reckoned with all other choices free to move.
    pub turning_points: TurningPoints,
    /// What AWS charges.
    pub prices: PriceTable,
    /// What operating a design is worth.
    pub operational: OperationalPrices,
    /// A table that exists: its keys and indexes stay, and what the patterns need comes beside them.
    pub base: Option<Design>,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            style: None,
            time_limit: None,
            whole_frontier: false,
            certificate_tables: CertificateTables::default(),
            compare: false,
            turning_points: TurningPoints::Estimated,
            prices: PriceTable::us_east_1(),
            operational: OperationalPrices::default(),
            base: None,
        }
    }
}

impl Options {
    /// When a search that started then has to end.
    fn stop(&self, started: Instant) -> Stop {
        Stop { at: self.time_limit.and_then(|limit| started.checked_add(limit)) }
    }
}

/// What designing gives.
#[derive(Debug)]
pub struct Outcome {
    /// The design; none where findings at error level say why not.
    pub design: Option<Design>,
    /// What is to be said about the document.
    pub findings: Vec<Finding>,
    /// Defaults that were used where the document is silent.
    pub assumptions: Vec<Assumption>,
    /// What is known about the optimum.
    pub proven: Option<Proven>,
    /// The same with tables that somebody else can check.
    pub certificate: Option<Certificate>,
    /// The cheapest price for each number of indexes.
    pub frontier: Vec<FrontierPoint>,
    /// What comes new into the table that is extended.
    pub additions: Vec<Addition>,
    /// What is asked of the hottest partition of each kind, the hottest first.
    pub heat: Vec<PartitionHeat>,
    /// How large the space is that was searched.
    pub space: Space,
    /// The rates at which single choices would change, if nothing else did.
    pub(crate) turns: Vec<Turn>,
}

/// How large the space of a document is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Space {
    /// Base placements and logical indexes, each with a projection, over all entities.
    pub candidates: usize,
    /// Ways to serve a pattern's part from a candidate, over all patterns.
    pub plans: usize,
    /// Designs that were derived, each for another way to rewrite the document.
    pub designs: usize,
}

/// What is known about the optimum.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Proven {
    /// No design in the space is cheaper than this, per month, operational prices included.
    pub lower_bound: Money,
    /// How much cheaper a design could at most be: zero for the optimum.
    pub gap: Money,
}

/// The cheapest design with a given number of indexes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FrontierPoint {
    /// The number of indexes.
    pub indexes: usize,
    /// The price per month.
    pub total: Total,
}

/// What deriving takes for granted where a document is silent, without deriving anything.
pub fn assumptions(model: &Model) -> Vec<Assumption> {
    resolve(model, &[], Rewriting::default()).assumptions
}

/// Derives the cheapest design.
pub fn design(model: &Model, options: &Options) -> Outcome {
    let started = Instant::now();
    let mut outcome = over_merges(model, options, started);
    let certificate_tables = CertificateTables::None;
    let plain = Options { certificate_tables, compare: false, whole_frontier: false, ..options.clone() };
    // One limit is for all of it.
    let again = |model: &Model| over_merges(model, &plain, started);
    turning::settle(model, &options.turning_points, &mut outcome, options.stop(started), &again);
    outcome
}

/// The cheapest design over all ways to let entities that are one to one be one item, with the rates that would change a
/// choice as they are if nothing else changes.
fn over_merges(model: &Model, options: &Options, started: Instant) -> Outcome {
    let mergeable = mergeable(model);
    let design = |merges: &[Merge]| over_copies(model, options, merges, started);
    if let Some(base) = &options.base {
        // What is one item in the table stays one.
        let is_one = |merge: &Merge| {
            let held = |item: &ItemType| item.name == merge.parent && item.entities.contains(&merge.child);
            base.items.iter().any(held)
        };
        let merges: Vec<Merge> = mergeable.into_iter().filter(is_one).collect();
        return design(&merges);
    }
    merging::cheapest(options, options.stop(started), design(&[]), &mergeable, &design)
}

/// The cheapest design with these children in their parents' items; with copies where nothing else serves all patterns.
fn over_copies(model: &Model, options: &Options, merges: &[Merge], started: Instant) -> Outcome {
    let model = &merged(model, merges);
    let copyable = copyable(model);
    let design = |copies: &[Copied]| {
        let model = &copied(model, copies);
        let rewriting = Rewriting { merges, copies, ..Rewriting::default() };
        over_filters(Job { model, options, rewriting, keeping: &[], moved: &[], started })
    };
    // What is a copy in the table is kept as one; others can come beside it.
    let is_there = |copy: &Copied| {
        let base = options.base.iter().flat_map(|base| &base.items);
        base.into_iter().any(|item| item.kind == ItemKind::Copy && item.name == copy.name)
    };
    let (present, others): (Vec<Copied>, Vec<Copied>) = copyable.into_iter().partition(is_there);
    let plain = design(&present);
    if plain.design.is_some() {
        return plain;
    }
    let with = |more: &[Copied]| design(&[&present, more].concat());
    copying::cheapest(options, options.stop(started), &others, &with).unwrap_or(plain)
}

/// The cheapest design over all ways to read one kind of item where several kinds are one list.
fn over_filters(job: Job<'_>) -> Outcome {
    let apart = over_counters(job);
    if job.model.patterns.iter().all(|pattern| job.model.interleaved(pattern).is_empty()) {
        return apart;
    }
    let siftable = siftable(&job.resolve().problem);
    let design =
        |sifted: &[usize]| over_counters(Job { rewriting: Rewriting { sifted, ..job.rewriting }, ..job });
    sifting::cheapest(job.options, job.stop(), apart, &siftable, &design)
}

/// The cheapest design over all ways to know the numbers that are asked for.
fn over_counters(job: Job<'_>) -> Outcome {
    let mut resolved = job.resolve();
    let countable = std::mem::take(&mut resolved.countable);
    let extends = job.options.base.is_some();
    let mut derived = derive::derive(job, resolved);
    if extends && !derived.stuck.entities.is_empty() {
        // What the present keys can't serve, others might: the price of moving them is the answer.
        let design = |moved: &[usize]| {
            let job = Job { moved, ..job };
            derive::derive(job, job.resolve())
        };
        derived.outcome.findings.extend(moving::cheapest(&derived.stuck, &design));
    }
    if derived.outcome.design.is_none() && extends {
        return derived.outcome;
    }
    let design = |keeping: &[Keeping]| {
        let job = Job { keeping, ..job };
        derive::derive(job, job.resolve()).outcome
    };
    counting::cheapest(job.model, job.options, job.stop(), derived.outcome, &countable, &design)
}

//! The stage as a whole: resolve, search, emit.

mod compared;
mod conflicts;
mod cooling;
mod copying;
mod counting;
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
use keywright_finding::{Finding, Level};
use keywright_model::design::{Design, ItemKind, ItemType, Total};
use keywright_model::model::Assumption;
use keywright_model::{Certificate, Model, Style};

use crate::candidate::{needs_guard, report_tenants, settle};
use crate::copy::{Copied, copied, copyable};
use crate::cost::{MonthlyPrice, OperationalPrices};
use crate::decide::{Turn, decisions, laws_in_words};
use crate::demand::demands;
use crate::emit::{Context, emit};
use crate::existing::{self, Existing};
use crate::extend::{self, Addition, Migration};
use crate::merge::{Merge, mergeable, merged};
use crate::problem::{Keeping, Resolved, keep_buckets, resolve, siftable};
use crate::rewriting::Rewriting;
use crate::search::{EntityTask, Stop, Wanted, plans};

#[cfg(test)]
pub(crate) use cooling::cool_price;
pub use heat::PartitionHeat;
pub use turning::TurningPoints;

use cooling::Cooled;
use shown::shown;
use weighing::Weighing;

/// How to design.
#[derive(Clone, Debug)]
pub struct Options {
    /// The style; the document's own, else the default, where none is given.
    pub style: Option<Style>,
    /// Stop after so long with the best design found and the gap that is left.
    pub time_limit: Option<Duration>,
    /// Also find the cheapest design for numbers of indexes that can't win: the whole frontier.
    pub every_count: bool,
    /// Also write down the tables of the certificate, for those who check it.
    pub tables: bool,
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
            every_count: false,
            tables: true,
            compare: false,
            turning_points: TurningPoints::Estimated,
            prices: PriceTable::us_east_1(),
            operational: OperationalPrices::default(),
            base: None,
        }
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
    pub frontier: Vec<Frontier>,
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
pub struct Frontier {
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
    let mut outcome = cheapest(model, options);
    let plain = Options { tables: false, compare: false, every_count: false, ..options.clone() };
    turning::settle(model, &options.turning_points, &mut outcome, &|model| cheapest(model, &plain));
    outcome
}

/// The cheapest design, with the rates that would change a choice as they are if nothing else changes.
fn cheapest(model: &Model, options: &Options) -> Outcome {
    let started = Instant::now();
    let mergeable = mergeable(model);
    if let Some(base) = &options.base {
        // What is one item in the table stays one.
        let is_one = |merge: &Merge| {
            let held = |item: &ItemType| item.name == merge.parent && item.entities.contains(&merge.child);
            base.items.iter().any(held)
        };
        let merges: Vec<Merge> = mergeable.into_iter().filter(is_one).collect();
        return counted(model, options, &merges, started);
    }
    let apart = counted(model, options, &[], started);
    let design = |merges: &[Merge]| counted(model, options, merges, started);
    merging::cheapest(options, apart, &mergeable, &design)
}

/// The cheapest design with these children in their parents' items; with copies where nothing else serves all patterns.
fn counted(model: &Model, options: &Options, merges: &[Merge], started: Instant) -> Outcome {
    let model = &merged(model, merges);
    let copyable = copyable(model);
    let design = |copies: &[Copied]| {
        let model = copied(model, copies);
        sifted(&model, options, Rewriting { merges, copies, ..Rewriting::default() }, started)
    };
    if let Some(base) = &options.base {
        // What is a copy in the table is kept as one.
        let is_there = |copy: &Copied| {
            base.items.iter().any(|item| item.kind == ItemKind::Copy && item.name == copy.name)
        };
        let copies: Vec<Copied> = copyable.into_iter().filter(is_there).collect();
        return design(&copies);
    }
    let plain = design(&[]);
    if plain.design.is_some() {
        return plain;
    }
    copying::cheapest(&copyable, &design).unwrap_or(plain)
}

/// The cheapest design over all ways to read one kind of item where several kinds are one list.
fn sifted(model: &Model, options: &Options, rewriting: Rewriting<'_>, started: Instant) -> Outcome {
    let apart = kept(model, options, rewriting, started);
    if model.patterns.iter().all(|pattern| model.interleaved(pattern).is_empty()) {
        return apart;
    }
    let siftable = siftable(&resolve(model, &[], rewriting).problem);
    let design = |sifted: &[usize]| kept(model, options, Rewriting { sifted, ..rewriting }, started);
    sifting::cheapest(options, apart, &siftable, &design)
}

/// The cheapest design over all ways to know the numbers that are asked for.
fn kept(model: &Model, options: &Options, rewriting: Rewriting<'_>, started: Instant) -> Outcome {
    let mut resolved = resolve(model, &[], rewriting);
    let countable = std::mem::take(&mut resolved.countable);
    let mut derived = derive_from(resolved, model, options, &[], &[], rewriting, started);
    if options.base.is_some() && !derived.stuck.entities.is_empty() {
        // What the present keys can't serve, others might: the price of moving them is the answer.
        let design = |moved: &[usize]| derive(model, options, moved, &[], rewriting, started);
        derived.outcome.findings.extend(moving::cheapest(&derived.stuck, &design));
    }
    if derived.outcome.design.is_none() && options.base.is_some() {
        return derived.outcome;
    }
    let design = |keeping: &[Keeping]| derive(model, options, &[], keeping, rewriting, started).outcome;
    counting::cheapest(model, options, derived.outcome, &countable, &design)
}

/// A design, or what stands in its way.
struct Derived {
    outcome: Outcome,
    stuck: Stuck,
    /// What moving the keys of some entities costs.
    migrations: Vec<Migration>,
}

/// Whose present keys are in the way.
#[derive(Debug, Default)]
struct Stuck {
    /// The entities that are not served.
    entities: Vec<usize>,
    /// The entities of their table, where its key has no sort key: only all of them together can leave it.
    table: Vec<usize>,
}

impl Stuck {
    fn new(entities: Vec<usize>, existing: Option<&Existing<'_>>) -> Self {
        let table = existing.map_or_else(Vec::new, |existing| existing.beside_in_unsorted(&entities));
        Stuck { entities, table }
    }
}

impl From<Outcome> for Derived {
    fn from(outcome: Outcome) -> Self {
        Derived { outcome, stuck: Stuck::default(), migrations: Vec::new() }
    }
}

/// Derives the cheapest design, with the keys of some entities taken as movable, and with the numbers that writes may
/// count kept as said. The time limit runs from `started`.
fn derive(
    model: &Model,
    options: &Options,
    moved: &[usize],
    keeping: &[Keeping],
    rewriting: Rewriting<'_>,
    started: Instant,
) -> Derived {
    let resolved = resolve(model, keeping, rewriting);
    derive_from(resolved, model, options, moved, keeping, rewriting, started)
}

/// The same of a document that is resolved already.
fn derive_from(
    mut resolved: Resolved,
    model: &Model,
    options: &Options,
    moved: &[usize],
    keeping: &[Keeping],
    rewriting: Rewriting<'_>,
    started: Instant,
) -> Derived {
    let base = options.base.as_ref();
    if let Some(name) = base.and_then(|base| base.type_attribute.clone()) {
        resolved.problem.type_attribute = name;
    }
    if let Some(base) = base {
        keep_buckets(&mut resolved.problem, base);
    }
    let mut settled = resolved.problem;
    let problem = &settled;
    let mut findings = resolved.findings;
    let mut outcome = Outcome {
        design: None,
        findings: Vec::new(),
        assumptions: resolved.assumptions,
        proven: None,
        certificate: None,
        frontier: Vec::new(),
        additions: Vec::new(),
        heat: Vec::new(),
        space: Space::default(),
        turns: Vec::new(),
    };
    if findings.iter().any(|finding| finding.level == Level::Error) {
        outcome.findings = findings;
        return outcome.into();
    }
    let (existing, emptied) = match base.map(|base| Existing::read(problem, base)).transpose() {
        Ok(existing) => {
            // Of a table that all of it leaves nothing has to be kept.
            let existing = existing.map(|existing| existing.without(problem, moved));
            existing.map_or((None, None), |it| if it.is_left() { (None, Some(it)) } else { (Some(it), None) })
        }
        Err(unreadable) => {
            findings.push(unreadable.finding(problem));
            outcome.findings = findings;
            return outcome.into();
        }
    };
    let stated = options.style.or(model.style.as_ref().map(|style| style.value)).unwrap_or_default();
    // What exists has its style already.
    let style = base.map_or(stated, existing::style);
    let month = MonthlyPrice { table: options.prices.clone(), operational: options.operational.clone() };
    let demands = demands(problem);
    if existing.is_none() {
        report_tenants(problem, &demands, &mut findings);
    }
    let weighing = Weighing { problem, month: &month, style, demands: &demands, existing: existing.as_ref() };
    let all = weighing.candidates();
    let tasks = weighing.tasks(&all);
    outcome.space = space(&tasks);
    let unserved = unserved::before_search(&tasks, &mut findings);
    if findings.iter().any(|finding| finding.level == Level::Error) {
        outcome.findings = findings;
        return Derived { outcome, stuck: Stuck::new(unserved, existing.as_ref()), migrations: Vec::new() };
    }
    let stop = Stop { at: options.time_limit.map(|limit| started + limit) };
    let wanted = Wanted { every_count: options.every_count, tables: options.tables };
    let cooled = match cooling::cheapest(&weighing, &all, &tasks, stop, wanted) {
        Ok(cooled) => cooled,
        Err(unsolved) => {
            unserved::after_search(problem, &tasks, &unsolved, &mut findings);
            outcome.findings = findings;
            let stuck = Stuck::new(unsolved.entities(), existing.as_ref());
            return Derived { outcome, stuck, migrations: Vec::new() };
        }
    };
    let Cooled { mut answer, collections, budgets, unheated } = cooled;
    let within = (!budgets.is_empty()).then(|| weighing.tasks_within(&all, &budgets));
    let left = within.as_deref().unwrap_or(&tasks);
    let (mut proof, mut not_covered) = shown(&weighing, left, &tasks, &answer, unheated);
    let mut tasks = within.unwrap_or(tasks);
    let chosen = || answer.layouts.iter().zip(&all).map(|(layout, all)| &all.bases[layout.base]);
    // What keeps identities unique beside other keys is there from here on.
    if problem.entities.iter().zip(chosen()).any(|(entity, path)| needs_guard(entity, path)) {
        settle(&mut settled, chosen());
        let (month, demands, existing) = (&month, &demands, existing.as_ref());
        let weighing = Weighing { problem: &settled, month, style, demands, existing };
        tasks = weighing.tasks_within(&all, &budgets);
    }
    let problem = &settled;
    let weighing = Weighing { problem, month: &month, style, demands: &demands, existing: existing.as_ref() };
    conflicts::report(problem, &mut findings);
    let fixed = fixed::price(&weighing, &answer);
    answer.cost += fixed;
    answer.proof.lower_bound += fixed.total();
    let bound = Money::from_pico(answer.proof.lower_bound);
    let total = Money::from_pico(answer.cost.total());
    outcome.proven = Some(Proven { lower_bound: bound, gap: total - bound });
    if let Some(proof) = &mut proof {
        proof.fixed = Money::from_pico(fixed.total());
    }
    // How a document's words became numbers is shown, not proven.
    not_covered.push("the reading of the document: rates, sizes and counts are taken as given".to_owned());
    let compares = options.compare && base.is_none();
    let several = problem.reads.iter().any(|read| read.parts.len() > 1 && !read.scan);
    outcome.certificate = Some(Certificate {
        pure_bill: compares
            .then(|| compared::pure_bill(model, options, keeping, rewriting, style, stop))
            .flatten(),
        one_query: (compares && several)
            .then(|| compared::apart(model, options, keeping, rewriting, style, stop))
            .flatten()
            .map(|apart| total - apart),
        optimal: total == bound,
        lower_bound: bound,
        gap: total - bound,
        not_covered,
        proof,
        others: Vec::new(),
    });
    outcome.frontier = answer
        .frontier
        .iter()
        .map(|(indexes, cost)| {
            let cost = *cost + fixed;
            Frontier { indexes: *indexes, total: Total { bill: cost.bill, operational: cost.operational } }
        })
        .collect();
    let context = Context::new(model, problem, &tasks, &answer, &collections, style);
    let mut design = emit(&context, &mut findings);
    let law = outcome.certificate.as_ref().and_then(|certificate| certificate.one_query);
    (design.decisions, outcome.turns) = decisions(&context, &design, law);
    if let (Some(certificate), Some(whole)) = (&outcome.certificate, design.decisions.first_mut()) {
        whole.reason.push_str(&laws_in_words(certificate));
    }
    outcome.heat = heat::hottest_first(&weighing, &context, &collections, &design);
    let mut migrations = Vec::new();
    if let Some(existing) = &existing {
        outcome.additions = extend::additions(&context, &month, existing, &design);
        design.decisions.extend(outcome.additions.iter().map(Addition::decision));
    }
    if let Some(existing) = existing.as_ref().or(emptied.as_ref()) {
        migrations
            .extend(moved.iter().filter_map(|entity| extend::migration(&context, &month, existing, *entity)));
    }
    outcome.design = Some(design);
    outcome.findings = findings;
    Derived { outcome, stuck: Stuck::default(), migrations }
}

/// Counts what the search weighs.
fn space(tasks: &[EntityTask<'_>]) -> Space {
    let mut space = Space::default();
    for task in tasks {
        space.candidates += task.candidates.bases.len() + task.candidates.indexes.len();
        space.plans += plans(task);
    }
    space
}

//! The stage as a whole: resolve, search, emit.

mod compared;
mod conflicts;
mod cooling;
mod copying;
mod counting;
mod merging;
mod overload;
mod sifting;
mod tried;
mod unserved;

use std::time::{Duration, Instant};

use keywright_dynamodb::Money;
use keywright_dynamodb::price::PriceTable;
use keywright_finding::{Finding, Level};
use keywright_model::design::{Design, ItemKind, ItemType, Total};
use keywright_model::model::Assumption;
use keywright_model::{Certificate, Model, Style};

use crate::candidate::{Candidates, candidates, needs_guard, report_tenants, settle};
use crate::certificate::{MANY_LAYOUTS, proof, shows_less};
use crate::copy::{Copied, copied, copyable};
use crate::cost::{Cost, MonthlyPrice, OperationalPrices, scan_price};
use crate::decide::{decisions, laws_in_words};
use crate::demand::{Demand, demands};
use crate::emit::{Context, emit};
use crate::existing::{self, Existing};
use crate::extend::{self, Addition};
use crate::form::Forms;
use crate::merge::{Merge, mergeable, merged};
use crate::problem::{Keeping, Problem, keep_buckets, resolve, siftable};
use crate::rewriting::Rewriting;
use crate::search::{EntityTask, KnownTable, Stop, Unsolved, Wanted, plans, solve, tables};
use crate::threads;

/// Fewer entities than this are looked at faster by one thread.
const WORTH_THREADS: usize = 16;

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
    /// How large the space is that was searched.
    pub space: Space,
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

/// Derives the cheapest design.
pub fn design(model: &Model, options: &Options) -> Outcome {
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
    let mut derived = derive(model, options, &[], &[], rewriting, started);
    if options.base.is_some() && !derived.stuck.is_empty() {
        // What the present keys can't serve, others might: the price of moving them is the answer.
        let moved = derive(model, options, &derived.stuck, &[], rewriting, started);
        if moved.outcome.design.is_some() {
            derived.outcome.findings.extend(moved.migrations);
        }
    }
    if derived.outcome.design.is_none() && options.base.is_some() {
        return derived.outcome;
    }
    let countable = resolve(model, &[], rewriting).countable;
    let design = |keeping: &[Keeping]| derive(model, options, &[], keeping, rewriting, started).outcome;
    counting::cheapest(model, options, derived.outcome, &countable, &design)
}

/// A design, or what stands in its way.
struct Derived {
    outcome: Outcome,
    /// Entities whose present keys are in the way.
    stuck: Vec<usize>,
    /// What moving the keys of some entities costs.
    migrations: Vec<Finding>,
}

impl From<Outcome> for Derived {
    fn from(outcome: Outcome) -> Self {
        Derived { outcome, stuck: Vec::new(), migrations: Vec::new() }
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
    let mut resolved = resolve(model, keeping, rewriting);
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
        space: Space::default(),
    };
    if findings.iter().any(|finding| finding.level == Level::Error) {
        outcome.findings = findings;
        return outcome.into();
    }
    let existing = match base.map(|base| Existing::read(problem, base)).transpose() {
        Ok(existing) => existing.map(|existing| existing.without(problem, moved)),
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
    let each_entity = demands.iter().enumerate().collect();
    let mut all: Vec<Candidates> = threads::each(each_entity, WORTH_THREADS, |(entity, demands)| {
        let forms = forms_of(problem, style, entity, existing.as_ref());
        let all = candidates(problem, entity, demands).in_form(problem, entity, forms);
        match &existing {
            Some(existing) => existing.restrict(entity, all),
            None => all,
        }
    });
    let mut tasks = tasks_for(problem, &month, style, &demands, &all, existing.as_ref());
    outcome.space = space(&tasks);
    let unserved = unserved::before_search(&tasks, &mut findings);
    if findings.iter().any(|finding| finding.level == Level::Error) {
        outcome.findings = findings;
        return Derived { outcome, stuck: unserved, migrations: Vec::new() };
    }
    let stop = Stop { at: options.time_limit.map(|limit| started + limit) };
    let wanted = Wanted { every_count: options.every_count, tables: options.tables };
    let solve = |tasks: &[EntityTask<'_>]| {
        let answer = solve(problem, &month, tasks, stop, wanted)?;
        let hot = cooling::overheated(problem, style, tasks, &answer);
        Ok((answer, hot))
    };
    // What shares a collection may be too hot together: then one of them lies elsewhere. Nothing is cheaper than the
    // design that heat does not part, so that its bound stays.
    let mut bound = i128::MAX;
    let mut unparted: Option<(Vec<Candidates>, Vec<KnownTable>)> = None;
    let mut answer = loop {
        let unsolved = match solve(&tasks) {
            Ok((mut answer, hot)) => {
                bound = bound.min(answer.proof.lower_bound);
                answer.proof.lower_bound = bound;
                let Some(hot) = hot else { break answer };
                let apart = (0..hot.members.len()).filter_map(|member| {
                    let all = cooling::without(&all, &hot, member);
                    let tasks = tasks_for(problem, &month, style, &demands, &all, existing.as_ref());
                    let (answer, _) = solve(&tasks).ok()?;
                    Some((answer.cost.total(), all))
                });
                match apart.min_by_key(|(total, _)| *total) {
                    Some((_, apart)) => {
                        let before = std::mem::replace(&mut all, apart);
                        unparted.get_or_insert((before, answer.tables));
                        tasks = tasks_for(problem, &month, style, &demands, &all, existing.as_ref());
                        continue;
                    }
                    None => Unsolved::NoLayout { entity: hot.members[0].0 },
                }
            }
            Err(unsolved) => unsolved,
        };
        unserved::after_search(problem, &tasks, &unsolved, &mut findings);
        outcome.findings = findings;
        return Derived { outcome, stuck: unsolved.entities(), migrations: Vec::new() };
    };
    let mut not_covered: Vec<String> = Vec::new();
    let several = problem.reads.iter().any(|read| read.parts.len() > 1 && !read.scan);
    if base.is_some() && several {
        not_covered
            .push("reads of several entities in a table that is extended: its blocks are there".to_owned());
    }
    if base.is_some_and(|base| style != Style::Overloaded || base.tables.len() > 1) {
        not_covered
            .push(format!("what is extended in the style {style}: present keys have forms of their own"));
    }
    if problem.reads.iter().any(|read| read.wanted.is_some()) {
        not_covered.push(
            "reads of one kind from a list of several: what a filter drops is not priced again".to_owned(),
        );
    }
    let mut shown = None;
    if not_covered.is_empty() {
        // The bound is that of the design that heat does not part, so that its tables show it.
        let (before, known) = unparted.unzip();
        let known = known.map(|known| known.into_iter().zip(&answer.tables));
        let known =
            known.map(|known| known.map(|(it, now)| KnownTable { indexes: now.indexes, ..it }).collect());
        answer.tables = known.unwrap_or(answer.tables);
        let weighed =
            before.as_ref().map(|all| tasks_for(problem, &month, style, &demands, all, existing.as_ref()));
        if before.is_some() {
            not_covered.push(
                "collections that are too hot together: the bound is that of the design that heat does not part"
                    .to_owned(),
            );
        }
        match proof(&tasks, weighed.as_ref().unwrap_or(&tasks), &month, &answer, MANY_LAYOUTS) {
            Ok(proof) => {
                not_covered.extend(shows_less(&answer.tables, answer.proof.lower_bound));
                shown = Some(proof);
            }
            Err(reason) => not_covered.push(reason),
        }
    }
    let chosen = || answer.layouts.iter().zip(&all).map(|(layout, all)| &all.bases[layout.base]);
    // What keeps identities unique beside other keys is there from here on.
    if problem.entities.iter().zip(chosen()).any(|(entity, path)| needs_guard(entity, path)) {
        settle(&mut settled, chosen());
        tasks = tasks_for(&settled, &month, style, &demands, &all, existing.as_ref());
    }
    let problem = &settled;
    conflicts::report(problem, &mut findings);
    // A Scan costs what the table is large, whatever the keys are: it is priced, not weighed.
    let scans: Cost = problem
        .reads
        .iter()
        .filter(|read| read.scan)
        .map(|read| {
            let tables = tables(problem, style, existing.as_ref());
            let table = tables.iter().find(|table| table.contains(&read.parts[0].entity));
            let table = table.expect("every entity is in a table");
            scan_price(problem, &month, read, table, &answer.layouts).cost
        })
        .sum();
    // What is there already is run too, whatever is chosen beside it.
    let native = style == Style::MultiAttribute;
    let present = existing.as_ref().filter(|_| !native).map_or(0, |it| it.design.indexes.len());
    let scans = scans + Cost::operational(month.operational.index * present as i128);
    answer.cost += scans;
    answer.proof.lower_bound += scans.total();
    let bound = Money::from_pico(answer.proof.lower_bound);
    let total = Money::from_pico(answer.cost.total());
    outcome.proven = Some(Proven { lower_bound: bound, gap: total - bound });
    if let Some(proof) = &mut shown {
        proof.fixed = Money::from_pico(scans.total());
    }
    // How a document's words became numbers is shown, not proven.
    not_covered.push("how the document was read: the facts are taken as they stand".to_owned());
    let compares = options.compare && existing.is_none();
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
        proof: shown,
        others: Vec::new(),
    });
    outcome.frontier = answer
        .frontier
        .iter()
        .map(|(indexes, cost)| {
            let cost = *cost + scans;
            Frontier { indexes: *indexes, total: Total { bill: cost.bill, operational: cost.operational } }
        })
        .collect();
    let context = Context::new(model, problem, &tasks, &answer, style);
    let mut design = emit(&context, &mut findings);
    design.decisions = decisions(&context, &design);
    if let (Some(certificate), Some(whole)) = (&outcome.certificate, design.decisions.first_mut()) {
        whole.reason.push_str(&laws_in_words(certificate));
    }
    let mut migrations = Vec::new();
    if let Some(existing) = &existing {
        outcome.additions = extend::additions(&context, &month, existing, &design);
        design.decisions.extend(outcome.additions.iter().map(Addition::decision));
        migrations.extend(moved.iter().map(|entity| extend::migration(&context, &month, *entity)));
    }
    outcome.design = Some(design);
    outcome.findings = findings;
    Derived { outcome, stuck: Vec::new(), migrations }
}

/// What there is to decide for each entity.
fn tasks_for<'p>(
    problem: &'p Problem,
    month: &'p MonthlyPrice,
    style: Style,
    demands: &'p [Vec<Demand>],
    all: &'p [Candidates],
    existing: Option<&'p Existing<'p>>,
) -> Vec<EntityTask<'p>> {
    let each_entity = demands.iter().zip(all).enumerate().collect();
    threads::each(each_entity, WORTH_THREADS, |(entity, (demands, all))| {
        let forms = forms_of(problem, style, entity, existing);
        EntityTask::new(problem, month, style, forms, entity, demands, all).extending(existing)
    })
}

/// How an entity's keys become attributes.
fn forms_of(problem: &Problem, style: Style, entity: usize, existing: Option<&Existing<'_>>) -> Forms {
    match existing {
        Some(existing) => existing.forms(problem, style, entity),
        None => Forms::of(problem, style, entity),
    }
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

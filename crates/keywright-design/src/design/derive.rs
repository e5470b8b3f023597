//! One way to rewrite a document, derived: prepare, search, certify, write down.

use std::time::Instant;

use keywright_dynamodb::Money;
use keywright_finding::{Finding, Level};
use keywright_model::certificate::Proof;
use keywright_model::design::Total;
use keywright_model::{Certificate, Model, Style};

use super::cooling::{self, Cooled};
use super::shown::shown;
use super::weighing::Weighing;
use super::{
    FrontierPoint, Options, Outcome, Proven, Space, compared, conflicts, crowding, fixed, heat, unserved,
};
use crate::candidate::{Candidates, needs_guard, report_tenants, settle};
use crate::cost::{Cost, MonthlyPrice};
use crate::decide::{decisions, laws_in_words};
use crate::demand::{Demand, demands};
use crate::emit::{Context, emit};
use crate::existing::{self, Existing};
use crate::extend::{self, Addition, Migration};
use crate::problem::{Keeping, Problem, Resolved, keep_buckets, resolve};
use crate::rewriting::Rewriting;
use crate::search::{EntityTask, Stop, Wanted, plans};

/// What to derive.
#[derive(Clone, Copy)]
pub(super) struct Job<'j> {
    /// The document, rewritten.
    pub(super) model: &'j Model,
    pub(super) options: &'j Options,
    /// How it was rewritten.
    pub(super) rewriting: Rewriting<'j>,
    /// How the numbers are kept that writes may count.
    pub(super) keeping: &'j [Keeping],
    /// Entities whose present keys are taken as movable.
    pub(super) moved: &'j [usize],
    /// The time limit runs from here.
    pub(super) started: Instant,
}

impl Job<'_> {
    pub(super) fn resolve(&self) -> Resolved {
        resolve(self.model, self.keeping, self.rewriting)
    }

    pub(super) fn stop(&self) -> Stop {
        self.options.stop(self.started)
    }
}

/// A design, or what stands in its way.
pub(super) struct Derived {
    pub(super) outcome: Outcome,
    pub(super) stuck: Stuck,
    /// What moving the keys of some entities costs.
    pub(super) migrations: Vec<Migration>,
}

/// Whose present keys are in the way.
#[derive(Debug, Default)]
pub(super) struct Stuck {
    /// The entities that are not served.
    pub(super) entities: Vec<usize>,
    /// The entities of their table, where its key has no sort key: only all of them together can leave it.
    pub(super) table: Vec<usize>,
}

impl Stuck {
    fn new(entities: Vec<usize>, existing: Option<&Existing<'_>>) -> Self {
        let table = existing.map_or_else(Vec::new, |existing| existing.beside_in_unsorted(&entities));
        Stuck { entities, table }
    }
}

/// Derives the cheapest design of a document that is resolved.
pub(super) fn derive(job: Job<'_>, resolved: Resolved) -> Derived {
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
    let refused = |mut outcome: Outcome, findings: Vec<Finding>, stuck: Stuck| {
        outcome.findings = findings;
        Derived { outcome, stuck, migrations: Vec::new() }
    };
    let Some(mut ground) = Ground::prepare(job, resolved.problem, &mut findings) else {
        return refused(outcome, findings, Stuck::default());
    };
    let demands = demands(&ground.problem, ground.style, ground.existing.as_ref());
    if ground.existing.is_none() {
        report_tenants(&ground.problem, &demands, &mut findings);
    }
    let weighing = ground.weighing(&demands);
    let mut all = weighing.candidates();
    let mut found = search(job, &weighing, &all, &mut outcome, &mut findings);
    let fewer = match &found {
        Ok((searched, _)) => crowding::relieved(&weighing, &all, &searched.cooled.answer),
        Err(_) => None,
    };
    if let Some(fewer) = fewer {
        drop(found);
        all = fewer;
        found = search(job, &weighing, &all, &mut outcome, &mut findings);
    }
    let (searched, mut tasks) = match found {
        Ok(searched) => searched,
        Err(entities) => {
            let stuck = Stuck::new(entities, ground.existing.as_ref());
            return refused(outcome, findings, stuck);
        }
    };
    // What keeps identities unique beside other keys is there from here on.
    let chosen = || {
        let layouts = searched.cooled.answer.layouts.iter().zip(&all);
        layouts.map(|(layout, all)| &all.bases[layout.base])
    };
    if ground.problem.entities.iter().zip(chosen()).any(|(entity, path)| needs_guard(entity, path)) {
        settle(&mut ground.problem, chosen());
        tasks = ground.weighing(&demands).tasks_within(&all, &searched.cooled.budgets);
    }
    conflicts::report(&ground.problem, &mut findings);
    let weighing = ground.weighing(&demands);
    let cooled = certify(job, &weighing, searched, &mut outcome);
    let migrations = write_down(job, &ground, &weighing, &tasks, &cooled, &mut outcome, &mut findings);
    outcome.findings = findings;
    Derived { outcome, stuck: Stuck::default(), migrations }
}

/// What a derivation stands on.
struct Ground<'j> {
    problem: Problem,
    style: Style,
    month: MonthlyPrice,
    /// The table that is extended, and what of it stays.
    existing: Option<Existing<'j>>,
    /// A table that all of it leaves: nothing of it has to be kept.
    emptied: Option<Existing<'j>>,
}

impl<'j> Ground<'j> {
    /// Reads what is there already; none where that can't be, or the document itself is wrong.
    fn prepare(job: Job<'j>, mut problem: Problem, findings: &mut Vec<Finding>) -> Option<Self> {
        let base = job.options.base.as_ref();
        if let Some(name) = base.and_then(|base| base.type_attribute.clone()) {
            problem.type_attribute = name;
        }
        if let Some(base) = base {
            keep_buckets(&mut problem, base);
        }
        if has_errors(findings) {
            return None;
        }
        let existing = match base.map(|base| Existing::read(&problem, base)).transpose() {
            Ok(existing) => existing.map(|existing| existing.without(&problem, job.moved)),
            Err(unreadable) => {
                findings.push(unreadable.finding(&problem));
                return None;
            }
        };
        let (emptied, existing) = match existing {
            Some(existing) if existing.is_left() => (Some(existing), None),
            existing => (None, existing),
        };
        let options = job.options;
        let stated = options.style.or(job.model.style.as_ref().map(|style| style.value)).unwrap_or_default();
        Some(Ground {
            problem,
            // What exists has its style already.
            style: base.map_or(stated, existing::style),
            month: MonthlyPrice { table: options.prices.clone(), operational: options.operational.clone() },
            existing,
            emptied,
        })
    }

    fn weighing<'w>(&'w self, demands: &'w [Vec<Demand>]) -> Weighing<'w> {
        let (problem, month) = (&self.problem, &self.month);
        Weighing { problem, month, style: self.style, demands, existing: self.existing.as_ref() }
    }
}

fn has_errors(findings: &[Finding]) -> bool {
    findings.iter().any(|finding| finding.level == Level::Error)
}

/// What the search found, and what of it others can check.
struct Searched {
    cooled: Cooled,
    proof: Option<Proof>,
    not_covered: Vec<String>,
}

/// Finds the cheapest design, and gives what there was to decide; else the entities that are in the way.
fn search<'t>(
    job: Job<'_>,
    weighing: &Weighing<'t>,
    all: &'t [Candidates],
    outcome: &mut Outcome,
    findings: &mut Vec<Finding>,
) -> Result<(Searched, Vec<EntityTask<'t>>), Vec<usize>> {
    let tasks = weighing.tasks(all);
    outcome.space = space(&tasks);
    let unserved = unserved::before_search(&tasks, findings);
    if has_errors(findings) {
        return Err(unserved);
    }
    let shows = job.options.certificate_tables;
    let wanted = Wanted { whole_frontier: job.options.whole_frontier, tables: shows.most_entities(&tasks) };
    let cooled = cooling::cheapest(weighing, all, &tasks, job.stop(), wanted).map_err(|unsolved| {
        unserved::after_search(weighing.problem, &tasks, &unsolved, findings);
        unsolved.entities()
    })?;
    let within = (!cooled.budgets.is_empty()).then(|| weighing.tasks_within(all, &cooled.budgets));
    let left = within.as_deref().unwrap_or(&tasks);
    let (proof, mut not_covered) =
        shown(weighing, left, &tasks, &cooled.answer, cooled.unheated, shows.most_entries());
    not_covered.extend(crowding::in_words(weighing, all));
    Ok((Searched { cooled, proof, not_covered }, within.unwrap_or(tasks)))
}

/// Adds what is paid whatever is chosen, and says what is known about the optimum.
fn certify(job: Job<'_>, weighing: &Weighing<'_>, searched: Searched, outcome: &mut Outcome) -> Cooled {
    let Searched { mut cooled, mut proof, mut not_covered } = searched;
    let Job { model, options, keeping, rewriting, .. } = job;
    let answer = &mut cooled.answer;
    let fixed = fixed::price(weighing, answer);
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
    let compares = options.compare && options.base.is_none();
    let several = weighing.problem.reads.iter().any(|read| read.parts.len() > 1 && !read.scan);
    let (style, stop) = (weighing.style, job.stop());
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
    let point = |(indexes, cost): &(usize, Cost)| {
        let cost = *cost + fixed;
        FrontierPoint { indexes: *indexes, total: Total { bill: cost.bill, operational: cost.operational } }
    };
    outcome.frontier = answer.frontier.iter().map(point).collect();
    cooled
}

/// Writes the design down, with its decisions, its heat, and what extending a table takes; gives what moving keys takes.
fn write_down(
    job: Job<'_>,
    ground: &Ground<'_>,
    weighing: &Weighing<'_>,
    tasks: &[EntityTask<'_>],
    cooled: &Cooled,
    outcome: &mut Outcome,
    findings: &mut Vec<Finding>,
) -> Vec<Migration> {
    let Cooled { answer, collections, .. } = cooled;
    let month = &ground.month;
    let context = Context::new(job.model, weighing.problem, tasks, answer, collections, weighing.style);
    if !context.torn.is_empty() {
        findings.push(unserved::torn(weighing.problem, &context.torn));
        (outcome.proven, outcome.certificate) = (None, None);
        outcome.frontier.clear();
        return Vec::new();
    }
    let mut design = emit(&context, findings);
    let law = outcome.certificate.as_ref().and_then(|certificate| certificate.one_query);
    (design.decisions, outcome.turns) = decisions(&context, &design, law);
    if let (Some(certificate), Some(whole)) = (&outcome.certificate, design.decisions.first_mut()) {
        whole.reason.push_str(&laws_in_words(certificate));
    }
    outcome.heat = heat::hottest_first(weighing, &context, collections, &design);
    if let Some(existing) = &ground.existing {
        outcome.additions = extend::additions(&context, month, existing, &design);
        design.decisions.extend(outcome.additions.iter().map(Addition::decision));
    }
    let left = ground.existing.as_ref().or(ground.emptied.as_ref());
    let moved = |existing: &Existing<'_>| {
        let each = job.moved.iter();
        each.filter_map(|entity| extend::migration(&context, month, existing, *entity)).collect()
    };
    let migrations = left.map_or_else(Vec::new, moved);
    outcome.design = Some(design);
    migrations
}

/// Counts what the search weighs.
fn space(tasks: &[EntityTask<'_>]) -> Space {
    let mut space = Space { designs: 1, ..Space::default() };
    for task in tasks {
        space.candidates += task.candidates.bases.len() + task.candidates.indexes.len();
        space.plans += plans(task);
    }
    space
}

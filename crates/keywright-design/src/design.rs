//! The stage as a whole: resolve, search, emit.

mod unserved;

use std::time::{Duration, Instant};

use keywright_dynamodb::Money;
use keywright_dynamodb::price::PriceTable;
use keywright_finding::{Finding, Level};
use keywright_model::design::{Design, Total};
use keywright_model::model::Assumption;
use keywright_model::{Model, Style};

use crate::candidate::{Candidates, candidates};
use crate::cost::{Cost, MonthlyPrice, OperationalPrices, scan_price};
use crate::decide::decisions;
use crate::demand::demands;
use crate::emit::{Context, emit};
use crate::problem::resolve;
use crate::search::{EntityTask, Stop, solve};

/// How to design.
#[derive(Clone, Debug)]
pub struct Options {
    /// The style; the document's own, else the default, where none is given.
    pub style: Option<Style>,
    /// Stop after so long with the best design found and the gap that is left.
    pub time_limit: Option<Duration>,
    /// Also find the cheapest design for numbers of indexes that can't win: the whole frontier.
    pub every_count: bool,
    /// What AWS charges.
    pub prices: PriceTable,
    /// What operating a design is worth.
    pub operational: OperationalPrices,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            style: None,
            time_limit: None,
            every_count: false,
            prices: PriceTable::us_east_1(),
            operational: OperationalPrices::default(),
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
    /// The cheapest price for each number of indexes.
    pub frontier: Vec<Frontier>,
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
    let resolved = resolve(model);
    let problem = &resolved.problem;
    let mut findings = resolved.findings;
    let mut outcome = Outcome {
        design: None,
        findings: Vec::new(),
        assumptions: resolved.assumptions,
        proven: None,
        frontier: Vec::new(),
    };
    if findings.iter().any(|finding| finding.level == Level::Error) {
        outcome.findings = findings;
        return outcome;
    }
    let style = options.style.or(model.style.as_ref().map(|style| style.value)).unwrap_or_default();
    let month = MonthlyPrice { table: options.prices.clone(), operational: options.operational.clone() };
    let demands = demands(problem);
    let all: Vec<Candidates> =
        demands.iter().enumerate().map(|(entity, demands)| candidates(problem, entity, demands)).collect();
    let tasks: Vec<EntityTask<'_>> = demands
        .iter()
        .zip(&all)
        .enumerate()
        .map(|(entity, (demands, all))| EntityTask::new(problem, &month, style, entity, demands, all))
        .collect();
    unserved::before_search(&tasks, &mut findings);
    if findings.iter().any(|finding| finding.level == Level::Error) {
        outcome.findings = findings;
        return outcome;
    }
    let stop = Stop { at: options.time_limit.map(|limit| started + limit) };
    let mut answer = match solve(problem, &month, &tasks, stop, options.every_count) {
        Ok(answer) => answer,
        Err(unsolved) => {
            unserved::after_search(problem, &tasks, &unsolved, &mut findings);
            outcome.findings = findings;
            return outcome;
        }
    };
    // A Scan costs what the table is large, whatever the keys are: it is priced, not weighed.
    let scans: Cost = problem
        .reads
        .iter()
        .filter(|read| read.scan)
        .map(|read| scan_price(problem, &month, read, &answer.layouts).cost)
        .sum();
    answer.cost += scans;
    let bound = Money::from_pico(answer.proof.lower_bound + scans.total());
    let total = Money::from_pico(answer.cost.total());
    outcome.proven = Some(Proven { lower_bound: bound, gap: total - bound });
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
    outcome.design = Some(design);
    outcome.findings = findings;
    outcome
}

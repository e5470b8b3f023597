//! What is shown beside the choice: the price of the smallest bill, and what it costs that several entities are one Query.

use keywright_dynamodb::Money;
use keywright_model::design::Total;
use keywright_model::{Model, Style};

use super::weighing::Weighing;
use super::{Options, crowding, fixed};
use crate::cost::{Cost, MonthlyPrice, OperationalPrices};
use crate::demand::demands;
use crate::problem::{Keeping, Problem, ReadFacts, ReadPart, ResultShape, Sieve, resolve};
use crate::rewriting::Rewriting;
use crate::search::{Stop, Wanted, solve};

/// The price of the design that is chosen where operating costs nothing.
pub(super) fn pure_bill(
    model: &Model,
    options: &Options,
    keeping: &[Keeping],
    rewriting: Rewriting<'_>,
    style: Style,
    stop: Stop,
) -> Option<Total> {
    let problem = resolve(model, keeping, rewriting).problem;
    let month = MonthlyPrice { table: options.prices.clone(), operational: OperationalPrices::zero() };
    let cost = least_price(&problem, &month, style, stop)?;
    Some(Total { bill: cost.bill, operational: cost.operational })
}

/// What a month would cost if every read of several entities were a Query for each of them.
pub(super) fn apart(
    model: &Model,
    options: &Options,
    keeping: &[Keeping],
    rewriting: Rewriting<'_>,
    style: Style,
    stop: Stop,
) -> Option<Money> {
    let mut problem = resolve(model, keeping, rewriting).problem;
    let month = MonthlyPrice { table: options.prices.clone(), operational: options.operational.clone() };
    let reads = std::mem::take(&mut problem.reads);
    let mut several = 0;
    for read in reads {
        if read.parts.len() < 2 || read.scan {
            problem.reads.push(read);
            continue;
        }
        several += 1;
        // What is dropped is not asked for.
        let wanted = |part: &ReadPart| read.wanted.is_none_or(|wanted| part.entity == wanted);
        let mut parts: Vec<ReadPart> = read.parts.into_iter().filter(wanted).collect();
        if read.wanted.is_some() {
            parts = parts.into_iter().map(|part| read.sieve.clone().unsifted(part)).collect();
        }
        for (at, part) in parts.into_iter().enumerate() {
            let head = read.has_head && at == 0;
            problem.reads.push(ReadFacts {
                parts: vec![part],
                has_head: false,
                interleaved: Vec::new(),
                wanted: None,
                sieve: Sieve::default(),
                result: if head { ResultShape::Single } else { read.result },
                behind: None,
                id: read.id.clone(),
                ..read
            });
        }
    }
    // A pattern of several requests is not one Query in key order.
    let awkward = month.operational.awkward_pattern * several;
    Some(Money::from_pico(least_price(&problem, &month, style, stop)?.total()) + awkward)
}

fn least_price(problem: &Problem, month: &MonthlyPrice, style: Style, stop: Stop) -> Option<Cost> {
    let demands = demands(problem, style, None);
    let weighing = Weighing { problem, month, style, demands: &demands, existing: None };
    let mut all = weighing.candidates();
    let mut answer = solve(problem, month, &weighing.tasks(&all), stop, Wanted::default()).ok()?;
    if let Some(fewer) = crowding::relieved(&weighing, &all, &answer) {
        all = fewer;
        answer = solve(problem, month, &weighing.tasks(&all), stop, Wanted::default()).ok()?;
    }
    Some(answer.cost + fixed::price(&weighing, &answer))
}

//! The search against an integer program, on problems that are too large to enumerate.
//!
//! Every entity picks one of its configurations: a base placement, the open indexes, and where each part of a shared
//! read lies, at its exact price. A shared read picks a pair of places that its entities picked, and an index of each
//! kind is paid for once, however many entities use it. A general solver, which knows no bound of ours, decides.

use std::collections::BTreeMap;

use keywright_model::Style;
use microlp::{ComparisonOp, LinearExpr, OptimizationDirection, Variable};

use crate::candidate::Candidates;
use crate::cost::{MonthlyPrice, OperationalPrices, multi_price};
use crate::demand::{Source, demands};
use crate::exhaustive::random;
use crate::problem::Problem;
use crate::search::{Choice, Counts, EntityTask, Layout, SharedPlace, Stop, choices, evaluate, solve};

/// No configuration opens more indexes than this; an entity that could use more is left to other seeds.
const MOST_OPEN: usize = 3;
/// Entities with more configurations than this are left to other seeds.
const MOST_CONFIGURATIONS: usize = 1_500;

/// What the rest of the program sees of a configuration.
type Interface = (Vec<SharedPlace>, Counts);

/// Every configuration of an entity that matters to others, at its least price.
fn configurations(task: &EntityTask<'_>) -> Option<BTreeMap<Interface, i128>> {
    let mut best: BTreeMap<Interface, i128> = BTreeMap::new();
    for base in 0..task.candidates.bases.len() {
        let ways: Vec<Vec<Choice>> = (0..task.demands.len()).map(|at| choices(task, base, at)).collect();
        let many = ways.iter().try_fold(1usize, |all, ways| all.checked_mul(ways.len()))?;
        if many > MOST_CONFIGURATIONS {
            return None;
        }
        for number in 0..many {
            let mut rest = number;
            let chosen: Vec<Choice> = ways
                .iter()
                .map(|ways| {
                    let choice = ways[rest % ways.len()].clone();
                    rest /= ways.len();
                    choice
                })
                .collect();
            if let Some(layout) = evaluate(task, base, &chosen) {
                let price = layout.cost.total();
                let least = best.entry((layout.shared, layout.counts)).or_insert(price);
                *least = price.min(*least);
            }
        }
    }
    let few = best.keys().all(|(_, counts)| counts.iter().sum::<usize>() <= MOST_OPEN);
    few.then_some(best)
}

fn dollars(pico: i128) -> f64 {
    pico as f64 / 1e12
}

/// The least price according to the integer program; none where there is none.
fn programmed(
    problem: &Problem,
    month: &MonthlyPrice,
    tasks: &[EntityTask<'_>],
    all: &[Vec<(Interface, i128)>],
) -> Option<f64> {
    let mut program = microlp::Problem::new(OptimizationDirection::Minimize);
    let picks: Vec<Vec<Variable>> = all
        .iter()
        .map(|options| options.iter().map(|(_, price)| program.add_binary_var(dollars(*price))).collect())
        .collect();
    let each = dollars(month.operational.index.pico());
    let counts: [Variable; 3] = std::array::from_fn(|_| program.add_integer_var(each, (0, 20)));
    for (options, picks) in all.iter().zip(&picks) {
        let mut one = LinearExpr::empty();
        picks.iter().for_each(|pick| one.add(*pick, 1.0));
        program.add_constraint(one, ComparisonOp::Eq, 1.0);
        for (kind, count) in counts.iter().enumerate() {
            let mut used = LinearExpr::empty();
            used.add(*count, -1.0);
            for (((_, open), _), pick) in options.iter().zip(picks) {
                if open[kind] > 0 {
                    used.add(*pick, open[kind] as f64);
                }
            }
            program.add_constraint(used, ComparisonOp::Le, 0.0);
        }
    }
    for (read, facts) in problem.reads.iter().enumerate().filter(|(_, facts)| facts.parts.len() > 1) {
        // The places that each part can have, with the configurations that put it there.
        let places: Vec<BTreeMap<SharedPlace, Vec<Variable>>> = facts
            .parts
            .iter()
            .enumerate()
            .map(|(part, asked)| {
                let mut shared = tasks[asked.entity].demands.iter().filter(|demand| demand.is_shared());
                let at = shared.position(|it| it.source == Source::Shared { read, part });
                let at = at.expect("a demand of its own");
                let mut places: BTreeMap<SharedPlace, Vec<Variable>> = BTreeMap::new();
                for (((shared, _), _), pick) in all[asked.entity].iter().zip(&picks[asked.entity]) {
                    places.entry(shared[at]).or_default().push(*pick);
                }
                places
            })
            .collect();
        let [heads, children] = places.as_slice() else { panic!("random reads have two parts") };
        let mut pairs: BTreeMap<(SharedPlace, SharedPlace), Variable> = BTreeMap::new();
        for head in heads.keys() {
            for child in children.keys().filter(|child| child.kind == head.kind) {
                let mut cost =
                    multi_price(month, facts, &problem.entities, &[head.bytes, child.bytes]).cost.total();
                if head.client_sort || child.client_sort {
                    cost += month.operational.awkward_pattern.pico();
                }
                pairs.insert((*head, *child), program.add_binary_var(dollars(cost)));
            }
        }
        // A pair is there exactly when both its places are picked.
        for (first, places) in [(true, heads), (false, children)] {
            for (place, picks) in places {
                let mut same = LinearExpr::empty();
                picks.iter().for_each(|pick| same.add(*pick, 1.0));
                for ((head, child), pair) in &pairs {
                    if (if first { head } else { child }) == place {
                        same.add(*pair, -1.0);
                    }
                }
                program.add_constraint(same, ComparisonOp::Eq, 0.0);
            }
        }
    }
    let solution = program.solve().ok()?.into_solution().ok()?;
    Some(solution.objective())
}

/// The most indexes of each kind that an entity has: where GSIs need more than that, the program has too few.
fn is_counted_by_entities(layouts: &[Layout], counts: Counts) -> bool {
    (0..3).all(|kind| layouts.iter().map(|it| it.counts[kind]).max().unwrap_or(0) == counts[kind])
}

#[test]
fn an_integer_program_finds_the_same_price_on_larger_models() {
    let month = MonthlyPrice {
        table: keywright_dynamodb::price::PriceTable::us_east_1(),
        operational: OperationalPrices::default(),
    };
    let (mut compared, mut with_indexes, mut with_shared) = (0, 0, 0);
    for seed in 0.. {
        if compared == 5 {
            break;
        }
        let problem = random::larger(seed);
        let demands = demands(&problem);
        let candidates: Vec<Candidates> = demands
            .iter()
            .enumerate()
            .map(|(entity, demands)| crate::candidate::candidates(&problem, entity, demands))
            .collect();
        let tasks: Vec<EntityTask<'_>> = demands
            .iter()
            .zip(&candidates)
            .enumerate()
            .map(|(entity, (demands, candidates))| {
                EntityTask::new(&problem, &month, Style::Overloaded, entity, demands, candidates)
            })
            .collect();
        let all: Option<Vec<Vec<(Interface, i128)>>> =
            tasks.iter().map(|task| Some(configurations(task)?.into_iter().collect())).collect();
        let Some(all) = all else { continue };
        let Ok(answer) = solve(&problem, &month, &tasks, Stop::default(), crate::search::Wanted::default())
        else {
            continue;
        };
        if !is_counted_by_entities(&answer.layouts, answer.counts) {
            continue;
        }
        let programmed = programmed(&problem, &month, &tasks, &all).expect("the search found a design");
        let found = dollars(answer.cost.total());
        // The program computes in floating point: a thousandth of a cent is beyond what that can tell.
        assert!((programmed - found).abs() < 1e-5, "seed {seed}: {programmed} by the program, {found} found");
        compared += 1;
        with_indexes += usize::from(answer.counts != Counts::default());
        with_shared += usize::from(!answer.shared.is_empty());
    }
    assert!(
        with_indexes > 2 && with_shared > 2,
        "{with_indexes} with indexes, {with_shared} with shared reads"
    );
}

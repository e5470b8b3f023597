//! Numbers that writes may keep: every way to know each of them is designed, and the cheapest design wins.
//!
//! A counter changes what writes touch and what reads ask for, so each way is a problem of its own. The ways are few;
//! where a document asks for very many numbers, they are settled one after the other, and the bound says so.

use keywright_model::Model;
use keywright_model::design::{Alternative, Subject};

use super::tried::{self, Trials};
use super::{Options, Outcome};
use crate::problem::{Countable, Keeping};
use crate::search::Stop;

/// So many designs at most are made to weigh all ways together.
const MOST_TOGETHER: usize = 81;

/// A design with its way to know each number.
type Tried = super::tried::Tried<Vec<Keeping>>;

/// The cheapest of the designs over all ways to keep the numbers; `first` is the one with the plainest ways.
pub(super) fn cheapest(
    model: &Model,
    options: &Options,
    stop: Stop,
    first: Outcome,
    countable: &[Countable],
    design: &dyn Fn(&[Keeping]) -> Outcome,
) -> Outcome {
    let plainest: Vec<Keeping> = countable.iter().map(|it| it.options[0]).collect();
    if countable.iter().all(|it| it.options.len() < 2) {
        return first;
    }
    // Between equals the plainer ways, which come first.
    let least = |all: &[Tried]| tried::least(all, Clone::clone);
    let mut trials = Trials::new(Tried::new(plainest.clone(), first), stop, least);
    let ways: usize = countable.iter().fold(1, |all, it| usize::saturating_mul(all, it.options.len()));
    let together = ways <= MOST_TOGETHER;
    if together {
        for keeping in combinations(countable).into_iter().filter(|it| *it != plainest) {
            trials.add(keeping, |keeping| design(keeping));
        }
    } else {
        for (at, it) in countable.iter().enumerate() {
            let best = trials.best().way.clone();
            for option in &it.options[1..] {
                let mut keeping = best.clone();
                keeping[at] = *option;
                trials.add(keeping, |keeping| design(keeping));
            }
        }
    }
    let (mut chosen, mut lost, complete) = trials.end();
    let others = "alternative ways to keep counters";
    chosen.weigh_against(options, &mut lost, together && complete, others);
    explain(model, countable, &mut chosen, &lost);
    chosen.outcome
}

fn combinations(countable: &[Countable]) -> Vec<Vec<Keeping>> {
    countable.iter().fold(vec![Vec::new()], |all, it| {
        all.iter()
            .flat_map(|so_far| {
                it.options.iter().map(move |option| {
                    let mut next = so_far.clone();
                    next.push(*option);
                    next
                })
            })
            .collect()
    })
}

/// Names, in the decision on each read of a number, the ways that lost and by how much.
fn explain(model: &Model, countable: &[Countable], chosen: &mut Tried, lost: &[Tried]) {
    let Some(total) = chosen.total else { return };
    let Some(design) = &mut chosen.outcome.design else { return };
    for (at, it) in countable.iter().enumerate() {
        let mut alternatives = Vec::new();
        for option in it.options.iter().filter(|option| **option != chosen.way[at]) {
            let others = lost.iter().filter(|other| other.way[at] == *option);
            let Some(least) = others.filter_map(|other| other.total).min() else { continue };
            alternatives.push(Alternative {
                choice: words(*option).to_owned(),
                extra: Some(least - total),
                reason: format!(
                    "the whole design would cost {} a month, operational prices included",
                    least.in_cents()
                ),
            });
        }
        for read in &it.reads {
            let subject = Subject::Pattern(model.patterns[*read].id.clone());
            if let Some(decision) = design.decisions.iter_mut().find(|decision| decision.subject == subject) {
                decision.chosen = format!("{}: {}", words(chosen.way[at]), decision.chosen);
                decision.alternatives.extend(alternatives.iter().cloned());
            }
        }
    }
}

fn words(keeping: Keeping) -> &'static str {
    match keeping {
        Keeping::Reading => "counted by reading all matching items",
        Keeping::Attribute => "a counter attribute in the parent's item, updated by the writes",
        Keeping::Item => "a counter item, updated by the writes",
    }
}

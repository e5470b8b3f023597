//! Copies, where nothing can be designed without: as few as it takes, and of those the cheapest.

use keywright_model::design::{Alternative, Subject};

use super::{Options, Outcome};
use crate::copy::Copied;
use crate::search::Stop;

/// More copies than this are not tried.
const MOST_COPIES: usize = 3;

/// A design with the copies that it has.
type Tried = super::tried::Tried<Vec<Copied>>;

/// The cheapest of the designs with the fewest copies that serve all patterns, if any do.
pub(super) fn cheapest(
    options: &Options,
    stop: Stop,
    copyable: &[Copied],
    design: &dyn Fn(&[Copied]) -> Outcome,
) -> Option<Outcome> {
    for size in 1..=MOST_COPIES.min(copyable.len()) {
        let mut tried: Vec<Tried> = Vec::new();
        choose(copyable, size, &mut Vec::new(), &mut |copies| {
            if stop.now() {
                return;
            }
            let outcome = design(copies);
            if outcome.design.is_some() {
                tried.push(Tried::new(copies.to_vec(), outcome));
            }
        });
        let Some(least) = (0..tried.len()).min_by_key(|at| tried[*at].total) else { continue };
        let mut chosen = tried.swap_remove(least);
        let others = "alternative ways to copy items for strong reads";
        chosen.weigh_against(options, &mut tried, !stop.now(), others);
        explain(&mut chosen, &tried);
        return Some(chosen.outcome);
    }
    None
}

/// Every choice of so many, of which no two are for the same read.
fn choose(from: &[Copied], size: usize, chosen: &mut Vec<Copied>, visit: &mut dyn FnMut(&[Copied])) {
    if size == 0 {
        return visit(chosen);
    }
    for at in 0..from.len() {
        if chosen.iter().any(|it| it.overlaps(&from[at])) {
            continue;
        }
        chosen.push(from[at].clone());
        choose(&from[at + 1..], size - 1, chosen, visit);
        chosen.pop();
    }
}

/// Says of every copy why it is there, and what the others would cost.
fn explain(chosen: &mut Tried, lost: &[Tried]) {
    let (Some(total), Some(design)) = (chosen.total, &mut chosen.outcome.design) else { return };
    for copy in &chosen.way {
        let subject = Subject::Item(copy.name.clone());
        let Some(decision) = design.decisions.iter_mut().find(|it| it.subject == subject) else { continue };
        let reads = match copy.patterns.as_slice() {
            [one] => format!("{one} is a strong read"),
            all => format!("{} are strong reads", all.join(" and ")),
        };
        decision.reason = format!(
            "{reads} of {} under another key, and an index can't be read strongly; {}",
            copy.entity, decision.reason
        );
        for other in lost {
            let names: Vec<&str> = other.way.iter().map(|it| it.name.as_str()).collect();
            decision.alternatives.push(Alternative {
                choice: format!("{} instead", names.join(" and ")),
                extra: other.total.map(|other| other - total),
                reason: "serves the same strong read from other items".to_owned(),
            });
        }
    }
}

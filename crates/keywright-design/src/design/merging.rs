//! Entities that are one to one: each pair as one item or as two is designed, and the cheapest design wins.

use keywright_model::design::{Alternative, Subject};

use super::{Options, Outcome};
use crate::merge::Merge;

/// So many pairs at most are weighed in every combination; of more, each is weighed after the other.
const MOST_TOGETHER: usize = 4;

/// A design with the merges that it has.
type Tried = super::tried::Tried<Vec<Merge>>;

/// The cheapest of the designs over all ways to merge; `apart` is the one without any.
pub(super) fn cheapest(
    options: &Options,
    apart: Outcome,
    mergeable: &[Merge],
    design: &dyn Fn(&[Merge]) -> Outcome,
) -> Outcome {
    if mergeable.is_empty() {
        return apart;
    }
    let mut tried = vec![Tried::new(Vec::new(), apart)];
    let together = mergeable.len() <= MOST_TOGETHER;
    if together {
        for some in 1u32..1 << mergeable.len() {
            let chosen = mergeable.iter().enumerate().filter(|(at, _)| some >> at & 1 == 1);
            let merges: Vec<Merge> = chosen.map(|(_, merge)| merge.clone()).collect();
            let outcome = design(&merges);
            tried.push(Tried::new(merges, outcome));
        }
    } else {
        for merge in mergeable {
            let mut merges = tried[least(&tried)].way.clone();
            merges.push(merge.clone());
            let outcome = design(&merges);
            tried.push(Tried::new(merges, outcome));
        }
    }
    let mut chosen = tried.swap_remove(least(&tried));
    let complete = options.time_limit.is_none() || tried.iter().all(|it| it.outcome.proven.is_some());
    chosen.weigh_against(&mut tried, together && complete, "alternative ways to merge 1:1 entities");
    for merge in mergeable {
        explain(merge, &mut chosen, &tried);
    }
    chosen.outcome
}

/// The cheapest; between equals the one with fewer item types, which has more merges.
fn least(tried: &[Tried]) -> usize {
    let price = |it: &Tried| (it.total.is_none(), it.total, usize::MAX - it.way.len());
    (0..tried.len()).min_by_key(|at| price(&tried[*at])).unwrap_or(0)
}

/// Says of the parent's item whether the child lies in it, and what the other way would cost.
fn explain(merge: &Merge, chosen: &mut Tried, lost: &[Tried]) {
    let is_one = chosen.way.contains(merge);
    let others = lost.iter().filter(|other| other.way.contains(merge) != is_one);
    let Some(least) = others.filter_map(|other| other.total).min() else { return };
    let (Some(total), Some(design)) = (chosen.total, &mut chosen.outcome.design) else { return };
    let subject = Subject::Item(merge.parent.clone());
    let Some(decision) = design.decisions.iter_mut().find(|it| it.subject == subject) else { return };
    let Merge { parent, child, .. } = merge;
    if is_one {
        decision.chosen = format!("{}, with {child} in the same item", decision.chosen);
    }
    let choice = match is_one {
        true => format!("{parent} and {child} as two items"),
        false => format!("{parent} and {child} as one item"),
    };
    decision.alternatives.push(Alternative {
        choice,
        extra: Some(least - total),
        reason: format!("the whole design would cost {} a month", least.in_cents()),
    });
}

//! Entities that are one to one: each pair as one item or as two is designed, and the cheapest design wins.

use keywright_model::design::{Alternative, Subject};

use super::tried::{Sets, Tried};
use super::{Options, Outcome};
use crate::merge::Merge;
use crate::search::Stop;

/// Between equals the design with fewer item types wins, which has more merges.
const MERGES: Sets =
    Sets { together: 4, larger_wins: true, others: "alternative ways to merge 1:1 entities" };

/// The cheapest of the designs over all ways to merge; `apart` is the one without any.
pub(super) fn cheapest(
    options: &Options,
    stop: Stop,
    apart: Outcome,
    mergeable: &[Merge],
    design: &dyn Fn(&[Merge]) -> Outcome,
) -> Outcome {
    if mergeable.is_empty() {
        return apart;
    }
    let (mut chosen, lost) = MERGES.cheapest(options, stop, apart, mergeable, design);
    for merge in mergeable {
        explain(merge, &mut chosen, &lost);
    }
    chosen.outcome
}

/// Says of the parent's item whether the child lies in it, and what the other way would cost.
fn explain(merge: &Merge, chosen: &mut Tried<Vec<Merge>>, lost: &[Tried<Vec<Merge>>]) {
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
        reason: format!(
            "the whole design would cost {} a month, operational prices included",
            least.in_cents()
        ),
    });
}

//! The ways in which one entity's layout may serve one demand.

use std::sync::Arc;

use super::task::EntityTask;
use crate::candidate::Candidates;
use crate::demand::{Demand, Source};
use crate::form::Form;
use crate::path::{Path, Projection};
use crate::plan::{Fit, by_unique, fit};
use crate::problem::{EntityFacts, ResultShape};

/// A way to serve a demand. How it fits is shared: a search holds the ways of every base placement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Choice {
    /// The inputs give the key: there is nothing to find.
    NotNeeded,
    /// From the table.
    Base(Arc<Fit>),
    /// From a uniqueness item, then the item.
    Unique(usize),
    /// From the index candidate.
    Index(usize, Arc<Fit>),
}

/// The index that a choice needs open.
pub(super) fn opened(choice: &Choice) -> Option<usize> {
    match choice {
        Choice::Index(index, _) => Some(*index),
        Choice::NotNeeded | Choice::Base(_) | Choice::Unique(_) => None,
    }
}

/// Every way to serve the demand at a position, given the base placement; the search weighs them all.
pub(crate) fn choices(task: &EntityTask<'_>, base: usize, at: usize) -> Vec<Choice> {
    let mut choices = task.without_index(base, at).to_vec();
    let on_indexes = task.on_indexes(base, at).iter();
    choices.extend(on_indexes.map(|(index, fit)| Choice::Index(*index, Arc::clone(fit))));
    choices
}

/// What a write that touches one item gives of its key.
#[derive(PartialEq, Eq)]
enum Located {
    /// It could mean any of several items, so it means none.
    Never,
    /// It gives the whole key.
    Known,
    /// It, like any read, has to find the item.
    Sought,
}

fn located(task: &EntityTask<'_>, base: usize, demand: &Demand) -> Located {
    if !demand.is_locating() || demand.result != ResultShape::Single {
        return Located::Sought;
    }
    let given = demand.given();
    if !task.facts().at_most_one(given) {
        Located::Never
    } else if task.candidates.bases[base].attrs().is_subset(given) {
        Located::Known
    } else {
        Located::Sought
    }
}

/// Whether the demand at a position may use indexes at all under this base placement.
pub(super) fn may_use_indexes(task: &EntityTask<'_>, base: usize, at: usize) -> bool {
    located(task, base, &task.demands[at]) == Located::Sought
}

/// The ways to serve the demand at a position without an index, as they are reckoned once for every task.
pub(super) fn beside_indexes(task: &EntityTask<'_>, base: usize, at: usize) -> Vec<Choice> {
    let entity = task.facts();
    let demand = &task.demands[at];
    let path = &task.candidates.bases[base];
    match located(task, base, demand) {
        Located::Never => return Vec::new(),
        Located::Known => return vec![Choice::NotNeeded],
        Located::Sought => {}
    }
    let mut choices = Vec::new();
    if let Some(fit) = fit(entity, demand, path)
        && may_serve(entity, demand, path, &fit, None)
        && task.forms.base.takes(entity, &demand.part, path, &fit)
    {
        choices.push(Choice::Base(Arc::new(fit)));
    }
    if demand.result == ResultShape::Single && !demand.is_shared() {
        let own = task.forms.base.own(entity, path);
        for (unique, set) in entity.unique.iter().enumerate() {
            let fit = by_unique(entity, &demand.part, path, *set);
            // No filter looks at a key attribute.
            if fit.is_some_and(|fit| fit.compared.intersection(own).is_empty()) {
                choices.push(Choice::Unique(unique));
            }
        }
    }
    choices
}

/// How many plans there are: those on indexes are the same under every base placement and count once.
pub(crate) fn plans(task: &EntityTask<'_>) -> usize {
    let on_indexes: usize = task.index_fits.iter().map(Vec::len).sum();
    let beside = |base: usize, at: usize| task.without_index(base, at).len();
    let bases = 0..task.candidates.bases.len();
    on_indexes
        + bases.map(|base| (0..task.demands.len()).map(|at| beside(base, at)).sum::<usize>()).sum::<usize>()
}

/// The index candidates that may serve a demand, with how.
pub(super) fn index_fits(
    entity: &EntityFacts,
    candidates: &Candidates,
    form: Form,
    demand: &Demand,
) -> Vec<(usize, Arc<Fit>)> {
    // Without literals nothing keeps the kinds of items in a native index apart.
    if demand.strong || demand.is_shared() && form == Form::Native {
        return Vec::new();
    }
    candidates
        .indexes
        .iter()
        .enumerate()
        .filter_map(|(at, index)| Some((at, Arc::new(fit(entity, demand, &index.path)?))))
        .filter(|(at, fit)| {
            let index = &candidates.indexes[*at];
            // A list of everything is for reads of one entity, unless it is there.
            let whole = index.projection == Projection::Include(entity.everything());
            (!demand.is_shared() || !whole || *at < candidates.kept)
                && may_serve(entity, demand, &index.path, fit, Some(index.projection))
                && form.takes(entity, &demand.part, &index.path, fit)
        })
        .collect()
}

/// Whether a path that fits may be used: waste on bounded collections only, shared reads on their own partition.
fn may_serve(
    entity: &EntityFacts,
    demand: &Demand,
    path: &Path,
    fit: &Fit,
    projection: Option<Projection>,
) -> bool {
    if fit.list && !(projection.is_none() && fit.whole_key) {
        return false;
    }
    let held = |attrs| projection.is_none_or(|projection| projection.holds(attrs));
    if !fit.is_bounded(entity, &demand.part, path) {
        return false;
    }
    if !held(fit.looked_at(&demand.part)) {
        return false;
    }
    // What several Queries return is merged by the attributes of the order, which have to be there.
    if !fit.scatter.is_empty() && !held(demand.part.order.iter().map(|(attr, _)| *attr).collect()) {
        return false;
    }
    // A locating read returns keys, which every projection has.
    match demand.source {
        Source::Shared { .. } => {
            path.only.is_none()
                && path.partition_set() == demand.part.eq()
                && fit.scatter.is_empty()
                && !fit.range
                && fit.within.is_none()
                && fit.filter.is_empty()
                && fit.filter_within.is_empty()
                && !fit.filter_range
                && demand.part.more_ranges.is_empty()
                && held(fit.wanted(&demand.part))
        }
        _ => true,
    }
}

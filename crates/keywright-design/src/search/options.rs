//! The ways in which one entity's layout may serve one demand.

use keywright_dynamodb::limits::MB;

use super::layout::EntityTask;
use crate::demand::{Demand, Source};
use crate::form::Form;
use crate::path::{Path, Projection};
use crate::plan::{Fit, fit};
use crate::problem::{EntityFacts, ResultShape};

/// A way to serve a demand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Choice {
    /// The inputs give the key: there is nothing to find.
    NotNeeded,
    /// From the table.
    Base(Fit),
    /// From a uniqueness item, then the item.
    Unique(usize),
    /// From the index candidate.
    Index(usize, Fit),
}

/// Every way to serve the demand, given the base placement; the search weighs them all.
pub(crate) fn choices(task: &EntityTask<'_>, base: usize, demand: &Demand) -> Vec<Choice> {
    let entity = task.facts();
    let path = &task.candidates.bases[base];
    let given = demand.given();
    let mut choices = Vec::new();
    // A write that could mean any of several items means none.
    if demand.is_locating() && demand.result == ResultShape::Single && !entity.at_most_one(given) {
        return choices;
    }
    if demand.is_locating() && demand.result == ResultShape::Single && path.attrs().is_subset(given) {
        return vec![Choice::NotNeeded];
    }
    if let Some(fit) = fit(entity, demand, path)
        && may_serve(entity, demand, path, &fit, None)
        && task.forms.base.takes(entity, &demand.part, path, &fit)
    {
        choices.push(Choice::Base(fit));
    }
    if demand.result == ResultShape::Single && !demand.is_shared() {
        for (at, set) in entity.unique.iter().enumerate() {
            let known = entity.identity_set().union(given);
            if set.is_subset(given) && path.attrs().is_subset(known) {
                choices.push(Choice::Unique(at));
            }
        }
    }
    if !demand.strong {
        for (at, index) in task.candidates.indexes.iter().enumerate() {
            if let Some(fit) = fit(entity, demand, &index.path)
                && may_serve(entity, demand, &index.path, &fit, Some(index.projection))
                && task.forms.index.takes(entity, &demand.part, &index.path, &fit)
                // Without literals nothing keeps the kinds of items in a native index apart.
                && !(demand.is_shared() && task.forms.index == Form::Native)
            {
                choices.push(Choice::Index(at, fit));
            }
        }
    }
    choices
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
    if fit.wastes(&demand.part) && entity.most_matches(fit.fixed(path)).is_none() {
        return false;
    }
    if !held(fit.filtered(&demand.part)) {
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
                && fit.filter.is_empty()
                && !fit.filter_range
                && demand.part.more_ranges.is_empty()
                && held(demand.part.returns)
        }
        _ => true,
    }
}

/// Whether a collection that is filtered or sorted after reading is small enough at this size.
pub(crate) fn is_bounded(entity: &EntityFacts, demand: &Demand, path: &Path, fit: &Fit, bytes: u64) -> bool {
    if !fit.wastes(&demand.part) {
        return true;
    }
    entity.most_matches(fit.fixed(path)).is_some_and(|most| most.saturating_mul(bytes) <= MB)
}

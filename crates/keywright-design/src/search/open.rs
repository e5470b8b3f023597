//! Which indexes to open: branch and bound over their sets, below one base placement after the other.
//!
//! Parts of shared reads are placed first, in every way. Below a placement every set of indexes is a node: opened ones
//! serve for nothing more than the read, ruled out ones not at all, and dual ascent bounds what the undecided ones can
//! still save. Prices in a bound are those at the smallest sizes; a set is weighed at its exact ones.

mod ban;
mod base_search;
mod heat;
mod needed;
mod prepared;
mod tariff;

pub(crate) use ban::Ban;
pub(super) use heat::{may_be_hot, may_heat_base};
pub(crate) use needed::least_indexes;
#[cfg(test)]
pub(crate) use prepared::EXAGGERATION;

use std::sync::Arc;

use super::dual::Ascent;
use super::front::Front;
use super::growth::Growth;
use super::keeping::entries;
use super::layout::Layout;
use super::limits::Limits;
use super::task::{EntityTask, Stop};
use base_search::BaseSearch;
use prepared::{Prepared, on_indexes};

/// What a search found.
pub(super) struct Found {
    /// The layouts that no other beats.
    pub(super) layouts: Vec<Arc<Layout>>,
    /// The search ran to its end.
    pub(super) complete: bool,
    /// No layout is cheaper, whether it was found or not.
    pub(super) bound: i128,
}

/// What the search of an entity starts from.
pub(super) struct Start {
    /// The base placements, without those that leave a demand without any way.
    bases: Vec<Prepared>,
    /// What the entity's size can cost shared reads.
    growth: Vec<Growth>,
}

/// Prepares the search of an entity.
pub(super) fn prepare(tasks: &[EntityTask<'_>], entity: usize) -> Start {
    let task = &tasks[entity];
    let (on_indexes, entries) = (on_indexes(task), entries(task));
    let bases = (0..task.candidates.bases.len())
        .filter_map(|base| Prepared::new(task, base, &on_indexes, &entries))
        .collect();
    Start { bases, growth: Growth::of(tasks, entity) }
}

/// The layouts with at most so many indexes of each kind, and without what is banned, that no other beats. Those that
/// are `known` from searches with other limits count where they keep to these.
pub(super) fn layouts<'l>(
    task: &EntityTask<'_>,
    start: &Start,
    limits: Limits,
    bans: &[Ban],
    known: impl Iterator<Item = &'l Arc<Layout>>,
    stop: Stop,
) -> Found {
    let mut front = Front::new(task.month, &start.growth);
    for layout in known.filter(|it| limits.allow(it.counts) && !bans.iter().any(|ban| ban.hits(task, it))) {
        front.add(Arc::clone(layout));
    }
    // The most promising placement comes first: what it finds rules out most of the others.
    let mut order: Vec<(i128, &Prepared)> = Vec::with_capacity(start.bases.len());
    let mut ascent = Ascent::default();
    for from in &start.bases {
        let mut search = BaseSearch::new(task, from, limits, bans, &mut front, &mut ascent, stop);
        if limits.allow(search.counts())
            && let Some(bound) = search.root_bound()
        {
            order.push((bound, from));
        }
    }
    order.sort_by_key(|(bound, from)| (*bound, from.base));
    let least = order.first().map_or(i128::MAX, |(bound, _)| *bound);
    let mut complete = true;
    for (bound, from) in order {
        let mut search = BaseSearch::new(task, from, limits, bans, &mut front, &mut ascent, stop);
        search.place(0, bound);
        complete &= !search.stopped;
    }
    let found = front.layouts.iter().map(|it| it.cost.total()).min();
    let bound = if complete { found.unwrap_or(least) } else { least };
    Found { layouts: front.layouts, complete, bound }
}

//! What a way to serve a demand costs at different sizes of the item.
//!
//! A set of indexes makes the item larger, and most reads do not notice: what a call takes is rounded up. Only where it
//! takes another number of units is a price reckoned anew.

use super::super::options::{Choice, opened};
use super::super::task::EntityTask;
use super::prepared::least;
use crate::cost::{CallUnits, ReadPlan};

/// What a way costs.
pub(super) struct Tariff {
    /// How a call depends on sizes.
    plan: Plan,
    /// What it takes at the smallest sizes.
    units: Option<CallUnits>,
    /// What a month of it costs then, at least.
    pub(super) least: i128,
    /// The largest entries of which it may read.
    pub(super) most_bytes: u64,
}

enum Plan {
    /// Not at all.
    Fixed,
    /// One item is read by its key, whatever else is.
    Item { strong: bool },
    /// A read from a path.
    Path(ReadPlan),
    /// Over shards, so that any price is only the least.
    Sharded,
}

impl Tariff {
    pub(super) fn new(
        task: &EntityTask<'_>,
        base: usize,
        demand: usize,
        choice: &Choice,
        least_item: u64,
        hot: bool,
    ) -> Self {
        let asked = &task.demands[demand];
        let most_bytes = match choice {
            Choice::NotNeeded | Choice::Unique(_) => u64::MAX,
            Choice::Base(fit) => fit.most_bytes(task.facts(), &asked.part, &task.candidates.bases[base]),
            Choice::Index(index, fit) => {
                fit.most_bytes(task.facts(), &asked.part, &task.candidates.indexes[*index].path)
            }
        };
        let plan = match choice {
            _ if hot => Plan::Sharded,
            Choice::NotNeeded => Plan::Fixed,
            Choice::Unique(_) => Plan::Item { strong: asked.strong },
            Choice::Base(fit) => {
                let path = &task.candidates.bases[base];
                Plan::Path(ReadPlan::new(task.facts(), asked, path, fit, true, false, 1))
            }
            Choice::Index(index, fit) => {
                let candidate = &task.candidates.indexes[*index];
                let fetch = !candidate.projection.holds(asked.part.returns);
                Plan::Path(ReadPlan::new(task.facts(), asked, &candidate.path, fit, false, fetch, 1))
            }
        };
        let least = least(task, base, demand, choice, least_item, hot);
        let mut tariff = Tariff { plan, units: None, least, most_bytes };
        let (item, entry) = smallest(task, base, choice, least_item);
        tariff.units = tariff.units_at(item, entry);
        tariff
    }

    fn units_at(&self, item: u64, entry: u64) -> Option<CallUnits> {
        match &self.plan {
            Plan::Fixed | Plan::Sharded => None,
            Plan::Item { strong } => Some(CallUnits::of_item(item, *strong)),
            Plan::Path(plan) => Some(plan.units(entry, item)),
        }
    }

    /// The price at these sizes; `reckon` is asked where it is not that of the smallest.
    pub(super) fn at(&self, item: u64, entry: u64, reckon: impl FnOnce() -> i128) -> i128 {
        match self.plan {
            Plan::Fixed => self.least,
            Plan::Item { .. } | Plan::Path(_) if self.units_at(item, entry) == self.units => self.least,
            Plan::Item { .. } | Plan::Path(_) | Plan::Sharded => reckon(),
        }
    }
}

/// The sizes of the item and of what a choice reads, at the smallest.
pub(super) fn smallest(task: &EntityTask<'_>, base: usize, choice: &Choice, least_item: u64) -> (u64, u64) {
    match opened(choice) {
        Some(index) => {
            let item =
                if index < task.candidates.kept { least_item } else { least_item + task.key_bytes(index) };
            (item, task.entry_bytes(base, index, item))
        }
        None => (least_item, least_item),
    }
}

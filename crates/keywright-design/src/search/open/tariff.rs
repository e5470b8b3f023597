//! What a way to serve a demand costs at different sizes of the item.
//!
//! How an index serves a demand is the same under every base placement, so that it is reckoned once. A set of indexes
//! makes the item larger, and most reads do not notice: what a call takes is rounded up. Only where it takes another
//! number of units is a price reckoned anew.

use std::sync::Arc;

use super::super::options::{Choice, opened};
use super::super::task::EntityTask;
use crate::cost::{CallUnits, MOST_SHARDS, ReadPlan};

/// How a demand is served, whatever the sizes.
pub(super) struct Reading {
    pub(super) choice: Choice,
    plan: Plan,
    /// The largest entries of which it may read.
    pub(super) most_bytes: u64,
}

enum Plan {
    /// Not at all.
    Nothing,
    /// One item is read by its key, whatever else is.
    Item { strong: bool },
    /// A read from a path.
    Path(ReadPlan),
}

impl Reading {
    /// How a choice serves the demand at a position; the base placement matters to those that read the table.
    pub(super) fn new(task: &EntityTask<'_>, base: usize, demand: usize, choice: Choice) -> Self {
        let (facts, asked) = (task.facts(), &task.demands[demand]);
        let (plan, most_bytes) = match &choice {
            Choice::NotNeeded => (Plan::Nothing, u64::MAX),
            Choice::Unique(_) => (Plan::Item { strong: asked.strong }, u64::MAX),
            Choice::Base(fit) => {
                let path = &task.candidates.bases[base];
                let plan = ReadPlan::new(facts, asked, path, fit, true, false, 1);
                (Plan::Path(plan), fit.most_bytes(facts, &asked.part, path))
            }
            Choice::Index(index, fit) => {
                let candidate = &task.candidates.indexes[*index];
                let fetch = !candidate.projection.holds(fit.wanted(&asked.part));
                let plan = ReadPlan::new(facts, asked, &candidate.path, fit, false, fetch, 1);
                (Plan::Path(plan), fit.most_bytes(facts, &asked.part, &candidate.path))
            }
        };
        Reading { choice, plan, most_bytes }
    }

    /// What a call takes, as far as its price depends on it.
    fn billed(&self, item: u64, entry: u64) -> (u64, u64) {
        match &self.plan {
            Plan::Nothing => (0, 0),
            Plan::Item { strong } => CallUnits::of_item(item, *strong).billed(),
            Plan::Path(plan) => plan.units(entry, item).billed(),
        }
    }

    /// What a month of it costs where nothing is sharded.
    fn price(&self, task: &EntityTask<'_>, base: usize, demand: usize, item: u64, entry: u64) -> i128 {
        let asked = &task.demands[demand];
        let price = match &self.plan {
            Plan::Path(plan) => plan.price(task.month, asked, entry, item),
            Plan::Nothing | Plan::Item { .. } => task.price(asked, &self.choice, base, item, entry, 1),
        };
        price.cost.total()
    }
}

/// What a way costs under one base placement.
pub(super) struct Tariff {
    pub(super) reading: Arc<Reading>,
    /// It may be spread over shards, so that any price is only the least.
    hot: bool,
    /// What a call takes at the smallest sizes.
    billed: (u64, u64),
    /// What a month of it costs then, at least.
    pub(super) least: i128,
}

impl Tariff {
    /// The tariff of a demand; `item` and `entry` are the smallest sizes.
    pub(super) fn new(
        task: &EntityTask<'_>,
        base: usize,
        demand: usize,
        reading: Arc<Reading>,
        (item, entry): (u64, u64),
        hot: bool,
    ) -> Self {
        let least = match hot {
            true => least_over_shards(task, base, demand, &reading.choice, item, entry),
            false => reading.price(task, base, demand, item, entry),
        };
        Tariff { hot, billed: reading.billed(item, entry), least, reading }
    }

    /// The price at these sizes; `over_shards` is asked where it depends on how many shards there are.
    pub(super) fn at(
        &self,
        task: &EntityTask<'_>,
        base: usize,
        demand: usize,
        (item, entry): (u64, u64),
        over_shards: impl FnOnce() -> i128,
    ) -> i128 {
        if self.hot {
            over_shards()
        } else if self.reading.billed(item, entry) == self.billed {
            self.least
        } else {
            self.reading.price(task, base, demand, item, entry)
        }
    }
}

/// The least that serving a demand costs, however many shards it takes.
pub(super) fn least_over_shards(
    task: &EntityTask<'_>,
    base: usize,
    demand: usize,
    choice: &Choice,
    item: u64,
    entry: u64,
) -> i128 {
    let bill = |shards: u64| task.price(&task.demands[demand], choice, base, item, entry, shards).cost.bill;
    bill(1).min(bill(MOST_SHARDS)).pico()
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

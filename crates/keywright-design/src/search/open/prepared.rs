//! What the search below a base placement starts from: the ways to serve each demand, and the least that they and the
//! indexes cost.

use std::sync::Arc;

use super::super::dual::Way;
use super::super::keeping::Keeping;
use super::super::options::{Choice, without_index};
use super::super::task::EntityTask;
use super::heat::{bears_alone, bears_what_must_be, may_heat_base};
use super::tariff::{Tariff, smallest};

/// No more shards than this are ever used, so a price at so many bounds the price at fewer.
const MANY_SHARDS: u64 = 1_000;

/// What the search below a base placement starts from, whatever it is limited to. Indexes go by their position in
/// the task's list of weighed ones.
pub(super) struct Prepared {
    pub(super) base: usize,
    /// Demands of shared reads.
    pub(super) shared: Vec<usize>,
    /// All other demands.
    pub(super) alone: Vec<usize>,
    /// For every demand, the ways to serve it without an index.
    pub(super) beside: Vec<Vec<Choice>>,
    /// For each of the other demands, the least cost of each way to serve it, cheapest first.
    pub(super) ways: Vec<Vec<Way>>,
    /// In a larger item than this some of the ways are not possible.
    pub(super) most: u64,
    /// The ways as choices: a way says which.
    pub(super) choices: Vec<Vec<Choice>>,
    /// What each of the choices costs at different sizes.
    pub(super) tariffs: Vec<Vec<Tariff>>,
    /// What keeping the item and its entries costs.
    pub(super) keeping: Keeping,
    /// The least that keeping an index adds.
    pub(super) opening: Vec<i128>,
    /// What others pay back where an index is shared: never more than zero.
    pub(super) refund: Vec<i128>,
    /// Indexes that may need shards.
    pub(super) hot: Vec<bool>,
    /// The table itself may become too hot, so a read may have to go elsewhere.
    pub(super) hot_base: bool,
}

impl Prepared {
    pub(super) fn new(task: &EntityTask<'_>, base: usize) -> Option<Self> {
        let demands = 0..task.demands.len();
        let (shared, alone): (Vec<usize>, Vec<usize>) =
            demands.clone().partition(|at| task.demands[*at].is_shared());
        let beside: Vec<Vec<Choice>> = demands.clone().map(|at| without_index(task, base, at)).collect();
        let kept = |index: usize| task.weighed.binary_search(&index).ok();
        if demands.clone().any(|at| {
            beside[at].is_empty()
                && !task.on_indexes(base, at).iter().any(|(index, _)| kept(*index).is_some())
        }) {
            return None;
        }
        let hot: Vec<bool> = task.weighed.iter().map(|index| task.hot[*index][base]).collect();
        let least_item = task.item_bytes(base, &task.present());
        let hot_base = may_heat_base(task, base, &beside);
        if hot_base && !bears_what_must_be(task, base, &beside, least_item) {
            return None;
        }
        let mut choices: Vec<Vec<Choice>> = Vec::with_capacity(alone.len());
        let mut tariffs: Vec<Vec<Tariff>> = Vec::with_capacity(alone.len());
        let mut most = u64::MAX;
        let ways = alone.iter().map(|at| {
            let mut all = beside[*at].clone();
            let tariff = |choice: &Choice, hot: bool| Tariff::new(task, base, *at, choice, least_item, hot);
            let mut mine: Vec<Tariff> = all.iter().map(|choice| tariff(choice, false)).collect();
            let mut indexes: Vec<Option<usize>> = vec![None; all.len()];
            for (index, fit) in task.on_indexes(base, *at) {
                if let Some(local) = kept(*index) {
                    let choice = Choice::Index(*index, Arc::clone(fit));
                    if hot[local] && !bears_alone(task, base, *at, *index, &choice, least_item) {
                        continue;
                    }
                    mine.push(tariff(&choice, hot[local]));
                    indexes.push(Some(local));
                    all.push(choice);
                }
            }
            let each = mine.iter().zip(indexes).enumerate();
            let possible = each.filter(|(way, (tariff, _))| {
                let (item, entry) = smallest(task, base, &all[*way], least_item);
                if entry == item && entry <= tariff.most_bytes {
                    most = most.min(tariff.most_bytes);
                }
                entry <= tariff.most_bytes
            });
            let mut ways: Vec<Way> =
                possible.map(|(way, (tariff, index))| Way { cost: tariff.least, index, way }).collect();
            ways.sort_by_key(|way| way.cost);
            choices.push(all);
            tariffs.push(mine);
            ways
        });
        let ways = ways.collect();
        let keeping = Keeping::new(task, base);
        let kept: Vec<i128> = (0..task.weighed.len())
            .map(|index| {
                let is_there = task.weighed[index] < task.candidates.kept;
                let own = if is_there { 0 } else { keeping.keys(index) };
                keeping.opening(task, index, least_item + own)
            })
            .collect();
        let opening = kept.iter().map(|cost| damaged((*cost).max(0))).collect();
        let refund = kept.into_iter().map(|cost| cost.min(0)).collect();
        Some(Prepared {
            base,
            shared,
            alone,
            beside,
            ways,
            most,
            choices,
            tariffs,
            keeping,
            opening,
            refund,
            hot,
            hot_base,
        })
    }
}

/// The least that serving a demand costs, whatever else is open and however many shards it takes.
pub(super) fn least(
    task: &EntityTask<'_>,
    base: usize,
    demand: usize,
    choice: &Choice,
    least_item: u64,
    hot: bool,
) -> i128 {
    let (item, entry) = smallest(task, base, choice, least_item);
    let demand = &task.demands[demand];
    let price = |shards: u64| task.price(demand, choice, base, item, entry, shards).cost;
    if hot { price(1).bill.min(price(MANY_SHARDS).bill).pico() } else { price(1).total() }
}

/// What opening an index costs at least, as the search is told.
#[cfg(not(test))]
pub(super) fn damaged(opening: i128) -> i128 {
    opening
}

#[cfg(test)]
thread_local! {
    /// So many times too much, to show that a wrong bound is noticed.
    pub(crate) static EXAGGERATION: std::cell::Cell<i128> = const { std::cell::Cell::new(1) };
}

#[cfg(test)]
pub(super) fn damaged(opening: i128) -> i128 {
    opening * EXAGGERATION.get()
}

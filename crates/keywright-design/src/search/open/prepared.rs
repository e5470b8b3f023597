//! What the search below a base placement starts from: the ways to serve each demand, and the least that they and the
//! indexes cost.

use std::sync::Arc;

use super::super::dual::Way;
use super::super::keeping::{Entries, Keeping};
use super::super::options::{Choice, may_use_indexes};
use super::super::task::EntityTask;
use super::heat::{bears_alone, bears_what_must_be};
use super::tariff::{Reading, Tariff, smallest};

/// For every demand, how each of the weighed indexes serves it that can, by its position among them.
pub(super) type OnIndexes = Vec<Vec<(usize, Arc<Reading>)>>;

/// How indexes serve the demands of an entity, the same under every base placement.
pub(super) fn on_indexes(task: &EntityTask<'_>) -> OnIndexes {
    let of = |demand: usize| {
        let weighed = task.index_fits[demand].iter().filter_map(|(index, fit)| {
            let local = task.weighed.binary_search(index).ok()?;
            let choice = Choice::Index(*index, Arc::clone(fit));
            Some((local, Arc::new(Reading::new(task, 0, demand, choice))))
        });
        weighed.collect()
    };
    (0..task.demands.len()).map(of).collect()
}

/// What the search below a base placement starts from, whatever it is limited to. Indexes go by their position in
/// the task's list of weighed ones.
pub(super) struct Prepared {
    pub(super) base: usize,
    /// Demands of shared reads.
    pub(super) shared: Vec<usize>,
    /// All other demands.
    pub(super) alone: Vec<usize>,
    /// For each of the other demands, the least cost of each way to serve it, cheapest first.
    pub(super) ways: Vec<Vec<Way>>,
    /// In a larger item than this some of the ways are not possible.
    pub(super) most: u64,
    /// What each of the ways costs at different sizes: a way says which it is.
    pub(super) tariffs: Vec<Vec<Tariff>>,
    /// What keeping the item and its entries costs.
    pub(super) keeping: Keeping,
    /// The least that keeping an index adds.
    pub(super) opening: Vec<i128>,
    /// What others pay back where an index is shared: never more than zero.
    pub(super) refund: Vec<i128>,
    /// Some do.
    pub(super) refunds: bool,
    /// Indexes that may need shards.
    pub(super) hot: Vec<bool>,
    /// The table itself may become too hot, so a read may have to go elsewhere.
    pub(super) hot_base: bool,
}

impl Prepared {
    pub(super) fn new(
        task: &EntityTask<'_>,
        base: usize,
        on_indexes: &OnIndexes,
        entries: &Entries,
    ) -> Option<Self> {
        let demands = 0..task.demands.len();
        let (shared, alone): (Vec<usize>, Vec<usize>) =
            demands.clone().partition(|at| task.demands[*at].is_shared());
        let on_indexes = |at: usize| match may_use_indexes(task, base, at) {
            true => on_indexes[at].as_slice(),
            false => &[],
        };
        if demands.clone().any(|at| task.without_index(base, at).is_empty() && on_indexes(at).is_empty()) {
            return None;
        }
        let hot: Vec<bool> = task.weighed.iter().map(|index| task.hot[*index][base]).collect();
        let least_item = task.item_bytes(base, &task.present());
        let hot_base = task.hot_bases[base];
        if hot_base && !bears_what_must_be(task, base, least_item) {
            return None;
        }
        let mut tariffs: Vec<Vec<Tariff>> = Vec::with_capacity(alone.len());
        let mut most = u64::MAX;
        let ways = alone.iter().map(|at| {
            let beside = task.without_index(base, *at);
            let own = beside.iter().map(|choice| {
                let reading = Reading::new(task, base, *at, choice.clone());
                (None, Arc::new(reading))
            });
            let others = on_indexes(*at).iter().map(|(local, reading)| (Some(*local), Arc::clone(reading)));
            let many = beside.len() + on_indexes(*at).len();
            let (mut ways, mut mine) = (Vec::with_capacity(many), Vec::with_capacity(many));
            for (index, reading) in own.chain(others) {
                let local = index.filter(|local| hot[*local]);
                if local.is_some_and(|local| {
                    !bears_alone(task, base, *at, task.weighed[local], &reading.choice, least_item)
                }) {
                    continue;
                }
                let (item, entry) = smallest(task, base, &reading.choice, least_item);
                if entry > reading.most_bytes {
                    continue;
                }
                if entry == item {
                    most = most.min(reading.most_bytes);
                }
                let tariff = Tariff::new(task, base, *at, reading, (item, entry), local.is_some());
                ways.push(Way { cost: tariff.least, index, way: mine.len() });
                mine.push(tariff);
            }
            ways.sort_by_key(|way| way.cost);
            tariffs.push(mine);
            ways
        });
        let ways = ways.collect();
        let keeping = Keeping::new(task, base, entries);
        let kept: Vec<i128> = (0..task.weighed.len())
            .map(|index| {
                let is_there = task.weighed[index] < task.candidates.kept;
                let own = if is_there { 0 } else { keeping.keys(index) };
                keeping.opening(task, index, least_item + own)
            })
            .collect();
        let opening = kept.iter().map(|cost| damaged((*cost).max(0))).collect();
        let refunds = kept.iter().any(|cost| *cost < 0);
        let refund = kept.into_iter().map(|cost| cost.min(0)).collect();
        Some(Prepared {
            base,
            shared,
            alone,
            ways,
            most,
            tariffs,
            keeping,
            opening,
            refund,
            refunds,
            hot,
            hot_base,
        })
    }
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

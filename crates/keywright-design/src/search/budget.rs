//! Budgets: how much an entity may ask of a partition that others ask something of, too.
//!
//! What an entity asks of a partition is decided by its own layout. Where several ask too much together, each way to ask
//! for less is a budget of one of them.

use super::layout::Layout;
use super::options::Choice;
use super::task::EntityTask;
use crate::cost::{Load, Unit, effect_price, entry_writes, hottest_share, write_share};
use crate::problem::Attrs;

/// A limit on what an entity asks of a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Budget {
    pub(crate) spot: Spot,
    pub(crate) below: Below,
}

/// Where an entity's items lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Spot {
    /// In an index, not in the table.
    pub(crate) index: bool,
    /// The partition attributes there.
    pub(crate) partition: Attrs,
    /// Only this index candidate, where not all with such a partition matter.
    pub(crate) candidate: Option<usize>,
    /// Only where this demand is served there, since nothing else ties the items to those of others.
    pub(crate) demand: Option<usize>,
}

/// What is allowed at a spot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Below {
    /// Less than this of the entity's own load: what it shares in a read with others is theirs, too.
    Load(Unit, u128),
    /// Fewer bytes of an item or entry; none at all where that is zero.
    Bytes(u64),
    /// Not this other demand too.
    Without(usize),
}

impl Budget {
    /// The budget that leaves nothing at all at the spot.
    pub(crate) fn spent(self) -> Self {
        match self.below {
            Below::Load(..) | Below::Bytes(_) => Budget { below: Below::Bytes(0), ..self },
            Below::Without(_) => self,
        }
    }

    /// Whether it can matter to a place: a base placement, or an index candidate.
    pub(super) fn speaks_of(&self, task: &EntityTask<'_>, place: Place) -> bool {
        let candidates = task.candidates;
        match place {
            Place::Base(base) => {
                !self.spot.index && candidates.bases[base].partition_set() == self.spot.partition
            }
            Place::Index(index) => {
                self.spot.index
                    && self.spot.candidate.is_none_or(|only| only == index)
                    && candidates.indexes[index].path.partition_set() == self.spot.partition
            }
        }
    }

    /// Whether it matters there which reads are served from it.
    pub(super) fn counts_reads(&self) -> bool {
        matches!(self.below, Below::Load(Unit::Read, _))
    }

    /// Whether choices keep to it that put so much there. More choices never ask for less.
    fn allows(&self, served: &dyn Fn(usize) -> Option<Place>, at: Place, load: Load, bytes: u64) -> bool {
        if self.spot.demand.is_some_and(|demand| served(demand) != Some(at)) {
            return true;
        }
        match self.below {
            Below::Load(unit, most) => load.of(unit) < most,
            Below::Bytes(most) => bytes < most,
            Below::Without(other) => served(other) != Some(at),
        }
    }
}

/// A place that an entity's items may be in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    Base(usize),
    Index(usize),
}

/// What an entity asks of the hottest value of a place: its writes, and the reads of it alone that are served there.
pub(crate) fn own_load(
    task: &EntityTask<'_>,
    base: usize,
    item: u64,
    // The index candidate with the bytes of an entry and its shards; none for the table.
    index: Option<(usize, u64, u64)>,
    chosen: &[&Choice],
) -> Load {
    let (facts, base_path) = (task.facts(), &task.candidates.bases[base]);
    let path = index.map_or(base_path, |(index, ..)| &task.candidates.indexes[index].path);
    let partition = path.partition_set();
    let mut load = Load::default();
    for (write, effect) in &task.effects {
        let micro = match index {
            None => {
                effect_price(task.problem, task.month, write, effect, base_path, item, &[]).base_micro_units
            }
            Some((index, bytes, shards)) => {
                entry_writes(facts, effect, base_path, &task.entry(index, bytes)).div_ceil(shards)
            }
        };
        load.add_writes(write.peak, micro, write_share(facts, partition, effect));
    }
    let reads = hottest_share(facts, partition, false);
    for (demand, choice) in task.demands.iter().zip(chosen).filter(|(demand, _)| !demand.is_shared()) {
        let (bytes, shards) = match (choice, index) {
            (Choice::Base(_), None) => (item, 1),
            (Choice::Index(used, _), Some((index, bytes, shards))) if *used == index => (bytes, shards),
            _ => continue,
        };
        let price = task.price(demand, choice, base, item, bytes, shards);
        load.add_reads(demand.peak, price.half_units_per_partition, reads);
    }
    load
}

/// Whether a layout keeps to all budgets.
pub(super) fn keeps_to_budgets(task: &EntityTask<'_>, layout: &Layout) -> bool {
    task.budgets.is_empty() || {
        let chosen: Vec<&Choice> = layout.services.iter().map(|service| &service.choice).collect();
        let indexes = layout.indexes.iter().zip(&layout.entry_bytes).zip(&layout.shards);
        let indexes: Vec<(usize, u64, u64)> =
            indexes.map(|((index, bytes), shards)| (*index, *bytes, *shards)).collect();
        all_allow(task, layout.base, layout.item_bytes, &indexes, &chosen, |_| true)
    }
}

/// Whether what is chosen so far leaves room in the budgets that count reads; whatever comes only adds to it.
pub(super) fn leaves_budget(task: &EntityTask<'_>, base: usize, item: u64, chosen: &[Choice]) -> bool {
    // An index that nothing ties to others may still be spread over shards.
    let matters = |it: &Budget| it.counts_reads() && (it.spot.demand.is_some() || !it.spot.index);
    !task.budgets.iter().any(matters) || {
        let used = |choice: &Choice| match choice {
            Choice::Index(index, _) => Some(*index),
            _ => None,
        };
        let mut indexes: Vec<usize> = chosen.iter().filter_map(used).collect();
        indexes.sort_unstable();
        indexes.dedup();
        let sized = |index: usize| (index, task.entry_bytes(base, index, item), 1);
        let indexes: Vec<(usize, u64, u64)> = indexes.into_iter().map(sized).collect();
        let chosen: Vec<&Choice> = chosen.iter().collect();
        all_allow(task, base, item, &indexes, &chosen, matters)
    }
}

fn all_allow(
    task: &EntityTask<'_>,
    base: usize,
    item: u64,
    indexes: &[(usize, u64, u64)],
    chosen: &[&Choice],
    matters: impl Fn(&Budget) -> bool,
) -> bool {
    let served = |demand: usize| match chosen[demand] {
        Choice::Base(_) => Some(Place::Base(base)),
        Choice::Index(index, _) => Some(Place::Index(*index)),
        Choice::NotNeeded | Choice::Unique(_) => None,
    };
    task.budgets.iter().filter(|budget| matters(budget)).all(|budget| {
        if budget.speaks_of(task, Place::Base(base)) {
            let load = own_load(task, base, item, None, chosen);
            return budget.allows(&served, Place::Base(base), load, item);
        }
        indexes.iter().filter(|it| budget.speaks_of(task, Place::Index(it.0))).all(|it| {
            // What is spread over shards is in other partitions.
            let load = || own_load(task, base, item, Some(*it), chosen);
            it.2 > 1 || budget.allows(&served, Place::Index(it.0), load(), it.1)
        })
    })
}

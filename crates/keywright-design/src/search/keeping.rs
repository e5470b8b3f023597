//! What keeping an item and its index entries costs, prepared so that a set of indexes is priced by adding up.
//!
//! What a write does to an item and to each entry is so many units for every unit of its size, whatever else is open.
//! Sizes are all that depends on the set.

use std::sync::Arc;

use keywright_model::Rate;

use super::task::EntityTask;
use crate::cost::{effect_price, entry_writes, halves, moves_base, old_values_needed, storage_price, units};
use crate::path::Projection;

/// A sum of rounded prices may pass the rounded price of a sum by one pico-dollar each.
const ROUNDING: i128 = 1;

/// Sizes and writes under one base placement.
pub(super) struct Keeping {
    /// Bytes of an item without any index.
    item: u64,
    /// What neither sizes nor indexes change, in pico-dollars.
    fixed: i128,
    effects: Vec<Effect>,
    /// The rates of checks.
    checks: Vec<Rate>,
    /// In the order of the task's weighed indexes.
    entries: Entries,
    /// Bytes of an entry of each; none where it is as large as the item.
    bytes: Vec<Option<u64>>,
}

/// What each of the weighed indexes of an entity adds, the same under every base placement.
pub(super) type Entries = Arc<Vec<Entry>>;

/// What the weighed indexes of an entity add.
pub(super) fn entries(task: &EntityTask<'_>) -> Entries {
    Arc::new(task.weighed.iter().map(|index| Entry::new(task, *index)).collect())
}

/// What a write does to the item, in millionths of units.
struct Effect {
    rate: Rate,
    times: u64,
    /// For every unit of the item.
    each: u64,
    /// On uniqueness items.
    fixed: u64,
    /// It needs old values whatever is open.
    old: bool,
    /// It changes the primary key.
    moves: bool,
}

/// What an index adds.
pub(super) struct Entry {
    /// The kind of its projection.
    kind: usize,
    /// Bytes of its keys in the item.
    keys: u64,
    /// How many in a million items are in it.
    share: u64,
    /// For every effect, where it leaves the primary key as it is and where it changes it: millionths of units for every
    /// unit of an entry, and whether old values are needed.
    effects: Vec<[(u64, bool); 2]>,
    /// What it costs beside, in pico-dollars.
    beside: i128,
    /// A month of storing its keys in the items, in pico-dollars.
    key_storage: i128,
}

impl Keeping {
    pub(super) fn new(task: &EntityTask<'_>, base: usize, entries: &Entries) -> Self {
        let (facts, month) = (task.facts(), task.month);
        let path = &task.candidates.bases[base];
        let stored = storage_price(task.problem, month, task.entity, path, 0, &[]).total();
        let of_items = month.storage(facts.count, 1_000_000, 0).pico();
        let counter = if facts.counter { month.operational.item_type.pico() } else { 0 };
        let effects = task.effects.iter().map(|(write, effect)| {
            let one = effect_price(task.problem, month, write, effect, path, 1, &[]);
            Effect {
                rate: write.rate,
                times: effect.times(facts),
                each: one.base_micro_units,
                fixed: one.micro_units - one.base_micro_units,
                old: old_values_needed(facts, effect, path, std::iter::empty()),
                moves: moves_base(effect, path),
            }
        });
        let bytes = |index: &usize| {
            let projected = task.candidates.indexes[*index].projection != Projection::All;
            projected.then(|| task.entry_bytes(base, *index, 0))
        };
        Keeping {
            item: task.item_bytes(base, &[]),
            fixed: stored - of_items + counter,
            effects: effects.collect(),
            checks: task.check_rates(),
            entries: Arc::clone(entries),
            bytes: task.weighed.iter().map(bytes).collect(),
        }
    }

    /// Bytes of an item with these indexes.
    pub(super) fn item(&self, open: &[usize]) -> u64 {
        self.item + open.iter().map(|index| self.entries[*index].keys).sum::<u64>()
    }

    /// The kind of an index's projection.
    pub(super) fn kind(&self, index: usize) -> usize {
        self.entries[index].kind
    }

    /// Bytes that an index's keys add to an item.
    pub(super) fn keys(&self, index: usize) -> u64 {
        self.entries[index].keys
    }

    /// Bytes of an entry, where items are so large.
    pub(super) fn entry(&self, index: usize, item: u64) -> u64 {
        self.bytes[index].unwrap_or(item)
    }

    /// Bytes of an item with these indexes, and what a month of keeping everything costs, in pico-dollars.
    pub(super) fn price(&self, task: &EntityTask<'_>, open: &[usize]) -> (u64, i128) {
        let item = self.item(open);
        (item, self.price_at(task, open, item))
    }

    /// What a month of keeping everything costs when other indexes make the item so large, beside what they cost
    /// themselves: their entries, and the storage of their keys in the item.
    pub(super) fn price_at(&self, task: &EntityTask<'_>, open: &[usize], item: u64) -> i128 {
        let (month, count) = (task.month, task.facts().count);
        let mut cost = self.fixed + month.storage(count, 1_000_000, self.item(open)).pico();
        for index in open {
            let entry = &self.entries[*index];
            cost += month.storage(count, entry.share, self.entry(*index, item)).pico() + entry.beside;
        }
        for (at, effect) in self.effects.iter().enumerate() {
            let mut micro = effect.each.saturating_mul(units(item)).saturating_add(effect.fixed);
            let mut old = effect.old;
            for index in open {
                let (each, needs_old) = self.entries[*index].effects[at][usize::from(effect.moves)];
                let entry = (each * units(self.entry(*index, item))).saturating_mul(effect.times);
                micro = micro.saturating_add(entry);
                old |= needs_old;
            }
            cost += month.writes(effect.rate, micro).pico();
            if old {
                cost += month.reads(effect.rate, halves(item, true).saturating_mul(effect.times)).pico()
                    + month.extra_requests(effect.rate, 1).pico();
            }
        }
        for rate in &self.checks {
            cost += month.writes(*rate, 2 * units(item) * 1_000_000).pico();
        }
        cost
    }

    /// The least that an index adds to writes and storage when items are so large, beside what a larger item adds.
    pub(super) fn opening(&self, task: &EntityTask<'_>, index: usize, item: u64) -> i128 {
        let (month, entry, bytes) = (task.month, &self.entries[index], self.entry(index, item));
        let mut least =
            month.storage(task.facts().count, entry.share, bytes).pico() + entry.beside - ROUNDING;
        // Its key strings are in the item too. An index that is there was never without them.
        if task.weighed[index] >= task.candidates.kept {
            least += (entry.key_storage - ROUNDING).max(0);
        }
        for (effect, under) in self.effects.iter().zip(&entry.effects) {
            let (each, _) = under[usize::from(effect.moves)];
            let micro = (each * units(bytes)).saturating_mul(effect.times);
            least += (month.writes(effect.rate, micro).pico() - ROUNDING).max(0);
        }
        least
    }
}

impl Entry {
    fn new(task: &EntityTask<'_>, index: usize) -> Self {
        let facts = task.facts();
        // Writes are priced for a unit of its size.
        let entry = task.entry(index, 1);
        let mut share = facts.share_present(entry.path.attrs());
        if let Some((attr, _)) = &entry.path.only {
            share /= facts.attribute(*attr).distinct.max(1);
        }
        let effects = task.effects.iter().map(|(_, effect)| {
            // Of a primary key it matters only whether it moves.
            [false, true].map(|moves| {
                let base = task.candidates.bases.iter().find(|base| moves_base(effect, base) == moves);
                base.map_or((0, false), |base| {
                    let key = std::iter::once((entry.path, entry.form));
                    (entry_writes(facts, effect, base, &entry), old_values_needed(facts, effect, base, key))
                })
            })
        });
        let list = match entry.projection {
            Projection::Include(_) => task.month.operational.include_list.pico(),
            Projection::All | Projection::Keys => 0,
        };
        Entry {
            kind: entry.projection.kind(),
            keys: task.key_bytes(index),
            share: share.max(1),
            effects: effects.collect(),
            beside: entry.beside.total() + list,
            key_storage: task.key_storage(index),
        }
    }
}

#[cfg(test)]
mod tests {
    use keywright_dynamodb::price::PriceTable;
    use keywright_model::Style;

    use super::*;
    use crate::cost::{MonthlyPrice, OperationalPrices};
    use crate::demand::demands;
    use crate::exhaustive::random;
    use crate::form::Forms;

    #[test]
    fn adding_up_gives_the_price_of_the_cost_function() {
        let month =
            MonthlyPrice { table: PriceTable::us_east_1(), operational: OperationalPrices::default() };
        let mut compared = 0;
        for seed in 0..20 {
            let problem = random::mid_size(seed);
            for (entity, demands) in
                demands(&problem, keywright_model::Style::Overloaded, None).iter().enumerate()
            {
                let all = crate::candidate::candidates(&problem, entity, demands);
                let task = EntityTask::new(
                    &problem,
                    &month,
                    Style::Overloaded,
                    Forms::of(&problem, Style::Overloaded, entity),
                    entity,
                    demands,
                    &all,
                );
                let entries = entries(&task);
                for base in 0..all.bases.len() {
                    let keeping = Keeping::new(&task, base, &entries);
                    // Every third index, so that sets of several sizes come up.
                    for first in 0..task.weighed.len().min(3) {
                        let open: Vec<usize> = (first..task.weighed.len()).step_by(3).take(4).collect();
                        let indexes: Vec<usize> = open.iter().map(|at| task.weighed[*at]).collect();
                        let item = task.item_bytes(base, &indexes);
                        let entries: Vec<_> = indexes
                            .iter()
                            .map(|index| task.entry(*index, task.entry_bytes(base, *index, item)))
                            .collect();
                        let whole = task.upkeep(base, item, &entries).total();
                        assert_eq!(keeping.price(&task, &open), (item, whole), "seed {seed}");
                        compared += 1;
                    }
                }
            }
        }
        assert!(compared > 500, "{compared}");
    }
}

//! What a partition bears, and which indexes could need shards.

use keywright_dynamodb::limits::{GLOBAL_SECONDARY_INDEXES, PARTITION_READ_UNITS, PARTITION_WRITE_UNITS};
use keywright_model::Rate;
use keywright_model::certificate::{LogicalIndex, Path};

use super::{MICRO, Pricing, Reading};
use crate::serve::{is_allowed, serve};
use crate::set::set;

/// The smallest number that holds, where what holds for a number holds for every larger one.
pub(super) fn fewest(holds: impl Fn(u64) -> Option<bool>, most: u64) -> Option<u64> {
    if holds(1)? {
        return Some(1);
    }
    if most < 2 || !holds(most)? {
        return None;
    }
    let (mut no, mut yes) = (1, most);
    while yes - no > 1 {
        let between = no + (yes - no) / 2;
        if holds(between)? { yes = between } else { no = between }
    }
    Some(yes)
}

/// Units a second on the hottest value, times 10¹⁵.
#[derive(Default)]
pub(super) struct Load {
    reads: u128,
    writes: u128,
}

impl Load {
    pub(super) fn read(&mut self, peak: Rate, half_units: u64, share: u64) {
        let units = u128::from(peak.nano()) * u128::from(half_units) / 2;
        self.reads = self.reads.saturating_add(units.saturating_mul(u128::from(share)));
    }

    pub(super) fn write(&mut self, peak: Rate, micro_units: u64, share: u64) {
        let units = u128::from(peak.nano()) * u128::from(micro_units) / u128::from(MICRO);
        self.writes = self.writes.saturating_add(units.saturating_mul(u128::from(share)));
    }

    /// One item bears all that a partition can, a collection three quarters.
    pub(super) fn is_borne(&self, one: bool) -> bool {
        let part = |limit: u64| u128::from(if one { limit } else { limit * 3 / 4 }) * 1_000_000_000_000_000;
        self.reads <= part(PARTITION_READ_UNITS) && self.writes <= part(PARTITION_WRITE_UNITS)
    }
}

impl Pricing<'_> {
    /// Bytes of an item with the keys of as many indexes as it could have, the largest of all.
    fn largest_item(&self, base: &Path, indexes: &[LogicalIndex]) -> u64 {
        // Every open index serves a demand or is there already, so that there are never more of them.
        let mut keys: Vec<u64> = indexes.iter().map(|index| self.key_bytes(index)).collect();
        keys.sort_unstable();
        let (demands, kept) = (self.entity.facts.demands.len(), self.entity.kept().len());
        let most = GLOBAL_SECONDARY_INDEXES.min(demands + kept);
        self.item_bytes(base, &[]) + keys.iter().rev().take(most).sum::<u64>()
    }

    /// Whether the table's partitions bear it if all demands use the table that can, at the largest size.
    pub(crate) fn is_cool_base(&self, base: &Path, indexes: &[LogicalIndex]) -> bool {
        let (entity, facts) = (self.entity, self.entity.facts);
        let (item, here) = (self.largest_item(base, indexes), set(&base.partition));
        let mut load = Load::default();
        for effect in &facts.effects {
            load.write(
                effect.peak,
                self.item_writes(effect, base, item),
                entity.hottest_written(here, effect),
            );
        }
        for demand in &facts.demands {
            if let Some(served) = &serve(entity, demand, base)
                && is_allowed(entity, demand, base, None, served)
            {
                let reading = Reading { demand, path: base, served, index: None, entry: item, item };
                let there = self.read(&reading, 1).half_units_there;
                load.read(demand.peak, there, entity.hottest(here, false));
            }
        }
        load.is_borne(entity.is_one(here))
    }

    /// Which indexes could never need shards, were all demands to use them that can, at the largest size.
    pub(crate) fn cool(&self, bases: &[Path], indexes: &[LogicalIndex]) -> Vec<bool> {
        let (entity, facts) = (self.entity, self.entity.facts);
        let is_cool = |index: &LogicalIndex| {
            bases.iter().all(|base| {
                let item = self.largest_item(base, indexes);
                let entry = self.entry_bytes(base, index, item);
                let here = set(&index.path.partition);
                let mut load = Load::default();
                for effect in &facts.effects {
                    let micro = self.entry_writes(effect, base, index, entry);
                    load.write(effect.peak, micro, entity.hottest_written(here, effect));
                }
                for demand in &facts.demands {
                    let path = &index.path;
                    if let Some(served) = &serve(entity, demand, path)
                        && is_allowed(entity, demand, path, Some(&index.projection), served)
                    {
                        let index = Some(index);
                        let read = self.read(&Reading { demand, path, served, index, entry, item }, 1);
                        load.read(demand.peak, read.half_units_there, entity.hottest(here, false));
                    }
                }
                load.is_borne(entity.is_one(here))
            })
        };
        indexes.iter().map(is_cool).collect()
    }
}

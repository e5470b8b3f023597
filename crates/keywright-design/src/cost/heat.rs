//! Heat: the peak load of the hottest partition value of a path, and the shards that it needs.

use keywright_dynamodb::limits::{PARTITION_READ_UNITS, PARTITION_WRITE_UNITS};
use keywright_model::Rate;
use keywright_model::model::Type;

use crate::path::Path;
use crate::problem::{Attrs, EffectAction, EffectFacts, EntityFacts};

const MICRO: u128 = 1_000_000;
const NANO: u128 = 1_000_000_000;
/// The hottest of many values takes ten times its even share.
pub(crate) const HOTTEST: u64 = 10;
/// No more shards than this: a read would ask them all.
pub(crate) const MOST_SHARDS: u64 = 1_000;

/// What a partition takes so much of a second, and no more.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Unit {
    Read,
    Write,
}

/// The load on the hottest value, in units per second × 10¹⁵.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Load {
    read: u128,
    write: u128,
}

impl Load {
    /// Adds reads of so many half units.
    pub(crate) fn add_reads(&mut self, peak: Rate, half_units: u64, share: u64) {
        let units = u128::from(peak.nano()) * u128::from(half_units) / 2;
        self.read = self.read.saturating_add(units.saturating_mul(u128::from(share)));
    }

    /// Adds writes of so many millionths of a unit.
    pub(crate) fn add_writes(&mut self, peak: Rate, micro_units: u64, share: u64) {
        let units = u128::from(peak.nano()) * u128::from(micro_units) / MICRO;
        self.write = self.write.saturating_add(units.saturating_mul(u128::from(share)));
    }

    /// Adds another load.
    pub(crate) fn add(&mut self, other: Load) {
        self.read = self.read.saturating_add(other.read);
        self.write = self.write.saturating_add(other.write);
    }

    /// One of the two, to be compared with others.
    pub(crate) fn of(self, unit: Unit) -> u128 {
        match unit {
            Unit::Read => self.read,
            Unit::Write => self.write,
        }
    }

    /// What a collection of several kinds of items does not bear of it; none where it bears all.
    pub(crate) fn too_much(self) -> Option<Unit> {
        let alone = |unit: Unit| match unit {
            Unit::Read => Load { write: 0, ..self },
            Unit::Write => Load { read: 0, ..self },
        };
        [Unit::Write, Unit::Read].into_iter().find(|unit| !bears(alone(*unit)))
    }

    /// Write units a second, rounded up.
    pub(crate) fn write_units(self) -> u64 {
        u64::try_from(self.write.div_ceil(NANO * MICRO)).unwrap_or(u64::MAX)
    }

    /// Read units a second, rounded up.
    pub(crate) fn read_units(self) -> u64 {
        u64::try_from(self.read.div_ceil(NANO * MICRO)).unwrap_or(u64::MAX)
    }

    fn fits(self, read: u64, write: u64) -> bool {
        self.read <= u128::from(read) * NANO * MICRO && self.write <= u128::from(write) * NANO * MICRO
    }
}

/// The part of an entity's traffic, in millionths, that meets the hottest value of the partition attributes.
/// For writes a date and a state count as one value: today, and the first state.
pub(crate) fn hottest_share(entity: &EntityFacts, partition: Attrs, writes: bool) -> u64 {
    let even = even_share(entity, partition, writes);
    if partition.is_empty() { even } else { even.max(entity.skew.map_or(0, u64::from)) }
}

/// The part of a write's traffic that meets the hottest value. An item comes once and goes once, so that no value of a
/// partition that holds the whole identity is created more often than others, however uneven the rest of the traffic is.
pub(crate) fn write_share(entity: &EntityFacts, partition: Attrs, effect: &EffectFacts) -> u64 {
    let once = matches!(effect.action, EffectAction::Create | EffectAction::Delete);
    let identity = entity.identity_set();
    if once && !identity.is_empty() && identity.is_subset(partition) {
        even_share(entity, partition, true)
    } else {
        hottest_share(entity, partition, true)
    }
}

/// The part that meets the hottest value where nothing is said of it.
fn even_share(entity: &EntityFacts, partition: Attrs, writes: bool) -> u64 {
    let distinct = partition
        .iter()
        .map(|attr| entity.attribute(attr))
        .filter(|it| {
            let moment = it.ty == Type::Date || it.ty == Type::Datetime;
            !(writes && (moment || !it.values.is_empty() && it.changes))
        })
        .fold(1u64, |all, it| all.saturating_mul(it.distinct));
    let distinct = if entity.at_most_one(partition) { entity.count } else { distinct.min(entity.count) };
    if partition.is_empty() {
        1_000_000
    } else {
        (HOTTEST * 1_000_000).div_ceil(distinct.max(1)).min(1_000_000)
    }
}

/// Whether an unsharded path bears the load: one item all that a partition can, a collection three quarters.
pub(crate) fn tolerates(entity: &EntityFacts, path: &Path, load: Load) -> bool {
    if entity.at_most_one(path.partition_set()) {
        load.fits(PARTITION_READ_UNITS, PARTITION_WRITE_UNITS)
    } else {
        bears(load)
    }
}

/// Whether a collection of several kinds of items bears the load: three quarters of what a partition can.
pub(crate) fn bears(load: Load) -> bool {
    load.fits(PARTITION_READ_UNITS * 3 / 4, PARTITION_WRITE_UNITS * 3 / 4)
}

/// The smallest number of shards that bears what `load` says of that number.
pub(crate) fn shards_for(entity: &EntityFacts, path: &Path, load: impl Fn(u64) -> Load) -> Option<u64> {
    if tolerates(entity, path, load(1)) {
        return Some(1);
    }
    // One item can't be spread.
    if entity.at_most_one(path.partition_set()) {
        return None;
    }
    let most = MOST_SHARDS.min(entity.count);
    // More shards never heat a shard, so the smallest number is found by halving.
    if most < 2 || !tolerates(entity, path, load(most)) {
        return None;
    }
    let (mut too_few, mut enough) = (1, most);
    while enough - too_few > 1 {
        let middle = too_few.midpoint(enough);
        if tolerates(entity, path, load(middle)) { enough = middle } else { too_few = middle }
    }
    Some(enough)
}

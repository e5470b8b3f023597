//! Heat: the load on one partition, the most that a partition bears, and how many shards a load needs.

use std::fmt;
use std::iter::Sum;
use std::ops::Add;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::limits::{PARTITION_READ_UNITS, PARTITION_WRITE_UNITS};
use crate::rate::Rate;
use crate::units::Units;

/// Read and write units per second on one partition key value or one item, exact.
///
/// ```
/// use keywright_dynamodb::{heat::{Bearable, Heat}, rate::Rate, units::Units};
/// let heat = Heat::of_writes(Rate::per_second(1600), Units::ONE);
/// assert!(!heat.fits(Bearable::PARTITION));
/// assert_eq!(heat.shards(Bearable::PLANNED), 3);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Heat {
    /// Half units × millionths per day: the product of a rate and units.
    read: u128,
    write: u128,
}

/// One unit per second in the unit of [`Heat`].
const UNIT_PER_SECOND: u128 = 2 * 1_000_000 * 86_400;

/// The most load that a partition may get, in whole units per second.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Bearable {
    /// Read units per second.
    pub read: u64,
    /// Write units per second.
    pub write: u64,
}

impl Bearable {
    /// DynamoDB's own limit.
    pub const PARTITION: Bearable = Bearable { read: PARTITION_READ_UNITS, write: PARTITION_WRITE_UNITS };
    /// The limit that designs plan for: 3/4 of DynamoDB's, because load is never even.
    pub const PLANNED: Bearable =
        Bearable { read: PARTITION_READ_UNITS * 3 / 4, write: PARTITION_WRITE_UNITS * 3 / 4 };
}

/// The fraction of a load that one key value gets, at most all of it: `numerator / denominator`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Share {
    numerator: u64,
    denominator: u64,
}

impl Share {
    /// All of it.
    pub const ALL: Share = Share { numerator: 1, denominator: 1 };

    /// A fraction. A fraction of 1 or more, or with a zero denominator, is the whole.
    pub fn new(numerator: u64, denominator: u64) -> Self {
        if numerator >= denominator { Share::ALL } else { Share { numerator, denominator } }
    }

    /// The share of the hottest of `distinct` values where nothing is known about them: ten times the even
    /// share.
    pub fn of_hottest(distinct: u64) -> Self {
        Share::new(10, distinct)
    }

    /// The larger of two shares.
    pub fn max(self, other: Share) -> Self {
        let left = u128::from(self.numerator) * u128::from(other.denominator);
        let right = u128::from(other.numerator) * u128::from(self.denominator);
        if left >= right { self } else { other }
    }
}

impl Heat {
    /// No heat.
    pub const ZERO: Heat = Heat { read: 0, write: 0 };

    /// The heat of requests at this rate that read `each` units.
    pub fn of_reads(rate: Rate, each: Units) -> Self {
        Heat { read: heat(rate, each), write: 0 }
    }

    /// The heat of requests at this rate that write `each` units.
    pub fn of_writes(rate: Rate, each: Units) -> Self {
        Heat { read: 0, write: heat(rate, each) }
    }

    /// The part of this load that one value gets, rounded up by less than a millionth of a unit per day.
    pub fn share(self, share: Share) -> Self {
        let part = |heat: u128| {
            let (whole, rest) = (heat / u128::from(share.denominator), heat % u128::from(share.denominator));
            let numerator = u128::from(share.numerator);
            whole * numerator + (rest * numerator).div_ceil(u128::from(share.denominator))
        };
        Heat { read: part(self.read), write: part(self.write) }
    }

    /// Whether a partition with this limit bears the load.
    pub fn fits(self, bearable: Bearable) -> bool {
        self.read <= u128::from(bearable.read) * UNIT_PER_SECOND
            && self.write <= u128::from(bearable.write) * UNIT_PER_SECOND
    }

    /// The smallest number of shards over which this load fits if it is spread evenly: at least one.
    pub fn shards(self, bearable: Bearable) -> u64 {
        let needed = |heat: u128, units: u64| heat.div_ceil(u128::from(units.max(1)) * UNIT_PER_SECOND);
        let shards = needed(self.read, bearable.read).max(needed(self.write, bearable.write)).max(1);
        u64::try_from(shards).unwrap_or(u64::MAX)
    }

    /// Read units per second, rounded up: for messages.
    pub fn read_units_per_second(self) -> u128 {
        self.read.div_ceil(UNIT_PER_SECOND)
    }

    /// Write units per second, rounded up: for messages.
    pub fn write_units_per_second(self) -> u128 {
        self.write.div_ceil(UNIT_PER_SECOND)
    }
}

fn heat(rate: Rate, each: Units) -> u128 {
    u128::from(rate.micro_per_day()) * u128::from(each.half_units())
}

/// The smallest number of shards, up to `most`, at which the heat of each shard fits. For loads that don't
/// simply divide: a read that gathers from every shard heats each of them.
pub fn smallest_shard_count(most: u64, bearable: Bearable, per_shard: impl Fn(u64) -> Heat) -> Option<u64> {
    (1..=most).find(|&shards| per_shard(shards).fits(bearable))
}

impl Add for Heat {
    type Output = Heat;

    fn add(self, other: Heat) -> Heat {
        Heat { read: self.read.saturating_add(other.read), write: self.write.saturating_add(other.write) }
    }
}

impl Sum for Heat {
    fn sum<I: Iterator<Item = Heat>>(heats: I) -> Heat {
        heats.fold(Heat::ZERO, Add::add)
    }
}

impl fmt::Display for Heat {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            out,
            "{} read and {} write units/s",
            self.read_units_per_second(),
            self.write_units_per_second()
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_limit_itself_still_fits() {
        let at_limit = Heat::of_writes(Rate::per_second(1000), Units::ONE);
        assert!(at_limit.fits(Bearable::PARTITION));
        assert!(!(at_limit + Heat::of_writes(Rate::per_day(1), Units::ONE)).fits(Bearable::PARTITION));
        assert!(Heat::of_reads(Rate::per_second(6000), Units::HALF).fits(Bearable::PARTITION));
        assert_eq!(at_limit.shards(Bearable::PLANNED), 2);
        assert_eq!(Heat::of_writes(Rate::per_second(750), Units::ONE).shards(Bearable::PLANNED), 1);
        assert_eq!(Heat::ZERO.shards(Bearable::PLANNED), 1);
    }

    #[test]
    fn shares_are_capped_at_all() {
        let load = Heat::of_writes(Rate::per_second(1000), Units::ONE);
        assert_eq!(load.share(Share::of_hottest(5)), load);
        assert_eq!(load.share(Share::of_hottest(0)), load);
        assert_eq!(load.share(Share::of_hottest(100)).write_units_per_second(), 100);
        assert_eq!(Share::new(1, 3).max(Share::new(2, 5)), Share::new(2, 5));
    }

    #[test]
    fn a_read_from_every_shard_does_not_cool_with_more_of_them() {
        let writes = Heat::of_writes(Rate::per_second(3000), Units::ONE);
        let gather = Heat::of_reads(Rate::per_second(100), Units::HALF);
        let per_shard = |shards| writes.share(Share::new(1, shards)) + gather;
        assert_eq!(smallest_shard_count(100, Bearable::PLANNED, per_shard), Some(4));
        let too_hot = Heat::of_reads(Rate::per_second(3000), Units::ONE);
        assert_eq!(smallest_shard_count(100, Bearable::PLANNED, |_| too_hot), None);
    }

    proptest! {
        #[test]
        fn the_shard_count_is_the_smallest_that_fits(writes in 0u32..50_000, reads in 0u32..50_000) {
            let load = Heat::of_writes(Rate::per_second(writes), Units::ONE)
                + Heat::of_reads(Rate::per_second(reads), Units::HALF);
            let shards = load.shards(Bearable::PLANNED);
            let even = |shards| load.share(Share::new(1, shards));
            prop_assert!(even(shards).fits(Bearable::PLANNED));
            prop_assert_eq!(smallest_shard_count(shards, Bearable::PLANNED, even), Some(shards));
        }
    }
}

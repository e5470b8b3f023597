//! Read and write units: the exact cost of a request, given the items that it touches.
//!
//! From the developer guide's pages "Capacity unit consumption", "Using global secondary indexes" and
//! "DynamoDB transactions". Units are counted in halves, because an eventually consistent read can cost half
//! a unit.

use std::collections::BTreeMap;
use std::fmt;
use std::iter::Sum;
use std::ops::{Add, AddAssign, Mul};

use schemars::JsonSchema;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::index::{KeyAttributes, Table, entry};
use crate::limits::{READ_UNIT_BYTES, WRITE_UNIT_BYTES};
use crate::size::item_bytes;
use crate::value::Item;

/// An amount of read or write units, exact to the half. In JSON a number: `3`, `0.5`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, JsonSchema)]
#[schemars(with = "f64")]
pub struct Units {
    halves: u64,
}

impl Units {
    /// No units.
    pub const ZERO: Units = Units::halves(0);
    /// Half a unit: the least that a read costs.
    pub const HALF: Units = Units::halves(1);
    /// One unit.
    pub const ONE: Units = Units::whole(1);

    /// An amount given in half units.
    pub const fn halves(halves: u64) -> Self {
        Units { halves }
    }

    /// An amount given in whole units.
    pub const fn whole(units: u64) -> Self {
        Units { halves: units * 2 }
    }

    /// The amount in half units.
    pub const fn half_units(self) -> u64 {
        self.halves
    }

    /// The amount of a `ConsumedCapacity`, which is a floating-point number; `None` for an amount that no
    /// request can cost, such as a third of a unit.
    pub fn from_capacity(units: f64) -> Option<Self> {
        let halves = units * 2.0;
        // Above 2^53 a float can't represent every integer.
        (halves >= 0.0 && halves <= (1u64 << 53) as f64 && halves.fract() == 0.0)
            .then(|| Units::halves(halves as u64))
    }
}

impl fmt::Display for Units {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let half = if self.halves % 2 == 1 { ".5" } else { "" };
        write!(out, "{}{half}", self.halves / 2)
    }
}

impl Serialize for Units {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if self.halves.is_multiple_of(2) {
            serializer.serialize_u64(self.halves / 2)
        } else {
            serializer.serialize_f64(self.halves as f64 / 2.0)
        }
    }
}

impl<'de> Deserialize<'de> for Units {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let units = f64::deserialize(deserializer)?;
        Units::from_capacity(units)
            .ok_or_else(|| D::Error::custom(format!("{units} is not a number of half units")))
    }
}

impl Add for Units {
    type Output = Units;

    fn add(self, other: Units) -> Units {
        Units::halves(self.halves + other.halves)
    }
}

impl AddAssign for Units {
    fn add_assign(&mut self, other: Units) {
        self.halves += other.halves;
    }
}

impl Mul<u64> for Units {
    type Output = Units;

    fn mul(self, times: u64) -> Units {
        Units::halves(self.halves * times)
    }
}

impl Sum for Units {
    fn sum<I: Iterator<Item = Units>>(units: I) -> Units {
        units.fold(Units::ZERO, Add::add)
    }
}

/// How consistent a read is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum Consistency {
    /// Half a unit for each 4 KB.
    Eventual,
    /// One unit for each 4 KB.
    Strong,
    /// Two units for each 4 KB.
    Transactional,
}

/// The cost of reading `bytes` at once: rounded up to 4 KB, and at least one block.
pub fn read(bytes: u64, consistency: Consistency) -> Units {
    let blocks = bytes.div_ceil(READ_UNIT_BYTES).max(1);
    Units::halves(match consistency {
        Consistency::Eventual => blocks,
        Consistency::Strong => blocks * 2,
        Consistency::Transactional => blocks * 4,
    })
}

/// The cost of GetItem, or of one Get of a TransactGetItems. A missing item costs as much as a small one.
pub fn get_item(bytes: Option<u64>, consistency: Consistency) -> Units {
    read(bytes.unwrap_or(0), consistency)
}

/// The cost of BatchGetItem or TransactGetItems: each item is rounded up on its own.
pub fn get_items(bytes: impl IntoIterator<Item = Option<u64>>, consistency: Consistency) -> Units {
    bytes.into_iter().map(|bytes| get_item(bytes, consistency)).sum()
}

/// The cost of one page of a Query or Scan: the total size is rounded up once. Filters and projections change
/// nothing, and a page without items costs the minimum.
pub fn query(bytes: impl IntoIterator<Item = u64>, consistency: Consistency) -> Units {
    read(bytes.into_iter().sum(), consistency)
}

/// The cost of writing an image of `bytes` bytes: rounded up to 1 KB, and at least one unit.
pub fn write(bytes: u64) -> Units {
    Units::whole(bytes.div_ceil(WRITE_UNIT_BYTES).max(1))
}

/// The cost of a put, update or delete on the table: that of the larger of the item before and after.
/// Deleting a missing item, and a failed condition on a missing item, cost one unit. A failed condition on an
/// existing item costs as much as writing that item.
pub fn write_item(before: Option<u64>, after: Option<u64>) -> Units {
    write(before.max(after).unwrap_or(0))
}

/// What a write does to the index entry of its item.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EntryChange {
    /// The entry is absent before and after, or is unchanged.
    None,
    /// The item enters the index, with an entry of this many bytes.
    Enters(u64),
    /// The item leaves the index, where its entry had this many bytes.
    Leaves(u64),
    /// The entry keeps its index key, but other attributes change.
    Changes {
        /// Bytes before.
        before: u64,
        /// Bytes after.
        after: u64,
    },
    /// The index key changes: the entry is deleted at the old key and put at the new one.
    Moves {
        /// Bytes at the old key.
        before: u64,
        /// Bytes at the new key.
        after: u64,
    },
}

impl EntryChange {
    /// The change between two images of an entry, as [`crate::index::entry`] makes them.
    pub fn between(before: Option<&Item>, after: Option<&Item>, index: &KeyAttributes) -> Self {
        match (before, after) {
            (None, None) => EntryChange::None,
            (None, Some(after)) => EntryChange::Enters(item_bytes(after)),
            (Some(before), None) => EntryChange::Leaves(item_bytes(before)),
            (Some(before), Some(after)) if before == after => EntryChange::None,
            (Some(before), Some(after)) => {
                let moved = index.names().any(|name| before.get(name) != after.get(name));
                let (before, after) = (item_bytes(before), item_bytes(after));
                if moved {
                    EntryChange::Moves { before, after }
                } else {
                    EntryChange::Changes { before, after }
                }
            }
        }
    }

    /// The cost of the change on the index: nothing, one write, or two. A transaction does not double it.
    pub fn units(self) -> Units {
        match self {
            EntryChange::None => Units::ZERO,
            EntryChange::Enters(bytes) | EntryChange::Leaves(bytes) => write(bytes),
            EntryChange::Changes { before, after } => write(before.max(after)),
            EntryChange::Moves { before, after } => write(before) + write(after),
        }
    }
}

/// The cost of a ConditionCheck in a transaction: twice that of writing the item.
pub fn condition_check(bytes: Option<u64>) -> Units {
    write_item(bytes, None) * 2
}

/// The units that a request consumed, separately for the table and each index, like `ConsumedCapacity`.
///
/// ```
/// use keywright_dynamodb::units::{Consumed, Units, write_item};
/// let put = Consumed::of_table(write_item(None, Some(1500))).with_index("GSI1", Units::ONE);
/// assert_eq!(put.total(), Units::whole(3));
/// assert_eq!(put.in_transaction().total(), Units::whole(5));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Consumed {
    /// Units of the table itself.
    pub table: Units,
    /// Units of each index; an index without cost is left out.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub indexes: BTreeMap<String, Units>,
}

impl Consumed {
    /// Units of the table alone.
    pub fn of_table(units: Units) -> Self {
        Consumed { table: units, indexes: BTreeMap::new() }
    }

    /// The cost of a put, update or delete on a table and on each of its indexes, given the item before and
    /// after.
    pub fn of_write(table: &Table, before: Option<&Item>, after: Option<&Item>) -> Self {
        let consumed = Consumed::of_table(write_item(before.map(item_bytes), after.map(item_bytes)));
        table.indexes.iter().fold(consumed, |consumed, index| {
            let image = |item: Option<&Item>| entry(item?, &table.key, &index.key, &index.projection);
            let (before, after) = (image(before), image(after));
            let change = EntryChange::between(before.as_ref(), after.as_ref(), &index.key);
            consumed.with_index(&index.name, change.units())
        })
    }

    /// Adds units of an index; zero units are left out.
    pub fn with_index(mut self, name: &str, units: Units) -> Self {
        if units != Units::ZERO {
            *self.indexes.entry(name.to_owned()).or_default() += units;
        }
        self
    }

    /// The same write in a transaction: the table's units double, those of the indexes don't.
    pub fn in_transaction(mut self) -> Self {
        self.table = self.table * 2;
        self
    }

    /// Units of the table and of all indexes.
    pub fn total(&self) -> Units {
        self.table + self.indexes.values().copied().sum()
    }
}

impl AddAssign for Consumed {
    fn add_assign(&mut self, other: Consumed) {
        self.table += other.table;
        for (name, units) in other.indexes {
            *self.indexes.entry(name).or_default() += units;
        }
    }
}

impl Sum for Consumed {
    fn sum<I: Iterator<Item = Consumed>>(parts: I) -> Consumed {
        parts.fold(Consumed::default(), |mut sum, part| {
            sum += part;
            sum
        })
    }
}

#[cfg(test)]
mod tests;

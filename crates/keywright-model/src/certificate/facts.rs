//! The numbers that prices depend on, as the document states them or as they are assumed where it says
//! nothing.

use keywright_dynamodb::Money;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{LogicalIndex, Path};
use crate::Rate;
use crate::design::KeyType;

/// The unit prices, per month.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Prices {
    /// A million read units.
    pub million_read_units: Money,
    /// A million write units.
    pub million_write_units: Money,
    /// A GB stored for a month.
    pub gb_month: Money,
    /// Operational price of one GSI.
    pub index: Money,
    /// Operational price of one item type that no condition requires.
    pub item_type: Money,
    /// Operational price of one INCLUDE list.
    pub include_list: Money,
    /// Operational price of one pattern that is not served by a single GetItem or a single Query in key
    /// order.
    pub awkward_pattern: Money,
    /// Operational price of a million extra sequential requests.
    pub million_extra_requests: Money,
}

/// An entity, with everything that patterns ask of it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct EntityFacts {
    /// Its name.
    pub name: String,
    /// How many items there are.
    pub count: u64,
    /// Its attributes.
    pub attributes: Vec<AttributeFacts>,
    /// The attributes that identify an item.
    pub identity: Vec<usize>,
    /// Whether a create generates the identity.
    pub generated: bool,
    /// Whether there is at most one item.
    pub singleton: bool,
    /// Whether the entity is a counter: it holds only a number that writes keep up to date.
    pub counter: bool,
    /// Whether the entity is a copy of data that another entity holds.
    #[serde(default)]
    pub copy: bool,
    /// Whether a separate uniqueness item may guard the identity, so that the primary key need not consist of
    /// it alone.
    pub may_guard: bool,
    /// Bytes of that uniqueness item.
    pub guard_bytes: u64,
    /// Sets of attributes whose uniqueness is guarded by uniqueness items.
    pub unique: Vec<UniqueFacts>,
    /// The share of requests that the hottest value gets, in millionths, where stated.
    pub skew: Option<u64>,
    /// Attributes whose values every create gets as input or generates.
    pub at_creation: Vec<usize>,
    /// Attributes that no key may hold: versions, and numbers that writes add to without knowing the sum.
    pub added: Vec<usize>,
    /// The identity attribute whose values grow with the time of creation.
    pub time_ordered: Option<usize>,
    /// References to parents.
    pub parents: Vec<Bounded>,
    /// Bytes of an item without its keys.
    pub plain_bytes: u64,
    /// Bytes of the entity name that key strings begin with.
    pub name_bytes: u64,
    /// How a path is written as a primary key.
    #[serde(default)]
    pub form: KeyForm,
    /// How a path is written as an index key.
    #[serde(default)]
    pub index_form: KeyForm,
    /// The keys that its items have already, where an existing table is extended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kept: Option<KeptKeys>,
    /// The existing table that holds or will hold its items, by position; absent for a new table.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub home: Option<usize>,
    /// Whether the entity is new in an existing table whose primary key has no sort key.
    #[serde(default)]
    pub unsorted: bool,
    /// Whether INCLUDE lists of all its attributes are left out: with them the cheapest design of its table
    /// has more names in INCLUDE lists than DynamoDB takes.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub crowded: bool,
    /// What patterns ask of its keys.
    pub demands: Vec<DemandFacts>,
    /// What writes do to its items.
    pub effects: Vec<EffectFacts>,
    /// The rates of writes that check an item without changing it, one per check.
    pub checks: Vec<Rate>,
}

/// Keys of existing items, which must not change.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct KeptKeys {
    /// The primary key.
    pub base: Path,
    /// The existing indexes that hold its items.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub indexes: Vec<LogicalIndex>,
    /// The form of the keys: in the table first, then in each of the indexes.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub places: Vec<KeptPlace>,
}

/// The form of existing keys in the table or in one index.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct KeptPlace {
    /// The GSI, by its position in the design; absent for the table.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gsi: Option<usize>,
    /// The literal text that partition keys begin with.
    pub collection: String,
    /// The form of the sort keys; absent where there is no sort key.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub block: Option<KeptBlock>,
    /// Whether items of other types lie in the same collection and the keys don't tell them apart.
    #[serde(default)]
    pub mixed: bool,
}

/// The form of existing sort keys.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct KeptBlock {
    /// The literal text that they begin with.
    pub text: String,
    /// Their attributes, each with whether it is encoded in descending order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sort: Vec<(usize, bool)>,
    /// Those of them that hold the name of a value whose declared order is another.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub by_name: Vec<usize>,
}

/// How a path is written as key attributes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum KeyForm {
    /// One string for the partition key and one for the sort key, under generic attribute names (`pk`,
    /// `GSI1SK`).
    #[default]
    Generic,
    /// One key attribute for each of the two: the attribute itself where the path has only one, else a string
    /// built from several.
    Natural,
    /// Every attribute of the path is a key attribute of its own. An attribute whose type can't be a key is
    /// stored a second time, as a string.
    Native,
}

/// An attribute.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct AttributeFacts {
    /// Its name.
    pub name: String,
    /// Mean bytes of a value.
    pub bytes: u64,
    /// Bytes of a value as it is encoded in a key.
    pub key_bytes: u64,
    /// The number of distinct values.
    pub distinct: u64,
    /// How many in a million items hold it; absent where all do.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub present: Option<u64>,
    /// The number of declared values of an enumeration, else 0.
    #[serde(default)]
    pub values: u64,
    /// Whether concurrent writes are assumed to meet in one value of it: a date or an instant, or a state
    /// that changes.
    #[serde(default)]
    pub one_value_written: bool,
    /// Whether a key string can hold it.
    pub key: bool,
    /// Its key type, where it can be a key attribute as it is stored.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub own_key: Option<KeyType>,
    /// Whether it can be a key attribute of its own, as it is stored or as a string.
    #[serde(default)]
    pub native_key: bool,
    /// Whether it can be encoded so that larger values come first.
    pub reversible: bool,
    /// Whether the items of one type in a collection can be sorted by it in descending order.
    pub reversible_block: bool,
    /// Whether keys hold the position of a value, because a read wants an order that its name does not have. No
    /// filter knows that order.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub ranked: bool,
    /// Whether it is the time of creation.
    #[serde(default)]
    pub creation_time: bool,
    /// Whether some write changes it.
    #[serde(default)]
    pub changes: bool,
    /// Whether it names the tenant that the item belongs to.
    #[serde(default)]
    pub tenant: bool,
    /// Set for a time bucket, which exists only in keys: the position of the instant that lies in it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub period_of: Option<usize>,
}

/// A set of attributes whose uniqueness is guarded by uniqueness items.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct UniqueFacts {
    /// Its attributes.
    pub attributes: Vec<usize>,
    /// Bytes of a uniqueness item.
    pub bytes: u64,
}

/// A reference to a parent, and how many items refer to one parent.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Bounded {
    /// The attributes that hold the parent's identity.
    pub via: Vec<usize>,
    /// The one of them that identifies the parent on its own, because its values are generated for the
    /// parent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub told: Option<usize>,
    /// The mean number of items per parent.
    pub mean: u64,
    /// The largest number of items per parent, where stated.
    pub max: Option<u64>,
}

/// What a pattern asks of an entity's keys.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct DemandFacts {
    /// The pattern.
    pub pattern: String,
    /// Attributes given by equality.
    pub given: Vec<usize>,
    /// The given attributes whose value is a constant, with that value.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub constants: Vec<(usize, String)>,
    /// The given attributes that the caller may leave out.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub optional: Vec<usize>,
    /// The number of values given, where an attribute takes several values.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub listed: Option<u64>,
    /// The attribute that a range or a prefix restricts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub range: Option<usize>,
    /// Whether the range is a prefix.
    #[serde(default)]
    pub prefix: bool,
    /// Whether the range has two ends of which at least one is excluded.
    #[serde(default)]
    pub open_range: bool,
    /// Only items that hold this attribute are returned.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub holding: Option<usize>,
    /// Further attributes with a range; these are always filters.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub more_ranges: Vec<usize>,
    /// The required order: attributes, each with whether it is descending.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub order: Vec<(usize, bool)>,
    /// Whether the required order is by attributes that only a later request reads, so that the caller must
    /// sort.
    #[serde(default)]
    pub sorted_later: bool,
    /// The attributes returned.
    pub returns: Vec<usize>,
    /// The shape of the result.
    pub result: ResultFacts,
    /// The mean rate.
    pub rate: Rate,
    /// The peak rate.
    pub peak: Rate,
    /// Whether the read must be strongly consistent.
    #[serde(default)]
    pub strong: bool,
    /// Whether it locates the item of a write.
    #[serde(default)]
    pub locating: bool,
    /// Whether it comes after another request of its pattern.
    #[serde(default)]
    pub second: bool,
    /// Whether it is repeated after the write to catch items that were added meanwhile. The repeat usually
    /// finds none.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub swept: bool,
    /// The shared read that it is a part of, and the number of the part.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shared: Option<(usize, usize)>,
    /// Whether that read returns its items in one list, interleaved with those of other entities.
    #[serde(default)]
    pub mixed: bool,
}

/// The shape of a result.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum ResultFacts {
    /// One item.
    #[default]
    Single,
    /// All items that match.
    Whole,
    /// A page of this many items.
    Page(u64),
    /// The number of items that match.
    Count,
}

/// What a write does to an item.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct EffectFacts {
    /// The kind of change.
    pub action: EffectAction,
    /// Whether it applies to all items that `given` selects.
    pub all: bool,
    /// Attributes whose values before the write the caller gives.
    pub given: Vec<usize>,
    /// Attributes that the write sets or removes.
    pub sets: Vec<usize>,
    /// Those of `sets` that the write adds to: their new values are known only if the item is read first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub grows: Vec<usize>,
    /// Those of `sets` that stay unchanged if the caller leaves them out.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub maybe: Vec<usize>,
    /// Those of `sets` that the write removes.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub removes: Vec<usize>,
    /// Those of `sets` whose new value is a constant, with that value.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub fixed: Vec<(usize, String)>,
    /// Attributes whose values before the write the conditions fix; no value where a condition only requires
    /// that there is one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub was: Vec<(usize, Option<String>)>,
    /// Attributes that the item must not hold before the write, by its conditions.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub lacked: Vec<usize>,
    /// Whether the conditions require that the item exists: a put then always replaces an item.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub there: bool,
    /// The unique sets whose uniqueness items are written, deleted or moved with it.
    pub unique: Vec<usize>,
    /// Whether the item is read first, whatever its keys are.
    pub read_first: bool,
    /// Whether it is part of a transaction.
    pub transaction: bool,
    /// How often one call sends it on average. Above 1 for a counter of items that are deleted in several
    /// transactions: it changes in each of them.
    #[serde(default = "one", skip_serializing_if = "is_one")]
    pub portions: u64,
    /// The mean rate.
    pub rate: Rate,
    /// The peak rate.
    pub peak: Rate,
}

/// The kind of change that a write makes to an item.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum EffectAction {
    /// The item is created.
    Create,
    /// The item is created or replaced.
    Put,
    /// Some of its attributes change.
    Update,
    /// The item is deleted.
    Delete,
}

/// A read of several entities.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SharedRead {
    /// The pattern.
    pub pattern: String,
    /// Its parts: the position of each entity, and of the demand in that entity. The head, if any, comes
    /// first.
    pub parts: Vec<(usize, usize)>,
    /// Whether the first part is a head: at most one item.
    pub has_head: bool,
    /// The only part that is returned, where a filter drops the items of the others.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wanted: Option<usize>,
    /// The attributes of that part that the filter compares for equality.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub compared: Vec<usize>,
    /// The number of ranges in the filter.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub ranges: usize,
    /// The shape of the result.
    pub result: ResultFacts,
    /// The mean rate.
    pub rate: Rate,
    /// Whether the read must be strongly consistent.
    #[serde(default)]
    pub strong: bool,
    /// The existing collections that its parts would join: the GSI (absent for the table) and the literal
    /// text that partition keys begin with.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub there: Vec<(Option<usize>, String)>,
}

fn is_zero(number: &usize) -> bool {
    *number == 0
}

fn one() -> u64 {
    1
}

fn is_one(number: &u64) -> bool {
    *number == 1
}

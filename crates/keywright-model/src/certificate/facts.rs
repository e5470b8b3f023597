//! The numbers that prices depend on: what the document states, and what is assumed where it is silent.

use keywright_dynamodb::Money;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{LogicalIndex, Path};
use crate::Rate;
use crate::design::KeyType;

/// What everything costs.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Prices {
    /// A million read units.
    pub million_read_units: Money,
    /// A million write units.
    pub million_write_units: Money,
    /// A GB stored for a month.
    pub gb_month: Money,
    /// Running a GSI for a month.
    pub index: Money,
    /// Having an item type that no condition forces.
    pub item_type: Money,
    /// Having an INCLUDE list.
    pub include_list: Money,
    /// Having a pattern that is not one GetItem or one Query in key order.
    pub awkward_pattern: Money,
    /// A million extra sequential requests.
    pub million_extra_requests: Money,
}

/// An entity, and all that is asked of it.
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
    /// The identity is made up by a create.
    pub generated: bool,
    /// There is one item at most.
    pub singleton: bool,
    /// It holds nothing but a number that writes keep.
    pub counter: bool,
    /// It is a copy of what another entity holds.
    #[serde(default)]
    pub copy: bool,
    /// An item of its own may keep a natural identity unique.
    pub may_guard: bool,
    /// Bytes of the item that would.
    pub guard_bytes: u64,
    /// Sets of attributes that uniqueness items keep unique.
    pub unique: Vec<UniqueFacts>,
    /// The share of the hottest value in millionths, where stated.
    pub skew: Option<u64>,
    /// Attributes that every create gives or generates.
    pub at_creation: Vec<usize>,
    /// Numbers that no key can hold: versions, and what writes add to where the sum could not be told.
    pub added: Vec<usize>,
    /// The identity that grows with the time of creation.
    pub time_ordered: Option<usize>,
    /// References to parents.
    pub parents: Vec<Bounded>,
    /// Bytes of an item without keys.
    pub plain_bytes: u64,
    /// Bytes of the name that a key string begins with.
    pub name_bytes: u64,
    /// How paths become primary keys.
    #[serde(default)]
    pub form: KeyForm,
    /// How paths become keys of indexes.
    #[serde(default)]
    pub index_form: KeyForm,
    /// The keys that its items have in a table that is extended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kept: Option<KeptKeys>,
    /// The table that its items are in or come into, of those that are extended; none for a new one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub home: Option<usize>,
    /// It is new in a table whose primary key has no sort key.
    #[serde(default)]
    pub unsorted: bool,
    /// What is asked of its keys.
    pub demands: Vec<DemandFacts>,
    /// What writes do to it.
    pub effects: Vec<EffectFacts>,
    /// The rates of writes that check an item without changing it.
    pub checks: Vec<Rate>,
}

/// Keys that are there already, and stay.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct KeptKeys {
    /// The primary key.
    pub base: Path,
    /// The indexes that the items are in.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub indexes: Vec<LogicalIndex>,
    /// What the keys look like: in the table first, then in each of the indexes.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub places: Vec<KeptPlace>,
}

/// What keys look like that are there already.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct KeptPlace {
    /// The GSI, by its position in the design; none for the table.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gsi: Option<usize>,
    /// The text that partition keys begin with.
    pub collection: String,
    /// The block of sort keys; none where there is no sort key.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub block: Option<KeptBlock>,
    /// Other kinds of items lie among these, and nothing in the keys tells them apart.
    #[serde(default)]
    pub mixed: bool,
}

/// Sort keys that are there already.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct KeptBlock {
    /// The text that they begin with.
    pub text: String,
    /// Their attributes, each with whether it is encoded downwards.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sort: Vec<(usize, bool)>,
}

/// How a path becomes keys.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum KeyForm {
    /// A string each for the partition and the sort key, under names that say nothing.
    #[default]
    Generic,
    /// One key attribute each: the attribute as it is where the path has one, else a string of several.
    Natural,
    /// Every attribute is a key attribute of its own; what can't be one as it is stands there once more, as a string.
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
    /// Bytes of a value in a key.
    pub key_bytes: u64,
    /// Different values.
    pub distinct: u64,
    /// How many in a million items hold it; none where all do.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub present: Option<u64>,
    /// The number of its values, where they are listed.
    #[serde(default)]
    pub values: u64,
    /// For writes it counts as one value: a moment, or a state that changes.
    #[serde(default)]
    pub one_value_written: bool,
    /// It can be part of a key.
    pub key: bool,
    /// Its type as a key attribute, where it can be one as it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub own_key: Option<KeyType>,
    /// It can be a key attribute of its own, as it is or as a string.
    #[serde(default)]
    pub native_key: bool,
    /// It can be encoded so that larger values come first.
    pub reversible: bool,
    /// A block of a collection can run downwards by it.
    pub reversible_block: bool,
    /// The instant of creation.
    #[serde(default)]
    pub creation_time: bool,
    /// Some write changes it.
    #[serde(default)]
    pub changes: bool,
    /// It names the tenant that the item belongs to.
    #[serde(default)]
    pub tenant: bool,
    /// Only keys hold it: the period in which this attribute, an instant, lies.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub period_of: Option<usize>,
}

/// A set that uniqueness items keep unique.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct UniqueFacts {
    /// Its attributes.
    pub attributes: Vec<usize>,
    /// Bytes of a uniqueness item.
    pub bytes: u64,
}

/// A reference to a parent: how many items share its value.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Bounded {
    /// The attributes that hold the parent's identity.
    pub via: Vec<usize>,
    /// The one of them that tells the parent by itself, since it is made up for it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub told: Option<usize>,
    /// The mean.
    pub mean: u64,
    /// The most, where stated.
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
    /// Those of which the value is always the same.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub constants: Vec<(usize, String)>,
    /// Equalities that the caller may leave out.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub optional: Vec<usize>,
    /// Several values of one attribute are given, so many.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub listed: Option<u64>,
    /// A range or a prefix.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub range: Option<usize>,
    /// The range is a prefix.
    #[serde(default)]
    pub prefix: bool,
    /// The range has two ends, and one of them is not in it.
    #[serde(default)]
    pub open_range: bool,
    /// Only items that hold this attribute are wanted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub holding: Option<usize>,
    /// Ranges that are always filters.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub more_ranges: Vec<usize>,
    /// The wanted order: attributes, and whether downwards.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub order: Vec<(usize, bool)>,
    /// The order is of something that comes later.
    #[serde(default)]
    pub sorted_later: bool,
    /// The attributes returned.
    pub returns: Vec<usize>,
    /// What comes back.
    pub result: ResultFacts,
    /// The mean rate.
    pub rate: Rate,
    /// The peak rate.
    pub peak: Rate,
    /// The newest value is wanted.
    #[serde(default)]
    pub strong: bool,
    /// A write has to find the item.
    #[serde(default)]
    pub locating: bool,
    /// It comes after another request of its pattern.
    #[serde(default)]
    pub second: bool,
    /// It is asked once more when the write is done, and then finds nothing as a rule.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub swept: bool,
    /// The read of several entities that it is a part of, and which part.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shared: Option<(usize, usize)>,
    /// That read wants the items as one list with those of other entities.
    #[serde(default)]
    pub mixed: bool,
}

/// What a read gives back.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum ResultFacts {
    /// One item.
    #[default]
    Single,
    /// All that match.
    Whole,
    /// So many at a time.
    Page(u64),
    /// How many match.
    Count,
}

/// What a write does to an item.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct EffectFacts {
    /// What happens to it.
    pub action: EffectAction,
    /// It touches all items that `given` selects.
    pub all: bool,
    /// Attributes whose present values the caller gives.
    pub given: Vec<usize>,
    /// Attributes that get new values or go.
    pub sets: Vec<usize>,
    /// Those of them that it adds to: what they become is known only to who reads them first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub grows: Vec<usize>,
    /// Those of them that stay as they are where the caller leaves them out.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub maybe: Vec<usize>,
    /// Those of them that the item does not hold any more.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub removes: Vec<usize>,
    /// Those of them whose new value is always the same.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub fixed: Vec<(usize, String)>,
    /// What its conditions say that attributes are before it; none where they only say that there is a value.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub was: Vec<(usize, Option<String>)>,
    /// What its conditions say that the item does not hold before it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub lacked: Vec<usize>,
    /// Its conditions say that the item is there: where it puts one, it always replaces one.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub there: bool,
    /// The unique sets whose items come, go or move with it.
    pub unique: Vec<usize>,
    /// The item is read first, whatever its keys are.
    pub read_first: bool,
    /// It is part of a transaction.
    pub transaction: bool,
    /// How many transactions of one call it is part of, on average: where it counts what goes in portions, one of each.
    #[serde(default = "one", skip_serializing_if = "is_one")]
    pub portions: u64,
    /// The mean rate.
    pub rate: Rate,
    /// The peak rate.
    pub peak: Rate,
}

/// What happens to an item.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum EffectAction {
    /// It comes to be.
    Create,
    /// It comes to be, or is replaced.
    Put,
    /// Some of its attributes change.
    Update,
    /// It goes.
    Delete,
}

/// A read of several entities.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SharedRead {
    /// The pattern.
    pub pattern: String,
    /// Its entities, by position, each with the position of its demand; of several the head comes first.
    pub parts: Vec<(usize, usize)>,
    /// The first part is at most one item.
    pub has_head: bool,
    /// The one part that is wanted, where a filter drops the others.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wanted: Option<usize>,
    /// The attributes of that part whose values the filter compares too.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub compared: Vec<usize>,
    /// How many ranges of it the filter asks for.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub ranges: usize,
    /// What comes back.
    pub result: ResultFacts,
    /// The mean rate.
    pub rate: Rate,
    /// The newest value is wanted.
    #[serde(default)]
    pub strong: bool,
    /// The collections that are there which its parts would lie in: the GSI, none for the table, and the text that partition
    /// keys begin with.
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

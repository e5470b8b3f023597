//! The certificate of a Design: what is known about the optimum, and the tables that let somebody else check it.
//!
//! The proof is complete in itself. Its facts are all the numbers that a price depends on, so that whoever checks it
//! needs neither the document nor the designer: attributes, demands and writes go by their positions in these lists.
//! What it says of every entity are the cheapest layouts within some limits on the number of indexes; what it says of
//! every component are the least prices of all its entities together.

mod facts;

pub use facts::{
    AttributeFacts, Bounded, DemandFacts, EffectAction, EffectFacts, EntityFacts, Prices, ResultFacts,
    SharedRead, UniqueFacts,
};

use keywright_dynamodb::Money;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::design::Total;

/// What is known about the optimum.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Certificate {
    /// No design in the space is cheaper.
    pub optimal: bool,
    /// No design in the space is cheaper than this, per month, operational prices included.
    pub lower_bound: Money,
    /// How much cheaper a design could at most be.
    pub gap: Money,
    /// The price of the design that is chosen where operating costs nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pure_bill: Option<Total>,
    /// What it costs that a read of several entities is one Query; less than nothing where it saves.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub one_query: Option<Money>,
    /// What the proof does not show.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub not_covered: Vec<String>,
    /// What can be checked; none where nothing can.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub proof: Option<Proof>,
}

/// The tables that show the bound.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Proof {
    /// What everything costs.
    pub prices: Prices,
    /// The entities with all that is asked of them.
    pub entities: Vec<EntityFacts>,
    /// The reads of several entities.
    pub shared: Vec<SharedRead>,
    /// What no choice changes: Scans.
    pub fixed: Money,
    /// The layout of each entity in the design.
    pub chosen: Vec<Layout>,
    /// The GSIs of the design.
    pub indexes: usize,
    /// Entities that shared reads tie together, by their positions.
    pub components: Vec<Vec<usize>>,
    /// For some limits on the number of indexes, what nothing within them is cheaper than.
    pub bounds: Vec<Bound>,
}

/// What nothing within some limits is cheaper than.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Bound {
    /// The most indexes that an entity has.
    pub limits: Limits,
    /// For each component, its least price; none where nothing keeps to the limits.
    pub least: Vec<Option<Money>>,
    /// For each entity, the layouts that no other beats.
    pub tables: Vec<Vec<Layout>>,
}

/// How many indexes an entity has at most; none for any number.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Limits {
    /// With a projection of all attributes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub all: Option<usize>,
    /// With keys only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub keys: Option<usize>,
    /// With a list of attributes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub include: Option<usize>,
    /// Of all kinds together.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub total: Option<usize>,
}

/// A layout of one entity.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Layout {
    /// The primary key.
    pub base: Path,
    /// The logical indexes.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub indexes: Vec<LogicalIndex>,
    /// How each demand is served.
    pub ways: Vec<Way>,
    /// What it costs per month, without the reads that it shares with other entities.
    pub price: Money,
}

/// Which attributes make a key, by their positions.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Path {
    /// Those of the partition key.
    pub partition: Vec<usize>,
    /// Those of the sort key.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sort: Vec<usize>,
    /// Those of the sort key that are encoded downwards.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub descending: Vec<usize>,
    /// Only items with this value of this attribute are in it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub only: Option<(usize, String)>,
}

/// A logical index.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct LogicalIndex {
    /// Its key.
    pub path: Path,
    /// What it holds.
    pub projection: Projected,
}

/// What an index holds beside its keys.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum Projected {
    /// All attributes.
    All,
    /// Nothing.
    Keys,
    /// These attributes.
    Include(Vec<usize>),
}

/// How a demand is served.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum Way {
    /// The inputs give the key: there is nothing to find.
    Known,
    /// From the table.
    Table,
    /// From the uniqueness item of this unique set, then the item.
    Unique(usize),
    /// From the index at this position in the layout.
    Index(usize),
}

//! The certificate of a Design: what is known about the optimum, and the tables that let somebody else check it.
//!
//! The proof is complete in itself. Its facts are all the numbers that a price depends on, so that whoever checks it
//! needs neither the document nor the designer: attributes, demands and writes go by their positions in these lists.
//! What it says of every entity are the cheapest layouts within some limits on the number of indexes, or, where there
//! are very many, a tree of decisions whose ends are bounded; what it says of every component is the least price of all
//! its entities together, one entity summed out after the other.

mod facts;

pub use facts::{
    AttributeFacts, Bounded, DemandFacts, EffectAction, EffectFacts, EntityFacts, KeptBlock, KeptKeys,
    KeptPlace, KeyForm, Prices, ResultFacts, SharedRead, UniqueFacts,
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
    /// Other ways to lay the document out, which lost: the bound holds for each of them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub others: Vec<Proof>,
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
    /// The tables of the design: nothing is shared between them.
    pub tables: Vec<TableProof>,
    /// Entities that pay for a native index, each with the index as one of its own. One that is not here is paid for in
    /// equal parts by all who could open it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub payers: Vec<Vec<(usize, LogicalIndex)>>,
}

/// What is known of one table.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct TableProof {
    /// Its GSIs in the design.
    pub indexes: usize,
    /// The GSIs that are there already, whatever is chosen: of all attributes, of keys, of lists.
    #[serde(default)]
    pub present: [usize; 3],
    /// Entities that shared reads tie together, and what they cost.
    pub components: Vec<Component>,
    /// INCLUDE lists that need more GSIs than there may be, so that one of each crowd is missing.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub crowds: Vec<Vec<ListUse>>,
}

/// Entities that shared reads tie together.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Component {
    /// The entities, by their positions.
    pub entities: Vec<usize>,
    /// For some limits on the number of indexes, what nothing within them is cheaper than.
    pub bounds: Vec<Bound>,
}

/// Some entity has so many indexes, or more, that list these of its names.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ListUse {
    /// The names that are listed, ascending.
    pub listed: Vec<String>,
    /// The entity's other names, ascending: one of them in the GSI would widen its entries.
    pub missing: Vec<String>,
    /// How many indexes.
    pub many: usize,
}

/// What a component costs at least, within some limits.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Bound {
    /// The most indexes that an entity has.
    pub limits: Limits,
    /// INCLUDE lists that no entity has so many of.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub without: Vec<ListUse>,
    /// The least price; none where nothing keeps to the limits.
    pub least: Option<Money>,
    /// For each of its entities, the layouts that no other beats.
    pub layouts: Vec<Vec<Layout>>,
    /// The order in which its entities are summed out, where there are several, and what that gives.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub elimination: Vec<Elimination>,
    /// Why an entity with very many layouts has no cheaper one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub trees: Vec<Tree>,
}

/// An entity that is summed out: the least price of its subtree, which is the entity and all that were summed out
/// before it and are tied to it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Elimination {
    /// The entity.
    pub entity: usize,
    /// The entities that are left and that its subtree is tied to.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub with: Vec<usize>,
    /// The least price of the subtree, for every interface of these.
    pub table: Vec<Subtree>,
}

/// What a subtree costs at least beside one interface.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Subtree {
    /// For each entity that is left, a layout with the interface, by its position among those that are listed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub beside: Vec<usize>,
    /// The least price; none where the reads that tie them find no place together.
    pub least: Option<Money>,
}

/// Decisions about one entity that end where nothing is left, or nothing that is cheap enough to matter.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Tree {
    /// The entity.
    pub entity: usize,
    /// The indexes that are weighed: for every other one, one of these can take its place and is never dearer.
    pub indexes: Vec<LogicalIndex>,
    /// The first is the root; what a decision leads to comes after it.
    pub nodes: Vec<Node>,
}

/// A decision, or its end.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum Node {
    /// Yes or no.
    Decide {
        /// What is decided.
        on: Decision,
        /// The node for yes.
        yes: usize,
        /// The node for no.
        no: usize,
    },
    /// Nothing is left: one of these demands has no way at all, or each of them needs an index of its own, and there is
    /// no room for so many. Without any demand: no primary key is left.
    Illegal(Vec<usize>),
    /// What is left costs at least what prices come to. Opening an index is worth no more to the demands than the parts by
    /// which their prices pass what serving them there costs.
    Bound {
        /// One for each demand.
        prices: Vec<Money>,
        /// Demands that each need an index of their own: an item holds at least the smallest keys for each.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        apart: Vec<usize>,
    },
}

/// What a decision is about.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum Decision {
    /// The entity has this primary key.
    Base(Path),
    /// The entity has the index at this position of those that are weighed.
    Index(usize),
    /// The demand is served from the index at this position; from the table where there is none.
    Place {
        /// The demand.
        demand: usize,
        /// The index.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        index: Option<usize>,
    },
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

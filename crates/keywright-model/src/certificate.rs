//! The certificate of a Design: how far it is from the optimum, with the tables that let a third party check
//! that claim.
//!
//! The proof is self-contained. Its facts hold every number that a price depends on, so a checker needs
//! neither the document nor the designer. Attributes, demands and writes are referred to by their positions
//! in these lists. For every entity the proof lists the cheapest layouts within some limits on the number of
//! indexes; where an entity has too many layouts to list, it gives a tree of decisions whose leaves are
//! bounded. For every component it gives the least price of all its entities together, computed by
//! eliminating one entity after the other.

mod facts;

pub use facts::{
    AttributeFacts, Bounded, DemandFacts, EffectAction, EffectFacts, EntityFacts, KeptBlock, KeptKeys,
    KeptPlace, KeyForm, Prices, ResultFacts, SharedRead, UniqueFacts,
};

use keywright_dynamodb::Money;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::design::Total;

/// How close the design is to the optimum.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Certificate {
    /// Whether no design in the search space is cheaper.
    pub optimal: bool,
    /// A lower bound on the monthly price of every design in the search space, operational prices included.
    pub lower_bound: Money,
    /// The most that another design in the search space could save per month.
    pub gap: Money,
    /// The price of the design that would be chosen if all operational prices were zero.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pure_bill: Option<Total>,
    /// The monthly cost of serving every read of several entities with one Query; negative where that saves
    /// money.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub one_query: Option<Money>,
    /// Sentences that name what the proof does not cover.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub not_covered: Vec<String>,
    /// The tables to check; absent where there is no proof.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub proof: Option<Proof>,
    /// Proofs for other ways to lay out the document, all of which lost: the bound holds for each of them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub others: Vec<Proof>,
}

/// The tables that prove the bound.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Proof {
    /// The unit prices.
    pub prices: Prices,
    /// The entities, with everything that patterns ask of them.
    pub entities: Vec<EntityFacts>,
    /// The reads of several entities.
    pub shared: Vec<SharedRead>,
    /// The monthly price that no choice changes: Scans.
    pub fixed: Money,
    /// The layout of each entity in the design.
    pub chosen: Vec<Layout>,
    /// One proof per table of the design. Tables share no indexes.
    pub tables: Vec<TableProof>,
    /// For native indexes (several key attributes) that several entities could share: the entities that pay
    /// for one, each with that index as one of its own. An index that is not listed here is paid for in equal
    /// parts by all entities that could use it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub payers: Vec<Vec<(usize, LogicalIndex)>>,
}

/// What is proved about one table.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct TableProof {
    /// The number of its GSIs in the design.
    pub indexes: usize,
    /// The number of GSIs that exist already and stay, by projection: all attributes, keys only, INCLUDE
    /// list.
    #[serde(default)]
    pub present: [usize; 3],
    /// Its components: groups of entities that shared reads tie together, with their bounds.
    pub components: Vec<Component>,
    /// Groups of INCLUDE lists. A design with fewer GSIs for lists than a group needs lacks at least one list
    /// of that group.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub crowds: Vec<Vec<ListUse>>,
}

/// Entities that shared reads tie together.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Component {
    /// The entities, by their positions.
    pub entities: Vec<usize>,
    /// Lower bounds on the price of the component, each within its own limits on the number of indexes.
    pub bounds: Vec<Bound>,
}

/// An entity has at least `many` indexes whose INCLUDE list holds exactly these of its attribute names.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ListUse {
    /// The attribute names on the list, ascending.
    pub listed: Vec<String>,
    /// The entity's other attribute names, ascending: adding one of them to the GSI would make its entries
    /// larger.
    pub missing: Vec<String>,
    /// The least number of such indexes.
    pub many: usize,
}

/// A lower bound on the price of a component, within some limits.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Bound {
    /// The limits: how many indexes each entity may have.
    pub limits: Limits,
    /// Uses of INCLUDE lists that are excluded: every entity has fewer than `many` such indexes.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub without: Vec<ListUse>,
    /// The lower bound; absent where no layouts keep to the limits.
    pub least: Option<Money>,
    /// For each entity of the component, its layouts that no other layout beats.
    pub layouts: Vec<Vec<Layout>>,
    /// The order in which the entities are eliminated, with the resulting tables; empty for a single entity.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub elimination: Vec<Elimination>,
    /// Decision trees for entities with too many layouts to list; each proves that its entity has no cheaper
    /// layout.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub trees: Vec<Tree>,
}

/// One step of the elimination. It gives the least price of the entity's subtree: the entity itself and all
/// entities that were eliminated before it and are tied to it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Elimination {
    /// The entity that is eliminated.
    pub entity: usize,
    /// The remaining entities that its subtree is tied to.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub with: Vec<usize>,
    /// The least price of the subtree, for every combination of interfaces of these entities.
    pub table: Vec<Subtree>,
}

/// The least price of a subtree for one combination of interfaces of the remaining entities.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Subtree {
    /// For each entity of `with`, a layout that has the interface, by its position in the list of layouts.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub beside: Vec<usize>,
    /// The least price; absent where the shared reads can't be served by any such combination.
    pub least: Option<Money>,
}

/// A tree of decisions about one entity. At every leaf no layout is left, or none that is cheap enough to
/// matter.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Tree {
    /// The entity.
    pub entity: usize,
    /// The indexes that are considered: every other index can be replaced by one of these without a higher
    /// price.
    pub indexes: Vec<LogicalIndex>,
    /// The nodes. The first is the root, and every node comes after its parent.
    pub nodes: Vec<Node>,
}

/// A decision, or a leaf.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum Node {
    /// A decision with two branches.
    Decide {
        /// The question.
        on: Decision,
        /// The node for yes.
        yes: usize,
        /// The node for no.
        no: usize,
    },
    /// A leaf where no layout is left: one of these demands can't be served at all, or each of them needs an
    /// index of its own and the limits don't allow that many. An empty list means that no primary key is
    /// left.
    Illegal(Vec<usize>),
    /// A leaf whose layouts are bounded from below by prices of the demands. Opening an index saves at most
    /// the amounts by which these prices exceed the cost of serving the demands from that index.
    Bound {
        /// One price per demand.
        prices: Vec<Money>,
        /// Demands that each need an index of their own: an item holds at least the smallest key of each such
        /// index.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        apart: Vec<usize>,
    },
}

/// The question of a decision.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum Decision {
    /// The entity has this primary key.
    Base(Path),
    /// The entity has this index, by its position in the tree's `indexes`.
    Index(usize),
    /// The demand is served from this index, or from the table if none is given.
    Place {
        /// The demand, by its position.
        demand: usize,
        /// The index, by its position in the tree's `indexes`.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        index: Option<usize>,
    },
}

/// The most indexes that an entity may have; an absent limit allows any number.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Limits {
    /// Indexes that project all attributes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub all: Option<usize>,
    /// Indexes that project keys only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub keys: Option<usize>,
    /// Indexes with an INCLUDE list.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub include: Option<usize>,
    /// Indexes of all kinds together.
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
    /// How each demand is served, in the order of the demands.
    pub ways: Vec<Way>,
    /// The monthly price, without the reads that the entity shares with others.
    pub price: Money,
}

/// The attributes of a key, by their positions.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Path {
    /// The attributes of the partition key.
    pub partition: Vec<usize>,
    /// The attributes of the sort key.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sort: Vec<usize>,
    /// The attributes of the sort key that are encoded in descending order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub descending: Vec<usize>,
    /// The attributes of an existing sort key that hold the name of a value whose declared order is another.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub by_name: Vec<usize>,
    /// A sparse index: it holds only the items whose attribute at this position has this value.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub only: Option<(usize, String)>,
}

/// A logical index.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct LogicalIndex {
    /// Its key.
    pub path: Path,
    /// The attributes that it projects.
    pub projection: Projected,
}

/// The attributes that an index projects beside its keys.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum Projected {
    /// All attributes.
    All,
    /// No other attributes.
    Keys,
    /// These attributes.
    Include(Vec<usize>),
}

/// How a demand is served.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum Way {
    /// The inputs give the whole key: no read is needed to find the item.
    Known,
    /// From the table.
    Table,
    /// From the uniqueness item of this unique set, which leads to the item.
    Unique(usize),
    /// From the index at this position in the layout's `indexes`.
    Index(usize),
}

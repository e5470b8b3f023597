//! The exact search: layouts per entity, joined over shared reads, for every number of indexes.
//!
//! Nothing here knows key strings; prices come from [`crate::cost`].

mod arrangement;
mod budget;
mod colouring;
mod component;
mod dominance;
mod dual;
mod elimination;
mod front;
mod graph;
mod grouping;
mod growth;
mod keeping;
mod layout;
mod limits;
mod lists;
mod native;
mod open;
mod options;
mod removal;
mod table;
mod task;
mod tied;
mod total;
mod tree;

pub(crate) use arrangement::{
    Arrangement, FixedBlock, MOST_BLOCKS, Owners, arrange, block_name, literals, owners, tidiest,
    wanted_blocks,
};
pub(crate) use budget::{Below, Budget, Spot, own_load};
pub(crate) use colouring::{Apart, Colouring, Group, Present, colour, colour_beside};
pub(crate) use component::shared_price_at;
pub(crate) use layout::{
    Layout, Service, SharedPlace, evaluate, evaluate_beside, index_load, may_be_arranged,
};
pub(crate) use limits::Limits;
#[cfg(test)]
pub(crate) use open::EXAGGERATION;
pub(crate) use open::{Ban, least_indexes};
pub(crate) use options::{Choice, choices, plans};
pub(crate) use task::{EntityTask, Stop};
pub(crate) use total::{
    Answer, Known, KnownComponent, KnownTable, Paid, Summed, Unshown, Unsolved, Wanted, solve, tables,
};
pub(crate) use tree::{Decision, Node, tree};

/// How many indexes of each kind: ALL, KEYS, INCLUDE.
pub(crate) type Counts = [usize; 3];

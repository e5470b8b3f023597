//! The exact search: layouts per entity, joined over shared reads, for every number of indexes.
//!
//! Nothing here knows key strings; prices come from [`crate::cost`].

mod arrangement;
mod colouring;
mod dual;
mod elimination;
mod layout;
mod native;
mod options;
mod total;

pub(crate) use arrangement::{Arrangement, FixedBlock, arrange, literals, tidiest};
pub(crate) use colouring::{Group, Present, colour, colour_beside};
pub(crate) use layout::{EntityTask, Layout, Stop, evaluate};
pub(crate) use options::{Choice, choices};
pub(crate) use total::{Answer, Unsolved, solve, tables};

/// How many indexes of each kind: ALL, KEYS, INCLUDE.
pub(crate) type Counts = [usize; 3];

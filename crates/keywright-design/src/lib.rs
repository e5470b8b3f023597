//! Model → Design: the cheapest table design that serves every pattern, and the proof that it is.
//!
//! ```text
//! Model ─resolve─▶ Problem ─candidates─▶ paths ─search─▶ layouts ─emit─▶ Design
//!                     └───────── cost: exact prices ──────┘
//! ```
//!
//! `problem` knows numbers instead of names; `candidate` lists what may be chosen; `cost` prices without
//! searching; `search` chooses without key strings; `emit` writes keys and operations without choosing.

mod candidate;
mod certificate;
mod collection;
mod copy;
mod cost;
mod decide;
mod demand;
mod design;
mod emit;
#[cfg(test)]
mod exhaustive;
mod existing;
mod extend;
mod form;
mod key;
mod merge;
mod naming;
mod path;
mod plan;
mod problem;
mod rewriting;
mod rules;
mod search;
mod threads;

pub use cost::OperationalPrices;
pub use design::{
    Frontier, Options, Outcome, PartitionHeat, Proven, Space, TurningPoints, assumptions, design,
};
pub use extend::{Addition, Takes};
pub use rules::RULES;

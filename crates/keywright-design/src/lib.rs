//! Model → Design: the cheapest table design that serves every pattern, and the proof that it is.
//!
//! ```text
//! Model ─resolve─▶ Problem ─candidates─▶ paths ─search─▶ layouts ─emit─▶ Design
//!                     └───────── cost: exact prices ──────┘
//! ```
//!
//! | to change | look in |
//! |---|---|
//! | how a document's words become numbers, what is assumed | `problem/resolve/` |
//! | which keys and indexes may be chosen | `candidate/`, one file per kind |
//! | how a Query serves a read | `plan/` |
//! | what something costs, weighs or heats | `cost/` |
//! | how the cheapest is found | `search/`; whole documents that are tried against each other: `design.rs` |
//! | what is too hot together | `collection.rs`, `design/cooling.rs`, `search/budget.rs` |
//! | what a merge, a copy or a filter makes of a document | `merge.rs`, `copy.rs`, `problem/resolve/sifted.rs` |
//! | what is kept of a table that exists | `existing.rs`; what that takes: `extend.rs` |
//! | keys, item types and operations as they are written | `emit/`, names: `naming.rs` |
//! | what is said of a choice | `decide/` |
//! | what others can check | `certificate/` |
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
mod first_value;
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

pub use certificate::CertificateTables;
pub use cost::OperationalPrices;
pub use design::{
    FrontierPoint, Options, Outcome, PartitionHeat, Proven, Space, TurningPoints, assumptions, design,
};
pub use extend::{Addition, Takes};
pub use problem::no_patterns;
pub use rules::RULES;

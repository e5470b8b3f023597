//! The many ways in which people write the same thing.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod bearers;
mod cells;
mod conditions;
mod entities;
mod expected;
mod layout;
mod links;
mod lists;
mod music;
mod newcomers;
mod silence;
mod stated;
mod tables;
mod verbs;
mod versions;
mod writes;

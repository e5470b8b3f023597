//! Whole commands, as a user or a CI job runs them. One binary: linking one for every file would take longer than the tests.

mod build;
mod catalogue;
mod check;
mod derivation;
mod documents;
mod engine;
mod examples;
mod explain;
mod failing;
mod generate;
mod history;
mod identities;
mod key;
mod kinds;
mod limits;
mod mutations;
mod pages;
mod proofs;
mod published;
mod races;
mod states;
mod styles;
mod team;
mod terminal;
mod validation;
mod writes;

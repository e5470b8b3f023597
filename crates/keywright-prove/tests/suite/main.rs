//! Proofs that hold, proofs that must fail, and the engines that they run on. One binary, linked once.

mod bench_table;
mod capacity;
mod cascade;
mod data;
mod embedded;
mod endpoint;
mod fixture;
mod mutation;
mod proof;
mod serve;
mod smallest;

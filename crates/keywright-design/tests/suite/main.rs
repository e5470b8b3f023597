//! What is derived from whole documents. One binary: linking one for every file would take longer than the tests.

mod absurd;
mod assumptions;
mod certificate;
mod copies;
mod counters;
mod example;
mod example_items;
mod extend;
mod extend_certified;
mod given_back;
mod head;
mod heat;
mod history;
mod identity;
mod links;
mod merge;
mod pages;
mod space;
mod styles;
mod support;
mod teaching;
mod time_limit;
mod told;
mod totality;
mod turning;
mod writes;

//! What is generated from whole designs. One binary, linked once.

mod by_hand;
mod golden;
mod iam;
mod interfaces;
mod names;
mod nosql_workbench;

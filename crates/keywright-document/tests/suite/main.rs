//! Documents read and written back. One binary, linked once.

mod examples;
mod forms;
mod properties;
mod random;
mod scale;
mod table_design_by_hand;
mod table_design_round_trip;

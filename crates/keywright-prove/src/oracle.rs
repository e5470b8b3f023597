//! What patterns mean, evaluated on plain records in memory; nothing here knows of keys, items or tables.

mod order;
mod read;
mod select;
mod write;

pub(crate) use order::compare_attribute;
pub(crate) use read::{Expected, Row, expected, wanted_attributes};
pub(crate) use select::{at_most, binding, said, select};
pub(crate) use write::{
    Judgement, bearers, declared_number, initial, is_met, judge, made_names, must_exist, must_not_exist,
    unique_sets,
};

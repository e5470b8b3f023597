//! Data made from a Model by seed and scale: fan-outs, ties, extremes, and values that try to break keys.

mod plan;
mod value;

pub(crate) use plan::{Plan, creation_order, fan_out, many, parents};
pub(crate) use value::{Values, absent_value, neighbours};

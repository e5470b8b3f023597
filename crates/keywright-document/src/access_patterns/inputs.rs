//! The inputs of a pattern: what the caller gives, which attribute it speaks of, and what it is for.

mod binding;
mod cell;
mod inferred;
mod role;
mod value;

pub(super) use binding::{finds_another, identifies, is_optional, may_change};
pub(super) use cell::{Operator, Written, period_named, read_cell};
pub(super) use inferred::{is_expected, is_paging, time};
pub(super) use role::{Context, resolve};
pub(super) use value::{literal, report_value};

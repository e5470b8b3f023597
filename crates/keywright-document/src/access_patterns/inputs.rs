//! The inputs of a pattern: what the caller gives, which attribute it speaks of, and what it is for.

mod cell;
mod role;

pub(super) use cell::{Written, read_cell};
pub(super) use role::{Context, is_paging, resolve};

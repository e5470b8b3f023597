//! The catalogue: one list per group, one file per rule.

mod patterns;

pub(crate) use patterns::PATTERNS;

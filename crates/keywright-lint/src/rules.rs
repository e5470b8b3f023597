//! The catalogue: one list per group, one file per rule.

mod indexes;
mod keys;
mod operations;
mod patterns;

pub(crate) use patterns::PATTERNS;

/// The rules over designs.
pub(crate) fn designs() -> impl Iterator<Item = &'static crate::check::DesignCheck> {
    keys::KEYS.iter().chain(operations::OPERATIONS).chain(indexes::INDEXES)
}

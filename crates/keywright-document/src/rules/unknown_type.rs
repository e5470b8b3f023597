//! unknown-type: an attribute of a type that does not exist.

use keywright_finding::{Group, Rule};

/// An attribute of a type that does not exist; it is read as a string.
pub static UNKNOWN_TYPE: Rule = Rule::error(
    "unknown-type",
    Group::Document,
    "an attribute of a type that does not exist",
    include_str!("unknown_type.md"),
);

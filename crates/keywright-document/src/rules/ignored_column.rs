//! ignored-column: a column that is not read.

use keywright_finding::{Group, Rule};

/// A column that the format does not know; it is kept and changes nothing.
pub static IGNORED_COLUMN: Rule = Rule::note(
    "ignored-column",
    Group::Document,
    "a column that is not read",
    include_str!("ignored_column.md"),
);

//! unreadable-cell: words in a place where only certain values have a meaning.

use keywright_finding::{Group, Rule};

/// Words in a place where only certain values have a meaning; they are left out of the Model.
pub static UNREADABLE_CELL: Rule = Rule::error(
    "unreadable-cell",
    Group::Document,
    "a cell whose value can't be read",
    include_str!("unreadable_cell.md"),
);

//! malformed-diagram: a line of a diagram that can't be read.

use keywright_finding::{Group, Rule};

/// A line of a diagram that can't be read; the rest of the diagram is.
pub static MALFORMED_DIAGRAM: Rule = Rule::warning(
    "malformed-diagram",
    Group::Document,
    "a line of a diagram that can't be read",
    include_str!("malformed_diagram.md"),
);

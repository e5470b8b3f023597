//! contradicting-design: two places of a design of which only one can be right.

use keywright_finding::{Group, Rule};

/// contradicting-design.
pub static CONTRADICTING_DESIGN: Rule = Rule::error(
    "contradicting-design",
    Group::Document,
    "two places of a design that contradict each other",
    include_str!("contradicting_design.md"),
);

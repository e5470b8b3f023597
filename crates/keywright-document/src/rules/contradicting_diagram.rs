//! contradicting-diagram: a diagram and the prose contradict each other.

use keywright_finding::{Group, Rule};

/// A diagram and the prose contradict each other; the diagram wins.
pub static CONTRADICTING_DIAGRAM: Rule = Rule::warning(
    "contradicting-diagram",
    Group::Document,
    "a diagram and the prose contradict each other",
    include_str!("contradicting_diagram.md"),
);

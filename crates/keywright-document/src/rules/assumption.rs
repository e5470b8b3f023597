//! assumption: what the reader inferred where the document was silent.

use keywright_finding::{Group, Rule};

/// What the reader inferred where the document was silent; refused in a strict run.
pub static ASSUMPTION: Rule = Rule::note(
    "assumption",
    Group::Document,
    "a value that was inferred because the document does not state it",
    include_str!("assumption.md"),
)
.refused_when_strict();

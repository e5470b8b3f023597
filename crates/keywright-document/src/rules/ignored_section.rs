//! ignored-section: a section or a table that is not read.

use keywright_finding::{Group, Rule};

/// A section or a table that the format does not know; it is kept and changes nothing.
pub static IGNORED_SECTION: Rule = Rule::note(
    "ignored-section",
    Group::Document,
    "a section or a table that is not read",
    include_str!("ignored_section.md"),
);

//! duplicate-attribute: two attributes of an entity share a name.

use keywright_finding::{Group, Rule};

/// Two attributes of an entity share a name; the first one counts.
pub static DUPLICATE_ATTRIBUTE: Rule = Rule::error(
    "duplicate-attribute",
    Group::Document,
    "two attributes of an entity share a name",
    include_str!("duplicate_attribute.md"),
);

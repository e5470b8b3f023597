//! duplicate-entity: two entities share a name.

use keywright_finding::{Group, Rule};

/// Two entities share a name; the first one counts.
pub static DUPLICATE_ENTITY: Rule = Rule::error(
    "duplicate-entity",
    Group::Document,
    "two entities share a name",
    include_str!("duplicate_entity.md"),
);

//! unused-allow: an allow comment that suppresses nothing.

use crate::{Group, Rule};

/// An allow comment that suppresses nothing, because there is no such finding or no such rule.
pub static UNUSED_ALLOW: Rule = Rule::warning(
    "unused-allow",
    Group::Document,
    "an allow comment that suppresses nothing",
    include_str!("unused_allow.md"),
);

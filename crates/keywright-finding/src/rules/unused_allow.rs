//! unused-allow: an allow comment that suppresses nothing.

use crate::{Group, Rule};

/// An allow comment that suppresses nothing, because no such finding is there or no such rule exists.
pub static UNUSED_ALLOW: Rule = Rule::warning(
    "unused-allow",
    Group::Document,
    "an allow comment that suppresses nothing",
    include_str!("unused_allow.md"),
);

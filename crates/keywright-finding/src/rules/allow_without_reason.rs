//! allow-without-reason: an allow comment that gives no reason.

use crate::{Group, Rule};

/// An allow comment that gives no reason; it suppresses nothing.
pub static ALLOW_WITHOUT_REASON: Rule = Rule::warning(
    "allow-without-reason",
    Group::Document,
    "an allow comment that does not say why",
    include_str!("allow_without_reason.md"),
);

//! oversized-document: a document, or a part of it, that is too much to read.

use keywright_finding::{Group, Rule};

/// A document, or a part of it, that is too much to read.
pub static OVERSIZED_DOCUMENT: Rule = Rule::error(
    "oversized-document",
    Group::Document,
    "a document, or a part of it, that is too much to read",
    include_str!("oversized_document.md"),
);

//! The documents that people write and that we read: access patterns with their diagrams, in Markdown.
//!
//! Reading is total: any text gives a value and findings, never an error and never a panic.

pub mod markdown;

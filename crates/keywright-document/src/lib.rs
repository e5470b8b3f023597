//! The documents that people write and that we read: access patterns with their diagrams, and table designs, which we
//! also write, in Markdown.
//!
//! Reading is total: any text gives a value and findings, never an error and never a panic.

mod access_patterns;
mod folding;
mod kind;
pub mod markdown;
mod rules;
mod table_design;

pub use access_patterns::read_access_patterns;
pub use kind::DocumentKind;
pub use rules::{
    ASSUMPTION, CONTRADICTING_DESIGN, CONTRADICTING_DIAGRAM, DUPLICATE_ATTRIBUTE, DUPLICATE_ENTITY,
    IGNORED_COLUMN, IGNORED_SECTION, MALFORMED_DIAGRAM, OVERSIZED_DOCUMENT, RULES, UNKNOWN_TYPE,
    UNREADABLE_CELL,
};
pub use table_design::{
    Check, Companions, TableDesign, complete_design, read_table_design, write_table_design,
};

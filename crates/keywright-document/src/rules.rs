//! The rules about what a reader can and can't make of a document, each in its file with its page beside it.

mod assumption;
mod contradicting_design;
mod contradicting_diagram;
mod duplicate_attribute;
mod duplicate_entity;
mod ignored_column;
mod ignored_section;
mod malformed_diagram;
mod oversized_document;
mod unknown_type;
mod unreadable_cell;

pub use assumption::ASSUMPTION;
pub use contradicting_design::CONTRADICTING_DESIGN;
pub use contradicting_diagram::CONTRADICTING_DIAGRAM;
pub use duplicate_attribute::DUPLICATE_ATTRIBUTE;
pub use duplicate_entity::DUPLICATE_ENTITY;
pub use ignored_column::IGNORED_COLUMN;
pub use ignored_section::IGNORED_SECTION;
pub use malformed_diagram::MALFORMED_DIAGRAM;
pub use oversized_document::OVERSIZED_DOCUMENT;
pub use unknown_type::UNKNOWN_TYPE;
pub use unreadable_cell::UNREADABLE_CELL;

use keywright_finding::Rule;

/// All rules of this crate.
pub static RULES: &[&Rule] = &[
    &ASSUMPTION,
    &CONTRADICTING_DESIGN,
    &CONTRADICTING_DIAGRAM,
    &DUPLICATE_ATTRIBUTE,
    &DUPLICATE_ENTITY,
    &IGNORED_COLUMN,
    &IGNORED_SECTION,
    &MALFORMED_DIAGRAM,
    &OVERSIZED_DOCUMENT,
    &UNKNOWN_TYPE,
    &UNREADABLE_CELL,
];

//! Spans, line index, rules, findings, edits and suppressions: how Keywright reports problems of a document.
//!
//! Each [`Rule`] is declared once. The stages create its [`Finding`]s at [`Span`]s of a document. Nothing
//! here reads files or prints.

mod allow;
mod baseline;
mod catalogue;
mod edit;
mod examples;
mod finding;
mod level;
mod levels;
mod line_index;
#[cfg(feature = "render")]
pub mod render;
mod report;
mod rule;
mod rules;
mod source;
mod span;
mod suggestion;

pub use allow::{Allow, allows};
pub use baseline::Baseline;
pub use catalogue::Catalogue;
pub use edit::{Edit, EditError, Edits, Fix};
pub use examples::Examples;
pub use finding::{Finding, Related};
pub use level::Level;
pub use levels::{Levels, Setting};
pub use line_index::{LineIndex, Location};
pub use report::{Allowed, Counts, Policy, Report};
pub use rule::{Group, Rule};
pub use rules::{ALLOW_WITHOUT_REASON, RULES, UNUSED_ALLOW};
pub use source::{Source, SourceId, Sources};
pub use span::Span;
pub use suggestion::Suggestions;

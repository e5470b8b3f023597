//! Renderers of a report: for people, programs, code scanners and GitHub.
//!
//! Renderers write to any [`io::Write`] and have no other effects. Lines and columns count from one, columns
//! in Unicode code points.

mod github;
mod human;
mod json;
mod sarif;

use std::io;

pub use github::github;
pub use human::{Human, human};
pub use json::json;
#[cfg(feature = "schema")]
pub use json::json_schema;
pub use sarif::sarif;

use crate::{Source, SourceId, Sources};

/// The document of a finding. Findings only refer to documents of the run.
fn document(sources: &Sources, id: SourceId) -> io::Result<&Source> {
    sources
        .get(id)
        .ok_or_else(|| io::Error::other(format!("a finding is about document {}, which the run lacks", id.0)))
}

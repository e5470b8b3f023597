//! Generates the files that a team commits from a Design: documents, typed code, infrastructure, charts.
//!
//! Every target works from one language-neutral [`Plan`]: entity models, key builders, one method per
//! pattern, transactions, paging and traceability, with names that are valid in every language. A target is
//! one file in `targets/` and one line in [`TARGETS`]; a language of interfaces is one file in `languages/`
//! and one line in [`LANGUAGES`].
//!
//! Nothing here touches the disk: [`generate`] returns [`File`]s, and [`stale`] compares them with existing
//! files.

mod code;
mod describe;
mod file;
mod header;
pub mod languages;
pub mod plan;
mod rules;
mod targets;

pub use file::{File, Staleness, State, leftover, stale};
pub use languages::{LANGUAGES, Language};
pub use plan::{Plan, Source};
pub use rules::RULES;
pub use targets::{Options, TARGETS, Target};

use keywright_finding::Finding;

/// The files of a target, or the findings that prevent their generation.
pub fn generate(target: &Target, source: &Source<'_>, options: &Options) -> Result<Vec<File>, Vec<Finding>> {
    let plan = Plan::new(source)?;
    Ok((target.files)(&plan, options))
}

/// The target with that name.
pub fn target(name: &str) -> Option<&'static Target> {
    TARGETS.iter().copied().find(|target| target.name == name)
}

/// The language with that name, in any case.
pub fn language(name: &str) -> Option<&'static Language> {
    LANGUAGES.iter().copied().find(|language| language.name.eq_ignore_ascii_case(name))
}

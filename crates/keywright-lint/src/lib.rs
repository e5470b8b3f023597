//! Rules over what a document states: Model in, findings out.
//!
//! A rule is one file under `rules/`: its declaration, its check, and beside it its page, whose examples are its test.
//! To add one, write the file and name it in its group's list. Checks are small functions over [`Facts`]: names are
//! resolved once, beside the Model, and resolving can't fail.

mod check;
mod facts;
mod rules;
mod words;

use keywright_finding::{Finding, Rule};
use keywright_model::Model;

pub use facts::{EntityFacts, Facts};

/// All rules of this crate.
#[must_use]
pub fn rules() -> Vec<&'static Rule> {
    rules::PATTERNS.iter().map(|check| check.rule).collect()
}

/// What the rules over access patterns say about a Model.
#[must_use]
pub fn patterns(model: &Model) -> Vec<Finding> {
    let facts = Facts::new(model);
    let mut findings = Vec::new();
    for check in rules::PATTERNS {
        (check.run)(&facts, &mut findings);
    }
    findings
}

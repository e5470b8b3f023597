//! Rules over Models and Designs: values in, findings out.
//!
//! A rule is one file under `rules/`: its declaration, its check, and beside it its page, whose examples are its test.
//! To add one, write the file and name it in its group's list. Checks are small functions over [`Facts`]: names are
//! resolved once, beside the Model, and resolving can't fail.

mod check;
mod conventions;
mod design_facts;
mod facts;
mod guards;
mod numbers;
mod rules;
mod words;

use keywright_finding::{Finding, Rule};
use keywright_model::design::DesignSource;
use keywright_model::{Design, Model};

pub use conventions::{Conventions, PrefixCase};
pub use design_facts::{DesignFacts, Key, Known, Member, RequestPlace, Space};
pub use facts::{EntityFacts, Facts};

/// All rules of this crate.
#[must_use]
pub fn rules() -> Vec<&'static Rule> {
    let of_designs = rules::designs().map(|check| check.rule);
    rules::PATTERNS.iter().map(|check| check.rule).chain(of_designs).collect()
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

/// What the rules over designs say about a Design, with numbers from the Model where there is one.
///
/// `source` says where the parts of the Design stand; the default for one that was derived.
#[must_use]
pub fn designs(design: &Design, source: &DesignSource, model: Option<&Model>) -> Vec<Finding> {
    judge(&Conventions::default(), design, source, model, None)
}

/// What the rules over designs say about a Design by the customs of a team.
#[must_use]
pub fn designs_by(
    conventions: &Conventions,
    design: &Design,
    source: &DesignSource,
    model: Option<&Model>,
) -> Vec<Finding> {
    judge(conventions, design, source, model, None)
}

/// What the rules over designs say about a Design that extends a table that exists.
#[must_use]
pub fn designs_on_base(
    design: &Design,
    source: &DesignSource,
    model: Option<&Model>,
    base: Option<&Design>,
) -> Vec<Finding> {
    judge(&Conventions::default(), design, source, model, base)
}

fn judge(
    conventions: &Conventions,
    design: &Design,
    source: &DesignSource,
    model: Option<&Model>,
    base: Option<&Design>,
) -> Vec<Finding> {
    let model = model.map(Facts::new);
    let mut facts = DesignFacts::new(design, source, model.as_ref()).with_base(base);
    facts.conventions = conventions.clone();
    let mut findings = Vec::new();
    for check in rules::designs() {
        (check.run)(&facts, &mut findings);
    }
    findings
}

//! The rules of all stages as one catalogue.

use keywright_finding::{Catalogue, Rule};

/// Joins the rules of the stages. Only the program sees all of them: stages do not know each other.
pub(crate) fn catalogue() -> Catalogue {
    Catalogue::new(&[
        keywright_document::RULES,
        keywright_design::RULES,
        &keywright_lint::rules(),
        keywright_generate::RULES,
    ])
}

/// The command that finds what a rule is about; others that run the same stage find it too.
pub(crate) fn found_by(rule: &Rule) -> &'static str {
    let is_in = |rules: &[&Rule]| rules.iter().any(|it| it.name() == rule.name());
    if is_in(keywright_design::RULES) {
        "design"
    } else if is_in(keywright_generate::RULES) {
        "generate"
    } else {
        "check"
    }
}

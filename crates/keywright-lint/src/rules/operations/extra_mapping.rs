//! extra-mapping: an operation for a pattern that the access patterns do not have.

use keywright_finding::{Finding, Group, Rule, Span};

use crate::DesignFacts;
use crate::check::DesignCheck;

static RULE: Rule = Rule::error(
    "extra-mapping",
    Group::Operations,
    "an operation for a pattern that the access patterns do not have",
    include_str!("extra_mapping.md"),
);

pub(super) const CHECK: DesignCheck = DesignCheck { rule: &RULE, run: check };

fn check(facts: &DesignFacts<'_>, findings: &mut Vec<Finding>) {
    let Some(model) = facts.model.filter(|model| !model.model.patterns.is_empty()) else { return };
    for (operation, source) in facts.operations() {
        if model.model.pattern(&operation.pattern).is_none() {
            findings.push(
                Finding::new(
                    &RULE,
                    source.map_or_else(Span::default, |source| source.id),
                    format!("the access patterns have no {}", operation.pattern),
                )
                .help("state the pattern there, or take the row out"),
            );
        }
    }
}

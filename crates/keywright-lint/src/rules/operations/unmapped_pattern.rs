//! unmapped-pattern: an access pattern that no operation serves.

use keywright_finding::{Finding, Group, Rule, Span};

use crate::DesignFacts;
use crate::check::DesignCheck;

static RULE: Rule = Rule::error(
    "unmapped-pattern",
    Group::Operations,
    "an access pattern that no operation serves",
    include_str!("unmapped_pattern.md"),
);

pub(super) const CHECK: DesignCheck = DesignCheck { rule: &RULE, run: check };

fn check(facts: &DesignFacts<'_>, findings: &mut Vec<Finding>) {
    let Some(model) = facts.model.filter(|_| !facts.design.operations.is_empty()) else { return };
    for pattern in model.model.patterns.iter().filter(|pattern| !pattern.id.is_empty()) {
        let served =
            facts.design.operation(&pattern.id).is_some_and(|operation| !operation.requests.is_empty());
        if !served {
            let at = facts.source.operations.last().map_or_else(Span::default, |source| source.id);
            let own = facts
                .operations()
                .find(|(operation, _)| operation.pattern == pattern.id)
                .and_then(|(_, source)| source);
            findings.push(
                Finding::new(
                    &RULE,
                    own.map_or(at, |source| source.id),
                    format!("no operation serves {} ({})", pattern.id, pattern.description.value),
                )
                .help("add a row with an operation and its keys to the access pattern mapping"),
            );
        }
    }
}

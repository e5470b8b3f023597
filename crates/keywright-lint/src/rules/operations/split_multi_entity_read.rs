//! split-multi-entity-read: a multi-entity read that needs several calls.

use keywright_finding::{Finding, Group, Rule, Span};

use crate::DesignFacts;
use crate::check::DesignCheck;

static RULE: Rule = Rule::error(
    "split-multi-entity-read",
    Group::Operations,
    "a multi-entity read that needs several calls",
    include_str!("split_multi_entity_read.md"),
);

pub(super) const CHECK: DesignCheck = DesignCheck { rule: &RULE, run: check };

fn check(facts: &DesignFacts<'_>, findings: &mut Vec<Finding>) {
    for (operation, source) in facts.operations() {
        let Some(read) = facts.pattern(operation).and_then(|pattern| pattern.read()) else { continue };
        if read.multi_entity.as_ref().is_some_and(|it| it.value) && operation.requests.len() > 1 {
            findings.push(
                Finding::new(
                    &RULE,
                    source.map_or_else(Span::default, |source| {
                        source.operation.as_ref().map_or(source.id, |it| it.span)
                    }),
                    format!(
                        "{} reads several entities together and makes {} requests for it",
                        operation.pattern,
                        operation.requests.len()
                    ),
                )
                .help("put the entities into one collection, so that one Query returns them all"),
            );
        }
    }
}

//! pattern-free-write: an entity nobody writes.

use keywright_finding::{Finding, Group, Rule};

use crate::Facts;
use crate::check::Check;

static RULE: Rule = Rule::warning(
    "pattern-free-write",
    Group::Patterns,
    "an entity that no pattern writes",
    include_str!("pattern_free_write.md"),
);

pub(super) const CHECK: Check = Check { rule: &RULE, run: check };

fn check(facts: &Facts<'_>, findings: &mut Vec<Finding>) {
    for entity in &facts.model.entities {
        if facts.entity(&entity.name).is_some_and(|facts| !facts.is_written) {
            findings.push(
                Finding::new(
                    &RULE,
                    entity.span,
                    format!("no pattern writes `{}`, so the origin of its items is unknown", entity.name),
                )
                .help("add the writes that create and change it, or say in an allow comment who does"),
            );
        }
    }
}

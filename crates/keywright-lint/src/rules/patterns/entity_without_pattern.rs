//! entity-without-pattern: an entity nobody reads.

use keywright_finding::{Finding, Group, Rule};

use crate::Facts;
use crate::check::Check;

static RULE: Rule = Rule::warning(
    "entity-without-pattern",
    Group::Patterns,
    "an entity that no pattern reads",
    include_str!("entity_without_pattern.md"),
);

pub(super) const CHECK: Check = Check { rule: &RULE, run: check };

fn check(facts: &Facts<'_>, findings: &mut Vec<Finding>) {
    for entity in &facts.model.entities {
        // Versions are kept because the document says so, whether or not anybody reads them.
        let is_kept = entity.versions_of.is_some();
        if !is_kept && facts.entity(&entity.name).is_some_and(|facts| !facts.is_read) {
            findings.push(
                Finding::new(
                    &RULE,
                    entity.span,
                    format!("no pattern reads `{}`, so the key it needs is unknown", entity.name),
                )
                .help("add the reads that need it, or remove the entity"),
            );
        }
    }
}

//! duplicate-pattern-id: two patterns that share one id.

use std::collections::BTreeMap;

use keywright_finding::{Finding, Group, Rule};

use crate::Facts;
use crate::check::Check;

static RULE: Rule = Rule::error(
    "duplicate-pattern-id",
    Group::Patterns,
    "two patterns with one id",
    include_str!("duplicate_pattern_id.md"),
);

pub(super) const CHECK: Check = Check { rule: &RULE, run: check };

fn check(facts: &Facts<'_>, findings: &mut Vec<Finding>) {
    let mut first = BTreeMap::new();
    for pattern in facts.model.patterns.iter().filter(|pattern| !pattern.id.is_empty()) {
        let earlier = *first.entry(pattern.id.as_str()).or_insert(pattern.span);
        if earlier != pattern.span {
            findings.push(
                Finding::new(
                    &RULE,
                    pattern.span,
                    format!("`{}` is already the id of another pattern", pattern.id),
                )
                .help("give this pattern a number that no other pattern has or ever had")
                .related(earlier, "first used here"),
            );
        }
    }
}

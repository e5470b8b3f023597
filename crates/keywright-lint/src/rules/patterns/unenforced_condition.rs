//! unenforced-condition: a condition that stays words.

use keywright_finding::{Finding, Group, Rule};
use keywright_model::model::ConditionKind;

use crate::Facts;
use crate::check::Check;

static RULE: Rule = Rule::warning(
    "unenforced-condition",
    Group::Patterns,
    "a condition in words that no operation can enforce",
    include_str!("unenforced_condition.md"),
);

pub(super) const CHECK: Check = Check { rule: &RULE, run: check };

fn check(facts: &Facts<'_>, findings: &mut Vec<Finding>) {
    for write in facts.model.patterns.iter().filter_map(|pattern| pattern.write()) {
        for condition in write.conditions.iter().filter(|condition| condition.kind == ConditionKind::Words) {
            findings.push(
                Finding::new(&RULE, condition.span, format!("no operation can enforce \"{}\"", condition.text)).help(
                    "write it as \"X must exist\", \"X must not exist\", \"a and b must be unique\", \"status must be PENDING\", \"stock >= quantity\" or \"max 100 songs per user\", or enforce it in the application",
                ),
            );
        }
    }
}

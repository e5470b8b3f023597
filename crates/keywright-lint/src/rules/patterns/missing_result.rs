//! missing-result: a read whose Result is not said.

use keywright_finding::{Finding, Group, Rule};

use crate::Facts;
use crate::check::Check;

static RULE: Rule = Rule::error(
    "missing-result",
    Group::Patterns,
    "a read that does not say whether it returns one item, many, or their count",
    include_str!("missing_result.md"),
);

pub(super) const CHECK: Check = Check { rule: &RULE, run: check };

fn check(facts: &Facts<'_>, findings: &mut Vec<Finding>) {
    for pattern in &facts.model.patterns {
        if pattern.read().is_some_and(|read| read.result.is_none()) {
            findings.push(
                Finding::new(&RULE, pattern.span, "this read does not say what it returns")
                    .help("write `Single`, `Collection` or `Count` under Result"),
            );
        }
    }
}

//! missing-inputs: a read whose Input Parameters are not said.

use keywright_finding::{Finding, Group, Rule};

use crate::Facts;
use crate::check::Check;

static RULE: Rule = Rule::error(
    "missing-inputs",
    Group::Patterns,
    "a read that does not say what the caller gives",
    include_str!("missing_inputs.md"),
);

pub(super) const CHECK: Check = Check { rule: &RULE, run: check };

fn check(facts: &Facts<'_>, findings: &mut Vec<Finding>) {
    for pattern in &facts.model.patterns {
        if pattern.read().is_some() && pattern.inputs.is_none() {
            findings.push(
                Finding::new(&RULE, pattern.span, "this read does not say which values the caller gives")
                    .help("name them under Input Parameters, or write `-` if there are none"),
            );
        }
    }
}

//! missing-pattern-id: a pattern that nothing can refer to.

use keywright_finding::{Finding, Group, Rule};

use crate::Facts;
use crate::check::Check;

static RULE: Rule = Rule::error(
    "missing-pattern-id",
    Group::Patterns,
    "a pattern without an id of the form `AP-001`",
    include_str!("missing_pattern_id.md"),
);

pub(super) const CHECK: Check = Check { rule: &RULE, run: check };

fn check(facts: &Facts<'_>, findings: &mut Vec<Finding>) {
    for pattern in &facts.model.patterns {
        let message = match pattern.id.strip_prefix("AP-") {
            Some(digits) if !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit()) => {
                continue;
            }
            _ if pattern.id.is_empty() => format!("the pattern \"{}\" has no id", pattern.description.value),
            _ => format!("`{}` is not a pattern id", pattern.id),
        };
        findings.push(
            Finding::new(&RULE, pattern.span, message)
                .help("write `AP-` and a number that no other pattern has or ever had, such as `AP-001`"),
        );
    }
}

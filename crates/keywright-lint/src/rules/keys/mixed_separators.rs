//! mixed-separators: a separator that differs from the one in the rest of the design.

use keywright_finding::{Finding, Group, Rule};

use crate::DesignFacts;
use crate::check::DesignCheck;

static RULE: Rule = Rule::warning(
    "mixed-separators",
    Group::Keys,
    "a separator that differs from the one in the rest of the design",
    include_str!("mixed_separators.md"),
);

pub(super) const CHECK: DesignCheck = DesignCheck { rule: &RULE, run: check };

fn check(facts: &DesignFacts<'_>, findings: &mut Vec<Finding>) {
    let keys: Vec<_> = facts.keys().map(|(_, _, key, _)| key).collect();
    let Some(custom) = &facts.separator() else { return };
    for key in keys {
        if let Some(odd) = key.separators().into_iter().find(|separator| separator != custom) {
            findings.push(
                Finding::new(
                    &RULE,
                    key.span,
                    format!(
                        "`{}` separates with `{odd}`, the rest of the design with `{custom}`",
                        key.text()
                    ),
                )
                .help(format!("use `{custom}`")),
            );
        }
    }
}

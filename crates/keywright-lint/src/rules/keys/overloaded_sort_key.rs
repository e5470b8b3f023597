//! overloaded-sort-key: a sort key of more than four attributes.

use keywright_finding::{Finding, Group, Rule};

use crate::DesignFacts;
use crate::check::DesignCheck;

static RULE: Rule = Rule::warning(
    "overloaded-sort-key",
    Group::Keys,
    "a sort key of more than four attributes",
    include_str!("overloaded_sort_key.md"),
);

pub(super) const CHECK: DesignCheck = DesignCheck { rule: &RULE, run: check };

const MOST: usize = 4;

fn check(facts: &DesignFacts<'_>, findings: &mut Vec<Finding>) {
    for (_, _, key) in facts.sort_keys() {
        let count = key.places().len();
        if count > MOST {
            findings.push(
                Finding::new(
                    &RULE,
                    key.span,
                    format!(
                        "`{}` has {count} attributes; only a leading run of them can be asked for",
                        key.text()
                    ),
                )
                .help("keep what is filtered or sorted by, and leave the rest to attributes of the item"),
            );
        }
    }
}

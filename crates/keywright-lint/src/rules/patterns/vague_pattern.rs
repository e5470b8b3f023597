//! vague-pattern: words that say too little to derive a key from.

use keywright_finding::{Finding, Group, Rule};

use crate::Facts;
use crate::check::Check;
use crate::words;

static RULE: Rule = Rule::warning(
    "vague-pattern",
    Group::Patterns,
    "\"search\", \"manage\" or \"handle\" with no attribute to go by",
    include_str!("vague_pattern.md"),
);

pub(super) const CHECK: Check = Check { rule: &RULE, run: check };

/// Words that do not say what is read or written.
const VAGUE: &[&str] = &[
    "search",
    "searches",
    "manage",
    "manages",
    "handle",
    "handles",
    "process",
    "processes",
    "maintain",
    "maintains",
    "administer",
    "administers",
    "deal with",
    "work with",
];

fn check(facts: &Facts<'_>, findings: &mut Vec<Finding>) {
    for pattern in &facts.model.patterns {
        if pattern.inputs().iter().any(|input| !input.binds.is_empty()) {
            continue;
        }
        if let Some(found) = words::find(&pattern.description.value, VAGUE) {
            let word = &pattern.description.value[found.clone()];
            findings.push(
                Finding::new(
                    &RULE,
                    words::place(&pattern.description, found.clone()),
                    format!("\"{word}\" does not say by which attribute items are found"),
                )
                .help(
                    "state what is done with which values, one pattern for each, and name the values \
                       under Input Parameters",
                ),
            );
        }
    }
}

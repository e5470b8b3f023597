//! unstated-sort: an order in words that no attribute carries.

use keywright_finding::{Finding, Group, Rule};
use keywright_model::model::{EntityKind, ResultKind};

use crate::Facts;
use crate::check::Check;
use crate::words;

static RULE: Rule = Rule::warning(
    "unstated-sort",
    Group::Patterns,
    "words that promise an order, and no Sort",
    include_str!("unstated_sort.md"),
);

pub(super) const CHECK: Check = Check { rule: &RULE, run: check };

/// Words that promise an order.
const ORDER: &[&str] = &[
    "newest",
    "oldest",
    "latest",
    "earliest",
    "most recent",
    "recent",
    "top",
    "highest",
    "lowest",
    "best",
    "worst",
    "largest",
    "smallest",
    "by date",
    "by time",
    "by score",
    "by rank",
    "sorted",
    "ordered by",
    "order by",
    "in order of",
    "alphabetically",
    "alphabetical",
    "chronological",
    "chronologically",
    "leaderboard",
    "ranking",
];

fn check(facts: &Facts<'_>, findings: &mut Vec<Finding>) {
    for pattern in &facts.model.patterns {
        let Some(read) = pattern.read() else { continue };
        let counts = read.result.as_ref().is_some_and(|result| result.value == ResultKind::Count);
        // Of an entity with history, the latest version is the item itself.
        let has_latest = facts.entities_of(pattern).any(|facts| facts.entity.is(EntityKind::History));
        if !read.sort.is_empty() || counts || has_latest {
            continue;
        }
        if let Some(found) = words::find(&pattern.description.value, ORDER) {
            let word = &pattern.description.value[found.clone()];
            findings.push(
                Finding::new(
                    &RULE,
                    words::place(&pattern.description, found.clone()),
                    format!("\"{word}\" promises an order, but Sort does not say by which attribute"),
                )
                .help("write the attribute and the direction under Sort, such as `createdAt DESC`"),
            );
        }
    }
}

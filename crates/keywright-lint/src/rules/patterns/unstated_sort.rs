//! unstated-sort: an order in words that no attribute carries.

use keywright_finding::{Finding, Group, Rule};
use keywright_model::model::{EntityKind, Pattern, ResultKind, Role};

use crate::Facts;
use crate::check::Check;
use crate::words;

static RULE: Rule = Rule::warning(
    "unstated-sort",
    Group::Patterns,
    "words that promise an order, without a Sort",
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
    "sorted",
    "ordered by",
    "in order of",
    "alphabetically",
    "alphabetical",
    "chronological",
    "chronologically",
    "leaderboard",
    "ranking",
];

/// Words that promise an order, or only name what the read is given.
const ORDER_OR_INPUT: &[&str] = &["by date", "by time", "by score", "by rank"];

fn check(facts: &Facts<'_>, findings: &mut Vec<Finding>) {
    for pattern in &facts.model.patterns {
        let Some(read) = pattern.read() else { continue };
        let counts = read.result.as_ref().is_some_and(|result| result.value == ResultKind::Count);
        // Of an entity with history, the latest version is the item itself.
        let has_latest = facts.entities_of(pattern).any(|facts| facts.entity.is(EntityKind::History));
        if !read.sort.is_empty() || counts || has_latest {
            continue;
        }
        let description = &pattern.description.value;
        let selects = pattern
            .inputs()
            .iter()
            .any(|input| !matches!(input.role, Role::Equal | Role::Limit | Role::Cursor));
        let found = words::find(description, ORDER)
            .or_else(|| words::find(description, ORDER_OR_INPUT).filter(|_| !selects && !is_given(pattern)));
        if let Some(found) = found {
            let word = &description[found.clone()];
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

/// Whether an input is the date, time, score or rank that the words may mean.
fn is_given(pattern: &Pattern) -> bool {
    pattern.inputs().iter().any(|input| {
        let name = input.name.to_lowercase();
        ["date", "day", "time", "score", "rank"].iter().any(|word| name.contains(word))
    })
}

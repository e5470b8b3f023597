//! shared-index-attribute: one attribute that is the key of several indexes.

use keywright_finding::{Finding, Group, Rule, Span};
use keywright_model::Style;

use crate::DesignFacts;
use crate::check::DesignCheck;

static RULE: Rule = Rule::warning(
    "shared-index-attribute",
    Group::Indexes,
    "one attribute that is the key of several indexes",
    include_str!("shared_index_attribute.md"),
);

pub(super) const CHECK: DesignCheck = DesignCheck { rule: &RULE, run: check };

fn check(facts: &DesignFacts<'_>, findings: &mut Vec<Finding>) {
    if facts.design.style != Style::Overloaded {
        return;
    }
    let mut first: std::collections::BTreeMap<(&str, &str), usize> = std::collections::BTreeMap::new();
    for (at, index) in facts.design.indexes.iter().enumerate() {
        for key in index.key() {
            let before = *first.entry((&index.table, &key.name)).or_insert(at);
            let other = &facts.design.indexes[before];
            // The same keys altogether are a duplicate.
            if before != at && !(other.partition == index.partition && other.sort == index.sort) {
                let span = |at: usize| facts.source.indexes.get(at).map_or_else(Span::default, |it| it.name);
                findings.push(
                    Finding::new(
                        &RULE,
                        span(at),
                        format!(
                            "`{}` is a key of {} and of {}, so neither can change without the other",
                            key.name, index.name, other.name
                        ),
                    )
                    .help("give each index key attributes of its own")
                    .related(span(before), "the other index"),
                );
            }
        }
    }
}

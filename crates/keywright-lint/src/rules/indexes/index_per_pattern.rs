//! index-per-pattern: indexes of one item type each that one overloaded index could serve.

use keywright_finding::{Finding, Group, Rule, Span};
use keywright_model::Style;

use crate::DesignFacts;
use crate::check::DesignCheck;

static RULE: Rule = Rule::warning(
    "index-per-pattern",
    Group::Indexes,
    "indexes of one item type each that one overloaded index could serve",
    include_str!("index_per_pattern.md"),
);

pub(super) const CHECK: DesignCheck = DesignCheck { rule: &RULE, run: check };

fn check(facts: &DesignFacts<'_>, findings: &mut Vec<Finding>) {
    if facts.design.style != Style::Overloaded {
        return;
    }
    let mut free: Vec<(usize, usize, &str)> = Vec::new();
    for space in facts.spaces.iter().filter(|space| space.index.is_some()) {
        let [only] = space.members.as_slice() else { continue };
        // An attribute as it is can't hold another item type's key.
        if only.partition.template.is_none() {
            continue;
        }
        let Some(at) = facts
            .design
            .indexes
            .iter()
            .position(|index| index.table == space.table && Some(index.name.as_str()) == space.index)
        else {
            continue;
        };
        let projection = &facts.design.indexes[at].projection;
        let other = free.iter().find(|(before, item, table)| {
            *item != only.item
                && *table == space.table
                && facts.design.indexes[*before].projection == *projection
        });
        if let Some((before, item, _)) = other {
            let span = |at: usize| facts.source.indexes.get(at).map_or_else(Span::default, |it| it.name);
            findings.push(
                Finding::new(
                    &RULE,
                    span(at),
                    format!(
                        "{} holds only {}, and {} only {}: one index can hold both",
                        facts.design.indexes[at].name,
                        facts.item(only.item).name,
                        facts.design.indexes[*before].name,
                        facts.item(*item).name
                    ),
                )
                .help(format!(
                    "write the keys of {} into {}",
                    facts.item(only.item).name,
                    facts.design.indexes[*before].name
                ))
                .related(span(*before), "the index that has room"),
            );
        } else {
            free.push((at, only.item, space.table));
        }
    }
}

//! duplicate-index: two indexes with the same keys.

use keywright_finding::{Finding, Group, Rule, Span};
use keywright_model::design::KeyValue;

use crate::DesignFacts;
use crate::check::DesignCheck;

static RULE: Rule = Rule::warning(
    "duplicate-index",
    Group::Indexes,
    "two indexes with the same keys",
    include_str!("duplicate_index.md"),
);

pub(super) const CHECK: DesignCheck = DesignCheck { rule: &RULE, run: check };

fn check(facts: &DesignFacts<'_>, findings: &mut Vec<Finding>) {
    for (at, index) in facts.design.indexes.iter().enumerate() {
        let keys = |it: &keywright_model::design::Index| {
            let of_items: Vec<Vec<String>> = facts
                .design
                .items
                .iter()
                .filter(|item| item.table == it.table)
                .map(|item| {
                    it.key()
                        .map(|key| {
                            item.key(&key.name).map_or_else(String::new, |own| match &own.value {
                                KeyValue::Template(text) => format!("Template {text}"),
                                KeyValue::Natural => own.attribute.clone(),
                            })
                        })
                        .collect()
                })
                .collect();
            of_items
        };
        let same = |other: &keywright_model::design::Index| {
            let named = other.partition == index.partition && other.sort == index.sort;
            let valued = other.partition.len() == index.partition.len()
                && other.sort.len() == index.sort.len()
                && keys(other) == keys(index)
                && keys(index).iter().flatten().any(|value| value.starts_with("Template"));
            other.table == index.table && (named || valued)
        };
        if let Some(before) = facts.design.indexes[..at].iter().position(same) {
            let span = |at: usize| facts.source.indexes.get(at).map_or_else(Span::default, |it| it.name);
            findings.push(
                Finding::new(
                    &RULE,
                    span(at),
                    format!(
                        "{} has the same keys as {}, so every write of its items is paid twice",
                        index.name, facts.design.indexes[before].name
                    ),
                )
                .help("keep the one with the larger projection")
                .related(span(before), "the other one"),
            );
        }
    }
}

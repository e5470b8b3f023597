//! low-cardinality-partition-key: a partition key that has only a few values.

use keywright_finding::{Finding, Group, Rule};
use keywright_model::model::Type;

use crate::DesignFacts;
use crate::check::DesignCheck;
use crate::numbers::{attribute_distinct, judged, partitions};

static RULE: Rule = Rule::warning(
    "low-cardinality-partition-key",
    Group::Keys,
    "a partition key that has only a few values",
    include_str!("low_cardinality_partition_key.md"),
);

pub(super) const CHECK: DesignCheck = DesignCheck { rule: &RULE, run: check };

fn check(facts: &DesignFacts<'_>, findings: &mut Vec<Finding>) {
    for space in &facts.spaces {
        for member in partitions(space) {
            let parts = std::iter::once(&member.partition).chain(&member.further.0);
            let names: Vec<&str> = parts.flat_map(|key| key.names()).collect();
            if !names.is_empty() && names.iter().all(|name| has_few_values(facts, member.item, name)) {
                findings.push(judged(
                    facts,
                    space,
                    member,
                    &RULE,
                    "takes all items with one of a few values together",
                ));
            }
        }
    }
}

/// Attributes whose names promise a handful of values, where nothing else is known of them.
const FEW: [&str; 12] = [
    "status", "state", "category", "country", "type", "kind", "gender", "priority", "level", "severity",
    "region", "flag",
];

fn has_few_values(facts: &DesignFacts<'_>, item: usize, name: &str) -> bool {
    match attribute_distinct(facts, item, name) {
        Some(count) => count <= 100,
        None => {
            let known = facts.known(item, name);
            known.is_some_and(|known| matches!(known.ty, Type::Boolean | Type::Enum))
                || FEW.iter().any(|word| name.eq_ignore_ascii_case(word))
        }
    }
}

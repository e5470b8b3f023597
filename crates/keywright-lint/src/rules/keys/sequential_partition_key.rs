//! sequential-partition-key: a partition key that is a number given out in sequence, alone.

use keywright_finding::{Finding, Group, Rule};
use keywright_model::model::Type;

use crate::DesignFacts;
use crate::check::DesignCheck;
use crate::numbers::{judged, partitions};

static RULE: Rule = Rule::warning(
    "sequential-partition-key",
    Group::Keys,
    "a partition key that is a number given out in sequence, alone",
    include_str!("sequential_partition_key.md"),
);

pub(super) const CHECK: DesignCheck = DesignCheck { rule: &RULE, run: check };

fn check(facts: &DesignFacts<'_>, findings: &mut Vec<Finding>) {
    for space in &facts.spaces {
        for member in partitions(space) {
            let names = member.partition.names();
            if let [name] = names.as_slice()
                && is_sequential(facts, member.item, name)
            {
                findings.push(judged(
                    facts,
                    space,
                    member,
                    &RULE,
                    "counts up, so the newest items and what is read of them stay together",
                ));
            }
        }
    }
}

fn is_sequential(facts: &DesignFacts<'_>, item: usize, name: &str) -> bool {
    let lower = name.to_ascii_lowercase();
    match facts.known(item, name) {
        Some(known)
            if known.model.is_some_and(|it| it.sequential.as_ref().is_some_and(|flag| flag.value)) =>
        {
            true
        }
        Some(known) => known.ty == Type::Integer && known.model.is_none() && lower.ends_with("id"),
        None => ["autoincrement", "sequence", "sequentialid", "counter"].contains(&lower.as_str()),
    }
}

//! hot-partition: a value of a partition key that takes more than a partition bears.

use keywright_finding::{Finding, Group, Rule};

use crate::DesignFacts;
use crate::check::DesignCheck;
use crate::numbers::{load, partitions};

static RULE: Rule = Rule::error(
    "hot-partition",
    Group::Keys,
    "a partition key value with more traffic than one partition can serve",
    include_str!("hot_partition.md"),
);

pub(super) const CHECK: DesignCheck = DesignCheck { rule: &RULE, run: check };

fn check(facts: &DesignFacts<'_>, findings: &mut Vec<Finding>) {
    for space in facts.spaces.iter().filter(|space| space.index.is_none()) {
        for member in partitions(space) {
            // What has one value, or a few, has rules of its own.
            let Some(load) =
                load(facts, space, member).filter(|load| load.distinct.is_some_and(|count| count > 100))
            else {
                continue;
            };
            if !load.fits() {
                findings.push(
                    Finding::new(&RULE, member.partition.span, format!("`{}` has a hot value: {}", member.partition.text(), load.words()))
                        .help(format!("spread it over {} shards with `<id:shard{}>`, or state a smaller share of the hottest value", load.shards().max(2), load.shards().max(2))),
                );
            }
        }
    }
}

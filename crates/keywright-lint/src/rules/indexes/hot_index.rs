//! hot-index: a value of an index key that takes more than a partition bears.

use keywright_finding::{Finding, Group, Rule};

use crate::DesignFacts;
use crate::check::DesignCheck;
use crate::numbers::{load, partitions};

static RULE: Rule = Rule::error(
    "hot-index",
    Group::Indexes,
    "an index key value with more traffic than one partition can serve",
    include_str!("hot_index.md"),
);

pub(super) const CHECK: DesignCheck = DesignCheck { rule: &RULE, run: check };

fn check(facts: &DesignFacts<'_>, findings: &mut Vec<Finding>) {
    for space in facts.spaces.iter().filter(|space| space.index.is_some()) {
        for member in partitions(space) {
            // What has one value, or a few, has rules of its own.
            let Some(load) =
                load(facts, space, member).filter(|load| load.distinct.is_some_and(|count| count > 100))
            else {
                continue;
            };
            if !load.fits() {
                findings.push(
                    Finding::new(&RULE, member.partition.span, format!("`{}` of {} has a hot value: {}; an index that falls behind throttles the writes of its table", member.partition.text(), space.name, load.words()))
                        .help(format!("spread it over {} shards with `<id:shard{}>`, or project less into the index", load.shards().max(2), load.shards().max(2))),
                );
            }
        }
    }
}

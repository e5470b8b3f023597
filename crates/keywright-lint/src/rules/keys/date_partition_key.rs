//! date-partition-key: a partition key that is a date or time alone.

use keywright_finding::{Finding, Group, Rule};

use crate::DesignFacts;
use crate::check::DesignCheck;
use crate::design_facts::is_time;
use crate::numbers::{judged, partitions};

static RULE: Rule = Rule::warning(
    "date-partition-key",
    Group::Keys,
    "a partition key that is a date or time alone",
    include_str!("date_partition_key.md"),
);

pub(super) const CHECK: DesignCheck = DesignCheck { rule: &RULE, run: check };

fn check(facts: &DesignFacts<'_>, findings: &mut Vec<Finding>) {
    for space in &facts.spaces {
        for member in partitions(space) {
            let places = member.partition.places();
            if !places.is_empty()
                && places.iter().all(|place| is_time(facts.known(member.item, place.name()), place))
            {
                findings.push(judged(facts, space, member, &RULE, "sends all of today's items to one value"));
            }
        }
    }
}

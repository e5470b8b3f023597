//! uneven-partition-key: one value of a partition key takes over a tenth of the traffic of a hot table.

use keywright_finding::{Finding, Group, Rule};

use crate::DesignFacts;
use crate::check::DesignCheck;
use crate::numbers::{load, partitions};

static RULE: Rule = Rule::warning(
    "uneven-partition-key",
    Group::Keys,
    "one value of a partition key takes over a tenth of the traffic of a hot table",
    include_str!("uneven_partition_key.md"),
);

pub(super) const CHECK: DesignCheck = DesignCheck { rule: &RULE, run: check };

fn check(facts: &DesignFacts<'_>, findings: &mut Vec<Finding>) {
    let Some(model) = facts.model else { return };
    for space in &facts.spaces {
        for member in partitions(space) {
            let skews = facts
                .item(member.item)
                .entities
                .iter()
                .filter_map(|name| model.entity(name)?.entity.skew.as_ref());
            let Some(skew) = skews.map(|skew| skew.value).max().filter(|skew| *skew > 100_000) else {
                continue;
            };
            let Some(load) = load(facts, space, member) else { continue };
            let is_hot = load.hottest.as_ref().is_some_and(|(_, rate)| *rate > 100);
            if is_hot && load.fits() && !member.partition.names().is_empty() {
                findings.push(
                    Finding::new(
                        &RULE,
                        member.partition.span,
                        format!(
                            "one value of `{}` takes {} % of the traffic; {}",
                            member.partition.text(),
                            skew / 10_000,
                            load.words()
                        ),
                    )
                    .help("spread that value over shards, or give it a key of its own"),
                );
            }
        }
    }
}

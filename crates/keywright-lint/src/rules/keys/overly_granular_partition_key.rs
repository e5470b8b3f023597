//! overly-granular-partition-key: a partition key of an identifier and a time, so that every item is alone.

use keywright_finding::{Finding, Group, Rule};
use keywright_key::Encoding;
use keywright_model::design::ItemKind;

use crate::DesignFacts;
use crate::check::DesignCheck;
use crate::design_facts::{is_identifier, is_time};

static RULE: Rule = Rule::warning(
    "overly-granular-partition-key",
    Group::Keys,
    "a partition key of an identifier and a time, so that every item is alone",
    include_str!("overly_granular_partition_key.md"),
);

pub(super) const CHECK: DesignCheck = DesignCheck { rule: &RULE, run: check };

fn check(facts: &DesignFacts<'_>, findings: &mut Vec<Finding>) {
    for space in &facts.spaces {
        // A uniqueness item is alone by intent: it is found by the whole of what it keeps.
        let shared = |item: usize| facts.item(item).kind != ItemKind::Uniqueness;
        for member in space.members.iter().filter(|member| shared(member.item)) {
            let places = member.partition.places();
            let known = |name: &str| facts.known(member.item, name);
            let exact_time = places.iter().find(|place| {
                is_time(known(place.name()), place)
                    && !matches!(
                        place.encoding(),
                        Encoding::Bucket(_) | Encoding::Date(_) | Encoding::Shard { .. }
                    )
            });
            let identified = places.iter().any(|place| is_identifier(known(place.name()), place.name()));
            if let (Some(time), true) = (exact_time, identified) {
                findings.push(
                    Finding::new(
                        &RULE,
                        member.partition.span,
                        format!(
                            "`{}` has another value for every `{}`, so no two items share a collection",
                            member.partition.text(),
                            time.name()
                        ),
                    )
                    .help(format!("move `<{}>` to the sort key", time.name())),
                );
            }
        }
    }
}

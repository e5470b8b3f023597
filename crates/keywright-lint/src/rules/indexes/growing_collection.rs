//! growing-collection: over 10 000 items or 1 GB under one key with no bucket.

use keywright_dynamodb::limits::{GB, MB};
use keywright_finding::{Finding, Group, Level, Rule};
use keywright_key::Encoding;
use keywright_model::design::{Limit, Request};

use crate::DesignFacts;
use crate::check::DesignCheck;
use crate::numbers::item_bytes;
use crate::words::number;

static RULE: Rule = Rule::warning(
    "growing-collection",
    Group::Indexes,
    "over 10 000 items or 1 GB under one key with no bucket",
    include_str!("growing_collection.md"),
);

pub(super) const CHECK: DesignCheck = DesignCheck { rule: &RULE, run: check };

const MANY: u64 = 10_000;

fn check(facts: &DesignFacts<'_>, findings: &mut Vec<Finding>) {
    let Some(model) = facts.model else { return };
    for space in facts.spaces.iter().filter(|space| space.index.is_none()) {
        for member in &space.members {
            let item = facts.item(member.item);
            let names = member.partition.names();
            let bucketed = member
                .partition
                .places()
                .iter()
                .any(|place| matches!(place.encoding(), Encoding::Bucket(_) | Encoding::Shard { .. }));
            let parent = item
                .entities
                .iter()
                .flat_map(|entity| model.parents_of(entity))
                .find(|it| !it.via.is_empty() && it.via.iter().all(|via| names.contains(&via.as_str())));
            let Some(fan_out) = parent.and_then(|it| it.fan_out.max.as_ref().or(it.fan_out.mean.as_ref()))
            else {
                continue;
            };
            let bytes = item_bytes(facts, &item.name).saturating_mul(fan_out.value);
            let own_id = item
                .entities
                .iter()
                .filter_map(|name| model.entity(name))
                .any(|entity| entity.entity.identity_names().all(|it| names.contains(&it)));
            if !bucketed && !own_id && (fan_out.value > MANY || bytes > GB) {
                // Where every read takes a page or a part, the size is worth knowing and no more.
                let queries: Vec<_> = facts
                    .requests()
                    .filter_map(|(_, request, _)| match request {
                        Request::Query(query)
                            if query.index.is_none() && query.items.contains(&item.name) =>
                        {
                            Some(query)
                        }
                        _ => None,
                    })
                    .collect();
                let in_parts = !queries.is_empty()
                    && queries.iter().all(|query| query.limit != Limit::All || query.key.range.is_some());
                let level = if in_parts { Level::Note } else { Level::Warning };
                findings.push(
                    Finding::new(&RULE, member.partition.span, format!("`{}` collects about {} items of {} ({} MB) under one key, and one partition serves them all", member.partition.text(), number(fan_out.value), item.name, number(bytes / MB)))
                        .level(level)
                        .help("add a bucket of time to the partition key, such as `<createdAt:ym>`, or let old items expire"),
                );
            }
        }
    }
}

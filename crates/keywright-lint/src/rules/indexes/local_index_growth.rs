//! local-index-growth: a local index on a collection that can pass 10 GB.

use keywright_dynamodb::limits::{GB, ITEM_COLLECTION_BYTES};
use keywright_finding::{Finding, Group, Rule};

use crate::DesignFacts;
use crate::check::DesignCheck;
use crate::numbers::item_bytes;
use crate::words::number;

static RULE: Rule = Rule::error(
    "local-index-growth",
    Group::Indexes,
    "a local index on a collection that can pass 10 GB",
    include_str!("local_index_growth.md"),
);

pub(super) const CHECK: DesignCheck = DesignCheck { rule: &RULE, run: check };

fn check(facts: &DesignFacts<'_>, findings: &mut Vec<Finding>) {
    let Some(model) = facts.model else { return };
    for (index, source) in
        facts.design.indexes.iter().zip(&facts.source.indexes).filter(|(_, source)| source.local)
    {
        for item in facts.design.items.iter().filter(|item| item.table == index.table) {
            let many = item
                .entities
                .iter()
                .flat_map(|entity| model.parents_of(entity))
                .filter_map(|it| it.fan_out.max.as_ref().or(it.fan_out.mean.as_ref()))
                .map(|it| it.value)
                .max();
            let Some(many) = many else { continue };
            let bytes = item_bytes(facts, &item.name).saturating_mul(many).saturating_mul(2);
            if bytes > ITEM_COLLECTION_BYTES {
                findings.push(
                    Finding::new(&RULE, source.name, format!("{} items of {} with their entries in {} are about {} GB under one key, and a local index stops the collection at 10 GB", number(many), item.name, index.name, bytes / GB))
                        .help("use a global secondary index, or put a bucket into the partition key"),
                );
            }
        }
    }
}

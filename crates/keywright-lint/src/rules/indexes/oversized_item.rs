//! oversized-item: an item that can be larger than 400 KB.

use keywright_dynamodb::limits::{ITEM_BYTES, KB};
use keywright_finding::{Finding, Group, Rule};

use crate::DesignFacts;
use crate::check::DesignCheck;
use crate::numbers::item_bytes;

static RULE: Rule = Rule::error(
    "oversized-item",
    Group::Indexes,
    "an item that can be larger than 400 KB",
    include_str!("oversized_item.md"),
);

pub(super) const CHECK: DesignCheck = DesignCheck { rule: &RULE, run: check };

fn check(facts: &DesignFacts<'_>, findings: &mut Vec<Finding>) {
    if facts.model.is_none() {
        return;
    }
    for (at, item) in facts.design.items.iter().enumerate() {
        let bytes = item_bytes(facts, &item.name);
        if bytes > ITEM_BYTES {
            findings.push(
                Finding::new(
                    &RULE,
                    facts.item_span(at),
                    format!("{} has about {} KB, and DynamoDB takes 400", item.name, bytes / KB),
                )
                .help("keep the large value in S3, or split the item"),
            );
        }
    }
}

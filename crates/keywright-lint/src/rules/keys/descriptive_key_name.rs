//! descriptive-key-name: a key attribute named after one entity in a table that holds several.

use keywright_finding::{Finding, Group, Rule};

use crate::DesignFacts;
use crate::check::DesignCheck;

static RULE: Rule = Rule::warning(
    "descriptive-key-name",
    Group::Keys,
    "a key attribute named after one entity in a table that holds several",
    include_str!("descriptive_key_name.md"),
);

pub(super) const CHECK: DesignCheck = DesignCheck { rule: &RULE, run: check };

const GENERIC: [&str; 10] =
    ["pk", "sk", "hashkey", "rangekey", "partitionkey", "sortkey", "hk", "rk", "hash_key", "sort_key"];

fn check(facts: &DesignFacts<'_>, findings: &mut Vec<Finding>) {
    for (at, table) in
        facts.design.tables.iter().enumerate().filter(|(_, table)| facts.is_overloaded(&table.name))
    {
        let source = facts.source.tables.get(at);
        let spans = [source.and_then(|it| it.partition), source.and_then(|it| it.sort)];
        for (key, span) in table.key().zip(spans) {
            if !GENERIC.contains(&key.name.to_ascii_lowercase().as_str()) {
                let count = facts.design.items.iter().filter(|item| item.table == table.name).count();
                findings.push(
                    Finding::new(
                        &RULE,
                        span.unwrap_or_default(),
                        format!("`{}` is the key of {count} item types and names one of them", key.name),
                    )
                    .help("call it `pk` or `sk`"),
                );
            }
        }
    }
}

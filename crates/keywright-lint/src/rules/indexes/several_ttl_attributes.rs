//! several-ttl-attributes: two names for the time of expiry in one table.

use keywright_finding::{Finding, Group, Rule};

use crate::DesignFacts;
use crate::check::DesignCheck;

static RULE: Rule = Rule::error(
    "several-ttl-attributes",
    Group::Indexes,
    "two names for the time of expiry in one table",
    include_str!("several_ttl_attributes.md"),
);

pub(super) const CHECK: DesignCheck = DesignCheck { rule: &RULE, run: check };

fn check(facts: &DesignFacts<'_>, findings: &mut Vec<Finding>) {
    for (at, item) in facts.design.items.iter().enumerate() {
        let Some(ttl) = facts.design.table(&item.table).and_then(|table| table.ttl.as_deref()) else {
            continue;
        };
        let Some(own) = facts.item_source(at).and_then(|source| source.ttl.as_ref()) else { continue };
        let name = own
            .value
            .split(|it: char| !(it.is_alphanumeric() || it == '_' || it == '-'))
            .find(|word| !word.is_empty());
        if let Some(name) = name.filter(|name| *name != ttl) {
            findings.push(
                Finding::new(
                    &RULE,
                    own.span,
                    format!(
                        "{} expires by `{name}`, and its table by `{ttl}`: a table has one TTL attribute",
                        item.name
                    ),
                )
                .help(format!("name it `{ttl}` in all item types")),
            );
        }
    }
}

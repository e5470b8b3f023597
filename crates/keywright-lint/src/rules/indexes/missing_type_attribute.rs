//! missing-type-attribute: items of several kinds in one table and nothing to tell them apart.

use keywright_finding::{Finding, Group, Rule};
use keywright_model::Style;

use crate::DesignFacts;
use crate::check::DesignCheck;

static RULE: Rule = Rule::warning(
    "missing-type-attribute",
    Group::Indexes,
    "several item types in one table without a type attribute",
    include_str!("missing_type_attribute.md"),
);

pub(super) const CHECK: DesignCheck = DesignCheck { rule: &RULE, run: check };

const NAMES: [&str; 8] = ["type", "entitytype", "_type", "entity", "itemtype", "et", "_et", "kind"];

fn check(facts: &DesignFacts<'_>, findings: &mut Vec<Finding>) {
    if facts.design.style == Style::MultiTable || facts.design.type_attribute.is_some() {
        return;
    }
    for (at, table) in facts.design.tables.iter().enumerate() {
        let items: Vec<_> = facts.design.items.iter().filter(|item| item.table == table.name).collect();
        // A chart lists keys only.
        let described = items.iter().filter(|item| !item.attributes.is_empty()).count();
        let told = items.iter().all(|item| {
            item.attributes.is_empty()
                || item.attributes.iter().any(|it| NAMES.contains(&it.name.to_ascii_lowercase().as_str()))
        });
        if described > 1 && !told {
            let span = facts
                .source
                .tables
                .get(at)
                .and_then(|source| source.name)
                .or_else(|| facts.source.items.first().map(|item| item.name));
            findings.push(
                Finding::new(
                    &RULE,
                    span.unwrap_or_default(),
                    format!(
                        "{} holds {} item types but no attribute that tells them apart",
                        table.name,
                        items.len()
                    ),
                )
                .help("add an attribute such as `type` with the item type's name"),
            );
        }
    }
}

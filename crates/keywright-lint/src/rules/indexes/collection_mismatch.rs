//! collection-mismatch: an item collection that contradicts the key templates.

use keywright_finding::{Finding, Group, Rule};

use crate::DesignFacts;
use crate::check::DesignCheck;
use crate::design_facts::shape;

static RULE: Rule = Rule::error(
    "collection-mismatch",
    Group::Indexes,
    "an item collection that contradicts the key templates",
    include_str!("collection_mismatch.md"),
);

pub(super) const CHECK: DesignCheck = DesignCheck { rule: &RULE, run: check };

fn check(facts: &DesignFacts<'_>, findings: &mut Vec<Finding>) {
    for row in &facts.source.collections {
        let wanted = shape(&row.partition.value);
        let mut found = false;
        for name in &row.items {
            let named =
                facts.design.items.iter().position(|item| item.name.eq_ignore_ascii_case(name.value.trim()));
            let Some(at) = named else { continue };
            let has = facts
                .spaces
                .iter()
                .flat_map(|space| &space.members)
                .any(|member| member.item == at && member.shape == wanted);
            found = true;
            if !has {
                findings.push(
                    Finding::new(
                        &RULE,
                        name.span,
                        format!(
                            "{} is listed under `{}`, but no key of it has that shape",
                            name.value, row.partition.value
                        ),
                    )
                    .help("correct the list, or the partition key of the item type"),
                );
            }
        }
        let known = facts.spaces.iter().flat_map(|space| &space.members).any(|member| member.shape == wanted);
        if !known && !found {
            findings.push(
                Finding::new(
                    &RULE,
                    row.partition.span,
                    format!("no item type has the partition key `{}`", row.partition.value),
                )
                .help("correct the list, or the partition key of the item type"),
            );
        }
    }
}

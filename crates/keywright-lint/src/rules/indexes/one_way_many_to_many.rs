//! one-way-many-to-many: an N:M link that can be read from one side only.

use keywright_finding::{Finding, Group, Rule};
use keywright_model::design::ItemKind;

use crate::DesignFacts;
use crate::check::DesignCheck;

static RULE: Rule = Rule::warning(
    "one-way-many-to-many",
    Group::Indexes,
    "an N:M link that can be read from one side only",
    include_str!("one_way_many_to_many.md"),
);

pub(super) const CHECK: DesignCheck = DesignCheck { rule: &RULE, run: check };

fn check(facts: &DesignFacts<'_>, findings: &mut Vec<Finding>) {
    // With the access patterns at hand, what is read is what is wanted.
    if facts.model.is_some() || !facts.design.operations.is_empty() {
        return;
    }
    for (at, item) in facts.design.items.iter().enumerate() {
        let keys: Vec<_> =
            facts.spaces.iter().flat_map(|space| &space.members).filter(|member| member.item == at).collect();
        let [only] = keys.as_slice() else { continue };
        let (one, two) =
            (only.partition.names(), only.sort.as_ref().map(|sort| sort.names()).unwrap_or_default());
        let others: Vec<&str> = facts.design.items.iter().map(|item| item.name.as_str()).collect();
        let refers = |name: &str| {
            others.iter().any(|other| *other != item.name && name.eq_ignore_ascii_case(&format!("{other}id")))
        };
        let links = item.kind == ItemKind::Edge
            || (one.len() == 1 && two.len() == 1 && refers(one[0]) && refers(two[0]) && one != two);
        if links && !two.is_empty() {
            findings.push(
                Finding::new(
                    &RULE,
                    only.sort.as_ref().map_or(only.partition.span, |sort| sort.span),
                    format!(
                        "{} can be listed by `{}` and not by `{}`",
                        item.name,
                        one.join("`, `"),
                        two.join("`, `")
                    ),
                )
                .help(
                    "add an index with the two keys swapped: GSI1PK is the sort key, GSI1SK the \
                           partition key",
                ),
            );
        }
    }
}

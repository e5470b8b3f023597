//! static-partition-key: a constant partition key under which items grow without bound.

use keywright_finding::{Finding, Group, Rule};
use keywright_model::design::ItemKind;

use crate::DesignFacts;
use crate::check::DesignCheck;
use crate::numbers::{judged, partitions};

static RULE: Rule = Rule::warning(
    "static-partition-key",
    Group::Keys,
    "a constant partition key under which items grow without bound",
    include_str!("static_partition_key.md"),
);

pub(super) const CHECK: DesignCheck = DesignCheck { rule: &RULE, run: check };

fn check(facts: &DesignFacts<'_>, findings: &mut Vec<Finding>) {
    for space in &facts.spaces {
        for member in partitions(space) {
            let grows = |other: &&crate::Member<'_>| {
                !matches!(facts.item(other.item).kind, ItemKind::Singleton | ItemKind::Counter)
                    && other.sort.as_ref().is_some_and(|sort| !sort.names().is_empty())
            };
            let mut parts = std::iter::once(&member.partition).chain(&member.further.0);
            let is_constant =
                parts.all(|key| key.template.as_ref().is_some_and(keywright_key::Template::is_constant));
            if is_constant && facts.collection(space, member).iter().any(grows) {
                findings.push(judged(facts, space, member, &RULE, "is one collection for all items"));
            }
        }
    }
}

//! version-in-data-key: a version in the sort key of an item of which only the latest is kept.

use keywright_finding::{Finding, Group, Rule};
use keywright_model::model::EntityKind;

use crate::DesignFacts;
use crate::check::DesignCheck;

static RULE: Rule = Rule::error(
    "version-in-data-key",
    Group::Keys,
    "a version in the sort key of an item of which only the latest is kept",
    include_str!("version_in_data_key.md"),
);

pub(super) const CHECK: DesignCheck = DesignCheck { rule: &RULE, run: check };

fn check(facts: &DesignFacts<'_>, findings: &mut Vec<Finding>) {
    for (_, member, key) in facts.sort_keys().filter(|(space, ..)| space.index.is_none()) {
        let Some((before, _)) =
            key.text().split_once('@').map(|(before, after)| (before.to_owned(), after.to_owned()))
        else {
            continue;
        };
        let item = facts.item(member.item);
        let lower = item.name.to_ascii_lowercase();
        let keeps_history =
            ["history", "version", "revision", "audit"].iter().any(|word| lower.contains(word))
                || item.entities.iter().any(|name| {
                    facts
                        .model
                        .and_then(|model| model.entity(name))
                        .is_some_and(|it| it.entity.is(EntityKind::History))
                });
        if !keeps_history {
            findings.push(
                Finding::new(&RULE, key.span, format!("`{}` gives {} a new key with every version, so the \
                                                       latest can't be addressed", key.text(), item.name))
                    .help(format!("keep the latest under `{before}`, its version in an attribute, and old versions in a history item type")),
            );
        }
    }
}

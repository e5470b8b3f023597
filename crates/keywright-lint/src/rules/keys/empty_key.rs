//! empty-key: a primary key of an attribute that an item may lack.

use keywright_finding::{Finding, Group, Rule};
use keywright_model::design::ItemKind;

use crate::DesignFacts;
use crate::check::DesignCheck;

static RULE: Rule = Rule::error(
    "empty-key",
    Group::Keys,
    "a primary key of an attribute that an item may lack",
    include_str!("empty_key.md"),
);

pub(super) const CHECK: DesignCheck = DesignCheck { rule: &RULE, run: check };

fn check(facts: &DesignFacts<'_>, findings: &mut Vec<Finding>) {
    for (_, member, key, _) in facts.keys().filter(|(space, ..)| space.index.is_none()) {
        // What keeps a value unique is there only where the value is.
        if facts.item(member.item).kind == ItemKind::Uniqueness {
            continue;
        }
        for name in key.names() {
            if facts.known(member.item, name).is_some_and(|known| known.optional) {
                findings.push(
                    Finding::new(
                        &RULE,
                        key.span,
                        format!("`{name}` is optional, and an item without it has no key `{}`", key.text()),
                    )
                    .help("use an attribute that every item has, or make this one required"),
                );
            }
        }
    }
}

//! write-amplification: a logical write that becomes many.

use keywright_finding::{Finding, Group, Rule};
use keywright_model::design::{Action, ItemKind, Request};

use crate::DesignFacts;
use crate::check::DesignCheck;

static RULE: Rule = Rule::warning(
    "write-amplification",
    Group::Indexes,
    "a logical write that becomes many",
    include_str!("write_amplification.md"),
);

pub(super) const CHECK: DesignCheck = DesignCheck { rule: &RULE, run: check };

/// Items and index entries per write above which it is worth a word.
const MANY: usize = 8;

fn check(facts: &DesignFacts<'_>, findings: &mut Vec<Finding>) {
    for (operation, request, place) in facts.requests() {
        let Request::TransactWriteItems { actions } = request else { continue };
        let mut items = 0;
        let mut entries = 0;
        for action in actions {
            let Action::Put(put) = action else { continue };
            let Some(item) = facts.item_named(&put.item) else { continue };
            if facts.item(item).kind == ItemKind::Uniqueness {
                continue;
            }
            items += 1;
            entries += facts
                .spaces
                .iter()
                .filter(|space| {
                    space.index.is_some() && space.members.iter().any(|member| member.item == item)
                })
                .count();
        }
        if items > 1 && items + entries >= MANY {
            findings.push(
                Finding::new(&RULE, place.name(), format!("{} writes {items} items and {entries} index entries: at least {} write units, twice as many in a transaction", operation.pattern, items + entries))
                    .help("leave out copies that no hot pattern reads, or project keys only"),
            );
        }
    }
}

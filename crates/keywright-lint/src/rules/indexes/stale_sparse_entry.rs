//! stale-sparse-entry: an index entry that nothing removes when its condition ends.

use keywright_finding::{Finding, Group, Rule};
use keywright_model::design::{Action, Request};

use crate::DesignFacts;
use crate::check::DesignCheck;

static RULE: Rule = Rule::error(
    "stale-sparse-entry",
    Group::Indexes,
    "an index entry that nothing removes when its condition ends",
    include_str!("stale_sparse_entry.md"),
);

pub(super) const CHECK: DesignCheck = DesignCheck { rule: &RULE, run: check };

fn check(facts: &DesignFacts<'_>, findings: &mut Vec<Finding>) {
    for (operation, request, place) in facts.requests() {
        let actions: &[Action] = match request {
            Request::Write { action } => std::slice::from_ref(action),
            Request::TransactWriteItems { actions } => actions,
            _ => continue,
        };
        for (at, action) in actions.iter().enumerate() {
            let Action::Update(update) = action else { continue };
            let Some(item) = facts.item_named(&update.item) else { continue };
            for key in &facts.item(item).keys {
                let Some(sparse) = &key.sparse else { continue };
                let touches = update.update.set.iter().any(|(path, _)| *path == sparse.attribute)
                    || update.update.remove.contains(&sparse.attribute);
                let follows = update.entries.iter().any(|entry| entry.attribute == key.attribute)
                    || update.update.remove.contains(&key.attribute)
                    || update.update.set.iter().any(|(path, _)| *path == key.attribute);
                if touches && !follows {
                    findings.push(
                        Finding::new(
                            &RULE,
                            place.action(at),
                            format!(
                                "{} changes `{}` and leaves `{}` as it is, so the item stays in the index",
                                operation.pattern, sparse.attribute, key.attribute
                            ),
                        )
                        .help(format!("add REMOVE {} to the update", key.attribute)),
                    );
                }
            }
        }
    }
}

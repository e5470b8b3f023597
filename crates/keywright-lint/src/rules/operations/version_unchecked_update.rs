//! version-unchecked-update: an update of an item with a version that does not check the version.

use keywright_dynamodb::expression::{Assigned, Condition, Operand};
use keywright_finding::{Finding, Group, Rule};
use keywright_model::design::{Action, Request, Value};

use crate::DesignFacts;
use crate::check::DesignCheck;

static RULE: Rule = Rule::warning(
    "version-unchecked-update",
    Group::Operations,
    "an update of an item with a version that does not check the version",
    include_str!("version_unchecked_update.md"),
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
            let Some(version) = version(facts, item) else { continue };
            // Adding to a number is safe whoever else writes.
            let adds = |(path, value): &(String, Assigned<Value>)| match value {
                Assigned::Plus(own, _) | Assigned::Minus(own, _) | Assigned::IfNotExistsPlus(own, _, _) => {
                    own == path
                }
                _ => false,
            };
            let only_adds = update.update.set.iter().all(adds) && update.update.remove.is_empty();
            if !only_adds && !update.condition.as_ref().is_some_and(|condition| compares(condition, &version))
            {
                findings.push(
                    Finding::new(&RULE, place.condition(at), format!("{} updates {} without looking at `{version}`, so the later of two writers undoes the earlier", operation.pattern, update.item))
                        .help(format!("add the condition {version} = :{version}, and ADD {version} 1")),
                );
            }
        }
    }
}

/// The attribute that counts the versions of an item.
fn version(facts: &DesignFacts<'_>, item: usize) -> Option<String> {
    let own = facts.item(item);
    let is_version = |name: &str| match facts.known(item, name).and_then(|known| known.model) {
        Some(attribute) => attribute.version.as_ref().is_some_and(|flag| flag.value),
        None => name.eq_ignore_ascii_case("version"),
    };
    own.attributes.iter().map(|attribute| &attribute.name).find(|name| is_version(name)).cloned()
}

fn compares(condition: &Condition<Value>, path: &str) -> bool {
    match condition {
        Condition::Compare(left, _, right) => {
            [left, right].iter().any(|it| matches!(it, Operand::Path(own) if own == path))
        }
        Condition::NotExists(own) => own == path,
        Condition::All(parts) | Condition::Any(parts) => parts.iter().any(|part| compares(part, path)),
        _ => false,
    }
}

//! mutable-attribute-in-key: a key part that a write changes.

use keywright_finding::{Finding, Group, Level, Rule};
use keywright_model::design::{Action, Request};
use keywright_model::model::Role;

use crate::DesignFacts;
use crate::check::DesignCheck;

static RULE: Rule = Rule::warning(
    "mutable-attribute-in-key",
    Group::Keys,
    "a key part that a write changes",
    include_str!("mutable_attribute_in_key.md"),
);

pub(super) const CHECK: DesignCheck = DesignCheck { rule: &RULE, run: check };

fn check(facts: &DesignFacts<'_>, findings: &mut Vec<Finding>) {
    for (space, member, key, _) in facts.keys() {
        for name in key.names() {
            let known = facts.known(member.item, name);
            if !known.and_then(|known| known.model).is_some_and(|attribute| attribute.is_mutable()) {
                continue;
            }
            let item = facts.item(member.item).name.as_str();
            let changing: Vec<_> = facts
                .operations()
                .filter(|(operation, _)| changes(facts, operation, item, name))
                .map(|(operation, _)| {
                    (operation, follows(operation, item, &key.assignment.attribute, space.index.is_none()))
                })
                .collect();
            if let Some((operation, _)) = changing.iter().find(|(_, follows)| !follows) {
                let (what, help) = match space.index {
                    None => (
                        "leaves the item under its old key",
                        "delete the item and put it under its new key, in one transaction",
                    ),
                    Some(_) => {
                        ("leaves the index entry under its old key", "set the index key in the same update")
                    }
                };
                findings.push(
                    Finding::new(
                        &RULE,
                        key.span,
                        format!(
                            "{} changes `{name}`, which is part of `{}`, and {what}",
                            operation.pattern,
                            key.text()
                        ),
                    )
                    .level(Level::Error)
                    .help(help),
                );
            } else if changing.is_empty() && facts.design.operations.is_empty() {
                findings.push(
                    Finding::new(
                        &RULE,
                        key.span,
                        format!(
                            "`{name}` changes during the life of {item}, and with it the key `{}`",
                            key.text()
                        ),
                    )
                    .help("keep it out of the key, or replace the item in the same transaction"),
                );
            }
        }
    }
}

/// Whether an operation gives the attribute of an item a new value after it was created.
fn changes(
    facts: &DesignFacts<'_>,
    operation: &keywright_model::design::Operation,
    item: &str,
    name: &str,
) -> bool {
    let by_input = facts.pattern(operation).is_some_and(|pattern| {
        pattern
            .inputs()
            .iter()
            .any(|input| input.role == Role::NewValue && input.binds.iter().any(|it| it.attribute == name))
    });
    let updates =
        actions(operation).any(|action| matches!(action, Action::Update(update) if update.item == item));
    let sets = actions(operation).any(|action| match action {
        Action::Update(update) if update.item == item => {
            update.update.set.iter().any(|(path, _)| path == name)
        }
        _ => false,
    });
    sets || (by_input && updates)
}

/// Whether the operation moves the key along.
fn follows(
    operation: &keywright_model::design::Operation,
    item: &str,
    attribute: &str,
    is_base: bool,
) -> bool {
    let puts = actions(operation).any(|action| matches!(action, Action::Put(put) if put.item == item));
    let sets_entry = actions(operation).any(|action| match action {
        Action::Update(update) if update.item == item => {
            update.entries.iter().any(|entry| entry.attribute == attribute)
                || update.update.set.iter().any(|(path, _)| path == attribute)
                || update.update.remove.iter().any(|path| path == attribute)
        }
        _ => false,
    });
    puts || (!is_base && sets_entry)
}

fn actions(operation: &keywright_model::design::Operation) -> impl Iterator<Item = &Action> {
    operation.requests.iter().flat_map(|request| match request {
        Request::Write { action } => std::slice::from_ref(action),
        Request::TransactWriteItems { actions } | Request::BatchWriteItem { actions } => actions.as_slice(),
        _ => &[],
    })
}

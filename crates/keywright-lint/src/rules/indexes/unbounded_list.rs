//! unbounded-list: a list attribute that grows for ever.

use keywright_dynamodb::expression::Assigned;
use keywright_finding::{Finding, Group, Rule};
use keywright_model::design::{Action, Request};
use keywright_model::model::Type;

use crate::DesignFacts;
use crate::check::DesignCheck;

static RULE: Rule = Rule::error(
    "unbounded-list",
    Group::Indexes,
    "a list attribute that grows without bound",
    include_str!("unbounded_list.md"),
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
            let appended = update
                .update
                .set
                .iter()
                .filter(|(_, it)| matches!(it, Assigned::ListAppend(..)))
                .map(|(path, _)| path);
            let item = facts.item_named(&update.item);
            let is_set = |path: &str| {
                item.and_then(|item| facts.known(item, path)).is_some_and(|known| known.ty == Type::Set)
            };
            let added = update.update.add.iter().filter(|(path, _)| is_set(path)).map(|(path, _)| path);
            for path in appended.chain(added) {
                let shrinks = facts.requests().any(|(_, other, _)| removes(other, &update.item, path));
                if !shrinks {
                    findings.push(
                        Finding::new(
                            &RULE,
                            place.action(at),
                            format!(
                                "{} adds to `{path}` and no pattern \
                                                                       removes from it, so {} grows until \
                                                                       it passes 400 KB",
                                operation.pattern, update.item
                            ),
                        )
                        .help("make each element an item of its own in the same collection"),
                    );
                }
            }
        }
    }
}

fn removes(request: &Request, item: &str, path: &str) -> bool {
    let actions: &[Action] = match request {
        Request::Write { action } => std::slice::from_ref(action),
        Request::TransactWriteItems { actions } => actions,
        _ => return false,
    };
    actions.iter().any(|action| match action {
        Action::Update(update) => {
            update.item == item
                && (update.update.delete.iter().any(|(it, _)| it == path)
                    || update.update.remove.iter().any(|it| it.starts_with(path)))
        }
        _ => false,
    })
}

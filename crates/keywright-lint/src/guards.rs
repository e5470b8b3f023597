//! Creates that refuse what is already there.

use keywright_dynamodb::expression::Condition;
use keywright_model::design::{Action, Request, Value};

use crate::DesignFacts;

/// Whether a condition forbids that the item is there.
pub(crate) fn forbids(condition: &Condition<Value>) -> bool {
    match condition {
        Condition::NotExists(_) => true,
        Condition::All(parts) => parts.iter().any(forbids),
        _ => false,
    }
}

/// Whether an operation puts items of a type, and refuses one whose key is taken: then the key is meant to tell them apart.
pub(crate) fn is_guarded(facts: &DesignFacts<'_>, item: usize) -> bool {
    facts.requests().any(|(_, request, _)| {
        let actions: &[Action] = match request {
            Request::Write { action } => std::slice::from_ref(action),
            Request::TransactWriteItems { actions } => actions,
            _ => return false,
        };
        actions.iter().any(|action| match action {
            Action::Put(put) => {
                facts.item_named(&put.item) == Some(item) && put.condition.as_ref().is_some_and(forbids)
            }
            _ => false,
        })
    })
}

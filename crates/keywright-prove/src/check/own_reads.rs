//! The reads that a write makes for itself. An engine in this process never answers with what was true a moment ago, so what an
//! eventual read would miss on DynamoDB is seen here, in the operation as it stands.
//!
//! A stale read is as good as one that was made earlier: a condition that compares what was read, or that asks something of the
//! item whose key was read, refuses it. Nothing refuses it where all items of a collection are looked for, since one that is
//! missing is never named, nor after a write of the same call, which is what is looked for.

use std::collections::BTreeSet;

use keywright_dynamodb::expression::Condition;
use keywright_model::design::{Action, Operation, Request, Value};

use super::statics::Wrong;
use crate::reading::{self, Taken};

/// A read of a write's own that has to be strong and is not. An index can't be read strongly.
pub(super) fn stale(operation: &Operation) -> Option<Wrong> {
    let actions = || operation.requests.iter().flat_map(Request::actions);
    let mut has_written = false;
    for (number, request) in (1..).zip(&operation.requests) {
        has_written |= !request.actions().is_empty();
        let eventual = match request {
            Request::GetItem(get) => !get.consistent,
            Request::BatchGetItem(batch) => !batch.consistent,
            Request::Query(query) => !query.consistent && query.index.is_none(),
            _ => false,
        };
        if !eventual {
            continue;
        }
        let why = if let Some(action) = actions().find(|action| action.each() == Some(number)) {
            format!("a {} that was just added may be missing from it", action.item())
        } else if has_written {
            "what this call has just written may be missing from it".to_owned()
        } else if let Some(taken) = unguarded(operation, number) {
            format!("{taken} may be old, and no condition compares it again")
        } else {
            continue;
        };
        return Some((
            "strong read",
            format!("ConsistentRead=true on request {number}"),
            format!("an eventual read: {why}"),
        ));
    }
    None
}

/// What an operation takes from a request of its own and writes, while no condition would notice that it is old.
fn unguarded(operation: &Operation, number: u32) -> Option<String> {
    let actions = || operation.requests.iter().flat_map(Request::actions);
    let mut guarded = Taken::new();
    for action in actions() {
        let Some(condition) = condition(action) else { continue };
        condition.each_value(&mut |value| reading::note(value, &mut guarded));
        key(action).iter().for_each(|(_, value)| reading::note(value, &mut guarded));
    }
    let mut written = Taken::new();
    for action in actions() {
        let mut note = |value: &Value| reading::note(value, &mut written);
        key(action).iter().for_each(|(_, value)| note(value));
        match action {
            Action::Put(put) => put.values.iter().for_each(|(_, value)| note(value)),
            Action::Update(update) => {
                update.update.each_value(&mut note);
                update.entries.iter().filter_map(|it| it.value.as_ref()).for_each(note);
            }
            Action::Delete(_) | Action::Check(_) => {}
        }
    }
    let of_request = |taken: &Taken| -> BTreeSet<String> {
        taken.iter().filter(|(request, _)| *request == number).map(|(_, name)| name.clone()).collect()
    };
    let (guarded, written) = (of_request(&guarded), of_request(&written));
    let based = actions().any(|it| matches!(it, Action::Put(put) if put.based_on == Some(number)));
    match written.difference(&guarded).next() {
        Some(name) => Some(format!("`{name}`")),
        None => (based && guarded.is_empty()).then(|| "the item".to_owned()),
    }
}

fn condition(action: &Action) -> Option<&Condition<Value>> {
    match action {
        Action::Put(put) => put.condition.as_ref(),
        Action::Update(update) => update.condition.as_ref(),
        Action::Delete(it) | Action::Check(it) => it.condition.as_ref(),
    }
}

fn key(action: &Action) -> &[(String, Value)] {
    match action {
        Action::Put(_) => &[],
        Action::Update(update) => &update.key,
        Action::Delete(it) | Action::Check(it) => &it.key,
    }
}

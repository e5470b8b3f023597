//! Finds operations that are too incomplete to run, as a hand-written design may have them.
//!
//! A derived design is always complete. A hand-written one is read as far as possible, and a method that
//! skipped the missing part would not do what its pattern says.

use std::collections::BTreeSet;

use keywright_finding::{Finding, Span};
use keywright_model::design::{Action, KeyValue, Keys, Operation, Put, Request, Update, Value};

use super::{Part, Plan, parts};
use crate::describe;
use crate::rules::INCOMPLETE_OPERATION;

/// Findings about operations for which no method can be generated.
pub(super) fn findings(plan: &Plan<'_>) -> Vec<Finding> {
    let mut findings = Vec::new();
    for operation in &plan.design.operations {
        let span = plan.model.and_then(|model| model.pattern(&operation.pattern));
        let span = span.map_or_else(Span::default, |pattern| pattern.span);
        for (lack, help) in lacks(plan, operation) {
            let message = format!("{} {lack}", operation.pattern);
            findings.push(Finding::new(&INCOMPLETE_OPERATION, span, message).help(help));
        }
    }
    findings
}

/// The missing parts of an operation, each with the text that would add it.
fn lacks(plan: &Plan<'_>, operation: &Operation) -> Vec<(String, String)> {
    if operation.requests.is_empty() {
        return vec![("has no request".to_owned(), "name the operation, its key and its items".to_owned())];
    }
    let mut lacks = Vec::new();
    for request in &operation.requests {
        let key = |table: &str, key: &[(String, Value)]| {
            let table = plan.design.table(table);
            let missing = table
                .into_iter()
                .flat_map(|table| table.key())
                .find(|attribute| !key.iter().any(|(name, _)| *name == attribute.name));
            missing.map(|attribute| attribute.name.clone())
        };
        let missing = match request {
            Request::GetItem(get) => key(&get.table, &get.key),
            Request::BatchGetItem(batch) => match &batch.keys {
                Keys::Each(each) => key(&batch.table, each),
                Keys::OfRequest(_) => None,
            },
            Request::Query(query) if query.key.partition.is_empty() => Some("its partition".to_owned()),
            _ => None,
        };
        let name = describe::operation_of(request);
        lacks.extend(missing.map(|attribute| no_key(&format!("{name} has no value for {attribute}"))));
        let actions = request.actions();
        if actions.is_empty()
            && matches!(request, Request::TransactWriteItems { .. } | Request::BatchWriteItem { .. })
        {
            lacks.push((format!("{name} writes nothing"), "list its items".to_owned()));
        }
        for action in actions {
            match action {
                Action::Put(put) => lacks.extend(without_key(plan, put)),
                Action::Update(update) => {
                    lacks.extend(
                        key(&update.table, &update.key)
                            .map(|it| no_key(&format!("updates {} without {it}", update.item))),
                    );
                    lacks.extend(without_change(update));
                }
                Action::Delete(it) | Action::Check(it) => {
                    lacks.extend(
                        key(&it.table, &it.key)
                            .map(|missing| no_key(&format!("names {} without {missing}", it.item))),
                    );
                }
            }
        }
    }
    lacks
}

fn no_key(what: &str) -> (String, String) {
    (what.to_owned(), "write the whole key".to_owned())
}

/// A Put must give every attribute that the item's primary key is built from.
fn without_key(plan: &Plan<'_>, put: &Put) -> Option<(String, String)> {
    if put.based_on.is_some() {
        return None;
    }
    let item = plan.design.item(&put.item)?;
    let table = plan.design.table(&item.table)?;
    let mut needed: BTreeSet<&str> = BTreeSet::new();
    for attribute in table.key() {
        match item.key(&attribute.name).map(|key| &key.value) {
            Some(KeyValue::Template(template)) => {
                needed.extend(parts(template).into_iter().filter_map(|part| match part {
                    Part::Value { name, .. } => Some(name),
                    Part::Literal(_) => None,
                }));
            }
            Some(KeyValue::Natural) | None => {
                needed.insert(&attribute.name);
            }
        }
    }
    let given = |name: &str| {
        put.values.iter().any(|(path, _)| {
            path == name || name.strip_prefix(path.as_str()).is_some_and(|rest| rest.starts_with('.'))
        })
    };
    let missing = needed.into_iter().find(|name| !given(name))?;
    Some((
        format!("puts {} without `{missing}`, which its key is built from", put.item),
        format!("write its values: `Put {} SET {missing} = :{missing}, …`", put.item),
    ))
}

fn without_change(update: &Update) -> Option<(String, String)> {
    // An update without changes but with a condition is valid: it checks the condition.
    (update.update.is_empty() && update.entries.is_empty() && update.condition.is_none()).then(|| {
        (
            format!("updates {} without stating a change", update.item),
            format!("write the change: `Update {} SET status = :newStatus`", update.item),
        )
    })
}

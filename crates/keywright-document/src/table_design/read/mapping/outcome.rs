//! What comes back from an operation and what goes into it, where a design does not say so.

use keywright_model::design::{Action, Keys, Limit, Outcome, Request, Shape, Value};

use super::super::super::Section;
use super::super::super::params::OperationParams;

/// What an operation gives: as stated, else as its requests show it.
pub(super) fn read(requests: &[Request], params: &OperationParams, section: Section) -> Outcome {
    let last = u32::try_from(requests.len()).unwrap_or(u32::MAX).max(1);
    let (shape, items) = params.returns.clone().unwrap_or_else(|| implied_outcome(requests, section));
    Outcome {
        shape,
        items,
        attributes: params.attributes.clone(),
        order: params.order.clone(),
        client_sort: params.client_sort,
        first: params.first,
        from_request: params.from_request.unwrap_or(last),
    }
}

fn implied_outcome(requests: &[Request], section: Section) -> (Shape, Vec<String>) {
    if section != Section::Reads {
        return (Shape::Nothing, Vec::new());
    }
    match requests.last() {
        Some(Request::GetItem(get)) => (Shape::Single, vec![get.item.clone()]),
        Some(Request::Query(query)) => {
            let shape = match query.limit {
                _ if query.count => Shape::Count { attribute: None },
                Limit::First(1) => Shape::Single,
                Limit::Page { .. } => Shape::Page,
                Limit::First(_) | Limit::All => Shape::Collection,
            };
            (shape, query.items.clone())
        }
        Some(Request::BatchGetItem(batch)) => (Shape::Collection, batch.items.clone()),
        Some(Request::Scan(scan)) => (Shape::Collection, scan.items.clone()),
        _ => (Shape::Collection, Vec::new()),
    }
}

/// The values of all requests, in the order in which they are written.
pub(super) fn values(requests: &[Request]) -> Vec<&Value> {
    let mut values = Vec::new();
    for request in requests {
        match request {
            Request::GetItem(get) => values.extend(get.key.iter().map(|(_, value)| value)),
            Request::Query(query) => {
                query.key.each_value(&mut |value| values.push(value));
                if let Some(filter) = &query.filter {
                    filter.each_value(&mut |value| values.push(value));
                }
            }
            Request::BatchGetItem(batch) => {
                if let Keys::Each(list) = &batch.keys {
                    values.extend(list.iter().map(|(_, value)| value));
                }
            }
            Request::Scan(scan) => {
                if let Some(filter) = &scan.filter {
                    filter.each_value(&mut |value| values.push(value));
                }
            }
            Request::Write { action } => action_values(action, &mut values),
            Request::TransactWriteItems { actions } | Request::BatchWriteItem { actions } => {
                actions.iter().for_each(|action| action_values(action, &mut values));
            }
        }
    }
    values
}

fn action_values<'a>(action: &'a Action, values: &mut Vec<&'a Value>) {
    let condition = match action {
        Action::Put(put) => {
            values.extend(put.values.iter().map(|(_, value)| value));
            &put.condition
        }
        Action::Update(update) => {
            values.extend(update.key.iter().map(|(_, value)| value));
            update.update.each_value(&mut |value| values.push(value));
            &update.condition
        }
        Action::Delete(it) | Action::Check(it) => {
            values.extend(it.key.iter().map(|(_, value)| value));
            &it.condition
        }
    };
    if let Some(condition) = condition {
        condition.each_value(&mut |value| values.push(value));
    }
}

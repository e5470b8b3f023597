//! What the operations of a design that states no prices are expected to cost: the designer, held to the same keys and indexes,
//! prices its own operations, and those that send the same requests cost the same.

use keywright_design::{CertificateTables, Options};
use keywright_model::design::{Action, Request};
use keywright_model::{Design, Model};

/// Adds the expected cost to every operation that lacks it and that the designer would serve alike.
pub(crate) fn add(design: &mut Design, model: &Model, options: Options) {
    if design.operations.iter().all(|operation| operation.expected.is_some()) {
        return;
    }
    let options =
        Options { base: Some(design.clone()), certificate_tables: CertificateTables::None, ..options };
    let Some(priced) = keywright_design::design(model, &options).design else { return };
    // What the patterns would need beside this design is written too, and is no part of its price.
    let is_whole = priced.indexes.len() == design.indexes.len() && priced.items.len() == design.items.len();
    for operation in design.operations.iter_mut().filter(|operation| operation.expected.is_none()) {
        let Some(own) = priced.operation(&operation.pattern) else { continue };
        let is_read = operation.requests.iter().all(|request| request.actions().is_empty());
        let is_alike = own.requests.len() == operation.requests.len()
            && own.requests.iter().zip(&operation.requests).all(|(one, other)| cost_alike(one, other));
        if is_alike && (is_whole || is_read) {
            operation.expected = own.expected.clone();
        }
    }
}

/// Whether two requests read or write the same. What they project, compare or drop on the way costs nothing.
fn cost_alike(one: &Request, other: &Request) -> bool {
    match (one, other) {
        (Request::GetItem(one), Request::GetItem(other)) => {
            one.table == other.table && one.item == other.item && one.consistent == other.consistent
        }
        (Request::BatchGetItem(one), Request::BatchGetItem(other)) => {
            one.table == other.table
                && one.keys.request() == other.keys.request()
                && one.consistent == other.consistent
        }
        (Request::Query(one), Request::Query(other)) => {
            one.table == other.table
                && one.index == other.index
                && one.key == other.key
                && one.limit == other.limit
                && one.filter.is_some() == other.filter.is_some()
                && one.scatter == other.scatter
                && one.consistent == other.consistent
        }
        (Request::Scan(one), Request::Scan(other)) => {
            one.table == other.table && one.index == other.index && one.limit == other.limit
        }
        (Request::Write { action: one }, Request::Write { action: other }) => acts_alike(one, other),
        (Request::TransactWriteItems { actions: one }, Request::TransactWriteItems { actions: other })
        | (Request::BatchWriteItem { actions: one }, Request::BatchWriteItem { actions: other }) => {
            let in_other = |action: &Action| other.iter().any(|other| acts_alike(action, other));
            one.len() == other.len() && one.iter().all(in_other)
        }
        _ => false,
    }
}

/// Whether two actions write the same items and index entries.
fn acts_alike(one: &Action, other: &Action) -> bool {
    let of_the_same = one.item() == other.item() && one.each().is_some() == other.each().is_some();
    of_the_same
        && match (one, other) {
            (Action::Put(_), Action::Put(_))
            | (Action::Delete(_), Action::Delete(_))
            | (Action::Check(_), Action::Check(_)) => true,
            (Action::Update(one), Action::Update(other)) => {
                let mut entries = [one, other]
                    .map(|it| it.entries.iter().map(|entry| entry.attribute.as_str()).collect::<Vec<_>>());
                entries.iter_mut().for_each(|names| names.sort_unstable());
                entries[0] == entries[1]
            }
            _ => false,
        }
}

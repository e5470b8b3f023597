//! Orders that no key gives: those of callers who sort, and of shards that are merged.

use std::cmp::Ordering;

use keywright_dynamodb::value::{AttributeValue, Item};
use keywright_model::design::Order;
use keywright_model::model::Direction;

use crate::interpret::key;

/// Sorts as the caller does where the key order does not give the promised one; equals keep their places.
pub(super) fn sort_by_order(items: &mut [Item], order: &[Order]) {
    items.sort_by(|a, b| by_order(a, b, order));
}

/// How two items stand in an order.
pub(super) fn by_order(a: &Item, b: &Item, order: &[Order]) -> Ordering {
    order.iter().fold(Ordering::Equal, |so_far, part| {
        so_far.then_with(|| {
            let ordering = compare(key::at(a, &part.attribute), key::at(b, &part.attribute));
            match part.direction {
                Direction::Ascending => ordering,
                Direction::Descending => ordering.reverse(),
            }
        })
    })
}

/// The order of two values; an absent one comes first, and truth follows falsehood.
fn compare(a: Option<&AttributeValue>, b: Option<&AttributeValue>) -> Ordering {
    match (a, b) {
        (Some(AttributeValue::BOOL(a)), Some(AttributeValue::BOOL(b))) => a.cmp(b),
        (Some(a), Some(b)) => a.compare(b).unwrap_or(Ordering::Equal),
        (a, b) => a.is_some().cmp(&b.is_some()),
    }
}

//! Orders that no key gives: those of callers who sort, and of shards that are merged.

use std::cmp::Ordering;

use keywright_dynamodb::value::{AttributeValue, Item};
use keywright_model::Design;
use keywright_model::design::{Order, Outcome};
use keywright_model::model::Direction;

use crate::interpret::key;

/// One attribute of an order.
pub(super) struct Wanted<'d> {
    pub(super) attribute: &'d str,
    pub(super) direction: Direction,
    /// The values in their order, where that is not the order of the values themselves.
    pub(super) values: &'d [String],
}

/// The order that an operation promises.
pub(super) fn promised<'d>(design: &'d Design, outcome: &'d Outcome) -> Vec<Wanted<'d>> {
    let wanted = |part: &'d Order| Wanted {
        attribute: &part.attribute,
        direction: part.direction,
        values: design.declared_order(outcome, &part.attribute),
    };
    outcome.order.iter().map(wanted).collect()
}

/// Sorts as the caller does where the key order does not give the promised one; equals keep their places.
pub(super) fn sort_by_order(items: &mut [Item], order: &[Wanted<'_>]) {
    items.sort_by(|a, b| by_order(a, b, order));
}

/// How two items stand in an order.
pub(super) fn by_order(a: &Item, b: &Item, order: &[Wanted<'_>]) -> Ordering {
    order.iter().fold(Ordering::Equal, |so_far, part| {
        so_far.then_with(|| {
            let (a, b) = (key::at(a, part.attribute), key::at(b, part.attribute));
            let rank = |value: Option<&AttributeValue>| {
                let text = value?.as_s()?;
                part.values.iter().position(|it| it == text)
            };
            let ordering = match (rank(a), rank(b)) {
                (Some(a), Some(b)) => a.cmp(&b),
                _ => compare(a, b),
            };
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

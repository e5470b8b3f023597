//! The order that a pattern asks for.

use std::cmp::Ordering;

use keywright_dynamodb::value::AttributeValue;
use keywright_model::Model;
use keywright_model::model::{AttributeRef, Direction, Sort, Type};

use crate::world::Record;

/// The order of two values of an attribute: enumerations by declaration, texts by bytes, numbers by value, an absent
/// value before all others.
pub(crate) fn compare_attribute(
    model: &Model,
    attribute: &AttributeRef,
    a: Option<&AttributeValue>,
    b: Option<&AttributeValue>,
) -> Ordering {
    let declared = model.entity(&attribute.entity).and_then(|entity| entity.attribute(&attribute.attribute));
    let rank = |value: &AttributeValue| {
        let declared = declared.filter(|declared| *declared.ty == Type::Enum)?;
        let text = value.as_s()?;
        declared.values.iter().position(|name| name.value == text)
    };
    match (a, b) {
        (Some(a), Some(b)) => match (rank(a), rank(b), a, b) {
            (Some(a), Some(b), ..) => a.cmp(&b),
            (.., AttributeValue::BOOL(a), AttributeValue::BOOL(b)) => a.cmp(b),
            (.., a, b) => a.compare(b).unwrap_or(Ordering::Equal),
        },
        (a, b) => a.is_some().cmp(&b.is_some()),
    }
}

/// How two records of one entity stand in the order; equal where it does not tell.
pub(crate) fn in_order(model: &Model, sort: &[&Sort], a: &Record, b: &Record) -> Ordering {
    sort.iter().fold(Ordering::Equal, |so_far, part| {
        so_far.then_with(|| {
            let name = &part.attribute.attribute;
            let ordering = compare_attribute(model, &part.attribute, a.get(name), b.get(name));
            match part.direction {
                Direction::Ascending => ordering,
                Direction::Descending => ordering.reverse(),
            }
        })
    })
}

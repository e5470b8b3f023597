//! Values around a boundary: just below it, on it and just above, and everything that an enumeration has.

use keywright_dynamodb::number::Number;
use keywright_dynamodb::value::AttributeValue;
use keywright_key::Instant;
use keywright_model::model::{Attribute, Type};

use crate::data::{absent_value, neighbours};
use crate::interpret::{as_integer, instant};

const DAY: i64 = 86_400_000;
/// Money has cents: no decimal of a document is told more exactly.
const CENTS: i64 = 100;

/// The values of an attribute nearest to one, that one among them; none of all where it may be absent.
pub(super) fn around(attribute: &Attribute, value: Option<&AttributeValue>) -> Vec<Option<AttributeValue>> {
    let largest = attribute.max.as_ref().map_or(i64::MAX, |max| i64::try_from(max.value).unwrap_or(i64::MAX));
    let number = |value: &AttributeValue| value.as_n().and_then(as_integer);
    let text = value.and_then(AttributeValue::as_s);
    let mut values: Vec<AttributeValue> = match *attribute.ty {
        Type::Boolean => [true, false].map(AttributeValue::BOOL).to_vec(),
        Type::Enum if !attribute.values.is_empty() => {
            attribute.values.iter().map(|value| value.value.as_str().into()).collect()
        }
        Type::Number | Type::Integer => {
            let center = value.and_then(number).unwrap_or(1);
            let least = center.min(0);
            let near = [center.saturating_sub(1), center, center.saturating_add(1)];
            near.into_iter().filter(|it| (least..=largest).contains(it)).map(AttributeValue::from).collect()
        }
        Type::Decimal => {
            let center = value.and_then(AttributeValue::as_n).and_then(cents).unwrap_or(CENTS);
            let near = [center - 1, center, center + 1].into_iter().filter(|it| *it >= 0);
            near.filter_map(from_cents).map(AttributeValue::N).collect()
        }
        Type::Datetime => near_instant(text, 1, |text| text).unwrap_or_default(),
        Type::Date => near_instant(text, DAY, |text| text[..10].to_owned()).unwrap_or_default(),
        Type::String | Type::Text => {
            let near = text.map(|text| {
                let longest = attribute.max.as_ref().map_or(64, |max| max.value.clamp(1, 64)) as usize;
                let fits = move |it: &String| it.chars().count() <= longest;
                std::iter::once(text.to_owned()).chain(neighbours(text).into_iter().filter(fits))
            });
            near.into_iter().flatten().map(AttributeValue::from).collect()
        }
        _ => value.cloned().into_iter().collect(),
    };
    values.push(absent_value(attribute));
    let mut seen = Vec::new();
    for value in values {
        if !seen.contains(&value) {
            seen.push(value);
        }
    }
    let absent = attribute.is_optional().then_some(None);
    seen.into_iter().map(Some).chain(absent).collect()
}

/// A number with room on both sides, where the attribute is one.
pub(super) fn middle(attribute: &Attribute) -> Option<AttributeValue> {
    let largest = attribute.max.as_ref().map_or(i64::MAX, |max| i64::try_from(max.value).unwrap_or(i64::MAX));
    match *attribute.ty {
        Type::Number | Type::Integer | Type::Decimal => Some(AttributeValue::from(7.min(largest / 2))),
        _ => None,
    }
}

fn near_instant(text: Option<&str>, step: i64, cut: fn(String) -> String) -> Option<Vec<AttributeValue>> {
    let text = text?;
    let whole = if text.len() == 10 { format!("{text}T00:00:00.000Z") } else { text.to_owned() };
    let millis = Instant::parse(&whole).ok()?.unix_millis();
    let near = [millis - step, millis, millis + step].map(|millis| AttributeValue::S(cut(instant(millis))));
    Some(near.to_vec())
}

/// A decimal in hundredths; none where it is told more exactly.
fn cents(number: &Number) -> Option<i64> {
    let text = number.to_string();
    let (whole, rest) = text.split_once('.').unwrap_or((&text, ""));
    let whole: i64 = whole.parse().ok()?;
    let rest: i64 = format!("{rest:0<2}").parse().ok().filter(|_| rest.len() <= 2)?;
    (whole >= 0).then_some(whole * CENTS + rest)
}

fn from_cents(cents: i64) -> Option<Number> {
    format!("{}.{:02}", cents / CENTS, cents % CENTS).parse().ok()
}

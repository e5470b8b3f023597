//! Inputs, rows and requests as people read them in a failure.

use keywright_dynamodb::value::AttributeValue;
use serde_json::{Map, Value as Json};

use crate::interpret::{Answer, Given, Inputs, to_json};
use crate::oracle::Row;
use crate::world::Record;

/// How many rows a failure shows.
const ROWS: usize = 6;

/// A value as plain JSON: texts, numbers as their digits, everything else as DynamoDB writes it.
pub(crate) fn plain(value: &AttributeValue) -> Json {
    match value {
        AttributeValue::S(text) => text.as_str().into(),
        AttributeValue::N(number) => {
            let text = number.to_string();
            text.parse::<i64>().map_or_else(|_| text.into(), Json::from)
        }
        AttributeValue::BOOL(flag) => (*flag).into(),
        other => to_json(other),
    }
}

/// Inputs as JSON text.
pub(crate) fn inputs(inputs: &Inputs) -> String {
    let object: Map<String, Json> = inputs
        .iter()
        .map(|(name, given)| {
            let value = match given {
                Given::One(value) => plain(value),
                Given::Many(values) => values.iter().map(plain).collect(),
            };
            (name.clone(), value)
        })
        .collect();
    Json::Object(object).to_string()
}

/// What came of a call.
pub(crate) fn outcome(answer: &Result<Answer, String>) -> String {
    match answer {
        Ok(answer) => answer.to_string(),
        Err(reason) => reason.clone(),
    }
}

/// One row: the entity and its attributes.
pub(crate) fn row(row: &Row) -> String {
    record(&row.entity, &row.attributes)
}

/// One record: the entity and its attributes.
pub(crate) fn record(entity: &str, attributes: &Record) -> String {
    let attributes: Map<String, Json> =
        attributes.iter().map(|(name, value)| (name.clone(), plain(value))).collect();
    format!("{entity} {}", Json::Object(attributes))
}

/// So many rows.
pub(crate) fn count(rows: usize) -> String {
    match rows {
        0 => "no row".into(),
        1 => "1 row".into(),
        _ => format!("{rows} rows"),
    }
}

/// Rows, the first few of many.
pub(crate) fn rows<'r>(all: impl ExactSizeIterator<Item = &'r Row>) -> String {
    let count = all.len();
    if count == 0 {
        return self::count(0);
    }
    let shown: Vec<String> = all.take(ROWS).map(row).collect();
    let rest = if count > ROWS { format!(" … {} more", count - ROWS) } else { String::new() };
    format!("{}{rest}", shown.join("; "))
}

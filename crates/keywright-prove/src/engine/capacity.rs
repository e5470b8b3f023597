//! What an engine says that a request consumed.

use std::collections::BTreeMap;

use keywright_dynamodb::units::{Consumed, Units};
use serde_json::Value;

/// The consumed capacity in an answer to a request with `"ReturnConsumedCapacity": "INDEXES"`, by table; empty where
/// the answer has none. The error shows the part that is no amount of units.
///
/// ```
/// use keywright_prove::engine::capacity;
/// let answer = serde_json::json!({"ConsumedCapacity": {
///     "TableName": "Orders", "CapacityUnits": 3.0, "Table": {"CapacityUnits": 2.0},
///     "GlobalSecondaryIndexes": {"GSI1": {"CapacityUnits": 1.0}},
/// }});
/// let consumed = capacity::reported(&answer).unwrap();
/// assert_eq!(consumed["Orders"].total().to_string(), "3");
/// ```
pub fn reported(answer: &Value) -> Result<BTreeMap<String, Consumed>, String> {
    let mut tables = BTreeMap::<String, Consumed>::new();
    match &answer["ConsumedCapacity"] {
        Value::Null => {}
        // Batches and transactions report a list, one entry per table.
        Value::Array(entries) => entries.iter().try_for_each(|entry| add(&mut tables, entry))?,
        entry => add(&mut tables, entry)?,
    }
    Ok(tables)
}

fn add(tables: &mut BTreeMap<String, Consumed>, entry: &Value) -> Result<(), String> {
    let table = entry["TableName"].as_str().ok_or_else(|| format!("no table name in {entry}"))?;
    let indexes = ["GlobalSecondaryIndexes", "LocalSecondaryIndexes"];
    let indexes = indexes.iter().filter_map(|kind| entry[kind].as_object()).flatten();
    // Without details all of it is the table's.
    let own = if entry["Table"].is_object() { &entry["Table"] } else { entry };
    let has_indexes =
        entry["GlobalSecondaryIndexes"].is_object() || entry["LocalSecondaryIndexes"].is_object();
    let own = if has_indexes && !entry["Table"].is_object() { Units::ZERO } else { units(own)? };
    let mut consumed = Consumed::of_table(own);
    for (name, index) in indexes {
        consumed = consumed.with_index(name, units(index)?);
    }
    *tables.entry(table.to_owned()).or_default() += consumed;
    Ok(())
}

fn units(part: &Value) -> Result<Units, String> {
    part["CapacityUnits"].as_f64().and_then(Units::from_capacity).ok_or_else(|| format!("no units in {part}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn every_shape_of_consumed_capacity_is_read() {
        let total = json!({"ConsumedCapacity": {"TableName": "T", "CapacityUnits": 0.5}});
        assert_eq!(reported(&total).unwrap()["T"], Consumed::of_table(Units::HALF));
        let index_alone = json!({"ConsumedCapacity": {
            "TableName": "T", "CapacityUnits": 1.5, "GlobalSecondaryIndexes": {"G": {"CapacityUnits": 1.5}},
        }});
        assert_eq!(
            reported(&index_alone).unwrap()["T"],
            Consumed::default().with_index("G", Units::halves(3))
        );
        let list = json!({"ConsumedCapacity": [
            {"TableName": "A", "CapacityUnits": 2.0},
            {"TableName": "B", "CapacityUnits": 2.0, "Table": {"CapacityUnits": 1.0},
             "LocalSecondaryIndexes": {"L": {"CapacityUnits": 1.0}}},
        ]});
        let consumed = reported(&list).unwrap();
        assert_eq!(consumed["A"].table, Units::whole(2));
        assert_eq!(consumed["B"].indexes["L"], Units::ONE);
        assert!(reported(&json!({})).unwrap().is_empty());
        for wrong in [
            json!({"CapacityUnits": 1.0}),
            json!({"TableName": "T", "CapacityUnits": 0.3}),
            json!({"TableName": "T"}),
        ] {
            assert!(reported(&json!({"ConsumedCapacity": wrong})).is_err());
        }
    }
}

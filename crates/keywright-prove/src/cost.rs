//! What each request should consume, reckoned from the items that it touched, against what the engine says.

use std::collections::BTreeMap;

use keywright_dynamodb::size::item_bytes;
use keywright_dynamodb::units::{self, Consistency, Consumed, EntryChange, Units};
use keywright_dynamodb::value::Item;
use serde_json::Value as Json;

use crate::interpret::{QueryTouch, Touch, item_from_json};
use crate::mirror::Mirror;

/// What a request consumed, by table of the design.
pub(crate) type Bill = BTreeMap<String, Consumed>;

/// What writes changed: before and after, by table and key.
pub(crate) type Images = Vec<(String, Item, Option<Item>, Option<Item>)>;

fn consistency(consistent: bool) -> Consistency {
    if consistent { Consistency::Strong } else { Consistency::Eventual }
}

/// What a read should have consumed, given its answer; none where the answer does not tell what was read.
pub(crate) fn of_read(mirror: &Mirror, touch: &Touch, answer: &Json) -> Option<Bill> {
    let bytes = |table: &str, key: &Item| mirror.get(table, key).as_ref().map(item_bytes);
    match touch {
        Touch::Get { table, key, consistent } => {
            let units = units::get_item(bytes(table, key), consistency(*consistent));
            Some(Bill::from([(table.clone(), Consumed::of_table(units))]))
        }
        Touch::BatchGet { table, keys, consistent } => {
            let unprocessed = answer["UnprocessedKeys"].as_object().is_some_and(|rest| !rest.is_empty());
            let sizes = keys.iter().map(|key| bytes(table, key));
            let units = units::get_items(sizes, consistency(*consistent));
            (!unprocessed).then(|| Bill::from([(table.clone(), Consumed::of_table(units))]))
        }
        Touch::Query(query) => {
            let sizes = read_by_query(mirror, query, answer)?;
            let units = units::query(sizes, consistency(query.consistent));
            Some(on(&query.table, query.index.as_deref(), units))
        }
        Touch::Scan { table, index, start } => {
            // The order of a Scan is the engine's own: only one that went through can be reckoned.
            let whole = start.is_none() && answer.get("LastEvaluatedKey").is_none_or(Json::is_null);
            let sizes: Vec<u64> = match index {
                Some(index) => {
                    let entries =
                        mirror.items(table).filter_map(|(_, item)| mirror.entry(table, index, &item));
                    entries.map(|entry| item_bytes(&entry)).collect()
                }
                None => mirror.items(table).map(|(_, item)| item_bytes(&item)).collect(),
            };
            whole.then(|| on(table, index.as_deref(), units::query(sizes, Consistency::Eventual)))
        }
        Touch::Write { .. } => None,
    }
}

fn on(table: &str, index: Option<&str>, units: Units) -> Bill {
    let consumed = match index {
        Some(index) => Consumed::default().with_index(index, units),
        None => Consumed::of_table(units),
    };
    Bill::from([(table.to_owned(), consumed)])
}

/// The sizes of what one page of a Query read, filtered out or not. ScannedCount is of no help: some engines count the
/// item with which a page of a megabyte would have been too large.
fn read_by_query(mirror: &Mirror, query: &QueryTouch, answer: &Json) -> Option<Vec<u64>> {
    let index = query.index.as_deref();
    let returned: Vec<Item> =
        answer["Items"].as_array().into_iter().flatten().filter_map(item_from_json).collect();
    if !query.filtered && Some(returned.len() as u64) == answer["Count"].as_u64() {
        // Items that come back with their primary keys tell themselves what was read.
        let sizes: Option<Vec<u64>> =
            returned.iter().map(|item| mirror.bytes_read(&query.table, index, item)).collect();
        if sizes.is_some() {
            return sizes;
        }
    }
    // Otherwise by position, which ties in an index's sort key would leave open: then nothing is reckoned.
    let all = mirror.query(&query.table, index, &query.condition, query.forward);
    let after = |place: &Item| {
        let is_there =
            |(key, _): &(Item, Item)| key.iter().all(|(name, value)| place.get(name) == Some(value));
        all.iter().position(is_there).map(|at| at + 1)
    };
    let start = query.start.as_ref().map_or(Some(0), after)?;
    let last = answer.get("LastEvaluatedKey").and_then(item_from_json).filter(|key| !key.is_empty());
    let end = last.as_ref().map_or(Some(all.len()), after)?;
    let cut_in_ties = index.is_some() && (start > 0 || end < all.len());
    let seen = |(_, item): &(Item, Item)| mirror.bytes_seen(&query.table, index, item);
    let page: Vec<u64> = all.get(start..end)?.iter().filter_map(seen).collect();
    (!cut_in_ties).then_some(page)
}

/// What a write should have consumed, given what it changed.
pub(crate) fn of_write(mirror: &Mirror, images: &Images, checks: &[bool], transaction: bool) -> Bill {
    let mut bill = Bill::new();
    for ((table, _, before, after), check) in images.iter().zip(checks) {
        let (before_bytes, after_bytes) = (before.as_ref().map(item_bytes), after.as_ref().map(item_bytes));
        let mut consumed = if *check {
            Consumed::of_table(units::condition_check(before_bytes))
        } else {
            let consumed = Consumed::of_table(units::write_item(before_bytes, after_bytes));
            if transaction { consumed.in_transaction() } else { consumed }
        };
        for index in mirror.indexes(table).filter(|_| !check) {
            let entry = |item: &Option<Item>| item.as_ref().and_then(|item| mirror.entry(table, index, item));
            if let Some(key) = mirror.index_key(table, index) {
                let change = EntryChange::between(entry(before).as_ref(), entry(after).as_ref(), key);
                consumed = consumed.with_index(index, change.units());
            }
        }
        *bill.entry(table.clone()).or_default() += consumed;
    }
    bill
}

/// What the engine says that a request consumed, by its own table names; none where it does not say.
pub(crate) fn stated(answer: &Json) -> Option<BTreeMap<String, Consumed>> {
    let capacity = answer.get("ConsumedCapacity")?;
    let several = match capacity {
        Json::Array(several) => several.as_slice(),
        one => std::slice::from_ref(one),
    };
    let mut bill = BTreeMap::new();
    for one in several {
        let table = one["TableName"].as_str()?.to_owned();
        let units = |json: &Json| json["CapacityUnits"].as_f64().and_then(Units::from_capacity);
        let mut consumed = Consumed::default();
        let indexes = one["GlobalSecondaryIndexes"].as_object();
        for (name, json) in indexes.into_iter().flatten() {
            consumed = consumed.with_index(name, units(json)?);
        }
        // Some engines state the total and the indexes only: the rest is the table's.
        let rest = units(one)?.half_units().checked_sub(consumed.total().half_units()).map(Units::halves)?;
        consumed.table = match &one["Table"] {
            Json::Null => rest,
            stated => units(stated)?,
        };
        if consumed.table != rest {
            return None;
        }
        *bill.entry(table).or_default() += consumed;
    }
    Some(bill)
}

/// A bill as people read it: `table 1, GSI1 0.5`.
pub(crate) fn show(bill: &Bill) -> String {
    let parts: Vec<String> = bill
        .iter()
        .flat_map(|(table, consumed)| {
            let indexes = consumed.indexes.iter().map(|(name, units)| format!("{name} {units}"));
            std::iter::once(format!("{table} {}", consumed.table)).chain(indexes)
        })
        .collect();
    if parts.is_empty() { "nothing".into() } else { parts.join(", ") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_stated_bill_must_add_up() {
        let index = json!({"GSI1": {"CapacityUnits": 1.0}});
        let whole = json!({"ConsumedCapacity": [{
            "TableName": "T", "CapacityUnits": 5.0, "Table": {"CapacityUnits": 4.0}, "GlobalSecondaryIndexes": index,
        }]});
        let bill = stated(&whole).unwrap();
        assert_eq!(show(&bill), "T 4, GSI1 1");
        let without_table = json!({"ConsumedCapacity": {
            "TableName": "T", "CapacityUnits": 5.0, "GlobalSecondaryIndexes": index,
        }});
        assert_eq!(stated(&without_table).unwrap(), bill);
        let wrong = json!({"ConsumedCapacity": {
            "TableName": "T", "CapacityUnits": 6.0, "Table": {"CapacityUnits": 4.0}, "GlobalSecondaryIndexes": index,
        }});
        assert_eq!(stated(&wrong), None);
        assert_eq!(stated(&json!({})), None);
    }
}

//! Requests that read: one item, a collection, shards side by side, pages and their cursors.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use keywright_dynamodb::limits::BATCH_GET_KEYS;
use keywright_dynamodb::value::{AttributeValue, Item};
use keywright_model::design::{BatchGet, Get, Keys, Limit, Order, Query, Scan, Table};
use keywright_model::model::Direction;
use serde_json::{Value as Json, json};

use crate::interpret::body::{Body, item, json as to_json};
use crate::interpret::write::{BATCH_ATTEMPTS, unknown};
use crate::interpret::{Call, CallError, Fault, Given, Page, QueryTouch, Sent, Touch, Wire, key};

/// The page size of a client-side sort whose design names none.
const DEFAULT_PAGE: u64 = 25;

/// Where a page begins.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Cursor {
    /// After this key.
    Key(Item),
    /// After these keys, one per shard.
    Shards(Vec<Progress>),
    /// After so many items of an answer that the caller sorted.
    Offset(u64),
}

/// How far one shard was read.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Progress {
    /// Not at all, or up to this key.
    Open(Option<Item>),
    /// To its end.
    Done,
}

/// What one Query, page after page, found.
struct Found {
    items: Vec<Item>,
    count: u64,
    /// The key to go on from.
    last: Option<Item>,
}

impl<'d> Call<'d> {
    pub(super) fn get(&mut self, get: &'d Get, wire: &mut dyn Wire) -> Result<Vec<Item>, CallError> {
        let key = self.key(&get.key)?;
        let mut body = Body::of_table(&wire.table_name(&get.table));
        body.item("Key", &key).projection(&get.projection);
        if get.consistent {
            body.set("ConsistentRead", true);
        }
        let touch = Touch::Get { table: get.table.clone(), key, consistent: get.consistent };
        let answer = wire.send(Sent { operation: "GetItem", body: body.finish(), touch })?;
        Ok(answer.get("Item").and_then(item).into_iter().collect())
    }

    pub(super) fn query(&mut self, query: &'d Query, wire: &mut dyn Wire) -> Result<Vec<Item>, CallError> {
        let is_answer =
            self.operation.outcome.from_request as usize == self.next + 1 || self.feeds_the_answer();
        let limit = self.limit(&query.limit, is_answer);
        let paged = matches!(query.limit, Limit::Page { .. }) && is_answer;
        if !query.scatter.is_empty() {
            return self.scattered(query, limit, paged, wire);
        }
        let start = match (&self.page.cursor, paged) {
            (Some(Cursor::Key(key)), true) => Some(key.clone()),
            _ => None,
        };
        let found = self.pages(query, start, limit, wire)?;
        if query.count {
            self.number = Some(i64::try_from(found.count).unwrap_or(i64::MAX));
        }
        if paged {
            self.cursor = found.last.map(Cursor::Key);
        }
        Ok(found.items)
    }

    /// Whether the answer is the items behind the index entries that this request reads.
    fn feeds_the_answer(&self) -> bool {
        let answers = (self.operation.outcome.from_request as usize).saturating_sub(1);
        let number = self.next as u32 + 1;
        matches!(
            self.operation.requests.get(answers),
            Some(keywright_model::design::Request::BatchGetItem(batch)) if batch.keys.request() == Some(number)
        )
    }

    /// How many items to return; all if none.
    fn limit(&self, limit: &Limit, is_answer: bool) -> Option<u64> {
        let client_sort = self.operation.outcome.client_sort && is_answer;
        match limit {
            _ if client_sort => None,
            Limit::All => None,
            Limit::First(count) => Some(*count),
            Limit::Page { default } => Some(self.page.limit.unwrap_or(*default)),
        }
    }

    /// One Query, page after page, until there are enough items or no more.
    fn pages(
        &self,
        query: &Query,
        start: Option<Item>,
        limit: Option<u64>,
        wire: &mut dyn Wire,
    ) -> Result<Found, CallError> {
        let condition = self.scope.key_condition(self.design, &query.items, &query.key)?;
        let filter = match &query.filter {
            Some(filter) => self.scope.condition(filter)?,
            None => None,
        };
        let mut found = Found { items: Vec::new(), count: 0, last: start };
        loop {
            let mut body = Body::of_table(&wire.table_name(&query.table));
            if let Some(index) = &query.index {
                body.set("IndexName", index.as_str());
            }
            body.key_condition(&condition).set("ScanIndexForward", query.forward);
            if let Some(filter) = &filter {
                body.condition("FilterExpression", filter);
            }
            if query.consistent {
                body.set("ConsistentRead", true);
            }
            if query.count {
                body.set("Select", "COUNT");
            } else {
                body.projection(&query.projection);
            }
            if let Some(limit) = limit {
                body.set("Limit", limit - found.count);
            }
            if let Some(start) = &found.last {
                body.item("ExclusiveStartKey", start);
            }
            let touch = Touch::Query(QueryTouch {
                table: query.table.clone(),
                index: query.index.clone(),
                condition: condition.clone(),
                forward: query.forward,
                start: found.last.clone(),
                consistent: query.consistent,
            });
            let answer = wire.send(Sent { operation: "Query", body: body.finish(), touch })?;
            found.take(&answer);
            if found.last.is_none() || limit.is_some_and(|limit| found.count >= limit) {
                return Ok(found);
            }
        }
    }

    fn scattered(
        &mut self,
        query: &'d Query,
        limit: Option<u64>,
        paged: bool,
        wire: &mut dyn Wire,
    ) -> Result<Vec<Item>, CallError> {
        let (values, one_after_another) = (query.combinations(), query.one_after_another());
        let mut progress = match (&self.page.cursor, paged) {
            (Some(Cursor::Shards(progress)), true) => progress.clone(),
            _ => vec![Progress::Open(None); values.len()],
        };
        let mut found: Vec<Option<Found>> = Vec::new();
        let mut have = 0;
        for (value, progress) in values.iter().zip(&progress) {
            let enough = one_after_another && limit.is_some_and(|limit| have >= limit);
            let Progress::Open(start) = progress else {
                found.push(None);
                continue;
            };
            if enough {
                found.push(None);
                continue;
            }
            // One after the other, only what is still missing is read; side by side, each shard may hold the whole page.
            let limit = limit.map(|limit| if one_after_another { limit - have } else { limit });
            self.scope.scattered = value.clone();
            let shard = self.pages(query, start.clone(), limit, wire);
            self.scope.scattered.clear();
            let shard = shard?;
            have += shard.count;
            found.push(Some(shard));
        }
        if query.count {
            self.number = Some(i64::try_from(have).unwrap_or(i64::MAX));
            return Ok(Vec::new());
        }
        let table = self.design.table(&query.table).ok_or_else(|| unknown("table", &query.table))?;
        let (items, taken) = merge(&found, &self.merge_order(table, query), limit);
        for (at, (shard, taken)) in found.iter().zip(&taken).enumerate() {
            let Some(shard) = shard else { continue };
            progress[at] = match (shard.items.len() == *taken, &shard.last) {
                (true, None) => Progress::Done,
                (true, Some(last)) => Progress::Open(Some(last.clone())),
                (false, _) if *taken == 0 => progress[at].clone(),
                (false, _) => Progress::Open(Some(self.start_after(table, query, &shard.items[taken - 1]))),
            };
        }
        let over = progress.iter().all(|shard| *shard == Progress::Done);
        if paged && !over {
            self.cursor = Some(Cursor::Shards(progress));
        }
        Ok(items)
    }

    /// The promised order, then that of the sort key: what an index does not project of the first is in the second.
    fn merge_order(&self, table: &Table, query: &Query) -> Vec<Order> {
        let mut order = self.operation.outcome.order.clone();
        if order.is_empty() {
            return order;
        }
        let index = query.index.as_ref().and_then(|index| self.design.index(&query.table, index));
        let sort: Vec<&str> = match index {
            Some(index) => index.sort.iter().map(|key| key.name.as_str()).collect(),
            None => table.sort.iter().map(|key| key.name.as_str()).collect(),
        };
        let direction = if query.forward { Direction::Ascending } else { Direction::Descending };
        order.extend(sort.into_iter().map(|attribute| Order { attribute: attribute.to_owned(), direction }));
        order
    }

    /// The key after which a Query goes on, from an item that it returned.
    fn start_after(&self, table: &Table, query: &Query, item: &Item) -> Item {
        let index = query.index.as_ref().and_then(|index| self.design.index(&query.table, index));
        let of_index = index.into_iter().flat_map(|index| index.key());
        table
            .key()
            .chain(of_index)
            .filter_map(|key| Some((key.name.clone(), item.get(&key.name)?.clone())))
            .collect()
    }

    pub(super) fn batch_get(
        &mut self,
        batch: &'d BatchGet,
        wire: &mut dyn Wire,
    ) -> Result<Vec<Item>, CallError> {
        let table = self.design.table(&batch.table).ok_or_else(|| unknown("table", &batch.table))?;
        let wanted = self.wanted_keys(table, batch)?;
        let mut distinct = wanted.clone();
        distinct.sort();
        distinct.dedup();
        let mut found: BTreeMap<Item, Item> = BTreeMap::new();
        for chunk in distinct.chunks(BATCH_GET_KEYS) {
            self.batch_get_chunk(batch, table, chunk, &mut found, wire)?;
        }
        Ok(wanted.iter().filter_map(|key| found.get(key).cloned()).collect())
    }

    fn wanted_keys(&mut self, table: &Table, batch: &BatchGet) -> Result<Vec<Item>, CallError> {
        match &batch.keys {
            Keys::OfRequest(request) => {
                let entries = self.scope.reads.get((*request as usize).saturating_sub(1));
                let key = |entry: &Item| -> Result<Item, Fault> {
                    table
                        .key()
                        .map(|key| match entry.get(&key.name) {
                            Some(value) => Ok((key.name.clone(), value.clone())),
                            None => Err(Fault::Absent { name: key.name.clone() }),
                        })
                        .collect()
                };
                Ok(entries.into_iter().flatten().map(key).collect::<Result<_, _>>()?)
            }
            Keys::Each(values) if batch.keys.request().is_some() => {
                let request = batch.keys.request().unwrap_or_default();
                let found = self.scope.reads.get((request as usize).saturating_sub(1)).map_or(0, Vec::len);
                let mut keys = Vec::new();
                for at in 0..found {
                    self.scope.at_hand = Some((request, at));
                    let key = self.key(values);
                    self.scope.at_hand = None;
                    keys.push(key?);
                }
                Ok(keys)
            }
            Keys::Each(values) => {
                let elements = self.scope.inputs.values().map(|given| match given {
                    Given::Many(values) => values.len(),
                    Given::One(_) => 0,
                });
                let mut keys = Vec::new();
                for at in 0..elements.max().unwrap_or(0) {
                    self.scope.element = Some(at);
                    let key = self.key(values);
                    self.scope.element = None;
                    keys.push(key?);
                }
                Ok(keys)
            }
        }
    }

    fn batch_get_chunk(
        &self,
        batch: &BatchGet,
        table: &Table,
        keys: &[Item],
        found: &mut BTreeMap<Item, Item>,
        wire: &mut dyn Wire,
    ) -> Result<(), CallError> {
        let name = wire.table_name(&batch.table);
        let mut projection = batch.projection.clone();
        if !projection.is_empty() {
            // Answers come in any order: only their keys tell which is which.
            let missing: Vec<String> = table
                .key()
                .filter(|key| !projection.contains(&key.name))
                .map(|key| key.name.clone())
                .collect();
            projection.extend(missing);
        }
        let mut body = Body::of_table(&name);
        body.projection(&projection);
        if batch.consistent {
            body.set("ConsistentRead", true);
        }
        let mut request = body.finish();
        request.as_object_mut().expect("a body is an object").remove("TableName");
        request["Keys"] = Json::Array(keys.iter().map(to_json).collect());
        let mut rest = json!({name.clone(): request});
        let mut attempts = 0;
        while rest.as_object().is_some_and(|tables| !tables.is_empty()) {
            if attempts == BATCH_ATTEMPTS {
                return Err(Fault::Unprocessed { what: "keys", attempts }.into());
            }
            attempts += 1;
            let asked: Vec<Item> =
                rest[&name]["Keys"].as_array().into_iter().flatten().filter_map(item).collect();
            let mut answer = wire.send(Sent {
                operation: "BatchGetItem",
                body: json!({"RequestItems": rest}),
                touch: Touch::BatchGet {
                    table: batch.table.clone(),
                    keys: asked,
                    consistent: batch.consistent,
                },
            })?;
            for read in answer["Responses"][&name].as_array().into_iter().flatten().filter_map(item) {
                let key: Item = table
                    .key()
                    .filter_map(|key| Some((key.name.clone(), read.get(&key.name)?.clone())))
                    .collect();
                found.insert(key, read);
            }
            rest = answer["UnprocessedKeys"].take();
        }
        Ok(())
    }

    pub(super) fn scan(&mut self, scan: &'d Scan, wire: &mut dyn Wire) -> Result<Vec<Item>, CallError> {
        let is_answer = self.operation.outcome.from_request as usize == self.next + 1;
        let limit = self.limit(&scan.limit, is_answer);
        let paged = matches!(scan.limit, Limit::Page { .. }) && is_answer;
        let filter = match &scan.filter {
            Some(filter) => self.scope.condition(filter)?,
            None => None,
        };
        let start = match (&self.page.cursor, paged) {
            (Some(Cursor::Key(key)), true) => Some(key.clone()),
            _ => None,
        };
        let mut found = Found { items: Vec::new(), count: 0, last: start };
        loop {
            let mut body = Body::of_table(&wire.table_name(&scan.table));
            if let Some(index) = &scan.index {
                body.set("IndexName", index.as_str());
            }
            if let Some(filter) = &filter {
                body.condition("FilterExpression", filter);
            }
            if scan.count {
                body.set("Select", "COUNT");
            }
            if let Some(limit) = limit {
                body.set("Limit", limit - found.count);
            }
            if let Some(start) = &found.last {
                body.item("ExclusiveStartKey", start);
            }
            let touch = Touch::Scan {
                table: scan.table.clone(),
                index: scan.index.clone(),
                start: found.last.clone(),
            };
            let answer = wire.send(Sent { operation: "Scan", body: body.finish(), touch })?;
            found.take(&answer);
            if found.last.is_none() || limit.is_some_and(|limit| found.count >= limit) {
                break;
            }
        }
        if scan.count {
            self.number = Some(i64::try_from(found.count).unwrap_or(i64::MAX));
        }
        if paged {
            self.cursor = found.last.map(Cursor::Key);
        }
        Ok(found.items)
    }
}

impl Found {
    fn take(&mut self, answer: &Json) {
        let items = answer["Items"].as_array();
        self.items.extend(items.into_iter().flatten().filter_map(item));
        self.count += answer["Count"].as_u64().unwrap_or_else(|| items.map_or(0, Vec::len) as u64);
        self.last = answer.get("LastEvaluatedKey").and_then(item).filter(|key| !key.is_empty());
    }
}

/// Merges what shards found in the promised order, and tells how many items of each were taken.
fn merge(found: &[Option<Found>], order: &[Order], limit: Option<u64>) -> (Vec<Item>, Vec<usize>) {
    let mut taken = vec![0; found.len()];
    let mut items = Vec::new();
    while limit.is_none_or(|limit| (items.len() as u64) < limit) {
        let heads = found.iter().enumerate().filter_map(|(at, shard)| {
            shard.as_ref().and_then(|shard| shard.items.get(taken[at])).map(|head| (at, head))
        });
        // The first of equals: the order of the shards breaks ties, so that pages are stable.
        let Some((at, head)) = heads
            .reduce(|best, next| if by_order(next.1, best.1, order) == Ordering::Less { next } else { best })
        else {
            break;
        };
        items.push(head.clone());
        taken[at] += 1;
    }
    (items, taken)
}

/// Sorts as the caller does where the key order does not give the promised one; equals keep their places.
pub(super) fn sort_by_order(items: &mut [Item], order: &[Order]) {
    items.sort_by(|a, b| by_order(a, b, order));
}

fn by_order(a: &Item, b: &Item, order: &[Order]) -> Ordering {
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
pub(crate) fn compare(a: Option<&AttributeValue>, b: Option<&AttributeValue>) -> Ordering {
    match (a, b) {
        (Some(AttributeValue::BOOL(a)), Some(AttributeValue::BOOL(b))) => a.cmp(b),
        (Some(a), Some(b)) => a.compare(b).unwrap_or(Ordering::Equal),
        (a, b) => a.is_some().cmp(&b.is_some()),
    }
}

/// A page of an answer that the caller sorted.
pub(super) fn slice(items: Vec<Item>, page: &Page) -> (Vec<Item>, Option<Cursor>) {
    let start = match page.cursor {
        Some(Cursor::Offset(start)) => start,
        _ => 0,
    };
    let end = start.saturating_add(page.limit.unwrap_or(DEFAULT_PAGE));
    let over = end >= items.len() as u64;
    let items = items.into_iter().skip(start as usize).take((end - start) as usize).collect();
    (items, (!over).then_some(Cursor::Offset(end)))
}

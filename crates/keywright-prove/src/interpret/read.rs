//! Requests that read: one item, a collection, everything; pages and their cursors.

mod batch;
mod scatter;

use keywright_dynamodb::value::Item;
use keywright_model::design::{Get, Limit, Query, Scan};
use serde_json::Value as Json;

use crate::interpret::body::{Body, item};
use crate::interpret::{Call, CallError, Page, QueryTouch, Sent, Touch, Wire};

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
        // DynamoDB counts what it reads before it filters: with a limit of one it would look at one item after the other.
        let asked = limit.filter(|_| filter.is_none() || query.limit != Limit::First(1));
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
            if let Some(limit) = asked {
                body.set("Limit", limit - found.count);
            }
            if let Some(start) = &found.last {
                body.item("ExclusiveStartKey", start);
            }
            let touch = Touch::Query(QueryTouch {
                table: query.table.clone(),
                index: query.index.clone(),
                condition: condition.clone(),
                filtered: filter.is_some(),
                forward: query.forward,
                start: found.last.clone(),
                consistent: query.consistent,
            });
            let answer = wire.send(Sent { operation: "Query", body: body.finish(), touch })?;
            let before = found.last.take();
            found.take(&answer);
            // Engines that take no notice of where to go on, where a key has one item, would give that one for ever.
            if before.is_some() && found.last == before {
                found.last = None;
            }
            if found.last.is_none() || limit.is_some_and(|limit| found.count >= limit) {
                if asked != limit {
                    found.items.truncate(1);
                }
                return Ok(found);
            }
        }
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

//! Steps that read: one item, a collection, shards in parallel, batches.

use std::collections::HashMap;

use aws_sdk_dynamodb::types::{KeysAndAttributes, Select};

use super::call::Call;
use super::cursor::{Position, Progress};
use super::scope::{Scope, alias};
use super::value::{by_order, key_text};
use super::wait::{Boxed, all, pause};
use super::{AttributeValue, BatchGet, Error, Get, Input, Item, Order, Query, Scan, Scatter, Step};

const BATCH_ATTEMPTS: u32 = 8;

/// The items that one Query found, over all its pages.
#[derive(Default)]
struct Found {
    items: Vec<Item>,
    count: i64,
    last: Option<Item>,
}

impl Found {
    /// Adds a page. Returns whether to stop: there are enough items, or no more.
    fn take(&mut self, items: Option<Vec<Item>>, count: i32, last: Option<Item>, limit: Option<u32>) -> bool {
        self.items.extend(items.into_iter().flatten());
        self.count += i64::from(count);
        self.last = last.filter(|key| !key.is_empty());
        self.last.is_none() || limit.is_some_and(|limit| self.count >= i64::from(limit))
    }

    /// The number of items that are still needed.
    fn rest(&self, limit: Option<u32>) -> Option<i32> {
        limit.map(|limit| i32::try_from(i64::from(limit) - self.count).unwrap_or(i32::MAX))
    }
}

impl Call<'_> {
    pub(super) async fn get(&self, step: &Get) -> Result<Vec<Item>, Error> {
        let mut expressions = self.expressions(&self.scope);
        let projection = expressions.projection(step.projection);
        let answer = self
            .store
            .client
            .get_item()
            .table_name(self.store.table_name(step.table))
            .set_key(Some(self.scope.primary_key(step.key)?))
            .consistent_read(step.consistent)
            .set_projection_expression(projection)
            .set_expression_attribute_names(expressions.names())
            .send()
            .await?;
        Ok(answer.item.into_iter().collect())
    }

    /// Whether the step gives the answer, or the index entries whose items a BatchGet fetches for it.
    fn leads(&self, number: usize) -> bool {
        let answer = self.operation.answer_from;
        let feeds = |step: &Step| matches!(step, Step::BatchGet(batch) if batch.of_step == Some(number));
        answer == number || self.operation.steps.get(answer - 1).is_some_and(feeds)
    }

    fn most(&self, limit: Option<u32>, paged: bool, number: usize) -> Option<u32> {
        if self.operation.client_sort && self.leads(number) {
            return None;
        }
        if paged { self.limit.or(limit) } else { limit }
    }

    pub(super) async fn query(&mut self, step: &Query, number: usize) -> Result<Vec<Item>, Error> {
        let paged = step.paged && self.leads(number);
        let start = if paged { self.position.after.clone() } else { None };
        let found = self.pages(step, &self.scope, start, self.most(step.limit, step.paged, number)).await?;
        if step.count {
            self.count = found.count;
        }
        if paged && found.last.is_some() {
            self.next = Some(Position { after: found.last, ..Position::default() });
        }
        Ok(found.items)
    }

    /// Runs one Query, page after page, until there are enough items or no more.
    async fn pages(
        &self,
        step: &Query,
        scope: &Scope,
        start: Option<Item>,
        limit: Option<u32>,
    ) -> Result<Found, Error> {
        let mut partition: Vec<(&str, AttributeValue)> = Vec::new();
        for (attribute, value) in step.partition {
            let lacks = || Error::MalformedItem(format!("there is no value for the key {attribute}"));
            partition.push((attribute, scope.single(value)?.ok_or_else(lacks)?));
        }
        if let Some(start) = &start {
            self.check_start(start, &partition, step.table, step.index)?;
        }
        let mut expressions = self.expressions(scope);
        let mut conditions: Vec<String> =
            partition.into_iter().map(|(attribute, value)| expressions.equals(attribute, value)).collect();
        let mut open = true;
        for (attribute, value) in step.sort {
            match scope.single(value)? {
                Some(value) => conditions.push(expressions.equals(attribute, value)),
                None => {
                    open = false;
                    break;
                }
            }
        }
        if let Some(range) = step.range.filter(|_| open) {
            conditions.extend(expressions.clause(range.text, range.values)?);
        }
        let filter = expressions.all(step.filter)?;
        // DynamoDB counts what it reads before it filters: with a limit of one it would look at one item after the other.
        let single = filter.is_some() && step.limit == Some(1) && !step.paged;
        let limit = limit.filter(|_| !single);
        let projection = if step.count { None } else { expressions.projection(step.projection) };
        let request = self
            .store
            .client
            .query()
            .table_name(self.store.table_name(step.table))
            .set_index_name(step.index.map(str::to_owned))
            .key_condition_expression(conditions.join(" AND "))
            .set_filter_expression(filter)
            .set_projection_expression(projection)
            .set_select(step.count.then_some(Select::Count))
            .scan_index_forward(!step.backward)
            .consistent_read(step.consistent)
            .set_expression_attribute_names(expressions.names())
            .set_expression_attribute_values(expressions.values());
        let mut found = Found { last: start, ..Found::default() };
        loop {
            let answer = request
                .clone()
                .set_limit(found.rest(limit))
                .set_exclusive_start_key(found.last.take())
                .send()
                .await?;
            if found.take(answer.items, answer.count, answer.last_evaluated_key, limit) {
                if single {
                    found.items.truncate(1);
                }
                return Ok(found);
            }
        }
    }

    pub(super) async fn scattered(
        &mut self,
        step: &Query,
        scatter: &Scatter,
        number: usize,
    ) -> Result<Vec<Item>, Error> {
        let limit = self.most(step.limit, step.paged, number);
        let paged = step.paged && self.leads(number);
        let rows = scatter.rows();
        let mut progress = match &self.position.shards {
            Some(shards) if paged => shards.clone(),
            _ => vec![Progress::Open(None); rows.len()],
        };
        if progress.len() != rows.len() {
            let reason = "was made for another number of shards";
            return Err(Error::Cursor { pattern: self.operation.pattern, reason });
        }
        let scopes: Vec<Scope> =
            rows.into_iter().map(|row| Scope { scattered: row, ..self.scope.clone() }).collect();
        let mut found: Vec<Option<Found>> = progress.iter().map(|_| None).collect();
        if scatter.one_after_another {
            let mut have = 0;
            for (at, scope) in scopes.iter().enumerate() {
                let Progress::Open(start) = &progress[at] else { continue };
                let rest = limit.map(|limit| limit.saturating_sub(u32::try_from(have).unwrap_or(u32::MAX)));
                if rest == Some(0) {
                    break;
                }
                let shard = self.pages(step, scope, start.clone(), rest).await?;
                have += shard.count;
                found[at] = Some(shard);
            }
        } else {
            let this = &*self;
            let futures = progress
                .iter()
                .zip(&scopes)
                .map(|(progress, scope)| -> Boxed<'_, Result<Option<Found>, Error>> {
                    Box::pin(async move {
                        match progress {
                            Progress::Open(start) => this.pages(step, scope, start.clone(), limit).await.map(Some),
                            Progress::Done => Ok(None),
                        }
                    })
                })
                .collect();
            found = all(futures).await.into_iter().collect::<Result<_, _>>()?;
        }
        if step.count {
            self.count = found.iter().flatten().map(|shard| shard.count).sum();
            return Ok(Vec::new());
        }
        let (items, taken) = merge(&found, &self.merge_order(step), limit);
        for ((shard, taken), progress) in found.iter().zip(taken).zip(&mut progress) {
            let Some(shard) = shard else { continue };
            if taken == shard.items.len() {
                *progress = shard.last.clone().map_or(Progress::Done, |last| Progress::Open(Some(last)));
            } else if taken > 0 {
                let last = self.start_after(step.table, step.index, &shard.items[taken - 1]);
                *progress = Progress::Open(Some(last));
            }
        }
        if paged && progress.iter().any(|shard| *shard != Progress::Done) {
            self.next = Some(Position { shards: Some(progress), ..Position::default() });
        }
        Ok(items)
    }

    /// The promised order, then the order of the sort key, which decides where the index does not project the
    /// attributes of the promised order.
    fn merge_order(&self, step: &Query) -> Vec<Order> {
        let mut order = self.operation.order.to_vec();
        if order.is_empty() {
            return order;
        }
        let schema = self.store.schema;
        let key = match step.index {
            None => schema.table_key(step.table),
            index => schema.index_key(step.table, index),
        };
        let partition = |name: &&str| step.partition.iter().any(|(attribute, _)| attribute == name);
        let sort = key.iter().copied().filter(|name| !partition(name));
        order.extend(sort.map(|attribute| Order { attribute, descending: step.backward, ..Order::NONE }));
        order
    }

    pub(super) async fn batch_get(&mut self, step: &BatchGet) -> Result<Vec<Item>, Error> {
        let names = self.store.schema.table_key(step.table);
        let wanted = self.wanted_keys(step, names)?;
        let identity = |item: &Item| -> Vec<Option<String>> {
            names.iter().map(|name| item.get(*name).and_then(key_text)).collect()
        };
        let mut distinct: Vec<Item> = Vec::new();
        let mut asked = std::collections::HashSet::new();
        for key in &wanted {
            if asked.insert(identity(key)) {
                distinct.push(key.clone());
            }
        }
        let table = self.store.table_name(step.table);
        let mut found: HashMap<Vec<Option<String>>, Item> = HashMap::new();
        for chunk in distinct.chunks(100) {
            let mut expressions = self.expressions(&self.scope);
            // DynamoDB returns the items in any order, so their keys are needed to match them.
            let keys: Vec<String> = names.iter().map(|name| alias(name)).collect();
            let mut paths: Vec<&str> = step.projection.to_vec();
            if !paths.is_empty() {
                paths.extend(keys.iter().map(String::as_str).filter(|key| !step.projection.contains(key)));
            }
            let request = KeysAndAttributes::builder()
                .consistent_read(step.consistent)
                .set_projection_expression(expressions.projection(&paths))
                .set_expression_attribute_names(expressions.names())
                .set_keys(Some(chunk.to_vec()))
                .build()
                .map_err(|error| Error::MalformedItem(error.to_string()))?;
            let mut rest = HashMap::from([(table.clone(), request)]);
            let mut attempt = 0;
            while !rest.is_empty() {
                if attempt == BATCH_ATTEMPTS {
                    return Err(Error::Unprocessed { pattern: self.operation.pattern });
                }
                if attempt > 0 {
                    pause(&self.store.client, attempt).await;
                }
                attempt += 1;
                let answer = self.store.client.batch_get_item().set_request_items(Some(rest)).send().await?;
                let items = answer.responses.and_then(|mut responses| responses.remove(&table));
                found.extend(items.into_iter().flatten().map(|item| (identity(&item), item)));
                rest = answer.unprocessed_keys.unwrap_or_default();
            }
        }
        Ok(wanted.iter().filter_map(|key| found.get(&identity(key)).cloned()).collect())
    }

    fn wanted_keys(&mut self, step: &BatchGet, names: &[&str]) -> Result<Vec<Item>, Error> {
        if let Some(number) = step.of_step.filter(|_| !step.each.is_empty()) {
            let keys = (0..self.scope.items(number).len())
                .map(|at| {
                    self.scope.at_hand = Some((number, at));
                    self.scope.primary_key(step.each)
                })
                .collect();
            self.scope.at_hand = None;
            return keys;
        }
        if let Some(number) = step.of_step {
            let key = |entry: &Item| -> Item {
                names.iter().filter_map(|name| Some(((*name).to_owned(), entry.get(*name)?.clone()))).collect()
            };
            return Ok(self.scope.items(number).iter().map(key).collect());
        }
        let length = |input: &Input| match input {
            Input::Many(values) => values.len(),
            Input::One(_) => 0,
        };
        let elements = self.scope.inputs.values().map(length).max().unwrap_or(0);
        let keys = (0..elements)
            .map(|element| {
                self.scope.element = Some(element);
                self.scope.primary_key(step.each)
            })
            .collect();
        self.scope.element = None;
        keys
    }

    pub(super) async fn scan(&mut self, step: &Scan, number: usize) -> Result<Vec<Item>, Error> {
        let limit = self.most(step.limit, step.paged, number);
        let paged = step.paged && self.leads(number);
        let mut expressions = self.expressions(&self.scope);
        let filter = expressions.all(step.filter)?;
        let request = self
            .store
            .client
            .scan()
            .table_name(self.store.table_name(step.table))
            .set_index_name(step.index.map(str::to_owned))
            .set_filter_expression(filter)
            .set_select(step.count.then_some(Select::Count))
            .set_expression_attribute_names(expressions.names())
            .set_expression_attribute_values(expressions.values());
        let start = if paged { self.position.after.clone() } else { None };
        let mut found = Found { last: start, ..Found::default() };
        loop {
            let answer = request
                .clone()
                .set_limit(found.rest(limit))
                .set_exclusive_start_key(found.last.take())
                .send()
                .await?;
            if found.take(answer.items, answer.count, answer.last_evaluated_key, limit) {
                break;
            }
        }
        if step.count {
            self.count = found.count;
        }
        if paged && found.last.is_some() {
            self.next = Some(Position { after: found.last, ..Position::default() });
        }
        Ok(found.items)
    }
}

/// Merges the items of all shards in the promised order. The number of the shard breaks ties, so that pages
/// are stable.
fn merge(found: &[Option<Found>], order: &[Order], limit: Option<u32>) -> (Vec<Item>, Vec<usize>) {
    let mut taken = vec![0; found.len()];
    let mut items: Vec<Item> = Vec::new();
    while limit.is_none_or(|limit| items.len() < limit as usize) {
        let heads = found.iter().enumerate().filter_map(|(at, shard)| {
            shard.as_ref().and_then(|shard| shard.items.get(taken[at])).map(|head| (at, head))
        });
        let best = heads.reduce(|best, next| if by_order(next.1, best.1, order).is_lt() { next } else { best });
        let Some((at, head)) = best else { break };
        items.push(head.clone());
        taken[at] += 1;
    }
    (items, taken)
}

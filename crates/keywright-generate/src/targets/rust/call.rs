//! One call of an operation: runs its steps in order and builds the answer from the items that they read.

use super::cursor::{self, Position};
use super::scope::{Expressions, Scope};
use super::value::{at, by_order};
use super::wait::pause;
use super::{Answer, AttributeValue, Error, Item, Operation, Shape, Step, Store};

/// The default page size of an answer that is sorted here.
const DEFAULT_PAGE: usize = 25;

/// One call of an operation.
pub(super) struct Call<'s> {
    pub(super) store: &'s Store,
    pub(super) operation: &'static Operation,
    pub(super) scope: Scope,
    pub(super) limit: Option<u32>,
    pub(super) position: Position,
    pub(super) next: Option<Position>,
    pub(super) count: i64,
    pub(super) written: Item,
}

/// A failed write: the conditions of the pattern that failed, and whether a concurrent write may be the
/// cause.
pub(super) struct Failure {
    pub(super) conditions: Vec<&'static str>,
    pub(super) race: bool,
}

impl<'s> Call<'s> {
    pub(super) fn new(
        store: &'s Store,
        operation: &'static Operation,
        scope: Scope,
        limit: Option<u32>,
        position: Position,
    ) -> Self {
        Call { store, operation, scope, limit, position, next: None, count: 0, written: Item::new() }
    }

    pub(super) fn expressions<'c>(&self, scope: &'c Scope) -> Expressions<'c> {
        Expressions::new(scope, self.store.schema)
    }

    pub(super) async fn run(mut self) -> Result<Answer, Error> {
        let Operation { pattern, steps, retry, shape, .. } = *self.operation;
        let mut retries = 0;
        let mut at = 0;
        while let Some(step) = steps.get(at) {
            self.scope.reads.truncate(at);
            let items = match step {
                Step::Write(write) => {
                    if let Some(failure) = self.write(write).await? {
                        if let Some(retry) = retry.filter(|retry| failure.race && retries < retry.attempts) {
                            retries += 1;
                            pause(&self.store.client, retries).await;
                            // A write before `from_step` has done nothing yet, so everything is repeated.
                            let from = retry.from_step.saturating_sub(1);
                            at = if at < from { 0 } else { from };
                            continue;
                        }
                        let lost_race = failure.race && failure.conditions.is_empty();
                        return Err(Error::ConditionFailed { pattern, conditions: failure.conditions, lost_race });
                    }
                    Vec::new()
                }
                Step::Get(get) => self.get(get).await?,
                Step::Query(query) => match &query.scatter {
                    Some(scatter) => self.scattered(query, scatter, at + 1).await?,
                    None => self.query(query, at + 1).await?,
                },
                Step::BatchGet(batch) => self.batch_get(batch).await?,
                Step::Scan(scan) => self.scan(scan, at + 1).await?,
            };
            // A Query for a single item counts as a Get.
            let looks_for_one = match step {
                Step::Get(get) => !get.may_be_absent,
                Step::Query(query) => query.limit == Some(1) && !query.paged && !query.count,
                _ => false,
            };
            let ends = looks_for_one && items.is_empty();
            self.scope.reads.push(items);
            at += 1;
            if ends && at < steps.len() {
                if shape != Shape::Nothing {
                    break;
                }
                // An item that an earlier step found was deleted meanwhile by a concurrent write.
                let again = retry.filter(|retry| at > retry.from_step && retries < retry.attempts);
                let Some(retry) = again else { return Err(Error::ItemNotFound { pattern }) };
                retries += 1;
                pause(&self.store.client, retries).await;
                at = retry.from_step.saturating_sub(1);
            }
        }
        Ok(self.answer())
    }

    fn answer(mut self) -> Answer {
        let Operation { pattern, shape, answer_from, counter, order, client_sort, first, .. } = *self.operation;
        let mut items = match self.scope.reads.get_mut(answer_from - 1) {
            Some(items) => std::mem::take(items),
            None => Vec::new(),
        };
        if client_sort {
            items.sort_by(|a, b| by_order(a, b, order));
            if shape == Shape::Page {
                let size = self.limit.map_or(DEFAULT_PAGE, |limit| limit as usize);
                let start = self.position.offset.min(items.len());
                let end = (start + size).min(items.len());
                self.next = (end < items.len()).then(|| Position { offset: end, ..Position::default() });
                items = items.drain(start..end).collect();
            }
        }
        items.truncate(first.unwrap_or(usize::MAX));
        let number = |attribute: &str| at(items.first()?, attribute)?.as_n().ok()?.parse().ok();
        let count = counter.map_or(self.count, |attribute| number(attribute).unwrap_or(0));
        if shape == Shape::Single {
            items.truncate(1);
        }
        let next = self.next.filter(|_| shape == Shape::Page);
        let mut made: Item = self.written;
        made.extend(self.scope.generated);
        Answer { items, next_cursor: next.map(|next| cursor::encode(pattern, &next)), count, made }
    }

    /// The start key of a Query that continues after an item that it returned.
    pub(super) fn start_after(&self, table: &str, index: Option<&str>, item: &Item) -> Item {
        let schema = self.store.schema;
        schema
            .table_key(table)
            .iter()
            .chain(schema.index_key(table, index))
            .filter_map(|name| Some(((*name).to_owned(), item.get(*name)?.clone())))
            .collect()
    }

    /// Requires that a cursor's key is a key of the table or index, in the partition that the request reads.
    pub(super) fn check_start(
        &self,
        start: &Item,
        partition: &[(&str, AttributeValue)],
        table: &str,
        index: Option<&str>,
    ) -> Result<(), Error> {
        let schema = self.store.schema;
        let mut names: Vec<&str> =
            schema.table_key(table).iter().chain(schema.index_key(table, index)).copied().collect();
        names.sort_unstable();
        names.dedup();
        let whole = start.len() == names.len() && names.iter().all(|name| start.contains_key(*name));
        let inside = partition.iter().all(|(name, value)| start.get(*name) == Some(value));
        if whole && inside {
            return Ok(());
        }
        Err(Error::Cursor { pattern: self.operation.pattern, reason: "belongs to another partition" })
    }
}

//! A Query over shards, or over the values of enumerations: side by side or one after the other, merged in order.

use std::cmp::Ordering;

use keywright_dynamodb::value::Item;
use keywright_model::design::{Query, Table};
use keywright_model::model::Direction;

use super::{Cursor, Found, Progress};
use crate::interpret::order::{Wanted, by_order, promised};
use crate::interpret::write::unknown;
use crate::interpret::{Call, CallError, Wire};

impl<'d> Call<'d> {
    pub(super) fn scattered(
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
    fn merge_order(&self, table: &'d Table, query: &Query) -> Vec<Wanted<'d>> {
        let mut order = promised(self.design, &self.operation.outcome);
        if order.is_empty() {
            return order;
        }
        let index = query.index.as_ref().and_then(|index| self.design.index(&query.table, index));
        let sort: Vec<&str> = match index {
            Some(index) => index.sort.iter().map(|key| key.name.as_str()).collect(),
            None => table.sort.iter().map(|key| key.name.as_str()).collect(),
        };
        let direction = if query.forward { Direction::Ascending } else { Direction::Descending };
        order.extend(sort.into_iter().map(|attribute| Wanted { attribute, direction, values: &[] }));
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
}

/// Merges what shards found in the promised order, and tells how many items of each were taken.
fn merge(found: &[Option<Found>], order: &[Wanted<'_>], limit: Option<u64>) -> (Vec<Item>, Vec<usize>) {
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

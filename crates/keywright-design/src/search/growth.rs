//! What it can cost at most that an entity's part of a shared read is larger than it could be.
//!
//! A layout with one more index has larger items, so the reads that several entities share may read more. How much
//! that is depends on the other entities, but never on more than the units between the smallest and the largest sum.

use keywright_dynamodb::limits::{MB, READ_UNIT_BYTES};
use keywright_model::Rate;

use super::task::EntityTask;
use crate::cost::{MonthlyPrice, shared_items};
use crate::demand::Source;

/// How a shared read depends on the size of one of its parts.
#[derive(Clone, Debug)]
pub(super) struct Growth {
    /// So many items of this part come back at once.
    items: u64,
    rate: Rate,
    strong: bool,
    /// The fewest and the most bytes of all other parts together.
    others: (u64, u64),
}

/// A difference of rounded prices may pass the rounded price of the difference by one pico-dollar.
const ROUNDING: i128 = 1;

impl Growth {
    /// How each shared demand of an entity depends on its size, in the order of the demands.
    pub(super) fn of(tasks: &[EntityTask<'_>], entity: usize) -> Vec<Self> {
        let problem = tasks[entity].problem;
        let shared = tasks[entity].demands.iter().filter_map(|demand| match demand.source {
            Source::Shared { read, part } => Some((read, part)),
            _ => None,
        });
        shared
            .map(|(read, mine)| {
                let facts = &problem.reads[read];
                let items = |part: usize| shared_items(facts, &problem.entities, part);
                let others = (0..facts.parts.len()).filter(|part| *part != mine);
                let others = others.fold((0u64, 0u64), |(few, many), part| {
                    let (least, most) = tasks[facts.parts[part].entity].bytes();
                    let times = |bytes: u64| items(part).saturating_mul(bytes);
                    (few.saturating_add(times(least)), many.saturating_add(times(most)))
                });
                Growth { items: items(mine), rate: facts.rate, strong: facts.strong, others }
            })
            .collect()
    }

    /// The most that the read gets dearer when an item of this part grows, in pico-dollars.
    pub(super) fn price(&self, month: &MonthlyPrice, from: u64, to: u64) -> i128 {
        if to <= from {
            return 0;
        }
        let (less, more) = (self.items.saturating_mul(from), self.items.saturating_mul(to));
        // As many pieces begin between the two sums as begin in what was added, wherever the others put it.
        let added = |piece: u64| {
            let pieces = |bytes: u64| bytes.div_ceil(piece).max(1);
            let most = pieces(more.saturating_add(self.others.1));
            let least = pieces(less.saturating_add(self.others.0));
            (more - less).div_ceil(piece).min(most.saturating_sub(least))
        };
        let rounded = |amount: u64, price: i128| if amount == 0 { 0 } else { price + ROUNDING };
        let half_units = added(READ_UNIT_BYTES) * if self.strong { 2 } else { 1 };
        let requests = added(MB);
        rounded(half_units, month.reads(self.rate, half_units).pico())
            + rounded(requests, month.extra_requests(self.rate, requests).pico())
    }
}

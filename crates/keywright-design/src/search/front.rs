//! The layouts of one entity that no other beats.

use std::sync::Arc;

use super::growth::Growth;
use super::layout::{Layout, SharedPlace};
use crate::cost::MonthlyPrice;

/// The layouts found so far that no other beats in price, with what shared reads can pay for its size.
pub(super) struct Front<'a> {
    pub(super) layouts: Vec<Arc<Layout>>,
    month: &'a MonthlyPrice,
    growth: &'a [Growth],
}

impl<'a> Front<'a> {
    /// Nothing yet; `growth` says what each shared read can pay.
    pub(super) fn new(month: &'a MonthlyPrice, growth: &'a [Growth]) -> Self {
        Front { layouts: Vec::new(), month, growth }
    }

    /// The price from which on some layout is at least as good as anything under a base placement with these least
    /// places. Between equals the earlier placement wins.
    pub(super) fn bar(&self, base: usize, shared: &[SharedPlace]) -> i128 {
        let mut bar = i128::MAX;
        for it in &self.layouts {
            let total = it.cost.total() + i128::from(it.base > base);
            if total < bar
                && let Some(dearer) = self.dearer(&it.shared, shared, bar - total)
            {
                bar = bar.min(total + dearer);
            }
        }
        bar
    }

    /// Takes a layout in, unless another beats it; between equals the one with fewer indexes, then the earlier base
    /// placement, then the one that came first.
    pub(super) fn add(&mut self, layout: Arc<Layout>) {
        let rank = |it: &Layout, more: i128| (it.cost.total() + more, it.indexes.len(), it.base);
        let beats = |one: &Layout, other: &Layout| {
            let dearer = self.dearer(&one.shared, &other.shared, i128::MAX);
            dearer.map(|dearer| rank(one, dearer).cmp(&rank(other, 0)))
        };
        if self.layouts.iter().any(|it| beats(it, &layout).is_some_and(std::cmp::Ordering::is_le)) {
            return;
        }
        let kept: Vec<bool> = self
            .layouts
            .iter()
            .map(|it| !beats(&layout, it).is_some_and(std::cmp::Ordering::is_le))
            .collect();
        let mut kept = kept.into_iter();
        self.layouts.retain(|_| kept.next().unwrap_or(true));
        self.layouts.push(layout);
    }

    /// The most that shared reads can pay more for one layout than for another; none where that is more than there is
    /// room for, or they find their parts in other kinds of places.
    fn dearer(&self, one: &[SharedPlace], other: &[SharedPlace], room: i128) -> Option<i128> {
        let apart = |(one, other): (&SharedPlace, &SharedPlace)| {
            (one.kind, one.gsi, one.client_sort) != (other.kind, other.gsi, other.client_sort)
        };
        if one.iter().zip(other).any(apart) {
            return None;
        }
        let mut sum = 0;
        for ((one, other), growth) in one.iter().zip(other).zip(self.growth) {
            sum += growth.price(self.month, other.bytes, one.bytes);
            if sum > room {
                return None;
            }
        }
        Some(sum)
    }
}

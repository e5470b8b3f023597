//! What ways and indexes cost at least as the item grows: prices at growing sizes, and what is still needed.

use super::super::super::dual::{State, Way};
use super::super::prepared::damaged;
use super::super::tariff::least_over_shards;
use super::BaseSearch;

/// By so many bytes an item grows before reads of it are priced anew.
const WORTH_PRICING: u64 = 256;

/// The least prices at a size that the item has at least.
pub(super) struct Level {
    item: u64,
    /// In a larger item some of the ways are no longer possible.
    most: u64,
    /// Of all ways to serve each demand, cheapest first.
    ways: Vec<Vec<Way>>,
    /// Of opening each index.
    opening: Vec<i128>,
}

impl BaseSearch<'_, '_, '_> {
    /// The least costs of all ways, at a size that the item has at least.
    pub(super) fn ways(&self) -> &[Vec<Way>] {
        self.levels.last().map_or(&self.from.ways, |level| &level.ways)
    }

    /// The least costs of opening each index, at a size that the item has at least.
    pub(super) fn opening(&self) -> &[i128] {
        self.levels.last().map_or(&self.from.opening, |level| &level.opening)
    }

    /// Prices everything anew where the item has grown so much that it tells: to its present size, and in the end to
    /// another. The sets below are no smaller.
    pub(super) fn grow(&mut self, item: u64, end: u64) -> bool {
        let smallest = (self.from.keeping.item(&[]), self.from.most);
        let (before, most) = self.levels.last().map_or(smallest, |level| (level.item, level.most));
        if end < before + WORTH_PRICING && end <= most {
            return false;
        }
        let keeping = &self.from.keeping;
        // What is open, or was there before, is in every size already; other keys may be among those that are needed.
        let own = |index: usize| {
            let is_there = self.task.weighed[index] < self.task.candidates.kept;
            if is_there { 0 } else { keeping.keys(index) }
        };
        let with = |index: usize| match self.states[index] {
            State::Open => end,
            State::Undecided | State::Closed => end.max(item + own(index)),
        };
        let price = |at: usize, way: &Way| {
            let item = way.index.map_or(end, with);
            let entry = way.index.map_or(item, |index| keeping.entry(index, item));
            let (task, base, demand) = (self.task, self.from.base, self.from.alone[at]);
            let tariff = &self.from.tariffs[at][way.way];
            tariff.at(task, base, demand, (item, entry), || {
                least_over_shards(task, base, demand, &tariff.reading.choice, item, entry)
            })
        };
        let mut most = u64::MAX;
        let ways = self.from.ways.iter().enumerate().map(|(at, ways)| {
            let possible = ways.iter().filter(|way| {
                let bytes = self.from.tariffs[at][way.way].reading.most_bytes;
                let item = way.index.map_or(end, with);
                let entry = way.index.map_or(item, |index| keeping.entry(index, item));
                // What is as large as the item may grow past it.
                if entry == item && entry <= bytes {
                    most = most.min(bytes);
                }
                entry <= bytes
            });
            // What is ruled out here stays so below.
            let open =
                possible.filter(|way| way.index.is_none_or(|index| self.states[index] != State::Closed));
            let mut ways: Vec<Way> = open.map(|way| Way { cost: price(at, way), ..*way }).collect();
            ways.sort_by_key(|way| way.cost);
            ways
        });
        let ways = ways.collect();
        let opening = |index: usize| match self.states[index] {
            State::Undecided => damaged(keeping.opening(self.task, index, with(index)).max(0)),
            State::Open | State::Closed => 0,
        };
        let opening = (0..self.states.len()).map(opening).collect();
        self.levels.push(Level { item: end, most, ways, opening });
        true
    }

    /// How many more indexes are needed at least, and the bytes of their keys: for demands that nothing open serves, no
    /// two of them by the same index.
    pub(super) fn still_needed(&mut self) -> (usize, u64) {
        let mut taken = std::mem::take(&mut self.taken);
        taken.clear();
        taken.resize(self.states.len(), false);
        let (mut needed, mut bytes) = (0, 0);
        for ways in self.ways() {
            if ways.iter().any(|way| self.is_open(way)) {
                continue;
            }
            let usable = || {
                let indexes = ways.iter().filter_map(|way| way.index);
                indexes.filter(|index| self.states[*index] == State::Undecided)
            };
            if usable().all(|index| !taken[index]) {
                usable().for_each(|index| taken[index] = true);
                needed += 1;
                bytes += usable().map(|index| self.from.keeping.keys(index)).min().unwrap_or(0);
            }
        }
        self.taken = taken;
        (needed, bytes)
    }
}

//! The search below one base placement.

use std::sync::Arc;

use keywright_dynamodb::limits::ITEM_BYTES;

use super::super::Counts;
use super::super::dual::{State, Way, ascend};
use super::super::front::Front;
use super::super::layout::{SharedPlace, arranged, evaluate, is_of_one_kind, mixed_places};
use super::super::limits::Limits;
use super::super::options::{Choice, opened};
use super::super::task::{EntityTask, Stop};
use super::ban::Ban;
use super::prepared::{Prepared, damaged, least};

/// By so many bytes an item grows before reads of it are priced anew.
const WORTH_PRICING: u64 = 256;

/// The least prices at a size that the item has at least.
struct Level {
    item: u64,
    /// In a larger item some of the ways are no longer possible.
    most: u64,
    /// Of all ways to serve each demand, cheapest first.
    ways: Vec<Vec<Way>>,
    /// Of opening each index.
    opening: Vec<i128>,
}

/// The search below one base placement.
pub(super) struct BaseSearch<'t, 'p, 'f> {
    task: &'t EntityTask<'p>,
    from: &'t Prepared,
    limits: Limits,
    bans: &'t [Ban],
    front: &'f mut Front<'t>,
    stop: Stop,
    /// The bans that depend on what is open.
    counted: Vec<Ban>,
    states: Vec<State>,
    /// Prices at growing sizes of the item; the last are those of the present branch.
    levels: Vec<Level>,
    open: Vec<usize>,
    chosen: Vec<Choice>,
    steps: u64,
    pub(super) stopped: bool,
}

impl<'t, 'p, 'f> BaseSearch<'t, 'p, 'f> {
    pub(super) fn new(
        task: &'t EntityTask<'p>,
        from: &'t Prepared,
        limits: Limits,
        bans: &'t [Ban],
        front: &'f mut Front<'t>,
        stop: Stop,
    ) -> Self {
        let banned = |index: &usize| bans.iter().any(|ban| ban.closes(task, &[], *index));
        // What is open already comes first, and stays.
        let present = |index: &usize| *index < task.candidates.kept;
        let state = |index: &usize| match index {
            index if present(index) => State::Open,
            index if banned(index) => State::Closed,
            _ => State::Undecided,
        };
        let open = (0..task.weighed.len()).filter(|at| present(&task.weighed[*at])).collect();
        BaseSearch {
            task,
            from,
            limits,
            bans,
            counted: bans.iter().copied().filter(|ban| ban.is_counted()).collect(),
            front,
            stop,
            states: task.weighed.iter().map(state).collect(),
            levels: Vec::new(),
            open,
            chosen: vec![Choice::NotNeeded; task.demands.len()],
            steps: 0,
            stopped: false,
        }
    }

    fn kind(&self, index: usize) -> usize {
        self.task.candidates.indexes[self.task.weighed[index]].projection.kind()
    }

    /// How many indexes of each kind are open.
    pub(super) fn counts(&self) -> Counts {
        let mut counts = Counts::default();
        self.open.iter().for_each(|index| counts[self.kind(*index)] += 1);
        counts
    }

    /// For each kind, whether one more index of it may be opened.
    fn room(&self) -> [bool; 3] {
        let counts = self.counts();
        std::array::from_fn(|kind| {
            let mut more = counts;
            more[kind] += 1;
            self.limits.allow(more)
        })
    }

    /// Whether something rules an index out beside those that are open.
    fn is_closed(&self, index: usize) -> bool {
        self.counted.iter().any(|ban| ban.closes(self.task, &self.open, self.task.weighed[index]))
    }

    /// The open indexes as candidates, ascending.
    fn candidates(&self) -> Vec<usize> {
        let mut all: Vec<usize> = self.open.iter().map(|index| self.task.weighed[*index]).collect();
        all.sort_unstable();
        all
    }

    /// A bound on every layout with this base placement; none where there are none.
    pub(super) fn root_bound(&self) -> Option<i128> {
        let (_, upkeep) = self.upkeep();
        let ascent = ascend(&self.from.ways, &self.from.opening, &self.states)?;
        Some(upkeep + ascent.sum + self.refunds())
    }

    /// The most that undecided indexes can pay back.
    fn refunds(&self) -> i128 {
        let undecided = self.states.iter().zip(&self.from.refund).filter(|it| *it.0 == State::Undecided);
        undecided.map(|(_, refund)| refund).sum()
    }

    /// Places one part of a shared read after the other, then opens indexes for the rest.
    pub(super) fn place(&mut self, at: usize) {
        if at == self.from.shared.len() {
            // What other places were searched with is forgotten.
            for demand in &self.from.alone {
                self.chosen[*demand] = Choice::NotNeeded;
            }
            if arranged(self.task, &self.chosen) {
                let (item, upkeep) = self.upkeep();
                self.explore(true, item, upkeep);
            }
            return;
        }
        let demand = self.from.shared[at];
        for choice in &self.from.beside[demand] {
            self.chosen[demand] = choice.clone();
            self.place(at + 1);
        }
        for (index, fit) in self.task.on_indexes(self.from.base, demand) {
            let Ok(local) = self.task.weighed.binary_search(index) else { continue };
            let opens = !self.open.contains(&local);
            let banned = self.states[local] == State::Closed
                || self.bans.contains(&Ban::Place { demand, index: *index });
            if banned || opens && (!self.room()[self.kind(local)] || self.is_closed(local)) {
                continue;
            }
            if opens {
                self.open.push(local);
                self.states[local] = State::Open;
            }
            self.chosen[demand] = Choice::Index(*index, Arc::clone(fit));
            self.place(at + 1);
            if opens {
                self.open.pop();
                self.states[local] = State::Undecided;
            }
        }
        self.chosen[demand] = Choice::NotNeeded;
    }

    /// The size of the item with the open indexes, and what keeping all of it costs.
    fn upkeep(&self) -> (u64, i128) {
        self.from.keeping.price(self.task, &self.open)
    }

    /// Weighs the open set if it is new, then every set that contains it and nothing that is ruled out.
    fn explore(&mut self, new: bool, item: u64, upkeep: i128) {
        self.steps += 1;
        if self.steps.is_multiple_of(64) && self.stop.now() {
            self.stopped = true;
        }
        if self.stopped {
            return;
        }
        // What is too large stays so, whatever else is opened.
        let places = self.places(item);
        if item > ITEM_BYTES || !self.may_be_placed(&places) {
            return;
        }
        if new {
            self.weigh(item, upkeep, &places);
        }
        let mut closed: Vec<usize> = Vec::new();
        let room = self.room();
        for index in 0..self.states.len() {
            if self.states[index] == State::Undecided && (!room[self.kind(index)] || self.is_closed(index)) {
                self.states[index] = State::Closed;
                closed.push(index);
            }
        }
        let (needed, keys) = self.still_needed();
        if self.limits.leave(self.open.len()) >= needed {
            // Whatever is left has the keys of what is still needed.
            let larger = item + keys;
            let grown = self.grow(item, larger);
            let bar = match keys {
                0 => self.front.bar(self.from.base, &places),
                _ => self.front.bar(self.from.base, &self.places(larger)),
            };
            let kept =
                if keys == 0 { upkeep } else { self.from.keeping.price_at(self.task, &self.open, larger) };
            self.branch(bar, kept, item, upkeep, &mut closed);
            if grown {
                self.levels.pop();
            }
        }
        for index in closed {
            self.states[index] = State::Undecided;
        }
    }

    /// Closes what can't be better than the bar, beside what is kept at least, and opens the most promising of the rest.
    fn branch(&mut self, bar: i128, kept: i128, item: u64, upkeep: i128, closed: &mut Vec<usize>) {
        let Some(ascent) = ascend(self.ways(), self.opening(), &self.states) else { return };
        let least = kept + self.refunds();
        let mut next: Option<(i128, usize)> = None;
        for index in 0..self.states.len() {
            if self.states[index] != State::Undecided {
                continue;
            }
            // Every set that is left opens something, and pays at least what the prices leave of its cost.
            let slack = ascent.slack[index];
            if least + ascent.sum + slack >= bar {
                self.states[index] = State::Closed;
                closed.push(index);
                continue;
            }
            let used = self.opening()[index] - slack;
            if next.is_none_or(|(most, _)| used > most) {
                next = Some((used, index));
            }
        }
        // Every open index serves somebody, so there are never more of them than demands.
        let full = self.open.len() >= self.task.candidates.kept + self.task.demands.len();
        let Some((_, index)) = next.filter(|_| !full) else { return };
        self.states[index] = State::Open;
        self.open.push(index);
        let (larger, kept) = self.upkeep();
        self.explore(true, larger, kept);
        self.open.pop();
        self.states[index] = State::Closed;
        closed.push(index);
        self.explore(false, item, upkeep);
    }

    /// The least costs of all ways, at a size that the item has at least.
    fn ways(&self) -> &[Vec<Way>] {
        self.levels.last().map_or(&self.from.ways, |level| &level.ways)
    }

    /// The least costs of opening each index, at a size that the item has at least.
    fn opening(&self) -> &[i128] {
        self.levels.last().map_or(&self.from.opening, |level| &level.opening)
    }

    /// Prices everything anew where the item has grown so much that it tells: to its present size, and in the end to
    /// another. The sets below are no smaller.
    fn grow(&mut self, item: u64, end: u64) -> bool {
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
            let (item, keys) = way.index.map_or((end, 0), |index| (with(index), own(index)));
            let entry = way.index.map_or(item, |index| keeping.entry(index, item));
            let hot = way.index.is_some_and(|index| self.from.hot[index]);
            let (demand, choice) = (self.from.alone[at], &self.from.choices[at][way.way]);
            self.from.tariffs[at][way.way]
                .at(item, entry, || least(self.task, self.from.base, demand, choice, item - keys, hot))
        };
        let mut most = u64::MAX;
        let ways = self.from.ways.iter().enumerate().map(|(at, ways)| {
            let possible = ways.iter().filter(|way| {
                let bytes = self.from.tariffs[at][way.way].most_bytes;
                let item = way.index.map_or(end, with);
                let entry = way.index.map_or(item, |index| keeping.entry(index, item));
                // What is as large as the item may grow past it.
                if entry == item && entry <= bytes {
                    most = most.min(bytes);
                }
                entry <= bytes
            });
            let mut ways: Vec<Way> = possible.map(|way| Way { cost: price(at, way), ..*way }).collect();
            ways.sort_by_key(|way| way.cost);
            ways
        });
        let ways = ways.collect();
        let opening = |index: usize| damaged(keeping.opening(self.task, index, with(index)).max(0));
        let opening = (0..self.states.len()).map(opening).collect();
        self.levels.push(Level { item: end, most, ways, opening });
        true
    }

    /// How many more indexes are needed at least, and the bytes of their keys: for demands that nothing open serves, no
    /// two of them by the same index.
    fn still_needed(&self) -> (usize, u64) {
        let mut taken = vec![false; self.states.len()];
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
        (needed, bytes)
    }

    /// Whether collections of shared reads that are sorted after reading are small enough.
    fn may_be_placed(&self, places: &[SharedPlace]) -> bool {
        self.from.shared.iter().zip(places).all(|(at, place)| {
            let (path, fit) = match &self.chosen[*at] {
                Choice::Base(fit) => (&self.task.candidates.bases[self.from.base], fit),
                Choice::Index(index, fit) => (&self.task.candidates.indexes[*index].path, fit),
                Choice::NotNeeded | Choice::Unique(_) => return true,
            };
            place.bytes <= fit.most_bytes(self.task.facts(), &self.task.demands[*at].part, path)
        })
    }

    /// Where the shared reads find this entity, at the size of the open set.
    fn places(&self, item: u64) -> Vec<SharedPlace> {
        let place = |at: &usize| {
            let choice = &self.chosen[*at];
            let entry = |index| self.task.entry_bytes(self.from.base, index, item);
            SharedPlace::of(self.task, choice, opened(choice).map_or(item, entry))
        };
        self.from.shared.iter().map(place).collect()
    }

    /// Prices the best layout with exactly the open indexes.
    fn weigh(&mut self, item: u64, upkeep: i128, places: &[SharedPlace]) {
        let mut least = upkeep;
        for ways in self.ways() {
            let Some(way) = ways.iter().find(|way| self.is_open(way)) else { return };
            least += way.cost;
        }
        if least >= self.front.bar(self.from.base, places) {
            return;
        }
        if self.from.hot_base || self.open.iter().any(|index| self.from.hot[*index]) {
            self.assign(0, item, upkeep, places);
            return;
        }
        for at in 0..self.from.alone.len() {
            let Some((_, way)) = self.usable(at, item).into_iter().min_by_key(|(price, _)| *price) else {
                return;
            };
            self.chosen[self.from.alone[at]] = self.choice(at, &way).clone();
        }
        self.offer();
    }

    /// A way as a choice.
    fn choice(&self, at: usize, way: &Way) -> &'t Choice {
        &self.from.choices[at][way.way]
    }

    fn is_open(&self, way: &Way) -> bool {
        way.index.is_none_or(|index| self.states[index] == State::Open)
    }

    /// The ways to serve a demand with what is open, each with its exact price where nothing is sharded.
    fn usable(&self, at: usize, item: u64) -> Vec<(i128, Way)> {
        let demand = &self.task.demands[self.from.alone[at]];
        let mixed = mixed_places(self.task, &self.chosen);
        let mut usable = Vec::new();
        for way in self.ways()[at].iter().filter(|way| self.is_open(way)) {
            let (choice, tariff) = (self.choice(at, way), &self.from.tariffs[at][way.way]);
            let entry = way.index.map_or(item, |index| self.from.keeping.entry(index, item));
            if entry > tariff.most_bytes || !is_of_one_kind(self.task, &mixed, choice) {
                continue;
            }
            let price = tariff.at(item, entry, || {
                self.task.price(demand, choice, self.from.base, item, entry, 1).cost.total()
            });
            usable.push((price, *way));
        }
        usable
    }

    /// Where heat makes one read matter to another, every way to serve each demand is tried.
    fn assign(&mut self, at: usize, item: u64, so_far: i128, places: &[SharedPlace]) {
        self.steps += 1;
        if self.steps.is_multiple_of(64) && self.stop.now() {
            self.stopped = true;
        }
        if self.stopped {
            return;
        }
        let Some(demand) = self.from.alone.get(at).copied() else { return self.offer() };
        let cheapest = |ways: &Vec<Way>| ways.iter().find(|way| self.is_open(way)).map_or(0, |way| way.cost);
        let rest: i128 = self.ways()[at + 1..].iter().map(cheapest).sum();
        // Of the places that stay cool whatever comes, only the cheapest can be the best.
        let mut ways = self.usable(at, item);
        let cool = |way: &Way| way.index.map_or(!self.from.hot_base, |index| !self.from.hot[index]);
        let cheapest = ways.iter().filter(|(_, way)| cool(way)).map(|(price, _)| *price).min();
        let mut taken = false;
        ways.retain(|(price, way)| {
            !cool(way) || Some(*price) == cheapest && !std::mem::replace(&mut taken, true)
        });
        for (_, way) in ways {
            let price = so_far + way.cost;
            if price + rest >= self.front.bar(self.from.base, places) {
                continue;
            }
            self.chosen[demand] = self.choice(at, &way).clone();
            self.assign(at + 1, item, price, places);
        }
    }

    /// Takes the choice into the front, if it is a layout with exactly the open indexes.
    fn offer(&mut self) {
        let open = self.candidates();
        let used = |index: &usize| {
            *index < self.task.candidates.kept
                || self.chosen.iter().any(|choice| opened(choice) == Some(*index))
        };
        // Without what it does not use it is another set, which is weighed on its own.
        if open.iter().all(used)
            && let Some(layout) = evaluate(self.task, self.from.base, &self.chosen)
        {
            self.front.add(Arc::new(layout));
        }
    }
}

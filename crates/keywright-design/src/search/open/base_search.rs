//! The search below one base placement: parts of shared reads are placed, then sets of indexes explored.

mod sizes;
mod weigh;

use std::sync::Arc;

use keywright_dynamodb::limits::ITEM_BYTES;

use super::super::Counts;
use super::super::dual::{Ascent, State};
use super::super::front::Front;
use super::super::layout::{arranged, may_be_arranged};
use super::super::limits::Limits;
use super::super::options::Choice;
use super::super::task::{EntityTask, Stop};
use super::ban::Ban;
use super::prepared::Prepared;
use crate::demand::Source;
use sizes::Level;

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
    ascent: &'f mut Ascent,
    /// What is ruled out for now, in the order in which it was.
    closed: Vec<usize>,
    /// Indexes that somebody needs, while those that are needed are counted.
    taken: Vec<bool>,
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
        ascent: &'f mut Ascent,
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
            ascent,
            closed: Vec::new(),
            taken: Vec::new(),
            steps: 0,
            stopped: false,
        }
    }

    fn kind(&self, index: usize) -> usize {
        self.from.keeping.kind(index)
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

    /// A bound on every layout with this base placement; none where there are none.
    pub(super) fn root_bound(&mut self) -> Option<i128> {
        let (_, upkeep) = self.upkeep();
        let sum = self.ascent.ascend(&self.from.ways, &self.from.opening, &self.states)?;
        Some(upkeep + sum + self.refunds())
    }

    /// The most that undecided indexes can pay back.
    fn refunds(&self) -> i128 {
        if !self.from.refunds {
            return 0;
        }
        let undecided = self.states.iter().zip(&self.from.refund).filter(|it| *it.0 == State::Undecided);
        undecided.map(|(_, refund)| refund).sum()
    }

    /// Whether it is time to stop: every so many steps somebody looks.
    pub(super) fn is_stopped(&mut self) -> bool {
        self.steps += 1;
        if self.steps.is_multiple_of(64) && self.stop.now() {
            self.stopped = true;
        }
        self.stopped
    }

    /// Places one part of a shared read after the other, then opens indexes for the rest. No layout with this base placement
    /// costs less than `least`.
    pub(super) fn place(&mut self, at: usize, least: i128) {
        if self.is_stopped() {
            return;
        }
        if at == self.from.shared.len() {
            let (item, upkeep) = self.upkeep();
            // What nothing with this base placement can beat is there already.
            if least < self.front.bar(self.from.base, &self.places(item)) && arranged(self.task, &self.chosen)
            {
                self.explore(true, item, upkeep);
                // What these places were searched with is forgotten.
                for demand in &self.from.alone {
                    self.chosen[*demand] = Choice::NotNeeded;
                }
            }
            return;
        }
        // What is out of order already stays so, wherever the rest goes.
        if at > 0
            && self.is_head(at - 1)
            && !may_be_arranged(self.task, &self.chosen, &self.from.shared[at..])
        {
            return;
        }
        let demand = self.from.shared[at];
        for choice in self.task.without_index(self.from.base, demand) {
            self.chosen[demand] = choice.clone();
            self.place(at + 1, least);
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
            self.place(at + 1, least);
            if opens {
                self.open.pop();
                self.states[local] = State::Undecided;
            }
        }
        self.chosen[demand] = Choice::NotNeeded;
    }

    /// Whether the shared read whose part is placed at a position has this entity as its head.
    fn is_head(&self, at: usize) -> bool {
        matches!(self.task.demands[self.from.shared[at]].source, Source::Shared { part: 0, .. })
    }

    /// The size of the item with the open indexes, and what keeping all of it costs.
    fn upkeep(&self) -> (u64, i128) {
        self.from.keeping.price(self.task, &self.open)
    }

    /// Weighs the open set if it is new, then every set that contains it and nothing that is ruled out.
    fn explore(&mut self, new: bool, item: u64, upkeep: i128) {
        if self.is_stopped() {
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
        let already = self.closed.len();
        let room = self.room();
        let any_closed = room != [true; 3] || !self.counted.is_empty();
        for index in (0..self.states.len()).filter(|_| any_closed) {
            if self.states[index] == State::Undecided && (!room[self.kind(index)] || self.is_closed(index)) {
                self.states[index] = State::Closed;
                self.closed.push(index);
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
            self.branch(bar, kept, item, upkeep);
            if grown {
                self.levels.pop();
            }
        }
        for index in self.closed.drain(already..) {
            self.states[index] = State::Undecided;
        }
    }

    /// Closes what can't be better than the bar, beside what is kept at least, and opens the most promising of the rest.
    fn branch(&mut self, bar: i128, kept: i128, item: u64, upkeep: i128) {
        let mut ascent = std::mem::take(self.ascent);
        let sum = ascent.ascend(self.ways(), self.opening(), &self.states);
        let next = sum.and_then(|sum| self.close(bar, kept + sum, &ascent.slack));
        *self.ascent = ascent;
        // Every open index serves somebody, so there are never more of them than demands.
        let full = self.open.len() >= self.task.candidates.kept + self.task.demands.len();
        let Some(index) = next.filter(|_| !full) else { return };
        self.states[index] = State::Open;
        self.open.push(index);
        let (larger, kept) = self.upkeep();
        self.explore(true, larger, kept);
        self.open.pop();
        self.states[index] = State::Closed;
        self.closed.push(index);
        self.explore(false, item, upkeep);
    }

    /// Closes what can't be better than the bar, beside what everything costs at least with what the prices leave of the
    /// costs of indexes. Gives the one that they pay most for.
    fn close(&mut self, bar: i128, least: i128, slack: &[i128]) -> Option<usize> {
        let least = least + self.refunds();
        let mut next: Option<(i128, usize)> = None;
        for (index, slack) in slack.iter().copied().enumerate() {
            if self.states[index] != State::Undecided {
                continue;
            }
            // Every set that is left opens something, and pays at least what the prices leave of its cost.
            if least + slack >= bar {
                self.states[index] = State::Closed;
                self.closed.push(index);
                continue;
            }
            let used = self.opening()[index] - slack;
            if next.is_none_or(|(most, _)| used > most) {
                next = Some((used, index));
            }
        }
        next.map(|(_, index)| index)
    }
}

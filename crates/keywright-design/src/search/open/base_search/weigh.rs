//! The layouts with exactly the open indexes: where shared reads find the entity, and how everything else is served.

use std::sync::Arc;

use super::super::super::dual::{State, Way};
use super::super::super::layout::{SharedPlace, evaluate, is_of_one_kind, mixed_places};
use super::super::super::options::{Choice, opened};
use super::BaseSearch;

impl<'t> BaseSearch<'t, '_, '_> {
    /// The open indexes as candidates, ascending.
    fn candidates(&self) -> Vec<usize> {
        let mut all: Vec<usize> = self.open.iter().map(|index| self.task.weighed[*index]).collect();
        all.sort_unstable();
        all
    }

    /// Whether collections of shared reads that are sorted after reading are small enough.
    pub(super) fn may_be_placed(&self, places: &[SharedPlace]) -> bool {
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
    pub(super) fn places(&self, item: u64) -> Vec<SharedPlace> {
        let place = |at: &usize| {
            let choice = &self.chosen[*at];
            let entry = |index| self.task.entry_bytes(self.from.base, index, item);
            SharedPlace::of(self.task, choice, opened(choice).map_or(item, entry))
        };
        self.from.shared.iter().map(place).collect()
    }

    /// Prices the best layout with exactly the open indexes.
    pub(super) fn weigh(&mut self, item: u64, upkeep: i128, places: &[SharedPlace]) {
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
        &self.from.tariffs[at][way.way].reading.choice
    }

    pub(super) fn is_open(&self, way: &Way) -> bool {
        way.index.is_none_or(|index| self.states[index] == State::Open)
    }

    /// The ways to serve a demand with what is open, each with its exact price where nothing is sharded.
    fn usable(&self, at: usize, item: u64) -> Vec<(i128, Way)> {
        let (task, base, demand) = (self.task, self.from.base, self.from.alone[at]);
        let mixed = mixed_places(self.task, &self.chosen);
        let mut usable = Vec::new();
        for way in self.ways()[at].iter().filter(|way| self.is_open(way)) {
            let (choice, tariff) = (self.choice(at, way), &self.from.tariffs[at][way.way]);
            let entry = way.index.map_or(item, |index| self.from.keeping.entry(index, item));
            if entry > tariff.reading.most_bytes || !is_of_one_kind(self.task, &mixed, choice) {
                continue;
            }
            let price = tariff.at(task, base, demand, (item, entry), || {
                task.price(&task.demands[demand], choice, base, item, entry, 1).cost.total()
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

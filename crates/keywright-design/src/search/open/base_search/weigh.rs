//! The layouts with exactly the open indexes: where shared reads find the entity, and how everything else is served.

use std::sync::Arc;

use super::super::super::budget::leaves_budget;
use super::super::super::dual::{State, Way};
use super::super::super::layout::{SharedPlace, base_is_cool, evaluate, is_of_one_kind, mixed_places};
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
            self.weigh_heat(item, upkeep, places);
            return;
        }
        let mixed = mixed_places(self.task, &self.chosen);
        for at in 0..self.from.alone.len() {
            let cheapest = self.usable(at, item, &mixed).min_by_key(|(price, _)| *price);
            let Some((_, way)) = cheapest else { return };
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
    fn usable(&self, at: usize, item: u64, mixed: &[Option<usize>]) -> impl Iterator<Item = (i128, Way)> {
        let (task, base, demand) = (self.task, self.from.base, self.from.alone[at]);
        self.ways()[at].iter().filter(|way| self.is_open(way)).filter_map(move |way| {
            let (choice, tariff) = (self.choice(at, way), &self.from.tariffs[at][way.way]);
            let entry = way.index.map_or(item, |index| self.from.keeping.entry(index, item));
            if entry > tariff.reading.most_bytes || !is_of_one_kind(self.task, mixed, choice) {
                return None;
            }
            let price = tariff.at(task, base, demand, (item, entry), || {
                task.price(&task.demands[demand], choice, base, item, entry, 1).cost.total()
            });
            Some((price, *way))
        })
    }

    /// Where heat makes one read matter to another, every way to serve each demand is tried.
    fn weigh_heat(&mut self, item: u64, upkeep: i128, places: &[SharedPlace]) {
        let many = self.from.alone.len();
        let mixed = mixed_places(self.task, &self.chosen);
        let ways: Vec<Vec<(i128, Way)>> = (0..many).map(|at| self.worth_trying(at, item, &mixed)).collect();
        // What the demands from each on cost at least.
        let mut rest = vec![0; many + 1];
        for at in (0..many).rev() {
            let Some(least) = ways[at].iter().map(|(price, _)| *price).min() else { return };
            rest[at] = rest[at + 1] + least;
            self.chosen[self.from.alone[at]] = Choice::NotNeeded;
        }
        self.assign(&ways, &rest, 0, item, upkeep, places);
    }

    /// The ways to serve a demand, each with the least that it costs. Of the places that stay cool whatever comes, only
    /// the cheapest can be the best.
    fn worth_trying(&self, at: usize, item: u64, mixed: &[Option<usize>]) -> Vec<(i128, Way)> {
        let mut ways: Vec<(i128, Way)> = self.usable(at, item, mixed).collect();
        let cheapest = ways.iter().filter(|(_, way)| !self.may_heat(way)).map(|(price, _)| *price).min();
        let mut taken = false;
        ways.retain(|(price, way)| {
            self.may_heat(way) || Some(*price) == cheapest && !std::mem::replace(&mut taken, true)
        });
        for (price, way) in &mut ways {
            // How many shards there will be is not known yet.
            if way.index.is_some_and(|index| self.from.hot[index]) {
                *price = way.cost;
            }
        }
        ways
    }

    /// Whether what a way reads from could become too hot.
    fn may_heat(&self, way: &Way) -> bool {
        way.index.map_or(self.from.hot_base, |index| self.from.hot[index])
    }

    /// Serves the demands from a position on, in every way that could still be the best.
    fn assign(
        &mut self,
        ways: &[Vec<(i128, Way)>],
        rest: &[i128],
        at: usize,
        item: u64,
        so_far: i128,
        places: &[SharedPlace],
    ) {
        if self.is_stopped() {
            return;
        }
        let Some(demand) = self.from.alone.get(at).copied() else { return self.offer() };
        for (price, way) in &ways[at] {
            let price = so_far + price;
            if price + rest[at + 1] >= self.front.bar(self.from.base, places) {
                continue;
            }
            self.chosen[demand] = self.choice(at, way).clone();
            let borne = way.index.is_some() || self.table_bears(item);
            if borne && leaves_budget(self.task, self.from.base, item, &self.chosen) {
                self.assign(ways, rest, at + 1, item, price, places);
            }
        }
        self.chosen[demand] = Choice::NotNeeded;
    }

    /// Whether the table bears all that was chosen so far: whatever comes only adds to it.
    fn table_bears(&self, item: u64) -> bool {
        !self.from.hot_base || base_is_cool(self.task, self.from.base, &self.chosen, item)
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

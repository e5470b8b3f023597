//! Reads of several entities: whether one Query finds all parts, and what it costs.

use keywright_dynamodb::limits::MB;
use keywright_model::certificate::ResultFacts;

use crate::money::{reads, waits};
use crate::present::lie_together;
use crate::price::{Place, RANGE, half_units};
use crate::set::{Set, set};
use crate::space::Space;

impl Space<'_> {
    /// The shared reads among some entities.
    pub(crate) fn reads_of(&self, component: &[usize]) -> Vec<usize> {
        (0..self.proof.shared.len())
            .filter(|read| self.proof.shared[*read].parts.iter().any(|part| component.contains(&part.0)))
            .collect()
    }

    /// The price of a shared read whose parts lie in these places; none where they are not in one.
    pub(crate) fn together(&self, read: usize, places: &[Place]) -> Option<i128> {
        let one_kind = places.iter().all(|place| place.kind == places[0].kind);
        let legal = one_kind
            && lie_together(self.proof, &self.entities, read, places)
            && self.drops_little(read, places);
        legal.then(|| self.price_together(read, places))
    }

    /// The least that a shared read can cost, whatever its entities are.
    pub(crate) fn cheapest_together(&self, read: usize) -> i128 {
        let parts = self.proof.shared[read].parts.iter().map(|(entity, _)| {
            let pricing = self.pricing(*entity);
            let items = self.bases[*entity].iter().map(|base| {
                let item = pricing.item_bytes(base, &[]);
                let entries =
                    self.indexes[*entity].iter().map(|index| pricing.entry_bytes(base, index, item));
                entries.min().unwrap_or(item).min(item)
            });
            Place { kind: None, gsi: None, bytes: items.min().unwrap_or(0), sorted_by_caller: false }
        });
        let places: Vec<Place> = parts.collect();
        self.price_together(read, &places)
    }

    /// What a part of a shared read is found by.
    fn given(&self, read: usize, part: usize) -> (usize, Set) {
        let (entity, demand) = self.proof.shared[read].parts[part];
        (entity, set(&self.proof.entities[entity].demands[demand].given))
    }

    /// How many items of a part there are, in the mean.
    fn there(&self, read: usize, part: usize) -> u64 {
        let (entity, given) = self.given(read, part);
        self.entities[entity].mean(given)
    }

    /// Whether all that lies in a list from which a filter drops some kinds is bounded.
    fn drops_little(&self, read: usize, places: &[Place]) -> bool {
        let most = |(part, place): (usize, &Place)| {
            let (entity, given) = self.given(read, part);
            Some(self.entities[entity].most(given)?.saturating_mul(place.bytes))
        };
        let mut all = places.iter().enumerate().map(most);
        let all = all.try_fold(0u64, |sum, it| Some(sum.saturating_add(it?)));
        self.proof.shared[read].wanted.is_none() || all.is_some_and(|all| all <= MB)
    }

    /// Of how many items of the wanted part the filter leaves one.
    fn passes_one_in(&self, read: usize, wanted: usize) -> u64 {
        let (shared, (entity, _)) = (&self.proof.shared[read], self.proof.shared[read].parts[wanted]);
        let attributes = &self.proof.entities[entity].attributes;
        let values = shared.compared.iter().map(|at| attributes[*at].distinct.max(1));
        let of_ranges = std::iter::repeat_n(RANGE, shared.ranges);
        values.chain(of_ranges).fold(1, u64::saturating_mul)
    }

    /// How many items of a part come by at once.
    fn items(&self, read: usize, part: usize) -> u64 {
        let (shared, there) = (&self.proof.shared[read], self.there(read, part));
        let children = (shared.parts.len() - usize::from(shared.has_head)).max(1) as u64;
        match (shared.result, shared.wanted) {
            // A page has as many of those that are dropped as lie between those that are wanted.
            (ResultFacts::Page(size), Some(wanted)) => {
                let read_for_page = size.saturating_mul(self.passes_one_in(read, wanted));
                there.min(read_for_page.saturating_mul(there).div_ceil(self.there(read, wanted)))
            }
            _ if shared.has_head && part == 0 => 1,
            (ResultFacts::Page(size), None) => there.min(size.div_ceil(children)),
            _ => there,
        }
    }

    fn price_together(&self, read: usize, places: &[Place]) -> i128 {
        let (shared, prices) = (&self.proof.shared[read], &self.proof.prices);
        let bytes = places.iter().enumerate().fold(0u64, |sum, (part, place)| {
            sum.saturating_add(self.items(read, part).saturating_mul(place.bytes))
        });
        let pages = bytes.div_ceil(MB).max(1);
        // A page from which some are dropped can come back short.
        let short = match (shared.result, shared.wanted) {
            (ResultFacts::Page(size), Some(wanted)) => {
                size.saturating_mul(self.passes_one_in(read, wanted)) < self.there(read, wanted)
            }
            _ => false,
        };
        let sorted = places.iter().any(|place| place.sorted_by_caller);
        let awkward = u64::from(sorted) + u64::from(shared.wanted.is_some());
        reads(prices, shared.rate, half_units(bytes, shared.strong))
            + waits(prices, shared.rate, pages - 1 + u64::from(short))
            + prices.awkward_pattern.pico() * i128::from(awkward)
    }
}

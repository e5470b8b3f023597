//! Every layout of an entity that could cost less than a given price, one demand after the other.
//!
//! A branch ends where even its least price reaches what is asked for: what is open, at its present sizes; what was
//! chosen, at the smallest sizes; and for each demand that is left the cheapest way, with an equal part of what opening
//! its index costs. An index is opened for nobody's sake but that of the demands that use it, so that these parts never
//! come to more than its price.

use keywright_model::certificate::{LogicalIndex, Path, Way};

use crate::arrange::is_arranged;
use crate::present::blocks;
use crate::price::{Place, Priced, Pricing, Reading, is_possible};
use crate::room::Room;
use crate::serve::{is_allowed, serve};
use crate::space::Space;

/// A table whose search takes more steps than this is too large.
const MOST_STEPS: u64 = 3_000_000;

/// A way to serve a demand under one primary key.
struct Step {
    way: WayTo,
    /// The least that it costs.
    least: i128,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum WayTo {
    Without(Way),
    /// The index candidate at this position.
    Over(usize),
}

/// What a search of an entity found: layouts that cost less than asked for.
pub(crate) struct Search<'s> {
    space: &'s Space<'s>,
    entity: usize,
    room: Room<'s>,
    /// Only what costs less than this matters.
    below: i128,
    /// Whether the cheapest alone is wanted: then what was found lowers the price that is asked for.
    cheapest: bool,
    pub(crate) found: Vec<Priced>,
    steps: u64,
}

/// The search was too large.
pub(crate) struct TooLarge;

struct Branch<'s> {
    base: &'s Path,
    options: Vec<Vec<Step>>,
    /// The least that each index candidate adds.
    opening: Vec<i128>,
    /// How many demands could use it.
    users: Vec<i128>,
    /// The order in which demands are served.
    order: Vec<usize>,
}

impl<'s> Search<'s> {
    pub(crate) fn new(
        space: &'s Space<'s>,
        entity: usize,
        room: Room<'s>,
        below: i128,
        cheapest: bool,
    ) -> Self {
        Search { space, entity, room, below, cheapest, found: Vec::new(), steps: 0 }
    }

    /// Tries everything.
    pub(crate) fn run(mut self) -> Result<Vec<Priced>, TooLarge> {
        for base in &self.space.bases[self.entity] {
            if let Some(branch) = self.branch(base) {
                let mut ways = vec![None; branch.order.len()];
                // What is there already is open, and comes first.
                let mut open = (0..self.pricing().entity.kept().len()).collect();
                self.step(&branch, 0, &mut open, &mut ways, 0)?;
            }
        }
        Ok(self.found)
    }

    fn pricing(&self) -> Pricing<'s> {
        self.space.pricing(self.entity)
    }

    fn branch(&self, base: &'s Path) -> Option<Branch<'s>> {
        let pricing = self.pricing();
        let (entity, facts) = (pricing.entity, pricing.entity.facts);
        let indexes = &self.space.indexes[self.entity];
        let plain = pricing.item_bytes(base, &[]);
        let mut options: Vec<Vec<Step>> = Vec::new();
        for demand in &facts.demands {
            let mut ways: Vec<Step> = Vec::new();
            // The price of a shared read is nobody's own; shards only make a read dearer or its parts smaller.
            let price = |pico: i128| if demand.shared.is_some() { 0 } else { pico };
            let without = [Way::Known].into_iter().chain((0..facts.unique.len()).map(Way::Unique));
            for way in without.filter(|way| is_possible(entity, demand, base, *way)) {
                ways.push(Step { way: WayTo::Without(way), least: 0 });
            }
            let sought = is_possible(entity, demand, base, Way::Table);
            let on_table =
                serve(entity, demand, base).filter(|it| sought && is_allowed(entity, demand, base, None, it));
            if let Some(how) = on_table {
                let (path, served) = (base, &how);
                let reading = Reading { demand, path, served, index: None, entry: plain, item: plain };
                let least = price(pricing.read(&reading, 1).pico);
                ways.push(Step { way: WayTo::Without(Way::Table), least });
            }
            for (at, index) in indexes.iter().enumerate().filter(|_| sought) {
                let path = &index.path;
                let Some(how) = serve(entity, demand, path) else { continue };
                if !is_allowed(entity, demand, path, Some(&index.projection), &how) {
                    continue;
                }
                let item = plain + pricing.key_bytes(index);
                let entry = pricing.entry_bytes(base, index, item);
                let cool = self.space.cool[self.entity][at];
                let reading = Reading { demand, path, served: &how, index: Some(index), entry, item };
                let least = pricing.least_read(&reading, cool);
                ways.push(Step { way: WayTo::Over(at), least: price(least) });
            }
            if ways.is_empty() {
                return None;
            }
            ways.sort_by_key(|it| it.least);
            options.push(ways);
        }
        let opening = indexes.iter().map(|index| pricing.opening(base, &[], index, plain, 0));
        let opening = opening.collect();
        let uses =
            |at: usize| options.iter().filter(|ways| ways.iter().any(|it| it.way == WayTo::Over(at))).count();
        let users = (0..indexes.len()).map(|at| uses(at).max(1) as i128).collect();
        let mut order: Vec<usize> = (0..options.len()).collect();
        order.sort_by_key(|at| (facts.demands[*at].shared.is_none(), options[*at].len(), *at));
        Some(Branch { base, options, opening, users, order })
    }

    /// Serves the next demand in every way.
    fn step(
        &mut self,
        branch: &Branch<'s>,
        at: usize,
        open: &mut Vec<usize>,
        ways: &mut Vec<Option<WayTo>>,
        chosen: i128,
    ) -> Result<(), TooLarge> {
        self.steps += 1;
        if self.steps > MOST_STEPS {
            return Err(TooLarge);
        }
        let pricing = self.pricing();
        let indexes: Vec<&LogicalIndex> =
            open.iter().map(|at| &self.space.indexes[self.entity][*at]).collect();
        if !self.room.allows(pricing.entity, &indexes) {
            return Ok(());
        }
        let kept = pricing.keep(branch.base, &indexes, pricing.item_bytes(branch.base, &indexes));
        let left = branch.order[at..].iter().map(|demand| {
            let least = |it: &Step| match it.way {
                // What opening gives back, one of its users may get alone.
                WayTo::Over(index) if !open.contains(&index) => {
                    let opening = branch.opening[index];
                    it.least + if opening < 0 { opening } else { opening / branch.users[index] }
                }
                _ => it.least,
            };
            branch.options[*demand].iter().map(least).min().unwrap_or(0)
        });
        if kept + chosen + left.sum::<i128>() >= self.below {
            return Ok(());
        }
        let Some(demand) = branch.order.get(at).copied() else {
            self.weigh(branch, open, &indexes, ways);
            return Ok(());
        };
        for option in &branch.options[demand] {
            ways[demand] = Some(option.way);
            let opens = match option.way {
                WayTo::Over(index) if !open.contains(&index) => Some(index),
                _ => None,
            };
            open.extend(opens);
            self.step(branch, at + 1, open, ways, chosen + option.least)?;
            if opens.is_some() {
                open.pop();
            }
        }
        ways[demand] = None;
        Ok(())
    }

    fn weigh(
        &mut self,
        branch: &Branch<'s>,
        open: &[usize],
        indexes: &[&LogicalIndex],
        ways: &[Option<WayTo>],
    ) {
        let position = |index: usize| open.iter().position(|it| *it == index).unwrap_or(usize::MAX);
        let ways: Vec<Way> = ways
            .iter()
            .flatten()
            .map(|way| match way {
                WayTo::Without(way) => *way,
                WayTo::Over(index) => Way::Index(position(*index)),
            })
            .collect();
        let Some(priced) = self.pricing().layout(branch.base, indexes, &ways) else { return };
        if priced.pico >= self.below || !self.space.heads_arranged(self.entity, &priced) {
            return;
        }
        if self.cheapest {
            self.below = priced.pico;
            self.found.clear();
        }
        let same = |it: &Priced| it.places == priced.places && it.on == priced.on;
        match self.found.iter_mut().find(|it| same(it)) {
            Some(known) if known.pico <= priced.pico => {}
            Some(known) => *known = priced,
            None => self.found.push(priced),
        }
    }
}

impl Space<'_> {
    /// Whether the reads that an entity heads can be arranged, in each place.
    pub(crate) fn heads_arranged(&self, entity: usize, priced: &Priced) -> bool {
        let demands = &self.proof.entities[entity].demands;
        let shared: Vec<(usize, usize)> = demands.iter().filter_map(|demand| demand.shared).collect();
        let mut collections: Vec<(Option<usize>, &Place, Vec<usize>)> = Vec::new();
        for ((read, part), (on, place)) in shared.into_iter().zip(priced.on.iter().zip(&priced.places)) {
            if part != 0 {
                continue;
            }
            match collections.iter_mut().find(|(it, ..)| it == on) {
                Some((.., reads)) => reads.push(read),
                None => collections.push((*on, place, vec![read])),
            }
        }
        collections.iter().all(|(_, place, reads)| {
            is_arranged(self.proof, &self.entities, reads, &blocks(self.proof, entity, place))
        })
    }

    /// The place of one part of a shared read in a layout.
    pub(crate) fn place(&self, entity: usize, demand: usize, priced: &Priced) -> Place {
        let before =
            self.proof.entities[entity].demands[..demand].iter().filter(|it| it.shared.is_some()).count();
        priced.places[before]
    }
}

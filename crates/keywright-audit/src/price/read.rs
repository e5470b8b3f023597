//! What a read costs, over however many shards.

use keywright_dynamodb::limits::MB;
use keywright_model::certificate::{DemandFacts, LogicalIndex, Path, Projected, ResultFacts, Way};

use super::{MICRO, MOST_SHARDS, Pricing, half_units};
use crate::money::{reads, waits};
use crate::paths::attributes;
use crate::serve::Served;
use crate::set::{members, set, within};

/// One in so many items passes a range.
pub(crate) const RANGE: u64 = 10;

/// A read of the table or of an index: what is asked, where, and how large things are there.
pub(crate) struct Reading<'r> {
    pub(crate) demand: &'r DemandFacts,
    pub(crate) path: &'r Path,
    pub(crate) served: &'r Served,
    /// The index; none for the table.
    pub(crate) index: Option<&'r LogicalIndex>,
    /// Bytes of what is read.
    pub(crate) entry: u64,
    /// Bytes of an item, which is read afterwards where an index lacks something.
    pub(crate) item: u64,
}

/// A read's price, and what it does to one partition.
#[derive(Clone, Copy, Default)]
pub(crate) struct ReadPrice {
    pub(crate) pico: i128,
    /// Half units of one call.
    half_units: u64,
    pub(crate) half_units_there: u64,
    awkward: bool,
}

impl Pricing<'_> {
    /// How many items share the values that a key condition fixes.
    pub(crate) fn held(&self, path: &Path, served: &Served) -> u64 {
        let entity = self.entity;
        let held = u128::from(entity.mean(served.fixed)) * u128::from(entity.present(attributes(path)));
        u64::try_from(held.div_ceil(u128::from(MICRO))).unwrap_or(u64::MAX)
    }

    /// A read over so many shards.
    pub(crate) fn read(&self, reading: &Reading<'_>, shards: u64) -> ReadPrice {
        let Reading { demand, path, served, index, entry, item } = *reading;
        let entity = self.entity;
        // What a write finds of all there is it reads strongly, where that can be.
        let finds_all = demand.locating && demand.result == ResultFacts::Whole;
        let strong = demand.strong || index.is_none() && finds_all;
        // Who looks once more finds nothing, as a rule.
        let again =
            |queries: u64| if demand.swept { u64::saturating_mul(queries, half_units(0, strong)) } else { 0 };
        if index.is_none() && served.get {
            let each = half_units(item, strong) * demand.listed.unwrap_or(1);
            let extra = u64::from(demand.swept);
            return self.month(demand, each + again(1), each, extra, demand.listed.is_some());
        }
        let held = self.held(path, served);
        let there = if served.range { held.div_ceil(RANGE) } else { held }.max(1);
        // One in so many passes the filters.
        let mut passes = members(served.filter | served.filter_periods)
            .chain(served.optional)
            .fold(1u64, |all, at| all.saturating_mul(entity.facts.attributes[at].distinct));
        for _ in 0..usize::from(served.filter_range) + demand.more_ranges.len() {
            passes = passes.saturating_mul(RANGE);
        }
        let wanted = match demand.result {
            ResultFacts::Single => 1,
            ResultFacts::Page(size) => size,
            ResultFacts::Whole | ResultFacts::Count => u64::MAX,
        };
        // What has to be found among others by a filter is found once all of them are read.
        let to_the_end = served.sorted_by_caller || passes > 1 && demand.result == ResultFacts::Single;
        let read_of = |some: u64| if to_the_end { some } else { some.min(wanted.saturating_mul(passes)) };
        let of_shard = there.div_ceil(shards);
        let hashed = self.hashed();
        let in_turn = demand.order.is_empty() && wanted < u64::MAX;
        let (asked, read, later) = if hashed.is_some_and(|at| demand.given.contains(&at)) {
            (1, read_of(of_shard), 0)
        } else if in_turn {
            let all = read_of(there);
            let visited = all.div_ceil(of_shard).clamp(1, shards);
            (visited, all.div_ceil(visited), visited - 1)
        } else {
            (shards, read_of(of_shard), 0)
        };
        let each = half_units(read.saturating_mul(entry), strong);
        let queries = served.queries.saturating_mul(asked);
        let pages = read.saturating_mul(entry).div_ceil(MB).max(1);
        let short = served.wastes(demand) && passes > 1 && read < of_shard;
        let fetch = index.is_some_and(|index| match &index.projection {
            Projected::All => false,
            Projected::Keys => served.shows(demand) != 0,
            Projected::Include(list) => !within(served.shows(demand), set(list)),
        });
        let mut all = each.saturating_mul(queries).saturating_add(again(queries));
        let mut extra = pages - 1 + later + u64::from(short) + u64::from(demand.swept);
        if fetch {
            let passing = read.div_ceil(passes).saturating_mul(queries);
            let found = read.saturating_mul(queries).min(wanted.min(passing)).max(1);
            all = all.saturating_add(found.saturating_mul(half_units(item, strong)));
            extra += 1;
        }
        self.month(demand, all, each, extra, served.wastes(demand) || queries > 1 || fetch)
    }

    /// The least that a read can cost, over however many shards. On several, requests that would follow each other run
    /// side by side; fewer units are read only where the caller tells the shard.
    pub(crate) fn least_read(&self, reading: &Reading<'_>, cool: bool) -> i128 {
        let demand = reading.demand;
        let over = |shards: u64| self.read(reading, shards);
        let one = over(1);
        if cool {
            return one.pico;
        }
        let told = self.hashed().is_some_and(|at| demand.given.contains(&at));
        let half_units = if told { over(MOST_SHARDS).half_units.min(one.half_units) } else { one.half_units };
        let awkward = if one.awkward { self.prices.awkward_pattern.pico() } else { 0 };
        reads(self.prices, demand.rate, half_units) + awkward
    }

    /// What a demand costs that no index serves, where it needs no path either.
    pub(crate) fn without_index(&self, demand: &DemandFacts, way: Way, item: u64) -> i128 {
        match way {
            Way::Unique(which) => self.unique(demand, which, item).map_or(0, |it| it.pico),
            Way::Known | Way::Table | Way::Index(_) => 0,
        }
    }

    /// Whether what is filtered or sorted after reading is little enough at this size.
    pub(crate) fn is_small(&self, demand: &DemandFacts, served: &Served, bytes: u64) -> bool {
        let small = |most: u64| most.saturating_mul(bytes) <= MB;
        !served.wastes(demand) || self.entity.most(served.fixed).is_some_and(small)
    }

    pub(super) fn hashed(&self) -> Option<usize> {
        let identity = &self.entity.facts.identity;
        identity.iter().copied().max_by_key(|at| self.entity.facts.attributes[*at].distinct)
    }

    pub(super) fn unique(&self, demand: &DemandFacts, which: usize, item: u64) -> Option<ReadPrice> {
        let first = half_units(self.entity.facts.unique.get(which)?.bytes, demand.strong);
        let second = half_units(item, demand.strong);
        Some(self.month(demand, first + second, second, 1, true))
    }

    pub(super) fn month(
        &self,
        demand: &DemandFacts,
        all: u64,
        there: u64,
        extra: u64,
        awkward: bool,
    ) -> ReadPrice {
        let extra = extra + u64::from(demand.second);
        let awkward = awkward && !demand.locating;
        let pico = reads(self.prices, demand.rate, all)
            + waits(self.prices, demand.rate, extra)
            + if awkward { self.prices.awkward_pattern.pico() } else { 0 };
        ReadPrice { pico, half_units: all, half_units_there: there, awkward }
    }
}

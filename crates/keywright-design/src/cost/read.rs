//! What a read costs, by the way it is served.

use keywright_dynamodb::limits::{MB, READ_UNIT_BYTES};

use super::{Cost, MonthlyPrice};
use crate::demand::Demand;
use crate::path::Path;
use crate::plan::Fit;
use crate::problem::{EntityFacts, Problem, ReadFacts, ReadPart, ResultShape};

/// One in so many items passes a range that is a filter.
pub(crate) const RANGE_SELECTS: u64 = 10;

/// What a read costs per call and per month.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct ReadPrice {
    pub(crate) cost: Cost,
    /// Half read units of one call.
    pub(crate) half_units: u64,
    /// Half units of one call on one partition of the path.
    pub(crate) half_units_per_partition: u64,
    /// All requests of one call.
    pub(crate) requests: u64,
    /// Not one GetItem or one Query in key order.
    pub(crate) awkward: bool,
}

/// Half units for so many bytes read at once.
pub(crate) fn halves(bytes: u64, strong: bool) -> u64 {
    bytes.div_ceil(READ_UNIT_BYTES).max(1) * if strong { 2 } else { 1 }
}

/// How a demand is served from one path: all of it that does not depend on sizes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ReadPlan {
    /// Entries that one Query reads.
    read: u64,
    /// Queries at once.
    parallel: u64,
    /// Items that are read by their keys.
    found: u64,
    /// Nothing is queried.
    keyed: bool,
    strong: bool,
    /// Requests beside a page for each Query.
    requests: u64,
    /// Requests that the caller waits for, beside further pages.
    extra: u64,
    awkward: bool,
    /// Looks once more, and finds nothing.
    again: bool,
}

/// What one call takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct CallUnits {
    half_units: u64,
    per_partition: u64,
    requests: u64,
    extra: u64,
}

impl CallUnits {
    /// An item that is read by its key.
    pub(crate) fn of_item(item: u64, strong: bool) -> Self {
        let half_units = halves(item, strong);
        CallUnits { half_units, per_partition: half_units, requests: 1, extra: 0 }
    }

    /// What its price depends on: the half units, and the requests that the caller waits for.
    pub(crate) fn billed(self) -> (u64, u64) {
        (self.half_units, self.extra)
    }
}

impl ReadPlan {
    /// The plan of a demand on one path; `fetch` says that the path's projection lacks something, so that the items
    /// themselves are read afterwards.
    pub(crate) fn new(
        entity: &EntityFacts,
        demand: &Demand,
        path: &Path,
        fit: &Fit,
        in_base: bool,
        fetch: bool,
        shards: u64,
    ) -> Self {
        let (strong, again) = (demand.is_strong(in_base), demand.swept);
        if in_base && fit.whole_key {
            let found = if fit.list { demand.listed } else { 1 };
            let (read, parallel, keyed, awkward) = (0, 0, true, fit.list);
            return ReadPlan { read, parallel, found, keyed, strong, requests: 1, extra: 0, awkward, again };
        }
        let fixed = fit.fixed(path);
        let present = entity.share_present(path.attrs());
        let keyed = (u128::from(entity.mean_matches(fixed)) * u128::from(present)).div_ceil(1_000_000) as u64;
        let keyed = if fit.range { keyed.div_ceil(RANGE_SELECTS) } else { keyed }.max(1);
        let mut one_in =
            fit.filter.iter().fold(1u64, |all, attr| all.saturating_mul(entity.attribute(attr).distinct));
        one_in = fit
            .filter_within
            .iter()
            .fold(one_in, |all, (_, period)| all.saturating_mul(entity.attribute(*period).distinct));
        one_in = fit
            .optional
            .iter()
            .fold(one_in, |all, attr| all.saturating_mul(entity.attribute(*attr).distinct));
        let range_filters = u64::from(fit.filter_range) + demand.part.more_ranges.len() as u64;
        one_in = (0..range_filters).fold(one_in, |all, _| all.saturating_mul(RANGE_SELECTS));
        let in_shard = keyed.div_ceil(shards);
        let wanted = match demand.result {
            ResultShape::Single => 1,
            ResultShape::Page(size) => size,
            ResultShape::Whole | ResultShape::Count => u64::MAX,
        };
        // One item behind a filter is looked for in one request: it reads all that there is.
        let whole = fit.client_sort || demand.result == ResultShape::Single && one_in > 1;
        let wanted_reads = |there: u64| if whole { there } else { there.min(wanted.saturating_mul(one_in)) };
        // An unordered page is filled from one shard after the other, as many as it takes.
        let unordered = demand.part.order.is_empty()
            && matches!(demand.result, ResultShape::Page(_) | ResultShape::Single);
        let known = entity.shard_attribute().is_some_and(|attr| demand.given().contains(attr));
        let (queried, read, in_turn) = if known {
            (1, wanted_reads(in_shard), 0)
        } else if unordered {
            let items = wanted_reads(keyed);
            let visited = items.div_ceil(in_shard).clamp(1, shards);
            (visited, items.div_ceil(visited), visited - 1)
        } else {
            (shards, wanted_reads(in_shard), 0)
        };
        let parallel = fit.queries(entity).saturating_mul(queried);
        let wastes = fit.wastes(&demand.part);
        let short = u64::from(wastes && one_in > 1 && read < in_shard);
        let found = || {
            let passing = read.div_ceil(one_in).saturating_mul(parallel);
            read.saturating_mul(parallel).min(wanted.min(passing)).max(1)
        };
        ReadPlan {
            read,
            parallel,
            found: if fetch { found() } else { 0 },
            keyed: false,
            strong,
            requests: short + u64::from(fetch),
            extra: in_turn + short + u64::from(fetch),
            awkward: wastes || parallel > 1 || fetch,
            again,
        }
    }

    /// What one call takes: `entry` is the size of what lies on the path, `item` that of the item in the table.
    pub(crate) fn units(&self, entry: u64, item: u64) -> CallUnits {
        let units = self.first_units(entry, item);
        if !self.again {
            return units;
        }
        let asked = self.parallel.max(1);
        CallUnits {
            half_units: units.half_units.saturating_add(asked.saturating_mul(halves(0, self.strong))),
            requests: units.requests.saturating_add(asked),
            extra: units.extra + 1,
            ..units
        }
    }

    /// What looking for the first time takes.
    fn first_units(&self, entry: u64, item: u64) -> CallUnits {
        let found = if self.found == 0 { 0 } else { self.found.saturating_mul(halves(item, self.strong)) };
        let (requests, extra) = (self.requests, self.extra);
        if self.keyed {
            return CallUnits { half_units: found, per_partition: found, requests, extra };
        }
        let bytes = self.read.saturating_mul(entry);
        let each = halves(bytes, self.strong);
        let pages = bytes.div_ceil(MB).max(1);
        CallUnits {
            half_units: each.saturating_mul(self.parallel).saturating_add(found),
            per_partition: each,
            requests: requests.saturating_add(self.parallel.saturating_mul(pages)),
            extra: extra + (pages - 1),
        }
    }

    /// The price at these sizes.
    pub(crate) fn price(&self, month: &MonthlyPrice, demand: &Demand, entry: u64, item: u64) -> ReadPrice {
        let CallUnits { half_units, per_partition, requests, extra } = self.units(entry, item);
        priced(month, demand, half_units, per_partition, requests, extra, self.awkward)
    }
}

/// Finds an item by a unique value: the uniqueness item, then the item.
pub(crate) fn unique_price(month: &MonthlyPrice, demand: &Demand, uniqueness: u64, item: u64) -> ReadPrice {
    let half_units = halves(uniqueness, demand.strong) + halves(item, demand.strong);
    priced(month, demand, half_units, halves(item, demand.strong), 2, 1, true)
}

fn priced(
    month: &MonthlyPrice,
    demand: &Demand,
    half_units: u64,
    per_partition: u64,
    requests: u64,
    extra: u64,
    awkward: bool,
) -> ReadPrice {
    // A read that a write needs first is itself an extra request, and makes no pattern more awkward than it is. The
    // items behind links are one too, and are what makes their pattern awkward.
    let extra = extra + u64::from(demand.is_second());
    let awkward_price = if awkward && !demand.is_locating() {
        month.operational.awkward_pattern
    } else {
        keywright_dynamodb::Money::ZERO
    };
    ReadPrice {
        cost: Cost::bill(month.reads(demand.rate, half_units))
            + Cost::operational(month.extra_requests(demand.rate, extra) + awkward_price),
        half_units,
        half_units_per_partition: per_partition,
        requests,
        awkward,
    }
}

/// How many items of one part a read of several entities gives at once.
pub(crate) fn shared_items(read: &ReadFacts, entities: &[EntityFacts], part: usize) -> u64 {
    let children = read.parts.len() - usize::from(read.has_head);
    let asked = &read.parts[part];
    let matches = entities[asked.entity].mean_matches(asked.eq());
    // What is dropped comes in between, as often as it is there.
    let dropped = read.wanted.filter(|wanted| *wanted != asked.entity).map(|_| wanted_items(read, entities));
    match (read.result, dropped) {
        (ResultShape::Page(size), Some(wanted)) => {
            let read = size.saturating_mul(sieve_passes_one_in(read, entities));
            return matches.min(read.saturating_mul(matches).div_ceil(wanted));
        }
        (ResultShape::Page(size), None) if read.wanted.is_some() => {
            return matches.min(size.saturating_mul(sieve_passes_one_in(read, entities)));
        }
        _ => {}
    }
    match read.result {
        _ if read.has_head && part == 0 => 1,
        ResultShape::Page(size) => matches.min(size.div_ceil(children.max(1) as u64)),
        _ => matches,
    }
}

/// How many items there are of the one kind that is wanted of a list.
fn wanted_items(read: &ReadFacts, entities: &[EntityFacts]) -> u64 {
    let wanted = read.parts.iter().find(|part| Some(part.entity) == read.wanted);
    wanted.map_or(1, |part| entities[part.entity].mean_matches(part.eq()))
}

/// Of how many items of the wanted kind a filter leaves one, by what it asks beside the kind.
fn sieve_passes_one_in(read: &ReadFacts, entities: &[EntityFacts]) -> u64 {
    let Some(wanted) = read.wanted else { return 1 };
    let values = read.sieve.eq().iter().map(|attr| entities[wanted].attribute(attr).distinct.max(1));
    let ranges = read.sieve.ranges().map(|_| RANGE_SELECTS);
    values.chain(ranges).fold(1, u64::saturating_mul)
}

/// Whether what a read drops of a list is bounded: all kinds of it together fit into what one request reads.
pub(crate) fn sifts_little(read: &ReadFacts, entities: &[EntityFacts], entries: &[u64]) -> bool {
    let most = |(part, bytes): (&ReadPart, &u64)| {
        Some(entities[part.entity].most_matches(part.eq())?.saturating_mul(*bytes))
    };
    let all: Option<Vec<u64>> = read.parts.iter().zip(entries).map(most).collect();
    read.wanted.is_none()
        || all.is_some_and(|all| all.iter().fold(0u64, |sum, it| sum.saturating_add(*it)) <= MB)
}

/// One Query over several entities: the sum of what it reads is rounded once.
pub(crate) fn multi_price(
    month: &MonthlyPrice,
    read: &ReadFacts,
    entities: &[EntityFacts],
    entries: &[u64],
) -> ReadPrice {
    let mut bytes = 0u64;
    for (at, entry) in entries.iter().enumerate() {
        bytes = bytes.saturating_add(shared_items(read, entities, at).saturating_mul(*entry));
    }
    let half_units = halves(bytes, read.strong);
    let pages = bytes.div_ceil(MB).max(1);
    // A page from which others are dropped can come back short.
    let sifts = read.wanted.is_some();
    let passes = sieve_passes_one_in(read, entities);
    let short = matches!(read.result, ResultShape::Page(size)
        if sifts && size.saturating_mul(passes) < wanted_items(read, entities));
    let extra = pages - 1 + u64::from(short);
    let awkward = if sifts { month.operational.awkward_pattern } else { keywright_dynamodb::Money::ZERO };
    ReadPrice {
        cost: Cost::bill(month.reads(read.rate, half_units))
            + Cost::operational(month.extra_requests(read.rate, extra) + awkward),
        half_units,
        half_units_per_partition: half_units,
        requests: pages + u64::from(short),
        awkward: sifts,
    }
}

/// A Scan reads the whole table, whatever it looks for: all items of these entities.
pub(crate) fn scan_price(
    problem: &Problem,
    month: &MonthlyPrice,
    read: &ReadFacts,
    table: &[usize],
    layouts: &[crate::search::Layout],
) -> ReadPrice {
    let bytes = table.iter().fold(0u64, |all, entity| {
        all.saturating_add(problem.entities[*entity].count.saturating_mul(layouts[*entity].item_bytes))
    });
    let pages = bytes.div_ceil(MB).max(1);
    let half_units = halves(bytes, read.strong);
    ReadPrice {
        cost: Cost::bill(month.reads(read.rate, half_units))
            + Cost::operational(
                month.extra_requests(read.rate, pages - 1) + month.operational.awkward_pattern,
            ),
        half_units,
        half_units_per_partition: half_units,
        requests: pages,
        awkward: true,
    }
}

//! What a layout costs: sizes, reads, writes, storage, heat and shards, computed anew.

use keywright_dynamodb::limits::{
    GLOBAL_SECONDARY_INDEXES, ITEM_BYTES, MB, PARTITION_READ_UNITS, PARTITION_WRITE_UNITS, READ_UNIT_BYTES,
    WRITE_UNIT_BYTES,
};
use keywright_model::Rate;
use keywright_model::certificate::{
    DemandFacts, EffectAction, EffectFacts, KeyForm, LogicalIndex, Path, Prices, Projected, ResultFacts, Way,
};

use crate::entity::Entity;
use crate::money::{reads, stores, waits, writes};
use crate::paths::attributes;
use crate::serve::{Served, is_allowed, serve};
use crate::set::{Set, has, members, set, within};

const MICRO: u64 = 1_000_000;
/// `pk` and `sk`.
const TABLE_KEY_NAMES: u64 = 4;
/// `GSI1PK` and `GSI1SK`.
const INDEX_KEY_NAMES: u64 = 12;
const MOST_SHARDS: u64 = 1_000;
/// One in so many items passes a range.
const RANGE: u64 = 10;

/// A read's price, and what it does to one partition.
#[derive(Clone, Copy, Default)]
pub(crate) struct ReadPrice {
    pub(crate) pico: i128,
    /// Half units of one call.
    half_units: u64,
    pub(crate) half_units_there: u64,
    awkward: bool,
}

/// Where a part of a shared read lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Place {
    /// The kind of projection; none for the table.
    pub(crate) kind: Option<usize>,
    pub(crate) bytes: u64,
    pub(crate) sorted_by_caller: bool,
}

/// A layout, priced.
#[derive(Clone, Debug)]
pub(crate) struct Priced {
    pub(crate) pico: i128,
    /// Where the shared demands are served, in their order.
    pub(crate) places: Vec<Place>,
    /// The index that serves each shared demand; none for the table.
    pub(crate) on: Vec<Option<usize>>,
}

/// The kind of a projection.
pub(crate) fn kind(projection: &Projected) -> usize {
    match projection {
        Projected::All => 0,
        Projected::Keys => 1,
        Projected::Include(_) => 2,
    }
}

/// One entity under one price list.
pub(crate) struct Pricing<'f> {
    pub(crate) entity: &'f Entity<'f>,
    pub(crate) prices: &'f Prices,
}

pub(crate) fn half_units(bytes: u64, strong: bool) -> u64 {
    bytes.div_ceil(READ_UNIT_BYTES).max(1) * if strong { 2 } else { 1 }
}

fn write_units(bytes: u64) -> u64 {
    bytes.div_ceil(WRITE_UNIT_BYTES).max(1)
}

impl Pricing<'_> {
    fn strings(&self, path: &Path, names: u64) -> u64 {
        let facts = self.entity.facts;
        let of = |some: Set| -> u64 { members(some).map(|at| 1 + facts.attributes[at].key_bytes).sum() };
        match facts.form {
            KeyForm::Generic => names + 2 * facts.name_bytes + of(set(&path.partition)) + of(set(&path.sort)),
            // A string of several attributes stands under their names.
            KeyForm::Natural => {
                let name = |at: usize| 1 + facts.attributes[at].name.len() as u64;
                let strings = self.entity.strings(path).into_iter();
                strings.map(|some| members(some).map(name).sum::<u64>() + of(some)).sum()
            }
        }
    }

    /// Bytes that an index's keys add to an item.
    pub(crate) fn key_bytes(&self, index: &LogicalIndex) -> u64 {
        self.strings(&index.path, INDEX_KEY_NAMES)
    }

    pub(crate) fn item_bytes(&self, base: &Path, indexes: &[&LogicalIndex]) -> u64 {
        let keys: u64 = indexes.iter().map(|index| self.key_bytes(index)).sum();
        self.entity.facts.plain_bytes + self.strings(base, TABLE_KEY_NAMES) + keys
    }

    pub(crate) fn entry_bytes(&self, base: &Path, index: &LogicalIndex, item: u64) -> u64 {
        let keys = self.strings(base, TABLE_KEY_NAMES) + self.key_bytes(index);
        let named = |at: usize| {
            let it = &self.entity.facts.attributes[at];
            it.name.len() as u64 + it.bytes
        };
        let own = self.entity.own_keys(base) | self.entity.own_keys(&index.path);
        match &index.projection {
            Projected::All => item,
            Projected::Keys => keys + members(own).map(named).sum::<u64>(),
            Projected::Include(list) => keys + members(set(list) | own).map(named).sum::<u64>(),
        }
    }

    /// How many in a million items are in an index.
    fn share(&self, path: &Path) -> u64 {
        let share = self.entity.present(attributes(path));
        let share = path.only.as_ref().map_or(share, |(at, _)| share / self.entity.distinct(*at));
        share.max(1)
    }

    /// How many items share the values that a key condition fixes.
    pub(crate) fn held(&self, path: &Path, served: &Served) -> u64 {
        let entity = self.entity;
        let held = u128::from(entity.mean(served.fixed)) * u128::from(entity.present(attributes(path)));
        u64::try_from(held.div_ceil(u128::from(MICRO))).unwrap_or(u64::MAX)
    }

    /// A read of the table or of an index. `fetch` reads the items themselves afterwards.
    #[allow(
        clippy::too_many_arguments,
        reason = "each is a fact of the read, and they have nothing in common"
    )]
    pub(crate) fn read(
        &self,
        demand: &DemandFacts,
        path: &Path,
        served: &Served,
        index: Option<&LogicalIndex>,
        entry: u64,
        item: u64,
        shards: u64,
    ) -> ReadPrice {
        let entity = self.entity;
        if index.is_none() && served.get {
            let all = half_units(item, demand.strong) * demand.listed.unwrap_or(1);
            return self.month(demand, all, all, 0, demand.listed.is_some());
        }
        let held = self.held(path, served);
        let there = if served.range { held.div_ceil(RANGE) } else { held }.max(1);
        // One in so many passes the filters.
        let mut passes = members(served.filter)
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
        let read_of = |some: u64| {
            if served.sorted_by_caller { some } else { some.min(wanted.saturating_mul(passes)) }
        };
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
        let each = half_units(read.saturating_mul(entry), demand.strong);
        let queries = served.queries * asked;
        let pages = read.saturating_mul(entry).div_ceil(MB).max(1);
        let short = served.wastes(demand) && passes > 1 && read < of_shard;
        let fetch = index.is_some_and(|index| match &index.projection {
            Projected::All => false,
            Projected::Keys => !demand.returns.is_empty(),
            Projected::Include(list) => !within(set(&demand.returns), set(list)),
        });
        let mut all = each * queries;
        let mut extra = pages - 1 + later + u64::from(short);
        if fetch {
            let found = (read * queries).min(wanted.min(read.div_ceil(passes) * queries)).max(1);
            all += found * half_units(item, demand.strong);
            extra += 1;
        }
        self.month(demand, all, each, extra, served.wastes(demand) || queries > 1 || fetch)
    }

    /// The least that a read can cost, over however many shards. On several, requests that would follow each other run
    /// side by side; fewer units are read only where the caller tells the shard.
    #[allow(
        clippy::too_many_arguments,
        reason = "each is a fact of the read, and they have nothing in common"
    )]
    pub(crate) fn least_read(
        &self,
        demand: &DemandFacts,
        path: &Path,
        served: &Served,
        index: Option<&LogicalIndex>,
        entry: u64,
        item: u64,
        cool: bool,
    ) -> i128 {
        let over = |shards: u64| self.read(demand, path, served, index, entry, item, shards);
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

    fn hashed(&self) -> Option<usize> {
        let identity = &self.entity.facts.identity;
        identity.iter().copied().max_by_key(|at| self.entity.facts.attributes[*at].distinct)
    }

    fn unique(&self, demand: &DemandFacts, which: usize, item: u64) -> Option<ReadPrice> {
        let first = half_units(self.entity.facts.unique.get(which)?.bytes, demand.strong);
        let second = half_units(item, demand.strong);
        Some(self.month(demand, first + second, second, 1, true))
    }

    fn month(&self, demand: &DemandFacts, all: u64, there: u64, extra: u64, awkward: bool) -> ReadPrice {
        let extra = extra + u64::from(demand.second);
        let awkward = awkward && !demand.locating;
        let pico = reads(self.prices, demand.rate, all)
            + waits(self.prices, demand.rate, extra)
            + if awkward { self.prices.awkward_pattern.pico() } else { 0 };
        ReadPrice { pico, half_units: all, half_units_there: there, awkward }
    }

    fn moves(&self, effect: &EffectFacts, base: &Path) -> bool {
        effect.action == EffectAction::Update && set(&effect.sets) & attributes(base) != 0
    }

    /// A natural identity under another key is guarded by an item of its own.
    fn guarded(&self, base: &Path) -> bool {
        let facts = self.entity.facts;
        let kept = self.entity.unique.contains(&self.entity.identity);
        !facts.generated && !facts.singleton && attributes(base) != self.entity.identity && !kept
    }

    /// Millionths of units that a write costs on an entry.
    fn entry_writes(&self, effect: &EffectFacts, base: &Path, index: &LogicalIndex, entry: u64) -> u64 {
        let (units, share) = (write_units(entry), self.share(&index.path));
        let sets = set(&effect.sets);
        if effect.action != EffectAction::Update {
            return units * share;
        }
        let comes_or_goes = index.path.only.as_ref().is_some_and(|(at, _)| has(sets, *at));
        if self.moves(effect, base) {
            2 * units * share
        } else if comes_or_goes {
            (2 * units * share).min(units * MICRO)
        } else if sets & attributes(&index.path) != 0 {
            2 * units * share
        } else {
            let shown = match &index.projection {
                Projected::All => sets != 0,
                Projected::Keys => false,
                Projected::Include(list) => set(list) & sets != 0,
            };
            if shown { units * share } else { 0 }
        }
    }

    /// Whether a write has to know what was there.
    fn needs_old(&self, effect: &EffectFacts, base: &Path, indexes: &[&LogicalIndex]) -> bool {
        let (given, sets) = (set(&effect.given), set(&effect.sets));
        match effect.action {
            EffectAction::Create | EffectAction::Put => return false,
            EffectAction::Delete => {
                let known = |at: &usize| self.entity.unique.get(*at).is_some_and(|it| within(*it, given));
                return effect.read_first || !effect.unique.iter().all(known);
            }
            EffectAction::Update => {}
        }
        if effect.read_first || !effect.unique.is_empty() || self.moves(effect, base) {
            return true;
        }
        let known = given | sets;
        indexes.iter().any(|index| {
            let path = &index.path;
            let strings = self.entity.strings(path);
            let half_known = |string: &Set| string & sets != 0 && !within(*string, known);
            let gate = path.only.as_ref().is_some_and(|(at, _)| has(sets, *at));
            // Strings that stand by themselves begin each with its own attributes.
            let together = self.entity.facts.form == KeyForm::Generic;
            let optional = members(attributes(path) & sets).any(|at| self.entity.is_optional(at));
            let begins = gate || together && optional;
            strings.iter().any(half_known) || begins && !strings.iter().all(|it| within(*it, known))
        })
    }

    fn times(&self, effect: &EffectFacts) -> u64 {
        if effect.all { self.entity.mean(set(&effect.given)) } else { 1 }
    }

    /// Millionths of units that a write costs on the item itself.
    fn item_writes(&self, effect: &EffectFacts, base: &Path, item: u64) -> u64 {
        let moves = self.moves(effect, base);
        let guard = self.guards(effect, base);
        let doubled = if effect.transaction || moves || guard { 2 } else { 1 };
        write_units(item) * if moves { 2 } else { 1 } * doubled * MICRO * self.times(effect)
    }

    fn guards(&self, effect: &EffectFacts, base: &Path) -> bool {
        matches!(effect.action, EffectAction::Create | EffectAction::Delete) && self.guarded(base)
    }

    /// Writes, checks and storage of a month, with what running its lists costs.
    pub(crate) fn keep(&self, base: &Path, indexes: &[&LogicalIndex], item: u64) -> i128 {
        let (facts, prices) = (self.entity.facts, self.prices);
        let entries: Vec<u64> = indexes.iter().map(|index| self.entry_bytes(base, index, item)).collect();
        let mut pico = stores(prices, facts.count, MICRO, item);
        for (index, entry) in indexes.iter().zip(&entries) {
            pico += stores(prices, facts.count, self.share(&index.path), *entry);
            if kind(&index.projection) == 2 {
                pico += prices.include_list.pico();
            }
        }
        for (unique, held) in facts.unique.iter().zip(&self.entity.unique) {
            pico += stores(prices, facts.count, self.entity.present(*held), unique.bytes);
        }
        if self.guarded(base) {
            pico += stores(prices, facts.count, MICRO, facts.guard_bytes) + prices.item_type.pico();
        } else if self.entity.unique.contains(&self.entity.identity) {
            pico += prices.item_type.pico();
        }
        if facts.counter || facts.copy {
            pico += prices.item_type.pico();
        }
        for effect in &facts.effects {
            let times = self.times(effect);
            let moved = if effect.action == EffectAction::Update { 2 } else { 1 };
            let unique = effect.unique.iter().filter_map(|at| facts.unique.get(*at));
            let unique: u64 = unique.map(|it| write_units(it.bytes) * 2 * moved * MICRO * times).sum();
            let guard = if self.guards(effect, base) {
                write_units(facts.guard_bytes) * 2 * MICRO * times
            } else {
                0
            };
            let on_entries: u64 = indexes
                .iter()
                .zip(&entries)
                .map(|(it, bytes)| self.entry_writes(effect, base, it, *bytes))
                .sum();
            let all = self.item_writes(effect, base, item) + unique + guard + on_entries * times;
            pico += writes(prices, effect.rate, all);
            if self.needs_old(effect, base, indexes) {
                pico += reads(prices, effect.rate, half_units(item, true) * times)
                    + waits(prices, effect.rate, 1);
            }
        }
        for rate in &facts.checks {
            pico += writes(prices, *rate, 2 * write_units(item) * MICRO);
        }
        pico
    }

    /// The price of a layout; none where it does not serve everything or passes a limit.
    pub(crate) fn layout(&self, base: &Path, indexes: &[&LogicalIndex], ways: &[Way]) -> Option<Priced> {
        let (entity, facts) = (self.entity, self.entity.facts);
        let item = self.item_bytes(base, indexes);
        if item > ITEM_BYTES || ways.len() != facts.demands.len() {
            return None;
        }
        let mut served: Vec<Option<Served>> = Vec::new();
        for (demand, way) in facts.demands.iter().zip(ways) {
            let (path, projection, bytes) = match way {
                Way::Known | Way::Unique(_) => {
                    if !is_possible(entity, demand, base, *way) {
                        return None;
                    }
                    served.push(None);
                    continue;
                }
                Way::Table => (base, None, item),
                Way::Index(at) => {
                    let index = indexes.get(*at)?;
                    (&index.path, Some(&index.projection), self.entry_bytes(base, index, item))
                }
            };
            if is_impossible(entity, demand, base) {
                return None;
            }
            let how = serve(entity, demand, path)?;
            if !is_allowed(entity, demand, path, projection, &how) || !self.is_small(demand, &how, bytes) {
                return None;
            }
            served.push(Some(how));
        }
        let read = |at: usize, shards: u64| -> Option<ReadPrice> {
            let demand = &facts.demands[at];
            match (ways[at], &served[at]) {
                (Way::Known, _) => Some(ReadPrice::default()),
                (Way::Unique(which), _) => self.unique(demand, which, item),
                (Way::Table, Some(how)) => Some(self.read(demand, base, how, None, item, item, 1)),
                (Way::Index(index), Some(how)) => {
                    let index = indexes[index];
                    let entry = self.entry_bytes(base, index, item);
                    Some(self.read(demand, &index.path, how, Some(index), entry, item, shards))
                }
                _ => None,
            }
        };
        // The table's hottest partition.
        let mut load = Load::default();
        let here = set(&base.partition);
        for effect in &facts.effects {
            load.write(effect.peak, self.item_writes(effect, base, item), entity.hottest(here, true));
        }
        for (at, way) in ways.iter().enumerate().filter(|(_, way)| **way == Way::Table) {
            debug_assert!(*way == Way::Table);
            load.read(facts.demands[at].peak, read(at, 1)?.half_units_there, entity.hottest(here, false));
        }
        if !load.is_borne(entity.is_one(here)) {
            return None;
        }
        let mut shards = Vec::new();
        for (position, index) in indexes.iter().enumerate() {
            let entry = self.entry_bytes(base, index, item);
            let here = set(&index.path.partition);
            let borne = |shards: u64| -> Option<bool> {
                let mut load = Load::default();
                for effect in &facts.effects {
                    let micro = self.entry_writes(effect, base, index, entry).div_ceil(shards);
                    load.write(effect.peak, micro, entity.hottest(here, true));
                }
                for at in (0..ways.len()).filter(|at| ways[*at] == Way::Index(position)) {
                    let there = read(at, shards)?.half_units_there;
                    load.read(facts.demands[at].peak, there, entity.hottest(here, false));
                }
                Some(load.is_borne(entity.is_one(here)))
            };
            shards.push(fewest(borne, if entity.is_one(here) { 1 } else { MOST_SHARDS.min(facts.count) })?);
        }
        let mut priced = Priced { pico: self.keep(base, indexes, item), places: Vec::new(), on: Vec::new() };
        for (at, demand) in facts.demands.iter().enumerate() {
            let (on, index) = match ways[at] {
                Way::Index(index) => (shards[index], Some(index)),
                _ => (1, None),
            };
            let how = served[at].as_ref();
            if on > 1 && (demand.shared.is_some() || how.is_some_and(|it| it.scattered)) {
                return None;
            }
            if demand.shared.is_some() {
                priced.places.push(Place {
                    kind: index.map(|index| kind(&indexes[index].projection)),
                    bytes: index.map_or(item, |index| self.entry_bytes(base, indexes[index], item)),
                    sorted_by_caller: how.is_some_and(|it| it.sorted_by_caller),
                });
                priced.on.push(index);
            } else {
                priced.pico += read(at, on)?.pico;
            }
        }
        Some(priced)
    }
}

/// A write that could mean any of several items means none of them.
fn is_impossible(entity: &Entity<'_>, demand: &DemandFacts, base: &Path) -> bool {
    let one = demand.locating && demand.result == ResultFacts::Single;
    let given = set(&demand.given);
    one && (!entity.is_one(given) || within(attributes(base), given))
}

/// Whether a demand needs no read, or can go over a uniqueness item.
pub(crate) fn is_possible(entity: &Entity<'_>, demand: &DemandFacts, base: &Path, way: Way) -> bool {
    let given = set(&demand.given);
    let single = demand.result == ResultFacts::Single;
    let known = demand.locating && single && entity.is_one(given) && within(attributes(base), given);
    match way {
        Way::Known => known,
        Way::Unique(which) => {
            let reached = within(attributes(base), entity.identity | given);
            let of_set = entity.unique.get(which).is_some_and(|it| within(*it, given));
            let stuck = is_impossible(entity, demand, base);
            let keyed = given & attributes(base);
            let mut compared = (given | set(&demand.optional)) & !keyed;
            if let Some(unique) = entity.unique.get(which).filter(|it| within(keyed & entity.identity, **it))
            {
                compared &= !unique;
            }
            // No filter looks at a key attribute.
            let asked = compared & entity.own_keys(base) == 0;
            single
                && !stuck
                && demand.shared.is_none()
                && demand.listed.is_none()
                && of_set
                && reached
                && asked
        }
        Way::Table | Way::Index(_) => !is_impossible(entity, demand, base),
    }
}

/// The smallest number that holds, where what holds for a number holds for every larger one.
fn fewest(holds: impl Fn(u64) -> Option<bool>, most: u64) -> Option<u64> {
    if holds(1)? {
        return Some(1);
    }
    if most < 2 || !holds(most)? {
        return None;
    }
    let (mut no, mut yes) = (1, most);
    while yes - no > 1 {
        let between = no + (yes - no) / 2;
        if holds(between)? { yes = between } else { no = between }
    }
    Some(yes)
}

/// Units a second on the hottest value, times 10¹⁵.
#[derive(Default)]
struct Load {
    reads: u128,
    writes: u128,
}

impl Load {
    fn read(&mut self, peak: Rate, half_units: u64, share: u64) {
        let units = u128::from(peak.nano()) * u128::from(half_units) / 2;
        self.reads = self.reads.saturating_add(units.saturating_mul(u128::from(share)));
    }

    fn write(&mut self, peak: Rate, micro_units: u64, share: u64) {
        let units = u128::from(peak.nano()) * u128::from(micro_units) / u128::from(MICRO);
        self.writes = self.writes.saturating_add(units.saturating_mul(u128::from(share)));
    }

    /// One item bears all that a partition can, a collection three quarters.
    fn is_borne(&self, one: bool) -> bool {
        let part = |limit: u64| u128::from(if one { limit } else { limit * 3 / 4 }) * 1_000_000_000_000_000;
        self.reads <= part(PARTITION_READ_UNITS) && self.writes <= part(PARTITION_WRITE_UNITS)
    }
}

impl Pricing<'_> {
    /// What storing an item and its entries costs more where it grows, in pico-dollars; rounded up.
    pub(crate) fn grown(&self, base: &Path, open: &[&LogicalIndex], from: u64, to: u64) -> i128 {
        if to <= from {
            return 0;
        }
        let stored = |share: u64, bytes: u64| stores(self.prices, self.entity.facts.count, share, bytes);
        let entries = open.iter().map(|index| {
            let at = |item: u64| stored(self.share(&index.path), self.entry_bytes(base, index, item));
            at(to) - at(from) + 1
        });
        stored(MICRO, to) - stored(MICRO, from) + 1 + entries.sum::<i128>()
    }

    /// The least that opening an index adds to what is open, where an item has no fewer bytes than `floor`: its entries,
    /// and its keys in the item and in the entries that hold all. What it adds by making a write read first or something
    /// larger than a unit, another may have added.
    pub(crate) fn opening(
        &self,
        base: &Path,
        open: &[&LogicalIndex],
        index: &LogicalIndex,
        item: u64,
        floor: u64,
    ) -> i128 {
        let (facts, prices) = (self.entity.facts, self.prices);
        let larger = item + self.key_bytes(index);
        let entry = self.entry_bytes(base, index, larger.max(floor));
        let stored = |share: u64, bytes: u64| stores(prices, facts.count, share, bytes);
        // Rounded apart, each may come to one more than together.
        let mut pico = stored(self.share(&index.path), self.entry_bytes(base, index, larger)) - 1;
        pico += stored(MICRO, larger) - stored(MICRO, item) - 1;
        for other in open {
            let share = self.share(&other.path);
            let grown = |item: u64| stored(share, self.entry_bytes(base, other, item));
            pico += grown(larger) - grown(item) - 1;
        }
        for effect in &facts.effects {
            let micro = self.entry_writes(effect, base, index, entry) * self.times(effect);
            pico += writes(prices, effect.rate, micro) - 1;
        }
        if kind(&index.projection) == 2 {
            pico += prices.include_list.pico();
        }
        pico.max(0)
    }

    /// Whether keeping one index is never dearer than keeping another of the same projection, whatever the primary key.
    pub(crate) fn keeps_no_dearer(&self, one: &LogicalIndex, other: &LogicalIndex) -> bool {
        // A moved primary key costs every index the same.
        let nowhere = Path { partition: Vec::new(), sort: Vec::new(), descending: Vec::new(), only: None };
        let writes_no_more = |effect: &EffectFacts| {
            let of = |index: &LogicalIndex| self.entry_writes(effect, &nowhere, index, 1);
            of(one) <= of(other)
                && (!self.needs_old(effect, &nowhere, &[one]) || self.needs_old(effect, &nowhere, &[other]))
        };
        self.key_bytes(one) <= self.key_bytes(other)
            && self.share(&one.path) <= self.share(&other.path)
            && self.entity.facts.effects.iter().all(writes_no_more)
    }
}

impl Pricing<'_> {
    /// Which indexes could never need shards, were all demands to use them that can, at the largest size.
    pub(crate) fn cool(&self, bases: &[Path], indexes: &[LogicalIndex]) -> Vec<bool> {
        let (entity, facts) = (self.entity, self.entity.facts);
        // Every open index serves a demand, so that there are never more of them.
        let mut keys: Vec<u64> = indexes.iter().map(|index| self.key_bytes(index)).collect();
        keys.sort_unstable();
        let most = GLOBAL_SECONDARY_INDEXES.min(facts.demands.len());
        let largest: u64 = keys.iter().rev().take(most).sum();
        let is_cool = |index: &LogicalIndex| {
            bases.iter().all(|base| {
                let item = self.item_bytes(base, &[]) + largest;
                let entry = self.entry_bytes(base, index, item);
                let here = set(&index.path.partition);
                let mut load = Load::default();
                for effect in &facts.effects {
                    let micro = self.entry_writes(effect, base, index, entry);
                    load.write(effect.peak, micro, entity.hottest(here, true));
                }
                for demand in &facts.demands {
                    if let Some(how) = serve(entity, demand, &index.path)
                        && is_allowed(entity, demand, &index.path, Some(&index.projection), &how)
                    {
                        let read = self.read(demand, &index.path, &how, Some(index), entry, item, 1);
                        load.read(demand.peak, read.half_units_there, entity.hottest(here, false));
                    }
                }
                load.is_borne(entity.is_one(here))
            })
        };
        indexes.iter().map(is_cool).collect()
    }
}

//! What a layout costs: sizes, reads, writes, storage, heat and shards, computed anew.

mod heat;
mod keep;
mod read;

use keywright_dynamodb::limits::{ITEM_BYTES, READ_UNIT_BYTES};
use keywright_model::certificate::{
    DemandFacts, KeyForm, LogicalIndex, Path, Prices, Projected, ResultFacts, Way,
};

use self::heat::{Load, fewest};
pub(crate) use self::keep::write_units;
use self::read::ReadPrice;
pub(crate) use self::read::{RANGE, Reading};
use crate::entity::Entity;
use crate::native::Native;
use crate::paths::{attributes, is_same};
use crate::serve::{Served, is_allowed, is_by_rank, serve};
use crate::set::{Set, members, set, within};

pub(crate) const MICRO: u64 = 1_000_000;
/// `pk` and `sk`.
const TABLE_KEY_NAMES: u64 = 4;
/// `GSI1PK` and `GSI1SK`.
const INDEX_KEY_NAMES: u64 = 12;
const MOST_SHARDS: u64 = 1_000;

/// Where a part of a shared read lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Place {
    /// The kind of projection; none for the table.
    pub(crate) kind: Option<usize>,
    /// The GSI, where it is there already.
    pub(crate) gsi: Option<usize>,
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
    /// The indexes that there are, where they are native.
    pub(crate) natives: Option<&'f [Native]>,
}

pub(crate) fn half_units(bytes: u64, strong: bool) -> u64 {
    bytes.div_ceil(READ_UNIT_BYTES).max(1) * if strong { 2 } else { 1 }
}

impl Pricing<'_> {
    /// What a native index is; none for one that is not, or can't be.
    fn native(&self, index: &LogicalIndex) -> Option<&Native> {
        let same = |it: &LogicalIndex| is_same(&it.path, &index.path) && it.projection == index.projection;
        self.natives?.iter().find(|it| same(&it.index))
    }

    /// What an index costs beside its own entries.
    pub(crate) fn beside(&self, index: &LogicalIndex) -> i128 {
        self.native(index).map_or(0, |it| it.beside)
    }

    fn strings(&self, form: KeyForm, path: &Path, names: u64) -> u64 {
        let facts = self.entity.facts;
        let of = |some: Set| -> u64 { members(some).map(|at| 1 + facts.attributes[at].key_bytes).sum() };
        match form {
            KeyForm::Generic => names + 2 * facts.name_bytes + of(set(&path.partition)) + of(set(&path.sort)),
            // A string of several attributes stands under their names.
            KeyForm::Natural | KeyForm::Native => {
                let name = |at: usize| 1 + facts.attributes[at].name.len() as u64;
                let strings = self.entity.strings(form, path).into_iter();
                strings.map(|some| members(some).map(name).sum::<u64>() + of(some)).sum()
            }
        }
    }

    /// Bytes that an index's keys add to an item.
    pub(crate) fn key_bytes(&self, index: &LogicalIndex) -> u64 {
        self.strings(self.entity.facts.index_form, &index.path, INDEX_KEY_NAMES)
    }

    pub(crate) fn item_bytes(&self, base: &Path, indexes: &[&LogicalIndex]) -> u64 {
        let keys: u64 = indexes.iter().map(|index| self.key_bytes(index)).sum();
        self.entity.facts.plain_bytes + self.table_key_bytes(base) + keys
    }

    fn table_key_bytes(&self, base: &Path) -> u64 {
        self.strings(self.entity.facts.form, base, TABLE_KEY_NAMES)
    }

    pub(crate) fn entry_bytes(&self, base: &Path, index: &LogicalIndex, item: u64) -> u64 {
        let keys = self.table_key_bytes(base) + self.key_bytes(index);
        let named = |at: usize| {
            let it = &self.entity.facts.attributes[at];
            it.name.len() as u64 + it.bytes
        };
        let entity = self.entity;
        let own =
            entity.own_keys(entity.facts.form, base) | entity.own_keys(entity.facts.index_form, &index.path);
        match &index.projection {
            Projected::All => item,
            Projected::Keys => keys + members(own).map(named).sum::<u64>(),
            // What tells the kinds of items apart is in every list.
            Projected::Include(list) => {
                let attributes = members(entity.everything()).map(named).sum::<u64>();
                let kind = entity.facts.plain_bytes.saturating_sub(attributes);
                keys + members(set(list) | own).map(named).sum::<u64>() + kind
            }
        }
    }

    /// How many in a million items are in an index.
    fn share(&self, path: &Path) -> u64 {
        let share = self.entity.present(attributes(path));
        let share = path.only.as_ref().map_or(share, |(at, _)| share / self.entity.distinct(*at));
        share.max(1)
    }

    /// The price of a layout; none where it does not serve everything or passes a limit.
    pub(crate) fn layout(&self, base: &Path, indexes: &[&LogicalIndex], ways: &[Way]) -> Option<Priced> {
        let (entity, facts) = (self.entity, self.entity.facts);
        let item = self.item_bytes(base, indexes);
        let known = self.natives.is_none() || indexes.iter().all(|index| self.native(index).is_some());
        if item > ITEM_BYTES || ways.len() != facts.demands.len() || !known {
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
        if !is_unmixed(entity, indexes, ways, &served) {
            return None;
        }
        let read = |at: usize, shards: u64| -> Option<ReadPrice> {
            let demand = &facts.demands[at];
            match (ways[at], &served[at]) {
                (Way::Known, _) => Some(ReadPrice::default()),
                (Way::Unique(which), _) => self.unique(demand, which, item),
                (Way::Table, Some(served)) => {
                    let reading = Reading { demand, path: base, served, index: None, entry: item, item };
                    Some(self.read(&reading, 1))
                }
                (Way::Index(index), Some(served)) => {
                    let index = indexes[index];
                    let entry = self.entry_bytes(base, index, item);
                    let reading =
                        Reading { demand, path: &index.path, served, index: Some(index), entry, item };
                    Some(self.read(&reading, shards))
                }
                _ => None,
            }
        };
        // The table's hottest partition.
        let mut load = Load::default();
        let here = set(&base.partition);
        for effect in &facts.effects {
            load.write(
                effect.peak,
                self.item_writes(effect, base, item),
                entity.hottest_written(here, effect),
            );
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
                    load.write(effect.peak, micro, entity.hottest_written(here, effect));
                }
                for at in (0..ways.len()).filter(|at| ways[*at] == Way::Index(position)) {
                    let there = read(at, shards)?.half_units_there;
                    load.read(facts.demands[at].peak, there, entity.hottest(here, false));
                }
                Some(load.is_borne(entity.is_one(here)))
            };
            let few = fewest(borne, if entity.is_one(here) { 1 } else { MOST_SHARDS.min(facts.count) })?;
            // Over shards a native key has one attribute more.
            if few > 1 && self.native(index).is_some_and(|it| !it.has_room) {
                return None;
            }
            shards.push(few);
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
                    gsi: index.and_then(|index| entity.gsi(indexes[index])),
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

/// Whether no Query of this entity alone runs where its items lie in one list with others, since it would find those too,
/// and whether such a list comes in the order of its keys.
fn is_unmixed(
    entity: &Entity<'_>,
    indexes: &[&LogicalIndex],
    ways: &[Way],
    served: &[Option<Served>],
) -> bool {
    let lists = lists(entity, indexes, |demand| ways.get(demand).copied());
    entity.facts.demands.iter().zip(ways).zip(served).all(|((demand, way), how)| {
        let Some(how) = how.as_ref().filter(|_| lists.contains(way)) else { return true };
        if demand.mixed { !how.sorted_by_caller } else { finds_one_kind(how, *way, indexes) }
    })
}

/// The ways that lead to lists in which items of this entity lie among others, where parts of such lists are served so.
pub(crate) fn lists(
    entity: &Entity<'_>,
    indexes: &[&LogicalIndex],
    way: impl Fn(usize) -> Option<Way>,
) -> Vec<Way> {
    let demands = entity.facts.demands.iter().enumerate();
    let asked = demands.filter(|(_, demand)| demand.mixed).filter_map(|(at, _)| way(at));
    let others_among = (0..indexes.len()).filter(|at| entity.is_mixed(Some(indexes[*at]))).map(Way::Index);
    asked.chain(others_among).chain(entity.is_mixed(None).then_some(Way::Table)).collect()
}

/// Whether what is found in a list of several kinds is of one: what a whole key finds is.
pub(crate) fn finds_one_kind(how: &Served, way: Way, indexes: &[&LogicalIndex]) -> bool {
    match way {
        Way::Index(at) => within(set(&indexes[at].path.sort), how.fixed),
        Way::Known | Way::Table | Way::Unique(_) => how.get,
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
            let asked = compared & entity.own_keys(entity.facts.form, base) == 0;
            single
                && !stuck
                && demand.shared.is_none()
                && demand.listed.is_none()
                && of_set
                && reached
                && asked
                && !is_by_rank(entity, demand)
        }
        Way::Table | Way::Index(_) => !is_impossible(entity, demand, base),
    }
}

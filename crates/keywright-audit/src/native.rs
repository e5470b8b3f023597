//! Native indexes: entities with the same key attributes are in one, and pay for it together.
//!
//! An index costs its own price and the entries of strangers, which are items of other kinds that hold all its key
//! attributes. Those who are named pay for it in equal parts, as if they alone opened it; whoever comes beside them gets
//! back what they paid for it as a stranger. So no openers are ever asked for more than the index costs with them, and what
//! entities cost by such prices bounds what they cost together.

use std::collections::BTreeMap;

use keywright_dynamodb::limits::{INDEX_HASH_ATTRIBUTES, INDEX_RANGE_ATTRIBUTES};
use keywright_model::certificate::{Layout, LogicalIndex, Path, Prices, Projected};

use crate::entity::Entity;
use crate::money::{stores, writes};
use crate::paths::{attributes, is_same};
use crate::price::{Pricing, kind, write_units};
use crate::set::{Set, members, set, within};

/// A native index that an entity could open.
pub(crate) struct Native {
    pub(crate) index: LogicalIndex,
    /// What it costs beside its own entries.
    pub(crate) beside: i128,
    /// Its partition key has room for the number of a shard.
    pub(crate) has_room: bool,
}

/// What is equal is one index.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Signature {
    partition: Vec<String>,
    sort: Vec<String>,
    kind: usize,
    listed: Vec<String>,
    /// The one entity whose items have all its key attributes.
    alone: Option<usize>,
    /// The GSI, where it is there already: what is new never comes into it.
    gsi: Option<usize>,
}

/// Items of another kind that hold every key attribute of an index.
struct Stranger {
    entity: usize,
    /// The index as a path of theirs.
    path: Path,
    /// The set whose uniqueness items they are; none for the items themselves.
    unique: Option<usize>,
}

fn named(entity: &Entity<'_>, name: &str) -> Option<usize> {
    entity.facts.attributes.iter().position(|it| it.name == name && it.period_of.is_none())
}

fn strangers(entities: &[Entity<'_>], at: usize, path: &Path) -> Vec<Stranger> {
    let mut strangers = Vec::new();
    for (other, entity) in entities.iter().enumerate() {
        let theirs = |some: &[usize]| -> Option<Vec<usize>> {
            some.iter().map(|it| named(entity, &entities[at].facts.attributes[*it].name)).collect()
        };
        let (Some(partition), Some(sort)) = (theirs(&path.partition), theirs(&path.sort)) else { continue };
        let path = Path { partition, sort, descending: Vec::new(), by_name: Vec::new(), only: None };
        if other != at {
            strangers.push(Stranger { entity: other, path: path.clone(), unique: None });
        }
        // A uniqueness item holds what it keeps unique and the identity of its owner.
        for (unique, held) in entity.unique.iter().enumerate() {
            if within(attributes(&path), held | entity.identity) {
                strangers.push(Stranger { entity: other, path: path.clone(), unique: Some(unique) });
            }
        }
    }
    strangers
}

/// How many attributes a partition key has: with the kind of the item where nothing else is in it, or where strangers are
/// in the index, which must not be in the same collections.
fn in_partition(entities: &[Entity<'_>], at: usize, path: &Path) -> usize {
    path.partition.len() + usize::from(needs_kind(entities, at, path))
}

fn needs_kind(entities: &[Entity<'_>], at: usize, path: &Path) -> bool {
    path.partition.is_empty() || !strangers(entities, at, path).is_empty()
}

/// Whether a native index can have this key: few enough attributes, all of them upwards and of types that keys have, and
/// none that other items hold with another type.
pub(crate) fn is_native(entities: &[Entity<'_>], at: usize, path: &Path) -> bool {
    let of = |it: usize| &entities[at].facts.attributes[it];
    let alike = |it: usize| {
        let same = |entity: &Entity<'_>| {
            let theirs = named(entity, &of(it).name);
            theirs.is_none_or(|theirs| entity.facts.attributes[theirs].own_key == of(it).own_key)
        };
        entities.iter().all(same)
    };
    path.only.is_none()
        && path.descending.is_empty()
        && path.sort.len() <= INDEX_RANGE_ATTRIBUTES
        && in_partition(entities, at, path) <= INDEX_HASH_ATTRIBUTES
        && members(attributes(path)).all(|it| of(it).native_key && alike(it))
}

/// The native indexes of a table.
pub(crate) struct Natives<'p> {
    entities: &'p [Entity<'p>],
    prices: &'p Prices,
    /// Who could open each: at most one index of each entity.
    holders: BTreeMap<Signature, Vec<(usize, LogicalIndex)>>,
}

impl<'p> Natives<'p> {
    pub(crate) fn new(entities: &'p [Entity<'p>], prices: &'p Prices, indexes: &[Vec<LogicalIndex>]) -> Self {
        let mut natives = Natives { entities, prices, holders: BTreeMap::new() };
        for (at, indexes) in indexes.iter().enumerate() {
            for index in indexes {
                natives.holders.entry(natives.signature(at, index)).or_default().push((at, index.clone()));
            }
        }
        natives
    }

    fn signature(&self, at: usize, index: &LogicalIndex) -> Signature {
        let of = |it: &usize| self.entities[at].facts.attributes[*it].name.clone();
        let mut partition: Vec<String> = index.path.partition.iter().map(of).collect();
        partition.sort_unstable();
        Signature {
            partition,
            sort: index.path.sort.iter().map(of).collect(),
            kind: kind(&index.projection),
            listed: listed(self.entities, at, &index.projection).unwrap_or_default(),
            alone: (!needs_kind(self.entities, at, &index.path)).then_some(at),
            gsi: self.entities[at].gsi(index),
        }
    }

    /// What every index costs its entity beside its entries, where those who are named pay; none where they can't.
    pub(crate) fn divided(&self, payers: &[Vec<(usize, LogicalIndex)>]) -> Option<Vec<Vec<Native>>> {
        let mut named: BTreeMap<Signature, Vec<usize>> = BTreeMap::new();
        for group in payers {
            let (at, index) = group.first()?;
            let signature = self.signature(*at, index);
            let holders = self.holders.get(&signature)?;
            let same = |one: &LogicalIndex, other: &LogicalIndex| {
                is_same(&one.path, &other.path) && one.projection == other.projection
            };
            let holds = |(at, index): &(usize, LogicalIndex)| {
                holders.iter().any(|(holder, it)| holder == at && same(it, index))
            };
            if !group.iter().all(holds) {
                return None;
            }
            let mut entities: Vec<usize> = group.iter().map(|it| it.0).collect();
            entities.sort_unstable();
            entities.dedup();
            named.insert(signature, entities);
        }
        let mut divided: Vec<Vec<Native>> = self.entities.iter().map(|_| Vec::new()).collect();
        for (signature, holders) in &self.holders {
            let all = || holders.iter().map(|it| it.0).collect();
            let payers = named.get(signature).cloned().unwrap_or_else(all);
            let parts = payers.len() as i128;
            let (running, entries) = self.cost(signature, &payers);
            for (at, index) in holders {
                let beside = match payers.iter().position(|it| it == at) {
                    // The first takes what can't be divided.
                    Some(0) => running + entries - (running / parts + entries / parts) * (parts - 1),
                    Some(_) => running / parts + entries / parts,
                    None => -self.strangers(signature, |it| it == *at),
                };
                let has_room = in_partition(self.entities, *at, &index.path) < INDEX_HASH_ATTRIBUTES;
                divided[*at].push(Native { index: index.clone(), beside, has_room });
            }
        }
        Some(divided)
    }

    /// What the indexes that layouts open cost together beside the entries of those who open them; none where one of them
    /// can't be.
    pub(crate) fn together(&self, layouts: &[Layout]) -> Option<i128> {
        let mut openers: BTreeMap<Signature, Vec<usize>> = BTreeMap::new();
        for (at, layout) in layouts.iter().enumerate() {
            for index in &layout.indexes {
                openers.entry(self.signature(at, index)).or_default().push(at);
            }
        }
        let costs = openers.iter().map(|(signature, openers)| {
            let known = self.holders.contains_key(signature);
            known.then(|| self.cost(signature, openers)).map(|(running, entries)| running + entries)
        });
        costs.sum()
    }

    /// What running an index costs that these entities open, and what the entries of all others do.
    fn cost(&self, signature: &Signature, openers: &[usize]) -> (i128, i128) {
        let (at, index) = &self.holders[signature][0];
        let all = strangers(self.entities, *at, &index.path);
        let unique = all.iter().filter(|it| it.unique.is_some());
        let unique: i128 = unique.map(|it| self.entries(*at, &index.projection, it)).sum();
        (self.prices.index.pico(), unique + self.strangers(signature, |it| !openers.contains(&it)))
    }

    /// What the entries of some entities cost as those of strangers. Each holder is one to the others.
    fn strangers(&self, signature: &Signature, counts: impl Fn(usize) -> bool) -> i128 {
        let mut cost: BTreeMap<usize, i128> = BTreeMap::new();
        for (at, index) in &self.holders[signature] {
            for it in strangers(self.entities, *at, &index.path) {
                if it.unique.is_none() && counts(it.entity) && !cost.contains_key(&it.entity) {
                    cost.insert(it.entity, self.entries(*at, &index.projection, &it));
                }
            }
        }
        cost.values().sum()
    }

    /// What a stranger's entries cost in an index of an entity. They count without their key strings, so that the price of
    /// an index does not depend on how other entities are laid out.
    fn entries(&self, at: usize, projection: &Projected, stranger: &Stranger) -> i128 {
        let entity = &self.entities[stranger.entity];
        let path = &stranger.path;
        let shown: Option<Set> = listed(self.entities, at, projection)
            .map(|names| names.iter().filter_map(|it| named(entity, it)).fold(0, |all, it| all | 1 << it));
        let held = stranger.unique.map_or(entity.everything(), |it| entity.unique[it] | entity.identity);
        let (there, mapped) = match (projection, shown) {
            (Projected::All, _) => (held, Projected::All),
            (Projected::Include(_), Some(shown)) => {
                (shown & held | attributes(path), Projected::Include(members(shown).collect()))
            }
            _ => (attributes(path), Projected::Keys),
        };
        let facts = &entity.facts.attributes;
        let bytes: u64 = members(there).map(|it| facts[it].name.len() as u64 + facts[it].bytes).sum();
        let present = stranger.unique.map_or(attributes(path), |it| entity.unique[it]);
        let mut pico = stores(self.prices, entity.facts.count, entity.present(present), bytes);
        let pricing = Pricing { entity, prices: self.prices, natives: None };
        let identity = Path {
            partition: members(entity.identity).collect(),
            sort: Vec::new(),
            descending: Vec::new(),
            by_name: Vec::new(),
            only: None,
        };
        let index = LogicalIndex { path: path.clone(), projection: mapped };
        for effect in &entity.facts.effects {
            let micro = match stranger.unique {
                Some(it) if !effect.unique.contains(&it) => 0,
                Some(it) => write_units(bytes) * pricing.unique_writes(effect, it),
                None => pricing.entry_writes(effect, &identity, &index, bytes),
            };
            pico += writes(self.prices, effect.rate, micro * pricing.times(effect));
        }
        pico
    }
}

/// The names that a projection lists.
fn listed(entities: &[Entity<'_>], at: usize, projection: &Projected) -> Option<Vec<String>> {
    let Projected::Include(list) = projection else { return None };
    let names = members(set(list)).map(|it| entities[at].facts.attributes[it].name.clone());
    Some(names.collect())
}

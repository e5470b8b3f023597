//! The canonical paths of an entity, generated anew from the words of the problem's statement.

use std::collections::BTreeSet;

use keywright_dynamodb::limits::INDEX_HASH_ATTRIBUTES;
use keywright_model::certificate::{DemandFacts, EffectAction, LogicalIndex, Path, Projected};

use crate::entity::Entity;
use crate::serve::serve;
use crate::set::{Set, has, members, set, within};

/// A path's attributes.
pub(crate) fn attributes(path: &Path) -> Set {
    set(&path.partition) | set(&path.sort)
}

/// Whether two paths are one: a partition has its attributes in any order.
pub(crate) fn is_same(one: &Path, other: &Path) -> bool {
    set(&one.partition) == set(&other.partition)
        && one.sort == other.sort
        && set(&one.descending) == set(&other.descending)
        && set(&one.by_name) == set(&other.by_name)
        && one.only == other.only
}

/// What a demand wants of a key: what it gives, and what may follow.
#[derive(Clone)]
struct Want {
    gives: Set,
    tails: Vec<Vec<(usize, bool)>>,
}

impl Want {
    /// The same with periods that a partition lacks taken as the beginnings of their instants, which then follow.
    fn begun(&self, entity: &Entity<'_>, partition: Set) -> Option<Want> {
        let periods = self.gives & !partition & !entity.everything();
        let instant = members(periods).find_map(|at| entity.instant_of(at))?;
        let begins = |tail: &&Vec<(usize, bool)>| tail.first().is_some_and(|it| it.0 == instant);
        let mut tails: Vec<Vec<(usize, bool)>> = self.tails.iter().filter(begins).cloned().collect();
        tails.push(vec![(instant, false)]);
        Some(Want { gives: self.gives & !periods, tails })
    }
}

fn want(entity: &Entity<'_>, demand: &DemandFacts, settled: Set) -> Want {
    let key = |at: usize| entity.facts.attributes[at].key;
    let given = set(&demand.given);
    let gives = members(given & !settled).filter(|at| key(*at)).fold(0, |all, at| all | 1 << at);
    let mut tails: Vec<Vec<(usize, bool)>> = Vec::new();
    tails.extend(demand.range.filter(|at| key(*at)).map(|at| vec![(at, false)]));
    tails.extend(demand.optional.iter().filter(|at| key(**at)).map(|at| vec![(*at, false)]));
    let order: Vec<(usize, bool)> = demand.order.iter().copied().filter(|(at, _)| !has(given, *at)).collect();
    let reversible = |down: bool| {
        order.iter().filter(|it| it.1 == down).all(|(at, _)| entity.facts.attributes[*at].reversible)
    };
    let possible = (reversible(false) || reversible(true)) && order.iter().all(|(at, _)| key(*at));
    if !order.is_empty() && possible {
        if let ([(at, down)], Some(id)) = (order.as_slice(), entity.facts.time_ordered)
            && entity.facts.attributes[*at].creation_time
        {
            tails.push(vec![(id, *down)]);
        }
        tails.push(order);
    }
    Want { gives, tails }
}

/// Partitions are what some demands have in common; a sort key adds what larger demands give, one step after the other,
/// then what the largest wants to follow, then the rest of the identity.
fn canonical(entity: &Entity<'_>, demands: &[&DemandFacts], settled: Set) -> BTreeSet<Path> {
    let wants: Vec<Want> = demands.iter().map(|demand| want(entity, demand, settled)).collect();
    let mut common: BTreeSet<Set> = BTreeSet::new();
    for want in &wants {
        let met: Vec<Set> = common.iter().map(|it| it & want.gives).collect();
        common.extend(met);
        common.insert(want.gives);
    }
    if wants.iter().all(|it| it.gives != 0) {
        common.remove(&0);
    }
    let mut paths = BTreeSet::new();
    for partition in common {
        let begun: Vec<Want> = wants.iter().filter_map(|it| it.begun(entity, partition)).collect();
        let wants: Vec<Want> = wants.iter().cloned().chain(begun).collect();
        // One Query for every value: as if the values were given.
        let gives: Vec<Set> = wants
            .iter()
            .map(|it| {
                let few = members(partition & !it.gives).all(|at| entity.facts.attributes[at].values > 0);
                if few { it.gives | partition } else { it.gives }
            })
            .collect();
        let mut open: Vec<(Set, Vec<usize>)> = vec![(partition, Vec::new())];
        while let Some((largest, steps)) = open.pop() {
            finish(entity, partition, largest, &steps, &[], &mut paths);
            for (want, _) in wants.iter().zip(&gives).filter(|(_, it)| **it == largest) {
                want.tails
                    .iter()
                    .for_each(|tail| finish(entity, partition, largest, &steps, tail, &mut paths));
            }
            let larger: BTreeSet<Set> =
                gives.iter().copied().filter(|it| within(largest, *it) && *it != largest).collect();
            for next in larger {
                let added = next & !largest;
                let mut firsts: BTreeSet<Vec<usize>> = BTreeSet::from([Vec::new()]);
                for (want, _) in wants.iter().zip(&gives).filter(|(_, it)| **it == largest) {
                    // What it wants to follow may be among what comes next.
                    firsts.extend(want.tails.iter().map(|tail| {
                        let follows = tail.iter().map(|it| it.0);
                        follows.take_while(|at| has(added, *at)).collect::<Vec<usize>>()
                    }));
                }
                let orders: BTreeSet<Vec<usize>> = firsts
                    .into_iter()
                    .map(|first| first.iter().copied().chain(members(added & !set(&first))).collect())
                    .collect();
                open.extend(orders.into_iter().map(|order| (next, [steps.as_slice(), &order].concat())));
            }
        }
    }
    paths
}

fn finish(
    entity: &Entity<'_>,
    partition: Set,
    largest: Set,
    steps: &[usize],
    tail: &[(usize, bool)],
    paths: &mut BTreeSet<Path>,
) {
    let added: Vec<(usize, bool)> =
        tail.iter().copied().filter(|(at, _)| !has(largest, *at) && !steps.contains(at)).collect();
    // A key is read in both directions, so that only a difference between directions counts.
    // Who runs against the first is turned, unless that can't be: then the others are.
    let first = added.first().is_some_and(|(_, down)| *down);
    let against = |(at, down): &(usize, bool)| *down != first && !entity.facts.attributes[*at].reversible;
    let turned = first != added.iter().any(against);
    let mut sort = steps.to_vec();
    sort.extend(added.iter().map(|(at, _)| *at));
    let mut descending: Vec<usize> =
        added.iter().filter(|(_, down)| *down != turned).map(|it| it.0).collect();
    descending.sort_unstable();
    let held = partition | set(&sort);
    sort.extend(entity.facts.identity.iter().filter(|at| !has(held, **at)));
    paths.insert(Path {
        partition: members(partition).collect(),
        sort,
        descending,
        by_name: Vec::new(),
        only: None,
    });
}

/// Every primary key that an entity can have.
pub(crate) fn bases(entity: &Entity<'_>) -> Vec<Path> {
    let facts = entity.facts;
    let all: Vec<&DemandFacts> = facts.demands.iter().collect();
    let mut paths = canonical(entity, &all, 0);
    let tenants = entity.tenants_kept();
    let mut special: Vec<Set> = vec![entity.identity];
    special.extend(facts.parents.iter().map(|it| set(&it.via)).filter(|it| *it != 0));
    special.extend(facts.effects.iter().map(|it| set(&it.given) & entity.identity).filter(|it| *it != 0));
    for partition in special {
        let partition = partition | tenants;
        let sort = facts.identity.iter().copied().filter(|at| !has(partition, *at)).collect();
        paths.insert(Path {
            partition: members(partition).collect(),
            sort,
            descending: Vec::new(),
            by_name: Vec::new(),
            only: None,
        });
    }
    paths.retain(|path| is_primary(entity, path) && within(tenants, set(&path.partition)));
    paths.into_iter().collect()
}

/// A key that tells all items apart, that they have from their creation and for good, and that lets no two of them have
/// one identity.
pub(crate) fn is_primary(entity: &Entity<'_>, path: &Path) -> bool {
    let held = attributes(path);
    let alone = held == entity.identity || entity.facts.may_guard && entity.identity != 0;
    let created = set(&entity.facts.at_creation);
    within(entity.identity, held)
        && (entity.facts.generated || alone)
        && members(held).all(|at| !entity.is_optional(at) && has(created, at))
        && path.only.is_none()
}

/// Every index that an entity can have.
pub(crate) fn indexes(entity: &Entity<'_>) -> Vec<LogicalIndex> {
    let demands = &entity.facts.demands;
    let mut paths = canonical(entity, &demands.iter().collect::<Vec<_>>(), 0);
    let eventual = || demands.iter().filter(|demand| !demand.strong);
    // Who adds to a number does not know whether it becomes the value.
    let grows = |at: usize| entity.facts.effects.iter().any(|effect| effect.grows.contains(&at));
    let constants: BTreeSet<&(usize, String)> =
        eventual().flat_map(|demand| &demand.constants).filter(|(at, _)| !grows(*at)).collect();
    for constant in constants {
        let wanting: Vec<&DemandFacts> = eventual().filter(|it| it.constants.contains(constant)).collect();
        let with_it = canonical(entity, &wanting, 1 << constant.0).into_iter().map(|mut path| {
            path.only = Some(constant.clone());
            path
        });
        paths.extend(with_it.filter(|path| is_told(entity, path, constant)));
    }
    let hotter: Vec<Path> = paths
        .iter()
        .filter(|path| cooler(entity, path).is_some_and(|it| paths.contains(&it)))
        .cloned()
        .collect();
    paths.retain(|path| !hotter.contains(path));
    let mut indexes = Vec::new();
    for path in paths {
        let mut lists: BTreeSet<Set> = BTreeSet::new();
        for demand in eventual().filter(|demand| !demand.locating) {
            let Some(served) = serve(entity, demand, &path) else { continue };
            let wanted = served.shows(demand) | served.needs(entity, demand);
            let joined: Vec<Set> = lists.iter().map(|it| it | wanted).collect();
            lists.extend(joined);
            lists.insert(wanted);
        }
        lists.remove(&0);
        let alone = eventual().filter(|demand| !demand.locating && demand.shared.is_none());
        let wanted = alone.filter_map(|demand| {
            serve(entity, demand, &path).map(|it| it.shows(demand) | it.needs(entity, demand))
        });
        if !entity.lists_everything() || wanted.fold(0, |all, it| all | it) != entity.everything() {
            lists.remove(&entity.everything());
        }
        let lists = lists.into_iter().map(|it| Projected::Include(members(it).collect()));
        for projection in [Projected::All, Projected::Keys].into_iter().chain(lists) {
            indexes.push(LogicalIndex { path: path.clone(), projection });
        }
    }
    indexes
}

/// Whether every update finds out by one test whether an entry for a constant belongs there, where the key has optional
/// attributes too: it knows that the item has the constant, or that it holds all of them, or that it is out in any case.
fn is_told(entity: &Entity<'_>, path: &Path, (gate, value): &(usize, String)) -> bool {
    let stored = |at: usize| entity.instant_of(at).unwrap_or(at);
    let key = attributes(path);
    let optional: Vec<usize> = members(key).filter(|at| entity.is_optional(*at)).map(stored).collect();
    let updates = entity.facts.effects.iter().filter(|it| it.action == EffectAction::Update);
    optional.is_empty()
        || updates.filter(|it| set(&it.sets) & (key | 1 << gate) != 0).all(|effect| {
            let (sets, removes) = (set(&effect.sets), set(&effect.removes));
            let maybe = |at: usize| effect.maybe.contains(&at);
            let new = effect.fixed.iter().find(|it| it.0 == *gate).map(|it| it.1 == *value);
            let mut told = effect.was.iter().filter(|it| it.0 == *gate).filter_map(|it| it.1.as_ref());
            let old = told.next().map(|it| it == value);
            let lacks = |at: usize| !has(sets, at) && effect.lacked.contains(&stored(at));
            let is_out = removes & (key | 1 << gate) != 0
                || new == Some(false)
                || !has(sets, *gate) && old == Some(false)
                || members(key).any(lacks);
            let is_in = if has(sets, *gate) { new == Some(true) && !maybe(*gate) } else { old == Some(true) };
            let holds = |at: &usize| match has(sets, *at) {
                true => !maybe(*at) && !has(removes, *at),
                false => effect.given.contains(at) || effect.was.iter().any(|it| it.0 == *at),
            };
            is_out || is_in || optional.iter().all(holds)
        })
}

/// The path that has in its partition key also what everybody gives who could use this one. It stands for this one where
/// nothing in them ever changes, so that no write could be cheaper for keeping the two strings apart.
fn cooler(entity: &Entity<'_>, path: &Path) -> Option<Path> {
    let settled = path.only.iter().fold(0, |_, it| 1 << it.0);
    if members(attributes(path) | settled).any(|at| entity.facts.attributes[at].changes) {
        return None;
    }
    let uses = |demand: &DemandFacts| {
        !demand.strong
            && serve(entity, demand, path)
                .is_some_and(|it| !it.wastes(demand) || entity.most(it.fixed).is_some())
    };
    let users = entity.facts.demands.iter().filter(|demand| uses(demand));
    let given = users.fold(set(&path.sort), |all, demand| all & set(&demand.given));
    let partition = set(&path.partition) | given;
    if given == 0 || given == set(&path.sort) || members(partition).count() > INDEX_HASH_ATTRIBUTES {
        return None;
    }
    Some(Path {
        partition: members(partition).collect(),
        sort: path.sort.iter().copied().filter(|at| !has(given, *at)).collect(),
        ..path.clone()
    })
}

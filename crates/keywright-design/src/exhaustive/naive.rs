//! Everything that one entity may choose, naively: all partitions, all chains of what reads give in every order, all
//! projections, and for every read the plain rules of what a Query can serve.

use std::collections::BTreeSet;

use keywright_model::model::{Direction, Literal};

use super::price::most;
use crate::demand::{Demand, Source};
use crate::path::{Path, Projection, Segment};
use crate::plan::Fit;
use crate::problem::{Attr, Attrs, EffectAction, EffectFacts, EntityFacts, Problem, ResultShape, WriteFacts};

/// A place for an entity's items: the table, or an index with its projection.
#[derive(Clone, Debug)]
pub(super) struct Place {
    pub(super) path: Path,
    pub(super) projection: Option<Projection>,
}

/// A way to serve a demand.
#[derive(Clone, Debug)]
pub(super) enum Way {
    /// A write's inputs give the whole key.
    Known,
    /// The uniqueness item, then the item.
    Unique(usize),
    /// A read of the table.
    Table(Fit),
    /// A Query on the index at this position.
    Index(usize, Fit),
}

fn eq(demand: &Demand) -> Vec<Attr> {
    demand.part.equal.iter().filter(|it| !it.optional).map(|it| it.attr).collect()
}

/// All canonical paths. Partitions are what some demands all give; the sort key has the differences of a chain of
/// what demands give, each in any order, then a range or an order of one with the largest set, then the rest of the
/// identity. In the table also what identifies an item, its parent, or what a write gives of the identity, followed by
/// the rest of the identity.
fn paths(
    problem: &Problem,
    entity: usize,
    demands: &[&Demand],
    without: Option<Attr>,
    table: Option<&[Attr]>,
) -> Vec<Path> {
    let facts = &problem.entities[entity];
    let settled =
        |attrs: Vec<Attr>| -> Vec<Attr> { attrs.into_iter().filter(|it| Some(*it) != without).collect() };
    let gives: Vec<Vec<Attr>> = demands.iter().map(|demand| settled(eq(demand))).collect();
    let mut partitions: BTreeSet<Vec<Attr>> = BTreeSet::new();
    for some in 1u32..1 << demands.len() {
        let some: Vec<&Vec<Attr>> =
            gives.iter().enumerate().filter(|(at, _)| some >> at & 1 == 1).map(|(_, it)| it).collect();
        let common = some[0].iter().copied().filter(|attr| some.iter().all(|it| it.contains(attr)));
        partitions.insert(common.collect());
    }
    // A collection of everything only for a read that gives nothing.
    if !gives.iter().any(Vec::is_empty) {
        partitions.remove(&Vec::new());
    }
    let mut paths = BTreeSet::new();
    let mut add = |partition: &[Attr], sequence: &[Attr]| {
        let mut sort: Vec<Attr> = sequence.to_vec();
        sort.extend(facts.identity.iter().filter(|it| !partition.contains(it) && !sequence.contains(it)));
        let sort = sort.into_iter().map(Segment::up).collect();
        paths.insert(Path::new(facts, partition.iter().copied().collect(), sort));
    };
    for partition in &partitions {
        // Where only enumerations of the partition are missing, a read asks for every value.
        let listed = |attr: &Attr| !facts.attribute(*attr).values.is_empty();
        let sets: Vec<BTreeSet<Attr>> = gives
            .iter()
            .map(|given| {
                let mut set: BTreeSet<Attr> = given.iter().copied().collect();
                if partition.iter().all(|attr| given.contains(attr) || listed(attr)) {
                    set.extend(partition);
                }
                set
            })
            .collect();
        // A period that the partition lacks may be the beginning of its instant too.
        let instant = |attr: &Attr| facts.attribute(*attr).bucket.map(|it| it.of);
        let left_out = |attr: &Attr| instant(attr).is_some() && !partition.contains(attr);
        let begun: Vec<(BTreeSet<Attr>, Vec<Vec<Attr>>)> = demands
            .iter()
            .zip(&sets)
            .filter(|(_, set)| set.iter().any(left_out))
            .map(|(demand, set)| {
                let first: Vec<Attr> =
                    set.iter().filter(|it| left_out(it)).filter_map(instant).take(1).collect();
                let order: Vec<Attr> = demand.part.order.iter().map(|it| it.0).collect();
                let tails = if order.first() == first.first() { vec![first, order] } else { vec![first] };
                (set.iter().copied().filter(|it| !left_out(it)).collect(), tails)
            })
            .collect();
        let mut chains: Vec<(BTreeSet<Attr>, Vec<Attr>)> =
            vec![(partition.iter().copied().collect(), Vec::new())];
        while let Some((largest, sequence)) = chains.pop() {
            add(partition, &sequence);
            for (demand, _) in demands.iter().zip(&sets).filter(|(_, set)| **set == largest) {
                let tails = [
                    demand.part.range.iter().map(|it| it.attr).collect::<Vec<Attr>>(),
                    demand.part.order.iter().map(|it| it.0).collect(),
                ];
                for tail in tails {
                    let more =
                        tail.into_iter().filter(|attr| !largest.contains(attr) && !sequence.contains(attr));
                    add(partition, &sequence.iter().copied().chain(more).collect::<Vec<Attr>>());
                }
            }
            for (_, tails) in begun.iter().filter(|(set, _)| *set == largest) {
                for tail in tails {
                    let more = tail.iter().filter(|attr| !largest.contains(attr) && !sequence.contains(attr));
                    add(partition, &sequence.iter().chain(more).copied().collect::<Vec<Attr>>());
                }
            }
            let all = sets.iter().chain(begun.iter().map(|(set, _)| set));
            for next in all.filter(|it| it.is_superset(&largest) && **it != largest) {
                let added: Vec<Attr> = next.difference(&largest).copied().collect();
                orders(&added, &mut Vec::new(), &mut |order| {
                    chains.push((next.clone(), sequence.iter().chain(order).copied().collect()));
                });
            }
        }
    }
    if let Some(tenants) = table {
        let mut add = |partition: &[Attr]| {
            let more = tenants.iter().filter(|it| !partition.contains(it));
            add(&partition.iter().chain(more).copied().collect::<Vec<Attr>>(), &[]);
        };
        add(&facts.identity);
        for link in &facts.parents {
            add(&link.via);
        }
        for effect in problem.writes.iter().flat_map(|write| &write.effects).filter(|it| it.entity == entity)
        {
            let given: Vec<Attr> =
                facts.identity.iter().copied().filter(|attr| effect.given.contains(*attr)).collect();
            if !given.is_empty() {
                add(&given);
            }
        }
    }
    paths.into_iter().collect()
}

/// All orders of some attributes.
fn orders(rest: &[Attr], so_far: &mut Vec<Attr>, visit: &mut dyn FnMut(&[Attr])) {
    if so_far.len() == rest.len() {
        return visit(so_far);
    }
    for attr in rest {
        if !so_far.contains(attr) {
            so_far.push(*attr);
            orders(rest, so_far, visit);
            so_far.pop();
        }
    }
}

/// Paths that serve every demand in the same way with the same attributes cost the same: one stands for all.
fn distinct(facts: &EntityFacts, demands: &[Demand], paths: Vec<Path>) -> Vec<Path> {
    let mut seen = Vec::new();
    let mut kept = Vec::new();
    for path in paths {
        let fits: Vec<Option<Fit>> = demands.iter().map(|demand| served(facts, demand, &path)).collect();
        let profile = (fits, path.attrs(), path.partition_set(), path.sort.is_empty(), path.only.clone());
        if !seen.contains(&profile) {
            seen.push(profile);
            kept.push(path);
        }
    }
    kept
}

/// The tenant with which every base placement begins, where nobody ever leaves it open.
fn tenants(facts: &EntityFacts, demands: &[Demand]) -> Vec<Attr> {
    let mut tenants = Vec::new();
    for (at, it) in facts.attributes.iter().enumerate().filter(|(_, it)| it.tenant) {
        let attr = Attr::new(at);
        let lasting = !it.optional && !it.changes && facts.at_creation.contains(attr);
        let harmless = facts.generated || facts.identity.contains(&attr);
        if lasting && harmless && demands.iter().all(|demand| eq(demand).contains(&attr)) {
            tenants.push(attr);
        }
    }
    tenants
}

/// Whether an item of its own can keep the identity, which comes and goes with it in a transaction.
fn may_be_guarded(problem: &Problem, entity: usize) -> bool {
    let facts = &problem.entities[entity];
    // Those of a parent that are listed go with what keeps their identities, at most so many in one transaction.
    let listed = |given: Attrs| {
        let mut parts = problem.reads.iter().flat_map(|read| &read.parts);
        parts.any(|part| part.entity == entity && part.eq() == given)
    };
    let clears = |write: &WriteFacts, it: &EffectFacts| {
        let items = |it: &EffectFacts| match it.all {
            true => problem.entities[it.entity].most_matches(it.given).unwrap_or(1_000),
            false => 1,
        };
        let most: u64 = write.effects.iter().map(|it| items(it) * (it.unique.len() as u64 + 2)).sum();
        let room = !write.all_in_transaction || most + write.checks.len() as u64 <= 100;
        !it.counted && it.given != Attrs::NONE && listed(it.given) && room
    };
    let kept = |write: &WriteFacts, it: &EffectFacts, together: bool| match it.action {
        EffectAction::Delete if it.all => clears(write, it),
        EffectAction::Create | EffectAction::Delete => together && !it.all,
        EffectAction::Update => true,
        EffectAction::Put => false,
    };
    !facts.counter
        && !facts.identity.is_empty()
        && problem.writes.iter().all(|write| {
            let together = write.transaction || write.effects.len() + write.checks.len() == 1;
            let mut own = write.effects.iter().filter(|it| it.entity == entity);
            own.all(|it| kept(write, it, together))
        })
}

/// Every base placement.
pub(super) fn tables(problem: &Problem, entity: usize, demands: &[Demand]) -> Vec<Place> {
    let facts = &problem.entities[entity];
    let all: Vec<&Demand> = demands.iter().collect();
    let tenants = tenants(facts, demands);
    let guarded = may_be_guarded(problem, entity);
    let usable = |path: &Path| {
        let attrs = path.attrs();
        let has_identity = facts.identity.iter().all(|attr| attrs.contains(*attr));
        let nothing_else = attrs.iter().all(|attr| facts.identity.contains(&attr));
        let always_there = |attr: Attr| !facts.attribute(attr).optional && facts.at_creation.contains(attr);
        let apart = tenants.iter().all(|attr| path.partition.contains(attr));
        let alone = facts.generated || nothing_else || guarded;
        apart && has_identity && alone && attrs.iter().all(always_there)
    };
    let paths = paths(problem, entity, &all, None, Some(&tenants)).into_iter().filter(usable).collect();
    distinct(facts, demands, paths).into_iter().map(|path| Place { path, projection: None }).collect()
}

/// Every index.
pub(super) fn indexes(problem: &Problem, entity: usize, demands: &[Demand]) -> Vec<Place> {
    let facts = &problem.entities[entity];
    let all: Vec<&Demand> = demands.iter().collect();
    let mut found = paths(problem, entity, &all, None, None);
    let constants: BTreeSet<(Attr, Literal)> = demands
        .iter()
        .filter(|demand| !demand.strong)
        .flat_map(|demand| &demand.part.equal)
        .filter_map(|it| Some((it.attr, it.constant.clone()?)))
        .filter(|(attr, _)| !facts.attribute(*attr).grows)
        .collect();
    for (attr, value) in constants {
        let wanting = demands.iter().filter(|demand| {
            let same =
                |it: &crate::problem::Equality| it.attr == attr && it.constant.as_ref() == Some(&value);
            !demand.strong && demand.part.equal.iter().any(same)
        });
        let wanting: Vec<&Demand> = wanting.collect();
        for mut path in paths(problem, entity, &wanting, Some(attr), None) {
            path.only = Some((attr, value.clone()));
            let own = problem.writes.iter().flat_map(|write| &write.effects).filter(|it| it.entity == entity);
            if own.into_iter().all(|effect| one_test_does(facts, effect, &path, attr, &value)) {
                found.push(path);
            }
        }
    }
    let hotter: Vec<bool> = found.iter().map(|path| is_hotter(facts, demands, path, &found)).collect();
    let mut hotter = hotter.into_iter();
    found.retain(|_| hotter.next() != Some(true));
    let mut places = Vec::new();
    for path in distinct(facts, demands, found) {
        let mut lists: BTreeSet<Attrs> = BTreeSet::new();
        for demand in demands.iter().filter(|it| !it.strong && !it.is_locating()) {
            if let Some(fit) = served(facts, demand, &path) {
                lists.insert(
                    demand.part.returns.union(looked_at(demand, &fit)).union(sorted_by(demand, &fit)),
                );
            }
        }
        // Lists of two reads together; more than two never meet on one path here.
        let pairs: Vec<Attrs> = lists.iter().flat_map(|one| lists.iter().map(|it| it.union(*one))).collect();
        lists.extend(pairs);
        // One index alone repeats no other keys, the lists of very many have too many names, and parts of shared reads
        // want no list of everything.
        let could_use = demands.iter().filter(|it| !it.strong);
        let own = |it: &&Demand| !it.is_locating() && !matches!(it.source, Source::Shared { .. });
        let wanted = could_use.clone().filter(own).filter_map(|demand| {
            let fit = served(facts, demand, &path)?;
            Some(demand.part.returns.union(looked_at(demand, &fit)).union(sorted_by(demand, &fit)))
        });
        let all_wanted = wanted.fold(Attrs::NONE, Attrs::union).iter().count() == facts.attributes.len();
        if !all_wanted || could_use.clone().count() == 1 || could_use.count() > 12 {
            lists.retain(|list| list.iter().count() < facts.attributes.len());
        }
        lists.remove(&Attrs::NONE);
        let lists = lists.into_iter().map(Projection::Include);
        for projection in [Projection::All, Projection::Keys].into_iter().chain(lists) {
            places.push(Place { path: path.clone(), projection: Some(projection) });
        }
    }
    places
}

/// Whether a write finds out by one test whether an entry for a constant belongs into the index: it knows of the constant,
/// or of all optional attributes in the key.
fn one_test_does(
    facts: &EntityFacts,
    effect: &EffectFacts,
    path: &Path,
    gate: Attr,
    value: &Literal,
) -> bool {
    let stored = |attr: Attr| facts.attribute(attr).bucket.map_or(attr, |it| it.of);
    let optional: Vec<Attr> =
        path.attrs().iter().filter(|it| facts.attribute(*it).optional).map(stored).collect();
    let rewrites = effect.sets.contains(gate) || path.attrs().iter().any(|it| effect.sets.contains(it));
    if effect.action != EffectAction::Update || optional.is_empty() || !rewrites {
        return true;
    }
    let text = value.to_string();
    let new = effect.fixed.iter().find(|it| it.0 == gate).map(|it| it.1.to_string());
    let old =
        effect.was.iter().find_map(|it| it.1.as_ref().filter(|_| it.0 == gate)).map(ToString::to_string);
    let sets = effect.sets.contains(gate);
    // It goes out, or stays out.
    let out = effect.removes.contains(gate)
        || new.as_ref().is_some_and(|it| *it != text)
        || !sets && old.as_ref().is_some_and(|it| *it != text)
        || path.attrs().iter().any(|it| effect.removes.contains(it))
        || path.attrs().iter().any(|it| effect.lacked.contains(stored(it)) && !effect.sets.contains(it));
    let constant = match sets {
        true => new.as_ref() == Some(&text) && !effect.maybe.contains(gate),
        false => old.as_ref() == Some(&text),
    };
    let there = |attr: &Attr| match effect.sets.contains(*attr) {
        true => !effect.maybe.contains(*attr),
        false => effect.given.contains(*attr) || effect.was.iter().any(|it| it.0 == *attr),
    };
    out || constant || optional.iter().all(there)
}

/// Whether another path has the same attributes, none of which ever changes, but in its partition key more of those
/// that everybody gives who could use this one.
fn is_hotter(facts: &EntityFacts, demands: &[Demand], path: &Path, all: &[Path]) -> bool {
    let held = path.attrs().iter().chain(path.only.iter().map(|it| it.0)).collect::<Vec<Attr>>();
    if held.iter().any(|attr| facts.attribute(*attr).changes) {
        return false;
    }
    let users: Vec<&Demand> = demands
        .iter()
        .filter(|demand| !demand.strong)
        .filter(|demand| {
            served(facts, demand, path).is_some_and(|fit| {
                let wastes = !fit.filter.is_empty() || fit.filter_range || fit.client_sort;
                !wastes || most(facts, path, &fit).is_some()
            })
        })
        .collect();
    let rest = |path: &Path, without: &Path| -> Vec<Segment> {
        path.sort.iter().copied().filter(|it| !without.partition.contains(&it.attr)).collect()
    };
    let given: Vec<Attr> = path
        .sort
        .iter()
        .map(|segment| segment.attr)
        .filter(|attr| users.iter().all(|demand| eq(demand).contains(attr)))
        .collect();
    !given.is_empty()
        && given.len() < path.sort.len()
        && path.partition.len() + given.len() <= 4
        && all.iter().any(|other| {
            other.only == path.only
                && other.partition.len() == path.partition.len() + given.len()
                && path.partition.iter().chain(&given).all(|attr| other.partition.contains(attr))
                && other.sort == rest(path, other)
        })
}

/// What a filter looks at.
fn looked_at(demand: &Demand, fit: &Fit) -> Attrs {
    let mut attrs = fit.filter;
    attrs.extend(fit.filter_within.iter().map(|it| it.0));
    attrs.extend(demand.part.holding);
    attrs.extend(fit.held.iter());
    if fit.filter_range {
        attrs.extend(demand.part.range.iter().map(|it| it.attr));
    }
    attrs
}

/// How one Query per value on this path serves the demand, if it can; bounds are somebody else's question.
fn served(facts: &EntityFacts, demand: &Demand, path: &Path) -> Option<Fit> {
    let part = &demand.part;
    let given = eq(demand);
    // A sparse index has only the items with its value, so only a read of that value finds all it wants.
    if let Some((attr, value)) = &path.only
        && !part.equal.iter().any(|it| it.attr == *attr && it.constant.as_ref() == Some(value))
    {
        return None;
    }
    // An item without an optional attribute of the path is not in it: the read must want only those that have it.
    let mut named = given.clone();
    named.extend(part.range.iter().map(|it| it.attr));
    named.extend(part.order.iter().map(|it| it.0));
    // Who names a period names its instant, and the other way round.
    named.extend(named.clone().iter().filter_map(|attr| facts.attribute(*attr).bucket.map(|it| it.of)));
    let told = |attr: Attr| facts.attribute(attr).bucket.is_some_and(|it| named.contains(&it.of));
    if path.attrs().iter().any(|attr| facts.attribute(attr).optional && !named.contains(&attr) && !told(attr))
    {
        return None;
    }
    // The partition key must be given whole, or be one of a few values each of which is asked for.
    let scatter: Vec<Attr> = path.partition.iter().copied().filter(|attr| !given.contains(attr)).collect();
    let mut values = 1;
    for attr in &scatter {
        values *= facts.attribute(*attr).values.len();
    }
    if values == 0 || values > 10 {
        return None;
    }
    // The key condition: equalities along the sort key, then the range.
    let mut run = 0;
    while run < path.sort.len() && given.contains(&path.sort[run].attr) {
        run += 1;
    }
    let free = &path.sort[run..];
    let range =
        part.range.as_ref().is_some_and(|it| free.first().is_some_and(|segment| segment.attr == it.attr));
    // What filters see of an enumeration is its name, which says nothing of its rank.
    if part.range.as_ref().is_some_and(|it| !range && !facts.attribute(it.attr).rank.is_empty()) {
        return None;
    }
    let mut keyed: Vec<Attr> = path.partition.clone();
    keyed.extend(path.sort[..run].iter().map(|segment| segment.attr));
    keyed.extend(path.only.iter().map(|it| it.0));
    // A period whose instant comes next in the sort key is the beginning of it.
    let instant = |attr: Attr| facts.attribute(attr).bucket.map(|it| it.of);
    let within = given.iter().copied().find(|attr| {
        !range
            && !path.attrs().contains(*attr)
            && free.first().is_some_and(|segment| instant(*attr) == Some(segment.attr))
    });
    keyed.extend(within);
    let dropped: Vec<Attr> = given.iter().copied().filter(|attr| !keyed.contains(attr)).collect();
    let filter: Attrs = dropped.iter().copied().filter(|attr| instant(*attr).is_none()).collect();
    let filter_within: Vec<(Attr, Attr)> =
        dropped.iter().filter_map(|attr| Some((instant(*attr)?, *attr))).collect();
    let (in_order, forward) = ordered(facts, demand, free, &given);
    let filter_range = part.range.is_some() && !range;
    // GetItem takes no filter and no order: it wants the whole key and nothing beside.
    let nothing_dropped = filter.is_empty() && filter_within.is_empty() && part.holding.is_none();
    let plain = nothing_dropped && !filter_range && in_order;
    let shared = matches!(demand.source, Source::Shared { .. });
    if shared && matches!(demand.result, ResultShape::Page(_)) && !in_order {
        return None;
    }
    // Who sorts by what items may lack drops those that lack it.
    let lacking = part.order.iter().map(|it| it.0).filter(|attr| {
        facts.attribute(*attr).optional && !path.attrs().contains(*attr) && !given.contains(attr)
    });
    let held: Attrs = if in_order || shared { Attrs::NONE } else { lacking.collect() };
    Some(Fit {
        scatter,
        held,
        run,
        range,
        optional: None,
        within,
        filter,
        filter_within,
        filter_range,
        client_sort: !in_order,
        forward,
        whole_key: plain && path.attrs().iter().all(|attr| given.contains(&attr)),
        list: false,
    })
}

/// Whether what follows in the sort key gives the wanted order, and whether upwards.
fn ordered(facts: &EntityFacts, demand: &Demand, free: &[Segment], given: &[Attr]) -> (bool, bool) {
    let one = |attrs: &[Attr]| {
        facts.identity.iter().all(|attr| attrs.contains(attr))
            || facts.unique.iter().any(|set| set.iter().all(|attr| attrs.contains(&attr)))
    };
    if demand.result == ResultShape::Count || one(given) {
        return (true, true);
    }
    let wanted: Vec<(Attr, Direction)> =
        demand.part.order.iter().copied().filter(|(attr, _)| !given.contains(attr)).collect();
    if wanted.len() > free.len() || wanted.iter().zip(free).any(|(want, has)| want.0 != has.attr) {
        return (false, true);
    }
    let down: Vec<bool> = wanted
        .iter()
        .zip(free)
        .map(|(want, has)| (want.1 == Direction::Descending) != has.descending)
        .collect();
    (down.iter().all(|it| *it == down[0]), down.first() != Some(&true))
}

/// Every way to serve a demand, given a base placement and all indexes.
pub(super) fn ways(facts: &EntityFacts, demand: &Demand, table: &Place, indexes: &[Place]) -> Vec<Way> {
    let given: Attrs = eq(demand).into_iter().collect();
    let locates = matches!(demand.source, Source::Locate { .. } | Source::LocateCheck { .. });
    let single = demand.result == ResultShape::Single;
    let finds_one = facts.identity.iter().all(|attr| given.contains(*attr))
        || facts.unique.iter().any(|set| set.is_subset(given));
    if locates && single && !finds_one {
        return Vec::new();
    }
    let key = table.path.attrs();
    if locates && single && key.is_subset(given) {
        return vec![Way::Known];
    }
    let mut ways = Vec::new();
    if let Some(fit) = served(facts, demand, &table.path).filter(|fit| allowed(facts, demand, table, fit)) {
        ways.push(Way::Table(fit));
    }
    if single && !matches!(demand.source, Source::Shared { .. }) {
        for (at, set) in facts.unique.iter().enumerate() {
            // The uniqueness item holds the identity, which with what is given must make the key.
            let known = |attr: Attr| facts.identity.contains(&attr) || given.contains(attr);
            let one_by_one = demand.part.equal.iter().all(|it| !it.list);
            let unranked = |it: &crate::problem::Range| facts.attribute(it.attr).rank.is_empty();
            let filters = demand.part.range.iter().all(unranked);
            if set.is_subset(given) && filters && one_by_one && key.iter().all(known) {
                ways.push(Way::Unique(at));
            }
        }
    }
    if !demand.strong {
        for (at, index) in indexes.iter().enumerate() {
            if let Some(fit) =
                served(facts, demand, &index.path).filter(|fit| allowed(facts, demand, index, fit))
            {
                ways.push(Way::Index(at, fit));
            }
        }
    }
    ways
}

/// What the caller sorts by.
pub(super) fn sorted_by(demand: &Demand, fit: &Fit) -> Attrs {
    match fit.client_sort {
        true => demand.part.order.iter().map(|it| it.0).collect(),
        false => Attrs::NONE,
    }
}

/// What a place must hold: what is filtered, and for a read of several entities all that is returned, in a partition
/// that they share.
fn allowed(facts: &EntityFacts, demand: &Demand, place: &Place, fit: &Fit) -> bool {
    let holds = |attrs: Attrs| match place.projection {
        None | Some(Projection::All) => true,
        Some(Projection::Keys) => attrs.is_empty(),
        Some(Projection::Include(list)) => attrs.is_subset(list),
    };
    let filtered = looked_at(demand, fit);
    // What comes back for several values is merged by its order, which must be there to merge by.
    let merged: Attrs = match fit.scatter.is_empty() {
        true => Attrs::NONE,
        false => demand.part.order.iter().map(|it| it.0).collect(),
    };
    let alone = !matches!(demand.source, Source::Shared { .. });
    let given: Attrs = eq(demand).into_iter().collect();
    let whole_partition = place.path.only.is_none() && place.path.partition_set() == given && !fit.range;
    let lists_all = matches!(place.projection, Some(Projection::Include(list)) if list.iter().count() == facts.attributes.len());
    holds(filtered)
        && holds(merged)
        && (alone || !lists_all)
        && (alone
            || whole_partition
                && filtered.is_empty()
                && holds(demand.part.returns.union(sorted_by(demand, fit))))
}

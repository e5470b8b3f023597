//! Canonical paths: no dearer path exists that they don't stand for.
//!
//! The partition is an intersection of the demands' equalities; the sort key adds the differences of a chain of
//! equality sets, smallest first, then the range or order of a demand with the largest set, then the rest of the
//! identity. A difference begins with what a demand with the smaller set ranges or sorts by, if that is part of it.

use std::collections::BTreeSet;

use keywright_model::model::{Direction, Type};

use crate::demand::Demand;
use crate::path::{Path, Segment};
use crate::problem::{Attr, Attrs, Bucket, EntityFacts};

/// What a demand asks of a path, with the attributes in `without` taken as settled.
struct Ask {
    eq: Attrs,
    tails: Vec<Vec<Segment>>,
}

impl Ask {
    /// The same with periods that the partition lacks taken as the beginnings of their instants, which then are sorted by.
    fn unbucketed(&self, entity: &EntityFacts, partition: Attrs) -> Option<Ask> {
        let periods: Vec<(Attr, Bucket)> = entity
            .periods()
            .filter(|(period, _)| self.eq.contains(*period) && !partition.contains(*period))
            .collect();
        let (_, first) = periods.first()?;
        let begins = |tail: &&Vec<Segment>| tail.first().is_some_and(|segment| segment.attr == first.of);
        let mut tails: Vec<Vec<Segment>> = self.tails.iter().filter(begins).cloned().collect();
        tails.push(vec![Segment::up(first.of)]);
        let settled: Attrs = periods.iter().map(|(period, _)| *period).collect();
        Some(Ask { eq: self.eq.minus(settled), tails })
    }

    fn scattered_over(&self, entity: &EntityFacts, partition: Attrs) -> Ask {
        let missing = partition.minus(self.eq);
        let listed = missing.iter().all(|attr| !entity.attribute(attr).values.is_empty());
        Ask { eq: if listed { self.eq.union(partition) } else { self.eq }, tails: self.tails.clone() }
    }
}

/// The canonical paths for these demands.
pub(super) fn paths<'d>(
    entity: &EntityFacts,
    demands: impl Iterator<Item = &'d Demand>,
    without: Attrs,
) -> BTreeSet<Path> {
    let asks: Vec<Ask> = demands.map(|demand| ask(entity, demand, without)).collect();
    let sets: BTreeSet<Attrs> = asks.iter().map(|ask| ask.eq).collect();
    let mut paths = BTreeSet::new();
    for partition in intersections(&sets) {
        // A demand that lacks only enumerations of the partition is served once per value, as if it gave them.
        let begun = asks.iter().filter_map(|ask| ask.unbucketed(entity, partition));
        let asks: Vec<Ask> = asks
            .iter()
            .map(|ask| ask.scattered_over(entity, partition))
            .chain(begun.map(|ask| ask.scattered_over(entity, partition)))
            .collect();
        let above: BTreeSet<Attrs> =
            asks.iter().map(|ask| ask.eq).filter(|eq| partition.is_subset(*eq) && *eq != partition).collect();
        let above: Vec<Attrs> = above.into_iter().collect();
        extend(entity, partition, partition, Vec::new(), &above, &asks, &mut paths);
    }
    paths
}

/// All intersections of some of the sets. One static collection for everything is none of them unless a demand
/// gives nothing at all: a partition that some attribute can divide is cooler and no dearer.
fn intersections(sets: &BTreeSet<Attrs>) -> BTreeSet<Attrs> {
    let mut closed: BTreeSet<Attrs> = BTreeSet::new();
    for set in sets {
        let met: Vec<Attrs> = closed.iter().map(|other| other.intersection(*set)).collect();
        closed.insert(*set);
        closed.extend(met);
    }
    if !sets.contains(&Attrs::NONE) {
        closed.remove(&Attrs::NONE);
    }
    closed
}

/// Ends the chain here with every tail that fits, and goes on with every larger set.
fn extend(
    entity: &EntityFacts,
    partition: Attrs,
    largest: Attrs,
    sort: Vec<Segment>,
    above: &[Attrs],
    asks: &[Ask],
    paths: &mut BTreeSet<Path>,
) {
    let none = vec![Vec::new()];
    let tails = asks.iter().filter(|ask| ask.eq == largest).flat_map(|ask| &ask.tails).chain(&none);
    for tail in tails {
        let mut sort = sort.clone();
        for segment in tail {
            if !largest.contains(segment.attr) && !sort.iter().any(|it| it.attr == segment.attr) {
                sort.push(*segment);
            }
        }
        let mut held = partition;
        held.extend(sort.iter().map(|segment| segment.attr));
        // A direction matters only between two segments that differ in it: those that run against the first are turned, or
        // the others, where the values of those can't be.
        let wanted = || sort.iter().filter(|segment| tail.contains(segment));
        let first = wanted().next().is_some_and(|first| first.descending);
        let turned = |flip: bool| wanted().filter(move |segment| segment.descending != flip);
        let flip = first ^ turned(first).any(|segment| !fixed_width(entity, segment.attr));
        if flip {
            for segment in &mut sort {
                if tail.iter().any(|it| it.attr == segment.attr) {
                    segment.descending = !segment.descending;
                }
            }
        }
        sort.extend(
            entity.identity.iter().filter(|attr| !held.contains(**attr)).map(|attr| Segment::up(*attr)),
        );
        paths.insert(Path::new(entity, partition, sort));
    }
    for next in above.iter().filter(|set| largest.is_subset(**set) && **set != largest) {
        for order in steps(largest, next.minus(largest), asks) {
            let sort = sort.iter().copied().chain(order.into_iter().map(Segment::up)).collect();
            extend(entity, partition, *next, sort, above, asks, paths);
        }
    }
}

/// The orders in which the sort key may go on with attributes that a larger set adds: as they are declared, or first those
/// that a demand without them wants to follow, so that it is served on the way.
fn steps(largest: Attrs, added: Attrs, asks: &[Ask]) -> BTreeSet<Vec<Attr>> {
    let tails = asks.iter().filter(|ask| ask.eq == largest).flat_map(|ask| &ask.tails);
    let leads = tails.map(|tail| -> Vec<Attr> {
        tail.iter().map(|segment| segment.attr).take_while(|attr| added.contains(*attr)).collect()
    });
    let orders = leads.chain([Vec::new()]).map(|lead| {
        let rest = added.iter().filter(|attr| !lead.contains(attr));
        lead.iter().copied().chain(rest).collect()
    });
    orders.collect()
}

fn ask(entity: &EntityFacts, demand: &Demand, without: Attrs) -> Ask {
    let part = &demand.part;
    let key = |attr: Attr| entity.may_be_key(attr);
    let eq = part.eq().minus(without);
    let mut tails = Vec::new();
    if let Some(range) = &part.range
        && key(range.attr)
    {
        tails.push(vec![Segment::up(range.attr)]);
    }
    for equality in part.equal.iter().filter(|equality| equality.optional && key(equality.attr)) {
        tails.push(vec![Segment::up(equality.attr)]);
    }
    let order: Vec<Segment> = part
        .order
        .iter()
        .filter(|(attr, _)| !part.eq().contains(*attr))
        .map(|(attr, direction)| Segment {
            descending: *direction == Direction::Descending,
            ..Segment::up(*attr)
        })
        .collect();
    if !order.is_empty() && order.iter().all(|it| key(it.attr)) && is_turnable(entity, &part.order, part.eq())
    {
        // An identity that grows with time stands for the time of creation, and is shorter.
        if let [only] = order.as_slice()
            && entity.attribute(only.attr).creation_time
            && let Some(id) = time_ordered_id(entity)
        {
            tails.push(vec![Segment { attr: id, ..*only }]);
        }
        tails.push(order);
    }
    Ask { eq: eq.iter().filter(|attr| key(*attr)).collect(), tails }
}

/// The identity that grows with the time of creation, as finely as that time is kept: the last part, since those before it
/// are mostly a parent's. A KSUID does not: it knows only the second.
pub(crate) fn time_ordered_id(entity: &EntityFacts) -> Option<Attr> {
    entity.identity.iter().rev().copied().find(|attr| entity.attribute(*attr).ty == Type::Ulid)
}

/// Whether one key can have the order: either all attributes that run upwards or all that run downwards can be encoded
/// the other way round.
pub(crate) fn is_turnable(entity: &EntityFacts, order: &[(Attr, Direction)], given: Attrs) -> bool {
    let turns = |way: Direction| {
        let mut those = order.iter().filter(|(attr, direction)| *direction == way && !given.contains(*attr));
        those.all(|(attr, _)| fixed_width(entity, *attr))
    };
    turns(Direction::Ascending) || turns(Direction::Descending)
}

/// Whether a value can be encoded so that larger ones come first.
fn fixed_width(entity: &EntityFacts, attr: Attr) -> bool {
    let it = entity.attribute(attr);
    it.ty.is_numeric()
        || it.ty.is_generated_id()
        || !it.values.is_empty()
        || matches!(it.ty, Type::Datetime | Type::Date | Type::Boolean)
}

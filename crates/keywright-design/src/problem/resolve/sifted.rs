//! Reads of one kind from a list of several kinds: what else lies there is read too, and dropped by a filter.
//!
//! Such a read is one of all kinds of the list, of which one is wanted. What it asks beside what leads to the list is compared
//! by the filter too. That is allowed where every kind is bounded.

use keywright_model::model::Direction;

use crate::problem::{Attr, Attrs, Problem, Range, ReadFacts, ReadPart, ResultShape, Sieve};

/// The patterns of one kind of item that a list of several kinds could answer.
pub(crate) fn siftable(problem: &Problem) -> Vec<usize> {
    let reads = problem.reads.iter().filter(|read| list_for(problem, read).is_some());
    reads.map(|read| read.pattern).collect()
}

/// Lets the reads of these patterns take the lists that have their kind of item.
pub(crate) fn sift(problem: &mut Problem, patterns: &[usize]) {
    for at in 0..problem.reads.len() {
        let read = &problem.reads[at];
        if !patterns.contains(&read.pattern) {
            continue;
        }
        let Some(list) = list_for(problem, read) else { continue };
        let (own, sieve) = parted(read.parts[0].clone(), leading(list, &read.parts[0]));
        let direction = own.order.first().map(|(_, direction)| *direction);
        let others = kinds(list).filter(|part| part.entity != own.entity);
        let others: Vec<ReadPart> = others.map(|part| directed(part, direction)).collect();
        let interleaved = list.interleaved.clone();
        let read = &mut problem.reads[at];
        read.wanted = Some(own.entity);
        read.sieve = sieve;
        read.interleaved = interleaved;
        read.parts = [own].into_iter().chain(others).collect();
    }
}

/// A list of several kinds that has all that a read of one kind wants, in its order.
fn list_for<'p>(problem: &'p Problem, read: &ReadFacts) -> Option<&'p ReadFacts> {
    let [own] = read.parts.as_slice() else { return None };
    let facts = &problem.entities[own.entity];
    // What only keys hold is nothing that a filter could look at.
    let stored = |attr: Attr| facts.attribute(attr).bucket.is_none();
    let by_rank = |range: &Range| facts.is_compared_by_rank(range);
    let plain = own.holding.is_none()
        && !own.range.as_ref().is_some_and(by_rank)
        && !own.sorted_later
        && own.equal.iter().all(|it| !it.list && !it.optional)
        && read.behind.is_none()
        && read.counted.is_none()
        && !read.scan
        && read.result != ResultShape::Single;
    let bounded = |part: &ReadPart| problem.entities[part.entity].most_matches(part.eq()).is_some();
    problem.reads.iter().filter(|_| plain).find(|list| {
        let mine = kinds(list).find(|part| part.entity == own.entity);
        list.wanted.is_none()
            && mine.is_some_and(|mine| {
                let free = own.order.iter().map(|it| it.0).filter(|attr| !own.eq().contains(*attr));
                let same = free.eq(mine.order.iter().map(|it| it.0));
                let mut more = own.eq().iter().filter(|attr| !mine.eq().contains(*attr));
                mine.eq().is_subset(own.eq()) && more.all(stored) && (own.order.is_empty() || same)
            })
            && kinds(list).all(bounded)
    })
}

/// What leads to a list, of the kind that a part asks for.
fn leading(list: &ReadFacts, own: &ReadPart) -> Attrs {
    kinds(list).find(|part| part.entity == own.entity).map(ReadPart::eq).unwrap_or_default()
}

/// A part that asks no more than what leads to a list, and what a filter has to ask beside.
fn parted(part: ReadPart, leading: Attrs) -> (ReadPart, Sieve) {
    let (led, equal) = part.equal.into_iter().partition(|it| leading.contains(it.attr));
    let sieve = Sieve { equal, range: part.range, more_ranges: part.more_ranges };
    (ReadPart { equal: led, range: None, more_ranges: Vec::new(), ..part }, sieve)
}

/// The parts of a read that it wants as one list.
fn kinds(list: &ReadFacts) -> impl Iterator<Item = &ReadPart> {
    list.parts.iter().filter(|part| list.interleaved.contains(&part.entity))
}

/// A part in another direction; in none where nobody asks for an order.
fn directed(part: &ReadPart, direction: Option<Direction>) -> ReadPart {
    let order = direction.map(|direction| part.order.iter().map(|(attr, _)| (*attr, direction)).collect());
    ReadPart { order: order.unwrap_or_default(), ..part.clone() }
}

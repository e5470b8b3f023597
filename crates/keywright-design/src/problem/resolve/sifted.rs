//! Reads of one kind from a list of several kinds: what else lies there is read too, and dropped by a filter.
//!
//! Such a read is one of all kinds of the list, of which one is wanted. That is allowed where every kind is bounded.

use keywright_model::model::Direction;

use crate::problem::{Problem, ReadFacts, ReadPart, ResultShape};

/// The patterns of one kind of item that a list of several kinds could answer.
pub(crate) fn siftable(problem: &Problem) -> Vec<usize> {
    let reads = problem.reads.iter().filter(|read| list_for(problem, read).is_some());
    reads.map(|read| read.pattern).collect()
}

/// Lets the reads of these patterns take the lists that have their kind of item.
pub(super) fn sift(problem: &mut Problem, patterns: &[usize]) {
    for at in 0..problem.reads.len() {
        let read = &problem.reads[at];
        if !patterns.contains(&read.pattern) {
            continue;
        }
        let Some(list) = list_for(problem, read) else { continue };
        let own = read.parts[0].clone();
        let direction = own.order.first().map(|(_, direction)| *direction);
        let others = kinds(list).filter(|part| part.entity != own.entity);
        let others: Vec<ReadPart> = others.map(|part| directed(part, direction)).collect();
        let interleaved = list.interleaved.clone();
        let read = &mut problem.reads[at];
        read.wanted = Some(own.entity);
        read.interleaved = interleaved;
        read.parts.extend(others);
    }
}

/// A list of several kinds that has all that a read of one kind wants, in its order.
fn list_for<'p>(problem: &'p Problem, read: &ReadFacts) -> Option<&'p ReadFacts> {
    let [own] = read.parts.as_slice() else { return None };
    let plain = own.range.is_none()
        && own.more_ranges.is_empty()
        && own.holding.is_none()
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
                let same = own.order.iter().map(|it| it.0).eq(mine.order.iter().map(|it| it.0));
                mine.eq() == own.eq() && (own.order.is_empty() || same)
            })
            && kinds(list).all(bounded)
    })
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

//! Whether the blocks of shared reads can be put in an order that serves them all: every order is tried.

use keywright_model::certificate::{Proof, ResultFacts, SharedRead};

use crate::entity::Entity;
use crate::set::{has, set};

/// More blocks than this are not tried, by anybody.
pub(crate) const MOST_BLOCKS: usize = 8;

/// Whether these reads, which one entity heads in one place, can share a collection.
pub(crate) fn is_arranged(proof: &Proof, entities: &[Entity<'_>], reads: &[usize]) -> bool {
    let mut blocks: Vec<usize> =
        reads.iter().flat_map(|read| proof.shared[*read].parts.iter().map(|part| part.0)).collect();
    blocks.sort_unstable();
    blocks.dedup();
    blocks.len() <= MOST_BLOCKS && some_order(proof, entities, reads, &mut blocks, 0)
}

fn some_order(
    proof: &Proof,
    entities: &[Entity<'_>],
    reads: &[usize],
    order: &mut [usize],
    at: usize,
) -> bool {
    if at == order.len() {
        return serves(proof, entities, reads, order, &mut vec![None; order.len()]);
    }
    (at..order.len()).any(|other| {
        order.swap(at, other);
        let found = some_order(proof, entities, reads, order, at + 1);
        order.swap(at, other);
        found
    })
}

/// Lets one read after the other run up or down; `down` says of each block which way it is encoded, once that matters.
fn serves(
    proof: &Proof,
    entities: &[Entity<'_>],
    reads: &[usize],
    order: &[usize],
    down: &mut Vec<Option<bool>>,
) -> bool {
    let Some((first, rest)) = reads.split_first() else { return true };
    let read = &proof.shared[*first];
    let place = |entity: usize| order.iter().position(|it| *it == entity).unwrap_or(usize::MAX);
    let places: Vec<usize> = read.parts.iter().map(|part| place(part.0)).collect();
    let (low, high) = (places.iter().min().copied(), places.iter().max().copied());
    let (Some(low), Some(high)) = (low, high) else { return false };
    if high - low + 1 != places.len() {
        return false;
    }
    let paged = read.has_head && matches!(read.result, ResultFacts::Page(_));
    if paged && places.len() > 2 {
        return false;
    }
    [true, false].into_iter().any(|up| {
        // A page begins with the head.
        if paged && places[0] != if up { low } else { high } {
            return false;
        }
        let before = down.clone();
        let fits = read.parts.iter().zip(&places).all(|((entity, demand), place)| {
            match encoded_down(&entities[*entity], read, *demand, up) {
                None => true,
                Some((wanted, can)) => {
                    let agrees = down[*place].is_none_or(|it| it == wanted);
                    down[*place] = Some(wanted);
                    agrees && (!wanted || can)
                }
            }
        });
        let served = fits && serves(proof, entities, rest, order, down);
        if !served {
            *down = before;
        }
        served
    })
}

/// Whether a block must be encoded downwards, and whether it can be; none where no order is wanted.
fn encoded_down(entity: &Entity<'_>, read: &SharedRead, demand: usize, up: bool) -> Option<(bool, bool)> {
    debug_assert!(!read.parts.is_empty());
    let demand = &entity.facts.demands[demand];
    let given = set(&demand.given);
    if entity.is_one(given) {
        return None;
    }
    let mut wanted = demand.order.iter().filter(|(at, _)| !has(given, *at)).peekable();
    let (_, descending) = wanted.peek().copied()?;
    let can = wanted.all(|(at, _)| entity.facts.attributes[*at].reversible_block);
    Some((*descending == up, can))
}

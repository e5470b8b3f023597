//! Whether the blocks of shared reads can be put in an order that serves them all: every order is tried.

use keywright_model::certificate::{Proof, ResultFacts, SharedRead};

use crate::entity::Entity;
use crate::set::{has, set};

/// More blocks than this are not tried, by anybody.
pub(crate) const MOST_BLOCKS: usize = 8;

/// Whether these reads, which one entity heads in one place, can share a collection.
pub(crate) fn is_arranged(proof: &Proof, entities: &[Entity<'_>], reads: &[usize]) -> bool {
    let collection = Collection { proof, entities, owner: owners(proof, reads) };
    let mut blocks: Vec<usize> = reads.iter().flat_map(|read| collection.blocks(*read)).collect();
    blocks.sort_unstable();
    blocks.dedup();
    blocks.len() <= MOST_BLOCKS && collection.some_order(reads, &mut blocks, 0)
}

/// The entity after which each entity's block is called: its own, or the first of those that a read wants as one list.
fn owners(proof: &Proof, reads: &[usize]) -> Vec<usize> {
    let mut owner: Vec<usize> = (0..proof.entities.len()).collect();
    for read in reads {
        let mixed = |part: &&(usize, usize)| proof.entities[part.0].demands[part.1].mixed;
        let joined = proof.shared[*read].parts.iter().filter(mixed);
        let joined: Vec<usize> = joined.map(|part| owner[part.0]).collect();
        let Some(first) = joined.iter().min() else { continue };
        owner.iter_mut().filter(|it| joined.contains(it)).for_each(|it| *it = *first);
    }
    owner
}

struct Collection<'p> {
    proof: &'p Proof,
    entities: &'p [Entity<'p>],
    owner: Vec<usize>,
}

impl Collection<'_> {
    /// The blocks of a read's parts.
    fn blocks(&self, read: usize) -> impl Iterator<Item = usize> {
        self.proof.shared[read].parts.iter().map(|part| self.owner[part.0])
    }

    fn some_order(&self, reads: &[usize], order: &mut [usize], at: usize) -> bool {
        if at == order.len() {
            return self.serves(reads, order, &mut vec![None; order.len()]);
        }
        (at..order.len()).any(|other| {
            order.swap(at, other);
            let found = self.some_order(reads, order, at + 1);
            order.swap(at, other);
            found
        })
    }

    /// Lets one read after the other run up or down; `down` says of each block which way it is encoded, once that matters.
    fn serves(&self, reads: &[usize], order: &[usize], down: &mut Vec<Option<bool>>) -> bool {
        let Some((first, rest)) = reads.split_first() else { return true };
        let read = &self.proof.shared[*first];
        let place = |block: usize| order.iter().position(|it| *it == block).unwrap_or(usize::MAX);
        let places: Vec<usize> = self.blocks(*first).map(place).collect();
        let (low, high) = (places.iter().min().copied(), places.iter().max().copied());
        let (Some(low), Some(high)) = (low, high) else { return false };
        if !(low..=high).all(|it| places.contains(&it)) {
            return false;
        }
        let paged = read.has_head && matches!(read.result, ResultFacts::Page(_));
        if paged && high - low > 1 {
            return false;
        }
        [true, false].into_iter().any(|up| {
            // A page begins with the head.
            if paged && places[0] != if up { low } else { high } {
                return false;
            }
            let before = down.clone();
            let fits = read.parts.iter().zip(&places).all(|((entity, demand), place)| {
                match encoded_down(&self.entities[*entity], read, *demand, up) {
                    None => true,
                    Some((wanted, can)) => {
                        let agrees = down[*place].is_none_or(|it| it == wanted);
                        down[*place] = Some(wanted);
                        agrees && (!wanted || can)
                    }
                }
            });
            let served = fits && self.serves(rest, order, down);
            if !served {
                *down = before;
            }
            served
        })
    }
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

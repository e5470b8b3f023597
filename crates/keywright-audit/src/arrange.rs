//! Whether the blocks of shared reads can be put in an order that serves them all: every order that could is tried.

use keywright_model::certificate::{Proof, ResultFacts, SharedRead};

use crate::entity::Entity;
use crate::present::Block;
use crate::serve::ordered_up;
use crate::set::{has, set};

/// More blocks than this are not tried, by anybody.
const MOST_BLOCKS: usize = 24;

/// More than this are not, where some are there already.
const MOST_BESIDE: usize = 8;

/// Marks before the name of a block that is new, and so the places that it can have among others.
const MARKS: [&str; 7] = ["###", "##", "#", "", "~", "~~", "~~~"];

/// Whether these reads, which one entity heads in one place, can share a collection with what is there.
pub(crate) fn is_arranged(
    proof: &Proof,
    entities: &[Entity<'_>],
    reads: &[usize],
    present: &[Block<'_>],
) -> bool {
    let Some(owner) = owners(proof, reads, present) else { return false };
    let collection = Collection { proof, entities, owner, present };
    let asked = reads.iter().flat_map(|read| collection.blocks(*read));
    let there = present.iter().map(|block| collection.owner[block.entity]);
    let mut blocks: Vec<usize> = asked.chain(there).collect();
    blocks.sort_unstable();
    blocks.dedup();
    let most = if present.is_empty() { MOST_BLOCKS } else { MOST_BESIDE };
    blocks.len() <= most && collection.agree(reads, &blocks) && collection.some_order(reads, &mut blocks, 0)
}

/// The entity after which each entity's block is called: its own, or the first of those that a read wants as one list.
/// None where what is there lies apart and is wanted as one.
fn owners(proof: &Proof, reads: &[usize], present: &[Block<'_>]) -> Option<Vec<usize>> {
    let text = |entity: usize| present.iter().find(|block| block.entity == entity).map(|block| block.text);
    let mut owner: Vec<usize> = (0..proof.entities.len()).collect();
    // What lies under one text is one block, whoever reads it.
    for block in present.iter().filter(|block| !block.text.is_empty()) {
        let alike = present.iter().filter(|other| other.text == block.text).map(|other| other.entity);
        owner[block.entity] = alike.min().unwrap_or(block.entity);
    }
    for read in reads {
        let mixed = |part: &&(usize, usize)| proof.entities[part.0].demands[part.1].mixed;
        let joined: Vec<usize> = proof.shared[*read].parts.iter().filter(mixed).map(|part| part.0).collect();
        if joined.iter().any(|entity| text(*entity) != text(joined[0])) {
            return None;
        }
        let joined: Vec<usize> = joined.into_iter().map(|entity| owner[entity]).collect();
        let Some(first) = joined.iter().min() else { continue };
        owner.iter_mut().filter(|it| joined.contains(it)).for_each(|it| *it = *first);
    }
    Some(owner)
}

struct Collection<'p> {
    proof: &'p Proof,
    entities: &'p [Entity<'p>],
    owner: Vec<usize>,
    /// What is there already.
    present: &'p [Block<'p>],
}

impl Collection<'_> {
    /// The blocks of a read's parts.
    fn blocks(&self, read: usize) -> impl Iterator<Item = usize> {
        self.proof.shared[read].parts.iter().map(|part| self.owner[part.0])
    }

    fn wants(&self, read: usize, block: usize) -> bool {
        self.blocks(read).any(|it| it == block)
    }

    /// A read that starts with its head: the order of the blocks says which way it runs.
    fn starts_with_head(&self, read: usize) -> bool {
        let read = &self.proof.shared[read];
        read.has_head && matches!(read.result, ResultFacts::Page(_))
    }

    /// What no order of the blocks changes: a page has one block beside its head at most, and the reads that run either way
    /// agree on how blocks are encoded.
    fn agree(&self, reads: &[usize], blocks: &[usize]) -> bool {
        let (paged, free): (Vec<usize>, Vec<usize>) =
            reads.iter().copied().partition(|read| self.starts_with_head(*read));
        let is_short = |read: &usize| blocks.iter().filter(|block| self.wants(*read, **block)).count() <= 2;
        paged.iter().all(is_short) && self.run(&free, blocks, &mut vec![None; blocks.len()])
    }

    fn some_order(&self, reads: &[usize], order: &mut [usize], at: usize) -> bool {
        if at == order.len() {
            return self.can_be_named(order) && self.serves(reads, order);
        }
        (at..order.len()).any(|other| {
            // What can take the place of one that was tried in vain is in vain too.
            if (at..other).any(|tried| self.are_alike(reads, order[tried], order[other])) {
                return false;
            }
            order.swap(at, other);
            let found = self.keeps_together(reads, &order[..=at]) && self.some_order(reads, order, at + 1);
            order.swap(at, other);
            found
        })
    }

    /// Whether every read that has some of its blocks at this beginning of an order can still have all in a row.
    fn keeps_together(&self, reads: &[usize], begin: &[usize]) -> bool {
        reads.iter().all(|read| {
            let here = |block: &usize| self.wants(*read, *block);
            let whole = || self.blocks(*read).all(|block| begin.contains(&block));
            !begin.iter().any(here) || begin.last().is_some_and(here) || whole()
        })
    }

    /// Whether nothing tells two new blocks apart: all reads want both or neither, and none of them starts with one.
    fn are_alike(&self, reads: &[usize], one: usize, other: usize) -> bool {
        self.present.is_empty()
            && reads.iter().all(|read| {
                let wanted = self.wants(*read, one);
                wanted == self.wants(*read, other) && !(wanted && self.starts_with_head(*read))
            })
    }

    /// Whether keys can be in this order: those that are there begin as they do, the others with their names, marked.
    fn can_be_named(&self, order: &[usize]) -> bool {
        let mut last: Option<String> = None;
        self.present.is_empty()
            || order.iter().all(|block| {
                let there = self.present.iter().find(|it| it.entity == *block);
                let texts: Vec<String> = match there {
                    Some(there) => vec![there.text.to_owned()],
                    None => MARKS.iter().map(|mark| format!("{mark}{}#", self.name(*block))).collect(),
                };
                // The first that is possible leaves most room for those that follow.
                let next =
                    texts.into_iter().filter(|text| last.as_ref().is_none_or(|last| text > last)).min();
                let found = next.is_some();
                last = next;
                found
            })
    }

    /// The name of a block: those of all entities that lie in it.
    fn name(&self, block: usize) -> String {
        let members = (0..self.owner.len()).filter(|entity| self.owner[*entity] == block);
        let upper = |entity: usize| -> String {
            let letters = self.proof.entities[entity].name.chars().filter(|it| it.is_alphanumeric());
            letters.flat_map(char::to_uppercase).collect()
        };
        members.map(upper).collect::<Vec<String>>().join("_")
    }

    /// Whether the block of an entity that is there gives a demand its order when it is read up or down, or in no order, so
    /// that whoever reads it sorts; none where the block is new.
    fn runs(&self, entity: usize, demand: usize, up: bool) -> Option<bool> {
        let block = self.present.iter().find(|block| block.entity == entity)?;
        let entity = &self.entities[entity];
        let demand = &entity.facts.demands[demand];
        let given = entity.with_periods(set(&demand.given));
        let behind = block.sort.iter().copied().skip_while(|(at, _)| has(given, *at));
        let behind = behind.map(|(at, down)| (at, down, block.by_name.contains(&at)));
        Some(ordered_up(entity, demand, behind).is_none_or(|it| it == up))
    }

    /// The places of a read's parts in an order of blocks, with the least and the greatest.
    fn places(&self, read: usize, order: &[usize]) -> Option<(Vec<usize>, usize, usize)> {
        let place = |block: usize| order.iter().position(|it| *it == block);
        let places: Vec<usize> = self.blocks(read).map(place).collect::<Option<_>>()?;
        let (low, high) = (*places.iter().min()?, *places.iter().max()?);
        Some((places, low, high))
    }

    /// Whether all reads find what they want side by side, and can run.
    fn serves(&self, reads: &[usize], order: &[usize]) -> bool {
        let in_a_row = |read: &usize| {
            let places = self.places(*read, order);
            places.is_some_and(|(places, low, high)| (low..=high).all(|it| places.contains(&it)))
        };
        reads.iter().all(in_a_row) && self.run(reads, order, &mut vec![None; order.len()])
    }

    /// Lets one read after the other run up or down; `down` says of each block which way it is encoded, once that matters.
    fn run(&self, reads: &[usize], order: &[usize], down: &mut Vec<Option<bool>>) -> bool {
        let Some((first, rest)) = reads.split_first() else { return true };
        let read = &self.proof.shared[*first];
        let Some((places, low, high)) = self.places(*first, order) else { return false };
        let paged = self.starts_with_head(*first);
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
                        self.runs(*entity, *demand, up).unwrap_or(agrees && (!wanted || can))
                    }
                }
            });
            let served = fits && self.run(rest, order, down);
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

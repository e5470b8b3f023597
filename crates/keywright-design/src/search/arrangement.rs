//! The order of blocks in a collection that several entities share.
//!
//! Each item type is a block of sort keys. A read of several entities needs their blocks side by side; a paged
//! one needs the head where it starts and one block behind it, in the wanted direction. A block can be encoded
//! downwards and a read can run backwards; every order is tried. Kinds that a read wants as one list share a block.

use keywright_model::model::{Direction, Type};

use crate::naming;
use crate::path::Segment;
use crate::plan::key_order;
use crate::problem::{EntityFacts, Problem, ReadFacts, ReadPart, ResultShape};

/// Blocks in an order that serves all reads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Arrangement {
    /// The entities whose blocks they are, in ascending key order.
    pub(crate) blocks: Vec<usize>,
    /// Blocks whose first free attribute is encoded downwards.
    pub(crate) flipped: Vec<bool>,
    /// For each read, whether it runs upwards.
    pub(crate) forward: Vec<bool>,
}

/// A block that is in the table already: its sort keys begin and run the way they do.
#[derive(Clone, Debug)]
pub(crate) struct FixedBlock {
    pub(crate) entity: usize,
    /// The text that its sort keys begin with; all of it where they have no attributes.
    pub(crate) literal: String,
    pub(crate) sort: Vec<Segment>,
}

impl FixedBlock {
    /// Whether a part finds its order in the block upwards; none where it is not in the order of its keys, so that who
    /// reads it sorts it and either direction will do.
    fn runs_up(&self, entity: &EntityFacts, part: &ReadPart, result: ResultShape) -> Option<bool> {
        let eq = entity.with_periods(part.eq());
        let run = self.sort.iter().take_while(|segment| eq.contains(segment.attr)).count();
        key_order(entity, part, &self.sort[run..], result)
    }
}

/// The literals of blocks in this order, beside those that are there; none where no marks put the new ones in their
/// places.
pub(crate) fn literals(
    problem: &Problem,
    owner: &Owners,
    order: &[usize],
    fixed: &[FixedBlock],
) -> Option<Vec<String>> {
    let all: Vec<Vec<String>> = order
        .iter()
        .map(|entity| match fixed.iter().find(|block| block.entity == *entity) {
            Some(block) => vec![block.literal.clone()],
            None => {
                let name = block_name(problem, owner, *entity);
                MARKS.iter().map(|mark| format!("{mark}{name}#")).collect()
            }
        })
        .collect();
    // Of each the plainest that leaves room for those that follow.
    let mut literals: Vec<String> = Vec::with_capacity(order.len());
    for (at, some) in all.iter().enumerate() {
        let after = literals.last().map(String::as_str);
        let fits =
            |it: &&String| after.is_none_or(|after| it.as_str() > after) && is_room(it, &all[at + 1..]);
        literals.push(some.iter().find(fits)?.clone());
    }
    Some(literals)
}

/// Whether literals can follow one another in this order, the first of them after another.
fn is_room(after: &str, rest: &[Vec<String>]) -> bool {
    let Some((first, rest)) = rest.split_first() else { return true };
    // The smallest leaves most room.
    let least = first.iter().filter(|it| it.as_str() > after).min();
    least.is_some_and(|least| is_room(least, rest))
}

/// The literal of the block that is called after an entity, without marks.
pub(crate) fn block_name(problem: &Problem, owner: &Owners, entity: usize) -> String {
    let members = owner.members(entity);
    naming::mixed_name(members.iter().map(|member| problem.entities[*member].name.as_str()))
}

/// Marks in front of a block's literal, the plainest first.
const MARKS: [&str; 7] = ["", "#", "~", "##", "~~", "###", "~~~"];

/// More blocks than this in one collection are not tried.
pub(crate) const MOST_BLOCKS: usize = 24;

/// Where some of them are there already, this is the most: no two are alike then, and their orders are many.
const MOST_BESIDE: usize = 8;

/// An arrangement for these reads, if there is one and their blocks are not too many.
pub(crate) fn arrange(problem: &Problem, reads: &[usize], fixed: &[FixedBlock]) -> Option<Arrangement> {
    let owner = owners(problem, reads, fixed)?;
    let most = if fixed.is_empty() { MOST_BLOCKS } else { MOST_BESIDE };
    Some(blocks(problem, &owner, reads, fixed))
        .filter(|blocks| blocks.len() <= most)
        .and_then(|blocks| ordered(problem, &owner, reads, fixed, blocks))
}

/// The blocks of these reads and of what is there. Children come before their head by name, unless somebody needs
/// otherwise: ties are settled by the alphabet.
fn blocks(problem: &Problem, owner: &Owners, reads: &[usize], fixed: &[FixedBlock]) -> Vec<usize> {
    let mut blocks: Vec<usize> = Vec::new();
    let asked = reads.iter().flat_map(|read| problem.reads[*read].parts.iter().map(|part| part.entity));
    for entity in asked.chain(fixed.iter().map(|block| block.entity)) {
        if !blocks.contains(&owner.of(entity)) {
            blocks.push(owner.of(entity));
        }
    }
    blocks.sort_by(|one, other| problem.entities[*one].name.cmp(&problem.entities[*other].name));
    blocks
}

/// The blocks that a read wants side by side, ascending.
pub(crate) fn wanted_blocks(problem: &Problem, owner: &Owners, read: usize) -> Vec<usize> {
    let mut blocks: Vec<usize> = problem.reads[read].parts.iter().map(|part| owner.of(part.entity)).collect();
    blocks.sort_unstable();
    // Kinds that are wanted as one list have one block.
    blocks.dedup();
    blocks
}

/// The first order of these blocks that serves all reads.
fn ordered(
    problem: &Problem,
    owner: &Owners,
    reads: &[usize],
    fixed: &[FixedBlock],
    blocks: Vec<usize>,
) -> Option<Arrangement> {
    let orders = Orders {
        problem,
        owner,
        reads,
        fixed,
        wanted: reads.iter().map(|read| wanted_blocks(problem, owner, *read)).collect(),
    };
    orders.may_run(&blocks).then(|| orders.first(&mut blocks.clone(), 0)).flatten()
}

/// The entity after which the block of each entity is called: its own, or the first of those that a read wants as one
/// list.
#[derive(Debug, Default)]
pub(crate) struct Owners {
    /// Those that lie in a list, ascending, each with the first of it: all others have blocks of their own.
    listed: Vec<(usize, usize)>,
}

impl Owners {
    pub(crate) fn of(&self, entity: usize) -> usize {
        let at = self.listed.binary_search_by_key(&entity, |(it, _)| *it);
        at.map_or(entity, |at| self.listed[at].1)
    }

    /// Those that lie in the block of another, ascending, each with whose it is.
    pub(crate) fn strangers(&self) -> impl Iterator<Item = (usize, usize)> {
        self.listed.iter().copied().filter(|(entity, owner)| entity != owner)
    }

    /// The entities in the block that is called after one, ascending.
    fn members(&self, entity: usize) -> Vec<usize> {
        if self.listed.binary_search_by_key(&entity, |(it, _)| *it).is_err() {
            return vec![entity];
        }
        self.listed.iter().filter(|(_, owner)| *owner == entity).map(|(it, _)| *it).collect()
    }

    /// Makes these one list, with all that they are one list with already.
    fn join(&mut self, some: &[usize]) {
        let Some(first) = some.iter().map(|entity| self.of(*entity)).min() else { return };
        let joined: Vec<usize> = some.iter().map(|entity| self.of(*entity)).collect();
        for entity in some {
            if let Err(at) = self.listed.binary_search_by_key(entity, |(it, _)| *it) {
                self.listed.insert(at, (*entity, *entity));
            }
        }
        let owners = self.listed.iter_mut().map(|(_, owner)| owner);
        owners.filter(|owner| joined.contains(owner)).for_each(|owner| *owner = first);
    }
}

/// Whose blocks these reads want. None where what is there lies apart and is wanted as one.
pub(crate) fn owners(problem: &Problem, reads: &[usize], fixed: &[FixedBlock]) -> Option<Owners> {
    let mut owner = Owners::default();
    // Kinds that are there under one literal are one list, whoever wants them.
    for block in fixed.iter().filter(|block| !block.literal.is_empty()) {
        let alike = fixed.iter().filter(|other| other.literal == block.literal);
        let alike: Vec<usize> = alike.map(|other| other.entity).collect();
        if alike.len() > 1 {
            owner.join(&alike);
        }
    }
    for read in reads {
        let mixed = &problem.reads[*read].interleaved;
        owner.join(mixed);
        let literal = |entity: &usize| {
            fixed.iter().find(|block| block.entity == *entity).map(|block| block.literal.as_str())
        };
        if mixed.windows(2).any(|pair| literal(&pair[0]) != literal(&pair[1])) {
            return None;
        }
    }
    Some(owner)
}

/// The arrangement that reads best: the fewest blocks encoded downwards, and names in order by themselves.
pub(crate) fn tidiest(problem: &Problem, reads: &[usize], fixed: &[FixedBlock]) -> Option<Arrangement> {
    let owner = owners(problem, reads, fixed)?;
    // The reads of several heads can want more blocks than those of one may.
    let first = ordered(problem, &owner, reads, fixed, blocks(problem, &owner, reads, fixed))?;
    if first.blocks.len() > MOST_TIDIED {
        return Some(first);
    }
    let mut blocks = first.blocks.clone();
    blocks.sort_unstable();
    let mut best = first;
    every_order(&mut blocks, 0, &mut |order| {
        if let Some(found) = directions(problem, reads, fixed, &owner, order)
            && untidiness(problem, &owner, fixed, &found) < untidiness(problem, &owner, fixed, &best)
        {
            best = found;
        }
    });
    Some(best)
}

/// With more blocks than this the first arrangement is good enough.
const MOST_TIDIED: usize = 6;

fn untidiness(
    problem: &Problem,
    owner: &Owners,
    fixed: &[FixedBlock],
    arrangement: &Arrangement,
) -> (usize, usize, bool) {
    let names = arrangement.blocks.iter().map(|entity| problem.entities[*entity].name.to_uppercase());
    let flipped = arrangement.flipped.iter().filter(|flip| **flip).count();
    // Beside what is there, new blocks that need no mark read best.
    let marked = match fixed.is_empty() {
        true => 0,
        false => literals(problem, owner, &arrangement.blocks, fixed)
            .map_or(0, |literals| literals.iter().filter(|literal| literal.starts_with(['#', '~'])).count()),
    };
    (flipped, marked, !names.is_sorted())
}

fn every_order(order: &mut [usize], at: usize, visit: &mut dyn FnMut(&[usize])) {
    if at == order.len() {
        return visit(order);
    }
    for next in at..order.len() {
        order[at..=next].rotate_right(1);
        every_order(order, at + 1, visit);
        order[at..=next].rotate_left(1);
    }
}

/// The orders of blocks that could serve some reads.
struct Orders<'a> {
    problem: &'a Problem,
    owner: &'a Owners,
    reads: &'a [usize],
    fixed: &'a [FixedBlock],
    /// The blocks that each of the reads wants side by side.
    wanted: Vec<Vec<usize>>,
}

impl Orders<'_> {
    /// Whether the reads that run either way, whatever the order of the blocks, agree on how these are encoded, and no page
    /// wants more than one block behind its head.
    fn may_run(&self, blocks: &[usize]) -> bool {
        let mut free = Vec::with_capacity(self.reads.len());
        for (read, wanted) in self.reads.iter().zip(&self.wanted) {
            match begins_with_head(&self.problem.reads[*read]) {
                true if wanted.len() > 2 => return false,
                true => {}
                false => free.push(*read),
            }
        }
        let place = |entity: usize| {
            blocks.iter().position(|it| *it == self.owner.of(entity)).expect("every part has a block")
        };
        run(self.problem, &free, self.fixed, &place, &mut vec![None; blocks.len()], &mut Vec::new())
    }

    /// The first order that serves all reads and begins with the blocks before a position; those from there on ascend.
    fn first(&self, order: &mut [usize], at: usize) -> Option<Arrangement> {
        if at == order.len() {
            return directions(self.problem, self.reads, self.fixed, self.owner, order);
        }
        for next in at..order.len() {
            // Of those that are alike the first comes first.
            if order[at..next].iter().any(|before| self.are_alike(*before, order[next])) {
                continue;
            }
            order[at..=next].rotate_right(1);
            let found = match self.is_torn(&order[..=at]) {
                true => None,
                false => self.first(order, at + 1),
            };
            order[at..=next].rotate_left(1);
            if found.is_some() {
                return found;
            }
        }
        None
    }

    /// Whether something comes between blocks that a read wants side by side, if the order begins so.
    fn is_torn(&self, begin: &[usize]) -> bool {
        let Some((last, before)) = begin.split_last() else { return false };
        self.wanted.iter().any(|wanted| {
            let is_wanted = |block: &usize| wanted.binary_search(block).is_ok();
            let some = before.iter().filter(|block| is_wanted(block)).count();
            some > 0 && some < wanted.len() && !is_wanted(last)
        })
    }

    /// Whether two blocks can change places in every order: the same reads want them, and none of these begins with one.
    fn are_alike(&self, one: usize, other: usize) -> bool {
        self.fixed.is_empty()
            && self.reads.iter().zip(&self.wanted).all(|(read, wanted)| {
                let (one, other) = (wanted.binary_search(&one).is_ok(), wanted.binary_search(&other).is_ok());
                one == other && !(one && begins_with_head(&self.problem.reads[*read]))
            })
    }
}

/// Whether a read has to begin with its head, so that it runs the way that the order of the blocks says.
fn begins_with_head(read: &ReadFacts) -> bool {
    matches!(read.result, ResultShape::Page(_)) && read.has_head
}

/// Chooses encodings and directions for a given order of blocks.
fn directions(
    problem: &Problem,
    reads: &[usize],
    fixed: &[FixedBlock],
    owner: &Owners,
    order: &[usize],
) -> Option<Arrangement> {
    if !fixed.is_empty() {
        literals(problem, owner, order, fixed)?;
    }
    // For each block, whether it must be encoded downwards, once some read decides it.
    let mut flipped: Vec<Option<bool>> = vec![None; order.len()];
    let mut forward = Vec::with_capacity(reads.len());
    let place =
        |entity: usize| order.iter().position(|it| *it == owner.of(entity)).expect("every part has a block");
    let torn = |read: &usize| {
        let mut places: Vec<usize> = wanted_blocks(problem, owner, *read).into_iter().map(place).collect();
        places.sort_unstable();
        places.windows(2).any(|pair| pair[1] != pair[0] + 1)
    };
    if reads.iter().any(torn) {
        return None;
    }
    if !run(problem, reads, fixed, &place, &mut flipped, &mut forward) {
        return None;
    }
    let flipped = flipped.into_iter().map(|flip| flip == Some(true)).collect();
    Some(Arrangement { blocks: order.to_vec(), flipped, forward })
}

/// Lets the first of the reads run in each direction that it may, then the others.
fn run(
    problem: &Problem,
    reads: &[usize],
    fixed: &[FixedBlock],
    position: &dyn Fn(usize) -> usize,
    flipped: &mut Vec<Option<bool>>,
    forward: &mut Vec<bool>,
) -> bool {
    let Some((read, rest)) = reads.split_first() else { return true };
    let facts = &problem.reads[*read];
    let mut places: Vec<usize> = facts.parts.iter().map(|part| position(part.entity)).collect();
    places.sort_unstable();
    // Kinds that are wanted as one list have one block.
    places.dedup();
    for up in ways(facts, &places, position) {
        if !fits(problem, facts, fixed, up, flipped, position) {
            continue;
        }
        let before = flipped.clone();
        for part in &facts.parts {
            if let Some(flip) = wanted_flip(&problem.entities[part.entity], part, up) {
                flipped[position(part.entity)] = Some(flip);
            }
        }
        forward.push(up);
        if run(problem, rest, fixed, position, flipped, forward) {
            return true;
        }
        forward.pop();
        *flipped = before;
    }
    false
}

/// The directions that a read may run in, so that a page starts with the head.
fn ways(read: &ReadFacts, places: &[usize], position: &dyn Fn(usize) -> usize) -> Vec<bool> {
    if !begins_with_head(read) {
        return vec![true, false];
    }
    if places.len() > 2 {
        return Vec::new();
    }
    let head = position(read.parts[0].entity);
    vec![head == places[0]]
}

fn fits(
    problem: &Problem,
    read: &ReadFacts,
    fixed: &[FixedBlock],
    up: bool,
    flipped: &[Option<bool>],
    position: &dyn Fn(usize) -> usize,
) -> bool {
    read.parts.iter().all(|part| {
        let entity = &problem.entities[part.entity];
        match wanted_flip(entity, part, up) {
            None => true,
            // What exists runs the way it runs.
            Some(_) if fixed.iter().any(|block| block.entity == part.entity) => fixed
                .iter()
                .filter(|block| block.entity == part.entity)
                .all(|block| block.runs_up(entity, part, read.result).is_none_or(|it| it == up)),
            Some(flip) => {
                (!flip || can_flip(entity, part))
                    && flipped[position(part.entity)].is_none_or(|so_far| so_far == flip)
            }
        }
    })
}

/// Whether a block must be encoded downwards for a read in this direction; none where no order is wanted.
fn wanted_flip(entity: &EntityFacts, part: &ReadPart, up: bool) -> Option<bool> {
    if entity.at_most_one(part.eq()) {
        return None;
    }
    let (_, direction) = part.order.iter().find(|(attr, _)| !part.eq().contains(*attr))?;
    Some((*direction == Direction::Descending) == up)
}

fn can_flip(entity: &EntityFacts, part: &ReadPart) -> bool {
    part.order.iter().filter(|(attr, _)| !part.eq().contains(*attr)).all(|(attr, _)| {
        let it = entity.attribute(*attr);
        it.ty.is_numeric()
            || it.ty.is_generated_id()
            || !it.rank.is_empty()
            || matches!(it.ty, Type::Datetime | Type::Date | Type::Boolean)
    })
}

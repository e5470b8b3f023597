//! Blocks in collections that several entities share: their order, marks and encodings.

use super::context::{Context, Place};
use crate::demand::Source;
use crate::problem::Problem;
use crate::search::{Arrangement, FixedBlock, Owners, block_name, literals, owners, tidiest, wanted_blocks};

/// The blocks of one collection.
#[derive(Clone, Debug)]
pub(crate) struct Blocks {
    pub(crate) place: Place,
    /// Entities in ascending key order, strangers last.
    order: Vec<usize>,
    marks: Vec<String>,
    /// How many leading sort segments are encoded the other way.
    flipped: Vec<usize>,
    /// The entity after which each block is called: that of another where both are wanted as one list.
    owner: Vec<usize>,
    /// The reads of several entities there, and whether they run upwards.
    pub(crate) reads: Vec<(usize, bool)>,
}

impl Blocks {
    pub(crate) fn has(&self, entity: usize) -> bool {
        self.order.contains(&entity)
    }

    fn at(&self, entity: usize) -> usize {
        self.order.iter().position(|it| *it == entity).expect("the entity has a block here")
    }

    pub(crate) fn marks(&self, entity: usize) -> &str {
        &self.marks[self.at(entity)]
    }

    pub(crate) fn flipped_segments(&self, entity: usize) -> usize {
        self.flipped[self.at(entity)]
    }

    /// The entities whose items lie in one block with those of an entity, itself among them.
    pub(crate) fn mixed(&self, entity: usize) -> Vec<usize> {
        let of = self.owner[self.at(entity)];
        self.order.iter().zip(&self.owner).filter(|(_, owner)| **owner == of).map(|(it, _)| *it).collect()
    }

    /// With every entity that lies in another's block beside it.
    fn with_mixed(mut self, of: &Owners) -> Self {
        for (entity, owner) in of.strangers() {
            let Some(at) = self.order.iter().position(|it| *it == owner) else { continue };
            self.order.insert(at + 1, entity);
            self.marks.insert(at + 1, self.marks[at].clone());
            self.flipped.insert(at + 1, self.flipped[at]);
            self.owner.insert(at + 1, owner);
        }
        self
    }

    /// Whether these entities are all that lie in the collection.
    pub(crate) fn is_all(&self, entities: &[usize]) -> bool {
        self.order.iter().all(|it| entities.contains(it))
    }

    /// The first and the last block of these entities.
    pub(crate) fn span(&self, entities: &[usize]) -> (usize, usize) {
        let mut places: Vec<usize> = entities.iter().map(|entity| self.at(*entity)).collect();
        places.sort_unstable();
        (self.order[places[0]], self.order[places[places.len() - 1]])
    }
}

/// The blocks of every collection in which a read of several entities runs; if those of some reads have no order together,
/// these reads. The search arranges the reads of one head; those of two heads can want the same block between them.
pub(super) fn arranged_places(context: &Context<'_>) -> Result<Vec<Blocks>, Vec<usize>> {
    let mut collections: Vec<(Place, String, Vec<usize>)> = Vec::new();
    for (read, facts) in context.problem.reads.iter().enumerate() {
        if facts.parts.len() < 2 || facts.scan {
            continue;
        }
        let head = facts.parts[0].entity;
        let demand = context.tasks[head]
            .demands
            .iter()
            .position(|it| it.source == Source::Shared { read, part: 0 })
            .expect("every part is a demand");
        let place = context.place(head, &context.layout(head).services[demand].choice);
        let literal = context.partition_literal(head, place);
        match collections.iter_mut().find(|it| it.0 == place && it.1 == literal) {
            Some(collection) => collection.2.push(read),
            None => collections.push((place, literal, vec![read])),
        }
    }
    collections
        .into_iter()
        .map(|(place, literal, reads)| {
            let fixed = context.existing.map_or_else(Vec::new, |existing| {
                let read = &context.problem.reads[reads[0]];
                match place {
                    Place::Base => existing.blocks(context.problem, read, None),
                    Place::Index(number) => existing.blocks(context.problem, read, Some(number)),
                }
            });
            if !fixed.is_empty() {
                let arrangement = tidiest(context.problem, &reads, &fixed).ok_or_else(|| reads.clone())?;
                return beside(context, place, &literal, reads.clone(), &arrangement, &fixed).ok_or(reads);
            }
            let (reads, arrangement) = arranged(context.problem, reads)?;
            Ok(blocks(context, place, &literal, reads, &arrangement))
        })
        .collect()
}

/// Reads of one collection with their arrangement. Those that have no block in common, such as those of an entity and those
/// of its copy, are arranged apart, one after the other. Fails with those that have no order together.
fn arranged(problem: &Problem, reads: Vec<usize>) -> Result<(Vec<usize>, Arrangement), Vec<usize>> {
    let mut groups = connected(problem, reads).into_iter();
    let first = groups.next().expect("a collection with blocks has a read");
    let mut all = tidiest(problem, &first, &[]).ok_or_else(|| first.clone())?;
    let mut reads = first;
    for group in groups {
        let next = tidiest(problem, &group, &[]).ok_or_else(|| group.clone())?;
        all.blocks.extend(next.blocks);
        all.flipped.extend(next.flipped);
        all.forward.extend(next.forward);
        reads.extend(group);
    }
    Ok((reads, all))
}

/// Reads in groups that have blocks in common, each in order, the group of the first read first.
fn connected(problem: &Problem, reads: Vec<usize>) -> Vec<Vec<usize>> {
    let of = owners(problem, &reads, &[]).expect("nothing is there that could lie apart");
    let mut groups: Vec<(Vec<usize>, Vec<usize>)> = Vec::new();
    for read in reads {
        let mut group = (vec![read], wanted_blocks(problem, &of, read));
        let meets = |other: &(Vec<usize>, Vec<usize>)| other.1.iter().any(|block| group.1.contains(block));
        let (met, apart): (Vec<_>, Vec<_>) = groups.into_iter().partition(meets);
        groups = apart;
        for (reads, blocks) in met {
            group.0.extend(reads);
            group.1.extend(blocks);
        }
        group.0.sort_unstable();
        groups.push(group);
    }
    groups.sort_unstable();
    groups.into_iter().map(|(reads, _)| reads).collect()
}

fn blocks(
    context: &Context<'_>,
    place: Place,
    literal: &str,
    reads: Vec<usize>,
    arrangement: &Arrangement,
) -> Blocks {
    let problem = context.problem;
    let of = owners(problem, &reads, &[]).expect("the reads are arranged");
    let strangers: Vec<usize> = context
        .sharers(place, literal)
        .iter()
        .copied()
        .filter(|entity| !arrangement.blocks.contains(&of.of(*entity)))
        .collect();
    let heads: Vec<usize> = reads.iter().map(|read| problem.reads[*read].parts[0].entity).collect();
    let pivot = arrangement.blocks.iter().position(|entity| heads.contains(entity)).unwrap_or(0);
    let name = |entity: &usize| format!("{}#", block_name(problem, &of, *entity));
    // Names that are in order by themselves, with no stranger between, need no marks.
    let natural = arrangement.blocks.windows(2).all(|pair| name(&pair[0]) < name(&pair[1])) && {
        let (first, last) = (&arrangement.blocks[0], &arrangement.blocks[arrangement.blocks.len() - 1]);
        strangers.iter().all(|stranger| name(stranger) < name(first) || name(stranger) > name(last))
    };
    let mut marks: Vec<String> = (0..arrangement.blocks.len())
        .map(|at| match at.cmp(&pivot) {
            _ if natural => String::new(),
            std::cmp::Ordering::Less => "#".repeat(pivot - at),
            std::cmp::Ordering::Equal => String::new(),
            std::cmp::Ordering::Greater => "~".repeat(at - pivot),
        })
        .collect();
    let mut flipped: Vec<usize> = arrangement
        .blocks
        .iter()
        .zip(&arrangement.flipped)
        .map(|(entity, flip)| if *flip { ordered_segments(context, *entity, &reads) } else { 0 })
        .collect();
    let outside = "~".repeat(arrangement.blocks.len() - pivot);
    let mut order = arrangement.blocks.clone();
    for stranger in strangers {
        order.push(stranger);
        marks.push(if natural { String::new() } else { outside.clone() });
        flipped.push(0);
    }
    let owner = order.clone();
    let reads = reads.into_iter().zip(arrangement.forward.iter().copied()).collect();
    Blocks { place, order, marks, flipped, owner, reads }.with_mixed(&of)
}

/// The blocks of a collection that is there: those that are new get marks that put them in their places.
fn beside(
    context: &Context<'_>,
    place: Place,
    literal: &str,
    reads: Vec<usize>,
    arrangement: &Arrangement,
    fixed: &[FixedBlock],
) -> Option<Blocks> {
    let problem = context.problem;
    let of = owners(problem, &reads, fixed)?;
    let name = |entity: usize| format!("{}#", block_name(problem, &of, entity));
    let all = literals(problem, &of, &arrangement.blocks, fixed)?;
    let mut order = arrangement.blocks.clone();
    let mut marks: Vec<String> = order
        .iter()
        .zip(&all)
        .map(|(entity, literal)| literal.strip_suffix(&name(*entity)).unwrap_or_default().to_owned())
        .collect();
    let mut flipped: Vec<usize> = order
        .iter()
        .zip(&arrangement.flipped)
        .map(|(entity, flip)| match fixed.iter().any(|block| block.entity == *entity) {
            false if *flip => ordered_segments(context, *entity, &reads),
            _ => 0,
        })
        .collect();
    // Whoever else comes new into the collection keeps out of what is read together.
    let last = all.iter().max().cloned().unwrap_or_default();
    for stranger in
        context.sharers(place, literal).iter().copied().filter(|it| !arrangement.blocks.contains(&of.of(*it)))
    {
        let mark =
            (0..).map(|count| "~".repeat(count)).find(|mark| format!("{mark}{}", name(stranger)) > last)?;
        order.push(stranger);
        marks.push(mark);
        flipped.push(0);
    }
    let owner = order.clone();
    let reads = reads.into_iter().zip(arrangement.forward.iter().copied()).collect();
    Some(Blocks { place, order, marks, flipped, owner, reads }.with_mixed(&of))
}

/// How many attributes the reads order an entity by.
fn ordered_segments(context: &Context<'_>, entity: usize, reads: &[usize]) -> usize {
    reads
        .iter()
        .flat_map(|read| &context.problem.reads[*read].parts)
        .filter(|part| part.entity == entity)
        .map(|part| part.order.iter().filter(|(attr, _)| !part.eq().contains(*attr)).count())
        .max()
        .unwrap_or(0)
}

//! From a Model to a Problem: names become numbers, silence becomes defaults, mistakes become findings.

mod assumed;
mod buckets;
mod countable;
mod counters;
mod domains;
mod entities;
mod identity;
mod links;
mod ranks;
mod reads;
mod sifted;
mod sizes;
mod unknown;
mod versions;
mod writes;

use keywright_finding::{Finding, Span};
use keywright_model::Model;
use keywright_model::model::Assumption;

pub(crate) use buckets::keep as keep_buckets;
pub(crate) use countable::{Countable, Keeping};
#[cfg(test)]
pub(crate) use sifted::sift;
pub(crate) use sifted::siftable;
pub(crate) use writes::{compared, handed_over, is_kept_by_updates};

use super::{Attr, EntityFacts, HeldEntity, ParentLink, Problem, ReadFacts};
use crate::copy::Copied;
use crate::merge::Merge;
use crate::rewriting::Rewriting;
use crate::rules;

/// What resolving gives: the problem as far as it makes sense, and what is to be said about it.
pub(crate) struct Resolved {
    pub(crate) problem: Problem,
    pub(crate) findings: Vec<Finding>,
    pub(crate) assumptions: Vec<Assumption>,
    /// What writes may count.
    pub(crate) countable: Vec<Countable>,
}

/// What resolving has to say.
#[derive(Default)]
struct Remarks {
    findings: Vec<Finding>,
    assumptions: Vec<Assumption>,
}

impl Remarks {
    fn assume(&mut self, span: Span, statement: String, reason: &str) {
        self.assumptions.push(Assumption { span, statement, reason: reason.to_owned() });
    }
}

/// A document that only declares entities reads well, but there is nothing to design.
#[must_use]
pub fn no_patterns() -> Finding {
    Finding::new(&rules::NO_PATTERNS, Span::at(0), "this document has no access patterns").help(
        "list them below `## Access Patterns`, such as `- List songs of a user, newest first`, or in a table with the \
         columns ID, Entity, Description and Input Parameters",
    )
}

/// Resolves a Model, with the numbers that writes may count kept as said, or in the first way that each may be, and with
/// the document rewritten as said. Never fails: a pattern that makes no sense gets a finding and is left out.
pub(crate) fn resolve(model: &Model, keeping: &[Keeping], rewriting: Rewriting<'_>) -> Resolved {
    let mut remarks = Remarks::default();
    if model.patterns.is_empty() {
        remarks.findings.push(no_patterns());
    }
    for entity in &model.entities {
        if entity.attributes.len() > Attr::MOST {
            remarks.findings.push(
                Finding::new(
                    &rules::TOO_MANY_ATTRIBUTES,
                    entity.span,
                    format!("`{}` has {} attributes", entity.name, entity.attributes.len()),
                )
                .help(format!(
                    "group attributes that are used together into maps, until {} are left",
                    Attr::MOST
                )),
            );
        }
    }
    if !remarks.findings.is_empty() {
        let problem = Problem {
            entities: vec![],
            reads: vec![],
            writes: vec![],
            type_attribute: TYPE_ATTRIBUTES[0].to_owned(),
        };
        let (findings, assumptions) = (remarks.findings, remarks.assumptions);
        return Resolved { problem, findings, assumptions, countable: Vec::new() };
    }
    let mut entities = entities::resolve(model, &mut remarks);
    hold(&mut entities, rewriting.merges);
    note_copies(&mut entities, rewriting.copies);
    domains::assign(model, &mut entities);
    identity::note_made_up(model, &mut entities);
    unknown::report(model, &entities, &mut remarks);
    note_cycles(&entities, &mut remarks);
    for at in 0..entities.len() {
        entities[at].edge = links::is_edge(model, &entities, at);
    }
    let countable = countable::countable(model, &entities);
    let counters = counters::declare(model, &mut entities, keeping);
    writes::note_changes(model, &mut entities);
    buckets::declare(model, &mut entities, &mut remarks);
    let writes = writes::resolve(model, &entities, &counters, &mut remarks);
    let reads = reads::resolve(model, &entities, &counters, &mut remarks);
    assumed::note(model, &entities, &reads, &writes, &mut remarks);
    even_out(&mut entities, &reads);
    ranks::note(&mut entities, &reads);
    let taken = |name: &str| entities.iter().any(|entity| entity.named(name).is_some());
    let type_attribute =
        TYPE_ATTRIBUTES.into_iter().find(|name| !taken(name)).unwrap_or(TYPE_ATTRIBUTES[0]).to_owned();
    let mut problem = Problem { entities, reads, writes, type_attribute };
    buckets::settle(&mut problem);
    sifted::sift(&mut problem, rewriting.sifted);
    Resolved { problem, findings: remarks.findings, assumptions: remarks.assumptions, countable }
}

/// Lets numbers by which items lie in one list be written alike in keys.
fn even_out(entities: &mut [EntityFacts], reads: &[ReadFacts]) {
    for read in reads.iter().filter(|read| !read.interleaved.is_empty()) {
        let parts = || read.parts.iter().filter(|part| read.interleaved.contains(&part.entity));
        let numbers: Vec<(usize, Attr)> =
            parts().filter_map(|part| Some((part.entity, part.order.first()?.0))).collect();
        let most: Option<Vec<u64>> =
            numbers.iter().map(|(entity, number)| entities[*entity].attribute(*number).max).collect();
        let most = most.and_then(|most| most.into_iter().max());
        let ty = numbers.first().map(|(entity, number)| entities[*entity].attribute(*number).ty);
        for (entity, number) in numbers {
            let it = &mut entities[entity].attributes[number.index()];
            it.max = most;
            it.ty = ty.unwrap_or(it.ty);
        }
    }
}

/// Notes on every copy what it is a copy of. Nobody takes the identity of one twice: the originals keep it.
fn note_copies(entities: &mut [EntityFacts], copies: &[Copied]) {
    for copy in copies {
        let original = entities.iter().position(|entity| entity.name == copy.entity);
        if let Some(entity) = entities.iter_mut().find(|entity| entity.name == copy.name) {
            entity.copy_of = original;
            entity.generated = true;
        }
    }
}

/// Notes on every parent which children lie in its items.
fn hold(entities: &mut [EntityFacts], merges: &[Merge]) {
    for merge in merges {
        let Some(parent) = entities.iter_mut().find(|entity| entity.name == merge.parent) else { continue };
        let held = HeldEntity {
            name: merge.child.clone(),
            marker: merge.marker.as_deref().and_then(|name| parent.named(name)),
            attrs: merge.attributes.iter().filter_map(|name| parent.named(name)).collect(),
        };
        parent.held.push(held);
    }
}

/// Entities that are each other's parents.
fn note_cycles(entities: &[EntityFacts], remarks: &mut Remarks) {
    for start in 0..entities.len() {
        let mut reached: Vec<usize> = Vec::new();
        let mut next: Vec<usize> = needed_parents(&entities[start]).collect();
        next.retain(|parent| *parent != start);
        while let Some(at) = next.pop() {
            if !reached.contains(&at) {
                reached.push(at);
                next.extend(needed_parents(&entities[at]));
            }
        }
        // Reported once, at the first of them.
        if reached.contains(&start)
            && reached.iter().all(|other| start <= *other || !reaches(entities, *other, start))
        {
            remarks.findings.push(
                Finding::new(
                    &rules::PARENT_CYCLE,
                    entities[start].span,
                    format!("{} is its own parent through a cycle of references", entities[start].name),
                )
                .help("remove one of the references, or make it optional"),
            );
        }
    }
}

/// The parents without which an item can't come to be: one that it may lack can come later.
fn needed_parents(entity: &EntityFacts) -> impl Iterator<Item = usize> {
    let needed = |link: &&ParentLink| link.via.iter().all(|attr| !entity.attribute(*attr).optional);
    entity.parents.iter().filter(needed).map(|link| link.parent)
}

fn reaches(entities: &[EntityFacts], from: usize, to: usize) -> bool {
    let mut reached = vec![false; entities.len()];
    let mut next = vec![from];
    while let Some(at) = next.pop() {
        for parent in needed_parents(&entities[at]) {
            if parent == to {
                return true;
            }
            if !std::mem::replace(&mut reached[parent], true) {
                next.push(parent);
            }
        }
    }
    false
}

/// The names for the attribute that tells item types apart: the first that no entity uses.
const TYPE_ATTRIBUTES: [&str; 3] = ["type", "_type", "_itemType"];

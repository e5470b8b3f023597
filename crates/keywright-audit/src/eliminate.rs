//! Entities summed out one after the other: what the subtree of each costs at least, for every interface of those that
//! are left. Every entry of a certificate is compared with what is found here.

use std::collections::{BTreeMap, BTreeSet};

use keywright_dynamodb::Money;
use keywright_model::certificate::{Bound, Elimination};

use crate::Refusal;
use crate::component::Unconfirmed;
use crate::price::{Place, Priced};
use crate::space::Space;

/// Larger tables than this are not made.
const MOST_ENTRIES: usize = 5_000_000;

/// What a subtree costs at least for each choice of layouts of some entities; the last of them runs fastest.
struct Summed {
    with: Vec<usize>,
    table: Vec<Option<i128>>,
}

/// Layouts of each entity.
type Domains = BTreeMap<usize, Vec<Priced>>;

impl Space<'_> {
    /// The least price of a component over some layouts of each entity, of which those that are listed come first; none
    /// where nothing fits together. Refuses entries that are not the least of these layouts.
    pub(crate) fn sum_out(
        &self,
        component: &[usize],
        claim: &Bound,
        listed: &Domains,
        domains: &Domains,
    ) -> Result<Option<i128>, Unconfirmed> {
        let order: BTreeSet<usize> = claim.elimination.iter().map(|it| it.entity).collect();
        if claim.elimination.len() != component.len() || order != component.iter().copied().collect() {
            return Err(Refusal::Malformed.into());
        }
        let mut reads = self.reads_of(component);
        let mut sums: Vec<Summed> = Vec::new();
        let mut total: Option<i128> = Some(0);
        for step in &claim.elimination {
            let entity = step.entity;
            let tied = |read: &usize| self.proof.shared[*read].parts.iter().any(|part| part.0 == entity);
            let mine: Vec<usize> = reads.iter().copied().filter(tied).collect();
            reads.retain(|read| !tied(read));
            let (below, others): (Vec<Summed>, Vec<Summed>) =
                sums.into_iter().partition(|it| it.with.contains(&entity));
            sums = others;
            let parts = mine.iter().flat_map(|read| self.proof.shared[*read].parts.iter().map(|it| it.0));
            let left = parts.chain(below.iter().flat_map(|it| it.with.iter().copied()));
            let left: BTreeSet<usize> = left.filter(|it| *it != entity).collect();
            if left != step.with.iter().copied().collect() || left.len() != step.with.len() {
                return Err(Refusal::Malformed.into());
            }
            let summed = self.step(step, &mine, &below, domains)?;
            self.compare(step, &summed, listed, domains)?;
            if step.with.is_empty() {
                total = total.zip(summed.table[0]).map(|(total, more)| total + more);
            } else {
                sums.push(summed);
            }
        }
        Ok(total)
    }

    /// Sums one entity out.
    fn step(
        &self,
        step: &Elimination,
        reads: &[usize],
        below: &[Summed],
        domains: &Domains,
    ) -> Result<Summed, Unconfirmed> {
        let sizes: Vec<usize> = step.with.iter().map(|entity| domains[entity].len()).collect();
        let own = &domains[&step.entity];
        let entries = sizes.iter().try_fold(1usize, |all, size| all.checked_mul(*size));
        let entries = entries.filter(|it| it.saturating_mul(own.len()) <= MOST_ENTRIES);
        let entries = entries.ok_or_else(|| Unconfirmed::TooLarge { entity: self.name(step.entity) })?;
        let mut table = Vec::with_capacity(entries);
        for entry in 0..entries {
            let mut picked: BTreeMap<usize, usize> = BTreeMap::new();
            let mut rest = entry;
            for (entity, size) in step.with.iter().zip(&sizes).rev() {
                picked.insert(*entity, rest % size);
                rest /= size;
            }
            let prices = (0..own.len()).filter_map(|at| {
                picked.insert(step.entity, at);
                let of = |entity: usize| &domains[&entity][picked[&entity]];
                let mut sum = own[at].pico;
                for read in reads {
                    let parts = self.proof.shared[*read].parts.iter();
                    let places: Vec<Place> =
                        parts.map(|(entity, demand)| self.place(*entity, *demand, of(*entity))).collect();
                    sum += self.together(*read, &places)?;
                }
                for other in below {
                    let at = other.with.iter().fold(0, |at, it| at * domains[it].len() + picked[it]);
                    sum += other.table[at]?;
                }
                Some(sum)
            });
            table.push(prices.min());
        }
        Ok(Summed { with: step.with.clone(), table })
    }

    /// Every interface that is listed has its entry, and what that says is so.
    fn compare(
        &self,
        step: &Elimination,
        summed: &Summed,
        listed: &Domains,
        domains: &Domains,
    ) -> Result<(), Refusal> {
        let many: usize = step.with.iter().map(|entity| listed[entity].len()).product();
        let beside: BTreeSet<&Vec<usize>> = step.table.iter().map(|entry| &entry.beside).collect();
        if beside.len() != many || step.table.len() != many {
            return Err(Refusal::Malformed);
        }
        for entry in &step.table {
            let known = |(at, entity): (&usize, &usize)| *at < listed[entity].len();
            if entry.beside.len() != step.with.len() || !entry.beside.iter().zip(&step.with).all(known) {
                return Err(Refusal::Malformed);
            }
            let picked = entry.beside.iter().zip(&step.with);
            let at = picked.fold(0, |at, (picked, entity)| at * domains[entity].len() + picked);
            if summed.table[at] != entry.least.map(Money::pico) {
                return Err(Refusal::Subtree {
                    entity: self.name(step.entity),
                    claimed: entry.least,
                    real: summed.table[at].map(Money::from_pico),
                });
            }
        }
        Ok(())
    }
}

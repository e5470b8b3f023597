//! The cheapest layouts of all components together, before they are given GSIs.

use std::sync::Arc;

use super::super::Counts;
use super::super::component::{Bans, Component, Solution, tidy};
use super::super::layout::Layout;
use super::super::limits::Limits;
use super::Search;
use super::parting::Without;
use crate::cost::Cost;
use crate::threads::each;

/// Fewer components than this are solved faster by one thread.
pub(super) const WORTH_THREADS: usize = 8;

/// The cheapest layouts together.
pub(super) struct Joint {
    /// For each component the position of what was found.
    pub(super) picks: Vec<usize>,
    pub(super) cost: Cost,
    /// The most indexes of each kind that an entity has.
    pub(super) used: Counts,
    /// Nothing within the same limits is cheaper.
    pub(super) bound: i128,
}

impl Search<'_, '_> {
    /// The cheapest layouts within the limits and without what is ruled out; none where there are none.
    pub(super) fn within(&mut self, limits: Limits, without: &Without) -> Option<Joint> {
        let bans = self.bans(without);
        let mut components = std::mem::take(&mut self.components);
        let setting = self.setting();
        let unknown = components
            .iter_mut()
            .zip(&bans)
            .filter(|(component, bans)| component.known(setting.tasks, limits, bans).is_none());
        each(unknown.collect(), WORTH_THREADS, |(component, bans)| component.solve(setting, limits, bans));
        self.components = components;
        if without.is_empty() && !self.solved.contains(&limits) {
            self.solved.push(limits);
        }
        let mut joint = Joint {
            picks: Vec::with_capacity(bans.len()),
            cost: Cost::ZERO,
            used: Counts::default(),
            bound: 0,
        };
        for (component, bans) in self.components.iter().zip(&bans) {
            let at = component.known(self.tasks, limits, bans).expect("it was just solved");
            let solved = component.solved(at);
            let solution = solved.solution.as_ref().ok()?;
            joint.picks.push(at);
            joint.cost += solution.cost;
            joint.bound = joint.bound.saturating_add(solved.bound);
            for (kind, used) in joint.used.iter_mut().enumerate() {
                *used = (*used).max(solution.used[kind]);
            }
        }
        Some(joint)
    }

    /// What is ruled out for each component.
    pub(super) fn bans(&self, without: &Without) -> Vec<Bans> {
        let setting = self.setting();
        let of = |component: &Component| {
            let own = without.bans.iter().filter(|(entity, _)| component.entities.contains(entity));
            let mut bans: Bans = own.copied().chain(component.without(setting, &without.lists)).collect();
            tidy(&mut bans);
            bans
        };
        self.components.iter().map(of).collect()
    }

    /// What was found for each component.
    pub(super) fn solutions<'j>(&'j self, joint: &'j Joint) -> impl Iterator<Item = &'j Solution> {
        self.picked(&joint.picks)
    }

    /// What was found for each component at its position.
    pub(super) fn picked<'j>(&'j self, picks: &'j [usize]) -> impl Iterator<Item = &'j Solution> {
        self.components.iter().zip(picks).map(|(component, at)| {
            component.solved(*at).solution.as_ref().expect("only what has a solution is picked")
        })
    }

    /// The layouts of the table's entities, in their order.
    pub(super) fn layouts(&self, picks: &[usize]) -> Vec<Arc<Layout>> {
        let mut layouts: Vec<(usize, Arc<Layout>)> = Vec::with_capacity(self.table.len());
        for (component, solution) in self.components.iter().zip(self.picked(picks)) {
            layouts.extend(component.entities.iter().copied().zip(solution.layouts.iter().cloned()));
        }
        layouts.sort_unstable_by_key(|(entity, _)| *entity);
        layouts.into_iter().map(|(_, layout)| layout).collect()
    }
}

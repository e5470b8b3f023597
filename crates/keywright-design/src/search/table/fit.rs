//! Whether layouts fit into so many GSIs, and the best design of those that do.

use std::collections::BTreeMap;
use std::sync::Arc;

use keywright_dynamodb::limits::GLOBAL_SECONDARY_INDEXES;

use super::super::component::shared_reads;
use super::super::graph::{MOST_STEPS, least_colouring};
use super::super::grouping::{fixed, groups};
use super::super::layout::Layout;
use super::super::lists::ListUse;
use super::super::native;
use super::super::tied::cooled;
use super::super::total::{Answer, Proof};
use super::super::{Apart, Colouring, Counts, Group, Present, colour, colour_beside};
use super::Search;
use super::joint::Joint;
use crate::cost::{Cost, ReadPrice};

/// The best design so far.
pub(super) struct Best {
    picks: Vec<usize>,
    counts: Counts,
    pub(super) cost: Cost,
}

/// The GSIs that layouts need.
pub(super) struct Fit {
    pub(super) counts: Counts,
    /// Some shared read ties indexes together that no GSI can hold together.
    pub(super) torn: bool,
    /// Whether fewer would do was decided.
    pub(super) exact: bool,
    /// Nothing but lists decides how many GSIs with lists there are.
    pub(super) by_lists: bool,
}

impl Search<'_, '_> {
    /// Counts the GSIs that layouts need, and keeps the design if it is the cheapest so far.
    pub(super) fn offer(&mut self, joint: &Joint) -> Option<Fit> {
        let fit = self.fit(joint)?;
        let used: usize = fit.counts.iter().sum();
        self.fewest = self.fewest.min(used);
        if used > GLOBAL_SECONDARY_INDEXES || fit.torn {
            return Some(fit);
        }
        let new = used - self.present.len();
        let cost = joint.cost + Cost::operational(self.index_price * new as i128);
        let so_far = self.frontier.entry(used).or_insert(cost);
        if cost.total() < so_far.total() {
            *so_far = cost;
        }
        let better = self
            .best
            .as_ref()
            .is_none_or(|best| (cost.total(), used) < (best.cost.total(), best.counts.iter().sum()));
        if better {
            self.best = Some(Best { picks: joint.picks.clone(), counts: fit.counts, cost });
        }
        Some(fit)
    }

    /// The GSIs that layouts need. Indexes of different components meet in lists alone, so that each component has
    /// counted the others for itself.
    pub(super) fn fit(&mut self, joint: &Joint) -> Option<Fit> {
        let torn = self.solutions(joint).any(|it| it.tied.as_ref().is_some_and(|tied| tied.torn.is_some()));
        let lists_tied = self.solutions(joint).any(|it| it.tied.as_ref().is_some_and(|tied| tied.lists_tied));
        if torn || lists_tied || self.native || self.existing.is_some() {
            let (_, colouring) = self.coloured(&joint.picks)?;
            let (torn, exact) = (colouring.torn.is_some(), colouring.exact);
            return Some(Fit { counts: colouring.counts, torn, exact, by_lists: false });
        }
        let mut fit = Fit { counts: joint.used, torn: false, exact: true, by_lists: true };
        for tied in self.solutions(joint).filter_map(|it| it.tied.as_ref()) {
            fit.exact &= tied.exact;
            for kind in 0..2 {
                fit.counts[kind] = fit.counts[kind].max(tied.counts[kind]);
            }
        }
        let uses = self.list_uses(joint);
        let (_, colours, exact) = least_colouring(&self.lists.conflicts(&uses), MOST_STEPS);
        fit.counts[2] = colours;
        fit.exact &= exact;
        Some(fit)
    }

    /// The kinds of lists that layouts use, each as often as some entity has it.
    pub(super) fn list_uses(&self, joint: &Joint) -> Vec<ListUse> {
        let mut most: BTreeMap<usize, usize> = BTreeMap::new();
        for (kind, uses) in self.solutions(joint).flat_map(|it| &it.lists) {
            let so_far = most.entry(*kind).or_default();
            *so_far = (*so_far).max(*uses);
        }
        most.into_iter().flat_map(|(kind, most)| (1..=most).map(move |nth| (kind, nth))).collect()
    }

    /// The groups of some layouts, with a GSI for each.
    pub(super) fn coloured(&self, picks: &[usize]) -> Option<(Vec<Group>, Colouring)> {
        let layouts = self.layouts(picks);
        let reads: Vec<usize> = shared_reads(self.problem).collect();
        let groups = groups(self.problem, self.tasks, &reads, &self.table, &layouts);
        let of: BTreeMap<usize, &Layout> =
            self.table.iter().copied().zip(layouts.iter().map(Arc::as_ref)).collect();
        let candidate = |member: &(usize, usize)| of[&member.0].indexes[member.1];
        let apart = |one: &Group, other: &Group| !native::is_same(self.tasks, &candidate, one, other);
        let apart: Option<&Apart<'_>> = if self.native { Some(&apart) } else { None };
        let colouring = match self.existing {
            None => colour(self.problem, &groups, apart),
            Some(existing) => {
                let fixed = fixed(self.tasks, &self.table, &layouts, existing, &self.present, &groups)?;
                // Blocks that are read together are put in order among themselves, not among strangers.
                let kept_out = |group: &Group, present: &Present| {
                    let (entity, _) = group.members[0];
                    let path = &self.tasks[entity].candidates.indexes[candidate(&group.members[0])].path;
                    let under =
                        || existing.under(self.problem, entity, path.partition_set(), Some(present.number));
                    group.members.len() > 1 && under().is_some()
                };
                colour_beside(self.problem, &groups, apart, &self.present, &fixed, &kept_out)?
            }
        };
        Some((groups, colouring))
    }

    /// The best design as an answer.
    pub(super) fn answer(&self) -> Option<Answer> {
        let best = self.best.as_ref()?;
        let (groups, colouring) = self.coloured(&best.picks)?;
        let mut shared: Vec<(usize, ReadPrice)> =
            self.picked(&best.picks).flat_map(|it| it.shared.iter().copied()).collect();
        shared.sort_by_key(|(read, _)| *read);
        debug_assert_eq!(colouring.counts, best.counts, "indexes are counted in one way");
        let mut groups = groups;
        let mut layouts: Vec<Layout> = Vec::with_capacity(self.table.len());
        for (entity, layout) in self.table.iter().zip(self.layouts(&best.picks)) {
            let Some((layout, positions)) = cooled(&self.tasks[*entity], &layout) else {
                layouts.push(Layout::clone(&layout));
                continue;
            };
            layouts.push(layout);
            let members = groups.iter_mut().flat_map(|group| &mut group.members);
            members.filter(|(it, _)| it == entity).for_each(|(_, at)| *at = positions[*at]);
        }
        Some(Answer {
            layouts,
            shared,
            groups,
            colours: colouring.colours,
            counts: best.counts,
            cost: best.cost,
            proof: Proof { lower_bound: 0, layouts: 0 },
            tables: Vec::new(),
            paid: None,
            frontier: self.frontier.iter().map(|(used, cost)| (*used, *cost)).collect(),
        })
    }
}

//! Parts of the space, and how a part whose layouts do not fit into so few GSIs is parted further.

use std::collections::BTreeMap;

use super::super::component::Bans;
use super::super::layout::Layout;
use super::super::limits::Numbers;
use super::super::lists::{ListUse, Lists};
use super::super::open::Ban;
use super::super::removal::cheapest_removal;
use super::super::{Choice, Group};
use super::Search;
use super::joint::{Joint, WORTH_THREADS};
use crate::demand::Source;
use crate::threads::each;

/// What is ruled out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Without {
    /// Kinds of lists of which no entity has more than so many.
    pub(super) lists: Vec<(usize, usize)>,
    /// What single entities do not have.
    pub(super) bans: Bans,
}

impl Without {
    /// No list at all.
    pub(super) fn all_lists(lists: &Lists<'_>) -> Self {
        Without { lists: (0..lists.count()).map(|kind| (kind, 0)).collect(), bans: Bans::new() }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.lists.is_empty() && self.bans.is_empty()
    }

    /// Whether a use of a list is ruled out.
    pub(super) fn rules_out(&self, (kind, nth): ListUse) -> bool {
        self.lists.iter().any(|(it, most)| *it == kind && nth > *most)
    }

    /// Rules a use of a list out, and with it all later uses.
    pub(super) fn rule_out(&mut self, (kind, nth): ListUse) {
        match self.lists.iter_mut().find(|(it, _)| *it == kind) {
            Some((_, most)) => *most = (*most).min(nth - 1),
            None => self.lists.push((kind, nth - 1)),
        }
        self.lists.sort_unstable();
    }
}

/// A part of the space: numbers of indexes, what is ruled out, and uses of lists that some entity has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Part {
    pub(super) numbers: Numbers,
    pub(super) without: Without,
    pub(super) there: Vec<ListUse>,
}

impl Default for Part {
    fn default() -> Self {
        Part { numbers: Numbers::up_to(0), without: Without::default(), there: Vec::new() }
    }
}

/// Parts that are still to be searched, the most promising first, then in the order in which they came.
#[derive(Default)]
pub(super) struct Queue {
    parts: BTreeMap<(i128, usize), Part>,
    came: usize,
}

impl Queue {
    pub(super) fn push(&mut self, least: i128, part: Part) {
        self.parts.insert((least, self.came), part);
        self.came += 1;
    }

    pub(super) fn pop(&mut self) -> Option<(i128, Part)> {
        self.parts.pop_first().map(|((least, _), part)| (least, part))
    }

    fn has(&self, part: &Part) -> bool {
        self.parts.values().any(|it| it == part)
    }
}

impl Search<'_, '_> {
    /// Parts a part whose lists need too many GSIs: a use of a list is missing, or it is there. What being without
    /// lists costs each component at least bounds both.
    pub(super) fn part_lists(
        &mut self,
        bound: i128,
        part: Part,
        joint: &Joint,
        queue: &mut Queue,
    ) -> Option<i128> {
        let uses = self.list_uses(joint);
        let losses = self.losses(joint);
        let (least, removed) = self.without_lists(&part, joint, &uses, &losses)?;
        let bound = bound.max(least);
        if self.beaten(part.numbers.sum, bound) {
            return None;
        }
        // The cheapest of what could go first: that it is there costs most.
        let price = |it: &&ListUse| (losses.get(*it).copied().unwrap_or(0), **it);
        let Some(pivot) = removed.iter().min_by_key(price).copied() else { return Some(bound) };
        // All of it gone at once is a design, and often the best.
        let mut all = part.without.clone();
        removed.iter().for_each(|it| all.rule_out(*it));
        if let Some(limits) = part.numbers.limits()
            && let Some(joint) = self.within(limits, &all)
        {
            self.offer(&joint);
        }
        let mut there = part.clone();
        there.there.extend((1..=pivot.1).map(|nth| (pivot.0, nth)));
        there.there.sort_unstable();
        there.there.dedup();
        if let Some((least, _)) = self.without_lists(&there, joint, &uses, &losses) {
            queue.push(bound.max(least), there);
        }
        let mut missing = part;
        missing.without.rule_out(pivot);
        queue.push(bound, missing);
        None
    }

    /// What being without each use of a list costs at least, over all components.
    fn losses(&mut self, joint: &Joint) -> BTreeMap<ListUse, i128> {
        let mut components = std::mem::take(&mut self.components);
        let setting = self.setting();
        let picked = components.iter_mut().zip(joint.picks.iter().copied());
        each(picked.collect(), WORTH_THREADS, |(component, at)| {
            component.losses(setting, at);
        });
        let mut losses: BTreeMap<ListUse, i128> = BTreeMap::new();
        for (component, at) in components.iter_mut().zip(&joint.picks) {
            for (it, price) in component.losses(setting, *at) {
                *losses.entry(*it).or_default() += price;
            }
        }
        self.components = components;
        losses
    }

    /// What a part costs at least, over all numbers of GSIs for lists, and the uses of lists that are gone then; none
    /// where those that are there already are too many.
    fn without_lists(
        &mut self,
        part: &Part,
        joint: &Joint,
        uses: &[ListUse],
        losses: &BTreeMap<ListUse, i128>,
    ) -> Option<(i128, Vec<ListUse>)> {
        let mut all: Vec<ListUse> = uses.iter().chain(&part.there).copied().collect();
        all.sort_unstable();
        all.dedup();
        let edges = self.lists.conflicts(&all);
        let prices: Vec<Option<i128>> = all
            .iter()
            .map(|it| (!part.there.contains(it)).then(|| losses.get(it).copied().unwrap_or(0)))
            .collect();
        let limits = part.numbers.limits()?;
        let mut best: Option<(i128, Vec<ListUse>)> = None;
        for lists in (part.numbers.least(2)..=limits.of_kind(2)).rev() {
            let Some(removal) = cheapest_removal(&edges, &prices, lists) else { break };
            let running = self.running(&part.numbers.with_at_least(2, lists));
            let least = joint.bound + removal.least + running;
            if best.as_ref().is_none_or(|(best, _)| least < *best) {
                best = Some((least, removal.removed.iter().map(|at| all[*at]).collect()));
            }
            // With fewer GSIs no less is gone.
            let fewest = joint.bound + removal.least + self.running(&part.numbers);
            if best.as_ref().is_some_and(|(best, _)| *best <= fewest) {
                break;
            }
        }
        best
    }

    /// Parts a part whose groups need too many GSIs of a kind, or of which one fits in none.
    pub(super) fn part_groups(
        &mut self,
        bound: i128,
        part: &Part,
        joint: &Joint,
        kind: Option<usize>,
        queue: &mut Queue,
    ) -> Option<i128> {
        // Native indexes are each their own, and those of a table that exists are there whatever is chosen.
        let counted = !self.native && self.existing.is_none();
        let Some((groups, colouring)) = self.coloured(&joint.picks) else { return Some(bound) };
        let witness = match (colouring.torn, kind) {
            (Some(torn), _) => vec![torn],
            (None, Some(kind)) if counted && colouring.exact => colouring.witness[kind].clone(),
            (None, _) => return Some(bound),
        };
        let layouts = self.layouts(&joint.picks);
        for ban in self.partings(&groups, &witness, &layouts) {
            let mut part = part.clone();
            part.without.bans.push(ban);
            part.without.bans.sort_unstable();
            part.without.bans.dedup();
            if !queue.has(&part) {
                queue.push(bound, part);
            }
        }
        None
    }

    /// What could be missing of groups that are one too many: one of their indexes, or the use that a shared read makes
    /// of it.
    fn partings(&self, groups: &[Group], some: &[usize], layouts: &[std::sync::Arc<Layout>]) -> Bans {
        let mut bans = Vec::new();
        for (one, (entity, position)) in
            some.iter().flat_map(|group| groups[*group].members.iter().map(|it| (&groups[*group], it)))
        {
            let layout = &layouts[self.table.binary_search(entity).expect("the table's entities ascend")];
            let index = layout.indexes[*position];
            bans.push((*entity, Ban::Index(index)));
            if one.members.len() < 2 {
                continue;
            }
            let task = &self.tasks[*entity];
            for (demand, service) in layout.services.iter().enumerate() {
                let shared = matches!(task.demands[demand].source, Source::Shared { .. });
                if shared && matches!(&service.choice, Choice::Index(used, _) if *used == index) {
                    bans.push((*entity, Ban::Place { demand, index }));
                }
            }
        }
        bans
    }
}

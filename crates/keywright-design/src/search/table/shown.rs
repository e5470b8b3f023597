//! What is written down of a search, for those who check it.
//!
//! Whoever checks it knows for each number of indexes the best bound that is written down. Where that is too low because
//! INCLUDE lists can't share so few GSIs, a crowd of them is named, and what is known without each of them is written down.

use keywright_dynamodb::limits::GLOBAL_SECONDARY_INDEXES;

use super::super::Counts;
use super::super::graph::{MOST_STEPS, clique, critical, least_colouring};
use super::super::limits::Limits;
use super::super::lists::{ListUse, Lists};
use super::super::open::Ban;
use super::super::total::{Known, Shown, Unshown};
use super::Search;
use super::joint::Joint;
use super::parting::Without;

/// Parts of the space are written down no more often than this.
const MOST_PARTS: usize = 150;
/// More lists than this are no crowd that somebody else would look at.
const MOST_IN_A_CROWD: usize = 8;

/// Every number of indexes of each kind that a table can have.
fn vectors() -> impl Iterator<Item = Counts> {
    let most = GLOBAL_SECONDARY_INDEXES;
    (0..=most).flat_map(move |all| {
        (0..=most - all).flat_map(move |keys| (0..=most - all - keys).map(move |lists| [all, keys, lists]))
    })
}

/// What is written down so far.
#[derive(Default)]
struct Written {
    parts: Vec<Known>,
    crowds: Vec<Crowd>,
    /// Parts that were looked at.
    tried: usize,
}

/// Lists that can't all be there with fewer GSIs than they need.
#[derive(Clone)]
struct Crowd {
    uses: Vec<ListUse>,
    needed: usize,
}

impl Written {
    /// What nothing with such numbers and without these lists is cheaper than, as whoever checks it will find; none where
    /// there is nothing.
    fn least(&self, lists: &Lists<'_>, counts: Counts, without: &Without) -> Option<i128> {
        let is_gone = |(entity, ban): &(usize, Ban)| match ban {
            Ban::List { list, most } => without.rules_out((lists.kind(*entity, *list), most + 1)),
            Ban::Index(_) | Ban::Place { .. } => false,
        };
        let components = self.parts.first().map_or(0, |it| it.components.len());
        let best = |at: usize| {
            let within = self.parts.iter().filter(|part| part.limits.allow(counts));
            let mut here = within.map(|part| &part.components[at]).filter(|it| it.bans.iter().all(is_gone));
            here.try_fold(0, |best: i128, it| Some(best.max(it.least?)))
        };
        (0..components).map(best).sum()
    }
}

impl Search<'_, '_> {
    /// What was found within those limits that bound some numbers of indexes best, as far as it takes to show that
    /// nothing costs less than `target`.
    pub(super) fn shown(&mut self, target: i128) -> Result<Shown, Unshown> {
        let mut written = Written::default();
        if !self.write(Limits::ANY, &Without::default(), &mut written) {
            return Err(Unshown::Stopped);
        }
        let mut least = target;
        for counts in vectors() {
            let present = self.present_counts();
            let new = counts.iter().zip(present).map(|(all, present)| all.saturating_sub(present));
            let running = self.index_price.pico() * new.sum::<usize>() as i128;
            let found = self.show(counts, &Without::default(), target - running, &mut written);
            least = found.map_or(least, |found| least.min(found + running));
        }
        let uses = |crowd: &[ListUse]| crowd.iter().map(|it| self.lists.value(*it)).collect();
        Ok(Shown {
            crowds: written.crowds.iter().map(|crowd| uses(&crowd.uses)).collect(),
            known: written.parts,
            least,
        })
    }

    /// Writes down what it takes to show that nothing with such numbers of indexes and without these lists costs less than
    /// `target`; gives what that shows, none where there is nothing.
    fn show(
        &mut self,
        counts: Counts,
        without: &Without,
        target: i128,
        written: &mut Written,
    ) -> Option<i128> {
        let least = written.least(&self.lists, counts, without)?;
        if least >= target || written.tried >= MOST_PARTS {
            return Some(least);
        }
        if without.is_empty()
            && let Some(limits) = self.best_solved(counts, least)
            && self.write(limits, without, written)
        {
            let least = written.least(&self.lists, counts, without)?;
            if least >= target {
                return Some(least);
            }
        }
        // The first of them, as whoever checks it takes that one too.
        let there =
            |crowd: &&Crowd| counts[2] < crowd.needed && !crowd.uses.iter().any(|it| without.rules_out(*it));
        let known = written.crowds.iter().find(there).cloned();
        let crowd = known.or_else(|| {
            written.tried += 1;
            let limits = Limits::exactly(counts);
            let joint = self.within(limits, without).filter(|joint| joint.bound < target);
            let crowd = joint.and_then(|joint| self.crowd(&joint, counts[2]));
            match &crowd {
                Some(crowd) => written.crowds.push(crowd.clone()),
                None => {
                    self.write(limits, without, written);
                }
            }
            crowd
        });
        let whole = written.least(&self.lists, counts, without)?;
        let Some(crowd) = crowd else { return Some(whole) };
        // One of them is missing.
        let mut least: Option<i128> = None;
        for it in crowd.uses {
            let mut without = without.clone();
            without.rule_out(it);
            let found = self.show(counts, &without, target, written);
            least = least.into_iter().chain(found).min();
        }
        least.map(|least| least.max(whole))
    }

    /// The limits of those within which everything was solved that bound such numbers best, if better than known.
    fn best_solved(&self, counts: Counts, known: i128) -> Option<Limits> {
        let least = |limits: &Limits| -> Option<i128> {
            self.components.iter().map(|it| it.least(self.tasks, *limits, &[])).sum()
        };
        let covering = self.solved.iter().filter(|limits| limits.allow(counts));
        // None, for what is impossible, bounds better than any price.
        let ranked = covering.map(|limits| (least(limits), *limits));
        let best = ranked.max_by_key(|(least, _)| (least.is_none(), *least))?;
        best.0.is_none_or(|least| least > known).then_some(best.1)
    }

    /// Lists of a solution that need more than so many GSIs, where nothing but lists decides that.
    fn crowd(&mut self, joint: &Joint, few: usize) -> Option<Crowd> {
        let fit = self.fit(joint).filter(|fit| fit.by_lists && fit.exact && !fit.torn)?;
        if fit.counts[2] <= few {
            return None;
        }
        let uses = self.list_uses(joint);
        let edges = self.lists.conflicts(&uses);
        let (mut crowd, mut needed) = (clique(&edges), few + 1);
        crowd.truncate(needed);
        if crowd.len() < needed {
            (_, needed, _) = least_colouring(&edges, MOST_STEPS);
            crowd = critical(&edges, needed);
        }
        let uses: Vec<ListUse> = crowd.into_iter().map(|at| uses[at]).collect();
        (uses.len() <= MOST_IN_A_CROWD).then_some(Crowd { uses, needed })
    }

    /// Writes down what is known within limits and without some lists; false where the search was stopped.
    fn write(&mut self, limits: Limits, without: &Without, written: &mut Written) -> bool {
        self.within(limits, without);
        let bans = self.bans(without);
        let mut components = std::mem::take(&mut self.components);
        let setting = self.setting();
        let each = components.iter_mut().zip(&bans).map(|(it, bans)| it.shown(setting, limits, bans));
        let shown: Option<Vec<_>> = each.collect();
        self.components = components;
        let Some(components) = shown else { return false };
        written.parts.push(Known { limits, components });
        true
    }
}

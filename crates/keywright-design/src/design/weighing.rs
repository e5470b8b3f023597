//! What the search is asked: a problem's demands, priced, in a style, beside a table that may exist.

use std::collections::BTreeMap;

use keywright_model::Style;

use super::crowding;
use crate::candidate::{Candidates, candidates};
use crate::cost::MonthlyPrice;
use crate::demand::Demand;
use crate::existing::Existing;
use crate::form::Forms;
use crate::problem::Problem;
use crate::search::{Budget, EntityTask};
use crate::threads;

/// Fewer entities than this are looked at faster by one thread.
const WORTH_THREADS: usize = 16;

/// What each entity may ask of partitions that are too hot with what others ask, where that is limited.
pub(super) type Budgets = BTreeMap<usize, Vec<Budget>>;

/// A problem with all that decides what its layouts are and cost.
#[derive(Clone, Copy)]
pub(super) struct Weighing<'p> {
    pub(super) problem: &'p Problem,
    pub(super) month: &'p MonthlyPrice,
    pub(super) style: Style,
    pub(super) demands: &'p [Vec<Demand>],
    pub(super) existing: Option<&'p Existing<'p>>,
}

impl<'p> Weighing<'p> {
    /// All that may be chosen for each entity.
    pub(super) fn candidates(&self) -> Vec<Candidates> {
        let each_entity = self.demands.iter().enumerate().collect();
        let all = threads::each(each_entity, WORTH_THREADS, |(entity, demands)| {
            let all = candidates(self.problem, entity, demands);
            let all = all.in_form(self.problem, entity, self.forms(entity));
            match self.existing {
                Some(existing) => existing.restrict(entity, all),
                None => all,
            }
        });
        crowding::thinned(self, all)
    }

    /// What there is to decide for each entity among these candidates.
    pub(super) fn tasks<'a>(&self, all: &'a [Candidates]) -> Vec<EntityTask<'a>>
    where
        'p: 'a,
    {
        threads::each((0..self.demands.len()).collect(), WORTH_THREADS, |entity| self.task(all, entity))
    }

    /// The same within budgets.
    pub(super) fn tasks_within<'a>(&self, all: &'a [Candidates], budgets: &Budgets) -> Vec<EntityTask<'a>>
    where
        'p: 'a,
    {
        let mut tasks = self.tasks(all);
        for (entity, some) in budgets {
            tasks[*entity] = self.task(all, *entity).within(some.clone());
        }
        tasks
    }

    /// What there is to decide for one entity among these candidates.
    pub(super) fn task<'a>(&self, all: &'a [Candidates], entity: usize) -> EntityTask<'a>
    where
        'p: 'a,
    {
        let (demands, forms) = (&self.demands[entity], self.forms(entity));
        EntityTask::new(self.problem, self.month, self.style, forms, entity, demands, &all[entity])
            .extending(self.existing)
    }

    /// How an entity's keys become attributes.
    fn forms(&self, entity: usize) -> Forms {
        match self.existing {
            Some(existing) => existing.forms(self.problem, self.style, entity),
            None => Forms::of(self.problem, self.style, entity),
        }
    }
}

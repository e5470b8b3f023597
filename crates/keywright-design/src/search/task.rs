//! What there is to decide for one entity, and what each part of a decision costs.

use std::sync::Arc;
use std::time::Instant;

use keywright_dynamodb::Money;
use keywright_dynamodb::limits::GLOBAL_SECONDARY_INDEXES;
use keywright_model::{Rate, Style};

use super::budget::{Budget, Place};
use super::dominance::undominated;
use super::open::{may_be_hot, may_heat_base};
use super::options::{Choice, beside_indexes, index_fits, may_use_indexes};
use crate::candidate::{Candidates, IndexCandidate};
use crate::cost::{
    Cost, Entry, MonthlyPrice, ReadPlan, ReadPrice, Sizes, check_price, effect_price, entry_bytes,
    item_bytes, plain_bytes, storage_price, unique_price, uniqueness_bytes,
};
use crate::demand::Demand;
use crate::existing::Existing;
use crate::form::Forms;
use crate::plan::Fit;
use crate::problem::{CheckFacts, EffectFacts, EntityFacts, Problem, WriteFacts};

/// What there is to decide for one entity.
#[derive(Clone)]
pub(crate) struct EntityTask<'p> {
    pub(crate) problem: &'p Problem,
    pub(crate) month: &'p MonthlyPrice,
    pub(crate) style: Style,
    pub(crate) forms: Forms,
    pub(crate) entity: usize,
    pub(crate) demands: &'p [Demand],
    pub(crate) candidates: &'p Candidates,
    /// The writes that touch this entity, with what they do to it.
    pub(crate) effects: Vec<(&'p WriteFacts, &'p EffectFacts)>,
    checks: Vec<(&'p WriteFacts, &'p CheckFacts)>,
    /// The index candidates that may serve each demand; the same under every base placement.
    pub(super) index_fits: Vec<Vec<(usize, Arc<Fit>)>>,
    /// For each base placement and demand the ways to serve it without an index.
    without_index: Vec<Vec<Vec<Choice>>>,
    /// For each base placement, whether the table could become too hot.
    pub(super) hot_bases: Vec<bool>,
    /// The index candidates that no other makes superfluous, ascending.
    pub(super) weighed: Vec<usize>,
    /// For each index candidate and base placement, whether it could need shards.
    pub(super) hot: Vec<Vec<bool>>,
    base_sizes: Vec<Sizes>,
    index_sizes: Vec<Sizes>,
    /// What each index candidate costs beside its own entries.
    beside: Vec<Cost>,
    plain: u64,
    /// Bytes of the largest keys that indexes can add to an item.
    most_keys: u64,
    /// What it may ask of partitions that are too hot with what others ask.
    pub(super) budgets: Vec<Budget>,
    /// The table that the design extends.
    pub(crate) existing: Option<&'p Existing<'p>>,
    /// Places that are there where nothing tells this entity's items from others: the table (none), or an index.
    pub(crate) untold: Vec<Option<usize>>,
}

/// When to stop before the end.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Stop {
    pub(crate) at: Option<Instant>,
}

impl Stop {
    pub(crate) fn now(&self) -> bool {
        self.at.is_some_and(|at| Instant::now() >= at)
    }
}

impl<'p> EntityTask<'p> {
    pub(crate) fn new(
        problem: &'p Problem,
        month: &'p MonthlyPrice,
        style: Style,
        forms: Forms,
        entity: usize,
        demands: &'p [Demand],
        candidates: &'p Candidates,
    ) -> Self {
        let in_base = |path| Sizes::in_base(problem, entity, path, forms.base);
        let in_index = |index: &IndexCandidate| Sizes::in_index(problem, entity, &index.path, forms.index);
        let facts = &problem.entities[entity];
        let effects = problem.writes.iter().flat_map(|write| write.effects.iter().map(move |it| (write, it)));
        let checks = problem.writes.iter().flat_map(|write| write.checks.iter().map(move |it| (write, it)));
        let mut task = EntityTask {
            problem,
            month,
            style,
            forms,
            entity,
            demands,
            candidates,
            effects: effects.filter(|(_, it)| it.entity == entity).collect(),
            checks: checks.filter(|(_, it)| it.entity == entity).collect(),
            index_fits: demands
                .iter()
                .map(|demand| index_fits(facts, candidates, forms.index, demand))
                .collect(),
            base_sizes: candidates.bases.iter().map(in_base).collect(),
            index_sizes: candidates.indexes.iter().map(in_index).collect(),
            beside: vec![Cost::ZERO; candidates.indexes.len()],
            plain: plain_bytes(problem, entity),
            without_index: Vec::new(),
            hot_bases: Vec::new(),
            weighed: Vec::new(),
            hot: Vec::new(),
            most_keys: 0,
            budgets: Vec::new(),
            existing: None,
            untold: Vec::new(),
        };
        let each_base = 0..candidates.bases.len();
        let each_demand = 0..demands.len();
        let beside = |base: usize| each_demand.clone().map(|at| beside_indexes(&task, base, at)).collect();
        task.without_index = each_base.clone().map(beside).collect();
        task.most_keys = task.most_keys();
        task.hot_bases = each_base.map(|base| may_heat_base(&task, base)).collect();
        task.hot = (0..candidates.indexes.len()).map(|index| may_be_hot(&task, index)).collect();
        // An index is hot for good if it is under some base placement.
        let hot: Vec<bool> = task.hot.iter().map(|under| under.contains(&true)).collect();
        task.weighed = undominated(&task, &hot);
        task
    }

    /// The same with these prices of index candidates, beside their entries.
    pub(crate) fn priced(mut self, beside: Vec<Cost>) -> Self {
        self.beside = beside;
        self
    }

    /// The same within budgets: layouts that ask for more are none.
    pub(crate) fn within(mut self, budgets: Vec<Budget>) -> Self {
        self.budgets = budgets;
        let counts = |task: &Self, place: Place| {
            task.budgets.iter().any(|it| it.counts_reads() && it.speaks_of(task, place))
        };
        for base in 0..self.candidates.bases.len() {
            self.hot_bases[base] |= counts(&self, Place::Base(base));
        }
        let mut alike: Vec<bool> = Vec::with_capacity(self.candidates.indexes.len());
        for index in 0..self.candidates.indexes.len() {
            let hot = counts(&self, Place::Index(index));
            self.hot[index].iter_mut().for_each(|it| *it |= hot);
            // One that a budget speaks of is like no other.
            let special = self.budgets.iter().any(|it| it.speaks_of(&self, Place::Index(index)));
            alike.push(special || self.hot[index].contains(&true));
        }
        self.weighed = undominated(&self, &alike);
        self
    }

    /// The index candidates that no other makes superfluous, ascending.
    pub(crate) fn weighed(&self) -> &[usize] {
        &self.weighed
    }

    /// What an index candidate costs beside its own entries.
    pub(crate) fn beside(&self, index: usize) -> Cost {
        self.beside[index]
    }

    /// What all index candidates cost beside their own entries.
    pub(crate) fn all_beside(&self) -> Vec<Cost> {
        self.beside.clone()
    }

    /// The same in a table that exists.
    pub(crate) fn extending(mut self, existing: Option<&'p Existing<'p>>) -> Self {
        self.existing = existing;
        self.untold = existing.map_or_else(Vec::new, |existing| existing.untold(self.entity));
        self
    }

    pub(crate) fn facts(&self) -> &'p EntityFacts {
        &self.problem.entities[self.entity]
    }

    pub(crate) fn item_bytes(&self, base: usize, indexes: &[usize]) -> u64 {
        let sizes = indexes.iter().map(|index| self.index_sizes[*index]);
        item_bytes(self.plain, self.base_sizes[base], sizes)
    }

    pub(crate) fn entry_bytes(&self, base: usize, index: usize, item: u64) -> u64 {
        let candidate = &self.candidates.indexes[index];
        entry_bytes(
            self.problem,
            self.entity,
            candidate.projection,
            item,
            self.base_sizes[base],
            self.index_sizes[index],
        )
    }

    /// The price of serving a demand, for a given number of shards.
    pub(crate) fn price(
        &self,
        demand: &Demand,
        choice: &Choice,
        base: usize,
        item: u64,
        entry: u64,
        shards: u64,
    ) -> ReadPrice {
        let facts = self.facts();
        match choice {
            Choice::NotNeeded => ReadPrice::default(),
            Choice::Base(fit) => {
                let path = &self.candidates.bases[base];
                ReadPlan::new(facts, demand, path, fit, true, false, 1).price(self.month, demand, item, item)
            }
            Choice::Unique(set) => {
                let uniqueness = uniqueness_bytes(self.problem, self.entity, facts.unique[*set]);
                unique_price(self.month, demand, uniqueness, item)
            }
            Choice::Index(index, fit) => {
                let candidate = &self.candidates.indexes[*index];
                let fetch = !candidate.projection.holds(fit.wanted(&demand.part));
                let plan = ReadPlan::new(facts, demand, &candidate.path, fit, false, fetch, shards);
                plan.price(self.month, demand, entry, item)
            }
        }
    }

    pub(crate) fn entry(&self, index: usize, bytes: u64) -> Entry<'p> {
        let candidate = &self.candidates.indexes[index];
        Entry {
            path: &candidate.path,
            form: self.forms.index,
            projection: candidate.projection,
            bytes,
            beside: self.beside[index],
        }
    }

    /// Writes, checks and storage of an entity with these indexes.
    pub(super) fn upkeep(&self, base: usize, item: u64, entries: &[Entry<'_>]) -> Cost {
        let base = &self.candidates.bases[base];
        let mut cost = storage_price(self.problem, self.month, self.entity, base, item, entries);
        for (write, effect) in &self.effects {
            cost += effect_price(self.problem, self.month, write, effect, base, item, entries).cost;
        }
        for (write, _) in &self.checks {
            cost += check_price(self.month, write, item);
        }
        let facts = self.facts();
        let kept = if facts.counter || facts.copy_of.is_some() {
            self.month.operational.item_type
        } else {
            Money::ZERO
        };
        let lists = entries.iter().filter(|entry| entry.projection.kind() == 2).count() as i128;
        cost += entries.iter().map(|entry| entry.beside).sum::<Cost>();
        cost + Cost::operational(self.month.operational.include_list * lists + kept)
    }

    /// How often the writes check an item of this entity.
    pub(super) fn check_rates(&self) -> Vec<Rate> {
        self.checks.iter().map(|(write, _)| write.rate).collect()
    }

    /// A month of storing the entries of one index, in pico-dollars.
    pub(super) fn entry_storage(&self, base: usize, entry: &Entry<'_>) -> i128 {
        let base = &self.candidates.bases[base];
        let of = |entries: &[Entry<'_>]| {
            storage_price(self.problem, self.month, self.entity, base, 0, entries).bill.pico()
        };
        of(std::slice::from_ref(entry)) - of(&[])
    }

    /// A month of storing an index's keys in the items themselves, in pico-dollars.
    pub(super) fn key_storage(&self, index: usize) -> i128 {
        let of = |bytes: u64| self.month.storage(self.facts().count, 1_000_000, bytes).pico();
        of(self.key_bytes(index)) - of(0)
    }

    /// The ways to serve the demand at a position without an index, under this base placement.
    pub(super) fn without_index(&self, base: usize, at: usize) -> &[Choice] {
        &self.without_index[base][at]
    }

    /// The index candidates that may serve the demand at a position, with how, under this base placement.
    pub(super) fn on_indexes(&self, base: usize, at: usize) -> &[(usize, Arc<Fit>)] {
        if may_use_indexes(self, base, at) { &self.index_fits[at] } else { &[] }
    }

    /// The fewest and the most bytes that an item or an entry can have, under any layout.
    pub(super) fn bytes(&self) -> (u64, u64) {
        let bases = 0..self.candidates.bases.len();
        let least = |base: usize| {
            let item = self.item_bytes(base, &[]);
            let entries = (0..self.candidates.indexes.len()).map(|index| self.entry_bytes(base, index, item));
            entries.min().unwrap_or(item).min(item)
        };
        let few = bases.clone().map(least).min().unwrap_or(0);
        (few, bases.map(|base| self.largest_item(base)).max().unwrap_or(0))
    }

    /// The size of an item with the keys of as many indexes as a table can have.
    pub(super) fn largest_item(&self, base: usize) -> u64 {
        self.item_bytes(base, &[]) + self.most_keys
    }

    /// The bytes that an index's keys add to the item.
    pub(crate) fn key_bytes(&self, index: usize) -> u64 {
        self.item_bytes(0, &[index]) - self.item_bytes(0, &[])
    }

    /// The GSI that an index candidate is already; none for the table and for what would be new.
    pub(super) fn gsi(&self, index: usize) -> Option<usize> {
        self.existing.and_then(|existing| existing.index_number(self.entity, index))
    }

    /// The index candidates that are open already.
    pub(super) fn present(&self) -> Vec<usize> {
        (0..self.candidates.kept).collect()
    }

    fn most_keys(&self) -> u64 {
        if self.candidates.bases.is_empty() {
            return 0;
        }
        let mut keys: Vec<u64> =
            (0..self.candidates.indexes.len()).map(|index| self.key_bytes(index)).collect();
        keys.sort_unstable();
        keys.iter().rev().take(GLOBAL_SECONDARY_INDEXES.min(self.demands.len() + self.candidates.kept)).sum()
    }
}

//! Layouts of one entity: a base placement, a set of indexes, and how each demand is served.
//!
//! For a given number of indexes of each kind, the layouts that matter are those that no other beats in price and in
//! the bytes that shared reads see. They are found by assigning demands one by one, with a bound on what is left.

use std::collections::BTreeSet;
use std::time::Instant;

use keywright_dynamodb::Money;
use keywright_dynamodb::limits::ITEM_BYTES;
use keywright_model::Style;

use super::dual::{Way, ascend};
use super::options::{Choice, choices, is_bounded};
use super::{Counts, arrange};
use crate::candidate::{Candidates, IndexCandidate};
use crate::cost::{
    Cost, Entry, Load, MonthlyPrice, ReadPrice, Sizes, check_price, effect_price, entry_bytes, entry_writes,
    hottest_share, item_bytes, plain_bytes, plan_price, shards_for, storage_price, tolerates, unique_price,
    uniqueness_bytes,
};
use crate::demand::{Demand, Source};
use crate::existing::Existing;
use crate::form::{self, Form, Forms};
use crate::problem::{EntityFacts, Problem};

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
    base_sizes: Vec<Sizes>,
    /// What each index candidate costs beside its own entries.
    beside: Vec<Cost>,
    index_sizes: Vec<Sizes>,
    plain: u64,
    /// The table that the design extends.
    pub(crate) existing: Option<&'p Existing<'p>>,
}

/// A way to lay out one entity, with its exact price.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Layout {
    pub(crate) base: usize,
    /// The index candidates that are open, ascending.
    pub(crate) indexes: Vec<usize>,
    /// How each demand is served.
    pub(crate) services: Vec<Service>,
    /// Shards of each open index.
    pub(crate) shards: Vec<u64>,
    pub(crate) cost: Cost,
    pub(crate) counts: Counts,
    pub(crate) item_bytes: u64,
    /// Bytes of an entry of each open index.
    pub(crate) entry_bytes: Vec<u64>,
    /// Where each shared demand is served, in the order of the demands.
    pub(crate) shared: Vec<SharedPlace>,
}

/// How a demand is served.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Service {
    pub(crate) choice: Choice,
    pub(crate) price: ReadPrice,
}

/// Where a part of a shared read lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct SharedPlace {
    /// The kind of the index's projection; none for the table.
    pub(crate) kind: Option<usize>,
    pub(crate) bytes: u64,
    pub(crate) client_sort: bool,
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
        entity: usize,
        demands: &'p [Demand],
        candidates: &'p Candidates,
    ) -> Self {
        let forms = Forms::of(problem, style, entity);
        let in_base = |path| Sizes::in_base(problem, entity, path, forms.base);
        let in_index = |index: &IndexCandidate| Sizes::in_index(problem, entity, &index.path, forms.index);
        EntityTask {
            problem,
            month,
            style,
            forms,
            entity,
            demands,
            candidates,
            base_sizes: candidates.bases.iter().map(in_base).collect(),
            index_sizes: candidates.indexes.iter().map(in_index).collect(),
            beside: vec![Cost::ZERO; candidates.indexes.len()],
            plain: plain_bytes(problem, entity),
            existing: None,
        }
    }

    /// The same with these prices of index candidates, beside their entries.
    pub(crate) fn priced(mut self, beside: Vec<Cost>) -> Self {
        self.beside = beside;
        self
    }

    /// What an index candidate costs beside its own entries.
    pub(crate) fn beside(&self, index: usize) -> Cost {
        self.beside[index]
    }

    /// The same in a table that exists.
    pub(crate) fn extending(mut self, existing: Option<&'p Existing<'p>>) -> Self {
        self.existing = existing;
        self
    }

    pub(crate) fn facts(&self) -> &'p EntityFacts {
        &self.problem.entities[self.entity]
    }

    fn item_bytes(&self, base: usize, indexes: &[usize]) -> u64 {
        let sizes = indexes.iter().map(|index| self.index_sizes[*index]);
        item_bytes(self.plain, self.base_sizes[base], sizes)
    }

    fn entry_bytes(&self, base: usize, index: usize, item: u64) -> u64 {
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
    fn price(
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
                plan_price(self.month, facts, demand, path, fit, true, item, item, false, 1)
            }
            Choice::Unique(set) => {
                let uniqueness = uniqueness_bytes(self.problem, self.entity, facts.unique[*set]);
                unique_price(self.month, demand, uniqueness, item)
            }
            Choice::Index(index, fit) => {
                let candidate = &self.candidates.indexes[*index];
                let fetch = !candidate.projection.holds(demand.part.returns);
                plan_price(self.month, facts, demand, &candidate.path, fit, false, entry, item, fetch, shards)
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
    fn upkeep(&self, base: usize, item: u64, entries: &[Entry<'_>]) -> Cost {
        let base = &self.candidates.bases[base];
        let mut cost = storage_price(self.problem, self.month, self.entity, base, item, entries);
        for write in &self.problem.writes {
            for effect in write.effects.iter().filter(|effect| effect.entity == self.entity) {
                cost += effect_price(self.problem, self.month, write, effect, base, item, entries).cost;
            }
            for check in write.checks.iter().filter(|check| check.entity == self.entity) {
                cost += check_price(self.month, write, check, item);
            }
        }
        let kept = if self.facts().counter { self.month.operational.item_type } else { Money::ZERO };
        let lists = entries.iter().filter(|entry| entry.projection.kind() == 2).count() as i128;
        cost += entries.iter().map(|entry| entry.beside).sum::<Cost>();
        cost + Cost::operational(self.month.operational.include_list * lists + kept)
    }
}

/// The exact price of a choice for every demand; none where a limit is passed.
pub(crate) fn evaluate(task: &EntityTask<'_>, base: usize, chosen: &[Choice]) -> Option<Layout> {
    let facts = task.facts();
    let mut indexes: Vec<usize> = chosen
        .iter()
        .filter_map(|choice| match choice {
            Choice::Index(index, _) => Some(*index),
            _ => None,
        })
        .collect();
    indexes.extend(0..task.candidates.kept);
    indexes.sort_unstable();
    indexes.dedup();
    let item = task.item_bytes(base, &indexes);
    if item > ITEM_BYTES {
        return None;
    }
    let entry_bytes: Vec<u64> = indexes.iter().map(|index| task.entry_bytes(base, *index, item)).collect();
    let entries: Vec<Entry<'_>> =
        indexes.iter().zip(&entry_bytes).map(|(index, bytes)| task.entry(*index, *bytes)).collect();
    let position =
        |index: &usize| indexes.iter().position(|it| it == index).expect("every used index is open");
    let bytes_at = |choice: &Choice| match choice {
        Choice::Index(index, _) => entry_bytes[position(index)],
        _ => item,
    };
    for (demand, choice) in task.demands.iter().zip(chosen) {
        let (path, fit) = match choice {
            Choice::Base(fit) => (&task.candidates.bases[base], fit),
            Choice::Index(index, fit) => (&task.candidates.indexes[*index].path, fit),
            Choice::NotNeeded | Choice::Unique(_) => continue,
        };
        if !is_bounded(facts, demand, path, fit, bytes_at(choice)) {
            return None;
        }
    }
    if !base_is_cool(task, base, chosen, item) || !arranged(task, chosen) {
        return None;
    }
    let shards: Option<Vec<u64>> = indexes
        .iter()
        .zip(&entries)
        .map(|(index, entry)| shards_of(task, base, *index, entry, chosen, item))
        .collect();
    let shards = shards?;
    let mut cost = task.upkeep(base, item, &entries);
    let mut services = Vec::with_capacity(chosen.len());
    let mut shared = Vec::new();
    for (demand, choice) in task.demands.iter().zip(chosen) {
        let on = match choice {
            Choice::Index(index, _) => shards[position(index)],
            _ => 1,
        };
        if demand.is_shared() {
            if on > 1 {
                return None;
            }
            let (kind, client_sort) = match choice {
                Choice::Index(index, fit) => {
                    (Some(task.candidates.indexes[*index].projection.kind()), fit.client_sort)
                }
                Choice::Base(fit) => (None, fit.client_sort),
                Choice::NotNeeded | Choice::Unique(_) => (None, false),
            };
            shared.push(SharedPlace { kind, bytes: bytes_at(choice), client_sort });
            services.push(Service { choice: choice.clone(), price: ReadPrice::default() });
            continue;
        }
        if on > 1 && matches!(choice, Choice::Index(_, fit) if !fit.scatter.is_empty()) {
            return None;
        }
        let price = task.price(demand, choice, base, item, bytes_at(choice), on);
        cost += price.cost;
        services.push(Service { choice: choice.clone(), price });
    }
    let mut counts = Counts::default();
    for index in &indexes {
        counts[task.candidates.indexes[*index].projection.kind()] += 1;
    }
    Some(Layout { base, indexes, services, shards, cost, counts, item_bytes: item, entry_bytes, shared })
}

/// Whether the table's own partitions bear the load of this entity.
fn base_is_cool(task: &EntityTask<'_>, base: usize, chosen: &[Choice], item: u64) -> bool {
    let facts = task.facts();
    let path = &task.candidates.bases[base];
    let partition = path.partition_set();
    let (reads, writes) = (hottest_share(facts, partition, false), hottest_share(facts, partition, true));
    let mut load = Load::default();
    for write in &task.problem.writes {
        for effect in write.effects.iter().filter(|effect| effect.entity == task.entity) {
            let price = effect_price(task.problem, task.month, write, effect, path, item, &[]);
            load.add_writes(write.peak, price.base_micro_units, writes);
        }
    }
    for (demand, choice) in task.demands.iter().zip(chosen) {
        if let Choice::Base(_) = choice {
            let price = task.price(demand, choice, base, item, item, 1);
            load.add_reads(demand.peak, price.half_units_per_partition, reads);
        }
    }
    tolerates(facts, path, load)
}

/// The shards that an index needs for its entries' writes and the reads that use it.
fn shards_of(
    task: &EntityTask<'_>,
    base: usize,
    index: usize,
    entry: &Entry<'_>,
    chosen: &[Choice],
    item: u64,
) -> Option<u64> {
    let facts = task.facts();
    let partition = entry.path.partition_set();
    let (reads, writes) = (hottest_share(facts, partition, false), hottest_share(facts, partition, true));
    let base_path = &task.candidates.bases[base];
    let shards = shards_for(facts, entry.path, |shards| {
        let mut load = Load::default();
        for write in &task.problem.writes {
            for effect in write.effects.iter().filter(|effect| effect.entity == task.entity) {
                let micro = entry_writes(facts, effect, base_path, entry);
                load.add_writes(write.peak, micro.div_ceil(shards), writes);
            }
        }
        for (demand, choice) in task.demands.iter().zip(chosen) {
            if matches!(choice, Choice::Index(used, _) if *used == index) {
                let price = task.price(demand, choice, base, item, entry.bytes, shards);
                load.add_reads(demand.peak, price.half_units_per_partition, reads);
            }
        }
        load
    })?;
    // Over shards a native key has one attribute more.
    (shards == 1
        || entry.form != Form::Native
        || form::has_room_for_shard(task.problem, task.entity, entry.path))
    .then_some(shards)
}

/// Whether the blocks of the shared reads that this entity heads can be put in order, in every place.
fn arranged(task: &EntityTask<'_>, chosen: &[Choice]) -> bool {
    let mut places: Vec<(Option<usize>, Vec<usize>)> = Vec::new();
    for (demand, choice) in task.demands.iter().zip(chosen) {
        let Source::Shared { read, part: 0 } = demand.source else { continue };
        let place = match choice {
            Choice::Index(index, _) => Some(*index),
            _ => None,
        };
        match places.iter_mut().find(|(at, _)| *at == place) {
            Some((_, reads)) => reads.push(read),
            None => places.push((place, vec![read])),
        }
    }
    places.iter().all(|(place, reads)| {
        let fixed = task.existing.map_or_else(Vec::new, |existing| match place {
            None => existing.blocks(task.entity, None),
            Some(index) => match existing.index_number(task.entity, *index) {
                Some(number) => existing.blocks(task.entity, Some(number)),
                None => Vec::new(),
            },
        });
        arrange(task.problem, reads, &fixed).is_some()
    })
}

/// The least number of indexes with which the demands can be served, as far as it shows before any search.
pub(crate) fn least_indexes(task: &EntityTask<'_>) -> usize {
    (0..task.candidates.bases.len())
        .map(|base| {
            let ways = task.demands.iter().map(|demand| choices(task, base, demand));
            let ways: Vec<Vec<(Choice, i128)>> =
                ways.map(|ways| ways.into_iter().map(|choice| (choice, 0)).collect()).collect();
            apart(&ways).len()
        })
        .min()
        .unwrap_or(0)
}

/// The layouts with at most so many indexes of each kind that no other beats. Whether the search ran to its end is
/// the second value.
pub(crate) fn layouts(task: &EntityTask<'_>, caps: Counts, stop: Stop) -> (Vec<Layout>, bool) {
    let mut front = Front::default();
    let mut complete = true;
    for base in 0..task.candidates.bases.len() {
        let mut search = BaseSearch::new(task, base, caps, &mut front, stop);
        complete &= search.run();
    }
    (front.layouts, complete)
}

/// The layouts found so far that no other beats.
#[derive(Default)]
struct Front {
    layouts: Vec<Layout>,
}

impl Front {
    /// Whether some layout is at least as good as anything with these least values.
    fn beats(&self, total: i128, shared: &[SharedPlace]) -> bool {
        self.layouts.iter().any(|it| {
            it.cost.total() <= total
                && it.shared.iter().zip(shared).all(|(one, other)| {
                    one.kind == other.kind && one.client_sort == other.client_sort && one.bytes <= other.bytes
                })
        })
    }

    fn add(&mut self, layout: Layout) {
        if self.beats(layout.cost.total(), &layout.shared) {
            return;
        }
        let better = Front { layouts: vec![layout] };
        self.layouts.retain(|it| !better.beats(it.cost.total(), &it.shared));
        self.layouts.extend(better.layouts);
    }
}

/// The index that a choice needs open.
fn opened(choice: &Choice) -> Option<usize> {
    match choice {
        Choice::Index(index, _) => Some(*index),
        Choice::NotNeeded | Choice::Base(_) | Choice::Unique(_) => None,
    }
}

/// Demands that only indexes serve, no two of them by the same one; the hardest to serve are taken first.
fn apart(choices: &[Vec<(Choice, i128)>]) -> Vec<usize> {
    let indexes = |demand: usize| -> Option<BTreeSet<usize>> {
        choices[demand].iter().map(|(choice, _)| opened(choice)).collect()
    };
    let mut forced: Vec<(usize, BTreeSet<usize>)> =
        (0..choices.len()).filter_map(|demand| Some((demand, indexes(demand)?))).collect();
    forced.sort_by_key(|(demand, indexes)| (indexes.len(), *demand));
    let mut taken: BTreeSet<usize> = BTreeSet::new();
    let mut apart = Vec::new();
    for (demand, indexes) in forced {
        if indexes.is_disjoint(&taken) {
            taken.extend(indexes);
            apart.push(demand);
        }
    }
    apart
}

/// The search below one base placement.
struct BaseSearch<'t, 'p> {
    task: &'t EntityTask<'p>,
    base: usize,
    caps: Counts,
    front: &'t mut Front,
    stop: Stop,
    /// The demands in the order of assignment, with their choices and least prices.
    order: Vec<usize>,
    choices: Vec<Vec<(Choice, i128)>>,
    /// A price for each demand such that all together never pass what serving them costs.
    prices: Vec<i128>,
    /// The least cost of each demand at each index; none where the index does not serve it.
    at_index: Vec<Vec<Option<i128>>>,
    /// The least that opening an index adds.
    opening: Vec<i128>,
    floor: i128,
    /// Demands of which each needs an index that serves none of the others.
    apart: Vec<usize>,
    /// Some index may need shards, so the cheapest open index is not always the best.
    may_shard: bool,
    steps: u64,
    stopped: bool,
}

impl<'t, 'p> BaseSearch<'t, 'p> {
    fn new(task: &'t EntityTask<'p>, base: usize, caps: Counts, front: &'t mut Front, stop: Stop) -> Self {
        let kept: Vec<usize> = (0..task.candidates.kept).collect();
        let least_item = task.item_bytes(base, &kept);
        let entries_of = |indexes: &[usize], item: u64| -> Vec<Entry<'p>> {
            indexes.iter().map(|index| task.entry(*index, task.entry_bytes(base, *index, item))).collect()
        };
        let floor = task.upkeep(base, least_item, &entries_of(&kept, least_item)).total();
        let mut opening = Vec::with_capacity(task.candidates.indexes.len());
        let mut may_shard = false;
        let mut least_entry = Vec::with_capacity(task.candidates.indexes.len());
        for index in 0..task.candidates.indexes.len() {
            let mut open = kept.clone();
            if !open.contains(&index) {
                open.push(index);
            }
            let item = task.item_bytes(base, &open);
            let bytes = task.entry_bytes(base, index, item);
            let entry = task.entry(index, bytes);
            // What is open already costs nothing to open.
            opening.push(task.upkeep(base, item, &entries_of(&open, item)).total() - floor);
            least_entry.push((item, bytes));
            // Were every demand to use it, would it stay cool?
            let all: Vec<Choice> = task
                .demands
                .iter()
                .map(|demand| {
                    crate::plan::fit(task.facts(), demand, &task.candidates.indexes[index].path)
                        .filter(|_| !demand.strong)
                        .map_or(Choice::NotNeeded, |fit| Choice::Index(index, fit))
                })
                .collect();
            may_shard |= shards_of(task, base, index, &entry, &all, item) != Some(1);
        }
        let choices: Vec<Vec<(Choice, i128)>> = task
            .demands
            .iter()
            .map(|demand| {
                let mut all: Vec<(Choice, i128)> = choices(task, base, demand)
                    .into_iter()
                    .map(|choice| {
                        let (item, entry) = match &choice {
                            Choice::Index(index, _) => least_entry[*index],
                            _ => (least_item, least_item),
                        };
                        let least = match demand.is_shared() {
                            true => 0,
                            false => task.price(demand, &choice, base, item, entry, 1).cost.total(),
                        };
                        (choice, least)
                    })
                    .collect();
                // What is cheap together with what it opens is tried first, so that a good layout comes early.
                all.sort_by_key(|(choice, least)| least + opened(choice).map_or(0, |index| opening[index]));
                all
            })
            .collect();
        let mut order: Vec<usize> = (0..task.demands.len()).collect();
        // Shared reads first: only layouts that place them alike are compared.
        order.sort_by_key(|demand| (!task.demands[*demand].is_shared(), choices[*demand].len()));
        let ways: Vec<Vec<Way>> = choices
            .iter()
            .map(|all| {
                let way = |(choice, least): &(Choice, i128)| Way { cost: *least, index: opened(choice) };
                all.iter().map(way).collect()
            })
            .collect();
        let prices = ascend(&ways, &opening);
        let at_index = ways
            .iter()
            .map(|ways| {
                let mut costs = vec![None; opening.len()];
                for way in ways {
                    if let Some(index) = way.index {
                        costs[index] = Some(way.cost);
                    }
                }
                costs
            })
            .collect();
        let apart = apart(&choices);
        BaseSearch {
            task,
            base,
            caps,
            front,
            stop,
            order,
            choices,
            prices,
            at_index,
            opening,
            floor,
            apart,
            may_shard,
            steps: 0,
            stopped: false,
        }
    }

    fn run(&mut self) -> bool {
        if self.choices.iter().any(Vec::is_empty) {
            return true;
        }
        let room = self.caps.iter().fold(0usize, |all, cap| all.saturating_add(*cap));
        if self.apart.len() > room {
            return true;
        }
        let mut chosen = vec![Choice::NotNeeded; self.task.demands.len()];
        let mut open: Vec<usize> = (0..self.task.candidates.kept).collect();
        self.assign(0, self.floor, &mut open, &mut chosen);
        !self.stopped
    }

    /// Serves the demand at a position in the order in every way, as long as no layout found beats it.
    fn assign(&mut self, at: usize, so_far: i128, open: &mut Vec<usize>, chosen: &mut Vec<Choice>) {
        self.steps += 1;
        if self.steps.is_multiple_of(1024) && self.stop.now() {
            self.stopped = true;
        }
        if self.stopped {
            return;
        }
        if at == self.order.len() {
            if let Some(layout) = evaluate(self.task, self.base, chosen) {
                self.front.add(layout);
            }
            return;
        }
        let demand = self.order[at];
        // Without shards nothing is gained by a dearer way that is open too; shared reads weigh every place.
        let only_cheapest = !self.may_shard && !self.task.demands[demand].is_shared();
        let cheapest_open = self.choices[demand]
            .iter()
            .enumerate()
            .filter(|(_, (way, _))| opened(way).is_none_or(|index| open.contains(&index)))
            .min_by_key(|(at, (_, least))| (*least, *at))
            .map(|(at, _)| at);
        for choice in 0..self.choices[demand].len() {
            let (way, least) = self.choices[demand][choice].clone();
            let opens = match &way {
                Choice::Index(index, _) if !open.contains(index) => Some(*index),
                _ => None,
            };
            if opens.is_none() && only_cheapest && cheapest_open != Some(choice) {
                continue;
            }
            let price = so_far + least + opens.map_or(0, |index| self.opening[index]);
            open.extend(opens);
            chosen[demand] = way;
            if !self.is_beaten(at + 1, price, open, chosen) {
                self.assign(at + 1, price, open, chosen);
            }
            if opens.is_some() {
                open.pop();
            }
        }
        chosen[demand] = Choice::NotNeeded;
    }

    /// Whether nothing below this node can be better than what was found.
    fn is_beaten(&self, at: usize, price: i128, open: &[usize], chosen: &[Choice]) -> bool {
        let mut counts = Counts::default();
        for index in open {
            let kind = self.task.candidates.indexes[*index].projection.kind();
            counts[kind] += 1;
            if counts[kind] > self.caps[kind] {
                return true;
            }
        }
        let rest = &self.order[at..];
        let served = |demand: &usize| open.iter().any(|index| self.at_index[*demand][*index].is_some());
        let needed = self.apart.iter().filter(|demand| rest.contains(demand) && !served(demand)).count();
        let room = self.caps.iter().fold(0usize, |all, cap| all.saturating_add(*cap));
        if open.len() + needed > room {
            return true;
        }
        let item = self.task.item_bytes(self.base, open);
        let assigned = &self.order[..at];
        let mut shared = Vec::new();
        for (position, demand) in
            self.task.demands.iter().enumerate().filter(|(_, demand)| demand.is_shared())
        {
            if !assigned.contains(&position) {
                // Not placed yet: any place may come, so only complete placements are compared.
                return false;
            }
            let _ = demand;
            shared.push(match &chosen[position] {
                Choice::Index(index, fit) => SharedPlace {
                    kind: Some(self.task.candidates.indexes[*index].projection.kind()),
                    bytes: self.task.entry_bytes(self.base, *index, item),
                    client_sort: fit.client_sort,
                },
                Choice::Base(fit) => SharedPlace { kind: None, bytes: item, client_sort: fit.client_sort },
                Choice::NotNeeded | Choice::Unique(_) => {
                    SharedPlace { kind: None, bytes: item, client_sort: false }
                }
            });
        }
        let rest: i128 = self.order[at..]
            .iter()
            .map(|demand| {
                let open = open.iter().filter_map(|index| self.at_index[*demand][*index]).min();
                open.map_or(self.prices[*demand], |cost| cost.min(self.prices[*demand]))
            })
            .sum();
        self.front.beats(price + rest, &shared)
    }
}

//! Which indexes to open: branch and bound over their sets, below one base placement after the other.
//!
//! Parts of shared reads are placed first, in every way. Below a placement every set of indexes is a node: opened ones
//! serve for nothing more than the read, ruled out ones not at all, and dual ascent bounds what the undecided ones can
//! still save. Prices in a bound are those at the smallest sizes; a set is weighed at its exact ones.

use super::Counts;
use super::dual::{State, Way, ascend};
use super::front::Front;
use super::growth::Growth;
use super::keeping::Keeping;
use super::layout::{Layout, SharedPlace, arranged, base_is_cool, evaluate, shards_of};
use super::limits::Limits;
use super::options::{Choice, choices, is_bounded, opened, without_index};
use super::task::{EntityTask, Stop};
use crate::cost::entry_writes;
use crate::path::Projection;
use crate::problem::Attrs;

/// No more shards than this are ever used, so a price at so many bounds the price at fewer.
const MANY_SHARDS: u64 = 1_000;
/// A sum of rounded prices may pass the rounded price of a sum by one pico-dollar each.
const ROUNDING: i128 = 1;

/// By so many bytes an item grows before reads of it are priced anew.
const WORTH_PRICING: u64 = 256;

/// What a search found.
pub(super) struct Found {
    /// The layouts that no other beats.
    pub(super) layouts: Vec<Layout>,
    /// The search ran to its end.
    pub(super) complete: bool,
    /// No layout is cheaper, whether it was found or not.
    pub(super) bound: i128,
}

/// Choices that are ruled out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Ban {
    /// The entity does not have this index.
    Index(usize),
    /// The entity has no index with this INCLUDE list.
    List(Attrs),
    /// The demand does not use this index.
    Place { demand: usize, index: usize },
}

impl Ban {
    /// Whether a layout has what is ruled out.
    pub(super) fn hits(self, task: &EntityTask<'_>, layout: &Layout) -> bool {
        match self {
            Ban::Index(_) | Ban::List(_) => layout.indexes.iter().any(|index| self.closes(task, *index)),
            Ban::Place { demand, index } => opened(&layout.services[demand].choice) == Some(index),
        }
    }

    /// Whether an index is ruled out altogether.
    fn closes(self, task: &EntityTask<'_>, index: usize) -> bool {
        match self {
            Ban::Index(banned) => banned == index,
            Ban::List(list) => task.candidates.indexes[index].projection == Projection::Include(list),
            Ban::Place { .. } => false,
        }
    }
}

/// What the search below a base placement starts from, whatever it is limited to. Indexes go by their position in
/// the task's list of weighed ones.
pub(super) struct Prepared {
    base: usize,
    /// Demands of shared reads.
    shared: Vec<usize>,
    /// All other demands.
    alone: Vec<usize>,
    /// For every demand, the ways to serve it without an index.
    beside: Vec<Vec<Choice>>,
    /// For each of the other demands, the least cost of each way to serve it, cheapest first.
    ways: Vec<Vec<Way>>,
    /// The ways as choices: a way says which.
    choices: Vec<Vec<Choice>>,
    /// What keeping the item and its entries costs.
    keeping: Keeping,
    /// The least that keeping an index adds.
    opening: Vec<i128>,
    /// What others pay back where an index is shared: never more than zero.
    refund: Vec<i128>,
    /// Indexes that may need shards.
    hot: Vec<bool>,
    /// The table itself may become too hot, so a read may have to go elsewhere.
    hot_base: bool,
}

/// What the search of an entity starts from.
pub(super) struct Start {
    /// The base placements, without those that leave a demand without any way.
    bases: Vec<Prepared>,
    /// What the entity's size can cost shared reads.
    growth: Vec<Growth>,
}

/// Prepares the search of an entity.
pub(super) fn prepare(tasks: &[EntityTask<'_>], entity: usize) -> Start {
    let task = &tasks[entity];
    let bases = (0..task.candidates.bases.len()).filter_map(|base| Prepared::new(task, base)).collect();
    Start { bases, growth: Growth::of(tasks, entity) }
}

impl Prepared {
    fn new(task: &EntityTask<'_>, base: usize) -> Option<Self> {
        let demands = 0..task.demands.len();
        let (shared, alone): (Vec<usize>, Vec<usize>) =
            demands.clone().partition(|at| task.demands[*at].is_shared());
        let beside: Vec<Vec<Choice>> = demands.clone().map(|at| without_index(task, base, at)).collect();
        let kept = |index: usize| task.weighed.binary_search(&index).ok();
        if demands.clone().any(|at| {
            beside[at].is_empty()
                && !task.on_indexes(base, at).iter().any(|(index, _)| kept(*index).is_some())
        }) {
            return None;
        }
        let hot: Vec<bool> = task.weighed.iter().map(|index| may_be_hot(task, base, *index)).collect();
        let least_item = task.item_bytes(base, &task.present());
        let hot_base = may_heat_base(task, base, &beside);
        if hot_base && !bears_what_must_be(task, base, &beside, least_item) {
            return None;
        }
        let mut choices: Vec<Vec<Choice>> = Vec::with_capacity(alone.len());
        let ways = alone.iter().map(|at| {
            let mut all = beside[*at].clone();
            let mut ways: Vec<Way> = all
                .iter()
                .enumerate()
                .map(|(way, choice)| Way {
                    cost: least(task, base, *at, choice, least_item, false),
                    index: None,
                    way,
                })
                .collect();
            for (index, fit) in task.on_indexes(base, *at) {
                if let Some(local) = kept(*index) {
                    let choice = Choice::Index(*index, fit.clone());
                    if hot[local] && !bears_alone(task, base, *at, *index, &choice, least_item) {
                        continue;
                    }
                    let cost = least(task, base, *at, &choice, least_item, hot[local]);
                    ways.push(Way { cost, index: Some(local), way: all.len() });
                    all.push(choice);
                }
            }
            ways.sort_by_key(|way| way.cost);
            choices.push(all);
            ways
        });
        let ways = ways.collect();
        let kept: Vec<i128> = task.weighed.iter().map(|index| least_kept(task, base, *index)).collect();
        let opening = kept.iter().map(|cost| damaged((*cost).max(0))).collect();
        let refund = kept.into_iter().map(|cost| cost.min(0)).collect();
        let keeping = Keeping::new(task, base);
        Some(Prepared { base, shared, alone, beside, ways, choices, keeping, opening, refund, hot, hot_base })
    }
}

/// The layouts with at most so many indexes of each kind, and without what is banned, that no other beats. Those that
/// are `known` from searches with other limits count where they keep to these.
pub(super) fn layouts<'l>(
    task: &EntityTask<'_>,
    start: &Start,
    limits: Limits,
    bans: &[Ban],
    known: impl Iterator<Item = &'l Layout>,
    stop: Stop,
) -> Found {
    let mut front = Front::new(task.month, &start.growth);
    for layout in known.filter(|it| limits.allow(it.counts) && !bans.iter().any(|ban| ban.hits(task, it))) {
        front.add(layout.clone());
    }
    // The most promising placement comes first: what it finds rules out most of the others.
    let mut order: Vec<(i128, &Prepared)> = Vec::with_capacity(start.bases.len());
    for from in &start.bases {
        let search = BaseSearch::new(task, from, limits, bans, &mut front, stop);
        if limits.allow(search.counts())
            && let Some(bound) = search.root_bound()
        {
            order.push((bound, from));
        }
    }
    order.sort_by_key(|(bound, from)| (*bound, from.base));
    let least = order.first().map_or(i128::MAX, |(bound, _)| *bound);
    let mut complete = true;
    for (_, from) in order {
        let mut search = BaseSearch::new(task, from, limits, bans, &mut front, stop);
        search.place(0);
        complete &= !search.stopped;
    }
    let found = front.layouts.iter().map(|it| it.cost.total()).min();
    let bound = if complete { found.unwrap_or(least) } else { least };
    Found { layouts: front.layouts, complete, bound }
}

/// The search below one base placement.
struct BaseSearch<'t, 'p, 'f> {
    task: &'t EntityTask<'p>,
    from: &'t Prepared,
    limits: Limits,
    bans: &'t [Ban],
    front: &'f mut Front<'t>,
    stop: Stop,
    states: Vec<State>,
    /// The least costs of all ways at growing sizes of the item; the last are those of the present branch.
    priced: Vec<(u64, Vec<Vec<Way>>)>,
    open: Vec<usize>,
    chosen: Vec<Choice>,
    steps: u64,
    stopped: bool,
}

impl<'t, 'p, 'f> BaseSearch<'t, 'p, 'f> {
    fn new(
        task: &'t EntityTask<'p>,
        from: &'t Prepared,
        limits: Limits,
        bans: &'t [Ban],
        front: &'f mut Front<'t>,
        stop: Stop,
    ) -> Self {
        let banned = |index: &usize| bans.iter().any(|ban| ban.closes(task, *index));
        // What is open already comes first, and stays.
        let present = |index: &usize| *index < task.candidates.kept;
        let state = |index: &usize| match index {
            index if present(index) => State::Open,
            index if banned(index) => State::Closed,
            _ => State::Undecided,
        };
        let open = (0..task.weighed.len()).filter(|at| present(&task.weighed[*at])).collect();
        BaseSearch {
            task,
            from,
            limits,
            bans,
            front,
            stop,
            states: task.weighed.iter().map(state).collect(),
            priced: Vec::new(),
            open,
            chosen: vec![Choice::NotNeeded; task.demands.len()],
            steps: 0,
            stopped: false,
        }
    }

    fn kind(&self, index: usize) -> usize {
        self.task.candidates.indexes[self.task.weighed[index]].projection.kind()
    }

    /// How many indexes of each kind are open.
    fn counts(&self) -> Counts {
        let mut counts = Counts::default();
        self.open.iter().for_each(|index| counts[self.kind(*index)] += 1);
        counts
    }

    /// For each kind, whether one more index of it may be opened.
    fn room(&self) -> [bool; 3] {
        let counts = self.counts();
        std::array::from_fn(|kind| {
            let mut more = counts;
            more[kind] += 1;
            self.limits.allow(more)
        })
    }

    /// The open indexes as candidates, ascending.
    fn candidates(&self) -> Vec<usize> {
        let mut all: Vec<usize> = self.open.iter().map(|index| self.task.weighed[*index]).collect();
        all.sort_unstable();
        all
    }

    /// A bound on every layout with this base placement; none where there are none.
    fn root_bound(&self) -> Option<i128> {
        let (_, upkeep) = self.upkeep();
        let ascent = ascend(&self.from.ways, &self.from.opening, &self.states)?;
        Some(upkeep + ascent.sum + self.refunds())
    }

    /// The most that undecided indexes can pay back.
    fn refunds(&self) -> i128 {
        let undecided = self.states.iter().zip(&self.from.refund).filter(|it| *it.0 == State::Undecided);
        undecided.map(|(_, refund)| refund).sum()
    }

    /// Places one part of a shared read after the other, then opens indexes for the rest.
    fn place(&mut self, at: usize) {
        if at == self.from.shared.len() {
            if arranged(self.task, &self.chosen) {
                let (item, upkeep) = self.upkeep();
                self.explore(true, item, upkeep);
            }
            return;
        }
        let demand = self.from.shared[at];
        for choice in &self.from.beside[demand] {
            self.chosen[demand] = choice.clone();
            self.place(at + 1);
        }
        for (index, fit) in self.task.on_indexes(self.from.base, demand) {
            let Ok(local) = self.task.weighed.binary_search(index) else { continue };
            let opens = !self.open.contains(&local);
            let banned = self.states[local] == State::Closed
                || self.bans.contains(&Ban::Place { demand, index: *index });
            if banned || opens && !self.room()[self.kind(local)] {
                continue;
            }
            if opens {
                self.open.push(local);
                self.states[local] = State::Open;
            }
            self.chosen[demand] = Choice::Index(*index, fit.clone());
            self.place(at + 1);
            if opens {
                self.open.pop();
                self.states[local] = State::Undecided;
            }
        }
        self.chosen[demand] = Choice::NotNeeded;
    }

    /// The size of the item with the open indexes, and what keeping all of it costs.
    fn upkeep(&self) -> (u64, i128) {
        self.from.keeping.price(self.task, &self.open)
    }

    /// Weighs the open set if it is new, then every set that contains it and nothing that is ruled out.
    fn explore(&mut self, new: bool, item: u64, upkeep: i128) {
        self.steps += 1;
        if self.steps.is_multiple_of(64) && self.stop.now() {
            self.stopped = true;
        }
        if self.stopped {
            return;
        }
        let places = self.places(item);
        if new {
            self.weigh(item, upkeep, &places);
        }
        let mut closed: Vec<usize> = Vec::new();
        let room = self.room();
        for index in 0..self.states.len() {
            if self.states[index] == State::Undecided && !room[self.kind(index)] {
                self.states[index] = State::Closed;
                closed.push(index);
            }
        }
        let possible = self.limits.leave(self.open.len()) >= self.still_needed();
        let ascent = possible.then(|| ascend(self.ways(), &self.from.opening, &self.states)).flatten();
        let least = upkeep + self.refunds();
        let mut next: Option<(i128, usize)> = None;
        if let Some(ascent) = ascent {
            for index in 0..self.states.len() {
                if self.states[index] != State::Undecided {
                    continue;
                }
                // Every set that is left opens something, and pays at least what the prices leave of its cost.
                let slack = ascent.slack[index];
                if self.front.beats(self.from.base, least + ascent.sum + slack, &places) {
                    self.states[index] = State::Closed;
                    closed.push(index);
                    continue;
                }
                let used = self.from.opening[index] - slack;
                if next.is_none_or(|(most, _)| used > most) {
                    next = Some((used, index));
                }
            }
            // Every open index serves somebody, so there are never more of them than demands.
            let full = self.open.len() >= self.task.candidates.kept + self.task.demands.len();
            if let Some((_, index)) = next.filter(|_| !full) {
                self.states[index] = State::Open;
                self.open.push(index);
                let (larger, kept) = self.upkeep();
                let grown = self.grow(larger);
                self.explore(true, larger, kept);
                if grown {
                    self.priced.pop();
                }
                self.open.pop();
                self.states[index] = State::Closed;
                closed.push(index);
                self.explore(false, item, upkeep);
            }
        }
        for index in closed {
            self.states[index] = State::Undecided;
        }
    }

    /// The least costs of all ways, at a size that the item has at least.
    fn ways(&self) -> &[Vec<Way>] {
        self.priced.last().map_or(&self.from.ways, |(_, ways)| ways)
    }

    /// Prices all ways anew where the item has grown so much that it tells; the sets below are no smaller.
    fn grow(&mut self, item: u64) -> bool {
        let before = self.priced.last().map_or(self.from.keeping.item(&[]), |(size, _)| *size);
        if item < before + WORTH_PRICING {
            return false;
        }
        let price = |at: usize, way: &Way| {
            let choice = &self.from.choices[at][way.way];
            let open = way.index.filter(|index| self.states[*index] == State::Open);
            // What was there before is in every size already.
            let own =
                open.map(|index| self.task.weighed[index]).filter(|it| *it >= self.task.candidates.kept);
            let own = own.map_or(0, |index| self.task.key_bytes(index));
            let hot = way.index.is_some_and(|index| self.from.hot[index]);
            least(self.task, self.from.base, self.from.alone[at], choice, item - own, hot)
        };
        let ways = self.from.ways.iter().enumerate().map(|(at, ways)| {
            let mut ways: Vec<Way> = ways.iter().map(|way| Way { cost: price(at, way), ..*way }).collect();
            ways.sort_by_key(|way| way.cost);
            ways
        });
        let ways = ways.collect();
        self.priced.push((item, ways));
        true
    }

    /// How many more indexes are needed at least: demands that nothing open serves, no two of them by the same index.
    fn still_needed(&self) -> usize {
        let mut taken = vec![false; self.states.len()];
        let mut needed = 0;
        for ways in self.ways() {
            let usable = |way: &&Way| way.index.is_some_and(|index| self.states[index] == State::Undecided);
            if ways.iter().any(|way| self.is_open(way)) {
                continue;
            }
            if ways.iter().filter(usable).all(|way| way.index.is_some_and(|index| !taken[index])) {
                ways.iter().filter(usable).filter_map(|way| way.index).for_each(|index| taken[index] = true);
                needed += 1;
            }
        }
        needed
    }

    /// Where the shared reads find this entity, at the size of the open set.
    fn places(&self, item: u64) -> Vec<SharedPlace> {
        let place = |at: &usize| match &self.chosen[*at] {
            Choice::Index(index, fit) => SharedPlace {
                kind: Some(self.task.candidates.indexes[*index].projection.kind()),
                bytes: self.task.entry_bytes(self.from.base, *index, item),
                client_sort: fit.client_sort,
            },
            Choice::Base(fit) => SharedPlace { kind: None, bytes: item, client_sort: fit.client_sort },
            Choice::NotNeeded | Choice::Unique(_) => {
                SharedPlace { kind: None, bytes: item, client_sort: false }
            }
        };
        self.from.shared.iter().map(place).collect()
    }

    /// Prices the best layout with exactly the open indexes.
    fn weigh(&mut self, item: u64, upkeep: i128, places: &[SharedPlace]) {
        let mut least = upkeep;
        for ways in self.ways() {
            let Some(way) = ways.iter().find(|way| self.is_open(way)) else { return };
            least += way.cost;
        }
        if self.front.beats(self.from.base, least, places) {
            return;
        }
        if self.from.hot_base || self.open.iter().any(|index| self.from.hot[*index]) {
            self.assign(0, item, upkeep, places);
            return;
        }
        for at in 0..self.from.alone.len() {
            let Some((_, way)) = self.usable(at, item).into_iter().min_by_key(|(price, _)| *price) else {
                return;
            };
            self.chosen[self.from.alone[at]] = self.choice(at, &way).clone();
        }
        self.offer();
    }

    /// A way as a choice.
    fn choice(&self, at: usize, way: &Way) -> &'t Choice {
        &self.from.choices[at][way.way]
    }

    fn is_open(&self, way: &Way) -> bool {
        way.index.is_none_or(|index| self.states[index] == State::Open)
    }

    /// The ways to serve a demand with what is open, each with its exact price where nothing is sharded.
    fn usable(&self, at: usize, item: u64) -> Vec<(i128, Way)> {
        let facts = self.task.facts();
        let demand = &self.task.demands[self.from.alone[at]];
        let base = &self.task.candidates.bases[self.from.base];
        let mut usable = Vec::new();
        for way in self.ways()[at].iter().filter(|way| self.is_open(way)) {
            let choice = self.choice(at, way);
            let (path, fit, entry) = match choice {
                Choice::Index(index, fit) => {
                    let bytes = way.index.map_or(item, |index| self.from.keeping.entry(index, item));
                    (&self.task.candidates.indexes[*index].path, Some(fit), bytes)
                }
                Choice::Base(fit) => (base, Some(fit), item),
                Choice::NotNeeded | Choice::Unique(_) => (base, None, item),
            };
            if fit.is_some_and(|fit| !is_bounded(facts, demand, path, fit, entry)) {
                continue;
            }
            let price = self.task.price(demand, choice, self.from.base, item, entry, 1);
            usable.push((price.cost.total(), *way));
        }
        usable
    }

    /// Where heat makes one read matter to another, every way to serve each demand is tried.
    fn assign(&mut self, at: usize, item: u64, so_far: i128, places: &[SharedPlace]) {
        self.steps += 1;
        if self.steps.is_multiple_of(64) && self.stop.now() {
            self.stopped = true;
        }
        if self.stopped {
            return;
        }
        let Some(demand) = self.from.alone.get(at).copied() else { return self.offer() };
        let cheapest = |ways: &Vec<Way>| ways.iter().find(|way| self.is_open(way)).map_or(0, |way| way.cost);
        let rest: i128 = self.ways()[at + 1..].iter().map(cheapest).sum();
        // Of the places that stay cool whatever comes, only the cheapest can be the best.
        let mut ways = self.usable(at, item);
        let cool = |way: &Way| way.index.map_or(!self.from.hot_base, |index| !self.from.hot[index]);
        let cheapest = ways.iter().filter(|(_, way)| cool(way)).map(|(price, _)| *price).min();
        let mut taken = false;
        ways.retain(|(price, way)| {
            !cool(way) || Some(*price) == cheapest && !std::mem::replace(&mut taken, true)
        });
        for (_, way) in ways {
            let price = so_far + way.cost;
            if self.front.beats(self.from.base, price + rest, places) {
                continue;
            }
            self.chosen[demand] = self.choice(at, &way).clone();
            self.assign(at + 1, item, price, places);
        }
    }

    /// Takes the choice into the front, if it is a layout with exactly the open indexes.
    fn offer(&mut self) {
        let open = self.candidates();
        let used = |index: &usize| {
            *index < self.task.candidates.kept
                || self.chosen.iter().any(|choice| opened(choice) == Some(*index))
        };
        // Without what it does not use it is another set, which is weighed on its own.
        if open.iter().all(used)
            && let Some(layout) = evaluate(self.task, self.from.base, &self.chosen)
        {
            self.front.add(layout);
        }
    }
}

/// The least that serving a demand costs, whatever else is open and however many shards it takes.
fn least(
    task: &EntityTask<'_>,
    base: usize,
    demand: usize,
    choice: &Choice,
    least_item: u64,
    hot: bool,
) -> i128 {
    let (item, entry) = match opened(choice) {
        Some(index) => {
            let item =
                if index < task.candidates.kept { least_item } else { least_item + task.key_bytes(index) };
            (item, task.entry_bytes(base, index, item))
        }
        None => (least_item, least_item),
    };
    let demand = &task.demands[demand];
    let price = |shards: u64| task.price(demand, choice, base, item, entry, shards).cost;
    if hot { price(1).bill.min(price(MANY_SHARDS).bill).pico() } else { price(1).total() }
}

/// The least that an index adds to writes and storage, beside what a larger item adds to writes.
fn least_kept(task: &EntityTask<'_>, base: usize, index: usize) -> i128 {
    let facts = task.facts();
    let mut open = task.present();
    open.push(index);
    let bytes = task.entry_bytes(base, index, task.item_bytes(base, &open));
    let entry = task.entry(index, bytes);
    let mut least = task.entry_storage(base, &entry) + entry.beside.total() - ROUNDING;
    // Its key strings are in the item too. An index that is there was never without them.
    if index >= task.candidates.kept {
        least += (task.key_storage(index) - ROUNDING).max(0);
    }
    for (write, effect) in &task.effects {
        let times = if effect.all { facts.mean_matches(effect.given) } else { 1 };
        let micro = entry_writes(facts, effect, &task.candidates.bases[base], &entry) * times;
        least += (task.month.writes(write.rate, micro).pico() - ROUNDING).max(0);
    }
    if entry.projection.kind() == 2 {
        least += task.month.operational.include_list.pico();
    }
    least
}

/// What opening an index costs at least, as the search is told.
#[cfg(not(test))]
fn damaged(opening: i128) -> i128 {
    opening
}

#[cfg(test)]
thread_local! {
    /// So many times too much, to show that a wrong bound is noticed.
    pub(crate) static EXAGGERATION: std::cell::Cell<i128> = const { std::cell::Cell::new(1) };
}

#[cfg(test)]
fn damaged(opening: i128) -> i128 {
    opening * EXAGGERATION.get()
}

/// Whether an index could need shards, were every demand to use it that can.
pub(super) fn may_be_hot(task: &EntityTask<'_>, base: usize, index: usize) -> bool {
    let item = task.largest_item(base);
    let entry = task.entry(index, task.entry_bytes(base, index, item));
    let all: Vec<Choice> = task
        .index_fits
        .iter()
        .map(|on| {
            let found = on.binary_search_by_key(&index, |(at, _)| *at);
            found.map_or(Choice::NotNeeded, |at| Choice::Index(index, on[at].1.clone()))
        })
        .collect();
    shards_of(task, base, index, &entry, &all, item) != Some(1)
}

/// Whether the table could become too hot, were every demand to use it that can.
fn may_heat_base(task: &EntityTask<'_>, base: usize, beside: &[Vec<Choice>]) -> bool {
    let on_base = |all: &Vec<Choice>| {
        all.iter().find(|choice| matches!(choice, Choice::Base(_))).cloned().unwrap_or(Choice::NotNeeded)
    };
    let all: Vec<Choice> = beside.iter().map(on_base).collect();
    !base_is_cool(task, base, &all, task.largest_item(base))
}

/// Whether the table bears the writes and the reads that nothing else can serve, at the smallest size.
fn bears_what_must_be(task: &EntityTask<'_>, base: usize, beside: &[Vec<Choice>], item: u64) -> bool {
    let forced = |at: usize| match beside[at].as_slice() {
        [only] if task.on_indexes(base, at).is_empty() => only.clone(),
        _ => Choice::NotNeeded,
    };
    let all: Vec<Choice> = (0..beside.len()).map(forced).collect();
    base_is_cool(task, base, &all, item)
}

/// Whether an index bears its writes and this one demand, at the smallest size: with more it only gets hotter.
fn bears_alone(
    task: &EntityTask<'_>,
    base: usize,
    at: usize,
    index: usize,
    choice: &Choice,
    least_item: u64,
) -> bool {
    let item = if index < task.candidates.kept { least_item } else { least_item + task.key_bytes(index) };
    let entry = task.entry(index, task.entry_bytes(base, index, item));
    let mut alone = vec![Choice::NotNeeded; task.demands.len()];
    alone[at] = choice.clone();
    let shards = shards_of(task, base, index, &entry, &alone, item);
    // What is asked once per value is not also asked once per shard.
    let scattered = matches!(choice, Choice::Index(_, fit) if !fit.scatter.is_empty());
    shards.is_some_and(|shards| shards == 1 || !scattered)
}

/// The least number of indexes with which the demands can be served, as far as it shows before any search.
pub(super) fn least_indexes(task: &EntityTask<'_>) -> usize {
    (0..task.candidates.bases.len())
        .map(|base| {
            let ways: Vec<Vec<Choice>> = (0..task.demands.len()).map(|at| choices(task, base, at)).collect();
            apart(&ways)
        })
        .min()
        .unwrap_or(0)
}

/// How many demands are there that only indexes serve, no two of them by the same one; the hardest are taken first.
fn apart(choices: &[Vec<Choice>]) -> usize {
    let indexes = |ways: &Vec<Choice>| -> Option<Vec<usize>> { ways.iter().map(opened).collect() };
    let mut forced: Vec<Vec<usize>> = choices.iter().filter_map(indexes).collect();
    forced.sort_by_key(Vec::len);
    let mut taken: Vec<usize> = Vec::new();
    let mut apart = 0;
    for indexes in forced {
        if indexes.iter().all(|index| !taken.contains(index)) {
            taken.extend(indexes);
            apart += 1;
        }
    }
    apart
}

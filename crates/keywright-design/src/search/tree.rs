//! Decisions about one entity whose ends are bounded: why it has no cheaper layout, for somebody who does not trust a search.
//!
//! The primary key is decided first, then the places of shared reads, then one index after the other, until dual prices
//! show that nothing below is cheaper than a layout that is known. What an end says is weaker than what the search knows:
//! reads at the sizes of what is open, writes and storage of one index at a time.

use std::sync::Arc;

use super::Counts;
use super::dual::{State, Way, prices};
use super::front::Front;
use super::growth::Growth;
use super::layout::{Layout, SharedPlace, arranged};
use super::limits::Limits;
use super::open::Ban;
use super::options::{Choice, opened};
use super::task::EntityTask;
use crate::cost::{MOST_SHARDS, entry_writes};
use crate::path::Path;

/// Trees with more nodes than this are given up.
const MOST_NODES: usize = 4_000;
/// A sum of rounded prices may pass the rounded price of a sum by one pico-dollar each.
const ROUNDING: i128 = 1;
/// So often the price of room for one more index is tried anew.
const TRIALS: u32 = 24;

/// A decision, or its end. Indexes go by their position among those that are weighed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Node {
    Decide {
        on: Decision,
        yes: usize,
        no: usize,
    },
    /// These demands can't be served.
    Illegal(Vec<usize>),
    /// A price for every demand, and demands that each need an index of their own.
    Bound {
        prices: Vec<i128>,
        apart: Vec<usize>,
    },
}

/// What is decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Decision {
    Base(usize),
    Index(usize),
    Place { demand: usize, index: Option<usize> },
}

/// Why an entity has no layout within the limits and without what is ruled out that beats all of those that are known; none where that takes too many
/// decisions.
pub(crate) fn tree(
    tasks: &[EntityTask<'_>],
    entity: usize,
    limits: Limits,
    bans: &[Ban],
    known: &[Layout],
) -> Option<Vec<Node>> {
    let task = &tasks[entity];
    let growth = Growth::of(tasks, entity);
    let mut front = Front::new(task.month, &growth);
    front.layouts = known.iter().cloned().map(Arc::new).collect();
    let bases = 0..task.candidates.bases.len();
    let hot = task.weighed.iter().map(|index| task.hot[*index].contains(&true)).collect();
    let mut growing = Growing { task, limits, bans, front, hot, nodes: Vec::new() };
    for base in bases.clone() {
        let here = growing.nodes.len();
        growing.nodes.push(Node::Illegal(Vec::new()));
        let yes = growing.below(&mut Branch::new(task, base))?;
        let no = growing.nodes.len();
        growing.nodes[here] = Node::Decide { on: Decision::Base(base), yes, no };
    }
    growing.nodes.push(Node::Illegal(Vec::new()));
    Some(growing.nodes)
}

struct Growing<'t, 'p> {
    task: &'t EntityTask<'p>,
    limits: Limits,
    /// What is ruled out beside.
    bans: &'t [Ban],
    front: Front<'t>,
    /// Indexes that may need shards.
    hot: Vec<bool>,
    nodes: Vec<Node>,
}

/// What was decided on the way.
struct Branch {
    base: usize,
    states: Vec<State>,
    open: Vec<usize>,
    /// Where shared demands are placed.
    placed: Vec<Option<Choice>>,
}

/// Ways to serve a demand, with the index that each needs.
type Ways = Vec<(Option<usize>, Choice)>;

/// What is left to decide.
struct Left {
    /// Of every demand, the ways that are left, cheapest first.
    ways: Vec<Vec<Way>>,
    opening: Vec<i128>,
    states: Vec<State>,
    /// What is open costs this.
    upkeep: i128,
    places: Vec<SharedPlace>,
}

impl Branch {
    fn new(task: &EntityTask<'_>, base: usize) -> Self {
        let kept = |index: &usize| *index < task.candidates.kept;
        let state = |index: &usize| if kept(index) { State::Open } else { State::Undecided };
        Branch {
            base,
            states: task.weighed.iter().map(state).collect(),
            open: (0..task.weighed.len()).filter(|at| kept(&task.weighed[*at])).collect(),
            placed: vec![None; task.demands.len()],
        }
    }
}

impl Growing<'_, '_> {
    fn kind(&self, index: usize) -> usize {
        self.task.candidates.indexes[self.task.weighed[index]].projection.kind()
    }

    fn has_room(&self, branch: &Branch, index: usize) -> bool {
        let mut counts = Counts::default();
        branch.open.iter().for_each(|it| counts[self.kind(*it)] += 1);
        counts[self.kind(index)] += 1;
        let closes = |ban: &Ban| ban.closes(self.task, &branch.open, self.task.weighed[index]);
        self.limits.allow(counts) && !self.bans.iter().any(closes)
    }

    /// Adds a node and all below it.
    fn below(&mut self, branch: &mut Branch) -> Option<usize> {
        let here = self.nodes.len();
        if here >= MOST_NODES {
            return None;
        }
        self.nodes.push(Node::Illegal(Vec::new()));
        let unplaced = (0..self.task.demands.len())
            .find(|at| self.task.demands[*at].is_shared() && branch.placed[*at].is_none());
        if let Some(demand) = unplaced {
            self.nodes.pop();
            return self.place(branch, demand);
        }
        let (states, candidates) = self.candidates(branch);
        let room = self.limits.leave(branch.open.len());
        if let Some(demand) = candidates.iter().position(Vec::is_empty) {
            self.nodes[here] = Node::Illegal(vec![demand]);
            return Some(here);
        }
        let apart = apart(&states, &candidates);
        if apart.len() > room {
            self.nodes[here] = Node::Illegal(apart);
            return Some(here);
        }
        let left = self.left(branch, states, &candidates, &apart);
        let chosen: Vec<Choice> =
            branch.placed.iter().map(|it| it.clone().unwrap_or(Choice::NotNeeded)).collect();
        let (bound, raised) = best_prices(&left, room);
        if bound >= self.front.bar(usize::MAX, &left.places) || !arranged(self.task, &chosen) {
            self.nodes[here] = Node::Bound { prices: raised, apart };
            return Some(here);
        }
        // Next the index that the prices pay most for.
        let paid = |index: &usize| {
            let of = left.ways.iter().zip(&raised);
            of.filter_map(|(ways, price)| {
                let cost = ways.iter().filter(|way| way.index == Some(*index)).map(|way| way.cost).min()?;
                Some((price - cost).max(0))
            })
            .sum::<i128>()
        };
        let undecided = (0..left.states.len()).filter(|index| left.states[*index] == State::Undecided);
        let index = undecided.max_by_key(|index| (paid(index), std::cmp::Reverse(*index)))?;
        branch.states[index] = State::Open;
        branch.open.push(index);
        let yes = self.below(branch)?;
        branch.open.pop();
        branch.states[index] = State::Closed;
        let no = self.below(branch)?;
        branch.states[index] = State::Undecided;
        self.nodes[here] = Node::Decide { on: Decision::Index(index), yes, no };
        Some(here)
    }

    /// Decides where a shared demand is served: at one place after the other, or nowhere.
    fn place(&mut self, branch: &mut Branch, demand: usize) -> Option<usize> {
        let first = self.nodes.len();
        let task = self.task;
        let mut places: Vec<(Option<usize>, Choice)> =
            task.without_index(branch.base, demand).iter().map(|choice| (None, choice.clone())).collect();
        for (index, fit) in task.on_indexes(branch.base, demand) {
            if let Ok(local) = task.weighed.binary_search(index)
                && branch.states[local] != State::Closed
            {
                places.push((Some(local), Choice::Index(*index, Arc::clone(fit))));
            }
        }
        for (index, choice) in places {
            let opens = index.filter(|index| branch.states[*index] == State::Undecided);
            if opens.is_some_and(|index| !self.has_room(branch, index)) {
                continue;
            }
            let here = self.nodes.len();
            self.nodes.push(Node::Illegal(Vec::new()));
            if let Some(index) = opens {
                branch.states[index] = State::Open;
                branch.open.push(index);
            }
            branch.placed[demand] = Some(choice);
            let yes = self.below(branch)?;
            if let Some(index) = opens {
                branch.open.pop();
                branch.states[index] = State::Undecided;
            }
            let no = self.nodes.len();
            self.nodes[here] = Node::Decide { on: Decision::Place { demand, index }, yes, no };
        }
        branch.placed[demand] = None;
        self.nodes.push(Node::Illegal(vec![demand]));
        Some(first)
    }

    /// Which indexes are open or may be opened, and the ways to serve each demand that are left, with the index that each
    /// needs.
    fn candidates(&self, branch: &Branch) -> (Vec<State>, Vec<Ways>) {
        let (task, item) = (self.task, self.item(branch));
        let mut states = branch.states.clone();
        for (index, state) in states.iter_mut().enumerate() {
            if *state == State::Undecided && !self.has_room(branch, index) {
                *state = State::Closed;
            }
        }
        let of = |demand: usize| {
            if let Some(choice) = &branch.placed[demand] {
                return vec![(None, choice.clone())];
            }
            let mut all: Vec<(Option<usize>, Choice)> =
                task.without_index(branch.base, demand).iter().map(|choice| (None, choice.clone())).collect();
            for (index, fit) in task.on_indexes(branch.base, demand) {
                if let Ok(local) = task.weighed.binary_search(index)
                    && states[local] != State::Closed
                {
                    all.push((Some(local), Choice::Index(*index, Arc::clone(fit))));
                }
            }
            let asked = &task.demands[demand];
            all.retain(|(index, choice)| {
                let item = self.at_least(&states, item, *index);
                let (path, entry) = self.reads(branch.base, choice, item);
                match choice {
                    Choice::Base(fit) | Choice::Index(_, fit) => {
                        entry <= fit.most_bytes(task.facts(), &asked.part, path)
                    }
                    Choice::NotNeeded | Choice::Unique(_) => true,
                }
            });
            all
        };
        let all = (0..task.demands.len()).map(of).collect();
        (states, all)
    }

    /// Bytes of an item with what is open.
    fn item(&self, branch: &Branch) -> u64 {
        let open: Vec<usize> = branch.open.iter().map(|index| self.task.weighed[*index]).collect();
        self.task.item_bytes(branch.base, &open)
    }

    /// Bytes of an item where one more index is open.
    fn at_least(&self, states: &[State], item: u64, index: Option<usize>) -> u64 {
        let opens = index.filter(|index| states[*index] == State::Undecided);
        item + opens.map_or(0, |index| self.task.key_bytes(self.task.weighed[index]))
    }

    /// The path that a choice reads, and the bytes of what lies there.
    fn reads(&self, base: usize, choice: &Choice, item: u64) -> (&Path, u64) {
        match opened(choice) {
            Some(index) => {
                (&self.task.candidates.indexes[index].path, self.task.entry_bytes(base, index, item))
            }
            None => (&self.task.candidates.bases[base], item),
        }
    }

    /// What is left to decide, at the sizes of what is open and of what has to be.
    fn left(&self, branch: &Branch, states: Vec<State>, candidates: &[Ways], apart: &[usize]) -> Left {
        let (task, base, item) = (self.task, branch.base, self.item(branch));
        let keys = |demand: &usize| {
            let indexes = candidates[*demand].iter().filter_map(|(index, _)| *index);
            indexes.map(|index| task.key_bytes(task.weighed[index])).min().unwrap_or(0)
        };
        let floor = item + apart.iter().map(keys).sum::<u64>();
        let open: Vec<usize> = branch.open.iter().map(|index| task.weighed[*index]).collect();
        let entry = |index: &usize, item: u64| task.entry(*index, task.entry_bytes(base, *index, item));
        let entries: Vec<_> = open.iter().map(|index| entry(index, floor)).collect();
        // What has to be there makes writes dearer; that it is stored comes with each index.
        let mut upkeep = task.upkeep(base, floor, &entries).total();
        if floor > item {
            upkeep -= self.stored(floor) - self.stored(item) + ROUNDING;
            for index in &open {
                let stored = |item: u64| task.entry_storage(base, &entry(index, item));
                upkeep -= stored(floor) - stored(item) + ROUNDING;
            }
        }
        let ways = candidates.iter().enumerate().map(|(demand, choices)| {
            let mut ways: Vec<Way> = choices
                .iter()
                .map(|(index, choice)| {
                    let item = self.at_least(&states, item, *index).max(floor);
                    Way { cost: self.least(base, demand, *index, choice, item), index: *index, way: 0 }
                })
                .collect();
            ways.sort_by_key(|way| way.cost);
            ways
        });
        let ways = ways.collect();
        let opening = (0..states.len()).map(|index| match states[index] {
            State::Undecided => self.opening(base, &open, index, item, floor),
            State::Open | State::Closed => 0,
        });
        let places = branch.placed.iter().flatten().map(|choice| {
            let bytes = opened(choice).map_or(floor, |index| task.entry_bytes(base, index, floor));
            SharedPlace::of(task, choice, bytes)
        });
        Left { ways, opening: opening.collect(), upkeep, places: places.collect(), states }
    }

    /// The least that serving a demand costs, where an item has so many bytes.
    fn least(&self, base: usize, demand: usize, index: Option<usize>, choice: &Choice, item: u64) -> i128 {
        let (task, asked) = (self.task, &self.task.demands[demand]);
        if asked.is_shared() {
            // What several entities share is nobody's own.
            return 0;
        }
        let (_, entry) = self.reads(base, choice, item);
        let price = |shards: u64| task.price(asked, choice, base, item, entry, shards);
        if index.is_some_and(|index| self.hot[index]) {
            // Over shards a page may take fewer requests, and where they are told apart fewer units.
            let units = price(1).half_units.min(price(MOST_SHARDS).half_units);
            task.month.reads(asked.rate, units).pico()
        } else {
            price(1).cost.total()
        }
    }

    fn stored(&self, bytes: u64) -> i128 {
        self.task.month.storage(self.task.facts().count, 1_000_000, bytes).pico()
    }

    /// The least that opening an index adds: its entries, and its keys in the item and in the entries that hold all.
    fn opening(&self, base: usize, open: &[usize], index: usize, item: u64, floor: u64) -> i128 {
        let (task, facts) = (self.task, self.task.facts());
        let at = task.weighed[index];
        let larger = item + task.key_bytes(at);
        let entry = task.entry(at, task.entry_bytes(base, at, larger.max(floor)));
        let mut sum = task.entry_storage(base, &task.entry(at, task.entry_bytes(base, at, larger)));
        sum += entry.beside.total() - ROUNDING;
        sum += self.stored(larger) - self.stored(item) - ROUNDING;
        for other in open {
            let stored = |item: u64| {
                task.entry_storage(base, &task.entry(*other, task.entry_bytes(base, *other, item)))
            };
            sum += stored(larger) - stored(item) - ROUNDING;
        }
        for (write, effect) in &task.effects {
            let times = effect.times(facts);
            let each = entry_writes(facts, effect, &task.candidates.bases[base], &entry);
            let micro = each.saturating_mul(times);
            sum += task.month.writes(write.rate, micro).pico() - ROUNDING;
        }
        if entry.projection.kind() == 2 {
            sum += task.month.operational.include_list.pico();
        }
        sum.max(0)
    }
}

/// Demands that nothing open serves, no two of them by the same index; the hardest are taken first.
fn apart(states: &[State], candidates: &[Ways]) -> Vec<usize> {
    let is_open =
        |(index, _): &(Option<usize>, Choice)| index.is_none_or(|index| states[index] == State::Open);
    let mut forced: Vec<usize> =
        (0..candidates.len()).filter(|demand| !candidates[*demand].iter().any(is_open)).collect();
    forced.sort_by_key(|demand| (candidates[*demand].len(), *demand));
    let mut taken = vec![false; states.len()];
    let mut apart = Vec::new();
    for demand in forced {
        let indexes = || candidates[demand].iter().filter_map(|(index, _)| *index);
        if indexes().all(|index| !taken[index]) {
            indexes().for_each(|index| taken[index] = true);
            apart.push(demand);
        }
    }
    apart
}

/// Prices that bound well what is left where only so many indexes more may be opened, and the bound. Where room is
/// scarce, an index is worth more than it costs: what it is worth is tried.
fn best_prices(left: &Left, room: usize) -> (i128, Vec<i128>) {
    let undecided = left.states.iter().filter(|state| **state == State::Undecided).count();
    let at = |worth: i128| {
        let opening: Vec<i128> = left.opening.iter().map(|cost| cost + worth).collect();
        let raised = prices(&left.ways, &opening, &left.states).unwrap_or_else(|| vec![0; left.ways.len()]);
        (bound(left, &raised, room), raised)
    };
    let mut best = at(0);
    if room >= undecided.min(left.ways.len()) {
        return best;
    }
    let most = left.ways.iter().flatten().map(|way| way.cost).chain(left.opening.iter().copied()).max();
    let (mut low, mut high) = (0, most.unwrap_or(0));
    for _ in 0..TRIALS {
        let third = (high - low) / 3;
        let (one, two) = (at(low + third), at(high - third));
        if one.0 >= two.0 {
            high -= third
        } else {
            low += third
        }
        for it in [one, two] {
            if it.0 > best.0 {
                best = it;
            }
        }
        if third == 0 {
            break;
        }
    }
    best
}

/// What prices show: no index is worth more to the demands than the parts by which their prices pass what serving them
/// there costs, and no more indexes are opened than there is room for.
fn bound(left: &Left, prices: &[i128], room: usize) -> i128 {
    let mut worth: Vec<i128> = left.opening.clone();
    let mut sum = left.upkeep;
    for (ways, price) in left.ways.iter().zip(prices) {
        let is_open = |way: &&Way| way.index.is_none_or(|index| left.states[index] == State::Open);
        let price = ways.iter().find(is_open).map_or(*price, |way| way.cost.min(*price));
        sum += price;
        for way in ways {
            if let Some(index) = way.index.filter(|index| left.states[*index] == State::Undecided) {
                worth[index] -= (price - way.cost).max(0);
            }
        }
    }
    let mut worth: Vec<i128> = worth.into_iter().filter(|it| *it < 0).collect();
    worth.sort_unstable();
    sum + worth.iter().take(room).sum::<i128>()
}

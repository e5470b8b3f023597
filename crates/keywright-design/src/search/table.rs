//! One table: the cheapest layouts of its components together, over all numbers of indexes.
//!
//! For each number of indexes in all, nothing costs less than the cheapest layouts that have no more of them, entity by
//! entity, and the price of so many indexes. Where these layouts need too many of the kinds together, the numbers of
//! each kind are parted; where their indexes can't share that few GSIs, what ties them is. The most promising part goes
//! first, until none can beat the best design.

use std::collections::BTreeMap;

use keywright_dynamodb::Money;
use keywright_dynamodb::limits::GLOBAL_SECONDARY_INDEXES;

use super::colouring::{ListKind, fewest_for};
use super::component::{Component, Unserved};
use super::grouping::{fixed, groups};
use super::layout::Layout;
use super::limits::{Limits, Numbers};
use super::native;
use super::open::{Ban, least_indexes};
use super::task::{EntityTask, Stop};
use super::total::{Answer, Known, KnownTable, Proof, Unsolved, entities};
use super::{Choice, Colouring, Counts, Group, colour, colour_beside};
use crate::cost::{Cost, MonthlyPrice, ReadPrice};
use crate::demand::Source;
use crate::existing::Existing;
use crate::form::Form;
use crate::path::Projection;
use crate::problem::Problem;

/// So many ways to part groups that can't share a GSI are tried for one number of indexes.
const MOST_PARTED: usize = 500;
/// The tables of more entities than this are not written down.
const WORTH_SHOWING: usize = 60;
/// Fewer components than this are solved faster by one thread.
const WORTH_THREADS: usize = 8;

/// Finds the cheapest design of one table, which has these components.
pub(super) fn solve_table(
    problem: &Problem,
    month: &MonthlyPrice,
    tasks: &[EntityTask<'_>],
    components: Vec<Component>,
    stop: Stop,
    every_count: bool,
) -> Result<Answer, Unsolved> {
    let table = entities(&components);
    let needed = table.iter().map(|entity| least_indexes(&tasks[*entity])).max().unwrap_or(0);
    if needed > GLOBAL_SECONDARY_INDEXES {
        return Err(Unsolved::TooManyIndexes { needed });
    }
    let native = table.first().is_some_and(|entity| tasks[*entity].forms.index == Form::Native);
    let existing = table.first().and_then(|entity| tasks[*entity].existing);
    let mut present = Counts::default();
    existing.map_or_else(Vec::new, Existing::present).iter().for_each(|it| present[it.kind] += 1);
    let mut search = Search {
        problem,
        month,
        tasks,
        table,
        native,
        index_price: if native { Money::ZERO } else { month.operational.index },
        existing,
        present,
        stop,
        every_count,
        components,
        best: None,
        frontier: BTreeMap::new(),
        fewest: usize::MAX,
        solved: Vec::new(),
    };
    let first = search.within(Limits::ANY, &[]);
    search.first_reason()?;
    let first = first.expect("every component has a solution");
    let weighed =
        search.components.iter().filter_map(|it| it.known(tasks, Limits::ANY, &[])?.solution.as_ref().ok());
    let weighed = weighed.map(|it| it.weighed).sum();
    search.offer(&first);
    let lower_bound = search.run(&first, needed);
    let fewest = search.fewest;
    // That fewer indexes than are needed do not do is no more than a glance; whoever checks it wants to see it.
    let worth_showing = search.table.len() <= WORTH_SHOWING;
    if let Some(fewer) = needed.checked_sub(1).filter(|_| worth_showing)
        && let Some(limits) = Numbers::adding_up_to(fewer).limits()
    {
        search.within(limits, &[]);
    }
    let bounds = match worth_showing {
        true => search.bounds(),
        false => Err(format!("those of {} entities are not written down", search.table.len())),
    };
    let components = search.components.iter().map(|it| it.entities.clone()).collect();
    let mut best = search.best.ok_or(Unsolved::TooManyIndexes { needed: fewest })?;
    best.frontier = search.frontier.into_iter().collect();
    let lower_bound = lower_bound.map_or(best.cost.total(), |bound| bound.min(best.cost.total()));
    best.tables = vec![KnownTable { indexes: best.counts.iter().sum(), components, bounds }];
    best.proof = Proof { lower_bound, layouts: weighed };
    Ok(best)
}

/// Every number of indexes of each kind that a table can have.
fn vectors() -> impl Iterator<Item = Counts> {
    let most = GLOBAL_SECONDARY_INDEXES;
    (0..=most).flat_map(move |all| {
        (0..=most - all).flat_map(move |keys| (0..=most - all - keys).map(move |lists| [all, keys, lists]))
    })
}

fn lower(bound: &mut Option<i128>, to: i128) {
    *bound = Some(bound.map_or(to, |bound| bound.min(to)));
}

/// What was found so far.
struct Search<'s, 'p> {
    problem: &'s Problem,
    month: &'s MonthlyPrice,
    tasks: &'s [EntityTask<'p>],
    /// The entities of the table, ascending.
    table: Vec<usize>,
    /// Every index holds one entity, and has paid for itself.
    native: bool,
    index_price: Money,
    existing: Option<&'s Existing<'s>>,
    /// How many indexes of each kind are there already.
    present: Counts,
    stop: Stop,
    /// Also find the cheapest design for numbers of indexes that can't win.
    every_count: bool,
    components: Vec<Component>,
    best: Option<Answer>,
    frontier: BTreeMap<usize, Cost>,
    fewest: usize,
    /// The limits within which everything was solved, with nothing ruled out.
    solved: Vec<Limits>,
}

/// The cheapest layouts together, before they are given GSIs.
struct Joint {
    /// In the order of the table's entities.
    layouts: Vec<Layout>,
    shared: Vec<(usize, ReadPrice)>,
    cost: Cost,
    /// The most indexes of each kind that an entity has.
    used: Counts,
    /// The most indexes that an entity has.
    most: usize,
    /// Nothing within the same limits is cheaper.
    bound: i128,
}

/// A part of the space: numbers of indexes, what is ruled out, and kinds of lists of which some index has each.
#[derive(Clone, PartialEq, Eq)]
struct Part<'p> {
    numbers: Numbers,
    bans: Vec<(usize, Ban)>,
    lists: Vec<ListKind<'p>>,
}

/// Parts that are still to be searched, the most promising first, then in the order in which they came.
#[derive(Default)]
struct Queue<'p> {
    parts: BTreeMap<(i128, usize), Part<'p>>,
    came: usize,
}

impl<'p> Queue<'p> {
    fn push(&mut self, least: i128, part: Part<'p>) {
        self.parts.insert((least, self.came), part);
        self.came += 1;
    }
}

impl<'s> Search<'s, '_> {
    /// Searches every number of indexes that could win; gives a bound on what was left out, none where nothing was.
    fn run(&mut self, first: &Joint, needed: usize) -> Option<i128> {
        let mut bound: Option<i128> = None;
        let mut queue = Queue::default();
        // Without limits nothing is cheaper, and no limit on the sum takes anything away that no entity has.
        let mut least = first.bound;
        let there: usize = self.present.iter().sum();
        for sum in (needed.max(there)..=GLOBAL_SECONDARY_INDEXES).rev() {
            let numbers = Numbers::adding_up_to(sum);
            let running = self.running(&numbers);
            // Where an index costs nothing, the most of them include all others.
            let free = self.index_price <= Money::ZERO && sum < GLOBAL_SECONDARY_INDEXES;
            if self.beaten(sum, least + running) || free && !self.every_count {
                continue;
            }
            if self.stop.now() {
                lower(&mut bound, least + running);
                continue;
            }
            if sum < first.most {
                let limits = numbers.limits().expect("some numbers add up to it");
                let Some(joint) = self.within(limits, &[]) else { break };
                self.offer(&joint);
                least = least.max(joint.bound);
            }
            queue.push(least + running, Part { numbers, bans: Vec::new(), lists: Vec::new() });
        }
        let mut parted: BTreeMap<usize, usize> = BTreeMap::new();
        while let Some(((least, _), part)) = queue.parts.pop_first() {
            let sum = part.numbers.sum;
            if self.beaten(sum, least) {
                continue;
            }
            let parted = parted.entry(sum).or_default();
            *parted += 1;
            if self.stop.now() || *parted > MOST_PARTED {
                lower(&mut bound, least);
                continue;
            }
            if let Some(left) = self.part(least, part, &mut queue) {
                lower(&mut bound, left);
            }
        }
        bound
    }

    /// What running so many indexes costs at least; what is there already is run anyway.
    fn running(&self, numbers: &Numbers) -> i128 {
        self.index_price.pico() * numbers.beyond(self.present) as i128
    }

    /// Whether a design with at most so many indexes is known that costs no more.
    fn beaten(&self, sum: usize, least: i128) -> bool {
        if self.every_count {
            return self.frontier.range(..=sum).any(|(_, cost)| cost.total() <= least);
        }
        self.best.as_ref().is_some_and(|best| best.cost.total() <= least)
    }

    /// The cheapest design of one part. Where its layouts do not fit into so few GSIs, smaller parts take its place in
    /// the queue; gives a bound where that is given up.
    fn part(&mut self, least: i128, part: Part<'s>, queue: &mut Queue<'s>) -> Option<i128> {
        let Part { numbers, bans, lists } = part;
        if numbers.too_few_for([0, 0, fewest_for(&lists)]).is_some() {
            return None;
        }
        let joint = self.within(numbers.limits()?, &bans)?;
        let least = least.max(joint.bound + self.running(&numbers));
        let Some((groups, colouring)) = self.offer(&joint) else { return Some(least) };
        if self.beaten(numbers.sum, least) {
            return None;
        }
        let mut go_on = |some: Vec<Numbers>| {
            for numbers in some {
                let least = least.max(joint.bound + self.running(&numbers));
                queue.push(least, Part { numbers, bans: bans.clone(), lists: lists.clone() });
            }
            None
        };
        // Native indexes are each their own, and those of a table that exists are there whatever is chosen.
        let counted = !self.native && self.existing.is_none();
        let witness = match (colouring.torn, numbers.too_few_for(colouring.counts)) {
            (Some(torn), _) => vec![torn],
            (None, _) if joint.used.iter().sum::<usize>() > numbers.sum => {
                return go_on(numbers.without_room_for(joint.used));
            }
            (None, Some(kind)) if counted => colouring.witness[kind].clone(),
            (None, None) if counted && colouring.counts.iter().sum::<usize>() > numbers.sum => {
                return go_on(numbers.without_room_for(colouring.counts));
            }
            // It fits: nothing else with such numbers is cheaper.
            (None, _) => return Some(least),
        };
        if !colouring.exact {
            return Some(least);
        }
        let (of_lists, alone) = self.partings(&groups, &witness, &joint.layouts);
        let mut part = |more: Vec<(usize, Ban)>, lists: &[ListKind<'s>]| {
            let mut bans = bans.clone();
            bans.extend(more);
            bans.sort_unstable();
            bans.dedup();
            let part = Part { numbers, bans, lists: lists.to_vec() };
            if !queue.parts.values().any(|it| *it == part) {
                queue.push(least, part);
            }
        };
        // A kind of list is missing, or it is there and the next one is missing, and so on.
        let mut there = lists;
        for kind in of_lists {
            part(self.with_list(&kind), &there);
            if !there.contains(&kind) {
                there.push(kind);
            }
        }
        for ban in alone {
            part(vec![ban], &there);
        }
        None
    }

    /// The cheapest layouts within the limits and without what is banned; none where there are none.
    fn within(&mut self, limits: Limits, bans: &[(usize, Ban)]) -> Option<Joint> {
        let (problem, month, tasks, stop) = (self.problem, self.month, self.tasks, self.stop);
        let solve = |some: &mut [Component]| {
            for component in some {
                component.solve(problem, month, tasks, limits, bans, stop);
            }
        };
        let threads = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        let share = self.components.len().div_ceil(threads);
        if self.components.len() < WORTH_THREADS || threads < 2 {
            solve(&mut self.components);
        } else {
            // What a component finds depends on nothing but itself, so the threads change no result.
            std::thread::scope(|scope| {
                for some in self.components.chunks_mut(share) {
                    scope.spawn(|| solve(some));
                }
            });
        }
        if bans.is_empty() && !self.solved.contains(&limits) {
            self.solved.push(limits);
        }
        let mut layouts: Vec<Option<Layout>> = vec![None; tasks.len()];
        let mut joint = Joint {
            layouts: Vec::new(),
            shared: Vec::new(),
            cost: Cost::ZERO,
            used: Counts::default(),
            most: 0,
            bound: 0,
        };
        for component in &self.components {
            let mine: Vec<(usize, Ban)> =
                bans.iter().copied().filter(|(entity, _)| component.entities.contains(entity)).collect();
            let solved = component.known(tasks, limits, &mine).expect("it was just solved");
            let solution = solved.solution.as_ref().ok()?;
            joint.cost += solution.cost;
            joint.bound = joint.bound.saturating_add(solved.bound);
            joint.shared.extend(solution.shared.iter().copied());
            for (kind, used) in joint.used.iter_mut().enumerate() {
                *used = (*used).max(solution.used[kind]);
            }
            for (entity, layout) in component.entities.iter().zip(&solution.layouts) {
                joint.most = joint.most.max(layout.indexes.len());
                layouts[*entity] = Some(layout.clone());
            }
        }
        joint.shared.sort_by_key(|(read, _)| *read);
        joint.layouts = layouts.into_iter().flatten().collect();
        Some(joint)
    }

    /// What was found within those limits that bound some numbers of indexes best.
    fn bounds(&mut self) -> Result<Vec<Known>, String> {
        let Some(best) = &self.best else { return Ok(Vec::new()) };
        let known: Vec<(Limits, Option<i128>)> = self
            .solved
            .iter()
            .map(|limits| {
                let least = self.components.iter().map(|it| it.least(self.tasks, *limits));
                (*limits, least.sum::<Option<i128>>())
            })
            .collect();
        // None, for what is impossible, bounds better than any price.
        let rank = |least: Option<i128>| (least.is_none(), least);
        let mut used: Vec<Limits> = vec![Limits::ANY];
        for counts in vectors() {
            let running = self.index_price.pico() * counts.iter().sum::<usize>() as i128;
            let shown = |limits: &Limits| {
                let (_, least) = known.iter().find(|it| it.0 == *limits).expect("it was solved");
                limits.allow(counts) && least.is_none_or(|least| least + running >= best.cost.total())
            };
            let covering = known.iter().filter(|(limits, _)| limits.allow(counts));
            if !used.iter().any(shown)
                && let Some((limits, _)) = covering.max_by_key(|(_, least)| rank(*least))
                && !used.contains(limits)
            {
                used.push(*limits);
            }
        }
        let (problem, month, tasks, stop) = (self.problem, self.month, self.tasks, self.stop);
        let mut shown = Vec::with_capacity(used.len());
        for limits in used {
            let components = self.components.iter_mut();
            let components = components.map(|it| it.shown(problem, month, tasks, limits, stop));
            match components.collect() {
                Some(components) => shown.push(Known { limits, components }),
                None => return Err("the search was stopped before they were complete".to_owned()),
            }
        }
        Ok(shown)
    }

    /// Why some component has no solution at all.
    fn first_reason(&self) -> Result<(), Unsolved> {
        for component in &self.components {
            let solved = component
                .known(self.tasks, Limits::ANY, &[])
                .expect("every component was solved without limits");
            match &solved.solution {
                Ok(_) => {}
                Err(_) if !solved.complete => return Err(Unsolved::TimeUp),
                Err(Unserved::Entity(entity)) => return Err(Unsolved::NoLayout { entity: *entity }),
                Err(Unserved::Together) => {
                    return Err(Unsolved::NoPlace { entities: component.entities.clone() });
                }
            }
        }
        Ok(())
    }

    /// Gives the logical indexes their GSIs, and keeps the design if it is the cheapest so far.
    fn offer(&mut self, joint: &Joint) -> Option<(Vec<Group>, Colouring)> {
        let groups = groups(self.problem, self.tasks, &self.table, &joint.layouts);
        let colouring = match self.existing {
            None => {
                let of: BTreeMap<usize, &Layout> = self.table.iter().copied().zip(&joint.layouts).collect();
                let candidate = |member: &(usize, usize)| of[&member.0].indexes[member.1];
                let apart = |one: &Group, other: &Group| !native::is_same(self.tasks, &candidate, one, other);
                colour(self.problem, &groups, if self.native { Some(&apart) } else { None })
            }
            Some(existing) => {
                let fixed = fixed(self.tasks, &self.table, &joint.layouts, existing, &groups)?;
                colour_beside(self.problem, &groups, self.native, &existing.present(), &fixed)?
            }
        };
        let used: usize = colouring.counts.iter().sum();
        self.fewest = self.fewest.min(used);
        if used > GLOBAL_SECONDARY_INDEXES || colouring.torn.is_some() {
            return Some((groups, colouring));
        }
        let new = used - self.existing.map_or(0, |existing| existing.design.indexes.len());
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
            self.best = Some(Answer {
                layouts: joint.layouts.clone(),
                shared: joint.shared.clone(),
                groups: groups.clone(),
                colours: colouring.colours.clone(),
                counts: colouring.counts,
                cost,
                proof: Proof { lower_bound: 0, layouts: 0 },
                tables: Vec::new(),
                frontier: Vec::new(),
            });
        }
        Some((groups, colouring))
    }

    /// What could be missing of groups that are one too many: one of their indexes, or the use that a shared read makes
    /// of it. Where only the list of a group is in the way of the others, so is that of every index with such a list:
    /// then the kind of list could be missing as a whole. Kinds of lists come first.
    fn partings(
        &self,
        groups: &[Group],
        some: &[usize],
        layouts: &[Layout],
    ) -> (Vec<ListKind<'s>>, Vec<(usize, Ban)>) {
        let (mut lists, mut bans) = (Vec::new(), Vec::new());
        for group in some {
            let one = &groups[*group];
            let strange = |other: &Group| {
                other.members.iter().all(|(entity, _)| one.members.iter().all(|it| it.0 != *entity))
            };
            let by_list = some.iter().filter(|it| *it != group).all(|other| strange(&groups[*other]));
            if let Some(kind) = ListKind::of(self.problem, one).filter(|_| by_list) {
                lists.push(kind);
                continue;
            }
            for (entity, position) in &one.members {
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
        }
        (lists, bans)
    }

    /// All lists of a kind, over all entities.
    fn with_list(&self, kind: &ListKind<'_>) -> Vec<(usize, Ban)> {
        let mut bans = Vec::new();
        for entity in &self.table {
            for index in &self.tasks[*entity].candidates.indexes {
                if let Projection::Include(list) = index.projection
                    && ListKind::new(self.problem, *entity, list) == *kind
                {
                    bans.push((*entity, Ban::List(list)));
                }
            }
        }
        bans.sort_unstable();
        bans.dedup();
        bans
    }
}

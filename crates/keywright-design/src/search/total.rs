//! The whole design: the cheapest layouts of all components together, for every number of indexes of each kind.

use std::collections::BTreeMap;

use keywright_dynamodb::Money;
use keywright_dynamodb::limits::GLOBAL_SECONDARY_INDEXES;
use keywright_model::Style;

use super::component::{Component, Unserved, components};
use super::grouping::{fixed, groups};
use super::layout::Layout;
use super::native::{self, Natives, Openers};
use super::open::{Ban, least_indexes};
use super::task::{EntityTask, Stop};
use super::{Colouring, Counts, Group, colour, colour_beside};
use crate::cost::{Cost, MonthlyPrice, ReadPrice};
use crate::demand::Source;
use crate::existing::Existing;
use crate::form::Form;
use crate::problem::Problem;
use crate::search::Choice;

/// The design that the search found.
#[derive(Debug)]
pub(crate) struct Answer {
    /// The layout of each entity.
    pub(crate) layouts: Vec<Layout>,
    /// The price of each read of several entities.
    pub(crate) shared: Vec<(usize, ReadPrice)>,
    pub(crate) groups: Vec<Group>,
    /// The GSI of each group.
    pub(crate) colours: Vec<usize>,
    pub(crate) counts: Counts,
    pub(crate) cost: Cost,
    pub(crate) proof: Proof,
    /// The cheapest total for each number of indexes, ascending; none where no design has so few.
    pub(crate) frontier: Vec<(usize, Cost)>,
}

/// What is known about the optimum.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Proof {
    /// No design in the space is cheaper than this, in pico-dollars.
    pub(crate) lower_bound: i128,
    /// Layouts that were weighed against each other.
    pub(crate) layouts: usize,
}

/// Why there is no design.
#[derive(Debug)]
pub(crate) enum Unsolved {
    /// No layout of this entity serves all its demands.
    NoLayout { entity: usize },
    /// The shared reads of these entities can't be served together.
    NoPlace { entities: Vec<usize> },
    /// More indexes than a table may have.
    TooManyIndexes { needed: usize },
    /// The time was up before any design was found.
    TimeUp,
}

impl Unsolved {
    /// The entities whose layouts are in the way.
    pub(crate) fn entities(&self) -> Vec<usize> {
        match self {
            Unsolved::NoLayout { entity } => vec![*entity],
            Unsolved::NoPlace { entities } => entities.clone(),
            Unsolved::TooManyIndexes { .. } | Unsolved::TimeUp => Vec::new(),
        }
    }
}

/// Any number of indexes.
const ANY: Counts = [usize::MAX; 3];
/// So many ways to part groups that can't share a GSI are tried for one vector of counts.
const MOST_PARTED: usize = 500;
/// Fewer components than this are solved faster by one thread.
const WORTH_THREADS: usize = 8;

/// The entities of each table: all in one, or in the style of many tables those together that a read ties together.
pub(crate) fn tables(problem: &Problem, style: Style) -> Vec<Vec<usize>> {
    match style {
        Style::Overloaded | Style::MultiAttribute => vec![(0..problem.entities.len()).collect()],
        Style::MultiTable => components(problem).into_iter().map(|it| it.entities).collect(),
    }
}

/// Finds the cheapest design: the cheapest of each table, since tables share nothing. With `every_count` also the
/// cheapest for numbers of indexes that can't win.
pub(crate) fn solve(
    problem: &Problem,
    month: &MonthlyPrice,
    tasks: &[EntityTask<'_>],
    stop: Stop,
    every_count: bool,
) -> Result<Answer, Unsolved> {
    let style = tasks.first().map_or(Style::default(), |task| task.style);
    if style == Style::MultiAttribute {
        return solve_native(problem, month, tasks, stop);
    }
    let mut whole: Option<Answer> = None;
    let mut order: Vec<usize> = Vec::with_capacity(tasks.len());
    for table in tables(problem, style) {
        let answer = solve_table(problem, month, tasks, &table, stop, every_count)?;
        order.extend(table);
        whole = Some(match whole {
            None => answer,
            Some(before) => before.beside(answer),
        });
    }
    let mut whole = whole.unwrap_or_else(Answer::empty);
    // Layouts come table by table and are wanted entity by entity.
    let mut layouts: Vec<(usize, Layout)> = order.into_iter().zip(whole.layouts).collect();
    layouts.sort_by_key(|(entity, _)| *entity);
    whole.layouts = layouts.into_iter().map(|(_, layout)| layout).collect();
    whole.shared.sort_by_key(|(read, _)| *read);
    Ok(whole)
}

/// Who opens an index is known only when it is open: so often the division of its price is tried anew.
const ROUNDS: usize = 6;

/// Finds the cheapest design with native indexes, which entities with the same key attributes share.
fn solve_native(
    problem: &Problem,
    month: &MonthlyPrice,
    tasks: &[EntityTask<'_>],
    stop: Stop,
) -> Result<Answer, Unsolved> {
    let table: Vec<usize> = (0..tasks.len()).collect();
    let natives = Natives::of(tasks);
    let mut openers = Openers::new();
    let mut best: Option<Answer> = None;
    let mut lower_bound = i128::MIN;
    for _ in 0..ROUNDS {
        let priced = natives.priced(tasks, &openers);
        let mut answer = solve_table(problem, month, &priced, &table, stop, false)?;
        lower_bound = lower_bound.max(answer.proof.lower_bound);
        answer.cost = natives.settled(&priced, &answer.layouts, answer.cost);
        let opened = natives.opened(tasks, &answer.layouts);
        if best.as_ref().is_none_or(|best| answer.cost.total() < best.cost.total()) {
            best = Some(answer);
        }
        let met = best.as_ref().is_some_and(|best| best.cost.total() <= lower_bound);
        if met || opened == openers || stop.now() {
            break;
        }
        openers = opened;
    }
    let mut best = best.expect("a round gives an answer or ends the search");
    best.proof.lower_bound = lower_bound.min(best.cost.total());
    best.frontier = vec![(best.counts.iter().sum(), best.cost)];
    Ok(best)
}

impl Answer {
    fn empty() -> Self {
        Answer {
            layouts: Vec::new(),
            shared: Vec::new(),
            groups: Vec::new(),
            colours: Vec::new(),
            counts: Counts::default(),
            cost: Cost::ZERO,
            proof: Proof { lower_bound: 0, layouts: 0 },
            frontier: vec![(0, Cost::ZERO)],
        }
    }

    /// This answer and that of another table: everything adds up.
    fn beside(mut self, other: Answer) -> Self {
        let first: usize = self.counts.iter().sum();
        self.layouts.extend(other.layouts);
        self.shared.extend(other.shared);
        self.groups.extend(other.groups);
        self.colours.extend(other.colours.into_iter().map(|colour| first + colour));
        for (count, more) in self.counts.iter_mut().zip(other.counts) {
            *count += more;
        }
        self.cost += other.cost;
        self.proof.lower_bound += other.proof.lower_bound;
        self.proof.layouts += other.proof.layouts;
        let mut frontier = Vec::new();
        for (one, cost) in &self.frontier {
            for (two, more) in &other.frontier {
                note(&mut frontier, one + two, *cost + *more);
            }
        }
        frontier.sort_by_key(|(used, _)| *used);
        self.frontier = frontier;
        self
    }
}

fn solve_table(
    problem: &Problem,
    month: &MonthlyPrice,
    tasks: &[EntityTask<'_>],
    table: &[usize],
    stop: Stop,
    every_count: bool,
) -> Result<Answer, Unsolved> {
    for task in table.iter().map(|entity| &tasks[*entity]) {
        let needed = least_indexes(task);
        if needed > GLOBAL_SECONDARY_INDEXES {
            return Err(Unsolved::TooManyIndexes { needed });
        }
    }
    let mut components = components(problem);
    components.retain(|component| component.entities.iter().all(|entity| table.contains(entity)));
    let native = table.first().is_some_and(|entity| tasks[*entity].forms.index == Form::Native);
    let index_price = if native { Money::ZERO } else { month.operational.index };
    let existing = table.first().and_then(|entity| tasks[*entity].existing);
    let present = existing.map_or_else(Vec::new, Existing::present);
    let mut search = Search {
        problem,
        month,
        tasks,
        table,
        native,
        index_price,
        existing,
        stop,
        components,
        best: None,
        frontier: BTreeMap::new(),
        fewest: usize::MAX,
    };
    let first = search.within(ANY, &[]);
    search.first_reason()?;
    let first = first.expect("every component has a solution");
    let weighed = search.components.iter().filter_map(|it| it.known(ANY, &[])?.solution.as_ref().ok());
    let weighed = weighed.map(|it| it.weighed).sum();
    // Without limits nothing is cheaper: a number of indexes that costs the difference to the best can't win.
    let cheapest = first.bound;
    search.offer(&first);
    // What is there already is run anyway.
    let running = |counts: Counts| {
        let of = |kind: usize| present.iter().filter(|it| it.kind == kind).count();
        let new: usize = (0..3).map(|kind| counts[kind].saturating_sub(of(kind))).sum();
        index_price.pico() * new as i128
    };
    let mut lower_bound: Option<i128> = None;
    let mut reached: BTreeMap<Counts, Option<i128>> = BTreeMap::new();
    let most = first.used.iter().sum::<usize>();
    let worth = search.worth(cheapest);
    let below = (worth + present.len()).max(if every_count { most } else { 0 });
    for caps in vectors(below.min(GLOBAL_SECONDARY_INDEXES + 1)) {
        // What a larger number of indexes costs bounds this one; where that is impossible, this is too.
        let larger = (0..3).filter_map(|kind| {
            let mut more = caps;
            more[kind] += 1;
            reached.get(&more).copied()
        });
        let mut least = Some(cheapest);
        for bound in larger {
            least = match (least, bound) {
                (Some(least), Some(bound)) => Some(least.max(bound)),
                _ => None,
            };
        }
        let Some(least) = least else {
            reached.insert(caps, None);
            continue;
        };
        let beaten = search.best.as_ref().is_some_and(|best| least + running(caps) >= best.cost.total());
        if beaten && !every_count || stop.now() {
            reached.insert(caps, Some(least));
            if !beaten {
                lower(&mut lower_bound, least + running(caps));
            }
            continue;
        }
        let (bound, parted) = search.part(caps, running(caps));
        reached.insert(caps, bound);
        if let Some(parted) = parted {
            lower(&mut lower_bound, parted.max(least) + running(caps));
        }
    }
    let fewest = search.fewest;
    let mut best = search.best.ok_or(Unsolved::TooManyIndexes { needed: fewest })?;
    best.frontier = search.frontier.into_iter().collect();
    // More indexes than were tried cost at least so much.
    let floor = lower_bound.unwrap_or(i128::MAX).min(cheapest + index_price.pico() * worth as i128);
    best.proof = Proof { lower_bound: floor.min(best.cost.total()), layouts: weighed };
    Ok(best)
}

fn lower(bound: &mut Option<i128>, to: i128) {
    *bound = Some(bound.map_or(to, |bound| bound.min(to)));
}

/// What was found so far.
struct Search<'s, 'p> {
    problem: &'s Problem,
    month: &'s MonthlyPrice,
    tasks: &'s [EntityTask<'p>],
    /// The entities of the table.
    table: &'s [usize],
    /// Every index holds one entity, and has paid for itself.
    native: bool,
    index_price: Money,
    existing: Option<&'s Existing<'s>>,
    stop: Stop,
    components: Vec<Component>,
    best: Option<Answer>,
    frontier: BTreeMap<usize, Cost>,
    fewest: usize,
}

/// The cheapest layouts together, before they are given GSIs.
struct Joint {
    /// In the order of the table's entities.
    layouts: Vec<Layout>,
    shared: Vec<(usize, ReadPrice)>,
    cost: Cost,
    /// The most indexes of each kind that an entity has.
    used: Counts,
    /// Nothing within the same limits is cheaper.
    bound: i128,
}

impl Search<'_, '_> {
    /// The cheapest layouts within the caps and without what is banned; none where there are none.
    fn within(&mut self, caps: Counts, bans: &[(usize, Ban)]) -> Option<Joint> {
        let (problem, month, tasks, stop) = (self.problem, self.month, self.tasks, self.stop);
        let solve = |some: &mut [Component]| {
            for component in some {
                component.solve(problem, month, tasks, caps, bans, stop);
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
        let mut layouts: Vec<Option<Layout>> = vec![None; tasks.len()];
        let mut joint = Joint {
            layouts: Vec::new(),
            shared: Vec::new(),
            cost: Cost::ZERO,
            used: Counts::default(),
            bound: 0,
        };
        for component in &self.components {
            let mine: Vec<(usize, Ban)> =
                bans.iter().copied().filter(|(entity, _)| component.entities.contains(entity)).collect();
            let solved = component.known(caps, &mine).expect("it was just solved");
            let solution = solved.solution.as_ref().ok()?;
            joint.cost += solution.cost;
            joint.bound = joint.bound.saturating_add(solved.bound);
            joint.shared.extend(solution.shared.iter().copied());
            for (kind, used) in joint.used.iter_mut().enumerate() {
                *used = (*used).max(solution.used[kind]);
            }
            for (entity, layout) in component.entities.iter().zip(&solution.layouts) {
                layouts[*entity] = Some(layout.clone());
            }
        }
        joint.shared.sort_by_key(|(read, _)| *read);
        joint.layouts = layouts.into_iter().flatten().collect();
        Some(joint)
    }

    /// Why some component has no solution at all.
    fn first_reason(&self) -> Result<(), Unsolved> {
        for component in &self.components {
            let solved = component.known(ANY, &[]).expect("every component was solved without limits");
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

    /// The first number of indexes that can't win any more.
    fn worth(&self, cheapest: i128) -> usize {
        let index = self.index_price.pico();
        let Some(best) = &self.best else { return GLOBAL_SECONDARY_INDEXES + 1 };
        let used = best.counts.iter().sum::<usize>();
        let saved = best.cost.total() - cheapest;
        if index <= 0 {
            return if saved > 0 { GLOBAL_SECONDARY_INDEXES + 1 } else { used };
        }
        // A design with so many indexes costs at least what the best does.
        let first = (saved + index - 1) / index;
        usize::try_from(first).unwrap_or(0).min(GLOBAL_SECONDARY_INDEXES + 1)
    }

    /// Gives the logical indexes their GSIs, and keeps the design if it is the cheapest so far.
    fn offer(&mut self, joint: &Joint) -> Option<(Vec<Group>, Colouring)> {
        let groups = groups(self.problem, self.tasks, self.table, &joint.layouts);
        let colouring = match self.existing {
            None => {
                let of: BTreeMap<usize, &Layout> = self.table.iter().copied().zip(&joint.layouts).collect();
                let candidate = |member: &(usize, usize)| of[&member.0].indexes[member.1];
                let apart = |one: &Group, other: &Group| {
                    self.native && !native::is_same(self.tasks, &candidate, one, other)
                };
                colour(self.problem, &groups, &apart)
            }
            Some(existing) => {
                let fixed = fixed(self.tasks, self.table, &joint.layouts, existing, &groups)?;
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
                frontier: Vec::new(),
            });
        }
        Some((groups, colouring))
    }

    /// The cheapest design whose GSIs keep to the caps. Where the cheapest layouts need more GSIs than that, groups
    /// that can't share one are parted: one of them must go, and each is tried. Gives the least price before any
    /// parting, and a bound on what keeps to the caps; none where nothing does.
    fn part(&mut self, caps: Counts, running: i128) -> (Option<i128>, Option<i128>) {
        let mut first = None;
        let mut least: Option<i128> = None;
        let mut next: Vec<Vec<(usize, Ban)>> = vec![Vec::new()];
        let mut parted = 0;
        while let Some(bans) = next.pop() {
            let Some(joint) = self.within(caps, &bans) else { continue };
            first = first.or(Some(joint.bound));
            let Some((groups, colouring)) = self.offer(&joint) else {
                lower(&mut least, joint.bound);
                continue;
            };
            let beaten = self.best.as_ref().is_some_and(|best| joint.bound + running >= best.cost.total());
            // Native indexes are each their own, and those of a table that exists are there whatever is chosen.
            let counted = !self.native && self.existing.is_none();
            let over = (0..3).find(|kind| counted && colouring.counts[*kind] > caps[*kind]);
            parted += 1;
            let gives_up = !colouring.exact || parted >= MOST_PARTED || self.stop.now();
            let witness = match (colouring.torn, over) {
                _ if beaten || gives_up => None,
                (Some(torn), _) => Some(vec![torn]),
                (None, over) => over.map(|kind| colouring.witness[kind].clone()),
            };
            let Some(witness) = witness else {
                lower(&mut least, joint.bound);
                continue;
            };
            for group in &witness {
                for ban in self.partings(&groups[*group], &joint.layouts) {
                    let mut more = bans.clone();
                    more.push(ban);
                    more.sort_unstable();
                    more.dedup();
                    if more.len() > bans.len() && !next.contains(&more) {
                        next.push(more);
                    }
                }
            }
        }
        (first, least)
    }

    /// What could be missing of a group: one of its indexes, or the use that a shared read makes of it.
    fn partings(&self, group: &Group, layouts: &[Layout]) -> Vec<(usize, Ban)> {
        let mut bans = Vec::new();
        for (entity, position) in &group.members {
            let layout = &layouts[self.table.binary_search(entity).expect("the table's entities ascend")];
            let index = layout.indexes[*position];
            bans.push((*entity, Ban::Index(index)));
            if group.members.len() < 2 {
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

fn note(frontier: &mut Vec<(usize, Cost)>, used: usize, cost: Cost) {
    match frontier.iter_mut().find(|(it, _)| *it == used) {
        Some((_, so_far)) if so_far.total() <= cost.total() => {}
        Some((_, so_far)) => *so_far = cost,
        None => frontier.push((used, cost)),
    }
}

/// Every number of indexes of each kind below a sum, most first; between equals ALL before KEYS before INCLUDE.
fn vectors(below: usize) -> Vec<Counts> {
    let mut all = Vec::new();
    for whole in 0..below {
        for keys in 0..below - whole {
            for lists in 0..below - whole - keys {
                all.push([whole, keys, lists]);
            }
        }
    }
    all.sort_by_key(|counts| (std::cmp::Reverse(counts.iter().sum::<usize>()), counts[2], counts[1]));
    all
}

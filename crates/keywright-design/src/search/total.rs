//! The whole design: the cheapest layouts of all entities together, for every number of indexes of each kind.

use std::collections::BTreeMap;

use keywright_dynamodb::Money;
use keywright_dynamodb::limits::GLOBAL_SECONDARY_INDEXES;
use keywright_model::Style;

use super::elimination::{Factor, Failure, NEVER, minimise};
use super::layout::{EntityTask, Layout, Stop, layouts, least_indexes};
use super::native::{self, Natives, Openers};
use super::options::Choice;
use super::{Counts, Group, colour, colour_beside};
use crate::cost::{Cost, MonthlyPrice, ReadPrice, multi_price};
use crate::demand::Source;
use crate::existing::Existing;
use crate::form::Form;
use crate::problem::Problem;

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

/// The layouts of every entity for the numbers of indexes that were asked for.
struct Fronts<'t, 'p> {
    tasks: &'t [EntityTask<'p>],
    /// With any number of indexes.
    unlimited: Vec<Vec<Layout>>,
    /// With fewer, for entities that would use more.
    limited: BTreeMap<(usize, Counts), Vec<Layout>>,
    stop: Stop,
    complete: bool,
}

impl<'t, 'p> Fronts<'t, 'p> {
    fn new(tasks: &'t [EntityTask<'p>], table: &[usize], stop: Stop) -> Result<Self, Unsolved> {
        let unlimited = vec![Vec::new(); tasks.len()];
        let mut fronts = Fronts { tasks, unlimited, limited: BTreeMap::new(), stop, complete: true };
        for task in table.iter().map(|entity| &tasks[*entity]) {
            let needed = least_indexes(task);
            if needed > GLOBAL_SECONDARY_INDEXES {
                return Err(Unsolved::TooManyIndexes { needed });
            }
            let (front, done) = layouts(task, ANY, stop);
            fronts.complete &= done;
            if front.is_empty() {
                return Err(if done { Unsolved::NoLayout { entity: task.entity } } else { Unsolved::TimeUp });
            }
            fronts.unlimited[task.entity] = front;
        }
        Ok(fronts)
    }

    /// The layouts of an entity within the caps: those without limits, where they happen to keep to them.
    fn of(&mut self, entity: usize, caps: Counts) -> &[Layout] {
        let keeps = |layout: &Layout| layout.counts.iter().zip(&caps).all(|(count, cap)| count <= cap);
        if self.unlimited[entity].iter().all(keeps) {
            return &self.unlimited[entity];
        }
        let (tasks, stop) = (self.tasks, self.stop);
        let complete = &mut self.complete;
        self.limited.entry((entity, caps)).or_insert_with(|| {
            let (front, done) = layouts(&tasks[entity], caps, stop);
            *complete &= done;
            front
        })
    }

    fn all(&mut self, caps: Counts) -> Vec<Vec<Layout>> {
        (0..self.tasks.len()).map(|entity| self.of(entity, caps).to_vec()).collect()
    }
}

/// Any number of indexes.
const ANY: Counts = [usize::MAX; 3];

/// The entities of each table: all in one, or in the style of many tables those together that a read ties together.
pub(crate) fn tables(problem: &Problem, style: Style) -> Vec<Vec<usize>> {
    match style {
        Style::Overloaded | Style::MultiAttribute => vec![(0..problem.entities.len()).collect()],
        Style::MultiTable => components(problem),
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
    let mut fronts = Fronts::new(tasks, table, stop)?;
    let mut components = components(problem);
    components.retain(|component| component.iter().all(|entity| table.contains(entity)));
    let native = table.first().is_some_and(|entity| tasks[*entity].forms.index == Form::Native);
    let index_price = if native { Money::ZERO } else { month.operational.index };
    let mut search = Search {
        problem,
        tasks,
        table,
        native,
        index_price,
        existing: table.first().and_then(|entity| tasks[*entity].existing),
        best: None,
        frontier: Vec::new(),
        fewest: usize::MAX,
    };
    let first = fronts.all(ANY);
    let joint = join(problem, month, tasks, &first, &components)
        .map_err(|component| Unsolved::NoPlace { entities: component })?;
    let most: Counts =
        std::array::from_fn(|kind| joint.layouts.iter().map(|it| it.counts[kind]).max().unwrap_or(0));
    let existing = table.first().and_then(|entity| tasks[*entity].existing);
    let present = existing.map_or_else(Vec::new, Existing::present);
    // What is there already is run anyway.
    let running = |counts: Counts| {
        let of = |kind: usize| present.iter().filter(|it| it.kind == kind).count();
        let new: usize = (0..3).map(|kind| counts[kind].saturating_sub(of(kind))).sum();
        index_price.pico() * new as i128
    };
    let weighed = first.iter().map(Vec::len).sum();
    // Without limits nothing is cheaper, so a design needs at least this many dollars and one index less to win.
    let cheapest = joint.cost.total();
    let mut lower_bound = cheapest + running(most);
    let ceiling: usize = most.iter().sum();
    let mut reached: BTreeMap<Counts, Option<i128>> = BTreeMap::new();
    search.offer(joint);
    // A table that needs more indexes than it may have needs no further weighing.
    let vectors = if ceiling > GLOBAL_SECONDARY_INDEXES { vectors_within(ceiling) } else { vectors(ceiling) };
    for caps in vectors {
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
            if stop.now() {
                fronts.complete = false;
            }
            reached.insert(caps, Some(least));
            continue;
        }
        let limited = fronts.all(caps);
        let joint = match table.iter().any(|entity| limited[*entity].is_empty()) {
            true => None,
            false => join(problem, month, tasks, &limited, &components).ok(),
        };
        reached.insert(caps, joint.as_ref().map(|joint| joint.cost.total()));
        if let Some(joint) = joint {
            lower_bound = lower_bound.min(joint.cost.total() + running(caps));
            search.offer(joint);
        }
    }
    let fewest = search.fewest;
    let mut best = search.best.ok_or(Unsolved::TooManyIndexes { needed: fewest })?;
    search.frontier.sort_by_key(|(used, cost)| (*used, cost.total()));
    search.frontier.dedup_by_key(|(used, _)| *used);
    best.frontier = search.frontier;
    let floor = if fronts.complete { lower_bound } else { 0 };
    best.proof = Proof { lower_bound: floor.min(best.cost.total()), layouts: weighed };
    Ok(best)
}

/// What was found so far.
struct Search<'s, 'p> {
    problem: &'s Problem,
    tasks: &'s [EntityTask<'p>],
    /// The entities of the table.
    table: &'s [usize],
    /// Every index holds one entity, and has paid for itself.
    native: bool,
    index_price: Money,
    existing: Option<&'s Existing<'s>>,
    best: Option<Answer>,
    frontier: Vec<(usize, Cost)>,
    fewest: usize,
}

impl Search<'_, '_> {
    /// How many indexes are there already.
    fn present(&self) -> usize {
        self.existing.map_or(0, |existing| existing.design.indexes.len())
    }

    /// Gives the logical indexes their GSIs, and keeps the design if it is the cheapest so far.
    fn offer(&mut self, joint: Joint) {
        let groups = groups(self.problem, self.tasks, self.table, &joint.layouts);
        let coloured = match self.existing {
            None => {
                let of: BTreeMap<usize, &Layout> = self.table.iter().copied().zip(&joint.layouts).collect();
                let candidate = |member: &(usize, usize)| of[&member.0].indexes[member.1];
                let apart = |one: &Group, other: &Group| {
                    self.native && !native::is_same(self.tasks, &candidate, one, other)
                };
                Some(colour(self.problem, &groups, &apart))
            }
            Some(existing) => {
                fixed(self.tasks, self.table, &joint.layouts, existing, &groups).and_then(|fixed| {
                    colour_beside(self.problem, &groups, self.native, &existing.present(), &fixed)
                })
            }
        };
        let Some((colours, counts)) = coloured else { return };
        let used: usize = counts.iter().sum();
        self.fewest = self.fewest.min(used);
        if used > GLOBAL_SECONDARY_INDEXES {
            return;
        }
        let cost = joint.cost + Cost::operational(self.index_price * (used - self.present()) as i128);
        note(&mut self.frontier, used, cost);
        let better = self
            .best
            .as_ref()
            .is_none_or(|best| (cost.total(), used) < (best.cost.total(), best.counts.iter().sum()));
        if better {
            self.best = Some(Answer {
                layouts: joint.layouts,
                shared: joint.shared,
                groups,
                colours,
                counts,
                cost,
                proof: Proof { lower_bound: 0, layouts: 0 },
                frontier: Vec::new(),
            });
        }
    }
}

fn note(frontier: &mut Vec<(usize, Cost)>, used: usize, cost: Cost) {
    match frontier.iter_mut().find(|(it, _)| *it == used) {
        Some((_, so_far)) if so_far.total() <= cost.total() => {}
        Some((_, so_far)) => *so_far = cost,
        None => frontier.push((used, cost)),
    }
}

/// Numbers of indexes that a table may have, where the cheapest design has more.
fn vectors_within(ceiling: usize) -> Vec<Counts> {
    vectors(ceiling.min(GLOBAL_SECONDARY_INDEXES + 1))
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

/// Entities that shared reads tie together.
fn components(problem: &Problem) -> Vec<Vec<usize>> {
    let mut label: Vec<usize> = (0..problem.entities.len()).collect();
    fn root(label: &[usize], mut at: usize) -> usize {
        while label[at] != at {
            at = label[at];
        }
        at
    }
    for read in &problem.reads {
        for part in &read.parts[1..] {
            let (one, other) = (root(&label, read.parts[0].entity), root(&label, part.entity));
            label[one.max(other)] = one.min(other);
        }
    }
    let mut components: Vec<Vec<usize>> = Vec::new();
    let mut at: Vec<Option<usize>> = vec![None; problem.entities.len()];
    for entity in 0..problem.entities.len() {
        let root = root(&label, entity);
        match at[root] {
            Some(component) => components[component].push(entity),
            None => {
                at[root] = Some(components.len());
                components.push(vec![entity]);
            }
        }
    }
    components
}

/// The cheapest layouts together.
struct Joint {
    /// In the order of the table's entities.
    layouts: Vec<Layout>,
    shared: Vec<(usize, ReadPrice)>,
    cost: Cost,
}

fn join(
    problem: &Problem,
    month: &MonthlyPrice,
    tasks: &[EntityTask<'_>],
    fronts: &[Vec<Layout>],
    components: &[Vec<usize>],
) -> Result<Joint, Vec<usize>> {
    let mut chosen: Vec<Option<Layout>> = vec![None; tasks.len()];
    for component in components {
        if let [entity] = component.as_slice() {
            let best =
                fronts[*entity].iter().min_by_key(|it| (it.cost.total(), it.counts.iter().sum::<usize>()));
            chosen[*entity] = Some(best.ok_or_else(|| component.clone())?.clone());
            continue;
        }
        let domains: Vec<Vec<&Layout>> =
            component.iter().map(|entity| interfaces(fronts[*entity].iter())).collect();
        let picked =
            join_component(problem, month, tasks, component, &domains).map_err(|_| component.clone())?;
        for ((entity, domain), at) in component.iter().zip(&domains).zip(picked) {
            chosen[*entity] = Some(domain[at].clone());
        }
    }
    let shared: Vec<(usize, ReadPrice)> = shared_reads(problem)
        .filter(|read| problem.reads[*read].parts.iter().all(|part| chosen[part.entity].is_some()))
        .map(|read| {
            let of =
                |entity: usize| chosen[entity].as_ref().expect("the parts of a read are in one component");
            (
                read,
                shared_price(problem, month, tasks, read, &of)
                    .expect("the elimination chose possible places"),
            )
        })
        .collect();
    let layouts: Vec<Layout> = chosen.into_iter().flatten().collect();
    let cost = layouts.iter().map(|it| it.cost).sum::<Cost>() + shared.iter().map(|(_, it)| it.cost).sum();
    Ok(Joint { layouts, shared, cost })
}

/// The cheapest layout for each interface to shared reads.
fn interfaces<'l>(layouts: impl Iterator<Item = &'l Layout>) -> Vec<&'l Layout> {
    let mut all: Vec<&Layout> = layouts.collect();
    all.sort_by(|one, other| {
        (&one.shared, one.cost.total(), one.counts.iter().sum::<usize>()).cmp(&(
            &other.shared,
            other.cost.total(),
            other.counts.iter().sum::<usize>(),
        ))
    });
    all.dedup_by(|one, other| one.shared == other.shared);
    all
}

fn shared_reads(problem: &Problem) -> impl Iterator<Item = usize> {
    problem.reads.iter().enumerate().filter(|(_, read)| read.parts.len() > 1 && !read.scan).map(|(at, _)| at)
}

fn join_component(
    problem: &Problem,
    month: &MonthlyPrice,
    tasks: &[EntityTask<'_>],
    component: &[usize],
    domains: &[Vec<&Layout>],
) -> Result<Vec<usize>, Failure> {
    if domains.iter().any(Vec::is_empty) {
        return Err(Failure::Impossible);
    }
    let sizes: Vec<usize> = domains.iter().map(Vec::len).collect();
    let mut factors: Vec<Factor> = domains
        .iter()
        .enumerate()
        .map(|(at, domain)| Factor {
            scope: vec![at],
            table: domain.iter().map(|layout| layout.cost.total()).collect(),
        })
        .collect();
    let variable = |entity: usize| component.iter().position(|it| *it == entity);
    for read in shared_reads(problem) {
        let parts = &problem.reads[read].parts;
        let Some(scope) = parts.iter().map(|part| variable(part.entity)).collect::<Option<Vec<usize>>>()
        else {
            continue;
        };
        let entries: usize = scope.iter().map(|it| sizes[*it]).product();
        let mut table = Vec::with_capacity(entries);
        for entry in 0..entries {
            let mut rest = entry;
            let mut choice = vec![0; sizes.len()];
            for it in scope.iter().rev() {
                choice[*it] = rest % sizes[*it];
                rest /= sizes[*it];
            }
            let of = |entity: usize| {
                let at = variable(entity).expect("the read's parts are in the component");
                domains[at][choice[at]]
            };
            let price = shared_price(problem, month, tasks, read, &of);
            table.push(price.map_or(NEVER, |price| price.cost.total()));
        }
        factors.push(Factor { scope, table });
    }
    minimise(&sizes, factors).map(|(_, choice)| choice)
}

/// The price of a shared read, if all its parts lie in one place.
fn shared_price<'l>(
    problem: &Problem,
    month: &MonthlyPrice,
    tasks: &[EntityTask<'_>],
    read: usize,
    layout: &dyn Fn(usize) -> &'l Layout,
) -> Option<ReadPrice> {
    let facts = &problem.reads[read];
    let places: Vec<_> = facts
        .parts
        .iter()
        .enumerate()
        .map(|(part, asked)| {
            let source = Source::Shared { read, part };
            let at = tasks[asked.entity]
                .demands
                .iter()
                .filter(|it| it.is_shared())
                .position(|it| it.source == source);
            layout(asked.entity).shared[at.expect("every part is a demand")]
        })
        .collect();
    if places.iter().any(|place| place.kind != places[0].kind) {
        return None;
    }
    if let Some(existing) = tasks[facts.parts[0].entity].existing
        && !existing.keeps_together(read, tasks, facts, layout)
    {
        return None;
    }
    let bytes: Vec<u64> = places.iter().map(|place| place.bytes).collect();
    let mut price = multi_price(month, facts, &problem.entities, &bytes);
    if places.iter().any(|place| place.client_sort) {
        price.awkward = true;
        price.cost += Cost::operational(month.operational.awkward_pattern);
    }
    Some(price)
}

/// Logical indexes as groups: those that a shared read ties together, and the others alone.
fn groups(problem: &Problem, tasks: &[EntityTask<'_>], table: &[usize], layouts: &[Layout]) -> Vec<Group> {
    let mut groups: Vec<Group> = Vec::new();
    let of: BTreeMap<usize, &Layout> = table.iter().copied().zip(layouts).collect();
    for (&entity, layout) in &of {
        for (position, index) in layout.indexes.iter().enumerate() {
            groups.push(Group {
                members: vec![(entity, position)],
                projections: vec![tasks[entity].candidates.indexes[*index].projection],
            });
        }
    }
    for read in shared_reads(problem) {
        let members: Vec<(usize, usize)> = problem.reads[read]
            .parts
            .iter()
            .enumerate()
            .filter_map(|(part, asked)| {
                let source = Source::Shared { read, part };
                let demand = tasks[asked.entity].demands.iter().position(|it| it.source == source)?;
                let layout = of.get(&asked.entity)?;
                let Choice::Index(index, _) = &layout.services[demand].choice else { return None };
                Some((asked.entity, layout.indexes.iter().position(|it| it == index)?))
            })
            .collect();
        let Some((first, others)) = members.split_first() else { continue };
        for other in others {
            let group_of =
                |member: &(usize, usize)| groups.iter().position(|group| group.members.contains(member));
            let (Some(one), Some(two)) = (group_of(first), group_of(other)) else { continue };
            if one != two {
                let merged = groups.remove(one.max(two));
                let into = &mut groups[one.min(two)];
                into.members.extend(merged.members);
                into.projections.extend(merged.projections);
            }
        }
    }
    groups
}

/// The GSI that each group has already, if it has one; none as a whole where a group lies in two.
fn fixed(
    tasks: &[EntityTask<'_>],
    table: &[usize],
    layouts: &[Layout],
    existing: &Existing<'_>,
    groups: &[Group],
) -> Option<Vec<Option<usize>>> {
    let of: BTreeMap<usize, &Layout> = table.iter().copied().zip(layouts).collect();
    groups
        .iter()
        .map(|group| {
            let mut numbers: Vec<usize> = group
                .members
                .iter()
                .filter_map(|(entity, position)| {
                    let index = of.get(entity)?.indexes[*position];
                    (index < tasks[*entity].candidates.kept).then(|| existing.index_number(*entity, index))?
                })
                .collect();
            numbers.dedup();
            match numbers.as_slice() {
                [] => Some(None),
                [only] => Some(Some(*only)),
                _ => None,
            }
        })
        .collect()
}

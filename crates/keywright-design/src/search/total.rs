//! The whole design: the cheapest layouts of all components together, for every number of indexes of each kind.

use std::fmt;

use keywright_model::Style;
use keywright_model::certificate::ListUse;

use super::component::{Bans, Component, components};
use super::layout::Layout;
use super::limits::Limits;
use super::native::{Natives, Openers};
use super::table::solve_table;
use super::task::{EntityTask, Stop};
use super::{Counts, Group};
use crate::cost::{Cost, MonthlyPrice, ReadPrice};
use crate::existing::Existing;
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
    /// What is known of each table.
    pub(crate) tables: Vec<KnownTable>,
    /// Who paid for native indexes, where there are such.
    pub(crate) paid: Option<Paid>,
    /// The cheapest total for each number of indexes, ascending; none where no design has so few.
    pub(crate) frontier: Vec<(usize, Cost)>,
}

/// A division of the price of native indexes.
#[derive(Debug, Default)]
pub(crate) struct Paid {
    /// What each layout was charged in the round that found it.
    pub(crate) charged: Vec<Cost>,
    /// What each index candidate of each entity costs beside its entries.
    pub(crate) prices: Vec<Vec<Cost>>,
    /// Those who pay for an index, each with the candidate.
    pub(crate) by: Vec<Vec<(usize, usize)>>,
}

/// What is known of one table.
#[derive(Clone, Debug)]
pub(crate) struct KnownTable {
    /// Its GSIs.
    pub(crate) indexes: usize,
    /// Those of each kind that are there already.
    pub(crate) present: Counts,
    /// Entities that shared reads tie together.
    pub(crate) components: Vec<Vec<usize>>,
    /// What is known within some limits on the number of indexes; why nothing is.
    pub(crate) bounds: Result<Shown, Unshown>,
}

/// Why nothing is written down of a table's search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unshown {
    /// The time was up.
    Stopped,
    /// It would be too large for more than so many entities.
    TooManyEntities(usize),
    NotAskedFor,
}

impl fmt::Display for Unshown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unshown::Stopped => {
                f.write_str("the optimum: the time limit was reached before the search finished")
            }
            Unshown::TooManyEntities(most) => {
                write!(
                    f,
                    "the price tables: for more than {most} entities in a table they take megabytes, or minutes"
                )
            }
            Unshown::NotAskedFor => f.write_str("the price tables: they were not requested"),
        }
    }
}

/// What is written down of a table's search.
#[derive(Clone, Debug)]
pub(crate) struct Shown {
    pub(crate) known: Vec<Known>,
    /// Lists that need too many GSIs together.
    pub(crate) crowds: Vec<Vec<ListUse>>,
    /// What all of it shows that nothing is cheaper than.
    pub(crate) least: i128,
}

/// What is known within some limits on the number of indexes.
#[derive(Clone, Debug)]
pub(crate) struct Known {
    pub(crate) limits: Limits,
    pub(crate) components: Vec<KnownComponent>,
}

/// What is known of a component within some limits.
#[derive(Clone, Debug)]
pub(crate) struct KnownComponent {
    /// Nothing is cheaper; none where nothing keeps to the limits.
    pub(crate) least: Option<i128>,
    /// What is ruled out for its entities.
    pub(crate) bans: Bans,
    /// The same as lists that none of them has so many of.
    pub(crate) without: Vec<ListUse>,
    /// For each entity the layouts that no other beats, one for each interface.
    pub(crate) layouts: Vec<Vec<Layout>>,
    /// The entities in the order in which they were summed out.
    pub(crate) summed: Vec<Summed>,
}

/// What summing out an entity gives: the least price of its subtree, for every layout of those that are left and tied to
/// it. Dense, the last of them runs fastest; none where there is no place.
#[derive(Clone, Debug)]
pub(crate) struct Summed {
    pub(crate) entity: usize,
    pub(crate) with: Vec<usize>,
    pub(crate) table: Vec<Option<i128>>,
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
    /// What has to lie together of these entities is more than a partition bears.
    TooHot { entities: Vec<usize> },
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
            Unsolved::NoPlace { entities } | Unsolved::TooHot { entities } => entities.clone(),
            Unsolved::TooManyIndexes { .. } | Unsolved::TimeUp => Vec::new(),
        }
    }
}

/// The entities of each table: all in one, or in the style of many tables those together that a read ties together.
pub(crate) fn tables(problem: &Problem, style: Style, existing: Option<&Existing<'_>>) -> Vec<Vec<usize>> {
    let tables = tables_of(components(problem), style, existing);
    tables.iter().map(|components| entities(components)).collect()
}

fn tables_of(
    components: Vec<Component>,
    style: Style,
    existing: Option<&Existing<'_>>,
) -> Vec<Vec<Component>> {
    if style != Style::MultiTable {
        return vec![components];
    }
    let mut tables: Vec<(Option<usize>, Vec<Component>)> = Vec::new();
    for component in components {
        let home = existing.and_then(|it| component.entities.iter().find_map(|entity| it.home(*entity)));
        // What is in one table stays together, whatever is read of it.
        match tables.iter_mut().find(|(it, _)| home.is_some() && *it == home) {
            Some((_, there)) => there.push(component),
            None => tables.push((home, vec![component])),
        }
    }
    tables.into_iter().map(|(_, components)| components).collect()
}

/// The entities of some components, ascending.
pub(super) fn entities(components: &[Component]) -> Vec<usize> {
    let mut entities: Vec<usize> = components.iter().flat_map(|it| it.entities.iter().copied()).collect();
    entities.sort_unstable();
    entities
}

/// What is wanted beside the cheapest design.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Wanted {
    /// The cheapest for numbers of indexes that can't win.
    pub(crate) whole_frontier: bool,
    /// The tables that somebody else can check, of no more entities than this.
    pub(crate) tables: Option<usize>,
}

/// Finds the cheapest design: the cheapest of each table, since tables share nothing. With `whole_frontier` also the
/// cheapest for numbers of indexes that can't win.
pub(crate) fn solve(
    problem: &Problem,
    month: &MonthlyPrice,
    tasks: &[EntityTask<'_>],
    stop: Stop,
    wanted: Wanted,
) -> Result<Answer, Unsolved> {
    let style = tasks.first().map_or(Style::default(), |task| task.style);
    if style == Style::MultiAttribute {
        return solve_native(problem, month, tasks, stop, wanted);
    }
    let existing = tasks.first().and_then(|task| task.existing);
    let mut whole: Option<Answer> = None;
    let mut order: Vec<usize> = Vec::with_capacity(tasks.len());
    // What is there keeps its number, and what is new comes after all of it.
    let mut new = existing.map_or(0, |existing| existing.design.indexes.len());
    for components in tables_of(components(problem), style, existing) {
        let table = entities(&components);
        let home = existing.and_then(|existing| table.iter().find_map(|entity| existing.home(*entity)));
        let present = existing.zip(home).map_or_else(Vec::new, |(existing, home)| existing.present(home));
        let mut answer = solve_table(problem, month, tasks, components, stop, wanted)?;
        for colour in &mut answer.colours {
            *colour = present.get(*colour).map_or_else(|| new + *colour - present.len(), |it| it.number);
        }
        new += answer.counts.iter().sum::<usize>() - present.len();
        order.extend(table);
        whole = Some(match whole {
            None => answer,
            Some(before) => before.beside(answer),
        });
    }
    let mut whole = whole.unwrap_or_else(Answer::empty);
    let elsewhere = existing.map_or_else(Vec::new, Existing::elsewhere);
    elsewhere.iter().for_each(|index| whole.counts[index.kind] += 1);
    whole.frontier.iter_mut().for_each(|(used, _)| *used += elsewhere.len());
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
    wanted: Wanted,
) -> Result<Answer, Unsolved> {
    let natives = Natives::of(tasks);
    let mut openers = Openers::new();
    let mut best: Option<Answer> = None;
    let mut lower_bound = i128::MIN;
    // What was known in the round with the best bound, and the prices of that round.
    let mut bounding: Option<(Vec<KnownTable>, Vec<Vec<Cost>>, Openers)> = None;
    for _ in 0..ROUNDS {
        let priced = natives.priced(tasks, &openers);
        let wanted = Wanted { whole_frontier: false, ..wanted };
        let mut answer = solve_table(problem, month, &priced, components(problem), stop, wanted)?;
        let prices = priced.iter().map(EntityTask::all_beside).collect();
        if answer.proof.lower_bound > lower_bound {
            lower_bound = answer.proof.lower_bound;
            bounding = Some((std::mem::take(&mut answer.tables), prices, openers.clone()));
        }
        answer.cost = natives.settled(&priced, &answer.layouts, answer.cost);
        let charged = answer.layouts.iter().zip(&priced);
        let charged =
            charged.map(|(layout, task)| layout.indexes.iter().map(|index| task.beside(*index)).sum());
        answer.paid = Some(Paid { charged: charged.collect(), ..Paid::default() });
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
    if let Some((tables, prices, openers)) = bounding {
        // The tables are of one round, the design may be of another.
        let indexes = best.counts.iter().sum();
        best.tables = tables.into_iter().map(|it| KnownTable { indexes, ..it }).collect();
        let charged = best.paid.take().unwrap_or_default().charged;
        best.paid = Some(Paid { charged, prices, by: natives.payers(&openers) });
    }
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
            tables: Vec::new(),
            paid: None,
            frontier: vec![(0, Cost::ZERO)],
        }
    }

    /// This answer and that of another table: everything adds up.
    fn beside(mut self, other: Answer) -> Self {
        self.layouts.extend(other.layouts);
        self.shared.extend(other.shared);
        self.groups.extend(other.groups);
        self.colours.extend(other.colours);
        for (count, more) in self.counts.iter_mut().zip(other.counts) {
            *count += more;
        }
        self.cost += other.cost;
        self.tables.extend(other.tables);
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

fn note(frontier: &mut Vec<(usize, Cost)>, used: usize, cost: Cost) {
    match frontier.iter_mut().find(|(it, _)| *it == used) {
        Some((_, so_far)) if so_far.total() <= cost.total() => {}
        Some((_, so_far)) => *so_far = cost,
        None => frontier.push((used, cost)),
    }
}

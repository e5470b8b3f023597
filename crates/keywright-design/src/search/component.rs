//! Components: entities that shared reads tie together, solved apart from all others.
//!
//! The cheapest layouts of a component depend on the rest of the table only through how many indexes of each kind there
//! may be. What was solved for some numbers also answers smaller ones that it happens to keep to.

mod join;
mod losses;
mod shown;

pub(crate) use join::shared_price_at;
pub(super) use losses::tidy;

use std::sync::Arc;

use super::Counts;
use super::grouping::groups;
use super::layout::Layout;
use super::limits::Limits;
use super::lists::{ListUse, Lists};
use super::open::{Ban, Found, Start, layouts, prepare};
use super::task::{EntityTask, Stop};
use super::{Colouring, colour};
use crate::cost::{Cost, MonthlyPrice, ReadPrice};
use crate::path::Projection;
use crate::problem::Problem;

/// What all components of a table have in common.
#[derive(Clone, Copy)]
pub(super) struct Setting<'s, 'p> {
    pub(super) problem: &'s Problem,
    pub(super) month: &'s MonthlyPrice,
    pub(super) tasks: &'s [EntityTask<'p>],
    pub(super) lists: &'s Lists<'s>,
    pub(super) stop: Stop,
}

/// Entities that shared reads tie together.
pub(super) struct Component {
    pub(super) entities: Vec<usize>,
    /// The shared reads among them.
    pub(super) reads: Vec<usize>,
    /// What the search of each entity starts from.
    prepared: Vec<Start>,
    /// What was found for each entity, within some numbers of indexes and without what was banned.
    fronts: Vec<(usize, Limits, Vec<Ban>, Found)>,
    /// What was found for all together.
    solved: Vec<Answer>,
}

/// What was found within some numbers of indexes, without what was banned of some entities.
type Answer = (Limits, Bans, Solved);

/// What is ruled out for some entities, in order.
pub(super) type Bans = Vec<(usize, Ban)>;

/// The cheapest layouts of a component.
#[derive(Clone, Debug)]
pub(super) struct Solved {
    /// One layout per entity and the price of each shared read; none where there is no way.
    pub(super) solution: Result<Solution, Unserved>,
    /// The search ran to its end.
    pub(super) complete: bool,
    /// Nothing is cheaper.
    pub(super) bound: i128,
    /// What being without the lists that it uses costs at least, once somebody asked.
    losses: Option<Vec<(ListUse, i128)>>,
}

/// Layouts of all entities of a component.
#[derive(Clone, Debug)]
pub(super) struct Solution {
    pub(super) layouts: Vec<Arc<Layout>>,
    pub(super) shared: Vec<(usize, ReadPrice)>,
    pub(super) cost: Cost,
    /// The most indexes of each kind that an entity has.
    pub(super) used: Counts,
    /// The kinds of lists that it uses, each with the most of it that an entity has.
    pub(super) lists: Vec<(usize, usize)>,
    /// The GSIs that it needs by itself, where a shared read ties indexes together.
    pub(super) tied: Option<Colouring>,
    /// Layouts that were weighed against each other.
    pub(super) weighed: usize,
}

impl Solution {
    fn keeps_to(&self, limits: Limits) -> bool {
        self.layouts.iter().all(|layout| limits.allow(layout.counts))
    }
}

/// Why a component has no layouts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unserved {
    /// No layout of this entity serves all its demands.
    Entity(usize),
    /// The shared reads find no place together.
    Together,
}

impl Component {
    /// What was found at a position.
    pub(super) fn solved(&self, at: usize) -> &Solved {
        &self.solved[at].2
    }

    /// The position of what was found for these numbers of indexes and bans, or answers them as well.
    pub(super) fn known(
        &self,
        tasks: &[EntityTask<'_>],
        limits: Limits,
        bans: &[(usize, Ban)],
    ) -> Option<usize> {
        let at = |entity: usize| {
            self.entities.iter().position(|it| *it == entity).expect("bans are of its own entities")
        };
        // What is the cheapest with more freedom is so with less, if it needs no more.
        let still = |solution: &Solution| {
            solution.keeps_to(limits)
                && bans.iter().all(|(entity, ban)| !ban.hits(&tasks[*entity], &solution.layouts[at(*entity)]))
        };
        let banned = |one: &(usize, Ban)| bans.iter().any(|it| it.0 == one.0 && one.1.is_among(&[it.1]));
        self.solved.iter().position(|(solved_for, solved_without, solved)| {
            solved_for.cover(limits)
                && solved_without.iter().all(banned)
                && (*solved_for == limits && solved_without.len() == bans.len() && bans == solved_without
                    || solved.solution.as_ref().map_or(true, &still))
        })
    }

    /// What nothing within the limits is cheaper than; none where nothing is within them.
    pub(super) fn least(
        &self,
        tasks: &[EntityTask<'_>],
        limits: Limits,
        bans: &[(usize, Ban)],
    ) -> Option<i128> {
        let solved = self.solved(self.known(tasks, limits, bans)?);
        if solved.complete && solved.solution.is_err() { None } else { Some(solved.bound) }
    }

    /// Finds the cheapest layouts for these numbers of indexes and gives their position, unless they are known.
    pub(super) fn solve(&mut self, setting: Setting<'_, '_>, limits: Limits, bans: &Bans) -> usize {
        if let Some(known) = self.known(setting.tasks, limits, bans) {
            return known;
        }
        let fronts: Vec<usize> =
            (0..self.entities.len()).map(|at| self.front(setting, at, limits, bans)).collect();
        let found: Vec<&Found> = fronts.iter().map(|at| &self.fronts[*at].3).collect();
        let complete = found.iter().all(|it| it.complete);
        let empty = self.entities.iter().zip(&found).find(|(_, it)| it.layouts.is_empty());
        let solution = match empty {
            Some((entity, _)) => Err(Unserved::Entity(*entity)),
            None => self.join(setting, &found),
        };
        let bound = match &solution {
            Ok(solution) if complete => solution.cost.total(),
            _ => found.iter().fold(0i128, |all, it| all.saturating_add(it.bound)),
        };
        self.solved.push((limits, bans.clone(), Solved { solution, complete, bound, losses: None }));
        self.solved.len() - 1
    }

    /// The position of an entity's front within the limits: one that is known, where it happens to keep to them.
    fn front(&mut self, setting: Setting<'_, '_>, at: usize, limits: Limits, bans: &Bans) -> usize {
        let (tasks, entity) = (setting.tasks, self.entities[at]);
        let mine: Vec<Ban> = bans.iter().filter(|(of, _)| *of == entity).map(|(_, ban)| *ban).collect();
        self.known_front(tasks, entity, limits, &mine).unwrap_or_else(|| {
            if self.prepared.is_empty() {
                self.prepared = self.entities.iter().map(|entity| prepare(tasks, *entity)).collect();
            }
            let known = self.fronts.iter().filter(|(of, ..)| *of == entity);
            let known = known.flat_map(|(_, _, _, found)| &found.layouts);
            let found = layouts(&tasks[entity], &self.prepared[at], limits, &mine, known, setting.stop);
            self.fronts.push((entity, limits, mine, found));
            self.fronts.len() - 1
        })
    }

    fn known_front(
        &self,
        tasks: &[EntityTask<'_>],
        entity: usize,
        limits: Limits,
        bans: &[Ban],
    ) -> Option<usize> {
        self.fronts.iter().position(|(of, found_for, banned, found)| {
            *of == entity
                && found_for.cover(limits)
                && banned.iter().all(|ban| ban.is_among(bans))
                && found.layouts.iter().all(|layout| {
                    limits.allow(layout.counts) && !bans.iter().any(|ban| ban.hits(&tasks[entity], layout))
                })
        })
    }

    /// The cheapest layouts together, of those that were found for each entity.
    fn join(&self, setting: Setting<'_, '_>, found: &[&Found]) -> Result<Solution, Unserved> {
        let weighed = found.iter().map(|it| it.layouts.len()).sum();
        let (layouts, shared) = join::cheapest(setting, &self.entities, &self.reads, found)?;
        let cost =
            layouts.iter().map(|it| it.cost).sum::<Cost>() + shared.iter().map(|(_, it)| it.cost).sum();
        let used = std::array::from_fn(|kind| layouts.iter().map(|it| it.counts[kind]).max().unwrap_or(0));
        let lists = lists_of(setting, &self.entities, &layouts);
        let groups = groups(setting.problem, setting.tasks, &self.reads, &self.entities, &layouts);
        let tied = groups.iter().any(|group| group.members.len() > 1);
        let tied = tied.then(|| colour(setting.problem, &groups, None));
        Ok(Solution { layouts, shared, cost, used, lists, tied, weighed })
    }
}

/// The kinds of lists that some layouts use, ascending, each with the most of it that an entity has.
fn lists_of(setting: Setting<'_, '_>, entities: &[usize], layouts: &[Arc<Layout>]) -> Vec<(usize, usize)> {
    let mut lists: Vec<(usize, usize)> = Vec::new();
    for (entity, layout) in entities.iter().zip(layouts).filter(|(_, layout)| layout.counts[2] > 0) {
        let indexes = &setting.tasks[*entity].candidates.indexes;
        let mut mine: Vec<usize> = layout
            .indexes
            .iter()
            .filter_map(|index| match indexes[*index].projection {
                Projection::Include(list) => Some(setting.lists.kind(*entity, list)),
                Projection::All | Projection::Keys => None,
            })
            .collect();
        mine.sort_unstable();
        for same in mine.chunk_by(|one, other| one == other) {
            match lists.iter_mut().find(|(kind, _)| *kind == same[0]) {
                Some((_, most)) => *most = (*most).max(same.len()),
                None => lists.push((same[0], same.len())),
            }
        }
    }
    lists.sort_unstable();
    lists
}

/// The components of a problem, each with its shared reads.
pub(super) fn components(problem: &Problem) -> Vec<Component> {
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
    let mut components: Vec<Component> = Vec::new();
    let mut at: Vec<Option<usize>> = vec![None; problem.entities.len()];
    for entity in 0..problem.entities.len() {
        let root = root(&label, entity);
        match at[root] {
            Some(component) => components[component].entities.push(entity),
            None => {
                at[root] = Some(components.len());
                components.push(Component {
                    entities: vec![entity],
                    reads: Vec::new(),
                    prepared: Vec::new(),
                    fronts: Vec::new(),
                    solved: Vec::new(),
                });
            }
        }
    }
    for read in shared_reads(problem) {
        let root = root(&label, problem.reads[read].parts[0].entity);
        components[at[root].expect("every root has a component")].reads.push(read);
    }
    components
}

pub(super) fn shared_reads(problem: &Problem) -> impl Iterator<Item = usize> {
    problem.reads.iter().enumerate().filter(|(_, read)| read.parts.len() > 1 && !read.scan).map(|(at, _)| at)
}

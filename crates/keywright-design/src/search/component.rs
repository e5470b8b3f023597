//! Components: entities that shared reads tie together, solved apart from all others.
//!
//! The cheapest layouts of a component depend on the rest of the table only through how many indexes of each kind there
//! may be. What was solved for some numbers also answers smaller ones that it happens to keep to.

use super::Counts;
use super::elimination::{Factor, Failure, NEVER, eliminate, minimise};
use super::layout::Layout;
use super::limits::Limits;
use super::open::{Ban, Found, Start, layouts, prepare};
use super::task::{EntityTask, Stop};
use super::total::{KnownComponent, Summed};
use crate::cost::{Cost, MonthlyPrice, ReadPrice, multi_price};
use crate::demand::Source;
use crate::problem::Problem;

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
type Answer = (Limits, Vec<(usize, Ban)>, Solved);

/// The cheapest layouts of a component.
#[derive(Clone, Debug)]
pub(super) struct Solved {
    /// One layout per entity and the price of each shared read; none where there is no way.
    pub(super) solution: Result<Solution, Unserved>,
    /// The search ran to its end.
    pub(super) complete: bool,
    /// Nothing is cheaper.
    pub(super) bound: i128,
}

/// Layouts of all entities of a component.
#[derive(Clone, Debug)]
pub(super) struct Solution {
    pub(super) layouts: Vec<Layout>,
    pub(super) shared: Vec<(usize, ReadPrice)>,
    pub(super) cost: Cost,
    /// The most indexes of each kind that an entity has.
    pub(super) used: Counts,
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
    /// What was found for these numbers of indexes and bans, or answers them as well.
    pub(super) fn known(
        &self,
        tasks: &[EntityTask<'_>],
        limits: Limits,
        bans: &[(usize, Ban)],
    ) -> Option<&Solved> {
        let at = |entity: usize| {
            self.entities.iter().position(|it| *it == entity).expect("bans are of its own entities")
        };
        // What is the cheapest with more freedom is so with less, if it needs no more.
        let still = |banned: &[(usize, Ban)], solution: &Solution| {
            solution.keeps_to(limits)
                && bans
                    .iter()
                    .filter(|ban| !banned.contains(ban))
                    .all(|(entity, ban)| !ban.hits(&tasks[*entity], &solution.layouts[at(*entity)]))
        };
        let answers = |(solved_for, banned, solved): &&Answer| {
            *solved_for == limits && banned == bans
                || solved_for.cover(limits)
                    && banned.iter().all(|ban| bans.contains(ban))
                    && solved.solution.as_ref().map_or(true, |it| still(banned, it))
        };
        self.solved.iter().find(answers).map(|(_, _, solved)| solved)
    }

    /// What nothing within the limits is cheaper than; none where nothing is within them.
    pub(super) fn least(&self, tasks: &[EntityTask<'_>], limits: Limits) -> Option<i128> {
        let solved = self.known(tasks, limits, &[])?;
        if solved.complete && solved.solution.is_err() { None } else { Some(solved.bound) }
    }

    /// All that was found within the limits: the layouts of each entity that no other beats, one for each interface, and
    /// what summing one entity out after the other gives. None where the search was stopped.
    pub(super) fn shown(
        &mut self,
        problem: &Problem,
        month: &MonthlyPrice,
        tasks: &[EntityTask<'_>],
        limits: Limits,
        stop: Stop,
    ) -> Option<KnownComponent> {
        let solved = self.known(tasks, limits, &[])?;
        let (complete, least) = (solved.complete, self.least(tasks, limits));
        // An answer that more freedom gave has no tables of its own yet.
        let entities = self.entities.clone();
        let fronts: Vec<usize> =
            entities.iter().map(|entity| self.front(tasks, *entity, limits, &[], stop)).collect();
        let found: Vec<&Found> = fronts.iter().map(|at| &self.fronts[*at].3).collect();
        if !complete || found.iter().any(|it| !it.complete) {
            return None;
        }
        let domains: Vec<Vec<&Layout>> = found.iter().map(|it| interfaces(it.layouts.iter())).collect();
        let mut summed = Vec::new();
        if entities.len() > 1 && domains.iter().all(|it| !it.is_empty()) {
            let sizes: Vec<usize> = domains.iter().map(Vec::len).collect();
            let factors = factors(problem, month, tasks, &entities, &self.reads, &domains);
            let possible = |price: &i128| (*price < NEVER).then_some(*price);
            let outcome = eliminate(&sizes, factors, |variable, factor| {
                summed.push(Summed {
                    entity: entities[variable],
                    with: factor.scope.iter().map(|it| entities[*it]).collect(),
                    table: factor.table.iter().map(possible).collect(),
                });
            });
            if outcome == Err(Failure::TooLarge) {
                return None;
            }
        }
        let layouts = domains.iter().map(|some| some.iter().map(|it| (*it).clone()).collect()).collect();
        Some(KnownComponent { least, layouts, summed })
    }

    /// Finds the cheapest layouts for these numbers of indexes, unless they are known.
    pub(super) fn solve(
        &mut self,
        problem: &Problem,
        month: &MonthlyPrice,
        tasks: &[EntityTask<'_>],
        limits: Limits,
        bans: &[(usize, Ban)],
        stop: Stop,
    ) {
        let mine: Vec<(usize, Ban)> =
            bans.iter().copied().filter(|(entity, _)| self.entities.contains(entity)).collect();
        if self.known(tasks, limits, &mine).is_some() {
            return;
        }
        let fronts: Vec<usize> = self
            .entities
            .clone()
            .into_iter()
            .map(|entity| self.front(tasks, entity, limits, &mine, stop))
            .collect();
        let found: Vec<&Found> = fronts.iter().map(|at| &self.fronts[*at].3).collect();
        let complete = found.iter().all(|it| it.complete);
        let empty = self.entities.iter().zip(&found).find(|(_, it)| it.layouts.is_empty());
        let solution = match empty {
            Some((entity, _)) => Err(Unserved::Entity(*entity)),
            None => self.join(problem, month, tasks, &found),
        };
        let bound = match &solution {
            Ok(solution) if complete => solution.cost.total(),
            _ => found.iter().fold(0i128, |all, it| all.saturating_add(it.bound)),
        };
        self.solved.push((limits, mine, Solved { solution, complete, bound }));
    }

    /// The position of an entity's front within the limits: one that is known, where it happens to keep to them.
    fn front(
        &mut self,
        tasks: &[EntityTask<'_>],
        entity: usize,
        limits: Limits,
        bans: &[(usize, Ban)],
        stop: Stop,
    ) -> usize {
        let mine: Vec<Ban> = bans.iter().filter(|(of, _)| *of == entity).map(|(_, ban)| *ban).collect();
        self.known_front(tasks, entity, limits, &mine).unwrap_or_else(|| {
            if self.prepared.is_empty() {
                self.prepared = self.entities.iter().map(|entity| prepare(tasks, *entity)).collect();
            }
            let at = self.entities.iter().position(|it| *it == entity).expect("an entity of the component");
            let known = self.fronts.iter().filter(|(of, ..)| *of == entity);
            let known = known.flat_map(|(_, _, _, found)| &found.layouts);
            let found = layouts(&tasks[entity], &self.prepared[at], limits, &mine, known, stop);
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
                && banned.iter().all(|ban| bans.contains(ban))
                && found.layouts.iter().all(|layout| {
                    limits.allow(layout.counts) && !bans.iter().any(|ban| ban.hits(&tasks[entity], layout))
                })
        })
    }

    fn join(
        &self,
        problem: &Problem,
        month: &MonthlyPrice,
        tasks: &[EntityTask<'_>],
        found: &[&Found],
    ) -> Result<Solution, Unserved> {
        let weighed = found.iter().map(|it| it.layouts.len()).sum();
        let layouts: Vec<Layout> = if let [only] = found {
            let best =
                only.layouts.iter().min_by_key(|it| (it.cost.total(), it.counts.iter().sum::<usize>()));
            vec![best.ok_or(Unserved::Together)?.clone()]
        } else {
            let domains: Vec<Vec<&Layout>> = found.iter().map(|it| interfaces(it.layouts.iter())).collect();
            let picked = join_component(problem, month, tasks, &self.entities, &self.reads, &domains)
                .map_err(|_| Unserved::Together)?;
            domains.iter().zip(picked).map(|(domain, at)| domain[at].clone()).collect()
        };
        let of = |entity: usize| {
            &layouts[self.entities.iter().position(|it| *it == entity).expect("a part's entity is here")]
        };
        let shared: Vec<(usize, ReadPrice)> = self
            .reads
            .iter()
            .map(|read| {
                let price = shared_price(problem, month, tasks, *read, &of);
                (*read, price.expect("the elimination chose possible places"))
            })
            .collect();
        let cost =
            layouts.iter().map(|it| it.cost).sum::<Cost>() + shared.iter().map(|(_, it)| it.cost).sum();
        let used = std::array::from_fn(|kind| layouts.iter().map(|it| it.counts[kind]).max().unwrap_or(0));
        Ok(Solution { layouts, shared, cost, used, weighed })
    }
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

pub(super) fn shared_reads(problem: &Problem) -> impl Iterator<Item = usize> {
    problem.reads.iter().enumerate().filter(|(_, read)| read.parts.len() > 1 && !read.scan).map(|(at, _)| at)
}

fn join_component(
    problem: &Problem,
    month: &MonthlyPrice,
    tasks: &[EntityTask<'_>],
    component: &[usize],
    reads: &[usize],
    domains: &[Vec<&Layout>],
) -> Result<Vec<usize>, Failure> {
    if domains.iter().any(Vec::is_empty) {
        return Err(Failure::Impossible);
    }
    let sizes: Vec<usize> = domains.iter().map(Vec::len).collect();
    minimise(&sizes, factors(problem, month, tasks, component, reads, domains)).map(|(_, choice)| choice)
}

/// What the layouts of each entity cost alone, and those of several in the reads that they share.
fn factors(
    problem: &Problem,
    month: &MonthlyPrice,
    tasks: &[EntityTask<'_>],
    component: &[usize],
    reads: &[usize],
    domains: &[Vec<&Layout>],
) -> Vec<Factor> {
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
    for read in reads {
        let parts = &problem.reads[*read].parts;
        let scope: Vec<usize> = parts
            .iter()
            .map(|part| variable(part.entity).expect("a component has all parts of its reads"))
            .collect();
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
            let price = shared_price(problem, month, tasks, *read, &of);
            table.push(price.map_or(NEVER, |price| price.cost.total()));
        }
        factors.push(Factor { scope, table });
    }
    factors
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

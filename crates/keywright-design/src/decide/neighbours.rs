//! Layouts of an entity that differ from the chosen one in its primary key or in how one demand is served: what lost.

use std::collections::BTreeMap;

use super::words;
use crate::cost::Cost;
use crate::emit::Context;
use crate::search::{Answer, Choice, EntityTask, Layout, choices, evaluate, evaluate_beside};

/// A layout that lost.
pub(super) struct Neighbour {
    pub(super) layout: Layout,
    differs: Differs,
    /// The first that has the same keys.
    pub(super) alike: usize,
    /// How much more the whole would cost.
    pub(super) extra: i128,
}

enum Differs {
    /// In the base placement.
    Base(usize),
    /// In how the demand at a position is served.
    Way(usize, Choice),
}

impl Neighbour {
    /// The demand that is served in another way, and which.
    pub(super) fn demand(&self) -> Option<(usize, &Choice)> {
        match &self.differs {
            Differs::Base(_) => None,
            Differs::Way(at, choice) => Some((*at, choice)),
        }
    }

    /// What differs, in words.
    pub(super) fn words(&self, context: &Context<'_>, entity: usize) -> String {
        let task = &context.tasks[entity];
        match &self.differs {
            Differs::Base(base) => {
                format!("primary key {}", words::path(task.facts(), &task.candidates.bases[*base]))
            }
            Differs::Way(at, choice) => {
                let demand = &task.demands[*at];
                let words = words::choice(task, context.layout(entity).base, demand, choice);
                format!("{} by {words}", super::pattern_id(context, demand))
            }
        }
    }
}

/// Every layout of an entity that differs in one choice.
pub(super) fn neighbours(context: &Context<'_>, others: &Others, entity: usize) -> Vec<Neighbour> {
    let task = &context.tasks[entity];
    let layout = context.layout(entity);
    let neighbour = |other: Layout, differs: Differs, alike: usize| {
        let extra = others.extra(context, entity, &other);
        Neighbour { layout: other, differs, alike, extra }
    };
    let mut near = Vec::new();
    for base in (0..task.candidates.bases.len()).filter(|base| *base != layout.base) {
        let alike = near.len();
        near.extend(on_base(task, layout, base).map(|other| neighbour(other, Differs::Base(base), alike)));
    }
    // What keeping indexes costs does not depend on who reads them.
    let mut upkeep: BTreeMap<Vec<usize>, Cost> = BTreeMap::new();
    let mut first: BTreeMap<Vec<usize>, usize> = BTreeMap::new();
    let mut chosen: Vec<Choice> = layout.services.iter().map(|it| it.choice.clone()).collect();
    for at in 0..task.demands.len() {
        for choice in choices(task, layout.base, at) {
            if choice != layout.services[at].choice {
                chosen[at] = choice.clone();
                let other = evaluate_beside(task, layout.base, &chosen, |indexes, price| {
                    known(&mut upkeep, indexes, price)
                });
                let Some(other) = other else { continue };
                let alike = known(&mut first, &other.indexes, || near.len());
                near.push(neighbour(other, Differs::Way(at, choice), alike));
            }
        }
        chosen[at] = layout.services[at].choice.clone();
    }
    near
}

/// What is known of some indexes, or is found out now.
fn known<T: Copy>(of: &mut BTreeMap<Vec<usize>, T>, indexes: &[usize], find: impl FnOnce() -> T) -> T {
    if let Some(known) = of.get(indexes) {
        return *known;
    }
    let found = find();
    of.insert(indexes.to_vec(), found);
    found
}

/// The layout with another base placement that keeps the open indexes where it can.
fn on_base(task: &EntityTask<'_>, layout: &Layout, base: usize) -> Option<Layout> {
    let mut chosen = Vec::with_capacity(task.demands.len());
    for demand in 0..task.demands.len() {
        let ways = choices(task, base, demand);
        let opens = |choice: &Choice| match choice {
            Choice::Index(index, _) => usize::from(!layout.indexes.contains(index)),
            _ => 0,
        };
        chosen.push(
            ways.into_iter().min_by_key(|choice| (opens(choice), matches!(choice, Choice::Index(..))))?,
        );
    }
    evaluate(task, base, &chosen)
}

/// The most indexes of each kind that entities have.
pub(super) struct Others {
    /// Of each kind the entity with the most and how many, and the most of all others.
    most: [(usize, usize, usize); 3],
}

impl Others {
    pub(super) fn of(answer: &Answer) -> Self {
        let most = std::array::from_fn(|kind| {
            let mut most = (0, 0, 0);
            for (entity, layout) in answer.layouts.iter().enumerate() {
                let count = layout.counts[kind];
                if count > most.1 {
                    most = (entity, count, most.1);
                } else {
                    most.2 = most.2.max(count);
                }
            }
            most
        });
        Others { most }
    }

    /// How much more the whole would cost with another layout of one entity.
    fn extra(&self, context: &Context<'_>, entity: usize, other: &Layout) -> i128 {
        let now: usize = context.answer.counts.iter().sum();
        let then: usize = self
            .most
            .iter()
            .zip(other.counts)
            .map(|((of, most, second), count)| if *of == entity { *second } else { *most }.max(count))
            .sum();
        let indexes = then as i128 - now as i128;
        let price = context.tasks[entity].month.operational.index.pico();
        other.cost.total() - context.layout(entity).cost.total() + price * indexes
    }
}

//! Heat of whole collections: what several entities do under one partition key adds up.
//!
//! The search keeps every entity's own path cool. Where entities that share a collection are cool one by one and too
//! hot together, one of them has to lie elsewhere: each is tried, and the cheapest way goes on.

use std::collections::BTreeMap;

use keywright_model::Style;

use super::weighing::Weighing;
use crate::candidate::Candidates;
use crate::cost::{Load, bears, effect_price, entry_writes, hottest_share, write_share};
use crate::demand::Source;
use crate::naming;
use crate::path::Path;
use crate::problem::{Attrs, Problem};
use crate::search::{Answer, Choice, EntityTask, KnownTable, Stop, Unsolved, Wanted, solve, tables};

/// The cheapest design in which no collection is too hot.
pub(super) struct Parted {
    pub(super) answer: Answer,
    /// What is there if something had to lie elsewhere.
    pub(super) apart: Option<Apart>,
}

/// How things had to be parted.
pub(super) struct Apart {
    /// What was left to choose from.
    pub(super) all: Vec<Candidates>,
    /// What the search knew of the tables of the design that heat does not part.
    pub(super) unparted: Vec<KnownTable>,
}

/// Finds the cheapest design, then parts what is too hot together, until nothing is; else why not, and among what. Nothing
/// is cheaper than the design that heat does not part, so that its bound stays.
pub(super) fn cheapest(
    weighing: &Weighing<'_>,
    all: &[Candidates],
    tasks: &[EntityTask<'_>],
    stop: Stop,
    wanted: Wanted,
) -> Result<Parted, (Unsolved, Option<Vec<Candidates>>)> {
    let Weighing { problem, month, style, .. } = *weighing;
    let solve = |tasks: &[EntityTask<'_>]| {
        let answer = solve(problem, month, tasks, stop, wanted)?;
        let hot = overheated(problem, style, tasks, &answer);
        Ok((answer, hot))
    };
    let mut bound = i128::MAX;
    let mut apart: Option<Apart> = None;
    loop {
        let found = match &apart {
            Some(apart) => solve(&weighing.tasks(&apart.all)),
            None => solve(tasks),
        };
        let (mut answer, hot) = match found {
            Ok(found) => found,
            Err(unsolved) => return Err((unsolved, apart.map(|it| it.all))),
        };
        bound = bound.min(answer.proof.lower_bound);
        answer.proof.lower_bound = bound;
        let Some(hot) = hot else { return Ok(Parted { answer, apart }) };
        let left = apart.as_ref().map_or(all, |it| it.all.as_slice());
        let without = (0..hot.members.len()).filter_map(|member| {
            let less = without(left, &hot, member);
            let (answer, _) = solve(&weighing.tasks(&less)).ok()?;
            Some((answer.cost.total(), less))
        });
        let Some((_, less)) = without.min_by_key(|(total, _)| *total) else {
            return Err((Unsolved::NoLayout { entity: hot.members[0].0 }, apart.map(|it| it.all)));
        };
        apart = Some(Apart { all: less, unparted: apart.map_or(answer.tables, |it| it.unparted) });
    }
}

/// A collection that is too hot, and the entities that heat it, each with its partition attributes there.
#[derive(Debug, PartialEq, Eq)]
struct Overheated {
    /// Not the table, but an index.
    index: bool,
    members: Vec<(usize, Attrs)>,
}

/// Where an entity's items lie: the table, the GSI if any, and the literal of the partition key.
type Place = (usize, Option<usize>, String);

/// An entity, and which of its indexes the items are in, or its table.
type Member = (usize, Option<usize>);

/// Items that share a partition key, and what is asked of the hottest value of it.
pub(super) struct Collection {
    /// The GSI; none for the table.
    pub(super) gsi: Option<usize>,
    /// The entities, each with the position of its index; none for the table.
    pub(super) members: Vec<Member>,
    pub(super) load: Load,
    /// Over how many partitions a value is spread.
    pub(super) shards: u64,
}

/// The first collection whose load no partition bears.
fn overheated(
    problem: &Problem,
    style: Style,
    tasks: &[EntityTask<'_>],
    answer: &Answer,
) -> Option<Overheated> {
    // The search keeps one entity's own path cool, over shards where it needs them.
    let several = |it: &Collection| it.members.len() > 1 && it.shards == 1;
    let hot =
        collections(problem, style, tasks, answer).into_iter().find(|it| several(it) && !bears(it.load));
    hot.map(|hot| Overheated {
        index: hot.gsi.is_some(),
        members: hot
            .members
            .into_iter()
            .map(|(entity, position)| (entity, path_at(&tasks[entity], answer, position).partition_set()))
            .collect(),
    })
}

/// Every collection of a design, with its load.
pub(super) fn collections(
    problem: &Problem,
    style: Style,
    tasks: &[EntityTask<'_>],
    answer: &Answer,
) -> Vec<Collection> {
    let existing = tasks.first().and_then(|task| task.existing);
    let tables = tables(problem, style, existing);
    let table_of = |entity: usize| tables.iter().position(|table| table.contains(&entity)).unwrap_or(0);
    let mut numbers: BTreeMap<(usize, usize), usize> = BTreeMap::new();
    for (group, colour) in answer.groups.iter().zip(&answer.colours) {
        numbers.extend(group.members.iter().map(|member| (*member, *colour)));
    }
    let mut collections: BTreeMap<(Place, u64), Vec<Member>> = BTreeMap::new();
    for (entity, layout) in answer.layouts.iter().enumerate() {
        let base = &tasks[entity].candidates.bases[layout.base];
        let literal = naming::partition_name(problem, entity, base);
        collections.entry(((table_of(entity), None, literal), 1)).or_default().push((entity, None));
        for (position, index) in layout.indexes.iter().enumerate() {
            let number = numbers.get(&(entity, position)).copied();
            let path = &tasks[entity].candidates.indexes[*index].path;
            let literal = naming::partition_name(problem, entity, path);
            collections
                .entry(((table_of(entity), number, literal), layout.shards[position]))
                .or_default()
                .push((entity, Some(position)));
        }
    }
    let with_load = |(((_, gsi, _), shards), members): ((Place, u64), Vec<Member>)| {
        let load = members.iter().fold(Load::default(), |mut load, (entity, position)| {
            add(problem, &tasks[*entity], answer, *position, &mut load);
            load
        });
        Collection { gsi, members, load, shards }
    };
    collections.into_iter().map(with_load).collect()
}

fn path_at<'t>(task: &EntityTask<'t>, answer: &Answer, position: Option<usize>) -> &'t Path {
    let layout = &answer.layouts[task.entity];
    match position {
        None => &task.candidates.bases[layout.base],
        Some(position) => &task.candidates.indexes[layout.indexes[position]].path,
    }
}

/// Adds what one entity's patterns do to the hottest value of a collection.
fn add(problem: &Problem, task: &EntityTask<'_>, answer: &Answer, position: Option<usize>, load: &mut Load) {
    let facts = task.facts();
    let layout = &answer.layouts[task.entity];
    let path = path_at(task, answer, position);
    let base = &task.candidates.bases[layout.base];
    let reads = hottest_share(facts, path.partition_set(), false);
    for (write, effect) in &task.effects {
        let micro = match position {
            None => {
                effect_price(problem, task.month, write, effect, base, layout.item_bytes, &[])
                    .base_micro_units
            }
            Some(at) => {
                let entry = task.entry(layout.indexes[at], layout.entry_bytes[at]);
                entry_writes(facts, effect, base, &entry).div_ceil(layout.shards[at])
            }
        };
        load.add_writes(write.peak, micro, write_share(facts, path.partition_set(), effect));
    }
    let index = position.map(|position| layout.indexes[position]);
    for (demand, service) in task.demands.iter().zip(&layout.services) {
        let here = match &service.choice {
            Choice::Base(_) => index.is_none(),
            Choice::Index(used, _) => index == Some(*used),
            Choice::NotNeeded | Choice::Unique(_) => false,
        };
        let half_units = match demand.source {
            // What several entities give at once is read once.
            Source::Shared { read, part: 0 } => {
                let shared = answer.shared.binary_search_by_key(&read, |(it, _)| *it);
                shared.map_or(0, |at| answer.shared[at].1.half_units_per_partition)
            }
            Source::Shared { .. } => 0,
            _ => service.price.half_units_per_partition,
        };
        if here {
            load.add_reads(demand.peak, half_units, reads);
        }
    }
}

/// The candidates without those that put one entity's items into the collection.
fn without(all: &[Candidates], hot: &Overheated, member: usize) -> Vec<Candidates> {
    let (entity, partition) = hot.members[member];
    let mut all = all.to_vec();
    if hot.index {
        // What is there already stays.
        let (mut at, kept) = (0, all[entity].kept);
        all[entity].indexes.retain(|index| {
            at += 1;
            at <= kept || index.path.partition_set() != partition
        });
    } else {
        all[entity].bases.retain(|base| base.partition_set() != partition);
    }
    all
}

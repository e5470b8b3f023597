//! Collections of a design: which items share a partition key, what is asked of the hottest of them, and under which
//! literal they lie.
//!
//! Entities whose partition attributes are alike share a literal, and so a collection, as far as one partition bears
//! them together. Where it does not, what no read wants together gets literals of its own, which costs nothing: different
//! literals never collide, and a literal counts as the entity's name, whatever it is.

use std::collections::{BTreeMap, BTreeSet};

use keywright_model::Style;

use crate::cost::{Load, bears, hottest_share};
use crate::demand::Source;
use crate::form::Form;
use crate::naming;
use crate::path::Path;
use crate::problem::Problem;
use crate::search::{Answer, Choice, EntityTask, own_load, tables};

/// An entity, and which of its indexes the items are in, or its table.
pub(crate) type Member = (usize, Option<usize>);

/// Items that share a partition key, and what is asked of the hottest value of it.
#[derive(Clone, Debug)]
pub(crate) struct Collection {
    /// The GSI; none for the table.
    pub(crate) gsi: Option<usize>,
    /// The entities, each with the position of its index; none for the table.
    pub(crate) members: Vec<Member>,
    pub(crate) load: Load,
    /// Over how many partitions a value is spread.
    pub(crate) shards: u64,
    /// Why it has a literal of its own, if it has.
    pub(crate) parted: Option<Parted>,
}

/// What would share a literal, and is too hot for that.
#[derive(Clone, Debug)]
pub(crate) struct Parted {
    /// The literal instead.
    pub(crate) literal: String,
    /// The entities that have the one that they would share.
    pub(crate) from: Vec<usize>,
    /// What would be asked of one partition.
    pub(crate) load: Load,
}

/// Where items lie: the table, the GSI if any, the literal of the partition key, and its shards.
type Place = (usize, Option<usize>, String, u64);

/// Every collection of a design, with its load.
pub(crate) fn collections(
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
    let mut alike: BTreeMap<Place, Vec<Member>> = BTreeMap::new();
    for (entity, layout) in answer.layouts.iter().enumerate() {
        for position in std::iter::once(None).chain((0..layout.indexes.len()).map(Some)) {
            let literal = naming::partition_name(problem, entity, path_at(&tasks[entity], answer, position));
            let number = position.and_then(|position| numbers.get(&(entity, position)).copied());
            let shards = position.map_or(1, |position| layout.shards[position]);
            alike.entry((table_of(entity), number, literal, shards)).or_default().push((entity, position));
        }
    }
    let mut taken: BTreeSet<String> = alike.keys().map(|(_, _, literal, _)| literal.clone()).collect();
    let mut collections = Vec::with_capacity(alike.len());
    for ((_, gsi, literal, shards), members) in alike {
        let load = load(problem, tasks, answer, &members);
        let whole = Collection { gsi, members, load, shards, parted: None };
        if whole.members.len() == 1 || bears(load) {
            collections.push(whole);
        } else {
            collections.extend(part(problem, tasks, answer, whole, &literal, &mut taken));
        }
    }
    collections
}

/// A collection that is too hot as several: what has to lie together does, and as much of the rest with the first as one
/// partition bears.
fn part(
    problem: &Problem,
    tasks: &[EntityTask<'_>],
    answer: &Answer,
    whole: Collection,
    literal: &str,
    taken: &mut BTreeSet<String>,
) -> Vec<Collection> {
    let Collection { gsi, shards, load: too_much, .. } = whole;
    let of = |members: Vec<Member>| {
        let load = load(problem, tasks, answer, &members);
        Collection { gsi, members, load, shards, parted: None }
    };
    let mut groups = tied(tasks, answer, &whole.members).into_iter();
    let Some(first) = groups.next() else { return vec![whole] };
    let mut first = of(first);
    let mut others = Vec::new();
    for group in groups {
        let together: Vec<Member> = first.members.iter().chain(&group).copied().collect();
        let together = of(together);
        if bears(together.load) {
            first = together;
        } else {
            others.push(of(group));
        }
    }
    let from: Vec<usize> = first.members.iter().map(|(entity, _)| *entity).collect();
    for other in &mut others {
        let name = naming::parted_name(literal, &problem.entities[other.members[0].0]);
        let numbered = (2..).map(|number| format!("{name}{number}"));
        let free = std::iter::once(name.clone()).chain(numbered).find(|it| taken.insert(it.clone()));
        let literal = free.expect("numbers never run out");
        other.parted = Some(Parted { literal, from: from.clone(), load: too_much });
    }
    std::iter::once(first).chain(others).collect()
}

/// Members that have to lie together, since a read finds them so or nothing could tell their keys apart. What can't be
/// parted comes first, then the order of the entities.
fn tied(tasks: &[EntityTask<'_>], answer: &Answer, members: &[Member]) -> Vec<Vec<Member>> {
    let mut groups: Vec<(bool, Vec<Member>)> =
        members.iter().map(|member| (is_fixed(&tasks[member.0], answer, *member), vec![*member])).collect();
    let mut join = |together: &dyn Fn(&Member) -> bool| {
        let (some, rest): (Vec<_>, Vec<_>) =
            groups.drain(..).partition(|(_, group)| group.iter().any(together));
        groups = rest;
        if !some.is_empty() {
            let fixed = some.iter().any(|(fixed, _)| *fixed);
            groups.push((fixed, some.into_iter().flat_map(|(_, group)| group).collect()));
        }
    };
    for read in reads_at(tasks, answer, members) {
        join(&|member| parts_at(&tasks[member.0], answer, *member).any(|part| part.read == read));
    }
    join(&|member| is_fixed(&tasks[member.0], answer, *member));
    groups.iter_mut().for_each(|(_, group)| group.sort_unstable());
    groups.sort_unstable_by_key(|(fixed, group)| (!fixed, group[0]));
    groups.into_iter().map(|(_, group)| group).collect()
}

/// Whether the partition keys of a member have no literal, or one that is there already.
fn is_fixed(task: &EntityTask<'_>, answer: &Answer, (entity, position): Member) -> bool {
    let form = if position.is_some() { task.forms.index } else { task.forms.base };
    let kept = task.existing.is_some_and(|existing| match position {
        None => existing.key(entity, None).is_some(),
        Some(position) => answer.layouts[entity].indexes[position] < task.candidates.kept,
    });
    form != Form::Generic || kept
}

/// The reads of several entities that find some of these members.
fn reads_at(tasks: &[EntityTask<'_>], answer: &Answer, members: &[Member]) -> Vec<usize> {
    let each = members.iter().flat_map(|member| parts_at(&tasks[member.0], answer, *member));
    let mut reads: Vec<usize> = each.map(|part| part.read).collect();
    reads.sort_unstable();
    reads.dedup();
    reads
}

/// A part of a read of several entities.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Part {
    pub(crate) read: usize,
    /// Its position in the read.
    pub(crate) part: usize,
    /// The demand of the entity that it is.
    pub(crate) demand: usize,
}

/// The parts of reads of several entities that find a member here.
pub(crate) fn parts_at<'a>(
    task: &'a EntityTask<'_>,
    answer: &'a Answer,
    (entity, position): Member,
) -> impl Iterator<Item = Part> + 'a {
    let layout = &answer.layouts[entity];
    let index = position.map(|position| layout.indexes[position]);
    task.demands.iter().zip(&layout.services).enumerate().filter_map(move |(at, (demand, service))| {
        let Source::Shared { read, part } = demand.source else { return None };
        let here = match &service.choice {
            Choice::Base(_) => index.is_none(),
            Choice::Index(used, _) => index == Some(*used),
            Choice::NotNeeded | Choice::Unique(_) => false,
        };
        here.then_some(Part { read, part, demand: at })
    })
}

/// The path of an entity's items in its table, or in the index at a position of its layout.
pub(crate) fn path_at<'t>(task: &EntityTask<'t>, answer: &Answer, position: Option<usize>) -> &'t Path {
    let layout = &answer.layouts[task.entity];
    match position {
        None => &task.candidates.bases[layout.base],
        Some(position) => &task.candidates.indexes[layout.indexes[position]].path,
    }
}

/// What is asked of the hottest value of a collection with these members.
pub(crate) fn load(problem: &Problem, tasks: &[EntityTask<'_>], answer: &Answer, members: &[Member]) -> Load {
    let mut load = Load::default();
    for member in members {
        load.add(member_load(&tasks[member.0], answer, *member));
        // What several entities give at once is read once.
        for head in parts_at(&tasks[member.0], answer, *member).filter(|it| it.part == 0) {
            load.add(read_load(problem, tasks, answer, *member, head.read));
        }
    }
    load
}

/// What a member asks of the hottest value beside reads of several entities.
pub(crate) fn member_load(task: &EntityTask<'_>, answer: &Answer, (entity, position): Member) -> Load {
    let layout = &answer.layouts[entity];
    let chosen: Vec<&Choice> = layout.services.iter().map(|service| &service.choice).collect();
    let index = position.map(|at| (layout.indexes[at], layout.entry_bytes[at], layout.shards[at]));
    own_load(task, layout.base, layout.item_bytes, index, &chosen)
}

/// What a read of several entities asks of the hottest value where it finds its head.
pub(crate) fn read_load(
    problem: &Problem,
    tasks: &[EntityTask<'_>],
    answer: &Answer,
    (head, position): Member,
    read: usize,
) -> Load {
    let shared = answer.shared.binary_search_by_key(&read, |(it, _)| *it);
    let half_units = shared.map_or(0, |at| answer.shared[at].1.half_units_per_partition);
    let partition = path_at(&tasks[head], answer, position).partition_set();
    let share = hottest_share(&problem.entities[head], partition, false);
    let mut load = Load::default();
    load.add_reads(problem.reads[read].peak, half_units, share);
    load
}

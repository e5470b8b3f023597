//! Logical indexes as groups: those that a shared read ties together lie in one GSI.

use std::borrow::Borrow;
use std::collections::BTreeMap;

use super::layout::Layout;
use super::options::Choice;
use super::task::EntityTask;
use super::{Group, Present};
use crate::demand::Source;
use crate::existing::Existing;
use crate::problem::Problem;

/// Logical indexes as groups: those that one of these reads ties together, and the others alone.
pub(super) fn groups<L: Borrow<Layout>>(
    problem: &Problem,
    tasks: &[EntityTask<'_>],
    reads: &[usize],
    table: &[usize],
    layouts: &[L],
) -> Vec<Group> {
    let mut groups: Vec<Group> = Vec::new();
    let laid: BTreeMap<usize, &Layout> = table.iter().copied().zip(layouts.iter().map(L::borrow)).collect();
    for (&entity, layout) in &laid {
        for (position, index) in layout.indexes.iter().enumerate() {
            groups.push(Group {
                members: vec![(entity, position)],
                projections: vec![tasks[entity].candidates.indexes[*index].projection],
            });
        }
    }
    let mut of: BTreeMap<(usize, usize), usize> =
        groups.iter().enumerate().map(|(at, group)| (group.members[0], at)).collect();
    for read in reads.iter().copied() {
        let members: Vec<(usize, usize)> = problem.reads[read]
            .parts
            .iter()
            .enumerate()
            .filter_map(|(part, asked)| {
                let source = Source::Shared { read, part };
                let demand = tasks[asked.entity].demands.iter().position(|it| it.source == source)?;
                let layout = laid.get(&asked.entity)?;
                let Choice::Index(index, _) = &layout.services[demand].choice else { return None };
                Some((asked.entity, layout.indexes.iter().position(|it| it == index)?))
            })
            .collect();
        let Some((first, others)) = members.split_first() else { continue };
        for other in others {
            let (one, two) = (of[first], of[other]);
            if one != two {
                let (into, from) = (one.min(two), one.max(two));
                let merged = std::mem::take(&mut groups[from]);
                of.values_mut().filter(|it| **it == from).for_each(|it| *it = into);
                groups[into].members.extend(merged.members);
                groups[into].projections.extend(merged.projections);
            }
        }
    }
    groups.retain(|group| !group.members.is_empty());
    groups
}

/// The GSI of those in the table that each group has already, if it has one; none as a whole where a group lies in two.
pub(super) fn fixed<L: Borrow<Layout>>(
    tasks: &[EntityTask<'_>],
    table: &[usize],
    layouts: &[L],
    existing: &Existing<'_>,
    present: &[Present],
    groups: &[Group],
) -> Option<Vec<Option<usize>>> {
    let of: BTreeMap<usize, &Layout> = table.iter().copied().zip(layouts.iter().map(L::borrow)).collect();
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
                [only] => Some(Some(present.iter().position(|it| it.number == *only)?)),
                _ => None,
            }
        })
        .collect()
}

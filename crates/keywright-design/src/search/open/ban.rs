//! What a search is not to choose.

use super::super::layout::Layout;
use super::super::options::opened;
use super::super::task::EntityTask;
use crate::path::Projection;
use crate::problem::Attrs;

/// Choices that are ruled out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Ban {
    /// The entity does not have this index.
    Index(usize),
    /// The entity has no more than so many indexes with this INCLUDE list.
    List { list: Attrs, most: usize },
    /// The demand does not use this index.
    Place { demand: usize, index: usize },
}

impl Ban {
    /// Whether a layout has what is ruled out.
    pub(in super::super) fn hits(self, task: &EntityTask<'_>, layout: &Layout) -> bool {
        match self {
            Ban::Index(banned) => layout.indexes.contains(&banned),
            Ban::List { list, most } => {
                layout.indexes.iter().filter(|index| is_listed(task, **index, list)).count() > most
            }
            Ban::Place { demand, index } => opened(&layout.services[demand].choice) == Some(index),
        }
    }

    /// Whether one of these rules out all that this does.
    pub(in super::super) fn is_among(self, bans: &[Ban]) -> bool {
        bans.iter().any(|ban| match (self, *ban) {
            (Ban::List { list, most }, Ban::List { list: other, most: fewer }) => {
                list == other && fewer <= most
            }
            (one, other) => one == other,
        })
    }

    /// Whether what it rules out depends on what is open.
    pub(super) fn is_counted(self) -> bool {
        matches!(self, Ban::List { most, .. } if most > 0)
    }

    /// Whether an index is ruled out, beside these.
    pub(in super::super) fn closes(self, task: &EntityTask<'_>, open: &[usize], index: usize) -> bool {
        match self {
            Ban::Index(banned) => banned == index,
            Ban::List { list, most } => {
                let listed = |local: &&usize| is_listed(task, task.weighed[**local], list);
                is_listed(task, index, list) && open.iter().filter(listed).count() >= most
            }
            Ban::Place { .. } => false,
        }
    }
}

fn is_listed(task: &EntityTask<'_>, index: usize, list: Attrs) -> bool {
    task.candidates.indexes[index].projection == Projection::Include(list)
}

//! INCLUDE lists: which of them can share a GSI.
//!
//! To the others in a GSI a list is the names in it, and those that would widen its entries. Lists with the same names
//! on both sides are one kind, whosever they are. Two lists of one entity are never of one kind and never share a GSI,
//! so that kinds, each as often as some entity has it, need as many GSIs as the lists themselves.

use std::collections::BTreeMap;

use keywright_model::certificate;

use super::Group;
use super::task::EntityTask;
use crate::path::Projection;
use crate::problem::{Attr, Attrs, Problem};

/// What an INCLUDE list means to the others in a GSI: the names in it, and those that would widen its entries.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct ListKind<'p> {
    listed: Vec<&'p str>,
    missing: Vec<&'p str>,
}

impl<'p> ListKind<'p> {
    fn new(problem: &'p Problem, entity: usize, list: Attrs) -> Self {
        let (mut listed, mut missing) = (Vec::new(), Vec::new());
        for (at, attribute) in problem.entities[entity].attributes.iter().enumerate() {
            let side = if list.contains(Attr::new(at)) { &mut listed } else { &mut missing };
            side.push(attribute.name.as_str());
        }
        listed.sort_unstable();
        missing.sort_unstable();
        ListKind { listed, missing }
    }

    /// The kind of a group's list, where it is of one index.
    pub(super) fn of(problem: &'p Problem, group: &Group) -> Option<Self> {
        match (group.members.as_slice(), group.projections.as_slice()) {
            ([(entity, _)], [Projection::Include(list)]) => Some(ListKind::new(problem, *entity, *list)),
            _ => None,
        }
    }

    /// Whether one would widen the entries of the other.
    fn is_apart(&self, other: &Self) -> bool {
        meet(&self.listed, &other.missing) || meet(&other.listed, &self.missing)
    }
}

/// Whether two ascending lists have a name in common.
fn meet(one: &[&str], other: &[&str]) -> bool {
    let (short, long) = if one.len() < other.len() { (one, other) } else { (other, one) };
    short.iter().any(|name| long.binary_search(name).is_ok())
}

/// A GSI's worth of lists: a kind, and for the how manieth time some entity has it, counted from one.
pub(super) type ListUse = (usize, usize);

/// The kinds of lists of a table, by number.
pub(super) struct Lists<'p> {
    kinds: Vec<ListKind<'p>>,
    /// For each entity its lists, ascending, with their kinds.
    of: Vec<Vec<(Attrs, usize)>>,
    /// Kinds that were compared with each other, each with its row.
    rows: BTreeMap<usize, usize>,
    apart: Vec<Vec<bool>>,
}

impl<'p> Lists<'p> {
    /// All lists that index candidates of these entities have.
    pub(super) fn new(problem: &'p Problem, tasks: &[EntityTask<'_>], table: &[usize]) -> Self {
        let mut numbers: BTreeMap<ListKind<'p>, usize> = BTreeMap::new();
        let mut of: Vec<Vec<(Attrs, usize)>> = vec![Vec::new(); tasks.len()];
        for entity in table {
            let mut lists: Vec<Attrs> = tasks[*entity]
                .candidates
                .indexes
                .iter()
                .filter_map(|index| match index.projection {
                    Projection::Include(list) => Some(list),
                    Projection::All | Projection::Keys => None,
                })
                .collect();
            lists.sort_unstable();
            lists.dedup();
            for list in lists {
                let next = numbers.len();
                let number = *numbers.entry(ListKind::new(problem, *entity, list)).or_insert(next);
                of[*entity].push((list, number));
            }
        }
        let mut kinds: Vec<(usize, ListKind<'p>)> =
            numbers.into_iter().map(|(kind, at)| (at, kind)).collect();
        kinds.sort_unstable_by_key(|(at, _)| *at);
        let kinds = kinds.into_iter().map(|(_, kind)| kind).collect();
        Lists { kinds, of, rows: BTreeMap::new(), apart: Vec::new() }
    }

    /// How many kinds there are.
    pub(super) fn count(&self) -> usize {
        self.kinds.len()
    }

    /// The lists of an entity with their kinds.
    pub(super) fn of(&self, entity: usize) -> &[(Attrs, usize)] {
        &self.of[entity]
    }

    /// The kind of an entity's list.
    pub(super) fn kind(&self, entity: usize, list: Attrs) -> usize {
        let of = &self.of[entity];
        of[of.binary_search_by_key(&list, |(it, _)| *it).expect("every candidate's list has a kind")].1
    }

    /// A use of a list as a value.
    pub(super) fn value(&self, (kind, many): ListUse) -> certificate::ListUse {
        let owned = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
        let ListKind { listed, missing } = &self.kinds[kind];
        certificate::ListUse { listed: owned(listed), missing: owned(missing), many }
    }

    /// Which of these uses of lists can't share a GSI: for each its neighbours, ascending.
    pub(super) fn conflicts(&mut self, uses: &[ListUse]) -> Vec<Vec<usize>> {
        let rows: Vec<usize> = uses.iter().map(|(kind, _)| self.row(*kind)).collect();
        let apart = |one: usize, other: usize| {
            one != other && (uses[one].0 == uses[other].0 || self.apart[rows[one]][rows[other]])
        };
        (0..uses.len()).map(|one| (0..uses.len()).filter(|other| apart(one, *other)).collect()).collect()
    }

    fn row(&mut self, kind: usize) -> usize {
        if let Some(row) = self.rows.get(&kind) {
            return *row;
        }
        let at = self.apart.len();
        let mut mine = vec![false; at + 1];
        for (other, row) in &self.rows {
            let apart = self.kinds[kind].is_apart(&self.kinds[*other]);
            mine[*row] = apart;
            self.apart[*row].push(apart);
        }
        self.apart.push(mine);
        self.rows.insert(kind, at);
        at
    }
}

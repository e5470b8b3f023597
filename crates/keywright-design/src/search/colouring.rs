//! From logical indexes to physical ones: groups that do not conflict share a GSI.

use std::collections::{BTreeMap, BTreeSet};

use super::Counts;
use super::graph::{MOST_STEPS, clique, critical, least_colouring};
use super::lists::ListKind;
use crate::path::Projection;
use crate::problem::Problem;

/// Logical indexes that lie in one GSI, because a shared read ties them together or because one stands alone.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Group {
    /// Each entity with its open index (a position in its layout).
    pub(crate) members: Vec<(usize, usize)>,
    /// Each member's projection.
    pub(crate) projections: Vec<Projection>,
}

impl Group {
    fn kind(&self) -> usize {
        self.projections[0].kind()
    }
}

/// Whether two groups can't share a GSI, whatever they hold.
pub(crate) type Apart<'a> = dyn Fn(&Group, &Group) -> bool + 'a;

/// Whether a group that is new can't come into a GSI that is there, though it would take it.
pub(crate) type KeptOut<'a> = dyn Fn(&Group, &Present) -> bool + 'a;

/// GSIs for groups.
#[derive(Clone, Debug)]
pub(crate) struct Colouring {
    /// The GSI of each group; groups of one kind get neighbouring numbers.
    pub(crate) colours: Vec<usize>,
    /// How many of each kind.
    pub(crate) counts: Counts,
    /// For each kind, groups that can't all share fewer GSIs than that: all of it, where no smaller set shows it.
    pub(super) witness: [Vec<usize>; 3],
    /// A group that no GSI can hold: an item would have two entries in it, or its own lists widen its entries.
    pub(super) torn: Option<usize>,
    /// Whether fewer would do was decided for every kind.
    pub(super) exact: bool,
    /// Some group of several members has lists.
    pub(super) lists_tied: bool,
}

/// Gives every group a GSI, the fewest that can do; some may have to stay `apart` whatever they hold.
pub(crate) fn colour(problem: &Problem, groups: &[Group], apart: Option<&Apart<'_>>) -> Colouring {
    let mut all = Colouring {
        colours: vec![0; groups.len()],
        counts: Counts::default(),
        witness: Default::default(),
        torn: groups.iter().position(|group| is_torn(problem, group)),
        exact: true,
        lists_tied: groups.iter().any(|group| group.members.len() > 1 && group.kind() == 2),
    };
    let mut first = 0;
    for kind in 0..all.counts.len() {
        let mut members: Vec<usize> = (0..groups.len()).filter(|at| groups[*at].kind() == kind).collect();
        let twins = if apart.is_none() { twins(problem, groups, &mut members) } else { Vec::new() };
        let mut edges = conflicts(problem, groups, &members);
        if let Some(apart) = apart {
            for one in 0..members.len() {
                let others = (0..members.len()).filter(|other| one != *other);
                edges[one]
                    .extend(others.filter(|other| apart(&groups[members[one]], &groups[members[*other]])));
                edges[one].sort_unstable();
                edges[one].dedup();
            }
        }
        let (colouring, used, exact) = least_colouring(&edges, MOST_STEPS);
        for (at, colour) in colouring.into_iter().enumerate() {
            all.colours[members[at]] = first + colour;
        }
        for (twin, of) in twins {
            all.colours[twin] = all.colours[of];
        }
        let clique = clique(&edges);
        let shown = if clique.len() == used { clique } else { critical(&edges, used) };
        all.witness[kind] = shown.into_iter().map(|at| members[at]).collect();
        all.counts[kind] = used;
        all.exact &= exact;
        first += used;
    }
    all
}

/// A GSI that is there already.
#[derive(Clone, Debug)]
pub(crate) struct Present {
    /// Its position in the design.
    pub(crate) number: usize,
    pub(crate) kind: usize,
    /// The names that it lists, where it does.
    pub(crate) names: Vec<String>,
}

/// Gives every group a GSI beside those that are there, with the fewest new ones; some may have to stay `apart` whatever
/// they hold, and then what is new never comes into what is there, nor does what is `kept_out` of it. Groups that are there
/// keep their number; none where two groups that a read ties together lie in different ones, or two can't lie in one.
pub(crate) fn colour_beside(
    problem: &Problem,
    groups: &[Group],
    apart: Option<&Apart<'_>>,
    present: &[Present],
    fixed: &[Option<usize>],
    kept_out: &KeptOut<'_>,
) -> Option<Colouring> {
    let mut colours: Vec<Option<usize>> = fixed.to_vec();
    let free: Vec<usize> = (0..groups.len()).filter(|group| fixed[*group].is_none()).collect();
    let clash = |one: usize, other: usize| {
        apart.is_some_and(|apart| apart(&groups[one], &groups[other]))
            || groups[one].kind() != groups[other].kind()
            || !conflicts(problem, groups, &[one, other])[0].is_empty()
    };
    // What is new in a group that is there has to be taken in, and never twice.
    let grown = |group: usize| groups[group].members.len() > 1;
    for (group, colour) in fixed.iter().enumerate().filter_map(|(at, it)| Some((at, (*it)?))) {
        let others = (0..groups.len()).filter(|other| *other != group && fixed[*other] == Some(colour));
        let twice = others.into_iter().any(|other| (grown(group) || grown(other)) && clash(group, other));
        if twice || grown(group) && !takes(problem, &present[colour], &groups[group]) {
            return None;
        }
    }
    let fits = |group: usize, colour: usize, colours: &[Option<usize>]| {
        let takes = present.get(colour).is_none_or(|it| {
            apart.is_none() && takes(problem, it, &groups[group]) && !kept_out(&groups[group], it)
        });
        takes && (0..groups.len()).all(|other| colours[other] != Some(colour) || !clash(group, other))
    };
    let enough = (0..=free.len())
        .find(|new| place_all(&free, 0, present.len() + new, present.len(), &fits, &mut colours))?;
    let mut counts = Counts::default();
    present.iter().for_each(|it| counts[it.kind] += 1);
    for colour in present.len()..present.len() + enough {
        let group = (0..groups.len()).find(|group| colours[*group] == Some(colour));
        counts[group.map_or(0, |group| groups[group].kind())] += 1;
    }
    let colours = colours.into_iter().flatten().collect();
    Some(Colouring {
        colours,
        counts,
        witness: Default::default(),
        torn: None,
        exact: true,
        lists_tied: false,
    })
}

/// Whether a GSI that is there holds for the group what the group counts on, and no more.
fn takes(problem: &Problem, present: &Present, group: &Group) -> bool {
    present.kind == group.kind()
        && group.members.iter().zip(&group.projections).all(|((entity, _), projection)| match projection {
            Projection::All | Projection::Keys => true,
            Projection::Include(list) => {
                let facts = &problem.entities[*entity];
                let listed = present.names.iter().filter_map(|name| facts.named(name)).collect();
                *list == listed
            }
        })
}

/// Whether a group can have a colour, given the colours of the groups so far.
type Fits<'a> = dyn Fn(usize, usize, &[Option<usize>]) -> bool + 'a;

/// Places the free groups from a position on in GSIs below a number; of new ones only the next unused is tried.
fn place_all(
    free: &[usize],
    at: usize,
    colours_allowed: usize,
    present: usize,
    fits: &Fits<'_>,
    colours: &mut Vec<Option<usize>>,
) -> bool {
    let Some(group) = free.get(at) else { return true };
    let used = colours.iter().flatten().map(|colour| colour + 1).max().unwrap_or(0).max(present);
    for colour in 0..colours_allowed.min(used + 1) {
        if fits(*group, colour, colours) {
            colours[*group] = Some(colour);
            if place_all(free, at + 1, colours_allowed, present, fits, colours) {
                return true;
            }
            colours[*group] = None;
        }
    }
    false
}

/// The conflicts among these groups, which are of one kind: for each its neighbours. Two can't share a GSI when an
/// item would need two entries in it, or when one's list of projected names would make the other's entries larger.
fn conflicts(problem: &Problem, groups: &[Group], members: &[usize]) -> Vec<Vec<usize>> {
    let mut edges: Vec<BTreeSet<usize>> = vec![BTreeSet::new(); members.len()];
    let mut of_entity: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for (at, group) in members.iter().enumerate() {
        for (entity, _) in &groups[*group].members {
            of_entity.entry(*entity).or_default().push(at);
        }
    }
    for together in of_entity.values() {
        for one in together {
            edges[*one].extend(together.iter().filter(|other| *other != one));
        }
    }
    let lists: Vec<BTreeSet<&str>> = members.iter().map(|at| projected(problem, &groups[*at])).collect();
    let listed: Vec<usize> = (0..members.len()).filter(|at| !lists[*at].is_empty()).collect();
    for one in &listed {
        for other in &listed {
            if one != other && widens(problem, &lists[*one], &groups[members[*other]]) {
                edges[*one].insert(*other);
                edges[*other].insert(*one);
            }
        }
    }
    edges.into_iter().map(|edges| edges.into_iter().collect()).collect()
}

/// Leaves out the groups of entities that have the like of another entity's, and nothing else: they go where those go.
/// Gives each with the one that it is the like of.
fn twins(problem: &Problem, groups: &[Group], members: &mut Vec<usize>) -> Vec<(usize, usize)> {
    let mut of_entity: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for at in members.iter() {
        for (entity, _) in &groups[*at].members {
            of_entity.entry(*entity).or_default().push(*at);
        }
    }
    let mut seen: BTreeMap<Vec<Option<ListKind<'_>>>, Vec<usize>> = BTreeMap::new();
    let mut twins = Vec::new();
    for mut mine in of_entity.into_values() {
        if mine.iter().any(|at| groups[*at].members.len() > 1) {
            continue;
        }
        mine.sort_by_cached_key(|at| (ListKind::of(problem, &groups[*at]), *at));
        let kinds = mine.iter().map(|at| ListKind::of(problem, &groups[*at])).collect();
        match seen.get(&kinds) {
            Some(first) => twins.extend(mine.iter().copied().zip(first.iter().copied())),
            None => {
                seen.insert(kinds, mine);
            }
        }
    }
    let left_out: BTreeSet<usize> = twins.iter().map(|(twin, _)| *twin).collect();
    members.retain(|at| !left_out.contains(at));
    twins
}

fn is_torn(problem: &Problem, group: &Group) -> bool {
    let twice = |at: usize| group.members[..at].iter().any(|(entity, _)| *entity == group.members[at].0);
    (0..group.members.len()).any(twice) || widens(problem, &projected(problem, group), group)
}

/// The names that a group's INCLUDE lists project.
fn projected<'p>(problem: &'p Problem, group: &Group) -> BTreeSet<&'p str> {
    let mut names = BTreeSet::new();
    for ((entity, _), projection) in group.members.iter().zip(&group.projections) {
        if let Projection::Include(list) = projection {
            names.extend(list.iter().map(|attr| problem.entities[*entity].attribute(attr).name.as_str()));
        }
    }
    names
}

/// Whether names that another group projects add something to an entry of this one.
fn widens(problem: &Problem, added: &BTreeSet<&str>, group: &Group) -> bool {
    group.members.iter().zip(&group.projections).any(|((entity, _), projection)| {
        let Projection::Include(list) = projection else { return false };
        let facts = &problem.entities[*entity];
        added.iter().any(|name| facts.named(name).is_some_and(|attr| !list.contains(attr)))
    })
}

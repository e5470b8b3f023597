//! From logical indexes to physical ones: groups that do not conflict share a GSI.

use std::collections::{BTreeMap, BTreeSet};

use super::Counts;
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
}

/// Gives every group a GSI, the fewest that can do. Some must stay `apart` whatever they hold.
pub(crate) fn colour(
    problem: &Problem,
    groups: &[Group],
    apart: &dyn Fn(&Group, &Group) -> bool,
) -> Colouring {
    let mut all = Colouring {
        colours: vec![0; groups.len()],
        counts: Counts::default(),
        witness: Default::default(),
        torn: groups.iter().position(|group| is_torn(problem, group)),
        exact: true,
    };
    let mut first = 0;
    for kind in 0..all.counts.len() {
        let members: Vec<usize> = (0..groups.len()).filter(|at| groups[*at].kind() == kind).collect();
        let mut edges = conflicts(problem, groups, &members);
        for one in 0..members.len() {
            for other in 0..members.len() {
                if one != other && apart(&groups[members[one]], &groups[members[other]]) {
                    edges[one].push(other);
                }
            }
            edges[one].sort_unstable();
            edges[one].dedup();
        }
        let (colouring, used, exact) = least_colouring(&edges);
        for (at, colour) in colouring.into_iter().enumerate() {
            all.colours[members[at]] = first + colour;
        }
        let clique = clique(&edges);
        let shown = if clique.len() == used { clique } else { (0..members.len()).collect() };
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
    pub(crate) kind: usize,
    /// The names that it lists, where it does.
    pub(crate) names: Vec<String>,
}

/// Gives every group a GSI beside those that are there, with the fewest new ones. Groups that are there keep their
/// number; none where two groups that a read ties together lie in different ones.
pub(crate) fn colour_beside(
    problem: &Problem,
    groups: &[Group],
    native: bool,
    present: &[Present],
    fixed: &[Option<usize>],
) -> Option<Colouring> {
    let mut colours: Vec<Option<usize>> = fixed.to_vec();
    let free: Vec<usize> = (0..groups.len()).filter(|group| fixed[*group].is_none()).collect();
    let clash = |one: usize, other: usize| {
        native
            || groups[one].kind() != groups[other].kind()
            || !conflicts(problem, groups, &[one, other])[0].is_empty()
    };
    let fits = |group: usize, colour: usize, colours: &[Option<usize>]| {
        let takes = present.get(colour).is_none_or(|it| !native && takes(problem, it, &groups[group]));
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
    Some(Colouring { colours, counts, witness: Default::default(), torn: None, exact: true })
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
    for one in 0..members.len() {
        for other in 0..members.len() {
            if one != other && widens(problem, &lists[one], &groups[members[other]]) {
                edges[one].insert(other);
                edges[other].insert(one);
            }
        }
    }
    edges.into_iter().map(|edges| edges.into_iter().collect()).collect()
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

/// Nodes that are all each other's neighbours, as many as a greedy search finds.
fn clique(edges: &[Vec<usize>]) -> Vec<usize> {
    let mut best: Vec<usize> = Vec::new();
    for start in 0..edges.len() {
        if edges[start].len() < best.len() {
            continue;
        }
        let mut clique = vec![start];
        for node in &edges[start] {
            if clique.iter().all(|it| edges[*it].binary_search(node).is_ok()) {
                clique.push(*node);
            }
        }
        if clique.len() > best.len() {
            best = clique;
        }
    }
    best
}

/// The least colouring: first a greedy one, then fewer colours as long as some exist. Whether that was decided, below
/// a limit of steps far above what tables of twenty indexes need, is the last value.
fn least_colouring(edges: &[Vec<usize>]) -> (Vec<usize>, usize, bool) {
    let nodes = edges.len();
    let mut order: Vec<usize> = (0..nodes).collect();
    order.sort_by_key(|node| (std::cmp::Reverse(edges[*node].len()), *node));
    let mut best = vec![usize::MAX; nodes];
    for node in &order {
        let taken: BTreeSet<usize> = edges[*node].iter().map(|other| best[*other]).collect();
        best[*node] = (0..).find(|colour| !taken.contains(colour)).expect("colours never run out");
    }
    let mut used = best.iter().map(|colour| colour + 1).max().unwrap_or(0);
    // A clique needs a colour for each of its nodes, so there is nothing to try below its size.
    let least = clique(edges).len();
    while used > least {
        let mut colours = vec![usize::MAX; nodes];
        let mut steps = 0;
        if !colourable(&order, 0, used - 1, edges, &mut colours, &mut steps) {
            return (best, used, steps <= MOST_STEPS);
        }
        best = colours;
        used -= 1;
    }
    (best, used, true)
}

const MOST_STEPS: u64 = 200_000;

fn colourable(
    order: &[usize],
    at: usize,
    allowed: usize,
    edges: &[Vec<usize>],
    colours: &mut Vec<usize>,
    steps: &mut u64,
) -> bool {
    *steps += 1;
    let Some(node) = order.get(at) else { return true };
    if *steps > MOST_STEPS {
        return false;
    }
    let fresh = order[..at].iter().map(|it| colours[*it] + 1).max().unwrap_or(0);
    for colour in 0..allowed.min(fresh + 1) {
        if edges[*node].iter().any(|other| colours[*other] == colour) {
            continue;
        }
        colours[*node] = colour;
        if colourable(order, at + 1, allowed, edges, colours, steps) {
            return true;
        }
        colours[*node] = usize::MAX;
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    fn graph(nodes: usize, conflict: impl Fn(usize, usize) -> bool) -> Vec<Vec<usize>> {
        let others = |one: usize| (0..nodes).filter(|other| *other != one && conflict(one, *other)).collect();
        (0..nodes).map(others).collect()
    }

    #[test]
    fn three_groups_that_meet_in_pairs_need_three() {
        let (_, used, exact) = least_colouring(&graph(3, |_, _| true));
        assert_eq!((used, exact), (3, true));
        // A cycle of five has no pair of colours.
        let five = graph(5, |one, other| (one + 1) % 5 == other || (other + 1) % 5 == one);
        let (colours, used, exact) = least_colouring(&five);
        assert_eq!((used, exact, clique(&five).len()), (3, true, 2));
        assert!((0..5).all(|node| colours[node] != colours[(node + 1) % 5]));
        assert_eq!(least_colouring(&graph(4, |_, _| false)).1, 1);
    }
}

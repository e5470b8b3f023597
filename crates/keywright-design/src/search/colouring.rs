//! From logical indexes to physical ones: groups that do not conflict share a GSI.

use std::collections::{BTreeMap, BTreeSet};

use super::Counts;
use crate::path::Projection;
use crate::problem::{Attr, Attrs, Problem};

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
type Apart<'a> = dyn Fn(&Group, &Group) -> bool + 'a;

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

/// Gives every group a GSI, the fewest that can do; some may have to stay `apart` whatever they hold.
pub(crate) fn colour(problem: &Problem, groups: &[Group], apart: Option<&Apart<'_>>) -> Colouring {
    let mut all = Colouring {
        colours: vec![0; groups.len()],
        counts: Counts::default(),
        witness: Default::default(),
        torn: groups.iter().position(|group| is_torn(problem, group)),
        exact: true,
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

/// What an INCLUDE list means to the others in a GSI: the names in it, and those that would widen its entries.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct ListKind<'p> {
    listed: BTreeSet<&'p str>,
    missing: BTreeSet<&'p str>,
}

impl<'p> ListKind<'p> {
    pub(super) fn new(problem: &'p Problem, entity: usize, list: Attrs) -> Self {
        let (mut listed, mut missing) = (BTreeSet::new(), BTreeSet::new());
        for (at, attribute) in problem.entities[entity].attributes.iter().enumerate() {
            let side = if list.contains(Attr::new(at)) { &mut listed } else { &mut missing };
            side.insert(attribute.name.as_str());
        }
        ListKind { listed, missing }
    }

    /// The kind of a group's list, where it is of one index.
    pub(super) fn of(problem: &'p Problem, group: &Group) -> Option<Self> {
        match (group.members.as_slice(), group.projections.as_slice()) {
            ([(entity, _)], [Projection::Include(list)]) => Some(ListKind::new(problem, *entity, *list)),
            _ => None,
        }
    }
}

/// The fewest GSIs that hold an index of each of these kinds of lists.
pub(super) fn fewest_for(kinds: &[ListKind<'_>]) -> usize {
    let apart = |one: &ListKind<'_>, other: &ListKind<'_>| {
        !one.listed.is_disjoint(&other.missing) || !other.listed.is_disjoint(&one.missing)
    };
    let edges: Vec<Vec<usize>> = kinds
        .iter()
        .map(|one| (0..kinds.len()).filter(|other| apart(one, &kinds[*other])).collect())
        .collect();
    // Some that are all apart show a number that is not too high, whether fewer were tried to the end or not.
    clique(&edges).len()
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

/// Nodes that are all each other's neighbours, as many as a search of so many steps finds.
fn clique(edges: &[Vec<usize>]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..edges.len()).collect();
    order.sort_by_key(|node| (std::cmp::Reverse(edges[*node].len()), *node));
    let (mut best, mut steps) = (Vec::new(), 0);
    grow(edges, &mut Vec::new(), &order, &mut best, &mut steps);
    best.sort_unstable();
    best
}

fn grow(
    edges: &[Vec<usize>],
    clique: &mut Vec<usize>,
    from: &[usize],
    best: &mut Vec<usize>,
    steps: &mut u64,
) {
    *steps += 1;
    if clique.len() > best.len() {
        best.clone_from(clique);
    }
    for (at, node) in from.iter().enumerate() {
        if clique.len() + from.len() - at <= best.len() || *steps > MOST_CLIQUE_STEPS {
            return;
        }
        let next: Vec<usize> =
            from[at + 1..].iter().copied().filter(|it| edges[*node].binary_search(it).is_ok()).collect();
        clique.push(*node);
        grow(edges, clique, &next, best, steps);
        clique.pop();
    }
}

const MOST_CLIQUE_STEPS: u64 = 2_000;

/// Of nodes that need so many colours, some that need as many without any one of them left over.
fn critical(edges: &[Vec<usize>], colours: usize) -> Vec<usize> {
    let mut left: Vec<usize> = (0..edges.len()).collect();
    for node in 0..edges.len() {
        let without: Vec<usize> = left.iter().copied().filter(|it| *it != node).collect();
        let among: Vec<Vec<usize>> = without
            .iter()
            .map(|it| {
                (0..without.len()).filter(|at| edges[*it].binary_search(&without[*at]).is_ok()).collect()
            })
            .collect();
        let (_, used, exact) = least_colouring(&among, FEW_STEPS);
        if exact && used == colours {
            left = without;
        }
    }
    left
}

/// The least colouring: first a greedy one, then fewer colours as long as some exist. Whether that was decided, below
/// so many steps for each number, is the last value.
fn least_colouring(edges: &[Vec<usize>], most_steps: u64) -> (Vec<usize>, usize, bool) {
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
    let clique = clique(edges);
    while used > clique.len() {
        let mut attempt = Attempt { edges, allowed: used - 1, colours: vec![None; nodes], steps: most_steps };
        for (colour, node) in clique.iter().enumerate() {
            attempt.colours[*node] = Some(colour);
        }
        if !attempt.complete(clique.len()) {
            return (best, used, attempt.steps > 0);
        }
        best = attempt.colours.into_iter().flatten().collect();
        used -= 1;
    }
    (best, used, true)
}

/// Far more steps than tables of twenty indexes need.
const MOST_STEPS: u64 = 50_000;
/// Steps to find out whether a node is needed to show a number of colours.
const FEW_STEPS: u64 = 500;

/// An attempt to do with so many colours.
struct Attempt<'e> {
    edges: &'e [Vec<usize>],
    allowed: usize,
    colours: Vec<Option<usize>>,
    /// So many are left.
    steps: u64,
}

impl Attempt<'_> {
    /// Colours the rest, of which `fresh` and above are not used yet: always a node next whose neighbours leave the
    /// least choice.
    fn complete(&mut self, fresh: usize) -> bool {
        if self.steps == 0 {
            return false;
        }
        self.steps -= 1;
        let taken = |node: usize| -> BTreeSet<usize> {
            self.edges[node].iter().filter_map(|other| self.colours[*other]).collect()
        };
        let uncoloured = (0..self.edges.len()).filter(|node| self.colours[*node].is_none());
        let next = uncoloured
            .map(|node| (taken(node), node))
            .max_by_key(|(taken, node)| (taken.len(), self.edges[*node].len(), std::cmp::Reverse(*node)));
        let Some((taken, node)) = next else { return true };
        for colour in (0..self.allowed.min(fresh + 1)).filter(|colour| !taken.contains(colour)) {
            self.colours[node] = Some(colour);
            if self.complete(fresh.max(colour + 1)) {
                return true;
            }
        }
        self.colours[node] = None;
        false
    }
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
        let (_, used, exact) = least_colouring(&graph(3, |_, _| true), MOST_STEPS);
        assert_eq!((used, exact), (3, true));
        // A cycle of five has no pair of colours.
        let five = graph(5, |one, other| (one + 1) % 5 == other || (other + 1) % 5 == one);
        let (colours, used, exact) = least_colouring(&five, MOST_STEPS);
        assert_eq!((used, exact, clique(&five).len()), (3, true, 2));
        assert!((0..5).all(|node| colours[node] != colours[(node + 1) % 5]));
        assert_eq!(least_colouring(&graph(4, |_, _| false), MOST_STEPS).1, 1);
    }
}

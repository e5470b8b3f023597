//! From logical indexes to physical ones: groups that do not conflict share a GSI.

use super::Counts;
use crate::path::Projection;
use crate::problem::{EntityFacts, Problem};

/// Logical indexes that lie in one GSI, because a shared read ties them together or because one stands alone.
#[derive(Clone, Debug, PartialEq, Eq)]
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

    fn has(&self, entity: usize) -> bool {
        self.members.iter().any(|(it, _)| *it == entity)
    }
}

/// Gives every group a GSI, the fewest that can do; groups of one kind get neighbouring numbers. Some must stay
/// `apart` whatever they hold.
pub(crate) fn colour(
    problem: &Problem,
    groups: &[Group],
    apart: &dyn Fn(&Group, &Group) -> bool,
) -> (Vec<usize>, Counts) {
    let mut colours = vec![0; groups.len()];
    let mut counts = Counts::default();
    let mut first = 0;
    for (kind, count) in counts.iter_mut().enumerate() {
        let members: Vec<usize> = (0..groups.len()).filter(|at| groups[*at].kind() == kind).collect();
        let conflicts = |one: usize, other: usize| {
            let (one, other) = (&groups[members[one]], &groups[members[other]]);
            apart(one, other) || conflict(problem, one, other)
        };
        let (colouring, used) = least_colouring(members.len(), &conflicts);
        for (at, colour) in colouring.into_iter().enumerate() {
            colours[members[at]] = first + colour;
        }
        *count = used;
        first += used;
    }
    (colours, counts)
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
) -> Option<(Vec<usize>, Counts)> {
    let mut colours: Vec<Option<usize>> = fixed.to_vec();
    let free: Vec<usize> = (0..groups.len()).filter(|group| fixed[*group].is_none()).collect();
    let clash = |one: usize, other: usize| {
        native
            || groups[one].kind() != groups[other].kind()
            || conflict(problem, &groups[one], &groups[other])
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
    Some((colours.into_iter().flatten().collect(), counts))
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

/// Places the free groups from a position on in GSIs below a number; of new ones only the next unused is tried.
fn place_all(
    free: &[usize],
    at: usize,
    colours_allowed: usize,
    present: usize,
    fits: &dyn Fn(usize, usize, &[Option<usize>]) -> bool,
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

/// Two groups can't share a GSI when an item would need two entries in it, or when one's list of projected
/// names would make the other's entries larger.
fn conflict(problem: &Problem, one: &Group, other: &Group) -> bool {
    one.members.iter().any(|(entity, _)| other.has(*entity))
        || widens(problem, one, other)
        || widens(problem, other, one)
}

/// Whether the names that `one` projects add something to an entry of `other`.
fn widens(problem: &Problem, one: &Group, other: &Group) -> bool {
    let names = |entity: &EntityFacts, projection: Projection| match projection {
        Projection::Include(list) => entity.names(list.iter()),
        Projection::All | Projection::Keys => Vec::new(),
    };
    let added: Vec<String> = one
        .members
        .iter()
        .zip(&one.projections)
        .flat_map(|((entity, _), projection)| names(&problem.entities[*entity], *projection))
        .collect();
    other.members.iter().zip(&other.projections).any(|((entity, _), projection)| {
        let Projection::Include(list) = projection else { return false };
        let facts = &problem.entities[*entity];
        added.iter().any(|name| facts.named(name).is_some_and(|attr| !list.contains(attr)))
    })
}

/// The least colouring: first a greedy one, then fewer colours as long as some exist. Exact below a limit of
/// steps that is far above what tables of twenty indexes need.
fn least_colouring(nodes: usize, conflict: &dyn Fn(usize, usize) -> bool) -> (Vec<usize>, usize) {
    let edges: Vec<Vec<usize>> = (0..nodes)
        .map(|one| (0..nodes).filter(|other| *other != one && conflict(one, *other)).collect())
        .collect();
    let mut order: Vec<usize> = (0..nodes).collect();
    order.sort_by_key(|node| (std::cmp::Reverse(edges[*node].len()), *node));
    let mut best = vec![usize::MAX; nodes];
    for node in &order {
        let taken: Vec<usize> = edges[*node].iter().map(|other| best[*other]).collect();
        best[*node] = (0..).find(|colour| !taken.contains(colour)).expect("colours never run out");
    }
    let mut used = best.iter().map(|colour| colour + 1).max().unwrap_or(0);
    while used > 1 {
        let mut colours = vec![usize::MAX; nodes];
        let mut steps = 0;
        if !colourable(&order, 0, used - 1, &edges, &mut colours, &mut steps) {
            break;
        }
        best = colours;
        used -= 1;
    }
    (best, used)
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

    #[test]
    fn three_groups_that_meet_in_pairs_need_three() {
        let (_, used) = least_colouring(3, &|_, _| true);
        assert_eq!(used, 3);
        // A cycle of five has no pair of colours.
        let (colours, used) =
            least_colouring(5, &|one, other| (one + 1) % 5 == other || (other + 1) % 5 == one);
        assert_eq!(used, 3);
        assert!((0..5).all(|node| colours[node] != colours[(node + 1) % 5]));
        assert_eq!(least_colouring(4, &|_, _| false).1, 1);
    }
}

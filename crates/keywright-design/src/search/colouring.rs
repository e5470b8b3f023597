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

/// Gives every group a GSI, the fewest that can do; groups of one kind get neighbouring numbers.
pub(crate) fn colour(problem: &Problem, groups: &[Group]) -> (Vec<usize>, Counts) {
    let mut colours = vec![0; groups.len()];
    let mut counts = Counts::default();
    let mut first = 0;
    for (kind, count) in counts.iter_mut().enumerate() {
        let members: Vec<usize> = (0..groups.len()).filter(|at| groups[*at].kind() == kind).collect();
        let conflicts =
            |one: usize, other: usize| conflict(problem, &groups[members[one]], &groups[members[other]]);
        let (colouring, used) = least_colouring(members.len(), &conflicts);
        for (at, colour) in colouring.into_iter().enumerate() {
            colours[members[at]] = first + colour;
        }
        *count = used;
        first += used;
    }
    (colours, counts)
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

//! Graphs of what can't share a GSI: cliques, least colourings, and what shows that fewer colours do not do.
//!
//! A graph is a list of neighbours for each node, ascending.

use std::cmp::Reverse;

/// Nodes that are all each other's neighbours, as many as a search of so many steps finds.
pub(super) fn clique(edges: &[Vec<usize>]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..edges.len()).collect();
    order.sort_by_key(|node| (Reverse(edges[*node].len()), *node));
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
pub(super) fn critical(edges: &[Vec<usize>], colours: usize) -> Vec<usize> {
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
pub(super) fn least_colouring(edges: &[Vec<usize>], most_steps: u64) -> (Vec<usize>, usize, bool) {
    let nodes = edges.len();
    let mut order: Vec<usize> = (0..nodes).collect();
    order.sort_by_key(|node| (Reverse(edges[*node].len()), *node));
    let mut best = vec![usize::MAX; nodes];
    for node in &order {
        let mut taken: Vec<usize> = edges[*node].iter().map(|other| best[*other]).collect();
        taken.sort_unstable();
        best[*node] = (0..).find(|it| taken.binary_search(it).is_err()).expect("colours never run out");
    }
    let mut used = best.iter().map(|colour| colour + 1).max().unwrap_or(0);
    // A clique needs a colour for each of its nodes, so there is nothing to try below its size.
    let clique = clique(edges);
    while used > clique.len() {
        if used > MOST_COLOURS {
            return (best, used, false);
        }
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

/// With more colours than this, which no table has, fewer are not tried: a set of colours is an integer of so many bits.
const MOST_COLOURS: usize = 128;
/// Far more steps than tables of twenty indexes need.
pub(super) const MOST_STEPS: u64 = 50_000;
/// Steps to find out whether a node is needed to show a number of colours.
pub(super) const FEW_STEPS: u64 = 500;

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
        let taken = |node: usize| -> u128 {
            let colours = self.edges[node].iter().filter_map(|other| self.colours[*other]);
            colours.fold(0, |taken, colour| taken | 1 << colour)
        };
        let uncoloured = (0..self.edges.len()).filter(|node| self.colours[*node].is_none());
        let next = uncoloured
            .map(|node| (taken(node), node))
            .max_by_key(|(taken, node)| (taken.count_ones(), self.edges[*node].len(), Reverse(*node)));
        let Some((taken, node)) = next else { return true };
        for colour in (0..self.allowed.min(fresh + 1)).filter(|colour| taken & 1 << colour == 0) {
            self.colours[node] = Some(colour);
            if self.complete(fresh.max(colour + 1)) {
                return true;
            }
        }
        self.colours[node] = None;
        false
    }
}

/// A graph of so many nodes, with an edge between those that conflict.
#[cfg(test)]
pub(super) fn graph(nodes: usize, conflict: impl Fn(usize, usize) -> bool) -> Vec<Vec<usize>> {
    let others = |one: usize| (0..nodes).filter(|other| *other != one && conflict(one, *other)).collect();
    (0..nodes).map(others).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

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

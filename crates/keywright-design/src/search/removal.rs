//! What has to go at least before the rest can do with so many colours.
//!
//! Every node has a price, or has to stay. Nodes that are all each other's neighbours, and too many, have to lose some:
//! each way to choose them is tried, the cheapest first, and bounded by the cheapest that such a clique could lose.

use super::graph::{FEW_STEPS, clique, critical, least_colouring};

/// So many sets of nodes are tried before the bound of the first clique is all there is to say.
const MOST_TRIED: usize = 2_000;

/// The cheapest removal.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Removal {
    /// Nothing that is enough costs less.
    pub(super) least: i128,
    /// Nodes that are enough, as far as it was looked: what the price is of, if the search came to its end.
    pub(super) removed: Vec<usize>,
}

/// The cheapest nodes without which the others can do with so many colours; none where those that have to stay can't.
pub(super) fn cheapest_removal(
    edges: &[Vec<usize>],
    prices: &[Option<i128>],
    colours: usize,
) -> Option<Removal> {
    let mut search =
        Search { edges, prices, colours, gone: vec![false; edges.len()], best: None, tried: 0, first: 0 };
    search.go_on(0, &mut vec![false; edges.len()]);
    let stopped = search.tried > MOST_TRIED;
    let first = search.first;
    match search.best {
        Some((least, removed)) => {
            Some(Removal { least: if stopped { first.min(least) } else { least }, removed })
        }
        None if stopped => Some(Removal { least: first, removed: Vec::new() }),
        None => None,
    }
}

struct Search<'g> {
    edges: &'g [Vec<usize>],
    prices: &'g [Option<i128>],
    colours: usize,
    gone: Vec<bool>,
    best: Option<(i128, Vec<usize>)>,
    tried: usize,
    /// What the first clique has to lose.
    first: i128,
}

impl Search<'_> {
    fn go_on(&mut self, paid: i128, stays: &mut [bool]) {
        self.tried += 1;
        if self.tried > MOST_TRIED || self.best.as_ref().is_some_and(|(least, _)| *least <= paid) {
            return;
        }
        let left: Vec<usize> = (0..self.gone.len()).filter(|node| !self.gone[*node]).collect();
        let Some((crowd, surplus)) = self.crowd(&left) else {
            let removed = (0..self.gone.len()).filter(|node| self.gone[*node]).collect();
            self.best = Some((paid, removed));
            return;
        };
        let mut free: Vec<(i128, usize)> = crowd
            .into_iter()
            .filter(|node| !stays[*node])
            .filter_map(|node| Some((self.prices[node]?, node)))
            .collect();
        free.sort_unstable();
        if free.len() < surplus {
            return;
        }
        if self.tried == 1 {
            self.first = free[..surplus].iter().map(|(price, _)| price).sum();
        }
        for at in 0..=free.len() - surplus {
            let least: i128 = free[at..at + surplus].iter().map(|(price, _)| price).sum();
            if self.best.as_ref().is_some_and(|(best, _)| *best <= paid + least) {
                break;
            }
            let (price, node) = free[at];
            self.gone[node] = true;
            self.go_on(paid + price, stays);
            self.gone[node] = false;
            // From here on it is among those that are left.
            stays[node] = true;
        }
        for (_, node) in free {
            stays[node] = false;
        }
    }

    /// Some of the nodes that are left that can't do with the colours, and how many of them are too many; none where
    /// all can, as far as it was looked.
    fn crowd(&self, left: &[usize]) -> Option<(Vec<usize>, usize)> {
        let mut at = vec![usize::MAX; self.edges.len()];
        left.iter().enumerate().for_each(|(here, node)| at[*node] = here);
        let among: Vec<Vec<usize>> = left
            .iter()
            .map(|node| self.edges[*node].iter().map(|it| at[*it]).filter(|it| *it != usize::MAX).collect())
            .collect();
        let all = clique(&among);
        let surplus = all.len().saturating_sub(self.colours);
        let (crowd, surplus) = if surplus > 0 {
            (all, surplus)
        } else {
            let (_, used, exact) = least_colouring(&among, FEW_STEPS);
            if used <= self.colours || !exact {
                return None;
            }
            (critical(&among, used), 1)
        };
        Some((crowd.into_iter().map(|here| left[here]).collect(), surplus))
    }
}

#[cfg(test)]
mod tests {
    use super::super::graph::graph;
    use super::*;

    #[test]
    fn the_cheapest_nodes_go_and_none_that_has_to_stay() {
        let all = graph(4, |_, _| true);
        let prices = [Some(5), Some(1), Some(3), Some(9)];
        assert_eq!(cheapest_removal(&all, &prices, 4), Some(Removal { least: 0, removed: vec![] }));
        assert_eq!(cheapest_removal(&all, &prices, 2), Some(Removal { least: 4, removed: vec![1, 2] }));
        let prices = [Some(5), None, Some(3), Some(9)];
        assert_eq!(cheapest_removal(&all, &prices, 2), Some(Removal { least: 8, removed: vec![0, 2] }));
        assert_eq!(cheapest_removal(&all, &[None; 4], 3), None);
    }

    #[test]
    fn the_removal_is_the_cheapest_of_all_subsets() {
        // Deterministic graphs of six nodes, each compared with every subset of nodes.
        for seed in 0..60usize {
            let edges = graph(6, |one, other| {
                let (one, other) = (one.min(other), one.max(other));
                (seed * 31 + one * 17 + other * 13 + one * other * seed) % 3 != 0
            });
            let prices: Vec<Option<i128>> =
                (0..6).map(|node| Some(((seed * 7 + node * 5) % 11 + 1) as i128)).collect();
            for colours in 1..4 {
                let found = cheapest_removal(&edges, &prices, colours).unwrap();
                let enough = |gone: usize| {
                    let left: Vec<usize> = (0..6).filter(|node| gone & 1 << node == 0).collect();
                    (0..colours.pow(left.len() as u32)).any(|code| {
                        let colour = |at: usize| code / colours.pow(at as u32) % colours;
                        (0..left.len()).all(|one| {
                            (0..one).all(|other| {
                                colour(one) != colour(other) || !edges[left[one]].contains(&left[other])
                            })
                        })
                    })
                };
                let price = |gone: usize| -> i128 {
                    (0..6).filter(|node| gone & 1 << node != 0).filter_map(|node| prices[node]).sum()
                };
                let least = (0..64).filter(|gone| enough(*gone)).map(price).min();
                assert_eq!(Some(found.least), least, "seed {seed}, {colours} colours");
            }
        }
    }
}

//! Reads of one kind that a list of several kinds could answer: each by a filter on that list or by keys of its own is
//! designed, and the cheapest design wins.

use super::{Options, Outcome};

/// So many reads at most are weighed in every combination; of more, each is weighed after the other.
const MOST_TOGETHER: usize = 3;

/// A design with the patterns that are sifted from lists.
type Tried = super::tried::Tried<Vec<usize>>;

/// The cheapest of the designs over all ways to sift; `apart` is the one without any.
pub(super) fn cheapest(
    options: &Options,
    apart: Outcome,
    siftable: &[usize],
    design: &dyn Fn(&[usize]) -> Outcome,
) -> Outcome {
    if siftable.is_empty() {
        return apart;
    }
    let mut tried = vec![Tried::new(Vec::new(), apart)];
    let together = siftable.len() <= MOST_TOGETHER;
    if together {
        for some in 1u32..1 << siftable.len() {
            let chosen = siftable.iter().enumerate().filter(|(at, _)| some >> at & 1 == 1);
            let patterns: Vec<usize> = chosen.map(|(_, pattern)| *pattern).collect();
            let outcome = design(&patterns);
            tried.push(Tried::new(patterns, outcome));
        }
    } else {
        for pattern in siftable {
            let mut patterns = tried[least(&tried)].way.clone();
            patterns.push(*pattern);
            let outcome = design(&patterns);
            tried.push(Tried::new(patterns, outcome));
        }
    }
    let mut chosen = tried.swap_remove(least(&tried));
    let complete = options.time_limit.is_none() || tried.iter().all(|it| it.outcome.proven.is_some());
    let others = "alternative ways to read one item type from a mixed list";
    chosen.weigh_against(&mut tried, together && complete, others);
    chosen.outcome
}

/// The cheapest; between equals the one that sifts least.
fn least(tried: &[Tried]) -> usize {
    let price = |it: &Tried| (it.total.is_none(), it.total, it.way.len());
    (0..tried.len()).min_by_key(|at| price(&tried[*at])).unwrap_or(0)
}

//! Reads of one kind that a list of several kinds could answer: each by a filter on that list or by keys of its own is
//! designed, and the cheapest design wins.

use super::tried::Sets;
use super::{Options, Outcome};
use crate::search::Stop;

/// Between equals the design that sifts least wins.
const FILTERS: Sets = Sets {
    together: 3,
    larger_wins: false,
    others: "alternative ways to read one item type from a mixed list",
};

/// The cheapest of the designs over all ways to sift; `apart` is the one without any.
pub(super) fn cheapest(
    options: &Options,
    stop: Stop,
    apart: Outcome,
    siftable: &[usize],
    design: &dyn Fn(&[usize]) -> Outcome,
) -> Outcome {
    match siftable {
        [] => apart,
        some => FILTERS.cheapest(options, stop, apart, some, design).0.outcome,
    }
}

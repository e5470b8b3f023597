//! Dual ascent: a bound on what serving demands costs, when most ways must first be opened.
//!
//! As in facility location, every demand `r` has a price `v(r)` such that for every index `p` the parts by which the
//! prices pass what serving costs there, `Σ max(0, v(r) − c(r, p))`, do not pass what opening it costs, `F(p)`. Then
//! no way to serve the demands is cheaper than `Σ v(r)`.

/// A way to serve a demand: what it costs, and what must be open for it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Way {
    pub(super) cost: i128,
    /// The index that must be open; none for what is there anyway.
    pub(super) index: Option<usize>,
}

/// Prices for all demands, raised one after the other until nothing gives.
pub(super) fn ascend(demands: &[Vec<Way>], opening: &[i128]) -> Vec<i128> {
    let mut slack: Vec<i128> = opening.to_vec();
    let mut prices: Vec<i128> =
        demands.iter().map(|ways| ways.iter().map(|way| way.cost).min().unwrap_or(0)).collect();
    loop {
        let mut raised = false;
        for (price, ways) in prices.iter_mut().zip(demands) {
            let reached = |way: &&Way| way.cost <= *price;
            // What is there anyway gives no slack: the price stays at its cost.
            let room = ways.iter().filter(reached).map(|way| way.index.map_or(0, |index| slack[index])).min();
            let next = ways.iter().map(|way| way.cost).filter(|cost| *cost > *price).min();
            let room = room.unwrap_or(0).min(next.map_or(i128::MAX, |next| next - *price));
            if room <= 0 {
                continue;
            }
            let mut used: Vec<usize> = ways.iter().filter(reached).filter_map(|way| way.index).collect();
            used.sort_unstable();
            used.dedup();
            for index in used {
                slack[index] -= room;
            }
            *price += room;
            raised = true;
        }
        if !raised {
            return prices;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prices_never_pass_what_any_choice_costs() {
        let way = |cost, index| Way { cost, index };
        let demands = vec![
            vec![way(1, Some(0)), way(3, Some(1)), way(20, None)],
            vec![way(2, Some(0)), way(9, None)],
            vec![way(4, Some(1)), way(5, Some(0))],
        ];
        let opening = [6, 7];
        let prices = ascend(&demands, &opening);
        // Brute force: every demand in every way.
        let mut least = i128::MAX;
        for one in &demands[0] {
            for two in &demands[1] {
                for three in &demands[2] {
                    let ways = [one, two, three];
                    let open: i128 = (0..2)
                        .filter(|index| ways.iter().any(|way| way.index == Some(*index)))
                        .map(|index| opening[index])
                        .sum();
                    least = least.min(open + ways.iter().map(|way| way.cost).sum::<i128>());
                }
            }
        }
        let bound: i128 = prices.iter().sum();
        assert!(bound <= least, "{bound} over {least}");
        assert_eq!((bound, least), (14, 14));
    }
}

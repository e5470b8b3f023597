//! Dual ascent: a bound on what serving demands costs, when most ways must first be opened.
//!
//! As in facility location, every demand `r` has a price `v(r)` such that for every index `p` the parts by which the
//! prices pass what serving costs there, `Σ max(0, v(r) − c(r, p))`, do not pass what opening it costs, `F(p)`. Then
//! no way to serve the demands is cheaper than `Σ v(r)`, and none that opens `p` cheaper than that and what is left
//! of `F(p)`.

/// A way to serve a demand: what it costs at least, and what must be open for it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Way {
    pub(super) cost: i128,
    /// The index that must be open; none for what is there anyway.
    pub(super) index: Option<usize>,
    /// Which of the ways it is, for the one who asks.
    pub(super) way: usize,
}

/// Whether an index is there, may come, or is ruled out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum State {
    Open,
    Undecided,
    Closed,
}

/// Prices for all demands.
#[derive(Debug, Default)]
pub(super) struct Ascent {
    /// The sum of all prices.
    pub(super) sum: i128,
    /// What is left of each index's opening cost.
    pub(super) slack: Vec<i128>,
}

/// Raises the price of one demand after the other until nothing gives; none where a demand has no way left. The
/// ways of a demand come in the order of their costs.
pub(super) fn ascend(demands: &[Vec<Way>], opening: &[i128], states: &[State]) -> Option<Ascent> {
    climb(demands, opening, states, |_, _| {})
}

/// The price of each demand at the end of an ascent.
pub(super) fn prices(demands: &[Vec<Way>], opening: &[i128], states: &[State]) -> Option<Vec<i128>> {
    let mut prices = vec![0; demands.len()];
    climb(demands, opening, states, |demand, price| prices[demand] = price)?;
    Some(prices)
}

/// Raises prices, and says at which price each demand stays.
fn climb(
    demands: &[Vec<Way>],
    opening: &[i128],
    states: &[State],
    mut stays: impl FnMut(usize, i128),
) -> Option<Ascent> {
    let state = |way: &Way| way.index.map_or(State::Open, |index| states[index]);
    let mut slack: Vec<i128> = opening.to_vec();
    let mut sum = 0;
    // Each demand with its price, and how many of its ways that price reaches.
    let mut rising: Vec<(usize, i128, usize, &[Way])> = Vec::with_capacity(demands.len());
    for (demand, ways) in demands.iter().enumerate() {
        let first = ways.iter().position(|way| state(way) != State::Closed)?;
        let price = ways[first].cost;
        sum += price;
        rising.push((demand, price, first, ways));
    }
    while !rising.is_empty() {
        rising.retain_mut(|(demand, price, reached, ways)| {
            let mut room = i128::MAX;
            *reached += ways[*reached..].iter().take_while(|way| way.cost <= *price).count();
            for way in &ways[..*reached] {
                match state(way) {
                    // What is there anyway gives no slack: the price stays at its cost.
                    State::Open => {
                        stays(*demand, *price);
                        return false;
                    }
                    State::Undecided => room = room.min(slack[way.index.unwrap_or_default()]),
                    State::Closed => {}
                }
            }
            let next = ways[*reached..].iter().find(|way| state(way) != State::Closed);
            let room = room.min(next.map_or(i128::MAX, |way| way.cost - *price));
            if room <= 0 {
                stays(*demand, *price);
                return false;
            }
            for way in &ways[..*reached] {
                if let (State::Undecided, Some(index)) = (state(way), way.index) {
                    slack[index] -= room;
                }
            }
            *price += room;
            sum += room;
            true
        });
    }
    Some(Ascent { sum, slack })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prices_never_pass_what_any_choice_costs() {
        let way = |cost, index| Way { cost, index, way: 0 };
        let demands = vec![
            vec![way(1, Some(0)), way(3, Some(1)), way(20, None)],
            vec![way(2, Some(0)), way(9, None)],
            vec![way(4, Some(1)), way(5, Some(0))],
        ];
        let opening = [6, 7];
        // Brute force: every demand in every way.
        let least = |with: Option<usize>| {
            let mut least = i128::MAX;
            for one in &demands[0] {
                for two in &demands[1] {
                    for three in &demands[2] {
                        let ways = [one, two, three];
                        let used =
                            |index| ways.iter().any(|way| way.index == Some(index)) || with == Some(index);
                        let open: i128 =
                            (0..2).filter(|index| used(*index)).map(|index| opening[index]).sum();
                        least = least.min(open + ways.iter().map(|way| way.cost).sum::<i128>());
                    }
                }
            }
            least
        };
        let ascent = ascend(&demands, &opening, &[State::Undecided; 2]).unwrap();
        assert_eq!((ascent.sum, least(None)), (14, 14));
        assert!(ascent.sum + ascent.slack[1] <= least(Some(1)), "{ascent:?}");
    }

    #[test]
    fn what_is_open_costs_nothing_more_and_what_is_closed_serves_nobody() {
        let way = |cost, index| Way { cost, index, way: 0 };
        let demands = vec![vec![way(1, Some(0)), way(8, Some(1))]];
        let sum = |states: [State; 2]| ascend(&demands, &[5, 5], &states).map(|it| it.sum);
        assert_eq!(sum([State::Open, State::Undecided]), Some(1));
        assert_eq!(sum([State::Closed, State::Undecided]), Some(13));
        assert_eq!(sum([State::Closed, State::Closed]), None);
    }
}

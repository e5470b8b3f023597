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

/// Prices for all demands: who ascends often does so in the same place.
#[derive(Debug, Default)]
pub(super) struct Ascent {
    /// What is left of each index's opening cost.
    pub(super) slack: Vec<i128>,
    /// Of every demand the ways that are not ruled out, up to the first that is there anyway.
    ways: Vec<(i128, usize)>,
    rising: Vec<Rising>,
}

/// A demand whose price rises.
#[derive(Debug)]
struct Rising {
    demand: usize,
    price: i128,
    /// Its ways: the first, the first that its price has not reached, and where they end.
    first: usize,
    reached: usize,
    end: usize,
}

/// The index of what is there anyway.
const THERE: usize = usize::MAX;

impl Ascent {
    /// Raises the price of one demand after the other until nothing gives, and gives the sum of all prices; none where a
    /// demand has no way left. The ways of a demand come in the order of their costs.
    pub(super) fn ascend(
        &mut self,
        demands: &[Vec<Way>],
        opening: &[i128],
        states: &[State],
    ) -> Option<i128> {
        self.climb(demands, opening, states, |_, _| {})
    }
}

/// The price of each demand at the end of an ascent.
pub(super) fn prices(demands: &[Vec<Way>], opening: &[i128], states: &[State]) -> Option<Vec<i128>> {
    let mut prices = vec![0; demands.len()];
    Ascent::default().climb(demands, opening, states, |demand, price| prices[demand] = price)?;
    Some(prices)
}

impl Ascent {
    /// Raises prices, and says at which price each demand stays.
    fn climb(
        &mut self,
        demands: &[Vec<Way>],
        opening: &[i128],
        states: &[State],
        mut stays: impl FnMut(usize, i128),
    ) -> Option<i128> {
        let Ascent { slack, ways: flat, rising } = self;
        slack.clear();
        slack.extend_from_slice(opening);
        flat.clear();
        rising.clear();
        let mut sum = 0;
        for (demand, ways) in demands.iter().enumerate() {
            let first = flat.len();
            for way in ways {
                match way.index.map_or((THERE, State::Open), |index| (index, states[index])) {
                    (_, State::Closed) => {}
                    (index, State::Undecided) => flat.push((way.cost, index)),
                    // What is there anyway gives no slack: the price stays at its cost, and reaches nothing beyond.
                    (_, State::Open) => {
                        flat.push((way.cost, THERE));
                        break;
                    }
                }
            }
            let (price, _) = flat.get(first)?;
            sum += price;
            rising.push(Rising { demand, price: *price, first, reached: first, end: flat.len() });
        }
        while !rising.is_empty() {
            rising.retain_mut(|it| {
                let next = flat[it.reached..it.end].iter().take_while(|(cost, _)| *cost <= it.price);
                it.reached += next.count();
                let reached = &flat[it.first..it.reached];
                let mut room = match flat[it.reached..it.end].first() {
                    Some((cost, _)) => cost - it.price,
                    None => i128::MAX,
                };
                for (_, index) in reached {
                    room = room.min(if *index == THERE { 0 } else { slack[*index] });
                }
                if room <= 0 {
                    stays(it.demand, it.price);
                    return false;
                }
                for (_, index) in reached {
                    slack[*index] -= room;
                }
                it.price += room;
                sum += room;
                true
            });
        }
        Some(sum)
    }
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
        let mut ascent = Ascent::default();
        let sum = ascent.ascend(&demands, &opening, &[State::Undecided; 2]).unwrap();
        assert_eq!((sum, least(None)), (14, 14));
        assert!(sum + ascent.slack[1] <= least(Some(1)), "{ascent:?}");
    }

    #[test]
    fn what_is_open_costs_nothing_more_and_what_is_closed_serves_nobody() {
        let way = |cost, index| Way { cost, index, way: 0 };
        let demands = vec![vec![way(1, Some(0)), way(8, Some(1))]];
        let sum = |states: [State; 2]| Ascent::default().ascend(&demands, &[5, 5], &states);
        assert_eq!(sum([State::Open, State::Undecided]), Some(1));
        assert_eq!(sum([State::Closed, State::Undecided]), Some(13));
        assert_eq!(sum([State::Closed, State::Closed]), None);
    }
}

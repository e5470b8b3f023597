//! The search against an integer program, on problems that are too large to enumerate.
//!
//! Every entity picks one of the enumerator's own interfaces, at the least price of all its naive layouts that have it.
//! A shared read picks the places of its parts together, and GSIs of each kind are paid for once. A general solver, which
//! knows no bound of ours, decides. How few GSIs do for what it picked is found by trying every way to part them: where
//! the program has too few, it is told so for these picks, and decides again.

use std::collections::BTreeMap;
use std::ops::RangeFrom;

use keywright_dynamodb::price::PriceTable;
use microlp::{ComparisonOp, LinearExpr, OptimizationDirection, Variable};

use super::{
    Interface, PartPlace, drops_little, fewest_indexes, grouped, interfaces, is_whole, searched_among,
    worth_trying,
};
use crate::candidate::IndexCandidate;
use crate::cost::{MonthlyPrice, OperationalPrices, multi_price};
use crate::demand::{Demand, Source, demands};
use crate::exhaustive::random;
use crate::path::Projection;
use crate::problem::Problem;

/// Problems with more combinations than this for one entity are left to other seeds.
const MOST_CONFIGURATIONS: usize = 6_000;
/// So often the program may be told of GSIs that it has too few of.
const MOST_TOLD: usize = 200;
/// The seed of a model in which an index lists all attributes.
const LISTING: u64 = 490;

/// Where a part lies, as far as the price of a shared read depends on it: the kind of projection, the bytes of an item,
/// whether the caller sorts.
type Spot = (Option<usize>, u64, bool);

fn spot(interface: &Interface, part: PartPlace) -> Spot {
    (part.0.map(|at| interface.1[at].kind()), part.1, part.2)
}

/// The naive interfaces of every entity; none where they are too many.
fn options(
    problem: &Problem,
    month: &MonthlyPrice,
    demands: &[Vec<Demand>],
) -> Option<Vec<Vec<(Interface, i128)>>> {
    let of = |(entity, demands): (usize, &Vec<Demand>)| {
        let mut budget = MOST_CONFIGURATIONS;
        Some(worth_trying(interfaces(problem, month, entity, demands, &mut budget)?))
    };
    demands.iter().enumerate().map(of).collect()
}

/// The program, and what stands for what in it.
struct Program<'p> {
    problem: &'p Problem,
    month: &'p MonthlyPrice,
    demands: &'p [Vec<Demand>],
    options: &'p [Vec<(Interface, i128)>],
    program: microlp::Problem,
    /// One for every interface of every entity.
    picks: Vec<Vec<Variable>>,
    /// How many GSIs there are of each kind.
    counts: [Variable; 3],
    /// What is paid whatever is picked: the solver sees only differences, which are smaller.
    least: i128,
    /// What each variable costs.
    costs: Vec<(Variable, i128)>,
}

impl<'p> Program<'p> {
    fn new(
        problem: &'p Problem,
        month: &'p MonthlyPrice,
        demands: &'p [Vec<Demand>],
        options: &'p [Vec<(Interface, i128)>],
    ) -> Self {
        let mut program = microlp::Problem::new(OptimizationDirection::Minimize);
        let mut least = 0;
        let mut picks = Vec::with_capacity(options.len());
        let mut costs = Vec::new();
        for options in options {
            let cheapest = options.iter().map(|(_, price)| *price).min().unwrap_or(0);
            least += cheapest;
            let each = options.iter().map(|(_, price)| program.add_binary_var(dollars(price - cheapest)));
            let each: Vec<Variable> = each.collect();
            costs.extend(each.iter().copied().zip(options.iter().map(|(_, price)| price - cheapest)));
            picks.push(each);
        }
        let index = dollars(month.operational.index.pico());
        let counts = std::array::from_fn(|_| program.add_integer_var(index, (0, 20)));
        costs.extend(counts.map(|count| (count, month.operational.index.pico())));
        let mut whole = Program { problem, month, demands, options, program, picks, counts, least, costs };
        whole.pick_one_of_each();
        for read in (0..problem.reads.len()).filter(|read| problem.reads[*read].parts.len() > 1) {
            whole.share(read);
        }
        whole
    }

    /// Every entity is laid out in one way, and an entity is in a GSI once.
    fn pick_one_of_each(&mut self) {
        let mut all = LinearExpr::empty();
        self.counts.iter().for_each(|count| all.add(*count, 1.0));
        self.program.add_constraint(all, ComparisonOp::Le, 20.0);
        for (options, picks) in self.options.iter().zip(&self.picks) {
            let mut one = LinearExpr::empty();
            picks.iter().for_each(|pick| one.add(*pick, 1.0));
            self.program.add_constraint(one, ComparisonOp::Eq, 1.0);
            for (kind, count) in self.counts.iter().enumerate() {
                let mut used = LinearExpr::empty();
                used.add(*count, -1.0);
                for (((_, open), _), pick) in options.iter().zip(picks) {
                    let open = open.iter().filter(|projection| projection.kind() == kind).count();
                    if open > 0 {
                        used.add(*pick, open as f64);
                    }
                }
                self.program.add_constraint(used, ComparisonOp::Le, 0.0);
            }
        }
    }

    /// The parts of a shared read lie in places of one kind, at the price of these places together.
    fn share(&mut self, read: usize) {
        let facts = &self.problem.reads[read];
        let spots: Vec<BTreeMap<Spot, Vec<Variable>>> =
            (0..facts.parts.len()).map(|part| self.spots(read, part)).collect();
        let mut together: Vec<Vec<Spot>> = vec![Vec::new()];
        for spots in &spots {
            let longer = together.iter().flat_map(|so_far| {
                let alike = spots.keys().filter(|it| so_far.first().is_none_or(|first| first.0 == it.0));
                alike.map(|it| so_far.iter().copied().chain([*it]).collect::<Vec<Spot>>())
            });
            together = longer.collect();
        }
        let mut priced: Vec<(Vec<Spot>, Variable)> = Vec::with_capacity(together.len());
        for spots in together {
            let bytes: Vec<u64> = spots.iter().map(|spot| spot.1).collect();
            if !drops_little(self.problem, facts, &bytes) {
                continue;
            }
            let mut cost = multi_price(self.month, facts, &self.problem.entities, &bytes).cost.total();
            if spots.iter().any(|spot| spot.2) {
                cost += self.month.operational.awkward_pattern.pico();
            }
            let variable = self.program.add_binary_var(dollars(cost));
            self.costs.push((variable, cost));
            priced.push((spots, variable));
        }
        // A combination is there exactly when all its places are picked.
        for (part, spots) in spots.iter().enumerate() {
            for (spot, picks) in spots {
                let mut same = LinearExpr::empty();
                picks.iter().for_each(|pick| same.add(*pick, 1.0));
                for (_, variable) in priced.iter().filter(|(spots, _)| spots[part] == *spot) {
                    same.add(*variable, -1.0);
                }
                self.program.add_constraint(same, ComparisonOp::Eq, 0.0);
            }
        }
    }

    /// The places that a part of a shared read can have, with the picks that put it there.
    fn spots(&self, read: usize, part: usize) -> BTreeMap<Spot, Vec<Variable>> {
        let entity = self.problem.reads[read].parts[part].entity;
        let mut shared = self.demands[entity].iter().filter(|it| matches!(it.source, Source::Shared { .. }));
        let at = shared.position(|it| it.source == Source::Shared { read, part });
        let at = at.expect("a demand of its own");
        let mut spots: BTreeMap<Spot, Vec<Variable>> = BTreeMap::new();
        for ((interface, _), pick) in self.options[entity].iter().zip(&self.picks[entity]) {
            spots.entry(spot(interface, interface.0[at])).or_default().push(*pick);
        }
        spots
    }

    /// The least price, and how often the solver had to be told that GSIs do not do; the price is none where nothing
    /// serves all reads.
    fn solve(mut self) -> (Option<f64>, usize) {
        for told in 0..MOST_TOLD {
            let solved = self.program.solve().ok().and_then(|it| it.into_solution().ok());
            let Some(solution) = solved else { return (None, told) };
            let picked: Vec<usize> = self
                .picks
                .iter()
                .map(|picks| picks.iter().position(|pick| solution.var_value(*pick) > 0.5))
                .map(|pick| pick.expect("one is picked"))
                .collect();
            let counted: f64 = self.counts.iter().map(|count| solution.var_value(*count)).sum();
            let needed = self.needed(&picked, |_| true);
            if needed.is_some_and(|needed| needed as f64 <= counted + 0.5) {
                // The solver's own sum is off by what its variables are off.
                let times = |variable: Variable| solution.var_value(variable).round() as i128;
                let paid: i128 = self.costs.iter().map(|(variable, cost)| times(*variable) * cost).sum();
                return (Some(dollars(paid + self.least)), told);
            }
            self.tell(&picked, needed);
        }
        panic!("the program was told of {MOST_TOLD} GSIs and wants more");
    }

    /// The fewest GSIs for what some entities picked; none where no number does.
    fn needed(&self, picked: &[usize], counts: impl Fn(usize) -> bool) -> Option<usize> {
        let picked: Vec<&(Interface, i128)> =
            self.options.iter().zip(picked).map(|(options, at)| &options[*at]).collect();
        let mut groups = grouped(self.problem, self.demands, &picked)?;
        groups.iter_mut().for_each(|group| group.retain(|(entity, _)| counts(*entity)));
        groups.retain(|group| !group.is_empty());
        fewest_indexes(self.problem, &groups)
    }

    /// Tells the program how many GSIs these picks need: of all entities that are in one, those without which it would
    /// be fewer.
    fn tell(&mut self, picked: &[usize], needed: Option<usize>) {
        let mut blamed: Vec<bool> =
            picked.iter().zip(self.options).map(|(at, options)| !options[*at].0.1.is_empty()).collect();
        for entity in 0..blamed.len() {
            blamed[entity] &= self.needed(picked, |it| blamed[it] && it != entity) != needed;
        }
        let blamed: Vec<Variable> =
            (0..blamed.len()).filter(|it| blamed[*it]).map(|it| self.picks[it][picked[it]]).collect();
        let all = blamed.len() as f64;
        let mut enough = LinearExpr::empty();
        match needed {
            // At least so many, unless one of them is laid out in another way.
            Some(needed) => {
                self.counts.iter().for_each(|count| enough.add(*count, 1.0));
                blamed.iter().for_each(|pick| enough.add(*pick, -(needed as f64)));
                self.program.add_constraint(enough, ComparisonOp::Ge, needed as f64 * (1.0 - all));
            }
            None => {
                blamed.iter().for_each(|pick| enough.add(*pick, 1.0));
                self.program.add_constraint(enough, ComparisonOp::Le, all - 1.0);
            }
        }
    }
}

fn dollars(pico: i128) -> f64 {
    pico as f64 / 1e12
}

/// A problem with its price according to the program.
struct Priced {
    seed: u64,
    problem: Problem,
    demands: Vec<Vec<Demand>>,
    price: Option<f64>,
    /// How often the program was told of GSIs.
    told: usize,
}

/// The first problems from a seed on that are small enough for the program, until so many can be served.
fn priced(month: &MonthlyPrice, mut seeds: RangeFrom<u64>, many: usize) -> Vec<Priced> {
    let price = |seed: u64| {
        let problem = random::mid_size(seed);
        let demands = demands(&problem, keywright_model::Style::Overloaded, None);
        let options = options(&problem, month, &demands)?;
        let (price, told) = Program::new(&problem, month, &demands, &options).solve();
        Some(Priced { seed, problem, demands, price, told })
    };
    let mut all: Vec<Priced> = Vec::new();
    while all.iter().filter(|it| it.price.is_some()).count() < many {
        all.extend(seeds.next().and_then(price));
    }
    all
}

/// The seeds for which a search among some candidates finds another price than the program, with what the search found and
/// what the program did.
fn noticed(
    month: &MonthlyPrice,
    all: &[Priced],
    kept: impl Fn(&IndexCandidate) -> bool + Copy,
) -> Vec<(u64, Option<f64>, Option<f64>)> {
    let compared = all.iter().map(|it| {
        let found = searched_among(&it.problem, month, &it.demands, kept);
        (it.seed, found.map(|answer| dollars(answer.cost.total())), it.price)
    });
    let differs = |(_, found, price): &(u64, Option<f64>, Option<f64>)| match (found, price) {
        // The program computes in floating point: a thousandth of a cent is beyond what that can tell.
        (Some(found), Some(price)) => (found - price).abs() > 1e-5,
        (found, price) => found.is_some() != price.is_some(),
    };
    compared.filter(differs).collect()
}

#[test]
fn an_integer_program_finds_the_same_price_on_larger_models() {
    let month = MonthlyPrice { table: PriceTable::us_east_1(), operational: OperationalPrices::default() };
    let asked = random::asked_for();
    let all = priced(&month, asked.as_ref().map_or(0, |it| it.start).., 12);
    assert_eq!(noticed(&month, &all, |_| true), Vec::new());
    if asked.is_some() {
        return;
    }

    // A comparison of nothing with nothing proves nothing.
    let (mut indexes, mut lists, mut shared, mut shared_in_index, mut told) = (0, 0, 0, 0, 0);
    for it in all.iter().filter(|it| it.price.is_some()) {
        let answer = searched_among(&it.problem, &month, &it.demands, |_| true).expect("it has a price");
        let has_shared = |wanted: fn(Option<usize>) -> bool| {
            answer.layouts.iter().flat_map(|layout| &layout.shared).any(|place| wanted(place.kind))
        };
        let (entities, patterns) =
            (it.problem.entities.len(), it.problem.reads.len() + it.problem.writes.len());
        assert!((6..=16).contains(&entities) && patterns > 12, "{entities} entities, {patterns} patterns");
        indexes += usize::from(answer.counts.iter().sum::<usize>() > 1);
        lists += usize::from(answer.counts[1] + answer.counts[2] > 0);
        shared += usize::from(has_shared(|_| true));
        shared_in_index += usize::from(has_shared(|kind| kind.is_some()));
        told += usize::from(it.told > 0);
    }
    let seen = format!(
        "{indexes} with indexes, {lists} with projections, {shared} with shared reads, {shared_in_index} of them in an \
         index, {told} where GSIs do not do"
    );
    assert!(indexes > 8 && lists > 8 && shared > 4 && shared_in_index > 1 && told > 2, "{seen}");

    // What is dropped or wrong is noticed here too.
    for kind in [0, 1] {
        let missed = noticed(&month, &all, |index| index.projection.kind() != kind);
        assert!(!missed.is_empty(), "nobody missed the projections of kind {kind}");
    }
    let missed = noticed(&month, &all, |index| !matches!(index.projection, Projection::Include(_)));
    assert!(!missed.is_empty(), "nobody missed the lists of names");
    let listing = priced(&month, LISTING.., 1);
    assert_eq!(noticed(&month, &listing, |_| true), Vec::new());
    let missed = noticed(&month, &listing, |index| !is_whole(index.projection));
    assert!(!missed.is_empty(), "nobody missed the lists of all attributes");
    crate::search::EXAGGERATION.set(50);
    let seen = noticed(&month, &all, |_| true);
    crate::search::EXAGGERATION.set(1);
    assert!(!seen.is_empty(), "a bound that is far too high changed nothing");
}

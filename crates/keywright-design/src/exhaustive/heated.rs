//! Heat of what reads tie together, by trying everything: the search has to find the cheapest design in which no
//! collection of several entities is too hot, and to know that it is.

use std::collections::BTreeMap;

use keywright_dynamodb::price::PriceTable;
use keywright_model::Rate;

use super::random::{self, Dice};
use super::{Interface, each_layout, places, shared_reads, together};
use crate::cost::{Load, MonthlyPrice, OperationalPrices, bears, hottest_share, multi_price};
use crate::demand::{Demand, demands};
use crate::design::cool_price;
use crate::problem::{Attrs, Problem};

/// More combinations than this are left to other seeds.
const MOST_LAYOUTS: usize = 3_000;
const MOST_TOGETHER: usize = 60_000;

/// What an entity asks of its table, then of each of its indexes, with the partition attributes there.
type Asked = Vec<(Attrs, Load)>;

/// The cheapest price of all designs in which nothing that reads tie together is too hot; the outer none where there are
/// too many.
fn cheapest(problem: &Problem, month: &MonthlyPrice, demands: &[Vec<Demand>]) -> Option<Option<i128>> {
    let mut budget = MOST_LAYOUTS;
    let mut all: Vec<Vec<((Interface, i128), Asked)>> = Vec::new();
    for (entity, demands) in demands.iter().enumerate() {
        let mut best: BTreeMap<(Interface, Asked), i128> = BTreeMap::new();
        each_layout(problem, month, entity, demands, &mut budget, &mut |interface, laid| {
            let least = best.entry((interface, laid.asked)).or_insert(laid.price);
            *least = laid.price.min(*least);
        })?;
        let mut sorted: Vec<_> =
            best.into_iter().map(|((interface, asked), price)| ((interface, price), asked)).collect();
        sorted.sort_by_key(|((_, price), _)| *price);
        all.push(sorted);
    }
    let combinations = all.iter().try_fold(1usize, |product, it| product.checked_mul(it.len()))?;
    if combinations > MOST_TOGETHER {
        return None;
    }
    let mut best: Option<i128> = None;
    for combination in 0..combinations {
        let mut rest = combination;
        let mut picked: Vec<&(Interface, i128)> = Vec::new();
        let mut asked: Vec<&Asked> = Vec::new();
        for options in &all {
            let (priced, asks) = &options[rest % options.len()];
            rest /= options.len();
            picked.push(priced);
            asked.push(asks);
        }
        let least: i128 = picked.iter().map(|it| it.1).sum();
        if best.is_none_or(|best| least < best)
            && let Some(total) = together(problem, month, demands, &picked)
            && best.is_none_or(|best| total < best)
            && is_cool(problem, month, demands, &picked, &asked)
        {
            best = Some(total);
        }
    }
    Some(best)
}

/// Whether every collection that reads tie together bears all that is asked of it.
fn is_cool(
    problem: &Problem,
    month: &MonthlyPrice,
    demands: &[Vec<Demand>],
    picked: &[&(Interface, i128)],
    asked: &[&Asked],
) -> bool {
    let mut group: BTreeMap<(usize, Option<usize>), usize> = BTreeMap::new();
    for (read, facts) in shared_reads(problem) {
        let here: Vec<(usize, Option<usize>)> =
            places(facts, read, demands, picked).iter().map(|(entity, place)| (*entity, place.0)).collect();
        for it in &here {
            let number = group.len();
            group.entry(*it).or_insert(number);
        }
        for it in &here {
            let (from, to) = (group[it], group[&here[0]]);
            group.values_mut().filter(|it| **it == from).for_each(|it| *it = to);
        }
    }
    let mut loads: BTreeMap<usize, (usize, Load)> = BTreeMap::new();
    let at = |place: Option<usize>| place.map_or(0, |at| 1 + at);
    for ((entity, place), number) in &group {
        let (members, load) = loads.entry(*number).or_default();
        *members += 1;
        load.add(asked[*entity][at(*place)].1);
    }
    for (read, facts) in shared_reads(problem) {
        let parts = places(facts, read, demands, picked);
        let bytes: Vec<u64> = parts.iter().map(|part| part.1.1).collect();
        let (head, place) = (parts[0].0, parts[0].1.0);
        let half = multi_price(month, facts, &problem.entities, &bytes).half_units_per_partition;
        let share = hottest_share(&problem.entities[head], asked[head][at(place)].0, false);
        let (_, load) = loads.entry(group[&(head, place)]).or_default();
        load.add_reads(facts.peak, half, share);
    }
    loads.values().all(|(members, load)| *members == 1 || bears(*load))
}

/// A random problem with reads of several entities that is asked for much more at its peak than on the mean.
fn busy(seed: u64) -> Problem {
    let mut problem = random::problem(seed);
    let mut dice = Dice(seed);
    let mut busier = |peak: &mut Rate| {
        let times = dice.pick(&[1u64, 30, 100, 300, 1_000, 5_000]);
        *peak = Rate::from_nano(peak.nano().saturating_mul(times));
    };
    problem.reads.iter_mut().for_each(|read| busier(&mut read.peak));
    problem.writes.iter_mut().for_each(|write| busier(&mut write.peak));
    problem
}

#[test]
fn what_is_too_hot_together_is_parted_at_the_least_price() {
    let table = PriceTable::us_east_1();
    let (mut compared, mut parted, mut none) = (0, 0, 0);
    for seed in 0..6_000 {
        let problem = busy(seed);
        if shared_reads(&problem).next().is_none() {
            continue;
        }
        let operational =
            if seed % 3 == 0 { OperationalPrices::zero() } else { OperationalPrices::default() };
        let month = MonthlyPrice { table: table.clone(), operational };
        let Some(found) = cool_price(&problem, &month) else { continue };
        // What heat does not part is compared elsewhere, a thousand times.
        if !found.parted {
            continue;
        }
        let Some(naive) = cheapest(&problem, &month, &demands(&problem)) else { continue };
        assert_eq!(found.total, naive, "seed {seed}: {problem:#?}");
        assert_eq!(found.total, found.bound, "seed {seed}: nothing is left open");
        compared += 1;
        parted += usize::from(naive.is_some());
        none += usize::from(naive.is_none());
    }
    assert!(parted > 20 && none > 0, "{compared} compared, {parted} parted, {none} impossible");
}

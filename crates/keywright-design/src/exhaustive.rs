//! An exhaustive enumerator that builds its own candidates, to test the search against. It shares nothing with it
//! but the price of a finished layout.
//!
//! Paths are all subsets of attributes as partition and all sequences of others as sort key; every demand may use
//! every path that fits it; every combination is priced; entities are joined by trying all combinations of them.

use std::collections::{BTreeMap, BTreeSet};

use keywright_model::Style;

use crate::candidate::{Candidates, IndexCandidate};
use crate::cost::{Cost, MonthlyPrice, OperationalPrices, multi_price};
use crate::demand::{Demand, Source, demands};
use crate::path::{Path, Projection, Segment};
use crate::problem::{Attr, Attrs, EntityFacts, Problem};
use crate::search::{Choice, EntityTask, Layout, Stop, choices, evaluate, solve};

mod random;

/// Every path over the attributes that the demands mention, and over the identity.
fn all_paths(entity: &EntityFacts, demands: &[Demand], in_table: bool) -> Vec<Path> {
    let mut attrs: Attrs = entity.identity_set();
    for demand in demands {
        attrs = attrs.union(demand.part.mentions());
    }
    for link in &entity.parents {
        attrs = attrs.union(link.via_set());
    }
    let attrs: Vec<Attr> = attrs.iter().collect();
    // A partition is what some demands all give, or (in the table) what identifies an item or its parent.
    let mut partitions: BTreeSet<Attrs> = BTreeSet::new();
    if in_table {
        partitions.insert(entity.identity_set());
        partitions.extend(entity.parents.iter().map(|link| link.via_set()));
    }
    let bare = demands.iter().any(|demand| demand.given().is_empty());
    for some in 1u32..1 << demands.len() {
        let chosen = demands.iter().enumerate().filter(|(at, _)| some >> at & 1 == 1);
        let common = chosen.map(|(_, demand)| demand.given()).reduce(Attrs::intersection);
        partitions.extend(common);
    }
    let mut paths = BTreeSet::new();
    for bits in 0u32..1 << attrs.len() {
        let partition: Attrs =
            attrs.iter().enumerate().filter(|(at, _)| bits >> at & 1 == 1).map(|(_, attr)| *attr).collect();
        if !partitions.contains(&partition) || partition.is_empty() && !bare {
            continue;
        }
        let rest: Vec<Attr> = attrs.iter().copied().filter(|attr| !partition.contains(*attr)).collect();
        sequences(&rest, &mut Vec::new(), &mut |sequence| {
            let mut sort: Vec<Segment> = sequence.to_vec();
            for attr in &entity.identity {
                if !partition.contains(*attr) && !sort.iter().any(|it| it.attr == *attr) {
                    sort.push(Segment { attr: *attr, descending: false });
                }
            }
            paths.insert(Path::new(entity, partition, sort));
        });
    }
    paths.into_iter().collect()
}

fn sequences(rest: &[Attr], so_far: &mut Vec<Segment>, visit: &mut dyn FnMut(&[Segment])) {
    visit(so_far);
    for attr in rest {
        if so_far.iter().any(|segment| segment.attr == *attr) {
            continue;
        }
        so_far.push(Segment { attr: *attr, descending: false });
        sequences(rest, so_far, visit);
        so_far.pop();
    }
}

/// Paths that serve every demand in the same way, with the same attributes, have the same price: one stands for all.
fn distinct(entity: &EntityFacts, demands: &[Demand], paths: Vec<Path>) -> Vec<Path> {
    let mut seen = Vec::new();
    paths
        .into_iter()
        .filter(|path| {
            let fits: Vec<_> = demands.iter().map(|demand| crate::plan::fit(entity, demand, path)).collect();
            let profile = (fits, path.attrs(), path.partition_set(), path.sort.is_empty());
            let new = !seen.contains(&profile);
            if new {
                seen.push(profile);
            }
            new
        })
        .collect()
}

/// Every base placement and every index, naively.
fn all_candidates(problem: &Problem, entity: usize, demands: &[Demand]) -> Candidates {
    let facts = &problem.entities[entity];
    let identity = facts.identity_set();
    let paths = distinct(facts, demands, all_paths(facts, demands, false));
    let everything: Attrs = (0..facts.attributes.len()).map(Attr::new).collect();
    // What a demand returns, and whatever it might filter by; of two demands, both.
    let mut lists: BTreeSet<Attrs> = BTreeSet::new();
    for demand in demands.iter().filter(|it| it.part.returns != everything && !it.part.returns.is_empty()) {
        let asked: Vec<Attr> = demand.given().iter().collect();
        for some in 0u32..1 << asked.len() {
            let filtered =
                asked.iter().enumerate().filter(|(at, _)| some >> at & 1 == 1).map(|(_, attr)| *attr);
            lists.insert(demand.part.returns.union(filtered.collect()));
        }
    }
    let pairs: Vec<Attrs> =
        lists.iter().flat_map(|one| lists.iter().map(|other| one.union(*other))).collect();
    lists.extend(pairs);
    lists.remove(&everything);
    let bases = distinct(facts, demands, all_paths(facts, demands, true))
        .into_iter()
        .filter(|path| {
            let attrs = path.attrs();
            identity.is_subset(attrs)
                && (facts.generated || attrs == identity)
                && attrs
                    .iter()
                    .all(|attr| !facts.attribute(attr).optional && facts.at_creation.contains(attr))
        })
        .collect();
    let mut projections = vec![Projection::All, Projection::Keys];
    projections.extend(lists.into_iter().map(Projection::Include));
    let indexes = paths
        .iter()
        .flat_map(|path| {
            projections
                .iter()
                .map(|projection| IndexCandidate { path: path.clone(), projection: *projection })
        })
        .collect();
    Candidates { bases, indexes, kept: 0 }
}

/// What joining entities needs to know of a layout: places of shared reads and indexes of each kind.
type Interface = (Vec<(Option<usize>, u64, bool)>, [usize; 3]);

/// The cheapest price for every interface, over all layouts.
fn interfaces(task: &EntityTask<'_>) -> BTreeMap<Interface, i128> {
    let mut best = BTreeMap::new();
    for base in 0..task.candidates.bases.len() {
        let ways: Vec<Vec<Choice>> = task.demands.iter().map(|demand| choices(task, base, demand)).collect();
        let mut chosen = Vec::new();
        every(&ways, &mut chosen, &mut |chosen| {
            let Some(layout) = evaluate(task, base, chosen) else { return };
            let total = layout.cost.total();
            best.entry(interface(&layout)).and_modify(|it: &mut i128| *it = total.min(*it)).or_insert(total);
        });
    }
    best
}

fn interface(layout: &Layout) -> Interface {
    (layout.shared.iter().map(|it| (it.kind, it.bytes, it.client_sort)).collect(), layout.counts)
}

fn every(ways: &[Vec<Choice>], chosen: &mut Vec<Choice>, visit: &mut dyn FnMut(&[Choice])) {
    let Some((first, rest)) = ways.split_first() else { return visit(chosen) };
    for way in first {
        chosen.push(way.clone());
        every(rest, chosen, visit);
        chosen.pop();
    }
}

/// The cheapest price over all combinations of interfaces.
fn cheapest(problem: &Problem, month: &MonthlyPrice, tasks: &[EntityTask<'_>]) -> Option<i128> {
    let all: Vec<Vec<(Interface, i128)>> =
        tasks.iter().map(|task| interfaces(task).into_iter().collect()).collect();
    let mut best = None;
    let mut picked: Vec<&(Interface, i128)> = Vec::new();
    combine(problem, month, tasks, &all, &mut picked, &mut best);
    best
}

fn combine<'a>(
    problem: &Problem,
    month: &MonthlyPrice,
    tasks: &[EntityTask<'_>],
    all: &'a [Vec<(Interface, i128)>],
    picked: &mut Vec<&'a (Interface, i128)>,
    best: &mut Option<i128>,
) {
    if picked.len() < all.len() {
        for option in &all[picked.len()] {
            picked.push(option);
            combine(problem, month, tasks, all, picked, best);
            picked.pop();
        }
        return;
    }
    let mut total: i128 = picked.iter().map(|(_, price)| price).sum();
    for (read, facts) in problem.reads.iter().enumerate().filter(|(_, facts)| facts.parts.len() > 1) {
        let places: Vec<(Option<usize>, u64, bool)> = facts
            .parts
            .iter()
            .enumerate()
            .map(|(part, asked)| {
                let shared = tasks[asked.entity].demands.iter().filter(|demand| demand.is_shared());
                let at = shared.clone().position(|demand| demand.source == Source::Shared { read, part });
                picked[asked.entity].0.0[at.expect("a demand of its own")]
            })
            .collect();
        if places.iter().any(|place| place.0 != places[0].0) {
            return;
        }
        let bytes: Vec<u64> = places.iter().map(|place| place.1).collect();
        let awkward = places.iter().any(|place| place.2);
        let mut cost = multi_price(month, facts, &problem.entities, &bytes).cost;
        if awkward {
            cost += Cost::operational(month.operational.awkward_pattern);
        }
        total += cost.total();
    }
    let indexes: usize =
        (0..3).map(|kind| picked.iter().map(|((_, counts), _)| counts[kind]).max().unwrap_or(0)).sum();
    total += month.operational.index.pico() * indexes as i128;
    if best.is_none_or(|best| total < best) {
        *best = Some(total);
    }
}

/// More combinations than this are left to other seeds: the enumerator tries every one.
const MOST_COMBINATIONS: usize = 20_000;

fn combinations(task: &EntityTask<'_>) -> usize {
    (0..task.candidates.bases.len())
        .map(|base| task.demands.iter().map(|demand| choices(task, base, demand).len()).product::<usize>())
        .sum()
}

#[test]
fn the_search_finds_the_same_price_on_a_thousand_random_models() {
    let mut compared = 0;
    let mut served = 0;
    for seed in 0.. {
        if compared == 1_000 {
            break;
        }
        let problem = random::problem(seed);
        let operational =
            if seed % 3 == 0 { OperationalPrices::zero() } else { OperationalPrices::default() };
        let month = MonthlyPrice { table: keywright_dynamodb::price::PriceTable::us_east_1(), operational };
        let demands = demands(&problem);
        let found = {
            let candidates: Vec<Candidates> = demands
                .iter()
                .enumerate()
                .map(|(entity, demands)| crate::candidate::candidates(&problem, entity, demands))
                .collect();
            let tasks = tasks(&problem, &month, &demands, &candidates);
            solve(&problem, &month, &tasks, Stop::default(), false).ok().map(|answer| answer.cost.total())
        };
        let Some(naive) = ({
            let candidates: Vec<Candidates> = demands
                .iter()
                .enumerate()
                .map(|(entity, demands)| all_candidates(&problem, entity, demands))
                .collect();
            let tasks = tasks(&problem, &month, &demands, &candidates);
            let few = tasks.iter().map(combinations).sum::<usize>() <= MOST_COMBINATIONS;
            few.then(|| cheapest(&problem, &month, &tasks))
        }) else {
            continue;
        };
        assert_eq!(found, naive, "seed {seed}: {problem:#?}");
        compared += 1;
        served += usize::from(found.is_some());
    }
    // A comparison of nothing with nothing proves nothing.
    assert!(served > 700, "{served}");
}

fn tasks<'p>(
    problem: &'p Problem,
    month: &'p MonthlyPrice,
    demands: &'p [Vec<Demand>],
    candidates: &'p [Candidates],
) -> Vec<EntityTask<'p>> {
    demands
        .iter()
        .zip(candidates)
        .enumerate()
        .map(|(entity, (demands, candidates))| {
            EntityTask::new(problem, month, Style::Overloaded, entity, demands, candidates)
        })
        .collect()
}

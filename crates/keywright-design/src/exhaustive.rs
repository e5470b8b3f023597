//! An exhaustive enumerator, to test the search against. It shares with it the problem, the demands and the cost
//! function, and nothing else: it has its own candidates, its own notion of what a Query can serve, its own arrangement
//! of blocks, its own sharing of GSIs, and no bound.
//!
//! Every demand is served in every way, every combination is priced, and entities are joined by trying all combinations
//! of what they can be.

mod heated;
mod naive;
mod price;
mod program;
pub(crate) mod random;
mod rewritten;

use std::collections::BTreeMap;

use keywright_model::Style;

use crate::candidate::{Candidates, IndexCandidate};
use crate::cost::{MonthlyPrice, OperationalPrices, multi_price};
use crate::demand::{Demand, Source, demands};
use crate::form::{Form, Forms};
use crate::path::Projection;
use crate::problem::{Problem, ReadFacts, ReadPart};
use crate::search::{Answer, Choice, EntityTask, Stop, Wanted, solve};
use naive::{Place, Way};
use price::Laid;

/// Where a part of a shared read lies: the kind of index, the bytes of an item there, whether the caller sorts.
type PartPlace = (Option<usize>, u64, bool);

/// What the others need to know of an entity: parts of shared reads (in the table, or in which of its indexes), and
/// the projections of its indexes.
type Interface = (Vec<PartPlace>, Vec<Projection>);

/// Keys are strings under names that say nothing.
const GENERIC: Forms = Forms { base: Form::Generic, index: Form::Generic };

/// More combinations than this are left to other seeds: the enumerator tries every one.
const MOST_COMBINATIONS: usize = 3_000;

/// The cheapest price for every interface of an entity; none where there are too many combinations.
fn interfaces(
    problem: &Problem,
    month: &MonthlyPrice,
    entity: usize,
    demands: &[Demand],
    budget: &mut usize,
) -> Option<BTreeMap<Interface, i128>> {
    let mut best: BTreeMap<Interface, i128> = BTreeMap::new();
    each_layout(problem, month, entity, demands, budget, &mut |interface, laid| {
        let least = best.entry(interface).or_insert(laid.price);
        *least = laid.price.min(*least);
    })?;
    Some(best)
}

/// Shows every layout of an entity, with its interface; none where there are too many combinations.
fn each_layout(
    problem: &Problem,
    month: &MonthlyPrice,
    entity: usize,
    demands: &[Demand],
    budget: &mut usize,
    show: &mut dyn FnMut(Interface, Laid),
) -> Option<()> {
    let facts = &problem.entities[entity];
    let indexes: Vec<Place> = naive::indexes(problem, entity, demands);
    for table in naive::tables(problem, entity, demands) {
        let ways: Vec<Vec<Way>> =
            demands.iter().map(|demand| naive::ways(facts, demand, &table, &indexes)).collect();
        let combinations = ways.iter().try_fold(1usize, |all, ways| all.checked_mul(ways.len()))?;
        *budget = budget.checked_sub(combinations)?;
        for combination in 0..combinations {
            let mut rest = combination;
            let chosen: Vec<&Way> = ways
                .iter()
                .map(|ways| {
                    let way = &ways[rest % ways.len()];
                    rest /= ways.len();
                    way
                })
                .collect();
            let laid = price::laid(problem, month, entity, demands, &table, &indexes, &chosen);
            let Some(laid) = laid else { continue };
            let local = |at: usize| laid.open.iter().position(|it| *it == at);
            let parts = laid.parts.iter().map(|part| (part.0.and_then(local), part.1, part.2)).collect();
            let open =
                laid.open.iter().map(|at| indexes[*at].projection.unwrap_or(Projection::All)).collect();
            show((parts, open), laid);
        }
    }
    Some(())
}

/// Leaves out interfaces that another one equals with fewer indexes or for less.
fn worth_trying(all: BTreeMap<Interface, i128>) -> Vec<(Interface, i128)> {
    let all: Vec<(Interface, i128)> = all.into_iter().collect();
    let within = |few: &[Projection], many: &[Projection]| {
        let mut many = many.to_vec();
        few.iter().all(|it| many.iter().position(|other| other == it).map(|at| many.remove(at)).is_some())
    };
    let beaten = |at: usize| {
        let ((parts, open), price) = &all[at];
        let tied = parts.iter().any(|part| part.0.is_some());
        all.iter().enumerate().any(|(other, ((other_parts, other_open), other_price))| {
            !tied
                && other != at
                && other_parts == parts
                && within(other_open, open)
                && (*other_price < *price || *other_price == *price && other < at)
        })
    };
    (0..all.len()).filter(|at| !beaten(*at)).map(|at| all[at].clone()).collect()
}

/// The cheapest price over all combinations of interfaces; the outer none where there are too many.
fn cheapest(problem: &Problem, month: &MonthlyPrice, demands: &[Vec<Demand>]) -> Option<Option<i128>> {
    let mut budget = MOST_COMBINATIONS;
    let mut all: Vec<Vec<(Interface, i128)>> = Vec::new();
    for (entity, demands) in demands.iter().enumerate() {
        all.push(worth_trying(interfaces(problem, month, entity, demands, &mut budget)?));
    }
    let combinations = all.iter().try_fold(1usize, |product, it| product.checked_mul(it.len()))?;
    if combinations > 20 * MOST_COMBINATIONS {
        return None;
    }
    let mut best: Option<i128> = None;
    for combination in 0..combinations {
        let mut rest = combination;
        let picked: Vec<&(Interface, i128)> = all
            .iter()
            .map(|options| {
                let option = &options[rest % options.len()];
                rest /= options.len();
                option
            })
            .collect();
        let least: i128 = picked.iter().map(|it| it.1).sum();
        if best.is_some_and(|best| least >= best) {
            continue;
        }
        if let Some(total) = together(problem, month, demands, &picked)
            && best.is_none_or(|best| total < best)
        {
            best = Some(total);
        }
    }
    Some(best)
}

/// The price of these interfaces together, with shared reads and GSIs.
fn together(
    problem: &Problem,
    month: &MonthlyPrice,
    demands: &[Vec<Demand>],
    picked: &[&(Interface, i128)],
) -> Option<i128> {
    let mut total: i128 = picked.iter().map(|it| it.1).sum();
    for (read, facts) in shared_reads(problem) {
        let places = places(facts, read, demands, picked);
        let bytes: Vec<u64> = places.iter().map(|place| place.1.1).collect();
        if !drops_little(problem, facts, &bytes) {
            return None;
        }
        total += multi_price(month, facts, &problem.entities, &bytes).cost.total();
        if places.iter().any(|place| place.1.2) {
            total += month.operational.awkward_pattern.pico();
        }
    }
    let indexes = fewest_indexes(problem, &grouped(problem, demands, picked)?)?;
    (indexes <= 20).then_some(total + month.operational.index.pico() * indexes as i128)
}

/// Whether what is read of a list and dropped is bounded by stated maxima.
fn drops_little(problem: &Problem, facts: &ReadFacts, bytes: &[u64]) -> bool {
    let most = |(part, bytes): (&ReadPart, &u64)| {
        let links = &problem.entities[part.entity].parents;
        let stated = links.iter().filter(|link| link.via.iter().all(|attr| part.eq().contains(*attr)));
        Some(stated.filter_map(|link| link.max).min()? * bytes)
    };
    let all: Option<Vec<u64>> = facts.parts.iter().zip(bytes).map(most).collect();
    facts.wanted.is_none() || all.is_some_and(|all| all.iter().sum::<u64>() <= keywright_dynamodb::limits::MB)
}

fn shared_reads(problem: &Problem) -> impl Iterator<Item = (usize, &ReadFacts)> {
    problem.reads.iter().enumerate().filter(|(_, facts)| facts.parts.len() > 1)
}

/// Where each part of a shared read lies, with its entity.
fn places(
    facts: &ReadFacts,
    read: usize,
    demands: &[Vec<Demand>],
    picked: &[&(Interface, i128)],
) -> Vec<(usize, PartPlace)> {
    facts
        .parts
        .iter()
        .enumerate()
        .map(|(part, asked)| {
            let mut shared =
                demands[asked.entity].iter().filter(|it| matches!(it.source, Source::Shared { .. }));
            let at = shared.position(|it| it.source == Source::Shared { read, part });
            (asked.entity, picked[asked.entity].0.0[at.expect("a demand of its own")])
        })
        .collect()
}

/// The logical indexes of these interfaces, those together that a shared read wants in one GSI; none where it wants parts
/// together that lie in places of different kinds.
fn grouped(
    problem: &Problem,
    demands: &[Vec<Demand>],
    picked: &[&(Interface, i128)],
) -> Option<Vec<Vec<(usize, Projection)>>> {
    // Every logical index, and the number of its group.
    let mut group: BTreeMap<(usize, usize), usize> = BTreeMap::new();
    for (entity, ((_, open), _)) in picked.iter().enumerate() {
        for at in 0..open.len() {
            let number = group.len();
            group.insert((entity, at), number);
        }
    }
    for (read, facts) in shared_reads(problem) {
        let places = places(facts, read, demands, picked);
        let kind = |(entity, part): &(usize, PartPlace)| {
            part.0.map(|at| std::mem::discriminant(&picked[*entity].0.1[at]))
        };
        if places.iter().any(|place| kind(place) != kind(&places[0])) {
            return None;
        }
        for pair in places.windows(2) {
            if let (Some(one), Some(other)) = (pair[0].1.0, pair[1].1.0) {
                let (from, to) = (group[&(pair[0].0, one)], group[&(pair[1].0, other)]);
                group.values_mut().filter(|it| **it == from).for_each(|it| *it = to);
            }
        }
    }
    let mut groups: BTreeMap<usize, Vec<(usize, Projection)>> = BTreeMap::new();
    for ((entity, at), number) in &group {
        groups.entry(*number).or_default().push((*entity, picked[*entity].0.1[*at]));
    }
    Some(groups.into_values().collect())
}

/// The fewest GSIs that hold all groups: every way to part them is tried.
fn fewest_indexes(problem: &Problem, groups: &[Vec<(usize, Projection)>]) -> Option<usize> {
    fn fill(
        problem: &Problem,
        groups: &[Vec<(usize, Projection)>],
        indexes: &mut Vec<Vec<(usize, Projection)>>,
        best: &mut Option<usize>,
    ) {
        if best.is_some_and(|best| indexes.len() >= best) {
            return;
        }
        let Some((first, rest)) = groups.split_first() else {
            *best = Some(indexes.len());
            return;
        };
        for at in 0..=indexes.len() {
            if at == indexes.len() {
                indexes.push(Vec::new());
            }
            let before = indexes[at].len();
            indexes[at].extend(first.iter().copied());
            if can_be_one(problem, &indexes[at]) {
                fill(problem, rest, indexes, best);
            }
            indexes[at].truncate(before);
            if indexes[at].is_empty() {
                indexes.pop();
            }
        }
    }
    let mut best = None;
    fill(problem, groups, &mut Vec::new(), &mut best);
    best
}

/// Whether these logical indexes can be one GSI: one entry per item, one kind of projection, and a list of names that
/// adds nothing to anybody's entry.
fn can_be_one(problem: &Problem, members: &[(usize, Projection)]) -> bool {
    let twice = members.iter().enumerate().any(|(at, it)| members[..at].iter().any(|other| other.0 == it.0));
    let kinds =
        members.iter().any(|it| std::mem::discriminant(&it.1) != std::mem::discriminant(&members[0].1));
    let names: Vec<String> = members
        .iter()
        .flat_map(|(entity, projection)| match projection {
            Projection::Include(list) => problem.entities[*entity].names(list.iter()),
            _ => Vec::new(),
        })
        .collect();
    let widened = members.iter().any(|(entity, projection)| match projection {
        Projection::Include(list) => {
            let facts = &problem.entities[*entity];
            names.iter().any(|name| facts.named(name).is_some_and(|attr| !list.contains(attr)))
        }
        _ => false,
    });
    !twice && !kinds && !widened
}

/// What the search finds.
struct Searched {
    price: i128,
    /// Some read asks for combinations of values.
    combined: bool,
    /// Some entries are there for a constant and for an attribute that items may lack.
    doubly_sparse: bool,
    /// Some index lists all attributes.
    whole_list: bool,
}

/// Whether a projection lists all attributes of an entity.
fn is_whole(projection: Projection) -> bool {
    matches!(projection, Projection::Include(list) if list.iter().count() == random::ATTRIBUTES)
}

fn searched(problem: &Problem, month: &MonthlyPrice, demands: &[Vec<Demand>]) -> Option<Searched> {
    let answer = searched_among(problem, month, demands, |_| true)?;
    assert_eq!(answer.proof.lower_bound, answer.cost.total(), "a search without limits proves what it found");
    let services = answer.layouts.iter().flat_map(|layout| &layout.services);
    let mut fits = services.filter_map(|service| match &service.choice {
        Choice::Base(fit) | Choice::Index(_, fit) => Some(fit),
        Choice::NotNeeded | Choice::Unique(_) => None,
    });
    let doubly_sparse = answer.layouts.iter().enumerate().any(|(entity, layout)| {
        let facts = &problem.entities[entity];
        let all = crate::candidate::candidates(problem, entity, &demands[entity]).indexes;
        let mut paths = layout.indexes.iter().map(|index| &all[*index].path);
        paths.any(|path| path.only.is_some() && path.attrs().iter().any(|it| facts.attribute(it).optional))
    });
    // All entities have attributes of the same names, so that no table has too many in its lists.
    assert!(answer.counts[2] * (1 + random::ATTRIBUTES) <= keywright_dynamodb::limits::PROJECTED_ATTRIBUTES);
    Some(Searched {
        whole_list: answer.groups.iter().flat_map(|group| &group.projections).any(|it| is_whole(*it)),
        price: answer.cost.total(),
        combined: fits.any(|fit| fit.scatter.len() > 1),
        doubly_sparse,
    })
}

/// What the search finds with some of the index candidates only.
fn searched_among(
    problem: &Problem,
    month: &MonthlyPrice,
    demands: &[Vec<Demand>],
    kept: impl Fn(&IndexCandidate) -> bool,
) -> Option<Answer> {
    let candidates: Vec<Candidates> = demands
        .iter()
        .enumerate()
        .map(|(entity, demands)| {
            let mut all = crate::candidate::candidates(problem, entity, demands);
            all.indexes.retain(&kept);
            all
        })
        .collect();
    let tasks: Vec<EntityTask<'_>> = demands
        .iter()
        .zip(&candidates)
        .enumerate()
        .map(|(entity, (demands, candidates))| {
            EntityTask::new(problem, month, Style::Overloaded, GENERIC, entity, demands, candidates)
        })
        .collect();
    solve(problem, month, &tasks, Stop::default(), Wanted::default()).ok()
}

#[test]
fn the_search_finds_the_same_price_on_a_thousand_random_models() {
    let (mut compared, mut served, mut large, mut combined, mut sparse, mut whole) = (0, 0, 0, 0, 0, 0);
    let mut seen = random::Seen::default();
    let asked = random::asked_for();
    for seed in asked.clone().unwrap_or(0..u64::MAX) {
        if compared == 1_000 && asked.is_none() {
            break;
        }
        let problem = random::problem(seed);
        let operational =
            if seed % 3 == 0 { OperationalPrices::zero() } else { OperationalPrices::default() };
        let month = MonthlyPrice { table: keywright_dynamodb::price::PriceTable::us_east_1(), operational };
        let demands = demands(&problem, keywright_model::Style::Overloaded, None);
        let Some(naive) = cheapest(&problem, &month, &demands) else { continue };
        let found = searched(&problem, &month, &demands);
        assert_eq!(found.as_ref().map(|it| it.price), naive, "seed {seed}: {problem:#?}");
        compared += 1;
        served += usize::from(found.is_some());
        combined += usize::from(found.as_ref().is_some_and(|it| it.combined));
        sparse += usize::from(found.as_ref().is_some_and(|it| it.doubly_sparse));
        whole += usize::from(found.as_ref().is_some_and(|it| it.whole_list));
        large += usize::from(problem.entities.len() == 4 && problem.reads.len() + problem.writes.len() == 8);
        seen.note(&problem);
    }
    if asked.is_some() {
        return;
    }
    // A comparison of nothing with nothing proves nothing.
    assert!(served > 600 && large > 10, "{served} served, {large} of full size");
    assert!(combined > 3, "in {combined} a read asks for combinations of two enumerations");
    assert!(sparse > 3, "in {sparse} entries are there for a constant and an optional attribute");
    assert!(whole > 3, "in {whole} an index lists all attributes");
    seen.assert_everything();
}

/// The seeds below a number for which a search among some candidates finds another price than the enumerator.
fn noticed(below: u64, kept: impl Fn(&IndexCandidate) -> bool + Copy) -> impl Iterator<Item = u64> {
    let table = keywright_dynamodb::price::PriceTable::us_east_1();
    let month = MonthlyPrice { table, operational: OperationalPrices::default() };
    let differs = move |seed: &u64| {
        let problem = random::problem(*seed);
        let demands = demands(&problem, keywright_model::Style::Overloaded, None);
        let found = searched_among(&problem, &month, &demands, kept).map(|answer| answer.cost.total());
        cheapest(&problem, &month, &demands).is_some_and(|naive| naive != found)
    };
    (0..below).filter(differs)
}

#[test]
fn a_dropped_candidate_is_noticed() {
    assert_eq!(noticed(60, |_| true).next(), None);
    for kind in [0, 1] {
        let missed = noticed(120, |index| index.projection.kind() != kind).next();
        assert!(missed.is_some(), "nobody missed the projections of kind {kind}");
    }
    let missed = noticed(400, |index| !index.path.attrs().iter().any(random::is_month)).next();
    assert!(missed.is_some(), "nobody missed the months in keys");
    let missed = noticed(400, |index| !is_whole(index.projection)).next();
    assert!(missed.is_some(), "nobody missed the lists of all attributes");
}

#[test]
fn a_wrong_bound_is_noticed() {
    crate::search::EXAGGERATION.set(50);
    let seen = noticed(120, |_| true).next();
    crate::search::EXAGGERATION.set(1);
    assert!(seen.is_some(), "a bound that is far too high changed nothing");
}

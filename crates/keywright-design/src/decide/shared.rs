//! Reads of several entities: where and in which order they run, where else they could, and what one Query for all is worth.

use keywright_dynamodb::Money;
use keywright_dynamodb::units::Units;
use keywright_model::design::{Alternative, Decision, Subject};

use super::neighbours::Neighbour;
use super::turn::IF_ALONE;
use super::{Decided, Lost, MOST_ALTERNATIVES, turn, words};
use crate::cost::{ReadPrice, multi_price};
use crate::demand::Source;
use crate::emit::Context;
use crate::problem::ReadFacts;
use crate::search::{Counts, SharedPlace, shared_price_at};

/// A way to lay out one entity of a shared read, seen from the read.
pub(super) struct Way {
    place: SharedPlace,
    /// How much more the entity costs by itself.
    more: i128,
    counts: Counts,
    /// The primary key that it would have instead.
    key: Option<String>,
}

/// The ways in which an entity can take part in its shared reads: as it is laid out, and as it could be.
pub(super) fn ways(
    context: &Context<'_>,
    entity: usize,
    near: &[Neighbour],
) -> Vec<(usize, usize, Vec<Way>)> {
    let task = &context.tasks[entity];
    let layout = context.layout(entity);
    let shared = task.demands.iter().enumerate().filter(|(_, demand)| demand.is_shared());
    let of = |(place, (at, demand)): (usize, (usize, &crate::demand::Demand))| {
        let Source::Shared { read, part } = demand.source else { return None };
        let now = Way { place: layout.shared[place], more: 0, counts: layout.counts, key: None };
        let others =
            near.iter().filter(|it| it.demand().is_none_or(|(demand, _)| demand == at)).map(|it| Way {
                place: it.layout.shared[place],
                more: it.layout.cost.total() - layout.cost.total(),
                counts: it.layout.counts,
                key: it
                    .demand()
                    .is_none()
                    .then(|| words::path(task.facts(), &task.candidates.bases[it.layout.base])),
            });
        Some((read, part, std::iter::once(now).chain(others).collect()))
    };
    shared.enumerate().filter_map(of).collect()
}

/// The decision on a read of several entities. `ways` has those of each part, `law` what it costs a month that all such reads
/// are one Query each, where that was reckoned.
pub(super) fn on_read(context: &Context<'_>, read: usize, ways: &[Vec<Way>], law: Option<Money>) -> Decided {
    let facts = &context.problem.reads[read];
    let now: Vec<&Way> = ways.iter().map(|it| &it[0]).collect();
    let chosen = price(context, facts, &now).unwrap_or_default();
    let mut lost: Vec<Lost> = elsewhere(ways)
        .into_iter()
        .filter_map(|other| {
            let price = price(context, facts, &other)?;
            let more: i128 = other.iter().map(|way| way.more).sum();
            let extra = more + price.cost.total() - chosen.cost.total() + indexes(context, facts, &other);
            Some(Lost { words: in_words(context, facts, &other), extra: extra.max(0), price })
        })
        .collect();
    lost.sort_by(|one, other| (one.extra, &one.words).cmp(&(other.extra, &other.words)));
    lost.dedup_by(|one, other| one.words == other.words);
    let task = &context.tasks[facts.parts[0].entity];
    let turn = lost.iter().find_map(|it| turn(task.month, facts, &chosen, it));
    let dearer = !lost.is_empty() && lost.iter().all(|it| it.extra > 0);
    let mut alternatives: Vec<Alternative> =
        lost.iter().take(MOST_ALTERNATIVES).map(Lost::alternative).collect();
    alternatives.push(apart(context, facts, &now, law));
    let sorted = match now.iter().any(|way| way.place.client_sort) && facts.wanted.is_none() {
        true => "; its keys follow the order of another read, so the caller sorts the result",
        false => "",
    };
    let decision = Decision {
        subject: Subject::Pattern(facts.id.clone()),
        chosen: in_words(context, facts, &now),
        reason: format!(
            "{}; {}{sorted}",
            words::reason(&chosen, !lost.is_empty()),
            why_together(context, facts)
        ),
        alternatives,
        turning_point: dearer.then(|| format!("No read rate makes another place cheaper{IF_ALONE}")),
    };
    Decided::new(decision, turn)
}

/// Every other place that all parts can lie in, and the same place in key order: of each part what costs least.
fn elsewhere<'w>(ways: &'w [Vec<Way>]) -> Vec<Vec<&'w Way>> {
    let mut places: Vec<(Option<usize>, Option<usize>)> =
        ways.iter().flatten().map(|way| (way.place.kind, way.place.gsi)).collect();
    places.sort_unstable();
    places.dedup();
    let mut found = Vec::new();
    for place in places {
        for sorted in [false, true] {
            let fits =
                |way: &&Way| (way.place.kind, way.place.gsi) == place && (sorted || !way.place.client_sort);
            let least = |some: &'w Vec<Way>| some.iter().filter(fits).min_by_key(|way| way.more);
            let Some(other) = ways.iter().map(least).collect::<Option<Vec<&Way>>>() else { continue };
            let is_chosen = other.iter().zip(ways).all(|(way, some)| std::ptr::eq(*way, &some[0]));
            if !is_chosen {
                found.push(other);
            }
        }
    }
    found
}

/// What the read costs there, if it can run there at all.
fn price(context: &Context<'_>, facts: &ReadFacts, ways: &[&Way]) -> Option<ReadPrice> {
    let places: Vec<SharedPlace> = ways.iter().map(|way| way.place).collect();
    let month = context.tasks[facts.parts[0].entity].month;
    shared_price_at(context.problem, month, context.existing, facts, &places)
}

/// What the indexes of the whole would cost more: an index is there for the entity that has most of its kind.
fn indexes(context: &Context<'_>, facts: &ReadFacts, ways: &[&Way]) -> i128 {
    let counts = |entity: usize| {
        let part = facts.parts.iter().position(|part| part.entity == entity);
        part.map_or(context.layout(entity).counts, |part| ways[part].counts)
    };
    let most = |kind: usize| (0..context.problem.entities.len()).map(|entity| counts(entity)[kind]).max();
    let then: usize = (0..3).filter_map(most).sum();
    let now: usize = context.answer.counts.iter().sum();
    let price = context.tasks[facts.parts[0].entity].month.operational.index.pico();
    price * (then as i128 - now as i128)
}

fn in_words(context: &Context<'_>, facts: &ReadFacts, ways: &[&Way]) -> String {
    let place = match (ways[0].place.kind, ways[0].place.gsi) {
        (None, _) => "on the table".to_owned(),
        (Some(_), Some(number)) => format!("on {}", context.index_name(number)),
        (Some(0), None) => "on an index with all attributes".to_owned(),
        (Some(1), None) => "on an index with keys only".to_owned(),
        (Some(_), None) => "on an index with some attributes".to_owned(),
    };
    let what = match facts.wanted.is_some() {
        true => "over a list of several item types, with a filter",
        false => "over a shared collection",
    };
    let ordered = facts.parts.iter().any(|part| !part.order.is_empty());
    let order = match ways.iter().any(|way| way.place.client_sort) {
        true => ", sorted by the caller",
        false if ordered => ", in key order",
        false => "",
    };
    let keys: Vec<String> = facts
        .parts
        .iter()
        .zip(ways)
        .filter_map(|(part, way)| Some((part, way.key.as_ref()?)))
        .map(|(part, key)| format!(", with {key} as primary key of {}", context.entity(part.entity).name))
        .collect();
    format!("one Query {place} {what}{order}{}", keys.concat())
}

/// Why one Query serves several entities.
fn why_together(context: &Context<'_>, facts: &ReadFacts) -> String {
    let together = match facts.interleaved.is_empty() {
        true => "entities that are read together share a partition key".to_owned(),
        false => {
            let names: Vec<&str> =
                facts.interleaved.iter().map(|it| context.entity(*it).name.as_str()).collect();
            format!(
                "{} share one sequence of numbers and are stored in one block in that order",
                names.join(" and ")
            )
        }
    };
    match facts.wanted.is_some() {
        true => format!("{together}; filtering out the others costs less than separate keys"),
        false => together,
    }
}

/// What the law forbids: a Query for each entity.
fn apart(context: &Context<'_>, facts: &ReadFacts, now: &[&Way], law: Option<Money>) -> Alternative {
    let month = context.tasks[facts.parts[0].entity].month;
    let alone = |at: usize| {
        // The others give nothing.
        let bytes: Vec<u64> = now
            .iter()
            .enumerate()
            .map(|(other, way)| if other == at { way.place.bytes } else { 0 })
            .collect();
        multi_price(month, facts, &context.problem.entities, &bytes)
    };
    let each: Vec<ReadPrice> = (0..facts.parts.len()).map(alone).collect();
    let units = Units::halves(each.iter().map(|it| it.half_units).sum());
    let requests: u64 = each.iter().map(|it| it.requests).sum();
    let worth = law.map_or(String::new(), |law| {
        let (verb, amount) = if law < Money::ZERO { ("saves", Money::ZERO - law) } else { ("costs", law) };
        let shared = |read: &&ReadFacts| read.parts.len() > 1 && !read.scan;
        let of = match context.problem.reads.iter().filter(shared).count() {
            1 => String::new(),
            count => format!(" for all {count} such reads"),
        };
        format!("; this rule {verb} {} a month{of}, operational prices included", amount.in_cents())
    });
    let names: Vec<&str> = facts.parts.iter().map(|part| context.entity(part.entity).name.as_str()).collect();
    Alternative {
        choice: format!("a Query for each of {}", names.join(" and ")),
        extra: None,
        reason: format!(
            "a multi-entity read is always one Query: as separate Queries it would take {units} read units \
             in {requests} requests{worth}"
        ),
    }
}

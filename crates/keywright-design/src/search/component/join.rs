//! The cheapest layouts of a component's entities together, with what the reads that they share cost.

use std::sync::Arc;

use super::super::elimination::{Factor, NEVER, minimise};
use super::super::layout::{Layout, SharedPlace};
use super::super::open::Found;
use super::super::task::EntityTask;
use super::{Setting, Unserved};
use crate::cost::{Cost, MonthlyPrice, ReadPrice, multi_price, sifts_little};
use crate::demand::Source;
use crate::existing::Existing;
use crate::problem::{Problem, ReadFacts};

/// A layout for each entity, and the price of each shared read.
type Joined = (Vec<Arc<Layout>>, Vec<(usize, ReadPrice)>);

/// The cheapest layouts, one for each entity, of those that were found.
pub(super) fn cheapest(
    setting: Setting<'_, '_>,
    entities: &[usize],
    reads: &[usize],
    found: &[&Found],
) -> Result<Joined, Unserved> {
    let Setting { problem, month, tasks, .. } = setting;
    let layouts: Vec<Arc<Layout>> = if let [only] = found {
        let best = only.layouts.iter().min_by_key(|it| (it.cost.total(), it.counts.iter().sum::<usize>()));
        vec![Arc::clone(best.ok_or(Unserved::Together)?)]
    } else {
        let domains: Vec<Vec<&Arc<Layout>>> = found.iter().map(|it| interfaces(&it.layouts)).collect();
        if domains.iter().any(Vec::is_empty) {
            return Err(Unserved::Together);
        }
        let sizes: Vec<usize> = domains.iter().map(Vec::len).collect();
        let factors = factors(setting, entities, reads, &domains);
        let (_, picked) = minimise(&sizes, factors).map_err(|_| Unserved::Together)?;
        domains.iter().zip(picked).map(|(domain, at)| Arc::clone(domain[at])).collect()
    };
    let of = |entity: usize| {
        layouts[entities.iter().position(|it| *it == entity).expect("a part's entity is here")].as_ref()
    };
    let shared = reads.iter().map(|read| {
        let price = shared_price(problem, month, tasks, *read, &of);
        (*read, price.expect("the elimination chose possible places"))
    });
    let shared = shared.collect();
    Ok((layouts, shared))
}

/// The cheapest layout for each interface to shared reads.
pub(super) fn interfaces(layouts: &[Arc<Layout>]) -> Vec<&Arc<Layout>> {
    let mut all: Vec<&Arc<Layout>> = layouts.iter().collect();
    all.sort_by(|one, other| {
        (&one.shared, one.cost.total(), one.counts.iter().sum::<usize>()).cmp(&(
            &other.shared,
            other.cost.total(),
            other.counts.iter().sum::<usize>(),
        ))
    });
    all.dedup_by(|one, other| one.shared == other.shared);
    all
}

/// What the layouts of each entity cost alone, and those of several in the reads that they share.
pub(super) fn factors(
    setting: Setting<'_, '_>,
    component: &[usize],
    reads: &[usize],
    domains: &[Vec<&Arc<Layout>>],
) -> Vec<Factor> {
    let Setting { problem, month, tasks, .. } = setting;
    let sizes: Vec<usize> = domains.iter().map(Vec::len).collect();
    let mut factors: Vec<Factor> = domains
        .iter()
        .enumerate()
        .map(|(at, domain)| Factor {
            scope: vec![at],
            table: domain.iter().map(|layout| layout.cost.total()).collect(),
        })
        .collect();
    let variable = |entity: usize| component.iter().position(|it| *it == entity);
    for read in reads {
        let parts = &problem.reads[*read].parts;
        let scope: Vec<usize> = parts
            .iter()
            .map(|part| variable(part.entity).expect("a component has all parts of its reads"))
            .collect();
        let entries: usize = scope.iter().map(|it| sizes[*it]).product();
        let mut table = Vec::with_capacity(entries);
        for entry in 0..entries {
            let mut rest = entry;
            let mut choice = vec![0; sizes.len()];
            for it in scope.iter().rev() {
                choice[*it] = rest % sizes[*it];
                rest /= sizes[*it];
            }
            let of = |entity: usize| {
                let at = variable(entity).expect("the read's parts are in the component");
                domains[at][choice[at]].as_ref()
            };
            let price = shared_price(problem, month, tasks, *read, &of);
            table.push(price.map_or(NEVER, |price| price.cost.total()));
        }
        factors.push(Factor { scope, table });
    }
    factors
}

/// The price of a shared read, if all its parts lie in one place.
fn shared_price<'l>(
    problem: &Problem,
    month: &MonthlyPrice,
    tasks: &[EntityTask<'_>],
    read: usize,
    layout: &dyn Fn(usize) -> &'l Layout,
) -> Option<ReadPrice> {
    let facts = &problem.reads[read];
    let places: Vec<SharedPlace> = facts
        .parts
        .iter()
        .enumerate()
        .map(|(part, asked)| {
            let source = Source::Shared { read, part };
            let at = tasks[asked.entity]
                .demands
                .iter()
                .filter(|it| it.is_shared())
                .position(|it| it.source == source);
            layout(asked.entity).shared[at.expect("every part is a demand")]
        })
        .collect();
    shared_price_at(problem, month, tasks[facts.parts[0].entity].existing, facts, &places)
}

/// The price of a shared read whose parts lie in these places, if they are one.
pub(crate) fn shared_price_at(
    problem: &Problem,
    month: &MonthlyPrice,
    existing: Option<&Existing<'_>>,
    facts: &ReadFacts,
    places: &[SharedPlace],
) -> Option<ReadPrice> {
    if places.iter().any(|place| place.kind != places[0].kind) {
        return None;
    }
    if existing.is_some_and(|existing| !existing.keeps_together(problem, facts, places)) {
        return None;
    }
    let bytes: Vec<u64> = places.iter().map(|place| place.bytes).collect();
    if !sifts_little(facts, &problem.entities, &bytes) {
        return None;
    }
    let mut price = multi_price(month, facts, &problem.entities, &bytes);
    if places.iter().any(|place| place.client_sort) {
        price.awkward = true;
        price.cost += Cost::operational(month.operational.awkward_pattern);
    }
    Some(price)
}

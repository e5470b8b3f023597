//! Decisions: for every choice what lost, by how much, and what it would take to change it.

mod bucket;
mod laws;
mod listed;
mod neighbours;
mod shared;
mod spread;
mod turn;
mod words;
mod write;
mod written;

pub(crate) use laws::in_words as laws_in_words;
pub(crate) use turn::{FASTEST, Turn};

use std::collections::{BTreeMap, BTreeSet};

use keywright_dynamodb::Money;
use keywright_model::design::{Alternative, Decision, Design, Operation, Subject};

use crate::cost::{MonthlyPrice, ReadPrice};
use crate::demand::{Demand, Source};
use crate::emit::{Context, Place};
use crate::problem::ReadFacts;
use crate::search::{Answer, Choice, least_indexes};
use crate::threads;
use neighbours::{Neighbour, Others, neighbours};

/// So many of the alternatives that lost are named.
const MOST_ALTERNATIVES: usize = 3;

/// Fewer entities than this are decided on faster by one thread.
const WORTH_THREADS: usize = 32;

/// A decision on a pattern, and the rate that would change it.
struct Decided {
    decision: Decision,
    turn: Option<Turn>,
}

impl Decided {
    fn new(decision: Decision, turn: Option<Turn>) -> Self {
        let said = turn.as_ref().and_then(Turn::estimated);
        Decided { decision: Decision { turning_point: said.or(decision.turning_point), ..decision }, turn }
    }
}

/// Every decision of a design: on the whole, on indexes, item types and patterns; and the rates that would change those on
/// patterns. `law` is what it costs a month that reads of several entities are one Query each, where that was reckoned.
pub(crate) fn decisions(
    context: &Context<'_>,
    design: &Design,
    law: Option<Money>,
) -> (Vec<Decision>, Vec<Turn>) {
    let mut decisions = vec![whole(context, design)];
    let needed = tables_in_need(context, design);
    let indexes = design.indexes.iter().enumerate();
    decisions.extend(indexes.map(|(number, index)| on_index(context, &needed, number, index)));
    let entities: Vec<usize> = (0..context.problem.entities.len()).collect();
    let mut of_entities = each(context, design, &entities);
    let mut reads: Vec<Option<Decided>> = context.problem.reads.iter().map(|_| None).collect();
    let mut ways: Vec<Vec<Vec<shared::Way>>> =
        context.problem.reads.iter().map(|read| read.parts.iter().map(|_| Vec::new()).collect()).collect();
    let mut lost: Vec<Vec<write::Lost>> = context.problem.writes.iter().map(|_| Vec::new()).collect();
    for of_entity in &mut of_entities {
        for (read, decision) in of_entity.reads.drain(..) {
            reads[read] = Some(decision);
        }
        for (read, part, some) in of_entity.shared.drain(..) {
            ways[read][part] = some;
        }
        for (write, some) in of_entity.writes.drain(..) {
            lost[write].extend(some);
        }
    }
    decisions.extend(of_entities.into_iter().map(|it| it.item));
    let mut decided: Vec<Decided> = reads
        .into_iter()
        .enumerate()
        .filter_map(|(read, it)| it.or_else(|| on_whole_read(context, read, &ways[read], law)))
        .collect();
    let mut operations: BTreeMap<&str, &Operation> = BTreeMap::new();
    for operation in &design.operations {
        operations.entry(operation.pattern.as_str()).or_insert(operation);
    }
    for (write, lost) in lost.into_iter().enumerate() {
        let operation = operations.get(context.problem.writes[write].id.as_str());
        decided.extend(operation.map(|operation| write::on_write(context, operation, write, lost)));
    }
    let mut turns = Vec::new();
    for it in decided {
        decisions.push(it.decision);
        turns.extend(it.turn);
    }
    (decisions, turns)
}

/// What is decided on one entity: its keys, the reads of it alone, its part in others, and what its writes lost.
struct OfEntity {
    item: Decision,
    reads: Vec<(usize, Decided)>,
    shared: Vec<(usize, usize, Vec<shared::Way>)>,
    writes: Vec<(usize, Vec<write::Lost>)>,
}

/// The decisions on each entity; what is decided on one depends on no other, so that threads change no result.
fn each(context: &Context<'_>, design: &Design, entities: &[usize]) -> Vec<OfEntity> {
    let others = Others::of(context.answer);
    let mut written: Vec<Vec<usize>> = vec![Vec::new(); entities.len()];
    for (write, facts) in context.problem.writes.iter().enumerate() {
        for effect in &facts.effects {
            if written[effect.entity].last() != Some(&write) {
                written[effect.entity].push(write);
            }
        }
    }
    threads::each(entities.to_vec(), WORTH_THREADS, |entity| {
        on_entity(context, design, &others, entity, &written[entity])
    })
}

fn on_entity(
    context: &Context<'_>,
    design: &Design,
    others: &Others,
    entity: usize,
    written: &[usize],
) -> OfEntity {
    let near = neighbours(context, others, entity);
    let demands = context.tasks[entity].demands.iter().enumerate();
    OfEntity {
        item: on_item(context, design, entity, &near),
        reads: demands
            .filter_map(|(at, demand)| match demand.source {
                Source::Read(read) => Some((read, on_read(context, read, at, &near))),
                _ => None,
            })
            .collect(),
        shared: shared::ways(context, entity, &near),
        writes: written
            .iter()
            .map(|write| (*write, write::alternatives(context, *write, entity, &near)))
            .collect(),
    }
}

fn whole(context: &Context<'_>, design: &Design) -> Decision {
    let answer = context.answer;
    let gap = answer.cost.total() - answer.proof.lower_bound;
    let reason = if gap <= 0 {
        let layouts = answer.proof.layouts;
        format!(
            "no design in the search space is cheaper: {} of {} {} compared",
            words::counted(layouts, "layout", "layouts"),
            words::counted(context.problem.entities.len(), "entity", "entities"),
            if layouts == 1 { "was" } else { "were" }
        )
    } else {
        format!(
            "the best design found within the time limit; another could be at most {} cheaper",
            Money::from_pico(gap).in_cents()
        )
    };
    Decision {
        subject: Subject::Design,
        chosen: format!(
            "{}, {}, {} billed per month plus {} of operational prices",
            words::counted(design.items.len(), "item type", "item types"),
            words::indexes(design.indexes.len()),
            answer.cost.bill.in_cents(),
            answer.cost.operational.in_cents()
        ),
        reason,
        alternatives: frontier_alternatives(answer),
        turning_point: None,
    }
}

/// The cheapest designs with another number of indexes.
fn frontier_alternatives(answer: &Answer) -> Vec<Alternative> {
    let used: usize = answer.counts.iter().sum();
    answer
        .frontier
        .iter()
        .filter(|(indexes, _)| *indexes != used)
        .map(|(indexes, cost)| Alternative {
            choice: words::indexes(*indexes),
            extra: Some(Money::from_pico((cost.total() - answer.cost.total()).max(0))),
            reason: format!(
                "{} billed per month plus {} of operational prices",
                cost.bill.in_cents(),
                cost.operational.in_cents()
            ),
        })
        .collect()
}

fn on_index(
    context: &Context<'_>,
    needed: &BTreeSet<String>,
    number: usize,
    index: &keywright_model::design::Index,
) -> Decision {
    let used: usize = context.answer.counts.iter().sum();
    let fewer = context.answer.frontier.iter().find(|(indexes, _)| *indexes + 1 == used);
    let without = match fewer {
        Some((_, cost)) => Some(Alternative {
            choice: words::indexes(used - 1),
            extra: Some(Money::from_pico((cost.total() - context.answer.cost.total()).max(0))),
            reason: "its patterns would cost more to serve".to_owned(),
        }),
        None if needed.contains(&index.table) => Some(Alternative {
            choice: words::indexes(used.saturating_sub(1)),
            extra: None,
            reason: "at least one pattern could not be served".to_owned(),
        }),
        // Fewer are not known to be too few; they were not looked at because they can't win.
        None => None,
    };
    let purpose = index.purpose.clone().unwrap_or_default();
    let (reason, whole) = match listed::instead(context, number) {
        Some(whole) => (format!("{purpose}; {}", listed::REASON), Some(whole)),
        None => (purpose, None),
    };
    Decision {
        subject: Subject::Index(index.name.clone()),
        chosen: format!("{} with projection {}", index.name, words::projection(&index.projection)),
        reason,
        alternatives: without.into_iter().chain(whole).collect(),
        turning_point: None,
    }
}

/// The tables that have no more indexes than an entity in them needs, whatever else is chosen.
fn tables_in_need(context: &Context<'_>, design: &Design) -> BTreeSet<String> {
    let mut indexes: BTreeMap<&str, usize> = BTreeMap::new();
    for index in &design.indexes {
        *indexes.entry(index.table.as_str()).or_default() += 1;
    }
    let in_need = |entity: &usize| {
        let many = indexes.get(context.table(*entity).as_str());
        // No entity needs more indexes than it has demands.
        many.is_some_and(|many| {
            let task = &context.tasks[*entity];
            task.demands.len() >= *many && least_indexes(task) >= *many
        })
    };
    let entities = (0..context.problem.entities.len()).filter(in_need);
    entities.map(|entity| context.table(entity)).collect()
}

fn on_item(context: &Context<'_>, design: &Design, entity: usize, near: &[Neighbour]) -> Decision {
    let task = &context.tasks[entity];
    let layout = context.layout(entity);
    let facts = task.facts();
    let mut got = Vec::new();
    let mut queried = Vec::new();
    for (demand, service) in task.demands.iter().zip(&layout.services) {
        match &service.choice {
            Choice::Base(fit) if fit.whole_key => got.push(pattern_id(context, demand)),
            Choice::Base(_) => queried.push(pattern_id(context, demand)),
            Choice::NotNeeded => got.push(pattern_id(context, demand)),
            Choice::Unique(_) | Choice::Index(..) => {}
        }
    }
    let served = |what: &str, mut ids: Vec<String>| {
        ids.dedup();
        (!ids.is_empty()).then(|| format!("{what} {}", ids.join(", ")))
    };
    let reasons: Vec<String> =
        [served("the inputs give the whole key in", got), served("one Query serves", queried)]
            .into_iter()
            .flatten()
            .collect();
    let mut reason = match reasons.is_empty() {
        true => "no pattern reads it by key, so its identity is its key".to_owned(),
        false => reasons.join("; "),
    };
    let indexes = context.open_indexes(entity).map(|(_, number)| Place::Index(number));
    for place in std::iter::once(Place::Base).chain(indexes) {
        reason.extend(context.parted(entity, place).map(|parted| words::parted(context, place, parted)));
        reason.extend(spread::reason(context, entity, place).map(|why| format!("; {why}")));
    }
    reason.extend(written::on_item(context, entity));
    let keys: Vec<String> = design.item(&facts.name).map_or_else(Vec::new, |item| {
        item.keys.iter().map(|key| format!("{} {}", key.attribute, words::key(&key.value))).collect()
    });
    let mut alternatives: Vec<(i128, Alternative)> = near
        .iter()
        .filter(|it| it.demand().is_none())
        .map(|it| {
            (
                it.extra,
                Alternative {
                    choice: it.words(context, entity),
                    extra: Some(Money::from_pico(it.extra.max(0))),
                    reason: format!("with {} of its own", words::indexes(it.layout.indexes.len())),
                },
            )
        })
        .collect();
    alternatives.sort_by(|one, other| (one.0, &one.1.choice).cmp(&(other.0, &other.1.choice)));
    Decision {
        subject: Subject::Item(facts.name.clone()),
        chosen: keys.join(", "),
        reason,
        alternatives: alternatives.into_iter().take(MOST_ALTERNATIVES).map(|(_, it)| it).collect(),
        turning_point: None,
    }
}

fn pattern_id(context: &Context<'_>, demand: &Demand) -> String {
    match demand.source {
        Source::Read(read) | Source::Shared { read, .. } | Source::Behind(read) => {
            context.problem.reads[read].id.clone()
        }
        Source::Locate { write, .. } | Source::LocateCheck { write, .. } => {
            context.problem.writes[write].id.clone()
        }
    }
}

/// The decision on a read that no layout of one entity decides.
fn on_whole_read(
    context: &Context<'_>,
    read: usize,
    ways: &[Vec<shared::Way>],
    law: Option<Money>,
) -> Option<Decided> {
    let facts = &context.problem.reads[read];
    if facts.scan {
        let decision = Decision {
            subject: Subject::Pattern(facts.id.clone()),
            chosen: "a Scan".to_owned(),
            reason: "the pattern asks for one".to_owned(),
            alternatives: Vec::new(),
            turning_point: None,
        };
        return Some(Decided::new(decision, None));
    }
    (facts.parts.len() > 1).then(|| shared::on_read(context, read, ways, law))
}

/// The decision on a read that is the demand at a position.
fn on_read(context: &Context<'_>, read: usize, at: usize, near: &[Neighbour]) -> Decided {
    let facts = &context.problem.reads[read];
    let entity = facts.parts[0].entity;
    let task = &context.tasks[entity];
    let layout = context.layout(entity);
    let service = &layout.services[at];
    let demand = &task.demands[at];
    // What links lead to is read the same way, however the links are found.
    let behind = facts.behind.as_ref().map_or(String::new(), |behind| {
        let (link, items) = (&task.facts().name, &context.entity(behind.entity).name);
        format!(" of {link}, then BatchGetItem of each {items} that it names")
    });
    let price = context.with_behind(read, service.price);
    let mut lost: Vec<Lost> = near
        .iter()
        .filter_map(|it| {
            let (_, choice) = it.demand().filter(|(demand, _)| *demand == at)?;
            let words = words::choice(task, layout.base, demand, choice) + &behind;
            let price = context.with_behind(read, it.layout.services[at].price);
            Some(Lost { words, extra: it.extra.max(0), price })
        })
        .collect();
    lost.sort_by(|one, other| (one.extra, &one.words).cmp(&(other.extra, &other.words)));
    lost.dedup_by(|one, other| one.words == other.words);
    let turn = lost.iter().find_map(|it| turn(task.month, facts, &price, it));
    let mut alternatives: Vec<Alternative> =
        lost.iter().take(MOST_ALTERNATIVES).map(Lost::alternative).collect();
    alternatives.extend(words::impossible(task, layout.base, demand));
    if let Choice::Base(fit) | Choice::Index(_, fit) = &service.choice {
        alternatives.extend(bucket::alternative(task, demand, fit, &service.price));
    }
    let mut reason = words::reason(&price, !lost.is_empty());
    reason.extend(written::on_read(context, entity, demand, service));
    let place = context.place(entity, &service.choice);
    reason.extend(spread::reason(context, entity, place).map(|why| format!("; {why}")));
    let decision = Decision {
        subject: Subject::Pattern(facts.id.clone()),
        chosen: words::choice(task, layout.base, demand, &service.choice) + &behind,
        reason,
        alternatives,
        turning_point: None,
    };
    Decided::new(decision, turn)
}

/// A way to serve a read that lost.
struct Lost {
    words: String,
    extra: i128,
    price: ReadPrice,
}

impl Lost {
    fn alternative(&self) -> Alternative {
        Alternative {
            choice: self.words.clone(),
            extra: Some(Money::from_pico(self.extra)),
            reason: format!("{}{} per call", tie(self.extra), words::effort(&self.price)),
        }
    }
}

/// The rate at which an alternative would win: its price and the chosen one's are straight lines over the rate.
fn turn(month: &MonthlyPrice, read: &ReadFacts, chosen: &ReadPrice, lost: &Lost) -> Option<Turn> {
    let awkward = month.operational.awkward_pattern.pico();
    let line = |price: &ReadPrice| price.cost.total() - if price.awkward { awkward } else { 0 };
    let saves = line(chosen) - line(&lost.price);
    let (above, nano) = Turn::crossing(lost.extra, saves, read.rate)?;
    Some(Turn { pattern: read.id.clone(), wins: lost.words.clone(), above, nano, reads: true })
}

/// What is said of an alternative that costs so much more, first.
fn tie(extra: i128) -> &'static str {
    if extra == 0 { "costs the same: " } else { "" }
}

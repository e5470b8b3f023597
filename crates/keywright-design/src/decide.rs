//! Decisions: for every choice what lost, by how much, and what it would take to change it.

mod bucket;
mod words;
mod write;

use keywright_dynamodb::Money;
use keywright_model::Rate;
use keywright_model::design::{Alternative, Decision, Design, Subject};

use crate::cost::ReadPrice;
use crate::demand::{Demand, Source};
use crate::emit::Context;
use crate::search::{Answer, Choice, EntityTask, Layout, choices, evaluate};

/// So many of the alternatives that lost are named.
const MOST_ALTERNATIVES: usize = 3;

/// Every decision of a design: on the whole, on indexes, item types and patterns.
pub(crate) fn decisions(context: &Context<'_>, design: &Design) -> Vec<Decision> {
    let mut decisions = vec![whole(context, design)];
    decisions.extend(design.indexes.iter().map(|index| on_index(context, index)));
    decisions.extend((0..context.problem.entities.len()).map(|entity| on_item(context, design, entity)));
    for read in 0..context.problem.reads.len() {
        decisions.extend(on_read(context, read));
    }
    for write in 0..context.problem.writes.len() {
        decisions.extend(write::on_write(context, design, write));
    }
    decisions
}

fn whole(context: &Context<'_>, design: &Design) -> Decision {
    let answer = context.answer;
    let gap = answer.cost.total() - answer.proof.lower_bound;
    let reason = if gap <= 0 {
        format!(
            "no design in the space is cheaper: {} layouts of {} entities were weighed and none beats this one",
            answer.proof.layouts,
            context.problem.entities.len()
        )
    } else {
        format!("the best found; a design could be at most {} cheaper", Money::from_pico(gap).in_cents())
    };
    Decision {
        subject: Subject::Design,
        chosen: format!(
            "{} item types, {} indexes, {} billed per month and {} to operate",
            design.items.len(),
            design.indexes.len(),
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
            choice: format!("{indexes} indexes"),
            extra: Some(Money::from_pico((cost.total() - answer.cost.total()).max(0))),
            reason: format!(
                "{} billed per month and {} to operate",
                cost.bill.in_cents(),
                cost.operational.in_cents()
            ),
        })
        .collect()
}

fn on_index(context: &Context<'_>, index: &keywright_model::design::Index) -> Decision {
    let used: usize = context.answer.counts.iter().sum();
    let fewer = context.answer.frontier.iter().find(|(indexes, _)| *indexes + 1 == used);
    let without = match fewer {
        Some((_, cost)) => Alternative {
            choice: format!("{} indexes", used - 1),
            extra: Some(Money::from_pico((cost.total() - context.answer.cost.total()).max(0))),
            reason: "its patterns would be served in dearer ways".to_owned(),
        },
        None => Alternative {
            choice: format!("{} indexes", used.saturating_sub(1)),
            extra: None,
            reason: "some pattern could not be served at all".to_owned(),
        },
    };
    Decision {
        subject: Subject::Index(index.name.clone()),
        chosen: format!("{} with projection {}", index.name, words::projection(&index.projection)),
        reason: index.purpose.clone().unwrap_or_default(),
        alternatives: vec![without],
        turning_point: None,
    }
}

fn on_item(context: &Context<'_>, design: &Design, entity: usize) -> Decision {
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
        [served("the whole key is given in", got), served("one Query serves", queried)]
            .into_iter()
            .flatten()
            .collect();
    let reason = match reasons.is_empty() {
        true => "nothing reads it by key; its identity keeps it apart".to_owned(),
        false => reasons.join("; "),
    };
    let keys: Vec<String> = design.item(&facts.name).map_or_else(Vec::new, |item| {
        item.keys.iter().map(|key| format!("{} {}", key.attribute, words::key(&key.value))).collect()
    });
    let mut alternatives: Vec<(i128, Alternative)> = (0..task.candidates.bases.len())
        .filter(|base| *base != layout.base)
        .filter_map(|base| {
            let other = on_base(task, layout, base)?;
            let extra = extra(context, entity, &other);
            Some((
                extra,
                Alternative {
                    choice: format!("primary key {}", words::path(facts, &task.candidates.bases[base])),
                    extra: Some(Money::from_pico(extra.max(0))),
                    reason: format!("with {} indexes of its own", other.indexes.len()),
                },
            ))
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

/// The layout with another base placement that keeps the open indexes where it can.
fn on_base(task: &EntityTask<'_>, layout: &Layout, base: usize) -> Option<Layout> {
    let mut chosen = Vec::with_capacity(task.demands.len());
    for demand in 0..task.demands.len() {
        let ways = choices(task, base, demand);
        let opens = |choice: &Choice| match choice {
            Choice::Index(index, _) => usize::from(!layout.indexes.contains(index)),
            _ => 0,
        };
        chosen.push(
            ways.into_iter().min_by_key(|choice| (opens(choice), matches!(choice, Choice::Index(..))))?,
        );
    }
    evaluate(task, base, &chosen)
}

/// How much more the whole would cost with another layout of one entity.
fn extra(context: &Context<'_>, entity: usize, other: &Layout) -> i128 {
    let now: usize = context.answer.counts.iter().sum();
    let then: usize = (0..3)
        .map(|kind| {
            let others = context.answer.layouts.iter().enumerate().filter(|(at, _)| *at != entity);
            others.map(|(_, it)| it.counts[kind]).max().unwrap_or(0).max(other.counts[kind])
        })
        .sum();
    let indexes = then as i128 - now as i128;
    let price = context.tasks[entity].month.operational.index.pico();
    other.cost.total() - context.layout(entity).cost.total() + price * indexes
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

fn on_read(context: &Context<'_>, read: usize) -> Option<Decision> {
    let facts = &context.problem.reads[read];
    let subject = Subject::Pattern(facts.id.clone());
    if facts.scan {
        return Some(Decision {
            subject,
            chosen: "a Scan".to_owned(),
            reason: "the pattern asks for one".to_owned(),
            alternatives: Vec::new(),
            turning_point: None,
        });
    }
    let entity = facts.parts[0].entity;
    let task = &context.tasks[entity];
    if facts.parts.len() > 1 {
        return Some(Decision {
            subject,
            chosen: "one Query over a shared collection".to_owned(),
            reason: "entities that are read together share a partition key".to_owned(),
            alternatives: Vec::new(),
            turning_point: None,
        });
    }
    let at = task.demands.iter().position(|demand| demand.source == Source::Read(read))?;
    let layout = context.layout(entity);
    let service = &layout.services[at];
    let demand = &task.demands[at];
    let mut lost: Vec<Lost> = choices(task, layout.base, at)
        .into_iter()
        .filter(|choice| *choice != service.choice)
        .filter_map(|choice| {
            let mut chosen: Vec<Choice> = layout.services.iter().map(|it| it.choice.clone()).collect();
            chosen[at] = choice.clone();
            let other = evaluate(task, layout.base, &chosen)?;
            let price = other.services[at].price;
            let extra = extra(context, entity, &other).max(0);
            Some(Lost { words: words::choice(task, layout.base, demand, &choice), extra, price })
        })
        .collect();
    lost.sort_by(|one, other| (one.extra, &one.words).cmp(&(other.extra, &other.words)));
    lost.dedup_by(|one, other| one.words == other.words);
    let turning_point = lost.iter().find_map(|it| turning_point(context, demand, &service.price, it));
    let mut alternatives: Vec<Alternative> = lost
        .iter()
        .take(MOST_ALTERNATIVES)
        .map(|it| Alternative {
            choice: it.words.clone(),
            extra: Some(Money::from_pico(it.extra)),
            reason: format!(
                "{} half read units and {} requests a call",
                it.price.half_units, it.price.requests
            ),
        })
        .collect();
    alternatives.extend(words::impossible(task, layout.base, demand));
    if let Choice::Base(fit) | Choice::Index(_, fit) = &service.choice {
        alternatives.extend(bucket::alternative(task, demand, fit, &service.price));
    }
    let behind = facts.behind.as_ref().map_or(String::new(), |behind| {
        let (link, items) = (&task.facts().name, &context.entity(behind.entity).name);
        format!(" of {link}, then BatchGetItem of each {items} that it names")
    });
    Some(Decision {
        subject,
        chosen: words::choice(task, layout.base, demand, &service.choice) + &behind,
        reason: words::reason(&service.price, !lost.is_empty()),
        alternatives,
        turning_point,
    })
}

/// A way to serve a read that lost.
struct Lost {
    words: String,
    extra: i128,
    price: ReadPrice,
}

/// The rate at which an alternative would win: its price and the chosen one's are straight lines over the rate.
fn turning_point(context: &Context<'_>, demand: &Demand, chosen: &ReadPrice, lost: &Lost) -> Option<String> {
    let awkward = context.tasks[demand.part.entity].month.operational.awkward_pattern.pico();
    let line = |price: &ReadPrice| price.cost.total() - if price.awkward { awkward } else { 0 };
    let saves = line(chosen) - line(&lost.price);
    let rate = i128::from(demand.rate.nano());
    if saves == 0 || rate == 0 {
        return None;
    }
    let turn = (lost.extra + saves) * rate / saves;
    if turn <= 0 || (saves > 0) != (turn >= rate) {
        return None;
    }
    let turn = rounded(turn)?;
    let side = if saves > 0 { "above" } else { "below" };
    Some(format!("{} pays off {side} {turn} reads/s", lost.words))
}

/// A rate in billionths, to three significant digits: more than rates deserve.
fn rounded(nano: i128) -> Option<Rate> {
    if nano <= 0 {
        return None;
    }
    let step = 10i128.pow(nano.ilog10().saturating_sub(2));
    Some(Rate::from_nano(u64::try_from(nano / step * step).ok()?))
}

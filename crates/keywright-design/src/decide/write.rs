//! Decisions on writes: what the chosen keys cost them, and which other keys would have been cheaper for them but
//! dearer for the whole.

use keywright_dynamodb::Money;
use keywright_model::Rate;
use keywright_model::design::{Alternative, Decision, Design, Subject};

use super::{MOST_ALTERNATIVES, extra, on_base, words};
use crate::cost::{Cost, effect_price, moves_base};
use crate::demand::{Demand, Source};
use crate::emit::{Context, Place};
use crate::problem::{EffectAction, EffectFacts};
use crate::search::{Choice, EntityTask, Layout, choices, evaluate};

/// The decision on a write.
pub(super) fn on_write(context: &Context<'_>, design: &Design, write: usize) -> Option<Decision> {
    let facts = &context.problem.writes[write];
    let operation = design.operation(&facts.id)?;
    let (chosen, reason) = words::write(operation);
    let mut reasons = vec![reason];
    reasons.extend(facts.effects.iter().flat_map(|effect| replaced(context, effect)));
    let price = operation.expected.as_ref().map(|expected| expected.price);
    reasons.extend(price.map(|price| format!("{} a month", price.in_cents())));
    let mut lost: Vec<Lost> = Vec::new();
    let mut entities: Vec<usize> = facts.effects.iter().map(|effect| effect.entity).collect();
    entities.sort_unstable();
    entities.dedup();
    for entity in entities {
        lost.extend(alternatives(context, write, entity));
    }
    lost.sort_by(|one, other| (one.extra, &one.words).cmp(&(other.extra, &other.words)));
    lost.dedup_by(|one, other| one.words == other.words);
    let turning_point = lost.iter().find_map(|it| it.turning_point(facts.rate));
    Some(Decision {
        subject: Subject::Pattern(facts.id.clone()),
        chosen,
        reason: reasons.join("; "),
        alternatives: lost.into_iter().take(MOST_ALTERNATIVES).map(Lost::alternative).collect(),
        turning_point,
    })
}

/// Other keys under which a write would have cost less.
struct Lost {
    words: String,
    /// How much more the whole would cost.
    extra: i128,
    /// What the write costs now, and what it would.
    now: i128,
    then: i128,
}

impl Lost {
    fn alternative(self) -> Alternative {
        let cents = |pico: i128| Money::from_pico(pico).in_cents();
        Alternative {
            reason: format!(
                "this write would cost {} a month instead of {}",
                cents(self.then),
                cents(self.now)
            ),
            choice: self.words,
            extra: Some(Money::from_pico(self.extra)),
        }
    }

    /// The rate at which they would win: what a write costs is a straight line over its rate.
    fn turning_point(&self, rate: Rate) -> Option<String> {
        let saves = self.now - self.then;
        let turn = (self.extra + saves) * i128::from(rate.nano()) / saves;
        let turn = super::rounded(turn)?;
        Some(format!("{} pays off above {turn} writes/s", self.words))
    }
}

/// What a write replaces because it changes a part of a key.
fn replaced(context: &Context<'_>, effect: &EffectFacts) -> Vec<String> {
    if effect.action != EffectAction::Update {
        return Vec::new();
    }
    let facts = context.entity(effect.entity);
    let named = |place: Place| {
        let changed = context.chosen_path(effect.entity, place).attrs().intersection(effect.sets);
        facts.names(changed.iter()).join(", ")
    };
    if moves_base(effect, context.chosen_path(effect.entity, Place::Base)) {
        let names = named(Place::Base);
        return vec![format!("{names} is part of the primary key, so that the item is deleted and put anew")];
    }
    context
        .open_indexes(effect.entity)
        .map(|(_, number)| (context.index_name(number), named(Place::Index(number))))
        .filter(|(_, names)| !names.is_empty())
        .map(|(index, names)| format!("{names} is part of the key in {index}, so that the entry is replaced"))
        .collect()
}

/// Other keys of an entity under which a write of it would have cost less.
fn alternatives(context: &Context<'_>, write: usize, entity: usize) -> Vec<Lost> {
    let task = &context.tasks[entity];
    let layout = context.layout(entity);
    let now = price(task, layout, write);
    let mut lost = Vec::new();
    let mut weigh = |other: &Layout, words: String| {
        let then = price(task, other, write);
        if then.total() < now.total() {
            let extra = extra(context, entity, other).max(0);
            lost.push(Lost { words, extra, now: now.total(), then: then.total() });
        }
    };
    for base in (0..task.candidates.bases.len()).filter(|base| *base != layout.base) {
        if let Some(other) = on_base(task, layout, base) {
            weigh(&other, format!("primary key {}", words::path(task.facts(), &task.candidates.bases[base])));
        }
    }
    for (at, demand) in task.demands.iter().enumerate() {
        for choice in choices(task, layout.base, at) {
            if choice == layout.services[at].choice {
                continue;
            }
            let mut chosen: Vec<Choice> = layout.services.iter().map(|it| it.choice.clone()).collect();
            chosen[at] = choice.clone();
            if let Some(other) = evaluate(task, layout.base, &chosen) {
                let words = words::choice(task, layout.base, demand, &choice);
                weigh(&other, format!("{} by {words}", super::pattern_id(context, demand)));
            }
        }
    }
    lost
}

/// What a layout of an entity costs a write: its items, entries and what it must find first.
fn price(task: &EntityTask<'_>, layout: &Layout, write: usize) -> Cost {
    let facts = &task.problem.writes[write];
    let base = &task.candidates.bases[layout.base];
    let entries: Vec<_> = layout
        .indexes
        .iter()
        .zip(&layout.entry_bytes)
        .map(|(index, bytes)| task.entry(*index, *bytes))
        .collect();
    let effects = facts.effects.iter().filter(|effect| effect.entity == task.entity);
    let written: Cost = effects
        .map(|effect| {
            effect_price(task.problem, task.month, facts, effect, base, layout.item_bytes, &entries).cost
        })
        .sum();
    let of_write = |demand: &Demand| match demand.source {
        Source::Locate { write: of, .. } | Source::LocateCheck { write: of, .. } => of == write,
        _ => false,
    };
    let services = task.demands.iter().zip(&layout.services).filter(|(demand, _)| of_write(demand));
    written + services.map(|(_, service)| service.price.cost).sum::<Cost>()
}

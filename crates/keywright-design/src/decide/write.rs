//! Decisions on writes: what the chosen keys cost them, and which other keys would have been cheaper for them but
//! dearer for the whole.

use keywright_dynamodb::Money;
use keywright_model::design::{Alternative, Decision, Operation, Subject};

use super::neighbours::Neighbour;
use super::{Decided, MOST_ALTERNATIVES, Turn, words};
use crate::cost::{Cost, effect_price, moves_base};
use crate::demand::{Demand, Source};
use crate::emit::{Context, Place};
use crate::naming;
use crate::problem::{EffectAction, EffectFacts, WriteFacts};
use crate::search::{EntityTask, Layout};

/// The decision on a write, after what it lost with each entity.
pub(super) fn on_write(
    context: &Context<'_>,
    operation: &Operation,
    write: usize,
    mut lost: Vec<Lost>,
) -> Decided {
    let facts = &context.problem.writes[write];
    let (chosen, reason) = words::write(operation);
    let mut reasons = vec![reason];
    reasons.extend(facts.effects.iter().flat_map(|effect| replaced(context, effect)));
    reasons.extend(facts.effects.iter().filter_map(|effect| {
        let of = context.entity(facts.effects[effect.version_of?].entity);
        let kept = naming::one(&context.entity(effect.entity).name);
        Some(format!("{kept} keeps the new version of {}", of.name))
    }));
    reasons.extend(facts.effects.iter().filter(|effect| effect.swept).map(|effect| {
        let kept = naming::one(&context.entity(effect.entity).name);
        format!("it checks once more at the end for {kept} that was added in the meantime")
    }));
    let price = operation.expected.as_ref().map(|expected| expected.price);
    reasons.extend(price.map(|price| format!("{} billed a month", price.in_cents())));
    lost.sort_by(|one, other| (one.extra, &one.words).cmp(&(other.extra, &other.words)));
    lost.dedup_by(|one, other| one.words == other.words);
    let turn = lost.iter().find_map(|it| it.turn(facts));
    let decision = Decision {
        subject: Subject::Pattern(facts.id.clone()),
        chosen,
        reason: reasons.join("; "),
        alternatives: lost.into_iter().take(MOST_ALTERNATIVES).map(Lost::alternative).collect(),
        turning_point: None,
    };
    Decided::new(decision, turn)
}

/// Other keys under which a write would have cost less.
pub(super) struct Lost {
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
                "{}this write would cost {} a month instead of {}, operational prices included",
                super::tie(self.extra),
                cents(self.then),
                cents(self.now)
            ),
            choice: self.words,
            extra: Some(Money::from_pico(self.extra)),
        }
    }

    /// The rate at which they would win: what a write costs is a straight line over its rate.
    fn turn(&self, write: &WriteFacts) -> Option<Turn> {
        let (above, nano) = Turn::crossing(self.extra, self.now - self.then, write.rate)?;
        Some(Turn { pattern: write.id.clone(), wins: self.words.clone(), above, nano, reads: false })
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
        return vec![format!("{names} is part of the primary key, so the item is deleted and written again")];
    }
    context
        .open_indexes(effect.entity)
        .filter_map(|(_, number)| {
            let (index, names) = (context.index_name(number), named(Place::Index(number)));
            let leaves = effect.leaves(context.chosen_path(effect.entity, Place::Index(number)));
            let done = if leaves { "deleted" } else { "replaced" };
            (!names.is_empty())
                .then(|| format!("{names} is part of the key in {index}, so the entry is {done}"))
        })
        .collect()
}

/// Other keys of an entity under which a write of it would have cost less.
pub(super) fn alternatives(
    context: &Context<'_>,
    write: usize,
    entity: usize,
    near: &[Neighbour],
) -> Vec<Lost> {
    let task = &context.tasks[entity];
    let of_write = |demand: &Demand| match demand.source {
        Source::Locate { write: of, .. } | Source::LocateCheck { write: of, .. } => of == write,
        _ => false,
    };
    let finds: Vec<usize> = (0..task.demands.len()).filter(|at| of_write(&task.demands[*at])).collect();
    let found = |layout: &Layout| finds.iter().map(|at| layout.services[*at].price.cost).sum::<Cost>();
    let chosen = context.layout(entity);
    let now = (written(task, chosen, write) + found(chosen)).total();
    // What is written is the same under the same keys.
    let mut costs: Vec<Cost> = Vec::with_capacity(near.len());
    for it in near {
        costs.push(costs.get(it.alike).copied().unwrap_or_else(|| written(task, &it.layout, write)));
    }
    let lost = near.iter().zip(costs).filter_map(|(it, written)| {
        let then = (written + found(&it.layout)).total();
        (then < now).then(|| Lost { words: it.words(context, entity), extra: it.extra.max(0), now, then })
    });
    lost.collect()
}

/// What a layout of an entity costs a write: its items and entries.
fn written(task: &EntityTask<'_>, layout: &Layout, write: usize) -> Cost {
    let facts = &task.problem.writes[write];
    let base = &task.candidates.bases[layout.base];
    let entries: Vec<_> = layout
        .indexes
        .iter()
        .zip(&layout.entry_bytes)
        .map(|(index, bytes)| task.entry(*index, *bytes))
        .collect();
    let effects = facts.effects.iter().filter(|effect| effect.entity == task.entity);
    effects
        .map(|effect| {
            effect_price(task.problem, task.month, facts, effect, base, layout.item_bytes, &entries).cost
        })
        .sum()
}

//! Writes: what each effect is given, what it changes, what it must check.

mod changes;
mod condition;
mod effect;
mod given;
mod handed;
mod sweep;
mod transaction;

use keywright_model::Model;
use keywright_model::model::{Effect, Pattern, Write};

pub(crate) use changes::is_kept_by_updates;
pub(super) use changes::{note_changes, sets};
pub(crate) use condition::compared;
pub(super) use given::{bound, given_to, inputs_of};
pub(crate) use handed::handed_over;

use super::Remarks;
use super::counters::Counters;
use super::versions;
use crate::problem::{Attr, EffectAction, EffectFacts, EntityFacts, WriteFacts};

pub(super) fn resolve(
    model: &Model,
    entities: &[EntityFacts],
    counters: &Counters,
    remarks: &mut Remarks,
) -> Vec<WriteFacts> {
    let mut writes = Vec::new();
    for (index, pattern) in model.patterns.iter().enumerate() {
        let Some(write) = pattern.write() else { continue };
        write
            .conditions
            .iter()
            .for_each(|it| condition::note_other_number(model, it, pattern, write, remarks));
        if pattern.rate.is_none() && pattern.frequency.is_none() {
            remarks.assume(
                pattern.span,
                format!("{} runs {} times a second", pattern.id, pattern.mean_rate()),
                "not stated; fill in Frequency or Rate",
            );
        }
        writes.push(resolve_write(model, index, pattern, write, entities, counters, remarks));
    }
    sweep::note(model, entities, &mut writes);
    writes
}

fn resolve_write(
    model: &Model,
    index: usize,
    pattern: &Pattern,
    write: &Write,
    entities: &[EntityFacts],
    counters: &Counters,
    remarks: &mut Remarks,
) -> WriteFacts {
    let mut effects: Vec<EffectFacts> = Vec::new();
    for (source, effect) in write.effects.iter().enumerate() {
        let Some(at) = entities.iter().position(|entity| entity.name == effect.entity) else { continue };
        let mut facts = effect::facts(pattern, effect, source, entities, at);
        facts.upsert = model.is_tally(pattern, effect);
        facts.counted = write.must_find(effect);
        facts.named_by = role(model, pattern, effect, &entities[at]);
        // One action per item: an addition and an update of the same item are one update.
        let same =
            |it: &&mut EffectFacts| it.entity == at && it.named_by == facts.named_by && !it.all && !facts.all;
        match effects.iter_mut().find(same) {
            Some(same) => {
                if same.action == EffectAction::Update {
                    same.sets = same.sets.union(facts.sets);
                    same.grows = same.grows.union(facts.grows);
                    same.maybe = same.maybe.union(facts.maybe);
                    same.removes = same.removes.union(facts.removes);
                    same.fixed.extend(facts.fixed);
                }
                same.sources.push(source);
            }
            None => effects.push(facts),
        }
    }
    counters.keep(write, entities, &mut effects, &|entity| inputs_of(pattern, entities, entity).collect());
    versions::keep(pattern, entities, &mut effects, remarks);
    effect::report_no_change(pattern, entities, &effects, remarks);
    effect::report_lasting(pattern, entities, &effects, remarks);
    effect::report_unchosen(pattern, entities, &effects, remarks);
    effect::report_by_rank(pattern, entities, &effects, remarks);
    effect::derive_keys(entities, &mut effects);
    let mut checks = Vec::new();
    let placing = condition::Placing { model, pattern, write, entities, counters };
    for (at, condition) in write.conditions.iter().enumerate() {
        placing.place(at, condition, &mut effects, &mut checks, remarks);
    }
    effects.iter_mut().for_each(|effect| condition::note_before(write, entities, effect));
    condition::report_never(pattern, write, entities, &effects, remarks);
    condition::report_by_rank(pattern, write, entities, remarks);
    let held = transaction::hold(pattern, write, entities, &mut effects, &checks, remarks);
    versions::settle(pattern, write, entities, &mut effects, held.whole, remarks);
    WriteFacts {
        pattern: index,
        all_in_transaction: held.whole,
        id: pattern.id.clone(),
        span: pattern.span,
        effects,
        checks,
        transaction: held.transaction,
        rate: pattern.mean_rate(),
        peak: pattern.peak_rate(),
    }
}

/// What an effect of a pattern does, as far as it alone says.
pub(super) fn effect_facts(
    pattern: &Pattern,
    effect: &Effect,
    entities: &[EntityFacts],
    at: usize,
) -> EffectFacts {
    effect::facts(pattern, effect, 0, entities, at)
}

/// The identifier of an effect's item and the input that gives it, where the document says which one.
fn role(model: &Model, pattern: &Pattern, effect: &Effect, entity: &EntityFacts) -> Option<(Attr, String)> {
    let named_by = effect.named_by.as_ref()?;
    let pointing = model.pointing(pattern, &effect.entity);
    let (input, identifier) = pointing.into_iter().find(|(input, _)| input.name == *named_by)?;
    Some((entity.named(identifier)?, input.name.clone()))
}

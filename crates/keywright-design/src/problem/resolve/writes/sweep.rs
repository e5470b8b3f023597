//! Deletes of a parent with all its children that look again: a child may have come after they looked.
//!
//! Who creates a child on the condition that its parent is there, after the children were found and before the parent
//! goes, would leave a child of nobody. Once the parent is gone no more children come, so one more look finds the rest.
//! Where a number is kept of the children, the parent goes only while that number is as it was read.

use keywright_model::Model;
use keywright_model::model::ConditionKind;

use crate::problem::{EffectAction, EffectFacts, EntityFacts, WriteFacts};

/// Notes which effects have to look once more.
pub(super) fn note(model: &Model, entities: &[EntityFacts], writes: &mut [WriteFacts]) {
    for at in 0..writes.len() {
        for effect in 0..writes[at].effects.len() {
            writes[at].effects[effect].swept = leaves_some(model, entities, writes, at, effect);
        }
    }
}

/// Whether what an effect deletes may come, by another call, after it has looked and before a parent goes that it needs.
fn leaves_some(
    model: &Model,
    entities: &[EntityFacts],
    writes: &[WriteFacts],
    at: usize,
    effect: usize,
) -> bool {
    let all = &writes[at].effects[effect];
    if all.action != EffectAction::Delete || !all.all || all.counted {
        return false;
    }
    // What is chosen anew is looked for until nothing has changed meanwhile.
    if !all.chosen_by(&entities[all.entity]).is_empty() {
        return false;
    }
    // Versions are complete while the item has the version that was read, and go before it.
    let of = entities[all.entity].versions_of;
    let kept = |it: &EffectFacts| of == Some(it.entity) && it.outlasts_versions(&entities[it.entity]);
    if writes[at].effects.iter().any(kept) {
        return false;
    }
    let goes = |it: &&EffectFacts| it.action == EffectAction::Delete && it.entity != all.entity;
    let parents = || writes[at].effects.iter().filter(goes).map(|it| it.entity);
    let comes_under = |write: &WriteFacts| {
        write.effects.iter().any(|it| brings(it, all)) && parents().any(|it| needs(model, write, it))
    };
    writes.iter().any(comes_under)
}

/// Whether an effect brings an item to where another deletes all.
fn brings(effect: &EffectFacts, all: &EffectFacts) -> bool {
    effect.entity == all.entity
        && match effect.action {
            EffectAction::Create | EffectAction::Put => true,
            EffectAction::Update => !effect.sets.intersection(all.given).is_empty(),
            EffectAction::Delete => false,
        }
}

/// Whether a write is refused where an item of this entity is not there.
fn needs(model: &Model, write: &WriteFacts, entity: usize) -> bool {
    let conditions = model.patterns[write.pattern].write().map_or(&[][..], |it| &it.conditions);
    let wants = |at: &usize| !matches!(conditions[*at].kind, ConditionKind::NotExists { .. });
    let checked = write.checks.iter().any(|it| it.entity == entity && it.conditions.iter().any(wants));
    let changed = |it: &EffectFacts| it.entity == entity && it.action == EffectAction::Update && !it.upsert;
    checked || write.effects.iter().any(changed)
}

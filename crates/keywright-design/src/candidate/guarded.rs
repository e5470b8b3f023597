//! Base placements of a natural identity under other keys: an item of its own then holds the identity, so that nobody
//! takes it twice.

use keywright_dynamodb::limits::TRANSACTION_ACTIONS;

use crate::path::Path;
use crate::problem::{EffectAction, EffectFacts, EntityFacts, Problem, WriteFacts};

/// Whether items with this primary key need an item beside them that keeps their identity unique.
pub(crate) fn needs_guard(entity: &EntityFacts, path: &Path) -> bool {
    let identity = entity.identity_set();
    !entity.generated && !entity.singleton && path.attrs() != identity && !entity.unique.contains(&identity)
}

/// Whether the writes of an entity can keep such items: each that creates or deletes is a transaction, or may become
/// one without touching what other entities pay, and none puts over what is there.
pub(crate) fn may_guard(problem: &Problem, entity: usize) -> bool {
    let facts = &problem.entities[entity];
    let own = problem.writes.iter().filter(|write| write.effects.iter().any(|it| it.entity == entity));
    !facts.counter
        && own.into_iter().all(|write| {
            let alone = write.transaction || write.effects.len() == 1 && write.checks.is_empty();
            let kept = |action: EffectAction| matches!(action, EffectAction::Create | EffectAction::Delete);
            write.effects.iter().filter(|it| it.entity == entity).all(|it| match it.all {
                true if kept(it.action) => may_clear(problem, write, it),
                _ => it.action != EffectAction::Put && (!kept(it.action) || alone),
            })
        })
}

/// Whether a write that deletes all of several items can take along what keeps their identities unique: it finds them
/// where a read of the document finds them too, and where it is to be all or nothing, one transaction has room for both.
fn may_clear(problem: &Problem, write: &WriteFacts, effect: &EffectFacts) -> bool {
    let parts = problem.reads.iter().flat_map(|read| &read.parts).filter(|it| it.entity == effect.entity);
    let is_read = parts.into_iter().any(|part| part.eq() == effect.given);
    effect.action == EffectAction::Delete
        && !effect.counted
        && !effect.given.is_empty()
        && is_read
        && (!write.all_in_transaction || has_room(problem, write))
}

/// The write whose transaction has no room for what keeps the identities unique of all that it deletes of an entity.
pub(crate) fn without_room(problem: &Problem, entity: usize) -> Option<&WriteFacts> {
    let deletes = |it: &EffectFacts| it.entity == entity && it.all && it.action == EffectAction::Delete;
    problem.writes.iter().find(|write| {
        write.all_in_transaction && write.effects.iter().any(deletes) && !has_room(problem, write)
    })
}

/// Whether a transaction holds what a write touches, with an item more for each that comes or goes.
fn has_room(problem: &Problem, write: &WriteFacts) -> bool {
    let actions = write.effects.iter().map(|effect| {
        let items = match effect.all {
            true => problem.entities[effect.entity].most_matches(effect.given)?,
            false => 1,
        };
        Some((2 + effect.unique.len() as u64).saturating_mul(items))
    });
    let mut actions = actions.chain([Some(write.checks.len() as u64)]);
    let most = actions.try_fold(0_u64, |sum, next| Some(sum.saturating_add(next?)));
    most.is_some_and(|most| most <= TRANSACTION_ACTIONS as u64)
}

/// Whether a delete of all of several items has to know their identities, since these may be kept unique beside them.
pub(crate) fn may_clear_guards(problem: &Problem, effect: &EffectFacts) -> bool {
    let facts = &problem.entities[effect.entity];
    let natural = !facts.generated && !facts.singleton && !facts.identity.is_empty();
    let all = effect.all && effect.action == EffectAction::Delete;
    all && natural && may_guard(problem, effect.entity)
}

/// Gives the entities whose chosen keys need it the item that keeps their identity unique.
pub(crate) fn settle<'c>(problem: &mut Problem, chosen: impl Iterator<Item = &'c Path>) {
    let chosen: Vec<&Path> = chosen.collect();
    for (entity, path) in chosen.into_iter().enumerate() {
        if !needs_guard(&problem.entities[entity], path) {
            continue;
        }
        let identity = problem.entities[entity].identity_set();
        let position = problem.entities[entity].unique.len();
        problem.entities[entity].unique.push(identity);
        for write in &mut problem.writes {
            for effect in write.effects.iter_mut().filter(|it| it.entity == entity) {
                if matches!(effect.action, EffectAction::Create | EffectAction::Delete) {
                    effect.unique.push(position);
                    effect.guarded = effect.all;
                    write.transaction |= !effect.all;
                }
            }
        }
    }
}

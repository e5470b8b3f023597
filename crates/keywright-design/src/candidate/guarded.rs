//! Base placements of a natural identity under other keys: an item of its own then holds the identity, so that nobody
//! takes it twice.

use crate::path::Path;
use crate::problem::{EffectAction, EntityFacts, Problem};

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
            write
                .effects
                .iter()
                .filter(|it| it.entity == entity)
                .all(|it| it.action != EffectAction::Put && (!kept(it.action) || alone && !it.all))
        })
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
                    write.transaction = true;
                }
            }
        }
    }
}

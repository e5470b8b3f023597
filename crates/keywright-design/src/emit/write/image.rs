//! What an item is after a write, as far as another item holds it too: the version that is kept of it.

use keywright_dynamodb::expression::{Comparator, Condition};
use keywright_model::design::Value;
use keywright_model::model::{self, Step};

use super::action::effects;
use super::{Draft, Known};
use crate::emit::condition;
use crate::emit::context::Place;
use crate::emit::scope::Scope;
use crate::problem::{Attr, EffectAction, EffectFacts, EntityFacts};

/// The version that is kept of an item, from what is known of the item and what becomes of it.
pub(super) fn version(
    draft: &Draft<'_>,
    version: &EffectFacts,
    original: &EffectFacts,
    known: &Known,
) -> Known {
    let facts = draft.context.entity(version.entity);
    let own = draft.context.entity(original.entity);
    let comes = matches!(original.action, EffectAction::Create | EffectAction::Put);
    let mut values: Vec<(String, Value)> = Vec::new();
    let mut scope = Scope::default();
    for position in 0..facts.attributes.len() {
        let attr = Attr::new(position);
        let name = &facts.attribute(attr).name;
        let Some(theirs) = own.named(name) else { continue };
        let read = known.old.map(|request| Value::Read { request, attribute: name.clone() });
        let is_set = !comes && original.sets.contains(theirs);
        let new = match (is_set, &read) {
            (true, _) => changed(draft, original, known, theirs),
            (false, Some(read)) if !comes => Some(read.clone()),
            (false, _) => known.scope.get(theirs).cloned(),
        };
        // What the caller may leave out stays as it was.
        let old = read.filter(|_| is_set && may_be_left_out(draft, new.as_ref()));
        values.extend(old.map(|old| (name.clone(), old)));
        if let Some(new) = new {
            scope.set(attr, new.clone());
            values.push((name.clone(), new));
        }
    }
    Known { scope, kept: Some(values), ..Known::default() }
}

fn may_be_left_out(draft: &Draft<'_>, value: Option<&Value>) -> bool {
    let Some(Value::Input(name)) = value else { return false };
    draft.pattern.inputs().iter().any(|input| input.name == *name && input.optional)
}

/// What an attribute becomes that an update sets; none where it stays as it is.
pub(super) fn changed(draft: &Draft<'_>, effect: &EffectFacts, known: &Known, attr: Attr) -> Option<Value> {
    let facts = draft.context.entity(effect.entity);
    let it = facts.attribute(attr);
    let present = || match known.old {
        Some(request) => Some(Value::Read { request, attribute: it.name.clone() }),
        None => known.scope.get(attr).cloned(),
    };
    if effect.removes.contains(attr) {
        return None;
    }
    let kept = effect.adds.iter().find(|(counter, _)| *counter == attr).map(|(_, step)| *step);
    let step = effects(draft, effect).find_map(|effect| match &effect.action {
        model::Action::Add { attribute, by: Step::Fixed(by) } if *attribute == it.name => Some(*by),
        _ => None,
    });
    let next = (it.version || effect.next_number == Some(attr)).then_some(1);
    match kept.or(step).or(next) {
        Some(plus) => Some(Value::Sum { of: Box::new(present()?), plus }),
        None => known.scope.get(attr).cloned(),
    }
}

/// The values of an item that is put, with the number after the one that is there.
pub(super) fn numbered(facts: &EntityFacts, mut scope: Scope, request: u32) -> Scope {
    if let Some(version) = facts.version() {
        let attribute = facts.attribute(version).name.clone();
        let last = Value::Read { request, attribute };
        scope.set(version, Value::Sum { of: Box::new(last), plus: 1 });
    }
    scope
}

/// What has to hold for an item that is put to be the latest version.
pub(super) fn is_next(draft: &Draft<'_>, effect: &EffectFacts, known: &Known) -> Option<Condition<Value>> {
    let facts = draft.context.entity(effect.entity);
    let version = facts.version()?;
    let name = facts.attribute(version).name.clone();
    // Nobody can make up the identity of what is there.
    let identity =
        facts.identity.iter().all(|attr| !matches!(known.scope.get(*attr), Some(Value::Generated(_))));
    if !identity {
        return None;
    }
    let (absent, next) = match known.old {
        Some(request) => {
            let read = Value::Read { request, attribute: name.clone() };
            (name.clone(), Condition::equals(name, read))
        }
        None => {
            let given = known.scope.get(version)?.clone();
            let partition = draft.context.key(effect.entity, Place::Base).partition[0].name.clone();
            (partition, condition::compare(&name, Comparator::Less, given))
        }
    };
    Some(Condition::Any(vec![Condition::NotExists(absent), next]))
}

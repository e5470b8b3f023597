//! Entries that are there for two reasons: the item has a constant, and an optional attribute of the key is there.
//!
//! A write sets such an entry or takes it away by one test. So it must know by itself of one of the reasons, by what it
//! sets and by what its conditions say; the other one it may have to look up.

use keywright_model::model::Literal;

use crate::form::Form;
use crate::path::Path;
use crate::problem::{Attr, EffectAction, EffectFacts, EntityFacts};

/// Whether one test tells every write whether an entry of this path belongs there.
pub(super) fn is_told(entity: &EntityFacts, effects: &[&EffectFacts], path: &Path) -> bool {
    let optional: Vec<Attr> = path.attrs().iter().filter(|attr| entity.attribute(*attr).optional).collect();
    let Some(gate) = path.only.as_ref().filter(|_| !optional.is_empty()) else { return true };
    effects.iter().filter(|effect| touches(effect, path, gate)).all(|effect| {
        let settled = effect.leaves(path) || effect.stays_out(entity, path, Form::Generic, path.attrs());
        settled || ends_with(effect, gate) || optional.iter().all(|attr| holds(effect, entity.stored(*attr)))
    })
}

/// Whether an effect writes the keys of an entry anew: who puts a whole item goes by what is in it.
fn touches(effect: &EffectFacts, path: &Path, gate: &(Attr, Literal)) -> bool {
    let sets = effect.sets;
    effect.action == EffectAction::Update
        && (sets.contains(gate.0) || !path.attrs().intersection(sets).is_empty())
}

/// Whether items surely have the constant after an effect.
pub(crate) fn ends_with(effect: &EffectFacts, (attr, value): &(Attr, Literal)) -> bool {
    let same = |other: &Literal| other.to_string() == value.to_string();
    if effect.sets.contains(*attr) {
        let fixed = effect.fixed.iter().any(|(set, new)| set == attr && same(new));
        return fixed && !effect.maybe.contains(*attr);
    }
    effect.was.iter().any(|(told, was)| told == attr && was.as_ref().is_some_and(same))
}

/// Whether items surely hold an attribute after an effect.
fn holds(effect: &EffectFacts, attr: Attr) -> bool {
    if effect.sets.contains(attr) {
        return !effect.maybe.contains(attr) && !effect.removes.contains(attr);
    }
    effect.given.contains(attr) || effect.was.iter().any(|(told, _)| *told == attr)
}

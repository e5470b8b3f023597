//! The identifiers that a write makes up for one item and puts into another.

use keywright_model::model::{Action, Pattern};

use super::given::inputs_of;
use crate::problem::{Attr, Attrs, EntityFacts};

/// The attributes that get the identifier which the same write makes up for another item: who books an appointment puts
/// its new id into the slot.
pub(super) fn handed(pattern: &Pattern, entities: &[EntityFacts], at: usize) -> Attrs {
    let given: Attrs = inputs_of(pattern, entities, at).collect();
    let handed = handed_over(pattern, entities, at, |other| inputs_of(pattern, entities, other).collect());
    handed.into_iter().map(|(attr, _, _)| attr).filter(|attr| !given.contains(*attr)).collect()
}

/// Which attributes of an entity hold which identifier of another that a write makes up: the attribute, the other entity
/// and what identifies it. What is given is asked for each entity.
pub(crate) fn handed_over(
    pattern: &Pattern,
    entities: &[EntityFacts],
    at: usize,
    given: impl Fn(usize) -> Attrs,
) -> Vec<(Attr, usize, Attr)> {
    let effects = pattern.write().map_or(&[][..], |write| &write.effects);
    let comes = |entity: usize| {
        let name = &entities[entity].name;
        effects
            .iter()
            .any(|it| it.entity == *name && !it.all && matches!(it.action, Action::Create | Action::Put))
    };
    let refers =
        |entity: &EntityFacts, attr: &Attr| entity.parents.iter().any(|link| link.via.contains(attr));
    let is_made_up = |of: usize, own: &Attr| {
        let it = entities[of].attribute(*own);
        (it.ty.is_generated_id() || it.sequential) && !refers(&entities[of], own) && !given(of).contains(*own)
    };
    let mut found = Vec::new();
    for link in entities[at].parents.iter().filter(|link| link.parent != at && comes(link.parent)) {
        let parent = &entities[link.parent];
        for (own, via) in parent.identity.iter().zip(&link.via) {
            if is_made_up(link.parent, own) {
                found.push((*via, link.parent, *own));
            }
        }
    }
    // What has the very name of such an identifier holds it too, as `invoiceNumber` has that of a new Invoice.
    for other in (0..entities.len()).filter(|other| *other != at && comes(*other)) {
        for own in entities[other].identity.iter().filter(|own| is_made_up(other, own)) {
            let name = &entities[other].attribute(*own).name;
            let is_called_so = name.to_lowercase().starts_with(&entities[other].name.to_lowercase());
            let held = entities[at].named(name).filter(|_| is_called_so);
            let new = held.filter(|held| found.iter().all(|(known, _, _)| known != held));
            found.extend(new.map(|held| (held, other, *own)));
        }
    }
    found
}

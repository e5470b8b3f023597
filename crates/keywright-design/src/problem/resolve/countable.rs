//! What writes may count: the items of an entity under each of a parent, for a limit or for a read of their number.

use keywright_model::Model;
use keywright_model::model::{Action, ConditionKind, Effect, Pattern, Write};

use super::reads;
use super::writes::given_to;
use crate::problem::{Attrs, EntityFacts};

/// How the number of items under a parent is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Keeping {
    /// Whoever wants it reads all of them.
    Reading,
    /// An attribute of the parent.
    Attribute,
    /// An item of its own for each parent.
    Item,
}

/// A number that writes may keep.
#[derive(Clone, Debug)]
pub(crate) struct Countable {
    pub(crate) child: usize,
    pub(crate) parent: usize,
    /// The ways to know it, the plainest first.
    pub(crate) options: Vec<Keeping>,
    /// Every write can keep it right.
    pub(crate) exact: bool,
    /// The reads that ask for it, by their place among the patterns.
    pub(crate) reads: Vec<usize>,
}

/// Every number that writes may keep, in the order of the document.
pub(super) fn countable(model: &Model, entities: &[EntityFacts]) -> Vec<Countable> {
    let mut all: Vec<Countable> = Vec::new();
    let position = |name: &str| entities.iter().position(|it| it.name == name);
    for (index, pattern) in model.patterns.iter().enumerate() {
        let facts = reads::plain(model, index, pattern, entities);
        let Some([part]) = facts.as_ref().map(|facts| facts.parts.as_slice()) else { continue };
        let result = facts.as_ref().map(|facts| facts.result);
        let Some(parent) = result.and_then(|result| reads::counted_under(entities, result, part)) else {
            continue;
        };
        let child = part.entity;
        match all.iter_mut().find(|it| (it.child, it.parent) == (child, parent)) {
            Some(known) => known.reads.push(index),
            None => {
                let mut options = vec![Keeping::Reading];
                options.extend(options_of(model, entities, child, parent));
                all.push(Countable { child, parent, options, exact: true, reads: vec![index] });
            }
        }
    }
    for write in model.patterns.iter().filter_map(|pattern| pattern.write()) {
        for condition in &write.conditions {
            let ConditionKind::AtMost { entity, per: Some(per), .. } = &condition.kind else { continue };
            let (Some(child), Some(parent)) = (position(entity), position(per)) else { continue };
            // Where some are put, be they there or not, nobody knows how many there are.
            if model.declared_count(entity, per).is_some() || model.putting(entity).is_some() {
                continue;
            }
            // A limit can't be kept by reading.
            let legal = options_of(model, entities, child, parent);
            let mut exact = legal.contains(&Keeping::Attribute);
            let mut options = vec![Keeping::Attribute];
            options.extend(legal.into_iter().filter(|it| *it == Keeping::Item));
            // What stays behind when a parent goes can still go: its number must not go with the parent.
            if goes_alone(model, per, entity) && options.contains(&Keeping::Item) {
                (options, exact) = (vec![Keeping::Item], true);
            }
            match all.iter_mut().find(|it| (it.child, it.parent) == (child, parent)) {
                Some(known) => (known.options, known.exact) = (options, exact),
                None => all.push(Countable { child, parent, options, exact, reads: Vec::new() }),
            }
        }
    }
    all.retain(|it| !it.options.is_empty());
    all
}

/// The ways in which writes can keep the number, so that it is right after each of them.
fn options_of(model: &Model, entities: &[EntityFacts], child: usize, parent: usize) -> Vec<Keeping> {
    let (own, above) = (&entities[child], &entities[parent]);
    // Versions are counted already: each has its number.
    if own.versions_of.is_some() {
        return Vec::new();
    }
    let link = own.parents.iter().find(|link| link.parent == parent);
    let Some(via) = link.map(|link| link.via_set()).filter(|via| !via.is_empty()) else { return Vec::new() };
    // What expires is not counted down, and a name that is taken can't be another item's.
    let expires = own.retention_days.is_some() || own.attributes.iter().any(|it| it.ttl);
    let taken = entities.iter().any(|it| it.name == format!("{}Count", own.name));
    let mut creates = false;
    let (mut item, mut attribute) = (!expires && !taken, !expires && !above.singleton);
    for pattern in &model.patterns {
        let Some(write) = pattern.write() else { continue };
        // What remains of a parent that is gone is counted nowhere.
        attribute &= !leaves_behind(write, &above.name, &own.name);
        for effect in effects_on(write, &own.name) {
            let given = given_to(pattern, entities, child);
            let kept = match &effect.action {
                Action::Create => {
                    creates = true;
                    attribute &= knows_parent(pattern, above);
                    !effect.all && via.is_subset(given)
                }
                // A put may replace, and then adds nothing.
                Action::Put => false,
                Action::Update | Action::Add { .. } => !moves(pattern, effect, entities, child, via),
                Action::Delete => !effect.all || via.is_subset(given),
            };
            item &= kept;
            attribute &= kept;
        }
    }
    let mut options = Vec::new();
    if creates && attribute {
        options.push(Keeping::Attribute);
    }
    if creates && item {
        options.push(Keeping::Item);
    }
    options
}

/// Whether some write deletes a parent and leaves its children behind.
fn goes_alone(model: &Model, parent: &str, child: &str) -> bool {
    model.patterns.iter().filter_map(Pattern::write).any(|write| leaves_behind(write, parent, child))
}

fn leaves_behind(write: &Write, parent: &str, child: &str) -> bool {
    let deletes = |it: &Effect| it.action == Action::Delete;
    effects_on(write, parent).any(deletes) && !effects_on(write, child).any(|it| deletes(it) && it.all)
}

fn effects_on<'w>(write: &'w Write, entity: &'w str) -> impl Iterator<Item = &'w Effect> {
    write.effects.iter().filter(move |effect| effect.entity == entity)
}

/// Whether a write makes sure that the parent is there.
fn knows_parent(pattern: &Pattern, parent: &EntityFacts) -> bool {
    let Some(write) = pattern.write() else { return false };
    write.effects.iter().any(|it| it.entity == parent.name && it.action != Action::Delete)
        || write
            .conditions
            .iter()
            .any(|it| matches!(&it.kind, ConditionKind::Exists { entity } if *entity == parent.name))
}

/// Whether an update may give an item another parent.
fn moves(pattern: &Pattern, effect: &Effect, entities: &[EntityFacts], child: usize, via: Attrs) -> bool {
    !super::writes::sets(pattern, effect, entities, child).intersection(via).is_empty()
}

//! What writes may count: the items of an entity under each of a parent, for a limit or for a read of their number, or for
//! a read of how many of them are in one state.

use keywright_dynamodb::expression::Comparator;
use keywright_model::Model;
use keywright_model::model::{Action, ConditionKind, ConditionValue, Effect, Literal, Pattern, Write};

use super::reads;
use super::writes::{effect_facts, given_to};
use crate::problem::{Attr, Attrs, EffectAction, EffectFacts, EntityFacts};

/// The value of an attribute that all have which are counted.
pub(super) type Only = (Attr, Literal);

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
    /// Only those are counted that have this value.
    pub(crate) only: Option<Only>,
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
        let counted = result.and_then(|result| reads::counted_under(entities, result, part));
        let Some((parent, only)) = counted else { continue };
        let child = part.entity;
        match all.iter_mut().find(|it| (it.child, it.parent, &it.only) == (child, parent, &only)) {
            Some(known) => known.reads.push(index),
            None => {
                let mut options = vec![Keeping::Reading];
                options.extend(options_of(model, entities, child, parent, only.as_ref()));
                all.push(Countable { child, parent, only, options, exact: true, reads: vec![index] });
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
            // Who comes without a parent and joins one later is counted by nobody, unless the document says who adds.
            if joins_later(model, entities, child, parent) {
                continue;
            }
            if strays(model, entities, child, parent).is_some() {
                continue;
            }
            // A limit can't be kept by reading.
            let legal = options_of(model, entities, child, parent, None);
            let mut exact = legal.contains(&Keeping::Attribute);
            let legal_item = legal.contains(&Keeping::Item);
            let mut options = vec![Keeping::Attribute];
            options.extend(legal.into_iter().filter(|it| *it == Keeping::Item));
            // What stays behind when a parent goes can still go: its number must not go with the parent. Nor can it be
            // where a parent was that others may come to all the same.
            let leaves = goes_alone(model, per, entity) || goes(model, per) && !exact;
            if leaves && options.contains(&Keeping::Item) {
                (options, exact) = (vec![Keeping::Item], true);
            }
            // What is put over a parent has no number: it would begin anew.
            if model.putting(per).is_some() {
                (options, exact) = (vec![Keeping::Item], legal_item);
            }
            match all.iter_mut().find(|it| (it.child, it.parent, &it.only) == (child, parent, &None)) {
                Some(known) => (known.options, known.exact) = (options, exact),
                None => {
                    all.push(Countable { child, parent, only: None, options, exact, reads: Vec::new() });
                }
            }
        }
    }
    all.retain(|it| !it.options.is_empty());
    all
}

/// Why no number of a parent's children stays right, whatever the writes do.
pub(super) enum Strays {
    /// DynamoDB deletes them by itself.
    Expire,
    /// An update gives them another parent.
    Move { pattern: String },
}

/// Why no number of a parent's children stays right, if so.
pub(super) fn strays(model: &Model, entities: &[EntityFacts], child: usize, parent: usize) -> Option<Strays> {
    let own = &entities[child];
    if expires(own) {
        return Some(Strays::Expire);
    }
    // Who joins later is counted by nobody in the first place.
    if joins_later(model, entities, child, parent) {
        return None;
    }
    let via = own.parents.iter().find(|link| link.parent == parent)?.via_set();
    let moving = |pattern: &&Pattern| {
        let updates = |it: &&Effect| matches!(it.action, Action::Update | Action::Add { .. });
        let mut updates =
            pattern.write().into_iter().flat_map(|write| effects_on(write, &own.name)).filter(updates);
        updates.any(|effect| moves(pattern, effect, entities, child, via))
    };
    model.patterns.iter().find(moving).map(|it| Strays::Move { pattern: it.id.clone() })
}

/// Whether items go by themselves: then nothing counts them down.
fn expires(own: &EntityFacts) -> bool {
    own.retention_days.is_some() || own.attributes.iter().any(|it| it.ttl)
}

/// Whether some create leaves an item without this parent, which an update can give it.
fn joins_later(model: &Model, entities: &[EntityFacts], child: usize, parent: usize) -> bool {
    let own = &entities[child];
    let Some(link) = own.parents.iter().find(|link| link.parent == parent) else { return false };
    let via = link.via_set();
    let creates = |pattern: &&Pattern| {
        let create = |it: &Effect| it.entity == own.name && it.action == Action::Create;
        pattern.write().is_some_and(|write| write.effects.iter().any(create))
    };
    via.iter().any(|attr| own.attribute(attr).optional)
        && model.patterns.iter().filter(creates).any(|it| !via.is_subset(given_to(it, entities, child)))
}

/// The ways in which writes can keep the number, so that it is right after each of them.
fn options_of(
    model: &Model,
    entities: &[EntityFacts],
    child: usize,
    parent: usize,
    only: Option<&Only>,
) -> Vec<Keeping> {
    let (own, above) = (&entities[child], &entities[parent]);
    // Versions are counted already: each has its number.
    if own.versions_of.is_some() {
        return Vec::new();
    }
    let link = own.parents.iter().find(|link| link.parent == parent);
    let Some(via) = link.map(|link| link.via_set()).filter(|via| !via.is_empty()) else { return Vec::new() };
    // What expires is not counted down, and a name that is taken can't be another item's.
    let expires = expires(own);
    let name = number_name(own, only);
    let declared = only.is_some() && above.named(&name).is_some();
    if declared {
        return Vec::new();
    }
    let taken = entities.iter().any(|it| it.name.eq_ignore_ascii_case(&name));
    let mut creates = false;
    // Whether all come under a parent that is there; whether all that are counted do from then on.
    let (mut born_under, mut counted_under) = (true, true);
    let (mut item, mut attribute) = (!expires && !taken, !expires && !above.singleton);
    // A put replaces the parent whole, and nobody tells it the number.
    attribute &= model.putting(&above.name).is_none();
    for pattern in &model.patterns {
        let Some(write) = pattern.write() else { continue };
        // What remains of a parent that is gone is counted nowhere.
        attribute &= !leaves_behind(write, &above.name, &own.name);
        for effect in effects_on(write, &own.name) {
            let given = given_to(pattern, entities, child);
            let kept = match &effect.action {
                Action::Create => {
                    creates = true;
                    born_under &= knows_parent(pattern, above);
                    !effect.all && via.is_subset(given)
                }
                // A put may replace, and then adds nothing.
                Action::Put => false,
                Action::Update | Action::Add { .. } => !moves(pattern, effect, entities, child, via),
                Action::Delete => !effect.all || via.is_subset(given),
            };
            let facts = effect_facts(pattern, effect, entities, child);
            let step = step(write, own, &facts, only);
            counted_under &= step.is_none_or(|step| step <= 0) || knows_parent(pattern, above);
            let kept = kept && (only.is_none() || step.is_some());
            item &= kept;
            attribute &= kept;
        }
    }
    // Who is counted has a parent for good: only writes that count one more have to know it.
    attribute &= born_under || counted_under;
    let mut options = Vec::new();
    if creates && attribute {
        options.push(Keeping::Attribute);
    }
    if creates && item {
        options.push(Keeping::Item);
    }
    options
}

/// The name of the number: `ticketCount`, or `newTicketCount` of those that are new.
pub(super) fn number_name(own: &EntityFacts, only: Option<&Only>) -> String {
    let value = only.map(|(_, value)| value.to_string()).unwrap_or_default();
    let words = value.split(|letter: char| !letter.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    let mut name = String::new();
    for word in words.map(str::to_ascii_lowercase).chain([own.name.clone(), "Count".to_owned()]) {
        let (first, rest) = word.split_at(word.chars().next().map_or(0, char::len_utf8));
        name += &if name.is_empty() { first.to_ascii_lowercase() } else { first.to_ascii_uppercase() };
        name += rest;
    }
    name
}

/// By how much the number changes with what a write does to an item; none where nobody can tell without reading the item.
pub(super) fn step(
    write: &Write,
    own: &EntityFacts,
    effect: &EffectFacts,
    only: Option<&Only>,
) -> Option<i64> {
    let Some(only) = only else {
        return match effect.action {
            EffectAction::Create if !effect.all => Some(1),
            EffectAction::Delete => Some(-1),
            EffectAction::Update => Some(0),
            EffectAction::Create | EffectAction::Put => None,
        };
    };
    let (attr, value) = only;
    let is = |other: &Literal| other.to_string() == value.to_string();
    let leaves_it = effect.action == EffectAction::Update && !effect.sets.contains(*attr);
    if leaves_it {
        return Some(0);
    }
    if effect.all || effect.action == EffectAction::Put || effects_on(write, &own.name).count() > 1 {
        return None;
    }
    let was = match effect.action {
        EffectAction::Create => false,
        _ => was(write, own, only)?,
    };
    let becomes = match effect.action {
        EffectAction::Delete => false,
        _ if !effect.sets.contains(*attr) || effect.removes.contains(*attr) => false,
        _ if effect.maybe.contains(*attr) => return None,
        _ => is(&effect.fixed.iter().find(|(set, _)| set == attr)?.1),
    };
    Some(i64::from(becomes) - i64::from(was))
}

/// Whether an item has the value before a write, where the write's conditions tell.
fn was(write: &Write, own: &EntityFacts, (attr, value): &Only) -> Option<bool> {
    let is = |other: &Literal| other.to_string() == value.to_string();
    let name = &own.attribute(*attr).name;
    write.conditions.iter().find_map(|condition| match &condition.kind {
        ConditionKind::Compare { attribute, comparator, value: ConditionValue::Literal(literal) }
            if attribute.entity == own.name && attribute.attribute == *name =>
        {
            match comparator {
                Comparator::Equal => Some(is(literal)),
                Comparator::NotEqual if is(literal) => Some(false),
                _ => None,
            }
        }
        ConditionKind::OneOf { attribute, values }
            if attribute.entity == own.name && attribute.attribute == *name =>
        {
            let all = values.iter().all(is);
            let none = !values.iter().any(is);
            (all || none).then_some(all)
        }
        _ => None,
    })
}

/// Whether some write deletes a parent and leaves its children behind.
fn goes_alone(model: &Model, parent: &str, child: &str) -> bool {
    model.patterns.iter().filter_map(Pattern::write).any(|write| leaves_behind(write, parent, child))
}

/// Whether some write deletes items of an entity.
fn goes(model: &Model, entity: &str) -> bool {
    let mut writes = model.patterns.iter().filter_map(Pattern::write);
    writes.any(|write| effects_on(write, entity).any(|it| it.action == Action::Delete))
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

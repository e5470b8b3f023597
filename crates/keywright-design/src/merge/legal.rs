//! Which entities may be one item: one to one under one identity, and no write can tell that they are one.

use keywright_model::Model;
use keywright_model::model::{
    Action, Attribute, Cardinality, ConditionKind, Effect, Entity, Pattern, Read, Relationship, ResultKind,
    Type, Write,
};

use super::Merge;
use crate::problem::is_kept_by_updates;

/// Every child that may lie in its parent's item, in the order of the document.
pub(crate) fn mergeable(model: &Model) -> Vec<Merge> {
    let mut merges: Vec<Merge> = Vec::new();
    for link in &model.relationships {
        // A chain of merges would be one item too, but each of a pair is in one merge only.
        let taken = |name: &str| merges.iter().any(|it| it.parent == name || it.child == name);
        if !taken(&link.parent)
            && !taken(&link.child)
            && let Some(merge) = merge(model, link)
        {
            merges.push(merge);
        }
    }
    merges
}

fn merge(model: &Model, link: &Relationship) -> Option<Merge> {
    let (parent, child) = (model.entity(&link.parent)?, model.entity(&link.child)?);
    let held: Vec<&str> = link.via.iter().map(String::as_str).collect();
    let identity: Vec<&str> = parent.identity_names().collect();
    let mut own: Vec<&str> = child.identity_names().collect();
    own.sort_unstable();
    let mut same = identity.clone();
    same.sort_unstable();
    let ties = model.relationships.iter().filter(|it| it.child == child.name || it.parent == child.name);
    if link.cardinality.value != Cardinality::OneToOne
        || parent.name == child.name
        || held != identity
        || own != same
        || identity.is_empty()
        || ties.count() != 1
        || !parent.kinds.is_empty()
        || !child.kinds.is_empty()
        || !is_plain(child)
        || [parent, child].iter().any(|it| it.attributes.iter().any(is_kept_by_updates))
    {
        return None;
    }
    let attributes: Vec<&Attribute> =
        child.attributes.iter().filter(|it| !held.contains(&it.name.as_str())).collect();
    let clashes = attributes.iter().any(|it| parent.attribute(&it.name).is_some());
    if clashes || !model.patterns.iter().all(|pattern| allows(pattern, parent, child)) {
        return None;
    }
    let together = births(model, parent, child)?;
    let marker = attributes.iter().find(|it| !it.is_optional() && is_always_set(model, child, it));
    let marker = match (together, marker) {
        (true, _) => None,
        (false, marker) => Some(marker?.name.clone()),
    };
    Some(Merge {
        parent: parent.name.clone(),
        child: child.name.clone(),
        marker,
        attributes: attributes.iter().map(|it| it.name.clone()).collect(),
    })
}

/// Whether a child asks for nothing that needs an item of its own: uniqueness, expiry, numbers of a sequence.
fn is_plain(child: &Entity) -> bool {
    let flagged = |it: &Attribute| {
        let flags = [&it.unique, &it.ttl, &it.sequential, &it.version];
        flags.into_iter().flatten().any(|flag| flag.value) || !it.shared_with.is_empty()
    };
    child.unique.is_empty() && child.retention.is_none() && !child.attributes.iter().any(flagged)
}

/// Whether a pattern means the same when both are one item.
fn allows(pattern: &Pattern, parent: &Entity, child: &Entity) -> bool {
    match (pattern.read(), pattern.write()) {
        (Some(read), _) => allows_read(pattern, read, parent, child),
        (_, Some(write)) => allows_write(write, parent, child),
        (None, None) => true,
    }
}

fn allows_read(pattern: &Pattern, read: &Read, parent: &Entity, child: &Entity) -> bool {
    if !pattern.entities.iter().any(|name| name.value == child.name) {
        return true;
    }
    let counts = read.result.as_ref().is_some_and(|result| result.value == ResultKind::Count);
    let others = pattern.entities.iter().any(|name| name.value != parent.name && name.value != child.name);
    // Of both together, what is said of the child alone must not drop the parent.
    let both = pattern.entities.iter().any(|name| name.value == parent.name);
    let selects =
        pattern.inputs().iter().flat_map(|input| &input.binds).any(|bind| {
            bind.entity == child.name && !child.identity_names().any(|name| name == bind.attribute)
        });
    let asks_for_more = read.scan || counts || others || both && selects;
    !asks_for_more
}

fn allows_write(write: &Write, parent: &Entity, child: &Entity) -> bool {
    let of = |effect: &&Effect, entity: &Entity| effect.entity == entity.name;
    let does = |entity: &Entity, action: &Action| {
        write.effects.iter().filter(|it| of(it, entity)).any(|it| it.action == *action)
    };
    let parent_is_there = does(parent, &Action::Create)
        || write
            .conditions
            .iter()
            .any(|it| matches!(&it.kind, ConditionKind::Exists { entity } if *entity == parent.name));
    let counted = |kind: &ConditionKind| match kind {
        ConditionKind::AtMost { entity, .. } | ConditionKind::Unique { entity, .. } => *entity == child.name,
        _ => false,
    };
    !does(parent, &Action::Put)
        && !does(child, &Action::Put)
        && does(parent, &Action::Delete) == does(child, &Action::Delete)
        && (!does(child, &Action::Create) || parent_is_there)
        && !write.conditions.iter().any(|it| counted(&it.kind))
        && write.effects.iter().filter(|it| of(it, child)).all(|it| !it.all || it.action == Action::Delete)
}

/// Whether the child always comes with its parent (true) or always later (false); none where it is now this, now that.
fn births(model: &Model, parent: &Entity, child: &Entity) -> Option<bool> {
    let creates = |write: &Write, entity: &Entity| {
        write.effects.iter().any(|it| it.entity == entity.name && it.action == Action::Create)
    };
    let writes = || model.patterns.iter().filter_map(Pattern::write);
    let mut births = writes().filter(|write| creates(write, parent) || creates(write, child));
    let kinds: Vec<(bool, bool)> =
        births.by_ref().map(|write| (creates(write, parent), creates(write, child))).collect();
    match kinds.as_slice() {
        [] => None,
        all if all.iter().all(|it| *it == (true, true)) => Some(true),
        all if all.iter().all(|it| *it != (true, true)) => Some(false),
        _ => None,
    }
}

/// Whether every create of the child gives the attribute a value.
fn is_always_set(model: &Model, child: &Entity, attribute: &Attribute) -> bool {
    let made_up = attribute.ty.value == Type::Datetime || super::first_value(attribute).is_some();
    let creates = model.patterns.iter().filter(|pattern| {
        let effects = pattern.write().into_iter().flat_map(|write| &write.effects);
        effects.into_iter().any(|it| it.entity == child.name && it.action == Action::Create)
    });
    made_up
        || creates.into_iter().all(|pattern| {
            pattern.inputs().iter().any(|input| {
                !input.optional
                    && input.binds.iter().any(|it| it.entity == child.name && it.attribute == attribute.name)
            })
        })
}

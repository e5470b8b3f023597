//! Which attributes a name means, and whether they may change.

use keywright_model::model::{Attribute, AttributeRef, EntityKind, Input, Mutability, Type};

use super::Context;
use crate::access_patterns::names::fold;

/// The attributes that a plain name means: one per entity of the pattern that has it.
pub(super) fn bind(name: &str, context: &Context<'_>) -> Option<Vec<AttributeRef>> {
    let domain = context.domain;
    if let Some((entity, attribute)) = name.split_once('.')
        && let Some(entity) = domain.find(entity)
        && let Some(found) = domain.reference(entity, attribute)
    {
        return Some(vec![found]);
    }
    let mut binds = Vec::new();
    for entity in context.entities {
        binds.extend(domain.reference(*entity, name).or_else(|| own_name(*entity, name, context)));
    }
    for entity in context.touched {
        let found = domain.reference(*entity, name).or_else(|| own_name(*entity, name, context));
        let identity = |it: &AttributeRef| domain.identifies(*entity, &it.attribute);
        // What a new item is given besides changes another only where that one says that it can, or that it does.
        let changes = |it: &AttributeRef| {
            let alone = binds.is_empty() && context.changing.contains(it);
            alone
                || context.set.contains(it)
                || context.updated.contains(entity) && (binds.is_empty() || is_mutable(it, context))
        };
        // All that one pattern touches is of one tenant.
        let tenant = |it: &AttributeRef| {
            domain.attribute(*entity, &it.attribute).is_some_and(|it| it.tenant.is_some())
        };
        let found = found.filter(|it| identity(it) || changes(it) || tenant(it));
        binds.extend(found);
    }
    (!binds.is_empty()).then_some(binds)
}

/// `customerId` for the `id` of a Customer, `customerEmail` for its `email`, `id` for the only identifier; and for an
/// entity that points to a customer, the attribute that does.
fn own_name(entity: usize, name: &str, context: &Context<'_>) -> Option<AttributeRef> {
    let domain = context.domain;
    let declared = &domain.entities[entity];
    let folded = fold(name);
    if folded == "id"
        && let [only] = declared.identity.as_slice()
    {
        return Some(AttributeRef::new(&declared.name, &only.value));
    }
    if let Some(rest) = folded.strip_prefix(&fold(&declared.name))
        && let Some(found) = domain.reference(entity, rest).filter(|_| !rest.is_empty())
    {
        return Some(found);
    }
    domain.pointer(entity, &folded).map(|attribute| AttributeRef::new(&declared.name, &attribute.name))
}

/// An attribute of another entity, where exactly one has that name.
pub(super) fn elsewhere(name: &str, context: &Context<'_>) -> Option<AttributeRef> {
    context.domain.only_owner(name)
}

/// The type of an attribute.
pub(super) fn type_of(bound: &AttributeRef, context: &Context<'_>) -> Option<Type> {
    let entity = context.domain.find(&bound.entity)?;
    context.domain.attribute(entity, &bound.attribute).map(|it| it.ty.value)
}

/// Whether an attribute is part of what identifies its entity.
pub(in crate::access_patterns) fn identifies(bound: &AttributeRef, context: &Context<'_>) -> bool {
    context
        .domain
        .find(&bound.entity)
        .is_some_and(|entity| context.domain.identifies(entity, &bound.attribute))
}

/// Whether an item may lack an attribute.
pub(in crate::access_patterns) fn is_optional(bound: &AttributeRef, context: &Context<'_>) -> bool {
    let entity = context.domain.find(&bound.entity);
    let attribute = entity.and_then(|it| context.domain.attribute(it, &bound.attribute));
    attribute.is_some_and(Attribute::is_optional)
}

/// Whether an attribute counts the changes of an item.
pub(super) fn is_version(bound: &AttributeRef, context: &Context<'_>) -> bool {
    let entity = context.domain.find(&bound.entity);
    let attribute = entity.and_then(|it| context.domain.attribute(it, &bound.attribute));
    attribute.is_some_and(|it| it.version.is_some() || fold(&it.name) == "version")
}

/// Whether an input identifies the item of another entity than the attribute's.
pub(in crate::access_patterns) fn finds_another(
    input: &Input,
    bound: &AttributeRef,
    context: &Context<'_>,
) -> bool {
    input.binds.iter().any(|it| it.entity != bound.entity && identifies(it, context))
}

/// Whether the document says that an attribute changes.
pub(super) fn is_mutable(bound: &AttributeRef, context: &Context<'_>) -> bool {
    let entity = context.domain.find(&bound.entity);
    let attribute = entity.and_then(|it| context.domain.attribute(it, &bound.attribute));
    let mutability = attribute.and_then(|it| it.mutability.as_ref());
    mutability.is_some_and(|it| it.value == Mutability::Mutable)
}

/// Whether an input for an attribute may be its new value: it neither identifies an item nor finds one.
pub(in crate::access_patterns) fn may_change(bound: &AttributeRef, context: &Context<'_>) -> bool {
    let domain = context.domain;
    let Some(entity) = domain.find(&bound.entity) else { return false };
    let Some(attribute) = domain.attribute(entity, &bound.attribute) else { return false };
    if domain.identifies(entity, &bound.attribute) {
        return false;
    }
    // A version counts the changes by itself: who gives one says which it was that they saw.
    if attribute.version.is_some() && domain.entities[entity].is(EntityKind::History) {
        return false;
    }
    let folded = fold(&bound.attribute);
    let named = context.changing.contains(bound) || fold(context.description).contains(&folded);
    // What an item may lack, or what changes, can't find it.
    let lasts = !attribute.is_optional() && !is_mutable(bound, context);
    let addresses = (attribute.reference.is_some() && lasts)
        || attribute.tenant.is_some()
        || attribute.version.is_some()
        || attribute.mutability.as_ref().is_some_and(|it| it.value == Mutability::Immutable)
        || domain.creation(entity).is_some_and(|it| {
            it.name == attribute.name && it.ty.value == Type::Datetime && folded.starts_with("created")
        });
    named || !addresses
}

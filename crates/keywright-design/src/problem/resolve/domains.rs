//! Domains: which attributes of different entities mean the same thing.

use std::collections::BTreeMap;

use keywright_model::Model;
use keywright_model::model::Type;

use crate::problem::{Attr, Domain, EntityFacts};

/// Gives every attribute the domain of what it refers to, directly or through its parent's own references.
pub(super) fn assign(model: &Model, entities: &mut [EntityFacts]) {
    let mut links: Vec<(Domain, Domain)> = Vec::new();
    for (child, entity) in entities.iter().enumerate() {
        for link in &entity.parents {
            for (via, identity) in link.via.iter().zip(&entities[link.parent].identity) {
                links.push((
                    Domain { entity: child, attr: *via },
                    Domain { entity: link.parent, attr: *identity },
                ));
            }
        }
    }
    for (child, entity) in model.entities.iter().enumerate() {
        for (position, attribute) in entity.attributes.iter().enumerate() {
            let Some(reference) = &attribute.reference else { continue };
            let parent = entities.iter().position(|it| it.name == reference.entity);
            let Some(parent) = parent else { continue };
            let Some(attr) = entities[parent].named(&reference.attribute) else { continue };
            links
                .push((Domain { entity: child, attr: Attr::new(position) }, Domain { entity: parent, attr }));
        }
    }
    // One input that speaks of several entities at once says that its attributes mean the same.
    for input in model.patterns.iter().filter(|pattern| pattern.entities.len() > 1).flat_map(|it| it.inputs())
    {
        let mut bound = input.binds.iter().filter_map(|bind| {
            let entity = entities.iter().position(|it| it.name == bind.entity)?;
            Some(Domain { entity, attr: entities[entity].named(&bind.attribute)? })
        });
        if let Some(first) = bound.next() {
            links.extend(bound.map(|other| (other, first)));
        }
    }
    join(entities, &links);
    agree_on_numbers(entities);
}

/// Joins linked domains; the representative is what others refer to, which a link names second.
fn join(entities: &mut [EntityFacts], links: &[(Domain, Domain)]) {
    let root = |entities: &[EntityFacts], mut domain: Domain| {
        loop {
            let next = entities[domain.entity].attribute(domain.attr).domain;
            if next == domain {
                return domain;
            }
            domain = next;
        }
    };
    for (child, parent) in links {
        let (from, to) = (root(entities, *child), root(entities, *parent));
        if from != to {
            entities[from.entity].attributes[from.attr.index()].domain = to;
        }
    }
    for entity in 0..entities.len() {
        for position in 0..entities[entity].attributes.len() {
            let domain = root(entities, Domain { entity, attr: Attr::new(position) });
            entities[entity].attributes[position].domain = domain;
        }
    }
    for at in 0..entities.len() {
        let made_up = |parent: usize, attr: Attr| {
            let domain = entities[at].attribute(attr).domain;
            let of = &entities[parent];
            let own = domain.entity == parent && of.identity.contains(&domain.attr);
            own && of.identity.len() > 1 && of.attribute(domain.attr).ty.is_generated_id()
        };
        let told: Vec<Option<Attr>> = entities[at]
            .parents
            .iter()
            .map(|link| link.via.iter().copied().find(|attr| made_up(link.parent, *attr)))
            .collect();
        for (link, told) in entities[at].parents.iter_mut().zip(told) {
            link.told = told;
        }
    }
}

/// What means the same is written the same way in keys: a number has the digits of the largest bound that any of its
/// attributes states, and the type of what they refer to.
fn agree_on_numbers(entities: &mut [EntityFacts]) {
    let all = || entities.iter().flat_map(|entity| &entity.attributes).filter(|it| it.ty.is_numeric());
    let mut bounds: BTreeMap<Domain, u64> = BTreeMap::new();
    for attribute in all() {
        if let Some(max) = attribute.max {
            let bound = bounds.entry(attribute.domain).or_default();
            *bound = max.max(*bound);
        }
    }
    let types: BTreeMap<Domain, Type> = all()
        .map(|it| it.domain)
        .map(|domain| (domain, entities[domain.entity].attribute(domain.attr).ty))
        .filter(|(_, ty)| ty.is_numeric())
        .collect();
    for attribute in entities.iter_mut().flat_map(|entity| &mut entity.attributes) {
        if let Some(ty) = types.get(&attribute.domain).filter(|_| attribute.ty.is_numeric()) {
            attribute.ty = *ty;
            attribute.max = bounds.get(&attribute.domain).copied().or(attribute.max);
        }
    }
}

//! Links: entities that tie two others together, many to many, and the reads that go through them.
//!
//! "The courses of a student" asks for courses by what no course has. A link holds both identities: the links of the
//! student are read first, then the courses that they name.

use keywright_model::Model;
use keywright_model::model::{Cardinality, Pattern, Role};

use crate::problem::{Attr, Attrs, Behind, EntityFacts, ReadPart};

/// Whether an entity is an edge: the document relates its two parents many to many, and their identities are its own.
pub(super) fn is_edge(model: &Model, entities: &[EntityFacts], at: usize) -> bool {
    let entity = &entities[at];
    let held: Attrs = entity.parents.iter().flat_map(|link| link.via.iter().copied()).collect();
    let names: Vec<&str> = entity.parents.iter().map(|link| entities[link.parent].name.as_str()).collect();
    entity.parents.len() == 2
        && !entity.identity.is_empty()
        && entity.identity_set() == held
        && model.relationships.iter().any(|it| {
            it.cardinality.value == Cardinality::ManyToMany
                && names.contains(&it.parent.as_str())
                && names.contains(&it.child.as_str())
        })
}

/// The link through which a read of an entity goes, where its inputs speak of a link to that entity and not of the
/// entity itself.
pub(super) fn through(entities: &[EntityFacts], entity: usize, pattern: &Pattern) -> Option<usize> {
    let equal = || pattern.inputs().iter().filter(|input| input.role == Role::Equal);
    let binds =
        |at: usize| move |bind: &keywright_model::model::AttributeRef| bind.entity == entities[at].name;
    if equal().any(|input| input.binds.iter().any(binds(entity))) {
        return None;
    }
    (0..entities.len()).find(|link| {
        *link != entity
            && entities[*link].parents.iter().any(|it| it.parent == entity && !it.via.is_empty())
            && equal().any(|input| input.binds.iter().any(binds(*link)))
    })
}

/// What a link tells of the entity behind it: its identity, and whatever else both hold, such as a tenant.
pub(super) fn behind(entities: &[EntityFacts], link: usize, asked: &ReadPart) -> Behind {
    let entity = asked.entity;
    let (tie, own) = (&entities[link], &entities[entity]);
    let via =
        tie.parents.iter().find(|it| it.parent == entity).map(|it| it.via.as_slice()).unwrap_or_default();
    let mut held: Vec<(Attr, Attr)> = own.identity.iter().copied().zip(via.iter().copied()).collect();
    for attr in (0..own.attributes.len()).map(Attr::new) {
        let domain = own.attribute(attr).domain;
        let same = tie.identity.iter().copied().find(|other| tie.attribute(*other).domain == domain);
        if let Some(same) = same
            && !held.iter().any(|(known, _)| *known == attr)
        {
            held.push((attr, same));
        }
    }
    Behind { entity, held, order: asked.order.clone(), returns: asked.returns }
}

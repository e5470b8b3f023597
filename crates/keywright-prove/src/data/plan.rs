//! How many records of which entity, and in which order they come to be.

use std::collections::BTreeMap;

use keywright_model::Model;
use keywright_model::model::{Cardinality, EntityKind};

/// The number of records to make, by entity.
pub(crate) type Amounts = BTreeMap<String, u64>;

/// The fewest records that let neighbours, ties and several parents occur.
const FEWEST: u64 = 6;

/// The entities, parents before children; a circle is broken where the document begins it.
pub(crate) fn creation_order(model: &Model) -> Vec<&str> {
    let mut order: Vec<&str> = Vec::new();
    let mut rest: Vec<&str> = model.entities.iter().map(|entity| entity.name.as_str()).collect();
    while !rest.is_empty() {
        let free = rest.iter().position(|name| {
            parents(model, name).iter().all(|parent| !rest.contains(parent) || parent == name)
        });
        order.push(rest.remove(free.unwrap_or(0)));
    }
    order
}

/// The entities whose identity an entity's records hold.
pub(crate) fn parents<'m>(model: &'m Model, entity: &str) -> Vec<&'m str> {
    let related = model
        .relationships
        .iter()
        .filter(|relationship| relationship.child == entity && !relationship.via.is_empty())
        .map(|relationship| relationship.parent.as_str());
    let referred = model
        .entity(entity)
        .into_iter()
        .flat_map(|entity| &entity.attributes)
        .filter_map(|attribute| attribute.reference.as_ref().map(|reference| reference.entity.as_str()));
    related.chain(referred).collect()
}

/// Shares out the scale: children get more than their parents, singletons one, and nobody more than the document says.
pub(crate) fn amounts(model: &Model, scale: u64) -> Amounts {
    let mut depth: BTreeMap<&str, u32> = BTreeMap::new();
    for name in creation_order(model) {
        let above = parents(model, name).iter().filter_map(|parent| depth.get(parent)).max().copied();
        depth.insert(name, above.map_or(0, |above| (above + 1).min(4)));
    }
    let weight = |name: &str| 4u64.pow(depth.get(name).copied().unwrap_or(0));
    let total: u64 = model.entities.iter().map(|entity| weight(&entity.name)).sum();
    let mut amounts = Amounts::new();
    for entity in &model.entities {
        let share = (scale * weight(&entity.name) / total.max(1)).max(FEWEST);
        let stated = entity.count.as_ref().map_or(u64::MAX, |count| count.value.max(1));
        let amount = if entity.is(EntityKind::Singleton) { 1 } else { share.min(stated) };
        amounts.insert(entity.name.clone(), amount);
    }
    // A child of a 1:1 relationship can't outnumber its parents.
    for relationship in model.relationships.iter().filter(|it| *it.cardinality == Cardinality::OneToOne) {
        let most = amounts.get(&relationship.parent).copied().unwrap_or(u64::MAX);
        if let Some(amount) = amounts.get_mut(&relationship.child) {
            *amount = (*amount).min(most);
        }
    }
    amounts
}

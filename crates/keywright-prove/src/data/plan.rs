//! How many records of which entity, and in which order they come to be.

use std::collections::BTreeMap;

use keywright_model::Model;
use keywright_model::model::{Cardinality, EntityKind, Presence};

/// The number of records to make, by entity.
pub(crate) type Amounts = BTreeMap<String, u64>;

/// The fewest records that let neighbours, ties and several parents occur.
const FEWEST: u64 = 6;
/// How many children a parent has where the document does not say.
const USUAL_FAN_OUT: u64 = 4;
/// In how many of a million records an optional attribute is where the document does not say.
const USUALLY_PRESENT: u64 = 600_000;
const MILLION: u64 = 1_000_000;

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

/// What the document says of its data, brought to the scale of a run.
#[derive(Clone, Debug, Default)]
pub(crate) struct Plan {
    /// How many records of each entity.
    pub(crate) amounts: Amounts,
    /// How many distinct values, by entity and attribute, where the document says.
    distinct: BTreeMap<(String, String), u64>,
    /// In how many of a million records an optional attribute is, where the document says.
    present: BTreeMap<(String, String), u64>,
}

impl Plan {
    /// The plan for about so many records.
    pub(crate) fn new(model: &Model, scale: u64) -> Self {
        let mut plan = Plan { amounts: amounts(model, scale), ..Plan::default() };
        for entity in &model.entities {
            let amount = plan.amounts.get(&entity.name).copied().unwrap_or(0).max(1);
            let stated = entity.count.as_ref().map(|count| count.value.max(1));
            for attribute in &entity.attributes {
                let name = (entity.name.clone(), attribute.name.clone());
                if let Some(distinct) = &attribute.distinct {
                    // As many records to a value as the document has; yet some values, and some records to each.
                    let scaled = match stated {
                        Some(all) => u128::from(distinct.value) * u128::from(amount) / u128::from(all),
                        None => u128::from(amount / 4),
                    };
                    let scaled = u64::try_from(scaled).unwrap_or(u64::MAX).max(FEWEST);
                    plan.distinct.insert(name.clone(), scaled.min(distinct.value.max(1)));
                }
                if let Some(present) = &attribute.present {
                    let share = match present.value {
                        Presence::PerMillion(share) => u64::from(share),
                        Presence::Items(items) => {
                            items * MILLION / stated.unwrap_or(amount).max(items).max(1)
                        }
                    };
                    // Enough to be found, however rare.
                    plan.present.insert(name, share.max(MILLION * FEWEST / amount).min(MILLION));
                }
            }
        }
        plan
    }

    /// How many distinct values an attribute has, where the document says.
    pub(crate) fn distinct(&self, entity: &str, attribute: &str) -> Option<u64> {
        self.distinct.get(&(entity.to_owned(), attribute.to_owned())).copied()
    }

    /// In how many of a million records an optional attribute is.
    pub(crate) fn present(&self, entity: &str, attribute: &str) -> u64 {
        let stated = self.present.get(&(entity.to_owned(), attribute.to_owned()));
        stated.copied().unwrap_or(USUALLY_PRESENT)
    }
}

/// Shares out the scale: as many children to a parent as the document says, singletons one, and nobody more than the
/// document says.
fn amounts(model: &Model, scale: u64) -> Amounts {
    // A fan-out that would leave the other entities without records is cut down.
    let widest = (scale / (10 * model.entities.len().max(1) as u64)).max(USUAL_FAN_OUT);
    let mut weights: BTreeMap<&str, u64> = BTreeMap::new();
    for name in creation_order(model) {
        let below = |fan_out: &dyn Fn(&str) -> Option<u64>| -> Vec<u64> {
            let weight = |parent| {
                let fan_out = fan_out(parent)?.clamp(1, widest);
                Some(weights.get(parent)?.saturating_mul(fan_out).min(u64::from(u32::MAX)))
            };
            parents(model, name).into_iter().filter_map(weight).collect()
        };
        // No parent has more than the document says; where it says nothing, some have many.
        let stated = below(&|parent| fan_out(model, parent, name)).into_iter().min();
        let usual = || below(&|_| Some(USUAL_FAN_OUT)).into_iter().max();
        let weight = stated.or_else(usual).unwrap_or(1);
        weights.insert(name, weight);
    }
    let total: u64 = weights.values().sum();
    let mut amounts = Amounts::new();
    for name in creation_order(model) {
        let Some(entity) = model.entity(name) else { continue };
        let weight = weights.get(name).copied().unwrap_or(1);
        let share = (u128::from(scale) * u128::from(weight) / u128::from(total.max(1))) as u64;
        let stated = entity.count.as_ref().map_or(u64::MAX, |count| count.value.max(1));
        // Where there are few parents there are few children.
        let of_parents = model
            .parents_of(name)
            .filter(|relationship| *relationship.cardinality != Cardinality::ManyToMany)
            .filter_map(|relationship| {
                let parents = amounts.get(&relationship.parent)?;
                match *relationship.cardinality {
                    // Some have none yet, for the creates that are checked later.
                    Cardinality::OneToOne => Some(parents - parents / 4),
                    _ => Some(parents.saturating_mul(fan_out(model, &relationship.parent, name)?.max(1))),
                }
            });
        let most = of_parents.min().unwrap_or(u64::MAX).min(stated);
        let amount = if entity.is(EntityKind::Singleton) { 1 } else { share.max(FEWEST).min(most) };
        amounts.insert(name.to_owned(), amount);
    }
    amounts
}

/// How many children of an entity a parent has, as the document states it or as its counts say.
pub(crate) fn fan_out(model: &Model, parent: &str, child: &str) -> Option<u64> {
    let relationship = model.parents_of(child).find(|relationship| relationship.parent == parent);
    let stated = relationship.and_then(|relationship| {
        if *relationship.cardinality == Cardinality::OneToOne {
            return Some(1);
        }
        Some(relationship.fan_out.mean.as_ref()?.value)
    });
    stated.or_else(|| {
        let count = |name: &str| Some(model.entity(name)?.count.as_ref()?.value);
        count(child)?.checked_div(count(parent)?)
    })
}

/// As many children as a parent of many has, where the document speaks of so many: some have more than the mean, so that
/// lists are long and pages are full, but none has more than this, unless a call names it.
pub(crate) fn many(mean: u64) -> u64 {
    mean.max(1).saturating_mul(2)
}

//! What a design asks of its hottest partitions, for those who want to see that it was looked at.

use keywright_model::design::{Design, KeyValue};

use super::weighing::Weighing;
use crate::collection::{Collection, load};
use crate::emit::{Context, Place};

/// What the patterns ask, at their peak rates, of the hottest of all partitions whose keys are made alike.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PartitionHeat {
    /// The table or the index.
    pub place: String,
    /// The partition key, as its items write it.
    pub partition: String,
    /// The item types that lie there.
    pub items: Vec<String>,
    /// Read units a second, rounded up.
    pub read_units: u64,
    /// Write units a second, rounded up.
    pub write_units: u64,
}

/// The heat of every kind of partition that holds items of entities, the hottest first.
pub(super) fn hottest_first(
    weighing: &Weighing<'_>,
    context: &Context<'_>,
    collections: &[Collection],
    design: &Design,
) -> Vec<PartitionHeat> {
    let mut heat: Vec<PartitionHeat> = collections
        .iter()
        .filter_map(|collection| {
            let items: Vec<String> =
                collection.members.iter().map(|(entity, _)| context.entity(*entity).name.clone()).collect();
            let (first, _) = collection.members[0];
            let (place, name) = match collection.gsi {
                None => (Place::Base, context.table(first)),
                Some(number) => (Place::Index(number), design.indexes.get(number)?.name.clone()),
            };
            let item = design.item(&items[0])?;
            let parts = context.key(first, place).partition;
            let written = parts.iter().map(|part| match item.key(&part.name).map(|key| &key.value) {
                Some(KeyValue::Template(template)) => template.clone(),
                _ => format!("<{}>", part.name),
            });
            let load = load(weighing.problem, context.tasks, context.answer, &collection.members);
            Some(PartitionHeat {
                place: name,
                partition: written.collect::<Vec<_>>().join(", "),
                items,
                read_units: load.read_units(),
                write_units: load.write_units(),
            })
        })
        .collect();
    // A partition takes a third as many write units as read units.
    heat.sort_by_key(|it| std::cmp::Reverse(it.read_units.max(it.write_units.saturating_mul(3))));
    heat
}

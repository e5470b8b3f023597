//! Why an index is spread over shards, with the load that makes it so.

use keywright_dynamodb::limits::{PARTITION_READ_UNITS, PARTITION_WRITE_UNITS};

use super::words;
use crate::cost::Unit;
use crate::emit::{Context, Place};
use crate::search::{Choice, index_load};

/// Why an entity's entries in a place are spread over shards; none where they are not.
pub(super) fn reason(context: &Context<'_>, entity: usize, place: Place) -> Option<String> {
    let Place::Index(number) = place else { return None };
    let (task, layout) = (&context.tasks[entity], context.layout(entity));
    let (position, _) = context.open_indexes(entity).find(|(_, it)| *it == number)?;
    let (shards, index) = (layout.shards[position], layout.indexes[position]);
    if shards < 2 {
        return None;
    }
    let chosen: Vec<Choice> = layout.services.iter().map(|it| it.choice.clone()).collect();
    let entry = task.entry(index, layout.entry_bytes[position]);
    let load = index_load(task, layout.base, index, &entry, &chosen, layout.item_bytes, 1);
    let (units, kind, most) = match load.too_much() {
        Some(Unit::Read) => (load.read_units(), "read", PARTITION_READ_UNITS),
        _ => (load.write_units(), "write", PARTITION_WRITE_UNITS),
    };
    Some(format!(
        "{} is spread over {}: one partition would take {units} {kind} units a second at the peak, and {} of {most} \
         are used at most",
        context.index_name(number),
        words::counted(usize::try_from(shards).unwrap_or(usize::MAX), "shard", "shards"),
        most * 3 / 4,
    ))
}

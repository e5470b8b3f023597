//! Sizes with the key strings as they are written, where these make a call dearer or cheaper than its price says.
//!
//! The search counts every literal as the entity's name, and a sort key that repeats the partition key as its literal, so
//! that names are no reason to choose a path. What comes out of that is never passed over in silence.

use keywright_dynamodb::units::Units;

use super::words;
use crate::cost::{encoded_bytes, plain_bytes, units};
use crate::demand::Demand;
use crate::emit::{Context, Place};
use crate::key::{PartValue, Piece};
use crate::path::Projection;
use crate::search::{Choice, Service};

/// Bytes of an entity's items and index entries with their key strings as written.
struct Written {
    item: u64,
    /// Of each open index, in the order of the layout.
    entries: Vec<u64>,
}

impl Written {
    fn of(context: &Context<'_>, entity: usize) -> Self {
        let (task, layout) = (&context.tasks[entity], context.layout(entity));
        let plain = plain_bytes(context.problem, entity);
        let counted: Vec<u64> = layout.indexes.iter().map(|index| task.key_bytes(*index)).collect();
        let counted_base = layout.item_bytes.saturating_sub(plain + counted.iter().sum::<u64>());
        let base = strings(context, entity, Place::Base);
        let numbers: Vec<usize> = context.open_indexes(entity).map(|(_, number)| number).collect();
        let keys: Vec<u64> =
            numbers.iter().map(|number| strings(context, entity, Place::Index(*number))).collect();
        let item = plain + base + keys.iter().sum::<u64>();
        let entry = |at: usize| match task.candidates.indexes[layout.indexes[at]].projection {
            Projection::All => item,
            Projection::Keys | Projection::Include(_) => {
                (layout.entry_bytes[at] + base + keys[at]).saturating_sub(counted_base + counted[at])
            }
        };
        let entries = (0..layout.indexes.len()).map(entry).collect();
        Written { item, entries }
    }
}

/// Bytes of the key strings in a place, with their names.
fn strings(context: &Context<'_>, entity: usize, place: Place) -> u64 {
    let facts = context.entity(entity);
    let piece = |piece: &Piece| match piece {
        Piece::Literal(text) => text.len() as u64,
        Piece::Segment { segment, encoding } => {
            encoding.bytes().unwrap_or_else(|| encoded_bytes(facts.attribute(segment.attr)))
        }
        Piece::Shard { shards, .. } => u64::from(shards.saturating_sub(1).max(1).ilog10()) + 1,
    };
    let key = context.key(entity, place);
    // The kind of an item is an attribute that it has anyway.
    let parts = key.parts().filter(|part| part.name != context.problem.type_attribute);
    parts
        .map(|part| match &part.value {
            PartValue::Own(_) => 0,
            PartValue::Text(pieces) => part.name.len() as u64 + pieces.iter().map(piece).sum::<u64>(),
        })
        .sum()
}

/// What is said of an item whose writes take more or fewer units than they are priced with.
pub(super) fn on_item(context: &Context<'_>, entity: usize) -> Option<String> {
    let (layout, written) = (context.layout(entity), Written::of(context, entity));
    let (priced, real) = (units(layout.item_bytes), units(written.item));
    (priced != real).then(|| {
        format!(
            "; with its key strings as written an item has {} bytes, and prices count {}: it takes {}, not {priced}",
            written.item,
            layout.item_bytes,
            words::counted(usize::try_from(real).unwrap_or(usize::MAX), "write unit", "write units"),
        )
    })
}

/// What is said of a read that takes more or fewer units than it is priced with.
pub(super) fn on_read(
    context: &Context<'_>,
    entity: usize,
    demand: &Demand,
    service: &Service,
) -> Option<String> {
    let (task, layout, written) =
        (&context.tasks[entity], context.layout(entity), Written::of(context, entity));
    let (bytes, shards) = match &service.choice {
        Choice::Index(index, _) => {
            let at = layout.indexes.iter().position(|it| it == index)?;
            (written.entries[at], layout.shards[at])
        }
        _ => (written.item, 1),
    };
    let real = task.price(demand, &service.choice, layout.base, written.item, bytes, shards);
    (real.half_units != service.price.half_units).then(|| {
        format!(
            "; with key strings as written, {bytes} bytes an item, it takes {} read units and {} billed a month",
            Units::halves(real.half_units),
            real.cost.bill.in_cents()
        )
    })
}

//! Rules over indexes and items.

mod collection_mismatch;
mod duplicate_index;
mod growing_collection;
mod hot_index;
mod index_per_pattern;
mod local_index_growth;
mod missing_projection;
mod missing_type_attribute;
mod moved_key;
mod one_way_many_to_many;
mod oversized_item;
mod sample_mismatch;
mod several_ttl_attributes;
mod shared_index_attribute;
mod stale_sparse_entry;
mod too_many_indexes;
mod ttl_not_epoch_seconds;
mod unbounded_list;
mod uncovered_projection;
mod unpopulated_index;
mod unused_index;
mod write_amplification;

use crate::check::DesignCheck;

/// The rules of the group.
pub(crate) static INDEXES: &[DesignCheck] = &[
    collection_mismatch::CHECK,
    duplicate_index::CHECK,
    growing_collection::CHECK,
    hot_index::CHECK,
    index_per_pattern::CHECK,
    local_index_growth::CHECK,
    missing_projection::CHECK,
    missing_type_attribute::CHECK,
    moved_key::CHECK,
    one_way_many_to_many::CHECK,
    oversized_item::CHECK,
    sample_mismatch::CHECK,
    several_ttl_attributes::CHECK,
    shared_index_attribute::CHECK,
    stale_sparse_entry::CHECK,
    too_many_indexes::CHECK,
    ttl_not_epoch_seconds::CHECK,
    unbounded_list::CHECK,
    uncovered_projection::CHECK,
    unpopulated_index::CHECK,
    unused_index::CHECK,
    write_amplification::CHECK,
];

//! Rules over conditions and operations.

mod extra_mapping;
mod filter_as_access;
mod full_key_query;
mod get_item_on_index;
mod illegal_key_condition;
mod non_atomic_counter;
mod open_prefix;
mod oversized_batch;
mod oversized_transaction;
mod partial_key_get;
mod reversed_between;
mod same_item_twice;
mod scan;
mod serial_requests;
mod split_multi_entity_read;
mod strong_read_on_index;
mod unaddressable_write;
mod unescaped_reserved_word;
mod unguarded_create;
mod unguarded_uniqueness;
mod unmapped_pattern;
mod unsorted_result;
mod version_unchecked_update;

use crate::check::DesignCheck;

/// The rules of the group.
pub(crate) static OPERATIONS: &[DesignCheck] = &[
    extra_mapping::CHECK,
    filter_as_access::CHECK,
    full_key_query::CHECK,
    get_item_on_index::CHECK,
    illegal_key_condition::CHECK,
    non_atomic_counter::CHECK,
    open_prefix::CHECK,
    oversized_batch::CHECK,
    oversized_transaction::CHECK,
    partial_key_get::CHECK,
    reversed_between::CHECK,
    same_item_twice::CHECK,
    scan::CHECK,
    serial_requests::CHECK,
    split_multi_entity_read::CHECK,
    strong_read_on_index::CHECK,
    unaddressable_write::CHECK,
    unescaped_reserved_word::CHECK,
    unguarded_create::CHECK,
    unguarded_uniqueness::CHECK,
    unmapped_pattern::CHECK,
    unsorted_result::CHECK,
    version_unchecked_update::CHECK,
];

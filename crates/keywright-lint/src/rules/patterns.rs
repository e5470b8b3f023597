//! Rules over access patterns as the author states them, before any key exists.

mod create_cycle;
mod duplicate_pattern_id;
mod entity_without_pattern;
mod key_in_pattern;
mod missing_inputs;
mod missing_pattern_id;
mod missing_result;
mod missing_volume;
mod never_created;
mod pattern_free_write;
mod unenforced_condition;
mod unidentified_entity;
mod unknown_attribute;
mod unknown_entity;
mod unknown_to_client;
mod unmarked_multi_entity;
mod unpaginated_collection;
mod unstated_sort;
mod unstated_transaction;
mod vague_pattern;

use crate::check::Check;

/// The rules of the group.
pub(crate) static PATTERNS: &[Check] = &[
    create_cycle::CHECK,
    duplicate_pattern_id::CHECK,
    entity_without_pattern::CHECK,
    key_in_pattern::CHECK,
    missing_inputs::CHECK,
    missing_pattern_id::CHECK,
    missing_result::CHECK,
    missing_volume::CHECK,
    never_created::CHECK,
    pattern_free_write::CHECK,
    unenforced_condition::CHECK,
    unidentified_entity::CHECK,
    unknown_attribute::CHECK,
    unknown_entity::CHECK,
    unknown_to_client::CHECK,
    unmarked_multi_entity::CHECK,
    unpaginated_collection::CHECK,
    unstated_sort::CHECK,
    unstated_transaction::CHECK,
    vague_pattern::CHECK,
];

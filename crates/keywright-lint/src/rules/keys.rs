//! Rules over key templates.

mod ambiguous_prefix;
mod date_partition_key;
mod descriptive_key_name;
mod empty_key;
mod hot_partition;
mod inconsistent_padding;
mod inverted_out_of_range;
mod key_collision;
mod key_too_long;
mod low_cardinality_partition_key;
mod lower_case_prefix;
mod meaningless_sort_key;
mod missing_prefix;
mod missing_tie_breaker;
mod mixed_separators;
mod mutable_attribute_in_key;
mod overloaded_sort_key;
mod overly_granular_partition_key;
mod separator_in_value;
mod sequential_partition_key;
mod static_partition_key;
mod tenant_not_in_partition_key;
mod timestamp_only_key;
mod uneven_partition_key;
mod unnormalised_tenant;
mod unpadded_number_in_sort_key;
mod unsortable_date;
mod version_in_data_key;
mod wrong_order_claim;

use crate::check::DesignCheck;

/// The rules of the group.
pub(crate) static KEYS: &[DesignCheck] = &[
    ambiguous_prefix::CHECK,
    date_partition_key::CHECK,
    descriptive_key_name::CHECK,
    empty_key::CHECK,
    hot_partition::CHECK,
    inconsistent_padding::CHECK,
    inverted_out_of_range::CHECK,
    key_collision::CHECK,
    key_too_long::CHECK,
    low_cardinality_partition_key::CHECK,
    lower_case_prefix::CHECK,
    meaningless_sort_key::CHECK,
    missing_prefix::CHECK,
    missing_tie_breaker::CHECK,
    mixed_separators::CHECK,
    mutable_attribute_in_key::CHECK,
    overloaded_sort_key::CHECK,
    overly_granular_partition_key::CHECK,
    separator_in_value::CHECK,
    sequential_partition_key::CHECK,
    static_partition_key::CHECK,
    tenant_not_in_partition_key::CHECK,
    timestamp_only_key::CHECK,
    uneven_partition_key::CHECK,
    unnormalised_tenant::CHECK,
    unpadded_number_in_sort_key::CHECK,
    unsortable_date::CHECK,
    version_in_data_key::CHECK,
    wrong_order_claim::CHECK,
];

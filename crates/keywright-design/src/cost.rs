//! What a design costs per month, in exact integers. Nothing here searches.

mod heat;
mod price;
mod read;
mod size;
mod write;

pub(crate) use heat::{
    HOTTEST, Load, MOST_SHARDS, Unit, bears, hottest_share, shards_for, tolerates, write_share,
};
pub use price::OperationalPrices;
pub(crate) use price::{Cost, MonthlyPrice};
pub(crate) use read::{
    CallUnits, RANGE_SELECTS, ReadPlan, ReadPrice, halves, multi_price, scan_price, shared_items,
    sifts_little, unique_price,
};
pub(crate) use size::{
    BASE_KEY_NAMES, Sizes, encoded_bytes, entry_bytes, item_bytes, plain_bytes, uniqueness_bytes,
};
pub(crate) use write::{
    Entry, check_micro_units, check_price, effect_price, entry_writes, moves_base, old_values_needed,
    relies_on_old, share_in, storage_price, stranger_price, stranger_writes, units,
};

//! Amounts of a month, in pico-dollars, rounded once to the nearest.

use keywright_dynamodb::limits::{GB, STORAGE_OVERHEAD_BYTES};
use keywright_model::Rate;
use keywright_model::certificate::Prices;

/// 730 hours.
const MONTH: i128 = 730 * 3600;
const MILLION: i128 = 1_000_000;
const BILLION: i128 = 1_000_000_000;

fn nearest(amount: i128, per: i128) -> i128 {
    (amount + per / 2) / per
}

fn calls(rate: Rate) -> i128 {
    i128::from(rate.nano()) * MONTH
}

/// Calls that read so many half units each.
pub(crate) fn reads(prices: &Prices, rate: Rate, half_units: u64) -> i128 {
    let amount = (calls(rate) * i128::from(half_units)).saturating_mul(prices.million_read_units.pico());
    nearest(amount, 2 * MILLION * BILLION)
}

/// Calls that write so many millionths of a unit each.
pub(crate) fn writes(prices: &Prices, rate: Rate, micro_units: u64) -> i128 {
    // Two steps: a million times more than reads, so that the product would not fit.
    let per = MILLION * MILLION * BILLION;
    let amount = calls(rate) * i128::from(micro_units);
    let price = prices.million_write_units.pico();
    amount / per * price + nearest(amount % per * price, per)
}

/// Calls that wait for so many requests after the first.
pub(crate) fn waits(prices: &Prices, rate: Rate, requests: u64) -> i128 {
    let amount = (calls(rate) * i128::from(requests)).saturating_mul(prices.million_extra_requests.pico());
    nearest(amount, MILLION * BILLION)
}

/// Items of which so many in a million are there.
pub(crate) fn stores(prices: &Prices, count: u64, share: u64, bytes: u64) -> i128 {
    let there = (i128::from(count) * i128::from(share) + MILLION - 1) / MILLION;
    let bytes = i128::from(bytes) + i128::from(STORAGE_OVERHEAD_BYTES);
    nearest(there * bytes * prices.gb_month.pico(), i128::from(GB))
}

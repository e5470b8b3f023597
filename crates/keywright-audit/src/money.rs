//! Amounts of a month, in pico-dollars, rounded once to the nearest.

use keywright_dynamodb::limits::{GB, STORAGE_OVERHEAD_BYTES};
use keywright_model::Rate;
use keywright_model::certificate::Prices;

/// 730 hours, in thousands of seconds.
const MONTH: i128 = 730 * 36 / 10;
const MILLION: i128 = 1_000_000;
/// Rates are in billionths a second, so in millionths in a thousand seconds, and prices are per million.
const PER: i128 = MILLION * MILLION;

fn nearest(amount: i128, per: i128) -> i128 {
    (amount + per / 2) / per
}

/// A month of calls that take so much each.
fn calls(rate: Rate, each: u64) -> i128 {
    (i128::from(rate.nano()) * MONTH).saturating_mul(i128::from(each))
}

/// The price of an amount, in two steps: of a large one the product would not fit.
fn priced(amount: i128, price: i128, per: i128) -> i128 {
    (amount / per).saturating_mul(price).saturating_add(nearest(amount % per * price, per))
}

/// Calls that read so many half units each.
pub(crate) fn reads(prices: &Prices, rate: Rate, half_units: u64) -> i128 {
    priced(calls(rate, half_units), prices.million_read_units.pico(), 2 * PER)
}

/// Calls that write so many millionths of a unit each.
pub(crate) fn writes(prices: &Prices, rate: Rate, micro_units: u64) -> i128 {
    priced(calls(rate, micro_units), prices.million_write_units.pico(), MILLION * PER)
}

/// Calls that wait for so many requests after the first.
pub(crate) fn waits(prices: &Prices, rate: Rate, requests: u64) -> i128 {
    priced(calls(rate, requests), prices.million_extra_requests.pico(), PER)
}

/// Items of which so many in a million are there.
pub(crate) fn stores(prices: &Prices, count: u64, share: u64, bytes: u64) -> i128 {
    let there = (i128::from(count) * i128::from(share) + MILLION - 1) / MILLION;
    let bytes = i128::from(bytes) + i128::from(STORAGE_OVERHEAD_BYTES);
    nearest(there * bytes * prices.gb_month.pico(), i128::from(GB))
}

#[cfg(test)]
mod tests {
    use keywright_dynamodb::Money;

    use super::*;

    #[test]
    fn an_enormous_amount_has_its_exact_price() {
        let price = Money::from_dollars(1);
        let prices = Prices { million_read_units: price, million_extra_requests: price, ..Prices::default() };
        // A million calls a second, of which each reads two million million units and waits for as many requests.
        let units = 1_000_000 * 730 * 3600 * 2_000_000_000_000i128;
        let (rate, each) = (Rate::per_second(1_000_000), 2_000_000_000_000);
        assert_eq!(reads(&prices, rate, 2 * each), units / MILLION * price.pico());
        assert_eq!(waits(&prices, rate, each), units / MILLION * price.pico());
    }
}

//! Money: the bill and the operational prices, kept apart and added up exactly.

use std::iter::Sum;
use std::ops::{Add, AddAssign};

use keywright_dynamodb::Money;
use keywright_dynamodb::price::{MONTH_HOURS, PriceTable};
use keywright_model::Rate;

/// What running an index, an item type or an awkward operation is worth per month, beside AWS's bill.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OperationalPrices {
    /// Per global secondary index.
    pub index: Money,
    /// Per item type that no condition forces.
    pub item_type: Money,
    /// Per INCLUDE list.
    pub include_list: Money,
    /// Per pattern that is not one GetItem or one Query in key order.
    pub awkward_pattern: Money,
    /// Per million extra sequential requests.
    pub million_extra_requests: Money,
}

impl Default for OperationalPrices {
    fn default() -> Self {
        OperationalPrices {
            index: Money::from_dollars(10),
            item_type: Money::from_dollars(10),
            include_list: Money::from_dollars(10),
            awkward_pattern: Money::from_dollars(1),
            million_extra_requests: Money::from_pico(625_000_000_000),
        }
    }
}

impl OperationalPrices {
    /// All zero: the design with the smallest bill wins.
    pub const fn zero() -> Self {
        OperationalPrices {
            index: Money::ZERO,
            item_type: Money::ZERO,
            include_list: Money::ZERO,
            awkward_pattern: Money::ZERO,
            million_extra_requests: Money::ZERO,
        }
    }
}

/// A cost per month: what AWS bills and what it is to operate.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Cost {
    pub(crate) bill: Money,
    pub(crate) operational: Money,
}

impl Cost {
    pub(crate) const ZERO: Cost = Cost { bill: Money::ZERO, operational: Money::ZERO };

    pub(crate) fn bill(bill: Money) -> Self {
        Cost { bill, operational: Money::ZERO }
    }

    pub(crate) fn operational(operational: Money) -> Self {
        Cost { bill: Money::ZERO, operational }
    }

    /// What the search minimises, in pico-dollars.
    pub(crate) fn total(self) -> i128 {
        self.bill.pico() + self.operational.pico()
    }
}

impl Add for Cost {
    type Output = Cost;

    fn add(self, other: Cost) -> Cost {
        Cost { bill: self.bill + other.bill, operational: self.operational + other.operational }
    }
}

impl AddAssign for Cost {
    fn add_assign(&mut self, other: Cost) {
        *self = *self + other;
    }
}

impl Sum for Cost {
    fn sum<I: Iterator<Item = Cost>>(costs: I) -> Cost {
        costs.fold(Cost::ZERO, Add::add)
    }
}

/// Prices a month of requests.
#[derive(Clone, Debug)]
pub(crate) struct MonthlyPrice {
    pub(crate) table: PriceTable,
    pub(crate) operational: OperationalPrices,
}

/// A month in thousands of seconds: what is divided by then fits a machine word, which divides several times faster.
const MONTH: i128 = MONTH_HOURS as i128 * 36 / 10;
const _: () =
    assert!((MONTH_HOURS * 36).is_multiple_of(10), "a month is a whole number of thousands of seconds");
/// Rates are in billionths per second, so in millionths per thousand seconds, and prices per million.
const PER_MILLION: i128 = 1_000_000 * 1_000_000;

impl MonthlyPrice {
    /// Requests that read so many half units each.
    pub(crate) fn reads(&self, rate: Rate, half_units: u64) -> Money {
        let halves = month_of(rate, half_units);
        scale(self.table.million_read_units, halves, 2 * PER_MILLION)
    }

    /// Requests that write so many millionths of a unit each.
    pub(crate) fn writes(&self, rate: Rate, micro_units: u64) -> Money {
        let micros = month_of(rate, micro_units);
        scale(self.table.million_write_units, micros, 1_000_000 * PER_MILLION)
    }

    /// Requests beyond the first that a caller waits for.
    pub(crate) fn extra_requests(&self, rate: Rate, requests: u64) -> Money {
        let requests = month_of(rate, requests);
        scale(self.operational.million_extra_requests, requests, PER_MILLION)
    }

    /// Items or entries of which so many in a million are there.
    pub(crate) fn storage(&self, count: u64, share: u64, bytes: u64) -> Money {
        // Machine words are divided several times faster.
        let there = match count.checked_mul(share) {
            Some(millionths) => millionths.div_ceil(1_000_000),
            None => {
                let there = (u128::from(count) * u128::from(share)).div_ceil(1_000_000);
                u64::try_from(there).unwrap_or(u64::MAX)
            }
        };
        self.table.storage(there, bytes)
    }
}

/// A month of calls that take so much each.
fn month_of(rate: Rate, each: u64) -> i128 {
    (i128::from(rate.nano()) * MONTH).saturating_mul(i128::from(each))
}

/// `price × amount / per`, rounded to the nearest; in two steps where the product of a large rate would overflow.
fn scale(price: Money, amount: i128, per: i128) -> Money {
    if amount == 0 {
        return Money::ZERO;
    }
    let pico = price.pico();
    if let Some(product) = pico.checked_mul(amount).and_then(|it| it.checked_add(per / 2)) {
        return Money::from_pico(product / per);
    }
    let (whole, rest) = (amount / per, amount % per);
    // The rest is below 2·10¹⁸ and a price below 10¹⁴, so their product fits.
    Money::from_pico(pico.saturating_mul(whole).saturating_add((pico * rest + per / 2) / per))
}

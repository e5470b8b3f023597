//! DynamoDB's prices as data, and the monthly bill for units, requests and bytes.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::limits::{GB, STORAGE_OVERHEAD_BYTES};
use crate::money::Money;
use crate::rate::Rate;
use crate::units::Units;

/// Hours of the month that prices are calculated for, as in AWS's own calculator.
pub const MONTH_HOURS: u64 = 730;

/// The prices of one region, for the standard table class.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct PriceTable {
    /// The region, such as `us-east-1`.
    pub region: String,
    /// On demand: price of a million read units.
    pub million_read_units: Money,
    /// On demand: price of a million write units.
    pub million_write_units: Money,
    /// Price of a GB stored for a month.
    pub gb_month: Money,
    /// Provisioned: price of one read unit per second for an hour.
    pub read_unit_hour: Money,
    /// Provisioned: price of one write unit per second for an hour.
    pub write_unit_hour: Money,
}

impl PriceTable {
    /// us-east-1 since November 2024, from AWS's page "Amazon DynamoDB pricing".
    pub fn us_east_1() -> Self {
        PriceTable {
            region: "us-east-1".to_owned(),
            million_read_units: Money::from_pico(125_000_000_000),
            million_write_units: Money::from_pico(625_000_000_000),
            gb_month: Money::from_pico(250_000_000_000),
            read_unit_hour: Money::from_pico(130_000_000),
            write_unit_hour: Money::from_pico(650_000_000),
        }
    }

    /// The regions that are built in. Other regions are given as data.
    pub fn built_in() -> Vec<PriceTable> {
        vec![PriceTable::us_east_1()]
    }

    /// The monthly on-demand price of requests at this rate that read `each` units.
    ///
    /// ```
    /// use keywright_dynamodb::{price::PriceTable, units::Units};
    /// let month = PriceTable::us_east_1().reads("100/s".parse()?, Units::HALF);
    /// assert_eq!(month.in_cents(), "$16.43");
    /// # Ok::<(), keywright_dynamodb::rate::NotRate>(())
    /// ```
    pub fn reads(&self, rate: Rate, each: Units) -> Money {
        on_demand(self.million_read_units, rate, each)
    }

    /// The monthly on-demand price of requests at this rate that write `each` units.
    pub fn writes(&self, rate: Rate, each: Units) -> Money {
        on_demand(self.million_write_units, rate, each)
    }

    /// The monthly price of storing `items` items or index entries of `bytes_each` bytes each, overhead
    /// included.
    pub fn storage(&self, items: u64, bytes_each: u64) -> Money {
        let bytes = i128::from(items) * (i128::from(bytes_each) + i128::from(STORAGE_OVERHEAD_BYTES));
        Money::from_pico(divide(self.gb_month.pico() * bytes, i128::from(GB)))
    }

    /// The monthly price of provisioned capacity, in whole units per second.
    pub fn provisioned(&self, read_units: u64, write_units: u64) -> Money {
        let hours = i128::from(MONTH_HOURS);
        self.read_unit_hour * (i128::from(read_units) * hours)
            + self.write_unit_hour * (i128::from(write_units) * hours)
    }
}

/// A month is 730 hours, or 365/12 days: the product is exact, and only the last division rounds.
fn on_demand(million: Money, rate: Rate, each: Units) -> Money {
    let half_units_per_day = i128::from(rate.micro_per_day()) * i128::from(each.half_units());
    let per = 2 * 1_000_000 * 1_000_000 * 24;
    Money::from_pico(multiply_divide(million.pico(), half_units_per_day * i128::from(MONTH_HOURS), per))
}

/// `a × b / c`, rounded to nearest, in two steps so that the product of large rates can't overflow.
fn multiply_divide(a: i128, b: i128, c: i128) -> i128 {
    let (whole, rest) = (b / c, b % c);
    a * whole + divide(a * rest, c)
}

/// Rounds half up, which suffices because prices are never negative.
fn divide(amount: i128, by: i128) -> i128 {
    (amount + by / 2) / by
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn dollars(text: &str) -> Money {
        text.parse().unwrap()
    }

    #[test]
    fn us_east_1_prices_a_month_exactly() {
        let prices = PriceTable::us_east_1();
        // 2 628 000 seconds: 2.628 million units at $0.125 and $0.625.
        assert_eq!(prices.reads(Rate::per_second(1), Units::ONE), dollars("0.3285"));
        assert_eq!(prices.reads(Rate::per_second(1), Units::HALF), dollars("0.16425"));
        assert_eq!(prices.writes(Rate::per_second(1), Units::ONE), dollars("1.6425"));
        assert_eq!(prices.writes(Rate::per_second(300), Units::whole(2)), dollars("985.5"));
        // 24 a day are one an hour: 730 in the month.
        assert_eq!(prices.writes(Rate::per_day(24), Units::ONE), dollars("0.00045625"));
        assert_eq!(prices.provisioned(1, 0), dollars("0.0949"));
        assert_eq!(prices.provisioned(0, 10), dollars("4.745"));
    }

    #[test]
    fn storage_is_billed_with_the_overhead_of_every_item() {
        let prices = PriceTable::us_east_1();
        assert_eq!(prices.storage(GB, 0), dollars("25"));
        // A million times 1 KB: 0.25 × 1 024 000 000 / 2^30 = 0.2384185791015625.
        assert_eq!(prices.storage(1_000_000, 924), dollars("0.238418579102"));
        assert_eq!(prices.storage(0, 400_000), Money::ZERO);
    }

    #[test]
    fn a_price_table_is_data() {
        let text = serde_json::to_string(&PriceTable::us_east_1()).unwrap();
        assert!(text.contains(r#""millionReadUnits":"0.125""#), "{text}");
        assert_eq!(serde_json::from_str::<PriceTable>(&text).unwrap(), PriceTable::us_east_1());
    }

    proptest! {
        #[test]
        fn prices_grow_with_rates_and_units(rate in 0u32..1_000_000, units in 0u64..100_000) {
            let prices = PriceTable::us_east_1();
            let here = prices.writes(Rate::per_day(rate), Units::halves(units));
            prop_assert!(here <= prices.writes(Rate::per_day(rate + 1), Units::halves(units)));
            prop_assert!(here <= prices.writes(Rate::per_day(rate), Units::halves(units + 1)));
        }

        #[test]
        fn nothing_overflows(micro in 0u64..1 << 60, units in 0u64..1_000_000) {
            let rate: Rate = format!("{}/day", micro / 1_000_000).parse().unwrap();
            prop_assert!(PriceTable::us_east_1().writes(rate, Units::halves(units)) >= Money::ZERO);
        }
    }
}

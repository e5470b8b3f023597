//! Money as exact integers: pico-dollars, so that a monthly price is a sum without rounding.

use std::fmt;
use std::iter::Sum;
use std::ops::{Add, AddAssign, Mul, Sub};
use std::str::FromStr;

use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// An amount in pico-dollars (10⁻¹² $). In JSON it is a decimal string of dollars: `"12.5"`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, JsonSchema)]
#[schemars(with = "String")]
pub struct Money(i128);

const PICO: i128 = 1_000_000_000_000;

impl Money {
    /// No money.
    pub const ZERO: Money = Money(0);

    /// An amount given in pico-dollars.
    pub const fn from_pico(pico: i128) -> Self {
        Money(pico)
    }

    /// An amount given in whole dollars.
    pub const fn from_dollars(dollars: i64) -> Self {
        Money(dollars as i128 * PICO)
    }

    /// The amount in pico-dollars.
    pub const fn pico(self) -> i128 {
        self.0
    }

    /// The amount rounded to cents, for display: `$12.34`, `-$0.07`, `under $0.01`.
    pub fn in_cents(self) -> String {
        let cents = PICO / 100;
        if self.0 > 0 && self.0 < cents / 2 {
            return "under $0.01".to_owned();
        }
        let rounded = (self.0.abs() + cents / 2) / cents;
        let sign = if self.0 < 0 { "-" } else { "" };
        format!("{sign}${}.{:02}", rounded / 100, rounded % 100)
    }
}

impl fmt::Display for Money {
    /// Exact decimal dollars without trailing zeros: `0.000000625`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.0 < 0 { "-" } else { "" };
        let (whole, rest) = (self.0.abs() / PICO, self.0.abs() % PICO);
        if rest == 0 {
            return write!(f, "{sign}{whole}");
        }
        let digits = format!("{rest:012}");
        write!(f, "{sign}{whole}.{}", digits.trim_end_matches('0'))
    }
}

/// A text that is not a decimal amount of at most twelve fractional digits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotMoney(String);

impl fmt::Display for NotMoney {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` is not a decimal amount of dollars with at most 12 fractional digits", self.0)
    }
}

impl std::error::Error for NotMoney {}

impl FromStr for Money {
    type Err = NotMoney;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let refuse = || NotMoney(text.to_owned());
        let (negative, digits) = text.strip_prefix('-').map_or((false, text), |rest| (true, rest));
        let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
        let all_digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
        if whole.is_empty()
            || whole.len() > 20
            || fraction.len() > 12
            || !all_digits(whole)
            || !all_digits(fraction)
        {
            return Err(refuse());
        }
        let whole: i128 = whole.parse().map_err(|_| refuse())?;
        let fraction: i128 = format!("{fraction:0<12}").parse().map_err(|_| refuse())?;
        let pico = whole * PICO + fraction;
        Ok(Money(if negative { -pico } else { pico }))
    }
}

impl Serialize for Money {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Money {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}

impl Add for Money {
    type Output = Money;
    fn add(self, other: Money) -> Money {
        Money(self.0 + other.0)
    }
}

impl AddAssign for Money {
    fn add_assign(&mut self, other: Money) {
        self.0 += other.0;
    }
}

impl Sub for Money {
    type Output = Money;
    fn sub(self, other: Money) -> Money {
        Money(self.0 - other.0)
    }
}

impl Mul<i128> for Money {
    type Output = Money;
    fn mul(self, factor: i128) -> Money {
        Money(self.0 * factor)
    }
}

impl Sum for Money {
    fn sum<I: Iterator<Item = Money>>(amounts: I) -> Money {
        amounts.fold(Money::ZERO, Add::add)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prints_and_reads_exactly() {
        for (pico, text) in
            [(0, "0"), (625_000, "0.000000625"), (-1_500_000_000_000, "-1.5"), (PICO * 12, "12")]
        {
            assert_eq!(Money::from_pico(pico).to_string(), text);
            assert_eq!(text.parse(), Ok(Money::from_pico(pico)));
        }
        for text in ["", "-", "1.", "1,5", "1.0000000000001", "1e3", "+1"] {
            assert_eq!(text.parse::<Money>().is_ok(), text == "1.", "{text}");
        }
    }

    #[test]
    fn rounds_for_people() {
        assert_eq!(Money::from_pico(PICO * 1234 / 100).in_cents(), "$12.34");
        assert_eq!(Money::from_pico(PICO / 1000).in_cents(), "under $0.01");
        assert_eq!(Money::from_pico(-7 * PICO / 100).in_cents(), "-$0.07");
        assert_eq!(Money::ZERO.in_cents(), "$0.00");
    }
}

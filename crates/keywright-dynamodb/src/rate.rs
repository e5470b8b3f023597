//! Request rates: exact, so that only the last step of a monthly price rounds.

use std::fmt;
use std::iter::Sum;
use std::ops::Add;
use std::str::FromStr;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A mean rate of requests, in millionths of a request per day, which is exact for every decimal rate per
/// second, minute, hour or day. In JSON it is the text that [`fmt::Display`] prints.
///
/// ```
/// use keywright_dynamodb::rate::Rate;
/// let rate: Rate = "1k/day".parse()?;
/// assert_eq!(rate.to_string(), "1000/day");
/// assert_eq!("0.1/s".parse::<Rate>()?.to_string(), "0.1/s");
/// assert_eq!("60/min".parse::<Rate>()?, Rate::per_second(1));
/// # Ok::<(), keywright_dynamodb::rate::NotRate>(())
/// ```
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(try_from = "String", into = "String")]
#[schemars(with = "String")]
pub struct Rate {
    micro_per_day: u64,
}

const MICRO: u64 = 1_000_000;
const DAY_SECONDS: u64 = 86_400;

/// The periods of a rate: spellings, and how many of the period are in a day. A rate is printed with the
/// first period that is exact.
const PERIODS: [(&[&str], u64); 4] = [
    (&["s", "sec", "second"], DAY_SECONDS),
    (&["min", "minute"], 1_440),
    (&["h", "hour"], 24),
    (&["day", "d"], 1),
];

/// A text that is no rate.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a rate: write `250/s`, `40/min`, `1.5k/h` or `3k/day`, with at most six decimals")]
pub struct NotRate(String);

impl Rate {
    /// Never.
    pub const ZERO: Rate = Rate { micro_per_day: 0 };

    /// A whole number of requests per second.
    pub const fn per_second(requests: u32) -> Self {
        Rate { micro_per_day: requests as u64 * DAY_SECONDS * MICRO }
    }

    /// A whole number of requests per day.
    pub const fn per_day(requests: u32) -> Self {
        Rate { micro_per_day: requests as u64 * MICRO }
    }

    /// Millionths of a request per day.
    pub const fn micro_per_day(self) -> u64 {
        self.micro_per_day
    }

    /// Requests per second, for display and statistics only.
    pub fn approximate_per_second(self) -> f64 {
        self.micro_per_day as f64 / (MICRO * DAY_SECONDS) as f64
    }
}

impl FromStr for Rate {
    type Err = NotRate;

    fn from_str(text: &str) -> Result<Self, NotRate> {
        parse(text).ok_or_else(|| NotRate(text.to_owned()))
    }
}

fn parse(text: &str) -> Option<Rate> {
    let (count, period) = text.split_once('/')?;
    let (count, period) = (count.trim(), period.trim());
    let (_, per_day) = PERIODS.iter().find(|(names, _)| names.contains(&period))?;
    let (digits, factor) = match count.as_bytes().last()? {
        b'k' | b'K' => (&count[..count.len() - 1], 1_000),
        b'm' | b'M' => (&count[..count.len() - 1], 1_000_000),
        _ => (count, 1),
    };
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, "0"));
    let is_digits = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    if !is_digits(whole) || !is_digits(fraction) || fraction.len() > 6 {
        return None;
    }
    let fraction: u64 = format!("{fraction:0<6}").parse().ok()?;
    let micro = whole.parse::<u64>().ok()?.checked_mul(MICRO)?.checked_add(fraction)?;
    Some(Rate { micro_per_day: micro.checked_mul(factor)?.checked_mul(*per_day)? })
}

impl fmt::Display for Rate {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (names, per_day) = PERIODS
            .iter()
            .find(|(_, per_day)| self.micro_per_day.is_multiple_of(*per_day))
            .expect("a rate is a whole number of millionths per day");
        let micro = self.micro_per_day / per_day;
        write!(out, "{}", micro / MICRO)?;
        if !micro.is_multiple_of(MICRO) {
            let fraction = format!("{:06}", micro % MICRO);
            write!(out, ".{}", fraction.trim_end_matches('0'))?;
        }
        write!(out, "/{}", names[0])
    }
}

impl TryFrom<String> for Rate {
    type Error = NotRate;

    fn try_from(text: String) -> Result<Self, NotRate> {
        text.parse()
    }
}

impl From<Rate> for String {
    fn from(rate: Rate) -> Self {
        rate.to_string()
    }
}

impl Add for Rate {
    type Output = Rate;

    /// Saturates: a rate that large exceeds every limit anyway.
    fn add(self, other: Rate) -> Rate {
        Rate { micro_per_day: self.micro_per_day.saturating_add(other.micro_per_day) }
    }
}

impl Sum for Rate {
    fn sum<I: Iterator<Item = Rate>>(rates: I) -> Rate {
        rates.fold(Rate::ZERO, Add::add)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn every_way_to_write_a_rate_is_exact() {
        for (written, micro_per_day) in [
            ("250/s", 250 * DAY_SECONDS * MICRO),
            ("0.000001/s", DAY_SECONDS),
            ("40/min", 57_600 * MICRO),
            ("1.5k/h", 36_000 * MICRO),
            ("3K/day", 3_000 * MICRO),
            ("2m/day", 2_000_000 * MICRO),
            ("1 / day", MICRO),
            ("0/s", 0),
        ] {
            assert_eq!(written.parse::<Rate>().map(Rate::micro_per_day), Ok(micro_per_day), "{written}");
        }
    }

    #[test]
    fn what_is_no_rate_is_refused() {
        for text in [
            "",
            "5",
            "/s",
            "k/s",
            "1.2.3/s",
            "-1/s",
            "1e3/s",
            "5/week",
            "0.0000001/s",
            "99999999999999/s",
            "1./s",
        ] {
            assert!(text.parse::<Rate>().is_err(), "{text}");
        }
    }

    proptest! {
        #[test]
        fn text_reads_back(micro_per_day: u64) {
            let rate = Rate { micro_per_day };
            prop_assert_eq!(rate.to_string().parse(), Ok(rate));
        }
    }
}

//! How often a pattern runs, as exact integers.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A frequency class, as documents name it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum Frequency {
    /// Over 100 per second.
    Hot,
    /// 1 to 100 per second.
    Warm,
    /// Under 1 per second.
    Cold,
}

impl Frequency {
    /// The rate to assume for the class where no number is given.
    pub const fn default_rate(self) -> Rate {
        match self {
            Frequency::Hot => Rate::per_second(300),
            Frequency::Warm => Rate::per_second(10),
            Frequency::Cold => Rate::from_nano(100_000_000),
        }
    }
}

/// Requests per second, exact to a billionth. In JSON a decimal string: `"0.1"`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, JsonSchema)]
#[schemars(with = "String")]
pub struct Rate(u64);

const NANO: u64 = 1_000_000_000;

impl Rate {
    /// A whole number of requests per second.
    pub const fn per_second(count: u64) -> Self {
        Rate(count.saturating_mul(NANO))
    }

    /// `count` requests in `seconds` seconds, rounded down to a billionth per second.
    pub fn per_seconds(count: u64, seconds: u64) -> Self {
        let nano = u128::from(count) * u128::from(NANO) / u128::from(seconds.max(1));
        Rate(u64::try_from(nano).unwrap_or(u64::MAX))
    }

    /// Billionths of a request per second.
    pub const fn from_nano(nano: u64) -> Self {
        Rate(nano)
    }

    /// The rate in billionths of a request per second.
    pub const fn nano(self) -> u64 {
        self.0
    }
}

impl fmt::Display for Rate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (whole, rest) = (self.0 / NANO, self.0 % NANO);
        if rest == 0 {
            return write!(f, "{whole}");
        }
        let digits = format!("{rest:09}");
        write!(f, "{whole}.{}", digits.trim_end_matches('0'))
    }
}

impl Serialize for Rate {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Rate {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        let (whole, fraction) = text.split_once('.').unwrap_or((&text, ""));
        let refuse = || serde::de::Error::custom(format!("`{text}` is not a rate per second"));
        if fraction.len() > 9 || !fraction.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err(refuse());
        }
        let whole: u64 = whole.parse().map_err(|_| refuse())?;
        let fraction: u64 = format!("{fraction:0<9}").parse().map_err(|_| refuse())?;
        Ok(Rate(whole.saturating_mul(NANO).saturating_add(fraction)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates_read_back_from_json() {
        for rate in [Rate::per_second(300), Rate::from_nano(100_000_000), Rate::per_seconds(3_000, 86_400)] {
            let json = serde_json::to_string(&rate).expect("a rate is a string");
            assert_eq!(serde_json::from_str::<Rate>(&json).expect("it was just written"), rate, "{json}");
        }
        assert!(serde_json::from_str::<Rate>("\"1.x\"").is_err());
        assert_eq!(Rate::per_seconds(3_000, 86_400).to_string(), "0.034722222");
    }
}

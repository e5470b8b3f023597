//! Exact decimals: a whole number of units of a power of ten.

use std::cmp::Ordering;
use std::fmt;

/// The error for a text that is not a decimal, or has more digits than a key can hold.
///
/// ```
/// use keywright_key::{Decimal, DecimalError};
/// assert_eq!("1,5".parse::<Decimal>(), Err(DecimalError));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DecimalError;

impl fmt::Display for DecimalError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("not a decimal of at most 38 digits")
    }
}

impl std::error::Error for DecimalError {}

/// An exact decimal of at most 38 digits, DynamoDB's own limit. `1.50` and `1.5` are the same value.
///
/// ```
/// use keywright_key::Decimal;
/// let price: Decimal = "-12.50".parse().unwrap();
/// assert_eq!(price, "-12.5".parse().unwrap());
/// assert_eq!(price.to_string(), "-12.5");
/// assert_eq!(price.units(3), Some(-12_500));
/// assert_eq!(price.units(0), None); // would lose the half
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Decimal {
    // Without trailing zeros after the point, so that equal values have equal fields. Stored as two halves,
    // because the alignment of an `i128` would enlarge every `Value`.
    halves: (i64, u64),
    scale: u8,
}

impl Decimal {
    /// The largest number of digits of a decimal, before and after the point together.
    ///
    /// ```
    /// use keywright_key::Decimal;
    /// let digits = "9".repeat(usize::from(Decimal::MAX_DIGITS));
    /// assert!(digits.parse::<Decimal>().is_ok() && format!("{digits}9").parse::<Decimal>().is_err());
    /// ```
    pub const MAX_DIGITS: u8 = 38;
    const MAX_UNITS: i128 = 10i128.pow(Self::MAX_DIGITS as u32) - 1;

    /// The value `units` · 10^-`scale`; `None` if either exceeds 38 digits.
    ///
    /// ```
    /// use keywright_key::Decimal;
    /// assert_eq!(Decimal::new(1250, 2).unwrap().to_string(), "12.5");
    /// assert_eq!(Decimal::new(0, 39), None);
    /// ```
    pub const fn new(units: i128, scale: u8) -> Option<Decimal> {
        if units > Self::MAX_UNITS || units < -Self::MAX_UNITS || scale > Self::MAX_DIGITS {
            return None;
        }
        let (mut units, mut scale) = (units, scale);
        while scale > 0 && units % 10 == 0 {
            units /= 10;
            scale -= 1;
        }
        Some(Decimal { halves: ((units >> 64) as i64, units as u64), scale })
    }

    const fn whole_units(self) -> i128 {
        (self.halves.0 as i128) << 64 | self.halves.1 as i128
    }

    /// The value in units of 10^-`scale`; `None` if it has more fractional digits or the result is too large.
    ///
    /// ```
    /// use keywright_key::Decimal;
    /// assert_eq!("12.5".parse::<Decimal>().unwrap().units(2), Some(1250));
    /// ```
    pub const fn units(self, scale: u8) -> Option<i128> {
        if scale < self.scale || scale > Self::MAX_DIGITS {
            return None;
        }
        self.whole_units().checked_mul(10i128.pow((scale - self.scale) as u32))
    }

    /// The number of digits after the point that the value needs.
    ///
    /// ```
    /// use keywright_key::Decimal;
    /// assert_eq!("12.50".parse::<Decimal>().unwrap().scale(), 1);
    /// ```
    pub const fn scale(self) -> u8 {
        self.scale
    }
}

impl std::str::FromStr for Decimal {
    type Err = DecimalError;

    /// Parses an optional sign, digits, and an optional point with digits.
    fn from_str(text: &str) -> Result<Self, DecimalError> {
        let (negative, rest) = match text.as_bytes() {
            [b'-', rest @ ..] => (true, rest),
            [b'+', rest @ ..] => (false, rest),
            rest => (false, rest),
        };
        let (mut units, mut scale, mut seen_point, mut seen_digit) = (0i128, 0u8, false, false);
        for byte in rest {
            match byte {
                b'.' if !seen_point && seen_digit => {
                    seen_point = true;
                    seen_digit = false;
                }
                b'0'..=b'9' => {
                    seen_digit = true;
                    // The multiplication overflows only for values that have too many digits anyway.
                    units = units.checked_mul(10).ok_or(DecimalError)? + i128::from(byte - b'0');
                    scale += u8::from(seen_point);
                    if units > Self::MAX_UNITS || scale > Self::MAX_DIGITS {
                        return Err(DecimalError);
                    }
                }
                _ => return Err(DecimalError),
            }
        }
        if !seen_digit {
            return Err(DecimalError);
        }
        Decimal::new(if negative { -units } else { units }, scale).ok_or(DecimalError)
    }
}

impl fmt::Display for Decimal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.halves.0 < 0 { "-" } else { "" };
        let unit = 10u128.pow(u32::from(self.scale));
        let units = self.whole_units().unsigned_abs();
        match self.scale {
            0 => write!(f, "{sign}{units}"),
            scale => write!(f, "{sign}{}.{:0width$}", units / unit, units % unit, width = scale.into()),
        }
    }
}

impl Ord for Decimal {
    fn cmp(&self, other: &Self) -> Ordering {
        // Compare the parts before the point first: bringing both to one scale could overflow.
        let whole = |decimal: &Decimal| decimal.whole_units().div_euclid(10i128.pow(decimal.scale.into()));
        let rest = |decimal: &Decimal| {
            let fraction = decimal.whole_units().rem_euclid(10i128.pow(decimal.scale.into()));
            fraction * 10i128.pow((Self::MAX_DIGITS - decimal.scale).into())
        };
        whole(self).cmp(&whole(other)).then_with(|| rest(self).cmp(&rest(other)))
    }
}

impl PartialOrd for Decimal {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl From<i64> for Decimal {
    fn from(whole: i64) -> Self {
        Decimal { halves: (whole >> 63, whole as u64), scale: 0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_and_prints() {
        for (text, expected) in [
            ("0", "0"),
            ("-0", "0"),
            ("007.500", "7.5"),
            ("+1", "1"),
            ("-0.05", "-0.05"),
            ("99999999999999999999999999999999999999", "99999999999999999999999999999999999999"),
            ("0.00000000000000000000000000000000000001", "0.00000000000000000000000000000000000001"),
        ] {
            assert_eq!(text.parse::<Decimal>().unwrap().to_string(), expected);
        }
    }

    #[test]
    fn refuses_what_is_no_decimal() {
        for text in
            ["", "-", ".", "1.", ".5", "1e3", "1.2.3", " 1", "0x1", "100000000000000000000000000000000000000"]
        {
            assert_eq!(text.parse::<Decimal>(), Err(DecimalError), "{text}");
        }
    }

    #[test]
    fn holds_every_whole_number() {
        for whole in [i64::MIN, -1, 0, 1, i64::MAX] {
            assert_eq!(Decimal::from(whole), whole.to_string().parse().unwrap());
        }
    }

    #[test]
    fn orders_by_value_over_scales() {
        let texts = [
            "-99999999999999999999999999999999999999",
            "-1.5",
            "-1.25",
            "-1",
            "-0.1",
            "0",
            "0.09",
            "0.1",
            "2",
        ];
        let values: Vec<Decimal> = texts.iter().map(|text| text.parse().unwrap()).collect();
        assert!(values.is_sorted());
        assert!(values[0] < values[8]);
    }
}

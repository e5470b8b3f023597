//! DynamoDB's numbers: exact decimals of up to 38 digits, compared by value.

use std::cmp::Ordering;
use std::fmt;
use std::str::FromStr;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::limits;

/// An exact decimal in normal form, so that numbers of equal value compare equal.
///
/// ```
/// use keywright_dynamodb::number::Number;
/// let price: Number = "12.50".parse()?;
/// assert_eq!(price, "1.25e1".parse()?);
/// assert_eq!(price.to_string(), "12.5");
/// assert!(price < "12.500000000000000000000000000000000001".parse()?);
/// # Ok::<(), keywright_dynamodb::number::NumberError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "String", into = "String")]
#[schemars(with = "String")]
pub struct Number {
    negative: bool,
    /// ASCII digits without leading or trailing zeros; empty for zero. The value is `0.DIGITS × 10^exponent`.
    digits: String,
    exponent: i32,
}

/// Why a text is not a DynamoDB number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NumberError {
    /// Not a decimal at all.
    #[error("not a decimal number")]
    Syntax,
    /// More than 38 significant digits.
    #[error("a number has at most {} significant digits", limits::NUMBER_DIGITS)]
    Precision,
    /// Beyond 9.99…E+125, or nearer to zero than 1E-130.
    #[error("a number's magnitude lies between 1E-130 and 9.99E+125")]
    Magnitude,
}

impl Number {
    /// Whether this is zero.
    pub fn is_zero(&self) -> bool {
        self.digits.is_empty()
    }

    /// Whether this is below zero.
    pub fn is_negative(&self) -> bool {
        self.negative
    }

    /// The number with the other sign.
    #[must_use]
    pub fn negated(&self) -> Self {
        Number { negative: !self.negative && !self.is_zero(), ..self.clone() }
    }

    /// The exact sum, as DynamoDB's `ADD` gives it: an error where it has more digits than a number can.
    ///
    /// ```
    /// use keywright_dynamodb::number::Number;
    /// let number = |text: &str| text.parse::<Number>();
    /// assert_eq!(number("1.5")?.plus(&number("-0.25")?)?, number("1.25")?);
    /// # Ok::<(), keywright_dynamodb::number::NumberError>(())
    /// ```
    pub fn plus(&self, other: &Self) -> Result<Self, NumberError> {
        if self.is_zero() || other.is_zero() {
            return Ok(if self.is_zero() { other.clone() } else { self.clone() });
        }
        let last = |it: &Self| it.exponent - it.digits.len() as i32;
        let (high, low) = (self.exponent.max(other.exponent), last(self).min(last(other)));
        let (larger, smaller) =
            if self.compare_magnitudes(other) == Ordering::Less { (other, self) } else { (self, other) };
        // The digit at a place, from the last one up.
        let digit = |it: &Self, place: i32| {
            let at = usize::try_from(it.exponent - 1 - (low + place));
            i32::from(at.ok().and_then(|at| it.digits.as_bytes().get(at)).map_or(0, |digit| digit - b'0'))
        };
        let sign = if larger.negative == smaller.negative { 1 } else { -1 };
        let mut carry = 0;
        let mut reversed = String::new();
        for place in 0..=high - low {
            let sum = digit(larger, place) + sign * digit(smaller, place) + carry;
            carry = sum.div_euclid(10);
            reversed.extend(char::from_digit(sum.rem_euclid(10).unsigned_abs(), 10));
        }
        let digits: String = reversed.chars().rev().collect();
        format!("{}{digits}e{low}", if larger.negative { "-" } else { "" }).parse()
    }

    /// Significant digits before and after the decimal point, without zeros at the outer ends.
    pub(crate) fn significant_digits(&self) -> (u64, u64) {
        let all = self.digits.len() as i64;
        let before = i64::from(self.exponent).clamp(0, all);
        (before as u64, (all - before) as u64)
    }

    fn compare_magnitudes(&self, other: &Self) -> Ordering {
        match (self.is_zero(), other.is_zero()) {
            (true, true) => Ordering::Equal,
            (true, false) => Ordering::Less,
            (false, true) => Ordering::Greater,
            // Digits without zeros at the ends compare like fractions, and fractions compare like text.
            (false, false) => self.exponent.cmp(&other.exponent).then_with(|| self.digits.cmp(&other.digits)),
        }
    }
}

impl FromStr for Number {
    type Err = NumberError;

    fn from_str(text: &str) -> Result<Self, NumberError> {
        let (negative, unsigned) = match text.as_bytes().first() {
            Some(b'-') => (true, &text[1..]),
            Some(b'+') => (false, &text[1..]),
            _ => (false, text),
        };
        let (mantissa, power) = match unsigned.split_once(['e', 'E']) {
            Some((mantissa, power)) => (mantissa, parse_power(power)?),
            None => (unsigned, 0),
        };
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let all_digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
        if whole.len() + fraction.len() == 0 || !all_digits(whole) || !all_digits(fraction) {
            return Err(NumberError::Syntax);
        }
        let written = format!("{whole}{fraction}");
        let leading_zeros = written.bytes().take_while(|&byte| byte == b'0').count();
        let digits = written[leading_zeros..].trim_end_matches('0');
        if digits.is_empty() {
            return Ok(Number { negative: false, digits: String::new(), exponent: 0 });
        }
        if digits.len() > limits::NUMBER_DIGITS {
            return Err(NumberError::Precision);
        }
        let exponent = whole.len() as i64 - leading_zeros as i64 + power;
        let allowed =
            i64::from(limits::NUMBER_SMALLEST_EXPONENT)..=i64::from(limits::NUMBER_LARGEST_EXPONENT);
        if !allowed.contains(&(exponent - 1)) {
            return Err(NumberError::Magnitude);
        }
        Ok(Number { negative, digits: digits.to_owned(), exponent: exponent as i32 })
    }
}

/// Reads the power of ten after an `e`. A power that is too large is a magnitude error, not an overflow.
fn parse_power(text: &str) -> Result<i64, NumberError> {
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(NumberError::Syntax);
    }
    // A mantissa of zeros is valid with any power, so the power saturates here and is checked together with
    // the digits.
    let power = digits.parse::<i64>().unwrap_or(i64::MAX).min(1 << 40);
    Ok(if text.starts_with('-') { -power } else { power })
}

impl fmt::Display for Number {
    /// Prints the number as DynamoDB returns it: without exponent and needless zeros.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_zero() {
            return out.write_str("0");
        }
        if self.negative {
            out.write_str("-")?;
        }
        let count = self.digits.len() as i32;
        if self.exponent <= 0 {
            write!(out, "0.{:0>width$}", self.digits, width = (count - self.exponent) as usize)
        } else if self.exponent >= count {
            write!(out, "{:0<width$}", self.digits, width = self.exponent as usize)
        } else {
            let (whole, fraction) = self.digits.split_at(self.exponent as usize);
            write!(out, "{whole}.{fraction}")
        }
    }
}

impl Ord for Number {
    fn cmp(&self, other: &Self) -> Ordering {
        match (self.negative, other.negative) {
            (false, true) => Ordering::Greater,
            (true, false) => Ordering::Less,
            (false, false) => self.compare_magnitudes(other),
            (true, true) => other.compare_magnitudes(self),
        }
    }
}

impl PartialOrd for Number {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl TryFrom<String> for Number {
    type Error = NumberError;

    fn try_from(text: String) -> Result<Self, NumberError> {
        text.parse()
    }
}

impl From<Number> for String {
    fn from(number: Number) -> Self {
        number.to_string()
    }
}

macro_rules! from_integers {
    ($($integer:ty),*) => {$(
        impl From<$integer> for Number {
            fn from(integer: $integer) -> Self {
                integer.to_string().parse().expect("a 64-bit integer has at most 20 digits")
            }
        }
    )*};
}
from_integers!(i32, i64, u32, u64);

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn number(text: &str) -> Number {
        text.parse().unwrap_or_else(|error| panic!("{text}: {error}"))
    }

    proptest! {
        #[test]
        fn a_sum_is_the_sum_of_the_hundredths(one in -10_000_000i64..10_000_000, other in -10_000_000i64..10_000_000) {
            let hundredths = |it: i64| number(&format!("{it}e-2"));
            let sum = hundredths(one).plus(&hundredths(other)).expect("it has few digits");
            prop_assert_eq!(sum, hundredths(one + other));
        }
    }

    #[test]
    fn a_sum_with_too_many_digits_is_none() {
        assert_eq!(number("1e60").plus(&number("1")), Err(NumberError::Precision));
        assert_eq!(number("99.5").plus(&number("0.5")), Ok(number("100")));
    }

    #[test]
    fn normal_form_is_how_dynamodb_returns_it() {
        for (written, returned) in [
            ("0", "0"),
            ("-0.000", "0"),
            ("0e999999999999999999999", "0"),
            ("0042", "42"),
            ("+7", "7"),
            ("1.200", "1.2"),
            (".5", "0.5"),
            ("5.", "5"),
            ("-1E3", "-1000"),
            ("12.5e-3", "0.0125"),
            ("100", "100"),
        ] {
            assert_eq!(number(written).to_string(), returned, "{written}");
        }
        assert_eq!(number("1E125").to_string().len(), 126);
        assert_eq!(number("1E-130").to_string().len(), 132);
    }

    #[test]
    fn what_is_no_number_is_refused_by_reason() {
        for text in
            ["", "-", ".", "e5", "1e", "1e+", "0x10", " 1", "1 ", "NaN", "Infinity", "--1", "1_000", "١"]
        {
            assert_eq!(text.parse::<Number>(), Err(NumberError::Syntax), "{text}");
        }
        assert_eq!("1".repeat(39).parse::<Number>(), Err(NumberError::Precision));
        for text in ["1E126", "1E-131", "1e99999999999999999999", "-1e-99999999999999999999"] {
            assert_eq!(text.parse::<Number>(), Err(NumberError::Magnitude), "{text}");
        }
        // 38 digits and trailing zeros are still 38 digits.
        assert_eq!(number(&format!("{}000", "9".repeat(38))).digits.len(), 38);
    }

    #[test]
    fn order_is_by_value_across_signs_and_magnitudes() {
        let ascending =
            ["-1E125", "-10", "-9.5", "-0.1", "-1E-130", "0", "1E-130", "0.09", "0.1", "2", "10", "1E2"];
        for pair in ascending.windows(2) {
            assert!(number(pair[0]) < number(pair[1]), "{pair:?}");
        }
    }

    proptest! {
        #[test]
        fn order_agrees_with_integers(a: i64, b: i64) {
            prop_assert_eq!(Number::from(a).cmp(&Number::from(b)), a.cmp(&b));
        }

        #[test]
        fn order_agrees_with_scaled_integers(a: i64, b: i64, places in 0usize..18) {
            let scaled = |value: i64| number(&format!("{value}e-{places}"));
            prop_assert_eq!(scaled(a).cmp(&scaled(b)), a.cmp(&b));
        }

        #[test]
        fn display_reads_back(text in "-?[0-9]{1,20}(\\.[0-9]{1,18})?(e-?[0-9]{1,2})?") {
            let value = number(&text);
            prop_assert_eq!(number(&value.to_string()), value);
        }

        #[test]
        fn reading_is_total(text in "\\PC*") {
            let _ = text.parse::<Number>();
        }
    }
}

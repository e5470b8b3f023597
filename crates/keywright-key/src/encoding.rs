//! How values are encoded in a key, so that the byte order of keys is the order of values.

mod digits;
pub(crate) mod enumeration;
mod float;
pub(crate) mod id;
mod instant;
pub(crate) mod name;
mod number;
pub(crate) mod shard;
pub(crate) mod text;

use std::fmt;

pub use enumeration::{Enumeration, EnumerationOrder};
pub use shard::{Shard, shard_of};

use crate::{BucketSize, KeyFault, Value};

/// Whether greater values give greater keys or smaller keys.
///
/// ```
/// use keywright_key::{Direction, Encoding};
/// assert_eq!(Encoding::parse("desc6").unwrap().direction(), Direction::Descending);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Direction {
    /// Greater values give greater keys.
    Ascending,
    /// Greater values give smaller keys: newest or highest first.
    Descending,
}

/// The number of fractional digits of a second in `iso` instants.
///
/// ```
/// use keywright_key::{Direction, Encoding, Precision};
/// let seconds = Encoding::Iso { precision: Precision::Seconds, direction: Direction::Ascending };
/// assert_eq!(seconds.to_string(), "isos");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Precision {
    /// `isos`: none.
    Seconds,
    /// `iso`: three.
    Millis,
    /// `isou`: six.
    Micros,
}

/// The unit of `epochs` and `epochms`.
///
/// ```
/// use keywright_key::{Direction, Encoding, EpochUnit};
/// let millis = Encoding::Epoch { unit: EpochUnit::Millis, direction: Direction::Ascending };
/// assert_eq!(millis.to_string(), "epochms");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum EpochUnit {
    /// `epochs`: seconds, 12 digits.
    Seconds,
    /// `epochms`: milliseconds, 15 digits.
    Millis,
}

/// An encoding: the part of a placeholder after the colon.
///
/// ```
/// use keywright_key::{Encoding, Value};
/// let score = Encoding::parse("desc6").unwrap();
/// assert_eq!(score.encode(&Value::from(42)).unwrap(), "999957");
/// assert_eq!(score.decode("999957").unwrap(), Value::from(42));
/// assert_eq!(score.width(), Some(6));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Encoding {
    /// No encoding: text as its UTF-8 bytes, with separators escaped or refused by the template.
    Text,
    /// `padN`, `descN`: integers from 0 to 10^N-1, N digits. Descending writes 10^N-1-n.
    Unsigned {
        /// N, 1 to 38.
        digits: u8,
        /// `pad` or `desc`.
        direction: Direction,
    },
    /// `intN`, `intdescN`: integers from -(10^N-1) to 10^N-1, written as N+1 digits of n + 10^N, or
    /// descending of 10^N - n. Ascending, the first digit is `1` from zero up and `0` for negative values.
    Signed {
        /// N, 1 to 37.
        digits: u8,
        /// `int` or `intdesc`.
        direction: Direction,
    },
    /// `decN.S`, `decdescN.S`: decimals with N digits, S of them after the point. The value in units of 10^-S
    /// is written like `intN`, with a point before the last S digits.
    Decimal {
        /// N, 1 to 37.
        digits: u8,
        /// S, 0 to N.
        scale: u8,
        /// `dec` or `decdesc`.
        direction: Direction,
    },
    /// `float`, `floatdesc`: finite floats as 16 hexadecimal digits of their IEEE 754 bits. The sign bit is
    /// flipped for values from zero up, all bits for negative ones; descending inverts the result. -0 is
    /// written as 0.
    Float(Direction),
    /// `bool`, `booldesc`: `0` for false and `1` for true; descending the reverse.
    Bool(Direction),
    /// `iso`, `isos`, `isou` and `…desc`: `2024-01-15T10:30:00.000Z`, years 0000 to 9999. Descending writes 9-d for
    /// every digit d.
    Iso {
        /// The fractional digits of the second.
        precision: Precision,
        /// Ascending or `…desc`.
        direction: Direction,
    },
    /// `epochs`, `epochms` and `…desc`: seconds in 12 or milliseconds in 15 digits since 1970, up to the year 9999.
    /// Descending writes 10^12-1-n or 10^15-1-n.
    Epoch {
        /// Seconds or milliseconds.
        unit: EpochUnit,
        /// Ascending or `…desc`.
        direction: Direction,
    },
    /// `date`, `datedesc`: `2024-01-15`. Descending writes 9-d for every digit d.
    Date(Direction),
    /// `y`, `ym`, `ymd`, `ymdh`: the year, month, day or hour of an instant. Lossy.
    Bucket(BucketSize),
    /// `shardN`: a number from 0 to N-1 hashed from the value ([`shard_of`]), padded to the digits of N-1. Lossy.
    Shard {
        /// N, 1 to 100000.
        count: u32,
    },
    /// `ulid`, `uliddesc`: 26 characters of Crockford's base 32; descending the ULID of the inverted bits.
    Ulid(Direction),
    /// `uuid`, `uuiddesc`: 36 characters in lower case; descending the UUID of the inverted bits.
    Uuid(Direction),
    /// `ksuid`, `ksuiddesc`: 27 characters of base 62; descending the KSUID of the inverted bits.
    Ksuid(Direction),
    /// `enum`, `enumdesc`, `enumname`, `enumnamedesc`: a declared value.
    Enumeration(Enumeration),
}

/// The error for a text that is not an encoding.
///
/// ```
/// use keywright_key::Encoding;
/// let error = Encoding::parse("padd6").unwrap_err();
/// assert_eq!(error.to_string(), "encoding `padd6`: there is no such encoding; did you mean `padN`?");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EncodingError {
    text: String,
    fault: crate::TemplateFault,
}

impl EncodingError {
    /// The reason.
    ///
    /// ```
    /// use keywright_key::{Encoding, TemplateFault};
    /// assert_eq!(*Encoding::parse("pad").unwrap_err().fault(), TemplateFault::NoWidth);
    /// ```
    pub fn fault(&self) -> &crate::TemplateFault {
        &self.fault
    }
}

impl fmt::Display for EncodingError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "encoding `{}`: {}", self.text, self.fault)
    }
}

impl std::error::Error for EncodingError {}

impl Encoding {
    /// The most digits of a number. 38 digits is also DynamoDB's limit.
    ///
    /// ```
    /// use keywright_key::{Encoding, Template};
    /// assert_eq!(Encoding::MAX_DIGITS, 38);
    /// assert!(Template::parse("<n:pad38>").is_ok() && Template::parse("<n:pad39>").is_err());
    /// ```
    pub const MAX_DIGITS: u8 = 38;
    /// The largest number of shards of one attribute.
    ///
    /// ```
    /// use keywright_key::{Encoding, Template};
    /// assert_eq!(Encoding::MAX_SHARDS, 100_000);
    /// assert!(Template::parse("<n:shard100000>").is_ok() && Template::parse("<n:shard100001>").is_err());
    /// ```
    pub const MAX_SHARDS: u32 = 100_000;

    /// Parses an encoding, as written after the colon of a placeholder.
    ///
    /// ```
    /// use keywright_key::Encoding;
    /// assert_eq!(Encoding::parse("shard10").unwrap(), Encoding::Shard { count: 10 });
    /// ```
    pub fn parse(text: &str) -> Result<Encoding, EncodingError> {
        name::parse(text).map_err(|fault| EncodingError { text: text.to_owned(), fault })
    }

    /// Whether greater values give greater or smaller keys.
    ///
    /// ```
    /// use keywright_key::{Direction, Encoding};
    /// assert_eq!(Encoding::parse("isodesc").unwrap().direction(), Direction::Descending);
    /// ```
    pub fn direction(&self) -> Direction {
        match self {
            Encoding::Text | Encoding::Bucket(_) | Encoding::Shard { .. } => Direction::Ascending,
            Encoding::Unsigned { direction, .. }
            | Encoding::Signed { direction, .. }
            | Encoding::Decimal { direction, .. }
            | Encoding::Iso { direction, .. }
            | Encoding::Epoch { direction, .. }
            | Encoding::Float(direction)
            | Encoding::Bool(direction)
            | Encoding::Date(direction)
            | Encoding::Ulid(direction)
            | Encoding::Uuid(direction)
            | Encoding::Ksuid(direction) => *direction,
            Encoding::Enumeration(enumeration) => enumeration.direction(),
        }
    }

    /// The number of bytes that every value takes; `None` for a variable length.
    ///
    /// ```
    /// use keywright_key::Encoding;
    /// assert_eq!(Encoding::parse("int6").unwrap().width(), Some(7));
    /// assert_eq!(Encoding::Text.width(), None);
    /// ```
    pub fn width(&self) -> Option<usize> {
        Some(match self {
            Encoding::Text => return None,
            Encoding::Unsigned { digits, .. } => usize::from(*digits),
            Encoding::Signed { digits, .. } | Encoding::Decimal { digits, scale: 0, .. } => {
                usize::from(*digits) + 1
            }
            Encoding::Decimal { digits, .. } => usize::from(*digits) + 2,
            Encoding::Float(_) => 16,
            Encoding::Bool(_) => 1,
            Encoding::Iso { precision, .. } => instant::iso_width(*precision),
            Encoding::Epoch { unit, .. } => instant::epoch_digits(*unit),
            Encoding::Date(_) => 10,
            Encoding::Bucket(size) => size.width(),
            Encoding::Shard { count } => digits::count(u128::from(count - 1)),
            Encoding::Ulid(_) => 26,
            Encoding::Uuid(_) => 36,
            Encoding::Ksuid(_) => 27,
            Encoding::Enumeration(enumeration) => return enumeration.width(),
        })
    }

    /// Whether the order of values is the byte order of their keys, or its reverse (see
    /// [`Encoding::direction`]). Buckets keep the order of values in different buckets; shards keep no order.
    ///
    /// ```
    /// use keywright_key::Encoding;
    /// assert!(Encoding::parse("ym").unwrap().keeps_order());
    /// assert!(!Encoding::parse("shard10").unwrap().keeps_order());
    /// ```
    pub fn keeps_order(&self) -> bool {
        !matches!(self, Encoding::Shard { .. })
    }

    /// Whether the value can't be read back from the key: buckets and shards keep only a part of it.
    ///
    /// ```
    /// use keywright_key::Encoding;
    /// assert!(Encoding::parse("ym").unwrap().is_lossy());
    /// ```
    pub fn is_lossy(&self) -> bool {
        matches!(self, Encoding::Bucket(_) | Encoding::Shard { .. })
    }

    /// The encoded value on its own. Text is not escaped, since the escape depends on what follows it in the
    /// key.
    ///
    /// ```
    /// use keywright_key::{Encoding, Value};
    /// assert_eq!(Encoding::parse("int3").unwrap().encode(&Value::from(-5)).unwrap(), "0995");
    /// ```
    pub fn encode(&self, value: &Value<'_>) -> Result<String, KeyFault> {
        let mut out = String::with_capacity(self.width().unwrap_or(32));
        self.write(value, &mut out)?;
        Ok(out)
    }

    /// The inverse of [`Encoding::encode`]. Accepts only the output of `encode`.
    ///
    /// ```
    /// use keywright_key::{Encoding, Value};
    /// assert_eq!(Encoding::parse("int3").unwrap().decode("0995").unwrap(), Value::from(-5));
    /// assert!(Encoding::parse("int3").unwrap().decode("995").is_err());
    /// ```
    pub fn decode<'k>(&self, text: &'k str) -> Result<Value<'k>, KeyFault> {
        match self {
            Encoding::Text => Ok(Value::from(text)),
            Encoding::Unsigned { digits, direction } => number::decode_unsigned(text, *digits, *direction),
            Encoding::Signed { digits, direction } => number::decode_signed(text, *digits, *direction),
            Encoding::Decimal { digits, scale, direction } => {
                number::decode_decimal(text, *digits, *scale, *direction)
            }
            Encoding::Float(direction) => float::decode(text, *direction),
            Encoding::Bool(direction) => match (text, direction) {
                ("0", Direction::Ascending) | ("1", Direction::Descending) => Ok(Value::Bool(false)),
                ("1", Direction::Ascending) | ("0", Direction::Descending) => Ok(Value::Bool(true)),
                _ => Err(malformed(text, "`0` or `1`")),
            },
            Encoding::Iso { precision, direction } => instant::decode_iso(text, *precision, *direction),
            Encoding::Epoch { unit, direction } => instant::decode_epoch(text, *unit, *direction),
            Encoding::Date(direction) => instant::decode_date(text, *direction),
            Encoding::Bucket(size) => instant::decode_bucket(text, *size),
            Encoding::Shard { count } => shard::decode(text, *count),
            Encoding::Ulid(direction) => id::decode_ulid(text, *direction),
            Encoding::Uuid(direction) => id::decode_uuid(text, *direction),
            Encoding::Ksuid(direction) => id::decode_ksuid(text, *direction),
            Encoding::Enumeration(enumeration) => enumeration.decode(text),
        }
    }

    /// Parses a value as people write it, not as keys hold it: `42`, `-1.5`, `true`, `2024-01-15T10:30:00Z`,
    /// an id. For a shard this is the attribute's text; for a bucket an instant, a date or the bucket.
    ///
    /// ```
    /// use keywright_key::{Encoding, Value};
    /// let score = Encoding::parse("desc6").unwrap();
    /// assert_eq!(score.read("42").unwrap(), Value::from(42));
    /// ```
    pub fn read<'t>(&self, text: &'t str) -> Result<Value<'t>, KeyFault> {
        match self {
            Encoding::Text | Encoding::Shard { .. } | Encoding::Enumeration(_) => Ok(Value::from(text)),
            Encoding::Unsigned { .. } | Encoding::Signed { .. } => {
                text.parse().map(Value::Integer).map_err(|_| malformed(text, "an integer"))
            }
            Encoding::Decimal { .. } => {
                text.parse().map(Value::Decimal).map_err(|_| malformed(text, "a decimal"))
            }
            Encoding::Float(_) => text.parse().map(Value::Float).map_err(|_| malformed(text, "a float")),
            Encoding::Bool(_) => match text {
                "true" | "1" => Ok(Value::Bool(true)),
                "false" | "0" => Ok(Value::Bool(false)),
                _ => Err(malformed(text, "`true` or `false`")),
            },
            Encoding::Iso { .. } | Encoding::Epoch { .. } => instant::read_instant(text),
            Encoding::Date(_) => {
                crate::Date::parse(text).map(Value::Date).map_err(|_| malformed(text, "a date"))
            }
            Encoding::Bucket(size) => instant::read_bucket(text, *size),
            Encoding::Ulid(_) => id::decode_ulid(text, Direction::Ascending),
            Encoding::Uuid(_) => id::decode_uuid(text, Direction::Ascending),
            Encoding::Ksuid(_) => id::decode_ksuid(text, Direction::Ascending),
        }
    }

    /// Appends the value to a key. After an error the key may hold a part of it.
    pub(crate) fn write(&self, value: &Value<'_>, out: &mut String) -> Result<(), KeyFault> {
        match (self, value) {
            (Encoding::Text, Value::Text(text)) => {
                out.push_str(text);
                Ok(())
            }
            (Encoding::Unsigned { digits, direction }, Value::Integer(value)) => {
                number::write_unsigned(*value, *digits, *direction, out)
            }
            (Encoding::Signed { digits, direction }, Value::Integer(value)) => {
                number::write_signed(*value, *digits, *direction, out)
            }
            (Encoding::Decimal { digits, scale, direction }, Value::Decimal(value)) => {
                number::write_decimal(*value, *digits, *scale, *direction, out)
            }
            (Encoding::Decimal { digits, scale, direction }, Value::Integer(whole)) => {
                match crate::Decimal::new(*whole, 0) {
                    Some(value) => number::write_decimal(value, *digits, *scale, *direction, out),
                    None => Err(number::decimal_range(whole.to_string(), *digits, *scale)),
                }
            }
            (Encoding::Float(direction), Value::Float(value)) => float::write(*value, *direction, out),
            (Encoding::Bool(direction), Value::Bool(value)) => {
                out.push(if *value == (*direction == Direction::Ascending) { '1' } else { '0' });
                Ok(())
            }
            (Encoding::Iso { precision, direction }, Value::Instant(value)) => {
                instant::write_iso(*value, *precision, *direction, out)
            }
            (Encoding::Epoch { unit, direction }, Value::Instant(value)) => {
                instant::write_epoch(*value, *unit, *direction, out)
            }
            (Encoding::Date(direction), Value::Date(value)) => {
                instant::write_date(*value, *direction, out);
                Ok(())
            }
            (Encoding::Bucket(size), value) => instant::write_bucket(value, *size, out),
            (Encoding::Shard { count }, value) => shard::write(value, *count, out),
            (Encoding::Ulid(direction), value) => id::write_ulid(value, *direction, out),
            (Encoding::Uuid(direction), value) => id::write_uuid(value, *direction, out),
            (Encoding::Ksuid(direction), value) => id::write_ksuid(value, *direction, out),
            (Encoding::Enumeration(enumeration), Value::Text(name)) => enumeration.write(name, out),
            (encoding, value) => Err(encoding.wrong_kind(value)),
        }
    }

    /// The values that the encoding accepts, in words for a message.
    ///
    /// ```
    /// use keywright_key::Encoding;
    /// assert_eq!(Encoding::parse("bool").unwrap().takes(), "a boolean");
    /// ```
    pub fn takes(&self) -> &'static str {
        match self {
            Encoding::Text => "text (other kinds need an encoding)",
            Encoding::Unsigned { .. } | Encoding::Signed { .. } => "an integer",
            Encoding::Decimal { .. } => "a decimal or an integer",
            Encoding::Float(_) => "a float",
            Encoding::Bool(_) => "a boolean",
            Encoding::Iso { .. } | Encoding::Epoch { .. } => "an instant",
            Encoding::Date(_) => "a date",
            Encoding::Bucket(_) => "an instant, a date or a bucket of the same size",
            Encoding::Shard { .. } => "any value or a shard number",
            Encoding::Ulid(_) => "a ULID",
            Encoding::Uuid(_) => "a UUID",
            Encoding::Ksuid(_) => "a KSUID",
            Encoding::Enumeration(_) => "the name of a declared value",
        }
    }

    fn wrong_kind(&self, value: &Value<'_>) -> KeyFault {
        KeyFault::Kind { expected: self.takes(), found: value.kind() }
    }
}

/// Prints the encoding as written after the colon; [`Encoding::Text`], which has no name there, as `text`.
impl fmt::Display for Encoding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        name::fmt(self, f)
    }
}

impl std::str::FromStr for Encoding {
    type Err = EncodingError;

    fn from_str(text: &str) -> Result<Self, EncodingError> {
        Encoding::parse(text)
    }
}

impl Direction {
    /// The other direction.
    ///
    /// ```
    /// use keywright_key::Direction;
    /// assert_eq!(Direction::Ascending.reversed(), Direction::Descending);
    /// ```
    pub const fn reversed(self) -> Direction {
        match self {
            Direction::Ascending => Direction::Descending,
            Direction::Descending => Direction::Ascending,
        }
    }

    const fn is_descending(self) -> bool {
        matches!(self, Direction::Descending)
    }
}

fn malformed(text: &str, expected: &'static str) -> KeyFault {
    KeyFault::Malformed { text: text.to_owned(), expected }
}

//! The values that are written into keys and read back.

use std::borrow::Cow;
use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::fmt;

use crate::{Bucket, Date, Decimal, Instant};

/// A value of an attribute, for key templates.
///
/// Text is borrowed where possible: parsing a key copies text only if it was escaped.
///
/// ```
/// use keywright_key::Value;
/// assert_eq!(Value::from("u1").to_string(), "u1");
/// assert_eq!(Value::from(7u32), Value::Integer(7));
/// ```
#[derive(Clone, Debug)]
pub enum Value<'a> {
    /// Text, or the name of a declared value of an enumeration.
    Text(Cow<'a, str>),
    /// A whole number.
    Integer(i128),
    /// An exact decimal.
    Decimal(Decimal),
    /// A binary floating-point number.
    Float(f64),
    /// A truth value.
    Bool(bool),
    /// A point in time.
    Instant(Instant),
    /// A calendar date.
    Date(Date),
    /// The time bucket of an instant.
    Bucket(Bucket),
    /// The shard number of an attribute.
    Shard(u32),
    /// A ULID.
    Ulid(u128),
    /// A UUID.
    Uuid(u128),
    /// A KSUID.
    Ksuid([u8; 20]),
}

impl<'a> Value<'a> {
    /// The kind of value, in words for a message.
    ///
    /// ```
    /// use keywright_key::Value;
    /// assert_eq!(Value::from(true).kind(), "a boolean");
    /// ```
    pub const fn kind(&self) -> &'static str {
        match self {
            Value::Text(_) => "text",
            Value::Integer(_) => "an integer",
            Value::Decimal(_) => "a decimal",
            Value::Float(_) => "a float",
            Value::Bool(_) => "a boolean",
            Value::Instant(_) => "an instant",
            Value::Date(_) => "a date",
            Value::Bucket(_) => "a time bucket",
            Value::Shard(_) => "a shard number",
            Value::Ulid(_) => "a ULID",
            Value::Uuid(_) => "a UUID",
            Value::Ksuid(_) => "a KSUID",
        }
    }

    /// The text, if it is text.
    ///
    /// ```
    /// use keywright_key::Value;
    /// assert_eq!(Value::from("a").as_text(), Some("a"));
    /// ```
    pub fn as_text(&self) -> Option<&str> {
        match self {
            Value::Text(text) => Some(text),
            _ => None,
        }
    }

    /// The same value, borrowed, without copying text.
    ///
    /// ```
    /// use keywright_key::Value;
    /// let owned = Value::from("a".to_owned());
    /// assert_eq!(owned.borrowed(), owned);
    /// ```
    #[inline]
    pub fn borrowed(&self) -> Value<'_> {
        match self {
            Value::Text(text) => Value::Text(Cow::Borrowed(text)),
            Value::Integer(value) => Value::Integer(*value),
            Value::Decimal(value) => Value::Decimal(*value),
            Value::Float(value) => Value::Float(*value),
            Value::Bool(value) => Value::Bool(*value),
            Value::Instant(value) => Value::Instant(*value),
            Value::Date(value) => Value::Date(*value),
            Value::Bucket(value) => Value::Bucket(*value),
            Value::Shard(value) => Value::Shard(*value),
            Value::Ulid(value) => Value::Ulid(*value),
            Value::Uuid(value) => Value::Uuid(*value),
            Value::Ksuid(value) => Value::Ksuid(*value),
        }
    }

    /// The same value with owned text.
    ///
    /// ```
    /// use keywright_key::Value;
    /// let value: Value<'static> = Value::from("a").into_owned();
    /// assert_eq!(value, Value::from("a"));
    /// ```
    pub fn into_owned(self) -> Value<'static> {
        match self {
            Value::Text(text) => Value::Text(Cow::Owned(text.into_owned())),
            Value::Integer(value) => Value::Integer(value),
            Value::Decimal(value) => Value::Decimal(value),
            Value::Float(value) => Value::Float(value),
            Value::Bool(value) => Value::Bool(value),
            Value::Instant(value) => Value::Instant(value),
            Value::Date(value) => Value::Date(value),
            Value::Bucket(value) => Value::Bucket(value),
            Value::Shard(value) => Value::Shard(value),
            Value::Ulid(value) => Value::Ulid(value),
            Value::Uuid(value) => Value::Uuid(value),
            Value::Ksuid(value) => Value::Ksuid(value),
        }
    }

    /// The value as plain text, as the shard hash reads it and `Display` prints it.
    ///
    /// Text is unchanged; numbers are decimal without padding; a float is the shortest decimal that parses
    /// back to it; a boolean is `true` or `false`; instants are RFC 3339 in UTC; ids are in their canonical
    /// form.
    ///
    /// ```
    /// use keywright_key::Value;
    /// assert_eq!(Value::from(7).to_text(), "7");
    /// ```
    pub fn to_text(&self) -> Cow<'_, str> {
        match self {
            Value::Text(text) => Cow::Borrowed(text),
            Value::Bool(true) => Cow::Borrowed("true"),
            Value::Bool(false) => Cow::Borrowed("false"),
            _ => Cow::Owned(self.to_string()),
        }
    }

    /// Compares two values of the same kind; `None` if the kinds differ or a float is not a number.
    ///
    /// ```
    /// use keywright_key::Value;
    /// assert_eq!(Value::from(1).compare(&Value::from(2)), Some(std::cmp::Ordering::Less));
    /// assert_eq!(Value::from(1).compare(&Value::from("2")), None);
    /// ```
    pub fn compare(&self, other: &Value<'_>) -> Option<Ordering> {
        Some(match (self, other) {
            (Value::Text(a), Value::Text(b)) => a.as_bytes().cmp(b.as_bytes()),
            (Value::Integer(a), Value::Integer(b)) => a.cmp(b),
            (Value::Decimal(a), Value::Decimal(b)) => a.cmp(b),
            (Value::Float(a), Value::Float(b)) => return a.partial_cmp(b),
            (Value::Bool(a), Value::Bool(b)) => a.cmp(b),
            (Value::Instant(a), Value::Instant(b)) => a.cmp(b),
            (Value::Date(a), Value::Date(b)) => a.cmp(b),
            (Value::Bucket(a), Value::Bucket(b)) => a.cmp(b),
            (Value::Shard(a), Value::Shard(b)) => a.cmp(b),
            (Value::Ulid(a), Value::Ulid(b)) | (Value::Uuid(a), Value::Uuid(b)) => a.cmp(b),
            (Value::Ksuid(a), Value::Ksuid(b)) => a.cmp(b),
            _ => return None,
        })
    }
}

impl PartialEq for Value<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.compare(other) == Some(Ordering::Equal)
    }
}

impl fmt::Display for Value<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Text(text) => f.write_str(text),
            Value::Integer(value) => value.fmt(f),
            Value::Decimal(value) => value.fmt(f),
            // -0 and 0 are the same value, so they have the same text.
            Value::Float(value) => (value + 0.0).fmt(f),
            Value::Bool(value) => value.fmt(f),
            Value::Instant(value) => value.fmt(f),
            Value::Date(value) => value.fmt(f),
            Value::Bucket(value) => value.fmt(f),
            Value::Shard(value) => value.fmt(f),
            Value::Ulid(value) => crate::encoding::id::fmt_ulid(*value, f),
            Value::Uuid(value) => crate::encoding::id::fmt_uuid(*value, f),
            Value::Ksuid(value) => crate::encoding::id::fmt_ksuid(value, f),
        }
    }
}

impl<'a> From<&'a str> for Value<'a> {
    fn from(text: &'a str) -> Self {
        Value::Text(Cow::Borrowed(text))
    }
}

impl<'a> From<&'a String> for Value<'a> {
    fn from(text: &'a String) -> Self {
        Value::Text(Cow::Borrowed(text))
    }
}

impl From<String> for Value<'_> {
    fn from(text: String) -> Self {
        Value::Text(Cow::Owned(text))
    }
}

impl<'a> From<Cow<'a, str>> for Value<'a> {
    fn from(text: Cow<'a, str>) -> Self {
        Value::Text(text)
    }
}

macro_rules! value_from {
    ($($from:ty => $variant:ident),* $(,)?) => {
        $(impl From<$from> for Value<'_> {
            fn from(value: $from) -> Self {
                Value::$variant(value.into())
            }
        })*
    };
}

value_from! {
    u8 => Integer, u16 => Integer, u32 => Integer, u64 => Integer,
    i8 => Integer, i16 => Integer, i32 => Integer, i64 => Integer, i128 => Integer,
    f32 => Float, f64 => Float, bool => Bool,
    Decimal => Decimal, Instant => Instant, Date => Date, Bucket => Bucket,
}

#[cfg(feature = "ulid")]
impl From<ulid::Ulid> for Value<'_> {
    fn from(id: ulid::Ulid) -> Self {
        Value::Ulid(id.0)
    }
}

#[cfg(feature = "uuid")]
impl From<uuid::Uuid> for Value<'_> {
    fn from(id: uuid::Uuid) -> Self {
        Value::Uuid(id.as_u128())
    }
}

#[cfg(feature = "ksuid")]
impl From<svix_ksuid::Ksuid> for Value<'_> {
    fn from(id: svix_ksuid::Ksuid) -> Self {
        Value::Ksuid(*svix_ksuid::KsuidLike::bytes(&id))
    }
}

/// A source of attribute values for a template, by name.
///
/// Implemented for lists of pairs and for maps; a program can implement it for its own types.
///
/// ```
/// use std::collections::BTreeMap;
/// use keywright_key::{Template, Value};
///
/// let template = Template::parse("USER#<userId>").unwrap();
/// assert_eq!(template.build(&[("userId", Value::from("u1"))]).unwrap(), "USER#u1");
/// let map = BTreeMap::from([("userId".to_owned(), Value::from("u1"))]);
/// assert_eq!(template.build(&map).unwrap(), "USER#u1");
/// ```
pub trait Values {
    /// The value of the attribute; `None` if it has none.
    fn value(&self, attribute: &str) -> Option<&Value<'_>>;

    /// Like [`Values::value`], with the position of the attribute in the template. Lists in that order need
    /// no search.
    #[inline]
    fn value_near(&self, _position: usize, attribute: &str) -> Option<&Value<'_>> {
        self.value(attribute)
    }
}

impl<V: Values + ?Sized> Values for &V {
    fn value(&self, attribute: &str) -> Option<&Value<'_>> {
        (**self).value(attribute)
    }

    #[inline]
    fn value_near(&self, position: usize, attribute: &str) -> Option<&Value<'_>> {
        (**self).value_near(position, attribute)
    }
}

impl<N: AsRef<str>> Values for [(N, Value<'_>)] {
    fn value(&self, attribute: &str) -> Option<&Value<'_>> {
        self.iter().find(|(name, _)| name.as_ref() == attribute).map(|(_, value)| value)
    }

    #[inline]
    fn value_near(&self, position: usize, attribute: &str) -> Option<&Value<'_>> {
        match self.get(position) {
            Some((name, value)) if name.as_ref() == attribute => Some(value),
            _ => self.value(attribute),
        }
    }
}

impl<N: AsRef<str>, const LENGTH: usize> Values for [(N, Value<'_>); LENGTH] {
    fn value(&self, attribute: &str) -> Option<&Value<'_>> {
        self.as_slice().value(attribute)
    }

    #[inline]
    fn value_near(&self, position: usize, attribute: &str) -> Option<&Value<'_>> {
        self.as_slice().value_near(position, attribute)
    }
}

impl<N: AsRef<str>> Values for Vec<(N, Value<'_>)> {
    fn value(&self, attribute: &str) -> Option<&Value<'_>> {
        self.as_slice().value(attribute)
    }

    #[inline]
    fn value_near(&self, position: usize, attribute: &str) -> Option<&Value<'_>> {
        self.as_slice().value_near(position, attribute)
    }
}

impl<N: std::borrow::Borrow<str> + Ord> Values for BTreeMap<N, Value<'_>> {
    fn value(&self, attribute: &str) -> Option<&Value<'_>> {
        self.get(attribute)
    }
}

/// No values, for the prefix before the first attribute.
impl Values for () {
    fn value(&self, _attribute: &str) -> Option<&Value<'_>> {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::Value;

    #[test]
    fn a_value_is_small() {
        assert!(size_of::<Value<'_>>() <= 32, "{}", size_of::<Value<'_>>());
    }
}

//! Rust types whose values can be part of keys, for the fields of an entity.

use crate::{Bucket, Date, Decimal, Instant, Tenant, Value};

/// A type whose values can be written into keys and read back.
///
/// Implement it for a type of your own by converting to a type that has it:
///
/// ```
/// use keywright_key::{FieldKind, KeyField, Value};
///
/// struct UserId(String);
///
/// impl KeyField for UserId {
///     const KIND: FieldKind = FieldKind::Text;
///     fn to_value(&self) -> Value<'_> {
///         Value::from(&self.0)
///     }
///     fn from_value(value: Value<'_>) -> Option<Self> {
///         String::from_value(value).map(UserId)
///     }
/// }
///
/// assert_eq!(UserId("u1".into()).to_value(), Value::from("u1"));
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` can't be part of a key",
    label = "not a type of keys",
    note = "use text, a number, a `bool`, `keywright::Instant`, `Date` or `Decimal`, or an id behind its feature",
    note = "or implement `KeyField` for a type of your own"
)]
pub trait KeyField: Sized {
    /// The kind of value, which determines the valid encodings.
    const KIND: FieldKind;

    /// The value for a key.
    fn to_value(&self) -> Value<'_>;

    /// The inverse of [`KeyField::to_value`]; `None` if the type can't hold the value.
    fn from_value(value: Value<'_>) -> Option<Self>;
}

/// The kinds of values that encodings distinguish.
///
/// ```
/// use keywright_key::FieldKind;
/// const { assert!(FieldKind::Integer.accepts("pad6") && !FieldKind::Integer.accepts("text")) };
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FieldKind {
    /// Text, also the names of an enumeration.
    Text,
    /// Whole numbers.
    Integer,
    /// Exact decimals.
    Decimal,
    /// Floats.
    Float,
    /// Truth values.
    Boolean,
    /// Points in time.
    Instant,
    /// Calendar dates.
    Date,
    /// Buckets of time.
    Bucket,
    /// ULIDs.
    Ulid,
    /// UUIDs.
    Uuid,
    /// KSUIDs.
    Ksuid,
    /// Shard numbers.
    Shard,
}

impl FieldKind {
    /// Whether the encoding with that name accepts values of this kind. A const function, so that the derive
    /// can check types that only the compiler knows.
    ///
    /// ```
    /// use keywright_key::FieldKind;
    /// assert!(FieldKind::Instant.accepts("ymdh") && !FieldKind::Date.accepts("ymdh"));
    /// ```
    pub const fn accepts(self, encoding: &str) -> bool {
        let family = encoding.as_bytes();
        if begins(family, b"shard") {
            return true;
        }
        match self {
            FieldKind::Text => {
                begins(family, b"text")
                    || begins(family, b"enum")
                    || begins(family, b"ulid")
                    || begins(family, b"uuid")
                    || begins(family, b"ksuid")
            }
            FieldKind::Integer => {
                begins(family, b"pad")
                    || begins(family, b"desc")
                    || begins(family, b"int")
                    || begins(family, b"dec")
            }
            FieldKind::Decimal => begins(family, b"dec"),
            FieldKind::Float => begins(family, b"float"),
            FieldKind::Boolean => begins(family, b"bool"),
            FieldKind::Instant => begins(family, b"iso") || begins(family, b"epoch") || begins(family, b"y"),
            FieldKind::Date => begins(family, b"date") || (begins(family, b"y") && !begins(family, b"ymdh")),
            FieldKind::Bucket => begins(family, b"y"),
            FieldKind::Ulid => begins(family, b"ulid"),
            FieldKind::Uuid => begins(family, b"uuid"),
            FieldKind::Ksuid => begins(family, b"ksuid"),
            FieldKind::Shard => false,
        }
    }
}

const fn begins(text: &[u8], start: &[u8]) -> bool {
    let mut at = 0;
    while at < start.len() {
        if at >= text.len() || text[at] != start[at] {
            return false;
        }
        at += 1;
    }
    true
}

impl KeyField for String {
    const KIND: FieldKind = FieldKind::Text;

    fn to_value(&self) -> Value<'_> {
        Value::from(self)
    }

    fn from_value(value: Value<'_>) -> Option<Self> {
        match value {
            Value::Text(text) => Some(text.into_owned()),
            // A text field for which the key uses an id encoding.
            Value::Ulid(_) | Value::Uuid(_) | Value::Ksuid(_) => Some(value.to_string()),
            _ => None,
        }
    }
}

impl KeyField for Tenant {
    const KIND: FieldKind = FieldKind::Text;

    fn to_value(&self) -> Value<'_> {
        Value::from(self)
    }

    fn from_value(value: Value<'_>) -> Option<Self> {
        String::from_value(value).and_then(Tenant::new)
    }
}

macro_rules! copied_field {
    ($($type:ty: $kind:ident, $from:ident => $read:expr;)*) => {
        $(impl KeyField for $type {
            const KIND: FieldKind = FieldKind::$kind;

            fn to_value(&self) -> Value<'_> {
                Value::from(*self)
            }

            fn from_value(value: Value<'_>) -> Option<Self> {
                match value {
                    Value::$from(value) => $read(value),
                    _ => None,
                }
            }
        })*
    };
}

copied_field! {
    u8: Integer, Integer => |value| u8::try_from(value).ok();
    u16: Integer, Integer => |value| u16::try_from(value).ok();
    u32: Integer, Integer => |value| u32::try_from(value).ok();
    u64: Integer, Integer => |value| u64::try_from(value).ok();
    i8: Integer, Integer => |value| i8::try_from(value).ok();
    i16: Integer, Integer => |value| i16::try_from(value).ok();
    i32: Integer, Integer => |value| i32::try_from(value).ok();
    i64: Integer, Integer => |value| i64::try_from(value).ok();
    i128: Integer, Integer => Some;
    f64: Float, Float => Some;
    f32: Float, Float => |value: f64| Some(value as f32).filter(|narrow| f64::from(*narrow) == value);
    bool: Boolean, Bool => Some;
    Decimal: Decimal, Decimal => Some;
    Instant: Instant, Instant => Some;
    Date: Date, Date => Some;
    Bucket: Bucket, Bucket => Some;
}

#[cfg(feature = "ulid")]
copied_field! {
    ulid::Ulid: Ulid, Ulid => |bits| Some(ulid::Ulid(bits));
}

#[cfg(feature = "uuid")]
copied_field! {
    uuid::Uuid: Uuid, Uuid => |bits| Some(uuid::Uuid::from_u128(bits));
}

#[cfg(feature = "ksuid")]
copied_field! {
    svix_ksuid::Ksuid: Ksuid, Ksuid => |bits| Some(<svix_ksuid::Ksuid as svix_ksuid::KsuidLike>::from_bytes(bits));
}

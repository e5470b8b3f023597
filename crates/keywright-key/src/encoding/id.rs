//! ULIDs, UUIDs and KSUIDs, each implemented by its own crate and behind its own feature.

use std::fmt;

use super::{Direction, Encoding};
use crate::{KeyFault, Value};

macro_rules! feature_gated {
    ($feature:literal, $encoding:ident, $write:ident, $decode:ident, $fmt:ident, $bits:ty) => {
        #[cfg(not(feature = $feature))]
        pub(super) fn $write(
            value: &Value<'_>,
            direction: Direction,
            _out: &mut String,
        ) -> Result<(), KeyFault> {
            match value {
                Value::$encoding(_) | Value::Text(_) => Err(KeyFault::Feature { name: $feature }),
                value => Err(Encoding::$encoding(direction).wrong_kind(value)),
            }
        }

        #[cfg(not(feature = $feature))]
        pub(super) fn $decode(_text: &str, _direction: Direction) -> Result<Value<'static>, KeyFault> {
            Err(KeyFault::Feature { name: $feature })
        }

        /// Prints the bits: without the feature there is no canonical text.
        #[cfg(not(feature = $feature))]
        pub(crate) fn $fmt(bits: $bits, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            write!(f, "{bits:02x?}")
        }

        #[cfg(feature = $feature)]
        pub(super) fn $write(
            value: &Value<'_>,
            direction: Direction,
            out: &mut String,
        ) -> Result<(), KeyFault> {
            match value {
                // Only the canonical text is accepted as an id: any other text would not be read back
                // unchanged.
                Value::Text(text) => {
                    let id = $decode(text, Direction::Ascending)?;
                    $write(&id, direction, out)
                }
                Value::$encoding(id) => {
                    let bits = if direction.is_descending() { inverted::$write(*id) } else { *id };
                    canonical::$write(bits, out);
                    Ok(())
                }
                value => Err(Encoding::$encoding(direction).wrong_kind(value)),
            }
        }

        #[cfg(feature = $feature)]
        pub(super) fn $decode(text: &str, direction: Direction) -> Result<Value<'static>, KeyFault> {
            let bits = canonical::$decode(text)
                .ok_or_else(|| super::malformed(text, concat!("a ", $feature, " in its canonical form")))?;
            Ok(Value::$encoding(if direction.is_descending() { inverted::$write(bits) } else { bits }))
        }

        #[cfg(feature = $feature)]
        pub(crate) fn $fmt(bits: $bits, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            let mut text = String::with_capacity(36);
            canonical::$write(bits.to_owned(), &mut text);
            f.write_str(&text)
        }
    };
}

feature_gated!("ulid", Ulid, write_ulid, decode_ulid, fmt_ulid, u128);
feature_gated!("uuid", Uuid, write_uuid, decode_uuid, fmt_uuid, u128);
feature_gated!("ksuid", Ksuid, write_ksuid, decode_ksuid, fmt_ksuid, &[u8; 20]);

/// The canonical text of each id. Other texts that the id's crate would accept are refused, such as
/// lower-case ULIDs and braced UUIDs.
mod canonical {
    #[cfg(feature = "ulid")]
    pub(super) fn write_ulid(bits: u128, out: &mut String) {
        out.push_str(ulid::Ulid(bits).array_to_str(&mut [0; ulid::ULID_LEN]));
    }

    #[cfg(feature = "ulid")]
    pub(super) fn decode_ulid(text: &str) -> Option<u128> {
        let id = ulid::Ulid::from_string(text).ok()?;
        (id.array_to_str(&mut [0; ulid::ULID_LEN]) == text).then_some(id.0)
    }

    #[cfg(feature = "uuid")]
    pub(super) fn write_uuid(bits: u128, out: &mut String) {
        out.push_str(
            uuid::Uuid::from_u128(bits).hyphenated().encode_lower(&mut [0; uuid::fmt::Hyphenated::LENGTH]),
        );
    }

    #[cfg(feature = "uuid")]
    pub(super) fn decode_uuid(text: &str) -> Option<u128> {
        let id = uuid::Uuid::try_parse(text).ok()?;
        let canonical = &*id.hyphenated().encode_lower(&mut [0; uuid::fmt::Hyphenated::LENGTH]) == text;
        canonical.then_some(id.as_u128())
    }

    #[cfg(feature = "ksuid")]
    use svix_ksuid::{Ksuid, KsuidLike};

    #[cfg(feature = "ksuid")]
    pub(super) fn write_ksuid(bits: [u8; 20], out: &mut String) {
        out.push_str(&Ksuid::from_bytes(bits).to_base62());
    }

    #[cfg(feature = "ksuid")]
    pub(super) fn decode_ksuid(text: &str) -> Option<[u8; 20]> {
        // The crate refuses ids that begin with a zero byte, which inverted ids may. So the digits are summed
        // up here, and the result is compared with the crate's own text.
        let mut bits = [0u8; 20];
        for byte in text.bytes() {
            let digit = match byte {
                b'0'..=b'9' => byte - b'0',
                b'A'..=b'Z' => byte - b'A' + 10,
                b'a'..=b'z' => byte - b'a' + 36,
                _ => return None,
            };
            let mut carry = u32::from(digit);
            for place in bits.iter_mut().rev() {
                carry += u32::from(*place) * 62;
                *place = carry as u8;
                carry >>= 8;
            }
        }
        (Ksuid::from_bytes(bits).to_base62() == text).then_some(bits)
    }
}

/// Inverts all bits, so that the greatest id comes first.
mod inverted {
    #[cfg(feature = "ulid")]
    pub(super) fn write_ulid(bits: u128) -> u128 {
        !bits
    }

    #[cfg(feature = "uuid")]
    pub(super) fn write_uuid(bits: u128) -> u128 {
        !bits
    }

    #[cfg(feature = "ksuid")]
    pub(super) fn write_ksuid(bits: [u8; 20]) -> [u8; 20] {
        bits.map(|byte| !byte)
    }
}

//! The size of a value, estimated from the declaration of its attribute.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::size::number_bytes;

/// The types that documents declare.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[allow(missing_docs, reason = "each is its own name")]
pub enum DeclaredType {
    String,
    /// Prose: longer than a string.
    Text,
    Number,
    Integer,
    Decimal,
    Boolean,
    /// ISO 8601 with milliseconds and `Z`.
    Datetime,
    /// ISO 8601, the day alone.
    Date,
    Ulid,
    Uuid,
    Ksuid,
    Enum,
    List,
    Map,
    Set,
    Binary,
}

/// The parts of an attribute's declaration that say something about the size of its values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Declared<'a> {
    /// The type of the value.
    pub kind: DeclaredType,
    /// The typical size, if stated.
    pub bytes: Option<u64>,
    /// The largest value of an integer.
    pub max: Option<u64>,
    /// The values of an enumeration.
    pub values: &'a [String],
}

impl Declared<'_> {
    /// A type about which nothing else is known.
    pub fn only(kind: DeclaredType) -> Self {
        Declared { kind, bytes: None, max: None, values: &[] }
    }
}

/// A typical size, and how it was determined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TypicalBytes {
    /// The bytes of the value, without its name.
    pub bytes: u64,
    /// How the size was determined.
    pub basis: Basis,
}

/// How a size was determined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Basis {
    /// Stated in the document.
    Stated,
    /// Determined or bounded by the type or its declared values.
    Type,
    /// A built-in default: an Assumption that must be reported.
    Default,
}

/// The typical size of a declared value.
///
/// A bounded integer and an enumeration count as their longest value, so that the size is never too small.
pub fn typical_bytes(declared: &Declared<'_>) -> TypicalBytes {
    use DeclaredType as Type;
    if let Some(bytes) = declared.bytes {
        return TypicalBytes { bytes, basis: Basis::Stated };
    }
    let longest_value = declared.values.iter().map(|value| value.len() as u64).max();
    let (bytes, basis) = match (declared.kind, declared.max, longest_value) {
        (Type::Integer | Type::Number, Some(max), _) => (longest_integer_bytes(max), Basis::Type),
        (Type::Enum | Type::String, _, Some(longest)) => (longest, Basis::Type),
        (Type::Boolean, ..) => (1, Basis::Type),
        (Type::Datetime, ..) => ("2026-01-01T00:00:00.000Z".len() as u64, Basis::Type),
        (Type::Date, ..) => ("2026-01-01".len() as u64, Basis::Type),
        (Type::Ulid, ..) => (26, Basis::Type),
        (Type::Uuid, ..) => (36, Basis::Type),
        (Type::Ksuid, ..) => (27, Basis::Type),
        (Type::String | Type::Enum, ..) => (24, Basis::Default),
        (Type::Number | Type::Integer | Type::Decimal, ..) => (8, Basis::Default),
        (Type::Text | Type::List | Type::Map | Type::Set | Type::Binary, ..) => (200, Basis::Default),
    };
    TypicalBytes { bytes, basis }
}

/// The largest size of an integer from 0 to `max`. Trailing zeros take no bytes, so `max` itself is rarely
/// the largest.
fn longest_integer_bytes(max: u64) -> u64 {
    let digits = max.checked_ilog10().unwrap_or(0);
    // Either `max` or `max - 1` has a last digit other than zero. Where `max` is a power of ten, the number
    // of all nines with one digit less may be larger than both.
    let shorter = 10u64.pow(digits).saturating_sub(1);
    [max, max.saturating_sub(1), shorter]
        .map(|value| number_bytes(&value.into()))
        .into_iter()
        .max()
        .unwrap_or(1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn declared(kind: DeclaredType) -> Declared<'static> {
        Declared::only(kind)
    }

    #[test]
    fn what_is_stated_wins_then_what_the_type_says_then_a_default() {
        let text = declared(DeclaredType::Text);
        assert_eq!(typical_bytes(&text), TypicalBytes { bytes: 200, basis: Basis::Default });
        assert_eq!(
            typical_bytes(&Declared { bytes: Some(120), ..text }),
            TypicalBytes { bytes: 120, basis: Basis::Stated }
        );
        let values = ["PENDING".to_owned(), "SHIPPED".to_owned(), "NEW".to_owned()];
        let status = Declared { values: &values, ..declared(DeclaredType::Enum) };
        assert_eq!(typical_bytes(&status), TypicalBytes { bytes: 7, basis: Basis::Type });
        assert_eq!(typical_bytes(&declared(DeclaredType::Ulid)).bytes, 26);
        assert_eq!(typical_bytes(&declared(DeclaredType::Datetime)).bytes, 24);
        assert_eq!(typical_bytes(&declared(DeclaredType::Integer)).bytes, 8);
    }

    proptest! {
        #[test]
        fn no_integer_up_to_the_maximum_is_longer(max in 0u64..2_000_000, part in 0u64..=1_000_000) {
            let value = max * part / 1_000_000;
            let bound = typical_bytes(&Declared { max: Some(max), ..declared(DeclaredType::Integer) }).bytes;
            prop_assert!(number_bytes(&value.into()) <= bound, "{value} of {max}: {bound}");
        }
    }
}

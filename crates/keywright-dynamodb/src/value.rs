//! Attribute values and items. Their only serial form is DynamoDB JSON.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::number::Number;

/// An item or its key: attribute values by name, sorted by name.
pub type Item = BTreeMap<String, AttributeValue>;

/// A value of one attribute; its variants have DynamoDB's own names.
///
/// Numbers are in normal form and sets are ordered, so two values are equal exactly if DynamoDB considers
/// them equal, and each value has one JSON text.
///
/// ```
/// use keywright_dynamodb::value::AttributeValue;
/// let value: AttributeValue = serde_json::from_str(r#"{"NS":["10","2","1.0"]}"#)?;
/// assert_eq!(serde_json::to_string(&value)?, r#"{"NS":["1","2","10"]}"#);
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
pub enum AttributeValue {
    /// A string.
    S(String),
    /// A number.
    N(Number),
    /// Binary, in JSON as base64.
    B(
        #[serde(with = "base64_bytes")]
        #[schemars(with = "String")]
        Vec<u8>,
    ),
    /// A boolean.
    BOOL(bool),
    /// Null, in JSON `{"NULL": true}`.
    NULL(True),
    /// A list.
    L(Vec<AttributeValue>),
    /// A map.
    M(BTreeMap<String, AttributeValue>),
    /// A set of strings.
    SS(BTreeSet<String>),
    /// A set of numbers.
    NS(BTreeSet<Number>),
    /// A set of binaries.
    BS(
        #[serde(with = "base64_set")]
        #[schemars(with = "BTreeSet<String>")]
        BTreeSet<Vec<u8>>,
    ),
}

/// The `true` of `{"NULL": true}`: DynamoDB refuses any other value there.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(try_from = "bool", into = "bool")]
#[schemars(with = "bool")]
pub struct True;

impl TryFrom<bool> for True {
    type Error = &'static str;

    fn try_from(value: bool) -> Result<Self, Self::Error> {
        if value { Ok(True) } else { Err("NULL is true or absent") }
    }
}

impl From<True> for bool {
    fn from(_: True) -> bool {
        true
    }
}

impl AttributeValue {
    /// The null value.
    pub const NOTHING: AttributeValue = AttributeValue::NULL(True);

    /// DynamoDB's name of this value's type: `S`, `N`, `BOOL`, …
    pub fn type_name(&self) -> &'static str {
        match self {
            AttributeValue::S(_) => "S",
            AttributeValue::N(_) => "N",
            AttributeValue::B(_) => "B",
            AttributeValue::BOOL(_) => "BOOL",
            AttributeValue::NULL(_) => "NULL",
            AttributeValue::L(_) => "L",
            AttributeValue::M(_) => "M",
            AttributeValue::SS(_) => "SS",
            AttributeValue::NS(_) => "NS",
            AttributeValue::BS(_) => "BS",
        }
    }

    /// The order of sort keys and of comparisons in expressions: strings and binaries by bytes, numbers by
    /// value. `None` for values of different types and for types without an order.
    pub fn compare(&self, other: &Self) -> Option<Ordering> {
        match (self, other) {
            (AttributeValue::S(a), AttributeValue::S(b)) => Some(a.as_bytes().cmp(b.as_bytes())),
            (AttributeValue::N(a), AttributeValue::N(b)) => Some(a.cmp(b)),
            (AttributeValue::B(a), AttributeValue::B(b)) => Some(a.cmp(b)),
            _ => None,
        }
    }

    /// The text of a string value.
    pub fn as_s(&self) -> Option<&str> {
        if let AttributeValue::S(text) = self { Some(text) } else { None }
    }

    /// The number of a number value.
    pub fn as_n(&self) -> Option<&Number> {
        if let AttributeValue::N(number) = self { Some(number) } else { None }
    }
}

impl From<&str> for AttributeValue {
    fn from(text: &str) -> Self {
        AttributeValue::S(text.to_owned())
    }
}

impl From<String> for AttributeValue {
    fn from(text: String) -> Self {
        AttributeValue::S(text)
    }
}

impl From<bool> for AttributeValue {
    fn from(value: bool) -> Self {
        AttributeValue::BOOL(value)
    }
}

impl From<Number> for AttributeValue {
    fn from(number: Number) -> Self {
        AttributeValue::N(number)
    }
}

impl From<i64> for AttributeValue {
    fn from(integer: i64) -> Self {
        AttributeValue::N(integer.into())
    }
}

/// Bytes as a base64 string.
mod base64_bytes {
    use base64::{Engine as _, engine::general_purpose::STANDARD};
    use serde::{Deserialize, Deserializer, Serializer, de::Error as _};

    pub(super) fn serialize<S: Serializer>(bytes: &[u8], serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&STANDARD.encode(bytes))
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<u8>, D::Error> {
        let text = String::deserialize(deserializer)?;
        STANDARD.decode(text).map_err(|error| D::Error::custom(format!("not base64: {error}")))
    }
}

/// A set of bytes as an array of base64 strings.
mod base64_set {
    use std::collections::BTreeSet;

    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    #[derive(Serialize, Deserialize, PartialEq, Eq, PartialOrd, Ord)]
    struct Bytes(#[serde(with = "super::base64_bytes")] Vec<u8>);

    pub(super) fn serialize<S: Serializer>(
        set: &BTreeSet<Vec<u8>>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(set.iter().map(|bytes| Bytes(bytes.clone())))
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<BTreeSet<Vec<u8>>, D::Error> {
        Ok(Vec::<Bytes>::deserialize(deserializer)?.into_iter().map(|bytes| bytes.0).collect())
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Any value: scalars, sets, and lists and maps of them.
    pub(crate) fn any_value() -> impl Strategy<Value = AttributeValue> {
        let number = || any::<i64>().prop_map(Number::from);
        let bytes = || prop::collection::vec(any::<u8>(), 0..12);
        let leaf = prop_oneof![
            "\\PC{0,12}".prop_map(AttributeValue::S),
            number().prop_map(AttributeValue::N),
            bytes().prop_map(AttributeValue::B),
            any::<bool>().prop_map(AttributeValue::BOOL),
            Just(AttributeValue::NOTHING),
            prop::collection::btree_set("[a-z]{1,4}", 1..4).prop_map(AttributeValue::SS),
            prop::collection::btree_set(number(), 1..4).prop_map(AttributeValue::NS),
            prop::collection::btree_set(bytes(), 1..4).prop_map(AttributeValue::BS),
        ];
        leaf.prop_recursive(3, 16, 4, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..4).prop_map(AttributeValue::L),
                prop::collection::btree_map("[a-z]{1,4}", inner, 0..4).prop_map(AttributeValue::M),
            ]
        })
    }

    #[test]
    fn json_is_dynamodbs() {
        let item: Item = serde_json::from_str(
            r#"{"a":{"S":"x"},"b":{"B":"AAE="},"n":{"NULL":true},"l":{"L":[{"BOOL":false}]},"bs":{"BS":["Ag==","AQ=="]}}"#,
        )
        .unwrap();
        assert_eq!(item["b"], AttributeValue::B(vec![0, 1]));
        assert_eq!(
            serde_json::to_string(&item).unwrap(),
            r#"{"a":{"S":"x"},"b":{"B":"AAE="},"bs":{"BS":["AQ==","Ag=="]},"l":{"L":[{"BOOL":false}]},"n":{"NULL":true}}"#
        );
    }

    #[test]
    fn what_dynamodb_refuses_is_no_value() {
        for text in [
            r#"{"NULL":false}"#,
            r#"{"N":"abc"}"#,
            r#"{"N":5}"#,
            r#"{"B":"%%"}"#,
            r#"{"S":"a","N":"1"}"#,
            r#"{"X":"a"}"#,
            r#"{}"#,
            r#""a""#,
        ] {
            assert!(serde_json::from_str::<AttributeValue>(text).is_err(), "{text}");
        }
    }

    #[test]
    fn only_like_types_with_an_order_compare() {
        let s = |text: &str| AttributeValue::from(text);
        assert_eq!(s("Z").compare(&s("a")), Some(Ordering::Less), "by bytes, not by letters");
        assert_eq!(s("é").compare(&s("z")), Some(Ordering::Greater));
        assert_eq!(AttributeValue::from(9).compare(&AttributeValue::from(10)), Some(Ordering::Less));
        assert_eq!(s("9").compare(&AttributeValue::from(10)), None);
        assert_eq!(AttributeValue::from(true).compare(&AttributeValue::from(false)), None);
    }

    proptest! {
        #[test]
        fn json_reads_back(value in any_value()) {
            let text = serde_json::to_string(&value).unwrap();
            prop_assert_eq!(serde_json::from_str::<AttributeValue>(&text).unwrap(), value);
        }
    }
}

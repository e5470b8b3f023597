//! The number of bytes that DynamoDB counts for a value and for an item.
//!
//! From the developer guide's page "Item sizes and formats". The guide describes numbers and their sign only
//! approximately. The exact rule here is the one that the 400 KB limit shows when it is approached byte by
//! byte.

pub mod declared;

use crate::number::Number;
use crate::value::{AttributeValue, Item};

/// Bytes of a list or map beside its contents.
pub const CONTAINER_BYTES: u64 = 3;
/// Bytes of each element of a list or map beside its contents.
pub const ELEMENT_BYTES: u64 = 1;
/// Most bytes of a number: 38 digits split over both sides of the point, and a sign.
pub const LARGEST_NUMBER_BYTES: u64 = 22;

/// Bytes of an item: the UTF-8 of its names, and its values.
///
/// ```
/// use keywright_dynamodb::{size::item_bytes, value::Item};
/// let item: Item = serde_json::from_str(r#"{"pk":{"S":"USER#1"},"age":{"N":"42"}}"#)?;
/// assert_eq!(item_bytes(&item), 2 + 6 + 3 + 2);
/// # Ok::<(), serde_json::Error>(())
/// ```
pub fn item_bytes(item: &Item) -> u64 {
    item.iter().map(|(name, value)| name.len() as u64 + value_bytes(value)).sum()
}

/// Bytes of a value, without the name of its attribute.
pub fn value_bytes(value: &AttributeValue) -> u64 {
    match value {
        AttributeValue::S(text) => text.len() as u64,
        AttributeValue::N(number) => number_bytes(number),
        AttributeValue::B(bytes) => bytes.len() as u64,
        AttributeValue::BOOL(_) | AttributeValue::NULL(_) => 1,
        AttributeValue::SS(set) => set.iter().map(|text| text.len() as u64).sum(),
        AttributeValue::NS(set) => set.iter().map(number_bytes).sum(),
        AttributeValue::BS(set) => set.iter().map(|bytes| bytes.len() as u64).sum(),
        AttributeValue::L(list) => {
            CONTAINER_BYTES + list.iter().map(|element| ELEMENT_BYTES + value_bytes(element)).sum::<u64>()
        }
        AttributeValue::M(map) => {
            let entries =
                map.iter().map(|(name, value)| ELEMENT_BYTES + name.len() as u64 + value_bytes(value));
            CONTAINER_BYTES + entries.sum::<u64>()
        }
    }
}

/// Bytes of a number: one, plus one for every two digits on either side of the point, plus one for a minus
/// sign.
pub fn number_bytes(number: &Number) -> u64 {
    let (before, after) = number.significant_digits();
    1 + before.div_ceil(2) + after.div_ceil(2) + u64::from(number.is_negative())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::tests::any_value;
    use proptest::prelude::*;

    fn bytes(json: &str) -> u64 {
        value_bytes(&serde_json::from_str(json).unwrap())
    }

    #[test]
    fn every_type_has_its_bytes() {
        for (json, expected) in [
            (r#"{"S":""}"#, 0),
            (r#"{"S":"é€"}"#, 5),
            (r#"{"B":"AAEC"}"#, 3),
            (r#"{"BOOL":false}"#, 1),
            (r#"{"NULL":true}"#, 1),
            (r#"{"SS":["ab","c"]}"#, 3),
            (r#"{"NS":["1","100"]}"#, 4),
            (r#"{"BS":["AAEC","AA=="]}"#, 4),
            (r#"{"L":[]}"#, 3),
            (r#"{"L":[{"S":"ab"},{"BOOL":true}]}"#, 3 + 3 + 2),
            (r#"{"M":{}}"#, 3),
            (r#"{"M":{"key":{"N":"7"}}}"#, 3 + 1 + 3 + 2),
        ] {
            assert_eq!(bytes(json), expected, "{json}");
        }
    }

    #[test]
    fn numbers_count_significant_digits_on_both_sides_of_the_point() {
        for (text, expected) in [
            ("0", 1),
            ("-0", 1),
            ("7", 2),
            ("42", 2),
            ("-42", 3),
            ("123", 3),
            ("1000000", 2),
            ("1E125", 2),
            ("0.001", 2),
            ("1.5", 3),
            ("12.3456", 4),
        ] {
            assert_eq!(number_bytes(&text.parse().unwrap()), expected, "{text}");
        }
        let longest = format!("-{}.{}", "9".repeat(19), "9".repeat(19));
        assert_eq!(number_bytes(&longest.parse().unwrap()), LARGEST_NUMBER_BYTES);
    }

    proptest! {
        #[test]
        fn putting_a_value_into_a_list_costs_four_bytes(value in any_value()) {
            let alone = value_bytes(&value);
            prop_assert_eq!(value_bytes(&AttributeValue::L(vec![value])), alone + CONTAINER_BYTES + ELEMENT_BYTES);
        }

        #[test]
        fn no_number_is_larger_than_the_largest(text in "-?[1-9][0-9]{0,18}(\\.[0-9]{1,19})?") {
            prop_assert!(number_bytes(&text.parse().unwrap()) <= LARGEST_NUMBER_BYTES);
        }
    }
}

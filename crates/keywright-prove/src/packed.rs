//! Items in few bytes: a proof keeps every item that it made, and as maps of strings a hundred thousand of them would
//! take most of the room there is.

use std::collections::BTreeMap;

use keywright_dynamodb::value::{AttributeValue, Item};

/// The names that packed items have in common; each is kept once and stands as a number in them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Names {
    names: Vec<String>,
    numbers: BTreeMap<String, usize>,
}

/// An item that only the [`Names`] which packed it can unpack.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Packed(Box<[u8]>);

/// What the byte before a value says of it. Lists, maps and sets are rare: their JSON will do.
mod tag {
    pub(super) const STRING: u8 = 0;
    pub(super) const NUMBER: u8 = 1;
    pub(super) const BINARY: u8 = 2;
    pub(super) const FALSE: u8 = 3;
    pub(super) const TRUE: u8 = 4;
    pub(super) const NOTHING: u8 = 5;
    pub(super) const JSON: u8 = 6;
}

impl Names {
    /// Packs an item.
    pub(crate) fn pack(&mut self, item: &Item) -> Packed {
        let mut bytes = Vec::with_capacity(item.len() * 16);
        for (name, value) in item {
            let number = match self.numbers.get(name) {
                Some(number) => *number,
                None => {
                    self.names.push(name.clone());
                    self.numbers.insert(name.clone(), self.names.len() - 1);
                    self.names.len() - 1
                }
            };
            write_length(&mut bytes, number);
            write_value(&mut bytes, value);
        }
        Packed(bytes.into())
    }

    /// The item as it was.
    pub(crate) fn unpack(&self, packed: &Packed) -> Item {
        let mut rest = &*packed.0;
        let mut item = Item::new();
        while !rest.is_empty() {
            let name = self.names[read_length(&mut rest)].clone();
            item.insert(name, read_value(&mut rest));
        }
        item
    }
}

fn write_value(bytes: &mut Vec<u8>, value: &AttributeValue) {
    let mut write = |tag: u8, content: &[u8]| {
        bytes.push(tag);
        write_length(bytes, content.len());
        bytes.extend_from_slice(content);
    };
    match value {
        AttributeValue::S(text) => write(tag::STRING, text.as_bytes()),
        AttributeValue::N(number) => write(tag::NUMBER, number.to_string().as_bytes()),
        AttributeValue::B(binary) => write(tag::BINARY, binary),
        AttributeValue::BOOL(false) => bytes.push(tag::FALSE),
        AttributeValue::BOOL(true) => bytes.push(tag::TRUE),
        AttributeValue::NULL(_) => bytes.push(tag::NOTHING),
        AttributeValue::L(_)
        | AttributeValue::M(_)
        | AttributeValue::SS(_)
        | AttributeValue::NS(_)
        | AttributeValue::BS(_) => {
            let json = serde_json::to_vec(value).expect("a value has a JSON form");
            write(tag::JSON, &json);
        }
    }
}

fn read_value(rest: &mut &[u8]) -> AttributeValue {
    const OURS: &str = "only what was packed is unpacked";
    let (tag, after) = rest.split_first().expect(OURS);
    *rest = after;
    match *tag {
        tag::FALSE => AttributeValue::BOOL(false),
        tag::TRUE => AttributeValue::BOOL(true),
        tag::NOTHING => AttributeValue::NOTHING,
        tag => {
            let length = read_length(rest);
            let (content, after) = rest.split_at(length);
            *rest = after;
            let text = || std::str::from_utf8(content).expect(OURS);
            match tag {
                tag::STRING => AttributeValue::S(text().to_owned()),
                tag::NUMBER => AttributeValue::N(text().parse().expect(OURS)),
                tag::BINARY => AttributeValue::B(content.to_vec()),
                _ => serde_json::from_slice(content).expect(OURS),
            }
        }
    }
}

/// Seven bits to a byte, the lowest first; the eighth says that there are more.
fn write_length(bytes: &mut Vec<u8>, mut length: usize) {
    while length >= 0x80 {
        bytes.push(length as u8 | 0x80);
        length >>= 7;
    }
    bytes.push(length as u8);
}

fn read_length(rest: &mut &[u8]) -> usize {
    let mut length = 0;
    let mut shift = 0;
    while let Some((byte, after)) = rest.split_first() {
        *rest = after;
        length |= usize::from(byte & 0x7f) << shift;
        shift += 7;
        if byte & 0x80 == 0 {
            break;
        }
    }
    length
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn value() -> impl Strategy<Value = AttributeValue> {
        let number = (-9_999_999i64..9_999_999, 0u32..4)
            .prop_map(|(digits, scale)| format!("{digits}e-{scale}").parse().unwrap());
        let leaf = prop_oneof![
            ".{0,200}".prop_map(AttributeValue::S),
            number.prop_map(AttributeValue::N),
            prop::collection::vec(any::<u8>(), 0..300).prop_map(AttributeValue::B),
            any::<bool>().prop_map(AttributeValue::BOOL),
            Just(AttributeValue::NOTHING),
            prop::collection::btree_set(".{1,4}", 1..4).prop_map(AttributeValue::SS),
        ];
        leaf.prop_recursive(2, 8, 3, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..3).prop_map(AttributeValue::L),
                prop::collection::btree_map(".{1,4}", inner, 0..3).prop_map(AttributeValue::M),
            ]
        })
    }

    proptest! {
        #[test]
        fn what_is_packed_comes_back(
            items in prop::collection::vec(prop::collection::btree_map(".{1,5}", value(), 0..6), 1..5),
        ) {
            let mut names = Names::default();
            let packed: Vec<Packed> = items.iter().map(|item| names.pack(item)).collect();
            for (item, packed) in items.iter().zip(&packed) {
                prop_assert_eq!(item, &names.unpack(packed));
                prop_assert_eq!(packed, &names.pack(item));
            }
        }
    }
}

//! Keys as they stand in a table: their attributes, and how each gets its value from an item's attributes.

use keywright_model::design::KeyType;

use crate::naming::Encoding;
use crate::path::{Path, Segment};
use crate::problem::{Attr, Attrs, EntityFacts};

/// The key of an entity's items in a table or in an index.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Key {
    pub(crate) partition: Vec<Part>,
    pub(crate) sort: Vec<Part>,
}

/// One attribute of a key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Part {
    pub(crate) name: String,
    pub(crate) ty: KeyType,
    pub(crate) value: PartValue,
}

/// How a key attribute gets its value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum PartValue {
    /// The item's own attribute.
    Own(Attr),
    /// A string.
    Text(Vec<Piece>),
}

/// A piece of a key string.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Piece {
    Literal(String),
    Segment {
        segment: Segment,
        encoding: Encoding,
    },
    /// The shard of an item, hashed from this attribute.
    Shard {
        attr: Attr,
        shards: u64,
    },
}

impl Key {
    /// All attributes of the key, the partition's first.
    pub(crate) fn parts(&self) -> impl Iterator<Item = &Part> {
        self.partition.iter().chain(&self.sort)
    }

    /// The path that the key follows. A sort key that only says the partition key again adds nothing to it.
    pub(crate) fn path(&self) -> Path {
        let mut partition: Vec<Attr> = Vec::new();
        for attr in self.partition.iter().flat_map(Part::segments).map(|segment| segment.attr) {
            if !partition.contains(&attr) {
                partition.push(attr);
            }
        }
        let mut sort: Vec<Segment> = self.sort.iter().flat_map(Part::segments).collect();
        if sort.iter().all(|segment| partition.contains(&segment.attr)) {
            sort.clear();
        }
        Path::of(partition, sort)
    }
}

impl Part {
    /// The attributes that the value is made of, shards apart, in their order.
    pub(crate) fn segments(&self) -> Vec<Segment> {
        match &self.value {
            PartValue::Own(attr) => vec![Segment::up(*attr)],
            PartValue::Text(pieces) => pieces
                .iter()
                .filter_map(|piece| match piece {
                    Piece::Segment { segment, .. } => Some(*segment),
                    Piece::Literal(_) | Piece::Shard { .. } => None,
                })
                .collect(),
        }
    }

    /// The attributes of which a string is made; none where the attribute stands for itself.
    pub(crate) fn composed(&self) -> Attrs {
        match &self.value {
            PartValue::Own(_) => Attrs::NONE,
            PartValue::Text(pieces) => pieces
                .iter()
                .filter_map(|piece| match piece {
                    Piece::Literal(_) => None,
                    Piece::Segment { segment, .. } => Some(segment.attr),
                    Piece::Shard { attr, .. } => Some(*attr),
                })
                .collect(),
        }
    }

    /// The text that every value begins with.
    pub(crate) fn leading_literal(&self) -> &str {
        match &self.value {
            PartValue::Text(pieces) => match pieces.first() {
                Some(Piece::Literal(text)) => text,
                _ => "",
            },
            PartValue::Own(_) => "",
        }
    }
}

impl Piece {
    /// An attribute with the encoding of its type.
    pub(crate) fn of(facts: &EntityFacts, segment: Segment) -> Self {
        let encoding = Encoding::of(facts.attribute(segment.attr), segment.descending);
        Piece::Segment { segment, encoding }
    }
}

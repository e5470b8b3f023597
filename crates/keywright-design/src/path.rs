//! Key paths: which attributes make the partition key and which the sort key, before any literal is chosen.

use keywright_model::model::Literal;

use crate::problem::{Attr, Attrs, EntityFacts};

/// How the keys of an entity's item (or index entry) come from its attributes.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Path {
    /// The partition attributes, in the order of their domains; none for one static collection.
    pub(crate) partition: Vec<Attr>,
    /// The sort attributes.
    pub(crate) sort: Vec<Segment>,
    /// Only items with this value are in it.
    pub(crate) only: Option<(Attr, Literal)>,
    /// The same attributes as sets: the search asks for them all the time.
    partition_set: Attrs,
    attrs: Attrs,
}

/// One attribute of a sort key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Segment {
    pub(crate) attr: Attr,
    /// Encoded so that larger values come first.
    pub(crate) descending: bool,
    /// Written by name in a table that exists, where values do not sort like their names.
    pub(crate) by_name: bool,
}

impl Segment {
    /// An attribute in the order of its values.
    pub(crate) fn up(attr: Attr) -> Self {
        Segment { attr, descending: false, by_name: false }
    }
}

impl Path {
    /// A path whose partition attributes are put in the order of their domains, so that entities that share a
    /// partition agree on it.
    pub(crate) fn new(entity: &EntityFacts, partition: Attrs, sort: Vec<Segment>) -> Self {
        let mut partition: Vec<Attr> = partition.iter().collect();
        partition.sort_by_key(|attr| (entity.attribute(*attr).domain, *attr));
        Path::of(partition, sort)
    }

    /// A path of these attributes in their order.
    pub(crate) fn of(partition: Vec<Attr>, sort: Vec<Segment>) -> Self {
        let partition_set: Attrs = partition.iter().copied().collect();
        let attrs = partition_set.union(sort.iter().map(|segment| segment.attr).collect());
        Path { partition, sort, only: None, partition_set, attrs }
    }

    /// The attributes of the partition key.
    pub(crate) fn partition_set(&self) -> Attrs {
        self.partition_set
    }

    /// Every attribute of the two keys.
    pub(crate) fn attrs(&self) -> Attrs {
        self.attrs
    }
}

/// What an index entry holds beside its keys. The order is that of preference between equals.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Projection {
    All,
    Keys,
    Include(Attrs),
}

impl Projection {
    /// Whether an entry holds these attributes.
    pub(crate) fn holds(self, attrs: Attrs) -> bool {
        match self {
            Projection::All => true,
            Projection::Keys => attrs.is_empty(),
            Projection::Include(list) => attrs.is_subset(list),
        }
    }

    /// Its kind as a position in a [`Counts`](crate::search::Counts).
    pub(crate) fn kind(self) -> usize {
        match self {
            Projection::All => 0,
            Projection::Keys => 1,
            Projection::Include(_) => 2,
        }
    }
}

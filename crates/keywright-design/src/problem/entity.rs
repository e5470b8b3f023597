//! Entities as the search sees them: attributes, identity, what they belong to.

use keywright_dynamodb::limits::PARTITION_KEY_BYTES;
use keywright_finding::Span;
use keywright_model::model::{Period, Type};

use super::{Attr, Attrs, Range};

/// An entity.
#[derive(Debug)]
pub(crate) struct EntityFacts {
    pub(crate) name: String,
    pub(crate) span: Span,
    pub(crate) attributes: Vec<AttributeFacts>,
    /// Years, months, days or hours of instants that reads give: what only keys hold, numbered after the attributes.
    pub(crate) buckets: Vec<AttributeFacts>,
    pub(crate) identity: Vec<Attr>,
    /// The identity is made up by a create (or drawn from a sequence), so no two items ever share it.
    pub(crate) generated: bool,
    pub(crate) singleton: bool,
    /// Holds nothing but a number that writes keep.
    pub(crate) counter: bool,
    /// Ties two entities together that are many to many.
    pub(crate) edge: bool,
    pub(crate) count: u64,
    pub(crate) parents: Vec<ParentLink>,
    /// Attribute sets that need a uniqueness item.
    pub(crate) unique: Vec<Attrs>,
    /// The share of the hottest value, in millionths, where stated.
    pub(crate) skew: Option<u32>,
    pub(crate) retention_days: Option<u64>,
    /// Attributes that every create gives or generates.
    pub(crate) at_creation: Attrs,
    /// Numbers that no key can hold, since nobody could keep it up to date: versions, and what writes add to where the
    /// sum could not be told.
    pub(crate) added: Attrs,
    /// It is another entity once more, under keys of its own.
    pub(crate) copy_of: Option<usize>,
    /// Its items are the versions of another entity's, which nothing changes.
    pub(crate) versions_of: Option<usize>,
    /// Entities that lie in its items.
    pub(crate) held: Vec<HeldEntity>,
    /// Bytes of an item that no attribute accounts for: the document states its size, and that of every attribute.
    pub(crate) rest_bytes: u64,
}

impl EntityFacts {
    /// A kind of item that holds nothing but a number, one for each value of these attributes.
    pub(crate) fn counter(name: String, span: Span, attributes: Vec<AttributeFacts>, count: u64) -> Self {
        let identity: Vec<Attr> = (0..attributes.len()).map(Attr::new).collect();
        EntityFacts {
            name,
            span,
            attributes,
            buckets: Vec::new(),
            singleton: identity.is_empty(),
            identity,
            generated: false,
            counter: true,
            edge: false,
            count,
            parents: Vec::new(),
            unique: Vec::new(),
            skew: None,
            retention_days: None,
            at_creation: Attrs::NONE,
            added: Attrs::NONE,
            copy_of: None,
            versions_of: None,
            held: Vec::new(),
            rest_bytes: 0,
        }
    }
}

/// An entity that lies in another's items.
#[derive(Clone, Debug)]
pub(crate) struct HeldEntity {
    pub(crate) name: String,
    /// There where this attribute is; always, if none.
    pub(crate) marker: Option<Attr>,
    /// The attributes that are its own.
    pub(crate) attrs: Attrs,
}

/// The entity in whose items an entity of that name lies, and as what, where it is not that entity itself.
pub(crate) fn home<'e>(entities: &'e [EntityFacts], name: &str) -> Option<(usize, Option<&'e HeldEntity>)> {
    if let Some(own) = entities.iter().position(|entity| entity.name == name) {
        return Some((own, None));
    }
    entities.iter().enumerate().find_map(|(at, entity)| {
        let held = entity.held.iter().find(|held| held.name == name)?;
        Some((at, Some(held)))
    })
}

/// An attribute.
#[derive(Clone, Debug)]
pub(crate) struct AttributeFacts {
    pub(crate) name: String,
    pub(crate) ty: Type,
    /// Mean bytes of a value.
    pub(crate) bytes: u64,
    pub(crate) distinct: u64,
    pub(crate) optional: bool,
    /// How many items in a million hold it.
    pub(crate) present: u64,
    pub(crate) values: Vec<String>,
    /// The values in the order in which keys hold them by rank; empty where keys hold the value itself.
    pub(crate) rank: Vec<String>,
    pub(crate) max: Option<u64>,
    /// What it means over all entities: a reference has the domain of what it points to.
    pub(crate) domain: Domain,
    /// An instant that a create sets to the present and nothing changes.
    pub(crate) creation_time: bool,
    pub(crate) sequential: bool,
    pub(crate) ttl: bool,
    pub(crate) version: bool,
    /// It names the tenant that the item belongs to.
    pub(crate) tenant: bool,
    /// Some write changes it after creation.
    pub(crate) changes: bool,
    /// A whole number that writes add to without being told what it is.
    pub(crate) grows: bool,
    /// It is no attribute of an item, but the period in which one lies.
    pub(crate) bucket: Option<Bucket>,
}

impl AttributeFacts {
    /// The same value in another item, where nothing changes it.
    pub(crate) fn frozen(&self) -> Self {
        AttributeFacts { changes: false, grows: false, bucket: None, creation_time: false, ..self.clone() }
    }

    /// The bytes that a value can have, as far as the document says: a text with a maximum can be as long as that.
    pub(crate) fn longest(&self) -> u64 {
        let text = !self.ty.is_numeric() && self.ty.is_scalar();
        self.max.filter(|_| text).unwrap_or(0).max(self.bytes)
    }
}

/// The period in which an instant lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Bucket {
    /// The attribute that holds the instant.
    pub(crate) of: Attr,
    pub(crate) period: Period,
}

/// The attribute that a value first belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Domain {
    pub(crate) entity: usize,
    pub(crate) attr: Attr,
}

/// A relationship, seen from the child.
#[derive(Debug)]
pub(crate) struct ParentLink {
    pub(crate) parent: usize,
    /// The child's attributes that hold the parent's identity.
    pub(crate) via: Vec<Attr>,
    /// The one of them that tells the parent by itself, since it is made up for it.
    pub(crate) told: Option<Attr>,
    pub(crate) mean: u64,
    /// Stated only; a mean is no bound.
    pub(crate) max: Option<u64>,
}

impl ParentLink {
    /// Whether these attributes say which parent it is.
    pub(crate) fn is_told_by(&self, attrs: Attrs) -> bool {
        let alone = self.told.is_some_and(|attr| attrs.contains(attr));
        alone || !self.via.is_empty() && self.via_set().is_subset(attrs)
    }

    pub(crate) fn via_set(&self) -> Attrs {
        self.via.iter().copied().collect()
    }
}

impl EntityFacts {
    pub(crate) fn identity_set(&self) -> Attrs {
        self.identity.iter().copied().collect()
    }

    pub(crate) fn attribute(&self, attr: Attr) -> &AttributeFacts {
        match self.attributes.get(attr.index()) {
            Some(stored) => stored,
            None => &self.buckets[attr.index() - self.attributes.len()],
        }
    }

    /// Whether a range goes by the rank of values, which only keys hold.
    pub(crate) fn is_compared_by_rank(&self, range: &Range) -> bool {
        range.prefix.is_none() && !self.attribute(range.attr).rank.is_empty()
    }

    /// Whether a key can hold it: a value by itself, short enough, that every write knows.
    pub(crate) fn may_be_key(&self, attr: Attr) -> bool {
        let it = self.attribute(attr);
        it.ty.is_scalar() && it.longest() <= PARTITION_KEY_BYTES && !self.added.contains(attr)
    }

    /// Every attribute that an item may hold.
    pub(crate) fn all(&self) -> Attrs {
        (0..self.attributes.len()).map(Attr::new).collect()
    }

    /// The attribute that an item holds for it: the instant, for a period.
    pub(crate) fn stored(&self, attr: Attr) -> Attr {
        self.attribute(attr).bucket.map_or(attr, |bucket| bucket.of)
    }

    /// The periods of its instants that keys may hold, each with the instant.
    pub(crate) fn periods(&self) -> impl Iterator<Item = (Attr, Bucket)> + '_ {
        let first = self.attributes.len();
        let numbered = self.buckets.iter().enumerate();
        numbered.filter_map(move |(at, facts)| Some((Attr::new(first + at), facts.bucket?)))
    }

    /// These attributes and the periods that they tell.
    pub(crate) fn with_periods(&self, attrs: Attrs) -> Attrs {
        let told = self.periods().filter(|(_, bucket)| attrs.contains(bucket.of)).map(|(period, _)| period);
        attrs.union(told.collect())
    }

    /// The attribute that counts the versions of an item.
    pub(crate) fn version(&self) -> Option<Attr> {
        self.attributes.iter().position(|it| it.version).map(Attr::new)
    }

    /// The attributes that name the tenant.
    pub(crate) fn tenants(&self) -> Attrs {
        (0..self.attributes.len()).map(Attr::new).filter(|attr| self.attribute(*attr).tenant).collect()
    }

    pub(crate) fn names(&self, attrs: impl IntoIterator<Item = Attr>) -> Vec<String> {
        attrs.into_iter().map(|attr| self.attribute(attr).name.clone()).collect()
    }

    /// All that an item holds beside keys.
    pub(crate) fn everything(&self) -> Attrs {
        (0..self.attributes.len()).map(Attr::new).collect()
    }

    pub(crate) fn named(&self, name: &str) -> Option<Attr> {
        self.attributes.iter().position(|it| it.name == name).map(Attr::new)
    }

    /// The attribute whose hash spreads items over shards: the most distinct of the identity.
    pub(crate) fn shard_attribute(&self) -> Option<Attr> {
        self.identity.iter().copied().max_by_key(|attr| self.attribute(*attr).distinct)
    }

    /// Whether at most one item has given values of these attributes.
    pub(crate) fn at_most_one(&self, attrs: Attrs) -> bool {
        self.singleton
            || (!self.identity.is_empty() && self.identity_set().is_subset(attrs))
            || self.unique.iter().any(|set| set.is_subset(attrs))
    }

    /// The mean number of items that share values of these attributes, at least one.
    pub(crate) fn mean_matches(&self, attrs: Attrs) -> u64 {
        if self.at_most_one(attrs) {
            return 1;
        }
        // A fan-out says more than the distinct values of the reference: start from the smallest one that applies.
        let start = self.parents.iter().filter(|link| link.is_told_by(attrs)).min_by_key(|link| link.mean);
        let (mut mean, rest) = match start {
            // What belongs to a parent belongs to the parent's tenant.
            Some(link) => (link.mean, attrs.minus(link.via_set()).minus(self.tenants())),
            None => (self.count, attrs),
        };
        for attr in rest.iter() {
            mean = mean.div_ceil(self.attribute(attr).distinct.max(1));
        }
        mean.max(1)
    }

    /// The most items that share values of these attributes, where something states it.
    pub(crate) fn most_matches(&self, attrs: Attrs) -> Option<u64> {
        if self.at_most_one(attrs) {
            return Some(1);
        }
        self.parents.iter().filter(|link| link.is_told_by(attrs)).filter_map(|link| link.max).min()
    }

    /// The part of the items, in millionths, that hold all of these attributes.
    pub(crate) fn share_present(&self, attrs: Attrs) -> u64 {
        attrs
            .iter()
            .filter(|attr| self.attribute(*attr).optional)
            .fold(1_000_000, |share, attr| share * self.attribute(attr).present / 1_000_000)
    }
}

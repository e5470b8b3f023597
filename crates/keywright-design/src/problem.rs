//! The design problem: a Model with names resolved to numbers and silence filled with defaults.
//!
//! Everything after this file works on indices; only emission goes back to names.

mod attrs;
mod resolve;

pub(crate) use attrs::{Attr, Attrs};
#[cfg(test)]
pub(crate) use resolve::sift;
pub(crate) use resolve::{
    Countable, Keeping, Resolved, handed_over, is_kept_by_updates, keep_buckets, resolve, siftable,
};

use keywright_dynamodb::limits::PARTITION_KEY_BYTES;
use keywright_finding::Span;
use keywright_model::Rate;
use keywright_model::model::{Bound, Direction, Literal, Period, Type};

use crate::form::Form;
use crate::path::Path;

/// A Model, resolved.
#[derive(Debug)]
pub(crate) struct Problem {
    pub(crate) entities: Vec<EntityFacts>,
    pub(crate) reads: Vec<ReadFacts>,
    pub(crate) writes: Vec<WriteFacts>,
    /// The name of the attribute that tells item types apart.
    pub(crate) type_attribute: String,
}

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

/// A read.
#[derive(Debug)]
pub(crate) struct ReadFacts {
    /// Its place among the Model's patterns.
    pub(crate) pattern: usize,
    pub(crate) id: String,
    pub(crate) span: Span,
    /// One per entity; of several, the head comes first.
    pub(crate) parts: Vec<ReadPart>,
    /// The first part is a head: at most one item.
    pub(crate) has_head: bool,
    /// The number that answers it: an attribute of its only part.
    pub(crate) counted: Option<Attr>,
    /// Entities whose items it wants as one list, by a number that they share.
    pub(crate) interleaved: Vec<usize>,
    /// Of the kinds in that list the only one that is wanted: a filter drops the others.
    pub(crate) wanted: Option<usize>,
    /// What the filter asks of that kind too.
    pub(crate) sieve: Sieve,
    /// The items that it is about, where its only part is the links to them.
    pub(crate) behind: Option<Behind>,
    pub(crate) result: ResultShape,
    pub(crate) rate: Rate,
    pub(crate) peak: Rate,
    pub(crate) strong: bool,
    pub(crate) scan: bool,
}

impl ReadFacts {
    /// The entities whose items come back, each with the attributes returned.
    pub(crate) fn answers(&self) -> impl Iterator<Item = (usize, Attrs)> {
        let wanted = |part: &&ReadPart| self.wanted.is_none_or(|wanted| part.entity == wanted);
        let parts = self.parts.iter().filter(|_| self.behind.is_none()).filter(wanted);
        let behind = self.behind.iter().map(|behind| (behind.entity, behind.returns));
        parts.map(|part| (part.entity, part.returns)).chain(behind)
    }
}

/// What a read of one kind asks of it beside what leads to a list of several kinds.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sieve {
    pub(crate) equal: Vec<Equality>,
    pub(crate) range: Option<Range>,
    pub(crate) more_ranges: Vec<Range>,
}

impl Sieve {
    pub(crate) fn ranges(&self) -> impl Iterator<Item = &Range> {
        self.range.iter().chain(&self.more_ranges)
    }

    /// The attributes that it compares by equality.
    pub(crate) fn eq(&self) -> Attrs {
        self.equal.iter().map(|it| it.attr).collect()
    }

    /// Every attribute that it looks at.
    pub(crate) fn attrs(&self) -> Attrs {
        let mut all = self.eq();
        all.extend(self.ranges().map(|range| range.attr));
        all
    }

    /// A part of a list as the read asked for it, with all that the filter asks.
    pub(crate) fn unsifted(self, part: ReadPart) -> ReadPart {
        let equal = part.equal.into_iter().chain(self.equal).collect();
        ReadPart { equal, range: self.range, more_ranges: self.more_ranges, ..part }
    }
}

/// Items that a read finds through their links.
#[derive(Clone, Debug)]
pub(crate) struct Behind {
    pub(crate) entity: usize,
    /// The attributes of the items that a link tells, each with the link's attribute that holds it.
    pub(crate) held: Vec<(Attr, Attr)>,
    /// The wanted order, which no link has.
    pub(crate) order: Vec<(Attr, Direction)>,
    /// The attributes returned.
    pub(crate) returns: Attrs,
}

/// What a read gives back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ResultShape {
    Single,
    Whole,
    Page(u64),
    Count,
}

/// What a read asks of one entity.
#[derive(Clone, Debug, Default)]
pub(crate) struct ReadPart {
    pub(crate) entity: usize,
    pub(crate) equal: Vec<Equality>,
    pub(crate) range: Option<Range>,
    /// Ranges that no key can serve beside the first: always filters.
    pub(crate) more_ranges: Vec<Range>,
    pub(crate) order: Vec<(Attr, Direction)>,
    /// The attributes returned; all declared unless stated.
    pub(crate) returns: Attrs,
    /// The order is of something that comes later, so that the caller sorts.
    pub(crate) sorted_later: bool,
    /// Only items that hold this attribute are wanted, though nothing else says so.
    pub(crate) holding: Option<Attr>,
}

impl ReadPart {
    /// Attributes that are given by equality.
    pub(crate) fn eq(&self) -> Attrs {
        self.equal.iter().filter(|it| !it.optional).map(|it| it.attr).collect()
    }

    pub(crate) fn equality(&self, attr: Attr) -> Option<&Equality> {
        self.equal.iter().find(|it| it.attr == attr)
    }

    /// Every attribute that it mentions.
    pub(crate) fn mentions(&self) -> Attrs {
        let mut all: Attrs = self.equal.iter().map(|it| it.attr).collect();
        all.extend(self.range.iter().map(|range| range.attr));
        all.extend(self.order.iter().map(|(attr, _)| *attr));
        all
    }
}

/// An equality of a read.
#[derive(Clone, Debug)]
pub(crate) struct Equality {
    pub(crate) attr: Attr,
    /// The input's name.
    pub(crate) input: String,
    pub(crate) constant: Option<Literal>,
    /// The caller may leave it out.
    pub(crate) optional: bool,
    /// The caller gives several values.
    pub(crate) list: bool,
}

/// A range or a prefix.
#[derive(Clone, Debug)]
pub(crate) struct Range {
    pub(crate) attr: Attr,
    pub(crate) lower: Option<(String, Bound)>,
    pub(crate) upper: Option<(String, Bound)>,
    pub(crate) prefix: Option<String>,
}

/// A write or a delete.
#[derive(Debug)]
pub(crate) struct WriteFacts {
    pub(crate) pattern: usize,
    pub(crate) id: String,
    pub(crate) span: Span,
    pub(crate) effects: Vec<EffectFacts>,
    /// Conditions on items that no effect touches.
    pub(crate) checks: Vec<CheckFacts>,
    /// What touches all items of a collection fits into the same transaction.
    pub(crate) all_in_transaction: bool,
    /// All or nothing: asked for, or forced by a check, a uniqueness item or a sequence.
    pub(crate) transaction: bool,
    pub(crate) rate: Rate,
    pub(crate) peak: Rate,
}

impl WriteFacts {
    /// Whether an effect is part of a transaction: with all others, or with the number that is kept of what it deletes.
    pub(crate) fn holds_together(&self, effect: &EffectFacts) -> bool {
        self.transaction && (!effect.all || self.all_in_transaction) || effect.is_portioned()
    }
}

/// What a write does to one entity.
#[derive(Debug)]
pub(crate) struct EffectFacts {
    pub(crate) entity: usize,
    pub(crate) action: EffectAction,
    /// The identifier of its item and the input that gives it, where several inputs point to items of its entity.
    pub(crate) named_by: Option<(Attr, String)>,
    /// Touches all items that `given` selects.
    pub(crate) all: bool,
    /// Attributes whose present values the caller gives.
    pub(crate) given: Attrs,
    /// Attributes that get new values or go (all that are known, for a create).
    pub(crate) sets: Attrs,
    /// Those of them that it adds to: what they become is known only to who reads them first.
    pub(crate) grows: Attrs,
    /// Those of them that stay as they are where the caller leaves them out.
    pub(crate) maybe: Attrs,
    /// Those of them that go: the item does not hold them any more.
    pub(crate) removes: Attrs,
    /// Those of them whose new value is always the same.
    pub(crate) fixed: Vec<(Attr, Literal)>,
    /// What its conditions say that attributes are before it; none where they only say that there is a value.
    pub(crate) was: Vec<(Attr, Option<Literal>)>,
    /// What its conditions say that the item does not hold before it.
    pub(crate) lacked: Attrs,
    /// Its conditions say that the item is there: where it puts one, it always replaces one.
    pub(crate) there: bool,
    /// The sets of `EntityFacts::unique` whose items come, go or move with it.
    pub(crate) unique: Vec<usize>,
    /// Indices of the Model's conditions that ride on it.
    pub(crate) conditions: Vec<usize>,
    /// The effect of the same write whose item, once read, gives this one's key.
    pub(crate) derived_from: Option<usize>,
    /// Another effect's key comes from this one's item, so it is read first.
    pub(crate) read_first: bool,
    /// Counters of this item that go up or down with the write's other effects.
    pub(crate) adds: Vec<(Attr, i64)>,
    /// Counters of this item that must be as they were read when it goes: nothing came under it meanwhile.
    pub(crate) settled: Attrs,
    /// The item comes to be where it is not there yet.
    pub(crate) upsert: bool,
    /// A number goes up or down with it, so that it must not happen twice.
    pub(crate) counted: bool,
    /// The effect on all items of another entity that it counts: each portion of what is deleted has its own.
    pub(crate) counts_all: Option<usize>,
    /// How often it is sent in one call on average, where it is not repeated for every item.
    pub(crate) portions: u64,
    /// The counter of this item that gives out the next number of a sequence.
    pub(crate) next_number: Option<Attr>,
    /// This item's number is the next of a counter: the attribute, the counter, the effect that keeps it.
    pub(crate) numbered_by: Option<(Attr, Attr, usize)>,
    /// The effect of the same write whose item, as it then is, this one keeps as a version.
    pub(crate) version_of: Option<usize>,
    /// Another effect keeps a version of its item.
    pub(crate) versioned: bool,
    /// Looks once more, when all is done, for items that came meanwhile.
    pub(crate) swept: bool,
    /// Indices of the Model's effects that it stands for.
    pub(crate) sources: Vec<usize>,
}

impl EffectFacts {
    /// Whether a string of an index key may have to be written of which the caller left something out: then what was there
    /// must be known. An entry that comes and goes depends on all its attributes.
    pub(crate) fn leaves_out(&self, entity: &EntityFacts, path: &Path, form: Form, string: Attrs) -> bool {
        let gate: Attrs = path.only.iter().map(|(attr, _)| *attr).collect();
        let optional = |attr: Attr| entity.attribute(attr).optional && self.sets.contains(attr);
        let of = if form == Form::Generic { path.attrs() } else { string };
        let comes_and_goes = !gate.intersection(self.sets).is_empty() || of.iter().any(optional);
        let changed = if comes_and_goes { of.union(gate) } else { string }.intersection(self.sets);
        let mut all = changed.iter();
        all.next().is_some()
            && all.next().is_some()
            && changed.iter().any(|attr| self.maybe.contains(entity.stored(attr)))
    }

    /// What its items must be known to hold before it writes a string of an index, since nothing that is said of the write
    /// tells it: such a string is there where the item is in the index, and nowhere else.
    pub(crate) fn unsure(&self, entity: &EntityFacts, path: &Path, form: Form, string: Attrs) -> Attrs {
        let of = if form == Form::Generic { path.attrs() } else { string };
        if self.action != EffectAction::Update || string.intersection(self.sets).is_empty() {
            return Attrs::NONE;
        }
        let is_open = |attr: Attr| !self.sets.contains(attr) && !self.given.contains(entity.stored(attr));
        let held = |attr: Attr| self.was.iter().any(|(was, _)| *was == entity.stored(attr));
        let optional = of.iter().filter(|attr| entity.attribute(*attr).optional && !held(*attr));
        let told = |attr: Attr| self.was.iter().any(|(was, value)| *was == attr && value.is_some());
        let gate = path.only.iter().map(|(attr, _)| *attr).filter(|attr| !told(*attr));
        optional.chain(gate).filter(|attr| is_open(*attr)).collect()
    }

    /// Whether its items surely are not in an index before it and after it, by what its conditions say of them.
    pub(crate) fn stays_out(&self, entity: &EntityFacts, path: &Path, form: Form, string: Attrs) -> bool {
        let of = if form == Form::Generic { path.attrs() } else { string };
        let other = |gate: &Literal, was: &Literal| gate.to_string() != was.to_string();
        let closed = path.only.as_ref().is_some_and(|(attr, gate)| {
            let was = |(told, was): &(Attr, Option<Literal>)| {
                told == attr && was.as_ref().is_some_and(|was| other(gate, was))
            };
            !self.sets.contains(*attr) && self.was.iter().any(was)
        });
        let lacks = |attr: Attr| self.lacked.contains(entity.stored(attr)) && !self.sets.contains(attr);
        self.action == EffectAction::Update && (closed || of.iter().any(lacks))
    }

    /// Whether its items surely have another value than the one that an index is for.
    pub(crate) fn closes(&self, gate: Option<&(Attr, Literal)>) -> bool {
        let Some((attr, value)) = gate else { return false };
        let other = |(set, new): &(Attr, Literal)| set == attr && new.to_string() != value.to_string();
        self.removes.contains(*attr) || self.fixed.iter().any(other)
    }

    /// Whether it surely ends the string of these attributes in an index: nothing has to be known to take it out.
    pub(crate) fn ends(&self, form: Form, path: &Path, string: Attrs) -> bool {
        // Both strings of a generic key come and go together.
        let of = if form == Form::Generic { path.attrs() } else { string };
        self.action == EffectAction::Update
            && (self.closes(path.only.as_ref()) || !of.intersection(self.removes).is_empty())
    }

    /// Whether it surely takes its items out of an index.
    pub(crate) fn leaves(&self, path: &Path) -> bool {
        self.ends(Form::Generic, path, path.attrs())
    }

    /// Whether each portion of it is a transaction with the number that is kept of it.
    pub(crate) fn is_portioned(&self) -> bool {
        self.all && self.counted || self.counts_all.is_some()
    }

    /// The attributes that it may give an item other values of, or take from it: a put replaces all but the identity.
    pub(crate) fn replaces(&self, entity: &EntityFacts) -> Attrs {
        if self.action != EffectAction::Put {
            return self.sets;
        }
        let all: Attrs = (0..entity.attributes.len()).map(Attr::new).collect();
        entity.with_periods(all.minus(entity.identity_set()))
    }

    /// How many items one call touches on average, or how often it touches the one.
    pub(crate) fn times(&self, entity: &EntityFacts) -> u64 {
        if self.all { entity.mean_matches(self.given) } else { self.portions }
    }
}

/// What happens to an item.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum EffectAction {
    Create,
    Put,
    Update,
    Delete,
}

/// An item that a write checks without changing it.
#[derive(Debug)]
pub(crate) struct CheckFacts {
    pub(crate) entity: usize,
    pub(crate) given: Attrs,
    /// The identifier of its item and the input that gives it, where several inputs point to items of its entity.
    pub(crate) named_by: Option<(Attr, String)>,
    /// Indices of the Model's conditions that it checks.
    pub(crate) conditions: Vec<usize>,
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

    /// Whether a key can hold it: a value by itself, short enough, that every write knows.
    pub(crate) fn may_be_key(&self, attr: Attr) -> bool {
        let it = self.attribute(attr);
        it.ty.is_scalar() && it.bytes <= PARTITION_KEY_BYTES && !self.added.contains(attr)
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

//! Reads as the search sees them: what they ask of each entity.

use keywright_finding::Span;
use keywright_model::Rate;
use keywright_model::model::{Bound, Direction, Literal};

use super::{Attr, Attrs};

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

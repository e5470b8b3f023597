//! How a path serves a demand: which part of the key condition, what is filtered, who sorts.

mod unique;
mod waste;

pub(crate) use unique::by_unique;

use keywright_model::model::Direction;

use crate::candidate::time_ordered_id;
use crate::demand::Demand;
use crate::path::{Path, Segment};
use crate::problem::{Attr, Attrs, EntityFacts, ReadPart, ResultShape};

/// At most so many Queries in parallel over the values of enumerations.
const MOST_SCATTERED: u64 = 10;

/// How a path serves a demand, apart from what that costs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Fit {
    /// Enumerations of the partition key that the demand does not give: one Query for each value.
    pub(crate) scatter: Vec<Attr>,
    /// So many leading sort attributes are given by equality.
    pub(crate) run: usize,
    /// The next sort attribute has the demand's range.
    pub(crate) range: bool,
    /// The next sort attribute has an equality that the caller may leave out.
    pub(crate) optional: Option<Attr>,
    /// The next sort attribute is an instant whose period the demand gives: this period, as the beginning of it.
    pub(crate) within: Option<Attr>,
    /// Equalities that the key does not serve.
    pub(crate) filter: Attrs,
    /// Instants that a filter holds against the period that the demand gives, each with the period.
    pub(crate) filter_within: Vec<(Attr, Attr)>,
    /// The range is a filter.
    pub(crate) filter_range: bool,
    /// The key order is not the wanted one.
    pub(crate) client_sort: bool,
    /// Optional attributes of the order that the path does not hold: only items with them are wanted.
    pub(crate) held: Attrs,
    /// Ascending in key order.
    pub(crate) forward: bool,
    /// The demand gives the whole key, and asks for nothing beyond it.
    pub(crate) whole_key: bool,
    /// The demand gives several values of one attribute.
    pub(crate) list: bool,
}

impl Fit {
    /// Attributes that a filter looks at.
    pub(crate) fn filtered(&self, part: &ReadPart) -> Attrs {
        let mut attrs = self.filter;
        attrs.extend(self.filter_within.iter().map(|(instant, _)| *instant));
        if self.filter_range {
            attrs.extend(part.range.iter().map(|range| range.attr));
        }
        attrs.extend(part.more_ranges.iter().map(|range| range.attr));
        attrs.extend(part.holding);
        attrs.union(self.held)
    }

    /// Attributes that an entry must hold to be served from there: what a filter looks at, also that of an equality which
    /// the caller may leave out, since a key string has no place for a value that may be missing.
    pub(crate) fn looked_at(&self, part: &ReadPart) -> Attrs {
        let mut attrs = self.filtered(part);
        attrs.extend(self.optional);
        attrs
    }

    /// What has to be there of an item: what is returned, and what the caller sorts by.
    pub(crate) fn wanted(&self, part: &ReadPart) -> Attrs {
        let order = part.order.iter().filter(|_| self.client_sort).map(|(attr, _)| *attr);
        part.returns.union(order.collect())
    }

    /// The attributes that the key condition fixes by equality.
    pub(crate) fn fixed(&self, path: &Path) -> Attrs {
        let mut fixed = path.partition_set();
        fixed.extend(path.sort[..self.run].iter().map(|segment| segment.attr));
        fixed.extend(path.only.iter().map(|(attr, _)| *attr));
        fixed.extend(self.within);
        fixed
    }

    /// How many Queries run in parallel.
    pub(crate) fn queries(&self, entity: &EntityFacts) -> u64 {
        self.scatter.iter().map(|attr| entity.attribute(*attr).values.len() as u64).product()
    }
}

/// How the path serves the demand, if it can at all.
pub(crate) fn fit(entity: &EntityFacts, demand: &Demand, path: &Path) -> Option<Fit> {
    let part = &demand.part;
    let eq = entity.with_periods(part.eq());
    if let Some((attr, value)) = &path.only {
        let constant = part.equality(*attr).and_then(|equality| equality.constant.as_ref());
        if constant != Some(value) {
            return None;
        }
    }
    let mut mentioned = part.mentions();
    mentioned.extend(part.mentions().iter().map(|attr| entity.stored(attr)));
    let mentioned = entity.with_periods(mentioned);
    if path.attrs().iter().any(|attr| entity.attribute(attr).optional && !mentioned.contains(attr)) {
        return None;
    }
    let missing = path.partition_set().minus(eq);
    let scatter: Vec<Attr> = missing.iter().collect();
    // One Query for each value would also find those that the caller did not ask for.
    let may_be_given = |attr: Attr| part.equality(attr).is_some();
    if scatter.iter().any(|attr| entity.attribute(*attr).values.is_empty() || may_be_given(*attr)) {
        return None;
    }
    let run = path.sort.iter().take_while(|segment| eq.contains(segment.attr)).count();
    let next = path.sort.get(run);
    let range = next.is_some_and(|segment| {
        !segment.by_name && part.range.as_ref().is_some_and(|it| it.attr == segment.attr)
    });
    // A filter compares names.
    if part.range.as_ref().is_some_and(|it| !range && entity.is_compared_by_rank(it)) {
        return None;
    }
    let optional = next
        .map(|segment| segment.attr)
        .filter(|attr| !range && part.equality(*attr).is_some_and(|equality| equality.optional));
    let within = next
        .filter(|segment| !range && !segment.descending)
        .and_then(|segment| part.eq().iter().find(|attr| is_period_of(entity, *attr, segment.attr)))
        .filter(|attr| !path.attrs().contains(*attr));
    let whole_key = path.attrs().is_subset(eq);
    let list = part.equal.iter().any(|equality| equality.list);
    let mut served = path.partition_set();
    served.extend(path.sort[..run].iter().map(|segment| segment.attr));
    served.extend(path.only.iter().map(|(attr, _)| *attr));
    served.extend(optional);
    served.extend(within);
    let asked: Attrs = part.equal.iter().map(|equality| equality.attr).collect();
    let unserved = asked.minus(served);
    let filter = unserved.iter().filter(|attr| entity.attribute(*attr).bucket.is_none()).collect();
    let filter_within = unserved.minus(filter).iter().map(|attr| (entity.stored(attr), attr)).collect();
    let forward = key_order(entity, part, &path.sort[run..], demand.result);
    let client_sort = forward.is_none() || part.sorted_later;
    // One Query over several kinds asks it of each kind by itself.
    let sorts = client_sort && !demand.is_shared();
    let mut fit = Fit {
        held: if sorts { unheld_order(entity, part, path) } else { Attrs::NONE },
        scatter,
        run,
        range,
        optional,
        within,
        filter,
        filter_within,
        filter_range: part.range.is_some() && !range,
        client_sort,
        forward: forward != Some(false),
        whole_key,
        list,
    };
    // GetItem takes no filter: where more is asked than the key says, a Query of the one item does.
    fit.whole_key &= list && part.holding.is_none() || !fit.wastes(part);
    // A page of several kinds comes in the order of its keys: sorting it takes all of them.
    let pages = demand.is_shared() && matches!(demand.result, ResultShape::Page(_));
    (fit.queries(entity) <= MOST_SCATTERED && !(pages && fit.client_sort)).then_some(fit)
}

/// The optional attributes of the wanted order that are not in a path: nothing there keeps items without them out.
pub(crate) fn unheld_order(entity: &EntityFacts, part: &ReadPart, path: &Path) -> Attrs {
    let asked: Attrs = part.equal.iter().filter(|it| !it.optional).map(|it| it.attr).collect();
    let order = part.order.iter().map(|(attr, _)| *attr);
    let order: Attrs = order.filter(|attr| entity.attribute(*attr).optional).collect();
    order.minus(path.attrs()).minus(asked)
}

/// Whether an attribute is a period in which the values of another lie.
fn is_period_of(entity: &EntityFacts, attr: Attr, instant: Attr) -> bool {
    entity.attribute(attr).bucket.is_some_and(|bucket| bucket.of == instant)
}

/// Whether the wanted order is that of the keys upwards; none where it is not their order at all. The sort attributes are
/// those behind what the key condition fixes.
pub(crate) fn key_order(
    entity: &EntityFacts,
    part: &ReadPart,
    sort: &[Segment],
    result: ResultShape,
) -> Option<bool> {
    let eq = part.eq();
    if result == ResultShape::Count || entity.at_most_one(eq) {
        return Some(true);
    }
    let mut segments = sort.iter();
    let mut held = eq;
    let mut reversed: Option<bool> = None;
    for (attr, direction) in part.order.iter().filter(|(attr, _)| !eq.contains(*attr)) {
        // Once the identity is fixed there is nothing left to order.
        if entity.at_most_one(held) {
            break;
        }
        let segment = segments.next()?;
        let stands_for =
            entity.attribute(*attr).creation_time && time_ordered_id(entity) == Some(segment.attr);
        if segment.by_name || segment.attr != *attr && !stands_for {
            return None;
        }
        let backwards = (*direction == Direction::Descending) != segment.descending;
        if reversed.is_some_and(|reversed| reversed != backwards) {
            return None;
        }
        reversed = Some(backwards);
        held.insert(segment.attr);
    }
    Some(reversed != Some(true))
}

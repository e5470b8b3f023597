//! How a uniqueness item serves a demand: it tells the identity of one item, and whatever else the demand says of that
//! item is compared when the item itself is read.

use crate::path::Path;
use crate::problem::{Attrs, EntityFacts, ReadPart};

/// What is left to compare once the uniqueness item of a set was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct UniqueFit {
    /// Attributes whose given values make the key of what is read second; the uniqueness item tells the others.
    pub(crate) keyed: Attrs,
    /// Equalities that neither the set nor that key says.
    pub(crate) compared: Attrs,
    /// A range of the demand is compared too, or whether an attribute is there.
    pub(crate) more: bool,
}

impl UniqueFit {
    /// Whether the key says it all, so that GetItem does.
    pub(crate) fn is_plain(self) -> bool {
        self.compared.is_empty() && !self.more
    }
}

/// How the uniqueness item of a set leads to the item that a part of a read asks for, if it does.
///
/// A value is unique over all items, so that the item behind it may be another tenant's. A given part of the identity
/// goes into the key as it is given; the key then may be that of a stranger, whose unique value is another.
pub(crate) fn by_unique(entity: &EntityFacts, part: &ReadPart, base: &Path, set: Attrs) -> Option<UniqueFit> {
    let given = part.eq();
    let identity = entity.identity_set();
    let reaches = set.is_subset(given) && base.attrs().is_subset(identity.union(given));
    let by_rank = part.range.as_ref().is_some_and(|range| entity.is_compared_by_rank(range));
    if !reaches || by_rank || part.equal.iter().any(|equality| equality.list) {
        return None;
    }
    let keyed = given.intersection(base.attrs());
    let asked: Attrs = part.equal.iter().map(|equality| equality.attr).collect();
    let mut compared = asked.minus(keyed);
    if keyed.intersection(identity).is_subset(set) {
        compared = compared.minus(set);
    }
    let more = part.range.is_some() || !part.more_ranges.is_empty() || part.holding.is_some();
    Some(UniqueFit { keyed, compared, more })
}

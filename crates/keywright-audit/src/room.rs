//! What layouts keep to: limits on the number of indexes, and INCLUDE lists that they are without.

use keywright_model::certificate::{Limits, ListUse, LogicalIndex, Projected};

use crate::entity::Entity;
use crate::price::kind;

/// What layouts keep to.
#[derive(Clone, Copy, Default)]
pub(crate) struct Room<'p> {
    pub(crate) limits: Limits,
    pub(crate) without: &'p [ListUse],
}

impl Room<'_> {
    /// Whether an entity with these indexes keeps to it.
    pub(crate) fn allows(&self, entity: &Entity<'_>, indexes: &[&LogicalIndex]) -> bool {
        let many = |which: usize| indexes.iter().filter(|it| kind(&it.projection) == which).count();
        let kinds = [self.limits.all, self.limits.keys, self.limits.include];
        let lists = |it: &ListUse| indexes.iter().filter(|index| is_of(entity, index, it)).count();
        self.limits.total.is_none_or(|most| indexes.len() <= most)
            && (0..3).all(|which| kinds[which].is_none_or(|most| many(which) <= most))
            && self.without.iter().all(|it| lists(it) < it.many)
    }
}

/// Whether an index of an entity lists the names of a use, and the entity has no others than are said.
fn is_of(entity: &Entity<'_>, index: &LogicalIndex, it: &ListUse) -> bool {
    let Projected::Include(list) = &index.projection else { return false };
    let [listed, missing] = entity.names(list);
    listed.into_iter().eq(&it.listed) && missing.into_iter().eq(&it.missing)
}

/// Whether a use is ruled out where another one is.
pub(crate) fn goes_with(it: &ListUse, ruled_out: &ListUse) -> bool {
    it.listed == ruled_out.listed && it.missing == ruled_out.missing && it.many >= ruled_out.many
}

/// How many GSIs such uses need at least, if all of them are there.
pub(crate) fn needed(crowd: &[ListUse]) -> usize {
    let meet = |one: &[String], other: &[String]| one.iter().any(|name| other.contains(name));
    // An item has one entry in a GSI, and no list widens the entries of another.
    let apart = |one: &ListUse, other: &ListUse| {
        let same = one.listed == other.listed && one.missing == other.missing;
        same && one.many != other.many
            || meet(&one.listed, &other.missing)
            || meet(&other.listed, &one.missing)
    };
    let mut colours = Vec::new();
    (0..=crowd.len()).find(|most| can_do(crowd, &apart, *most, &mut colours)).unwrap_or(crowd.len())
}

/// Whether so many GSIs are enough for the uses that have none yet.
fn can_do(
    crowd: &[ListUse],
    apart: &dyn Fn(&ListUse, &ListUse) -> bool,
    most: usize,
    colours: &mut Vec<usize>,
) -> bool {
    let Some(next) = crowd.get(colours.len()) else { return true };
    let used = colours.iter().max().map_or(0, |it| it + 1);
    // All new ones are alike.
    (0..most.min(used + 1)).any(|colour| {
        let clash = colours.iter().zip(crowd).any(|(it, other)| *it == colour && apart(next, other));
        if clash {
            return false;
        }
        colours.push(colour);
        let found = can_do(crowd, apart, most, colours);
        colours.pop();
        found
    })
}

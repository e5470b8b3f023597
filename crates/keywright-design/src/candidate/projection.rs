//! Projections: the whole item, its keys alone, or what some of the reads return.

use std::collections::BTreeSet;
use std::ops::RangeInclusive;

use keywright_dynamodb::limits::PROJECTED_ATTRIBUTES;

use crate::demand::Demand;
use crate::path::{Path, Projection};
use crate::plan;
use crate::problem::{Attrs, EntityFacts};

/// So many reads an entity has whose lists of all attributes are weighed. With one index there are no other keys that
/// ALL would repeat; with many, the lists would have more names than a table takes.
const READS: RangeInclusive<usize> = 2..=12;

/// The projections worth weighing for an index path: an INCLUDE list is a union of what reads that the path can serve
/// return (and filter on, or sort by themselves). Where all that reads of this entity alone want is everything, so may be the list: ALL repeats
/// the key strings of every other index in each entry.
pub(super) fn choices(entity: &EntityFacts, demands: &[Demand], path: &Path) -> Vec<Projection> {
    let mut lists: BTreeSet<Attrs> = BTreeSet::new();
    let everything = entity.everything();
    let mut alone = Attrs::NONE;
    // A strong read uses no index.
    for demand in demands.iter().filter(|demand| !demand.is_locating() && !demand.strong) {
        let Some(fit) = plan::fit(entity, demand, path) else { continue };
        let wanted = fit.wanted(&demand.part).union(fit.looked_at(&demand.part));
        if !demand.is_shared() {
            alone = alone.union(wanted);
        }
        let unions: Vec<Attrs> = lists.iter().map(|list| list.union(wanted)).collect();
        lists.insert(wanted);
        lists.extend(unions);
    }
    let reads = demands.iter().filter(|demand| !demand.strong).count();
    let few = READS.contains(&reads) && entity.attributes.len() < PROJECTED_ATTRIBUTES;
    let whole = few && alone == everything;
    lists.retain(|list| !list.is_empty() && (whole || *list != everything));
    let mut choices = vec![Projection::All, Projection::Keys];
    choices.extend(lists.into_iter().map(Projection::Include));
    choices
}

//! Cooler paths: those that others give way to, and those that come first between equals.
//!
//! What every read of a path gives belongs into its partition key, not into its sort key: the Queries stay the same and
//! each partition holds less. Only what changes may be worth a string of its own, which a write can then rebuild without
//! knowing the rest; where nothing of a path ever changes, the path with the larger partition stands for it.

use std::collections::BTreeSet;

use keywright_dynamodb::limits::INDEX_HASH_ATTRIBUTES;

use super::IndexCandidate;
use crate::cost::{encoded_bytes, hottest_share};
use crate::demand::Demand;
use crate::path::{Path, Segment};
use crate::plan::fit;
use crate::problem::{Attrs, EntityFacts};

/// Drops the index paths for which a cooler one is there.
pub(super) fn keep_cooler(entity: &EntityFacts, demands: &[Demand], paths: &mut BTreeSet<Path>) {
    let superfluous: Vec<Path> = paths
        .iter()
        .filter(|path| cooler(entity, demands, path).is_some_and(|other| paths.contains(&other)))
        .cloned()
        .collect();
    paths.retain(|path| !superfluous.contains(path));
}

/// The path with all that its users give in the partition key, if that is another one.
fn cooler(entity: &EntityFacts, demands: &[Demand], path: &Path) -> Option<Path> {
    let lasting = |attr| !entity.attribute(attr).changes;
    let mut attrs = path.attrs();
    attrs.extend(path.only.iter().map(|(attr, _)| *attr));
    if !attrs.iter().all(lasting) {
        return None;
    }
    let mut given: Attrs = path.sort.iter().map(|segment| segment.attr).collect();
    for demand in demands.iter().filter(|demand| may_use(entity, demand, path)) {
        given = given.intersection(demand.part.eq());
    }
    let partition = path.partition_set().union(given);
    if given.is_empty() || partition.iter().count() > INDEX_HASH_ATTRIBUTES {
        return None;
    }
    let sort: Vec<Segment> =
        path.sort.iter().copied().filter(|segment| !given.contains(segment.attr)).collect();
    // Where nothing is left to sort by, every partition holds one item, and the sort key would say it all again.
    if sort.is_empty() {
        return None;
    }
    let mut cooler = Path::new(entity, partition, sort);
    cooler.only.clone_from(&path.only);
    Some(cooler)
}

/// Whether the path could serve the demand, under some projection.
fn may_use(entity: &EntityFacts, demand: &Demand, path: &Path) -> bool {
    !demand.strong && fit(entity, demand, path).is_some_and(|fit| fit.is_bounded(entity, &demand.part, path))
}

/// Puts first what is to be taken between equals: cooler partitions, then ALL before KEYS before INCLUDE, shorter keys,
/// and what comes first in the alphabet.
pub(super) fn sort(entity: &EntityFacts, indexes: &mut [IndexCandidate]) {
    indexes.sort_by_cached_key(|IndexCandidate { path, projection }| {
        let share = |writes: bool| hottest_share(entity, path.partition_set(), writes);
        let bytes: u64 = path.attrs().iter().map(|attr| encoded_bytes(entity.attribute(attr))).sum();
        let sort = path.sort.iter().map(|segment| segment.attr);
        let names = entity.names(path.partition.iter().copied().chain(sort));
        (share(true), share(false), projection.kind(), bytes, names, path.clone(), *projection)
    });
}

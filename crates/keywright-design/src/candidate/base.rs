//! Base placements: paths that can be an item's primary key.

use std::collections::BTreeSet;

use crate::cost::hottest_share;
use crate::demand::Demand;
use crate::path::{Path, Segment};
use crate::problem::{Attrs, EntityFacts, Problem};

/// Every base placement of an entity.
pub(super) fn paths(problem: &Problem, entity: usize, demands: &[Demand]) -> Vec<Path> {
    let facts = &problem.entities[entity];
    let identity = facts.identity_set();
    let mut paths: BTreeSet<Path> = super::canonical::paths(facts, demands.iter(), Attrs::NONE);
    let mut partitions: BTreeSet<Attrs> = BTreeSet::from([identity]);
    partitions.extend(facts.parents.iter().map(|link| link.via_set()).filter(|via| !via.is_empty()));
    partitions.extend(
        problem
            .writes
            .iter()
            .flat_map(|write| &write.effects)
            .filter(|effect| effect.entity == entity)
            .map(|effect| effect.given.intersection(identity))
            .filter(|given| !given.is_empty()),
    );
    let tenant = super::tenant::required(facts, demands);
    for partition in partitions {
        let partition = partition.union(tenant);
        let rest = facts.identity.iter().filter(|attr| !partition.contains(**attr));
        let sort = rest.map(|attr| Segment::up(*attr)).collect();
        paths.insert(Path::new(facts, partition, sort));
    }
    let guarded = super::guarded::may_guard(problem, entity);
    let mut paths: Vec<Path> = paths
        .into_iter()
        .filter(|path| is_primary_key(facts, path, guarded) && tenant.is_subset(path.partition_set()))
        .collect();
    // Between equals the search keeps the first: the cooler one.
    paths.sort_by_key(|path| hottest_share(facts, path.partition_set(), true));
    paths
}

/// Whether items can have it as their primary key: it tells all items apart, every item has it from its
/// creation, and where the identity is natural it holds nothing else or the identity is guarded, so that nobody takes
/// one twice.
fn is_primary_key(entity: &EntityFacts, path: &Path, guarded: bool) -> bool {
    let attrs = path.attrs();
    let identity = entity.identity_set();
    identity.is_subset(attrs)
        && (entity.generated || attrs == identity || guarded && !identity.is_empty())
        && attrs.iter().all(|attr| !entity.attribute(attr).optional && entity.at_creation.contains(attr))
}

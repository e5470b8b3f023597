//! Projections: the whole item, its keys alone, or what some of the reads return.

use std::collections::BTreeSet;

use keywright_dynamodb::limits::PROJECTED_ATTRIBUTES;

use crate::demand::Demand;
use crate::path::{Path, Projection};
use crate::plan;
use crate::problem::{Attrs, EntityFacts};

/// The projections worth weighing for an index path: an INCLUDE list is a union of what reads that the path
/// can serve return (and filter on). A list of all attributes is one of them: ALL also repeats in each entry the key
/// strings of every other index.
pub(super) fn choices(entity: &EntityFacts, demands: &[Demand], path: &Path) -> Vec<Projection> {
    let mut lists: BTreeSet<Attrs> = BTreeSet::new();
    // A strong read uses no index.
    for demand in demands.iter().filter(|demand| !demand.is_locating() && !demand.strong) {
        let Some(fit) = plan::fit(entity, demand, path) else { continue };
        let wanted = demand.part.returns.union(fit.filtered(&demand.part));
        let unions: Vec<Attrs> = lists.iter().map(|list| list.union(wanted)).collect();
        lists.insert(wanted);
        lists.extend(unions);
    }
    lists.retain(|list| !list.is_empty() && list.iter().count() < PROJECTED_ATTRIBUTES);
    let mut choices = vec![Projection::All, Projection::Keys];
    choices.extend(lists.into_iter().map(Projection::Include));
    choices
}

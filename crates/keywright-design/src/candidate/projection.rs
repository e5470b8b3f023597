//! Projections: all attributes, none, or what some of the reads return.

use std::collections::BTreeSet;

use crate::demand::Demand;
use crate::path::{Path, Projection};
use crate::plan;
use crate::problem::{Attr, Attrs, EntityFacts};

/// The projections worth weighing for an index path: an INCLUDE list is a union of what reads that the path
/// can serve return (and filter on), where that is less than everything.
pub(super) fn choices(entity: &EntityFacts, demands: &[Demand], path: &Path) -> Vec<Projection> {
    let mut lists: BTreeSet<Attrs> = BTreeSet::new();
    let everything: Attrs = (0..entity.attributes.len()).map(Attr::new).collect();
    for demand in demands.iter().filter(|demand| !demand.is_locating()) {
        let Some(fit) = plan::fit(entity, demand, path) else { continue };
        let wanted = demand.part.returns.union(fit.filtered(&demand.part));
        if wanted == everything {
            continue;
        }
        let unions: Vec<Attrs> = lists.iter().map(|list| list.union(wanted)).collect();
        lists.insert(wanted);
        lists.extend(unions);
    }
    lists.retain(|list| *list != everything && !list.is_empty());
    let mut choices = vec![Projection::All, Projection::Keys];
    choices.extend(lists.into_iter().map(Projection::Include));
    choices
}

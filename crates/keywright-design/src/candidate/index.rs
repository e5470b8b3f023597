//! Logical indexes: any canonical path, whole or sparse by a constant.

use std::collections::BTreeSet;

use keywright_model::model::Literal;

use crate::demand::Demand;
use crate::path::Path;
use crate::problem::{Attr, Attrs, EntityFacts};

/// Whether an entry that is there for a constant comes and goes with that alone: who changes it would have to know of every
/// optional attribute too.
fn has_one_reason(entity: &EntityFacts, gate: Attr, path: &Path) -> bool {
    let optional = || path.attrs().iter().map(|attr| entity.attribute(attr)).filter(|it| it.optional);
    optional().next().is_none() || !entity.attribute(gate).changes && optional().all(|it| !it.changes)
}

/// Every index path of an entity.
pub(super) fn paths(entity: &EntityFacts, demands: &[Demand]) -> Vec<Path> {
    let eventual = || demands.iter().filter(|demand| !demand.strong);
    // A strong read never uses an index, but what it gives can part a key so that writes need no old values.
    let mut paths: BTreeSet<Path> = super::canonical::paths(entity, demands.iter(), Attrs::NONE);
    let constants: BTreeSet<(Attr, Literal)> = eventual()
        .flat_map(|demand| &demand.part.equal)
        .filter_map(|equality| Some((equality.attr, equality.constant.clone()?)))
        // Who adds to a number does not know whether it becomes the value.
        .filter(|(attr, _)| !entity.attribute(*attr).grows)
        .collect();
    for (attr, value) in constants {
        let settled: Attrs = [attr].into_iter().collect();
        let with_it = eventual().filter(|demand| {
            demand.part.equality(attr).is_some_and(|equality| equality.constant.as_ref() == Some(&value))
        });
        let sparse = super::canonical::paths(entity, with_it, settled);
        paths.extend(sparse.into_iter().filter(|path| has_one_reason(entity, attr, path)).map(|mut path| {
            path.only = Some((attr, value.clone()));
            path
        }));
    }
    super::cooler::keep_cooler(entity, demands, &mut paths);
    paths.into_iter().collect()
}

//! Logical indexes: any canonical path, whole or sparse by a constant.

use std::collections::BTreeSet;

use keywright_model::model::Literal;

use crate::demand::Demand;
use crate::path::Path;
use crate::problem::{Attr, Attrs, EffectFacts, Problem};

/// Every index path of an entity.
pub(super) fn paths(problem: &Problem, entity: usize, demands: &[Demand]) -> Vec<Path> {
    let effects: Vec<&EffectFacts> = problem
        .writes
        .iter()
        .flat_map(|write| &write.effects)
        .filter(|effect| effect.entity == entity)
        .collect();
    let entity = &problem.entities[entity];
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
        let gated = sparse.into_iter().map(|mut path| {
            path.only = Some((attr, value.clone()));
            path
        });
        paths.extend(gated.filter(|path| super::sparse::is_told(entity, &effects, path)));
    }
    super::cooler::keep_cooler(entity, demands, &mut paths);
    paths.into_iter().collect()
}

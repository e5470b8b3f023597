//! Every position in a proof is that of something, and its lists fit together.

use keywright_model::certificate::{Bound, Component, KeptKeys, KeptPlace, Layout, Path, Proof};

/// How many GSIs a crowd needs is found by trying.
const MOST_IN_A_CROWD: usize = 10;

/// Every position in the proof is that of something.
pub(crate) fn is_whole(proof: &Proof) -> bool {
    let entity_is_whole = |entity: &keywright_model::certificate::EntityFacts| {
        let many = entity.attributes.len();
        let known = |some: &[usize]| some.iter().all(|at| *at < many);
        many <= 128
            && known(&entity.identity)
            && known(&entity.at_creation)
            && known(&entity.added)
            && entity.unique.iter().all(|it| known(&it.attributes))
            && entity
                .parents
                .iter()
                .all(|it| known(&it.via) && known(&it.told.into_iter().collect::<Vec<_>>()))
            && entity.time_ordered.is_none_or(|at| at < many)
            && entity.attributes.iter().all(|it| it.period_of.is_none_or(|at| at < many))
            && entity.effects.iter().all(|it| {
                known(&it.given)
                    && known(&it.sets)
                    && known(&it.grows)
                    && known(&it.maybe)
                    && known(&it.lacked)
                    && it.was.iter().all(|(at, _)| *at < many)
                    && it.unique.iter().all(|at| *at < entity.unique.len())
            })
            && entity.demands.iter().all(|it| {
                let order: Vec<usize> = it.order.iter().map(|it| it.0).collect();
                let constants: Vec<usize> = it.constants.iter().map(|it| it.0).collect();
                let lists = [&it.given, &it.optional, &it.more_ranges, &it.returns, &order, &constants];
                lists.iter().all(|some| known(some))
                    && it.range.is_none_or(|at| at < many)
                    && it.shared.is_none_or(|(read, part)| {
                        proof.shared.get(read).is_some_and(|read| part < read.parts.len())
                    })
            })
    };
    let path_is_whole = |entity: usize, path: &Path| {
        let many = proof.entities[entity].attributes.len();
        path.partition.iter().chain(&path.sort).chain(&path.descending).all(|at| *at < many)
            && path.only.as_ref().is_none_or(|it| it.0 < many)
    };
    let layout_is_whole = |entity: usize, layout: &Layout| {
        path_is_whole(entity, &layout.base) && layout.indexes.iter().all(|it| path_is_whole(entity, &it.path))
    };
    let shared_is_whole = |(at, read): (usize, &keywright_model::certificate::SharedRead)| {
        read.parts.len() > 1
            && read.wanted.is_none_or(|part| part < read.parts.len())
            && read
                .wanted
                .and_then(|part| proof.entities.get(read.parts[part].0))
                .map_or(read.compared.is_empty() && read.ranges == 0, |wanted| {
                    read.compared.iter().all(|at| *at < wanted.attributes.len())
                })
            && read.parts.iter().enumerate().all(|(part, (entity, demand))| {
                let demand = proof.entities.get(*entity).and_then(|it| it.demands.get(*demand));
                demand.is_some_and(|it| it.shared == Some((at, part)))
            })
    };
    let bound_is_whole = |component: &Component, bound: &Bound| {
        bound.layouts.len() == component.entities.len()
            && component
                .entities
                .iter()
                .zip(&bound.layouts)
                .all(|(entity, layouts)| layouts.iter().all(|layout| layout_is_whole(*entity, layout)))
    };
    let components = || proof.tables.iter().flat_map(|table| &table.components);
    proof.entities.iter().all(entity_is_whole)
        && proof.shared.iter().enumerate().all(shared_is_whole)
        && components_are_whole(proof)
        && proof.chosen.len() == proof.entities.len()
        && proof.chosen.iter().enumerate().all(|(at, layout)| layout_is_whole(at, layout))
        && proof
            .payers
            .iter()
            .flatten()
            .all(|(entity, index)| *entity < proof.entities.len() && path_is_whole(*entity, &index.path))
        && proof.entities.iter().enumerate().all(|(at, entity)| {
            let mut kept =
                entity.kept.iter().flat_map(|it| it.indexes.iter().map(|it| &it.path).chain([&it.base]));
            let many = entity.attributes.len();
            let known = |place: &KeptPlace| place.block.iter().all(|it| it.sort.iter().all(|it| it.0 < many));
            let places =
                |it: &KeptKeys| it.places.len() == 1 + it.indexes.len() && it.places.iter().all(known);
            kept.all(|path| path_is_whole(at, path)) && entity.kept.iter().all(places)
        })
        && components().all(|it| it.bounds.iter().all(|bound| bound_is_whole(it, bound)))
        && proof.tables.iter().flat_map(|table| &table.crowds).all(|crowd| crowd.len() <= MOST_IN_A_CROWD)
}

/// The components of all tables are all entities, and no shared read goes beyond one.
fn components_are_whole(proof: &Proof) -> bool {
    let components: Vec<&Vec<usize>> =
        proof.tables.iter().flat_map(|table| &table.components).map(|it| &it.entities).collect();
    let mut all: Vec<usize> = components.iter().flat_map(|it| it.iter().copied()).collect();
    all.sort_unstable();
    let of = |entity: usize| components.iter().position(|it| it.contains(&entity));
    all == (0..proof.entities.len()).collect::<Vec<usize>>()
        && proof.shared.iter().all(|read| read.parts.iter().all(|part| of(part.0) == of(read.parts[0].0)))
}

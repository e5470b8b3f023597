//! Indexes that another one makes superfluous: in any layout it can take their place, and the price is never higher.

use keywright_model::certificate::{DemandFacts, KeyForm, LogicalIndex, Path};

use crate::price::{Pricing, kind};
use crate::serve::{Served, is_allowed, serve};
use crate::set::members;
use crate::space::Space;

/// All that a read's price on an index depends on, beside sizes and the projection.
#[derive(PartialEq, Eq)]
struct Shape {
    there: u64,
    most: Option<u64>,
    passes: Vec<u64>,
    optional: Option<u64>,
    range: bool,
    filter_range: bool,
    sorted_by_caller: bool,
    queries: u64,
    scattered: bool,
}

fn shape(pricing: &Pricing<'_>, path: &Path, served: &Served) -> Shape {
    let entity = pricing.entity;
    let distinct = |at: usize| entity.facts.attributes[at].distinct;
    Shape {
        there: pricing.held(path, served),
        most: entity.most(served.fixed),
        passes: members(served.filter | served.filter_periods).map(distinct).collect(),
        optional: served.optional.map(distinct),
        range: served.range,
        filter_range: served.filter_range,
        sorted_by_caller: served.sorted_by_caller,
        queries: served.queries,
        scattered: served.scattered,
    }
}

impl Space<'_> {
    /// Whether one index can take the place of another, whatever else is open: its keys are no larger, writes do no more
    /// to it and need no more old values for it, and it serves every demand in the same way. Not where shards or reads of
    /// several entities could tell two places apart.
    pub(crate) fn can_replace(&self, entity: usize, one: usize, other: usize) -> bool {
        let pricing = self.pricing(entity);
        let indexes = &self.indexes[entity];
        let (one_index, other_index) = (&indexes[one], &indexes[other]);
        let cool = self.cool[entity][one] && self.cool[entity][other];
        let generic = pricing.entity.facts.index_form == KeyForm::Generic;
        if !cool || !generic || one_index.projection != other_index.projection {
            return false;
        }
        debug_assert_eq!(kind(&one_index.projection), kind(&other_index.projection));
        let on = |index: &LogicalIndex, demand: &DemandFacts| {
            let served = serve(pricing.entity, demand, &index.path)?;
            is_allowed(pricing.entity, demand, &index.path, Some(&index.projection), &served)
                .then_some(served)
        };
        let serves = pricing.entity.facts.demands.iter().all(|demand| match on(other_index, demand) {
            None => true,
            Some(_) if demand.shared.is_some() => false,
            Some(before) => on(one_index, demand).is_some_and(|after| {
                shape(&pricing, &one_index.path, &after) == shape(&pricing, &other_index.path, &before)
            }),
        });
        serves && pricing.keeps_no_dearer(one_index, other_index)
    }
}

//! Tables and physical indexes.

use std::collections::BTreeSet;

use keywright_model::design::{Index, KeyAttribute, Projection, Table};

use super::context::{Context, Place};
use crate::demand::Source;
use crate::path;

pub(super) fn tables(context: &Context<'_>) -> Vec<Table> {
    let ttl = context
        .problem
        .entities
        .iter()
        .flat_map(|entity| &entity.attributes)
        .find(|attribute| attribute.ttl)
        .map(|attribute| attribute.name.clone());
    vec![Table {
        name: context.table(),
        partition: KeyAttribute::string("pk"),
        sort: context.has_sort_key().then(|| KeyAttribute::string("sk")),
        ttl,
    }]
}

pub(super) fn indexes(context: &Context<'_>) -> Vec<Index> {
    let count: usize = context.answer.counts.iter().sum();
    (0..count)
        .map(|number| {
            let (partition, sort) = context.key_names(Place::Index(number));
            Index {
                name: context.index_name(number),
                table: context.table(),
                partition: vec![KeyAttribute::string(partition)],
                sort: vec![KeyAttribute::string(sort)],
                projection: projection(context, number),
                purpose: Some(purpose(context, number)),
            }
        })
        .collect()
}

/// Members of one index project the same kind; their lists of names are joined.
fn projection(context: &Context<'_>, number: usize) -> Projection {
    let mut names: BTreeSet<String> = BTreeSet::new();
    let mut keys = false;
    for (group, colour) in context.answer.groups.iter().zip(&context.answer.colours) {
        if *colour != number {
            continue;
        }
        for ((entity, _), projection) in group.members.iter().zip(&group.projections) {
            match projection {
                path::Projection::All => return Projection::All,
                path::Projection::Keys => keys = true,
                path::Projection::Include(list) => names.extend(context.entity(*entity).names(list.iter())),
            }
        }
    }
    if keys || names.is_empty() {
        return Projection::KeysOnly;
    }
    // What tells item types apart is needed wherever several kinds of items come back.
    names.insert(context.problem.type_attribute.to_owned());
    Projection::Include(names.into_iter().collect())
}

/// The patterns that an index serves, in words.
fn purpose(context: &Context<'_>, number: usize) -> String {
    let mut served: BTreeSet<usize> = BTreeSet::new();
    for (entity, layout) in context.answer.layouts.iter().enumerate() {
        for (demand, service) in context.tasks[entity].demands.iter().zip(&layout.services) {
            if context.place(entity, &service.choice) == Place::Index(number) {
                served.insert(match demand.source {
                    Source::Read(read) | Source::Shared { read, .. } => context.problem.reads[read].pattern,
                    Source::Locate { write, .. } | Source::LocateCheck { write, .. } => {
                        context.problem.writes[write].pattern
                    }
                });
            }
        }
    }
    let ids: Vec<&str> = served.iter().map(|pattern| context.model.patterns[*pattern].id.as_str()).collect();
    format!("serves {}", ids.join(", "))
}

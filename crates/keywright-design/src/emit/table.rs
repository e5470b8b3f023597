//! Tables and physical indexes.

use std::collections::BTreeSet;

use keywright_model::design::{Index, Projection, Table};

use super::context::{Context, Place};
use super::key;
use crate::demand::Source;
use crate::key::{Key, Part};
use crate::path;

/// Every table: of the entities, then those of uniqueness items that stand by themselves.
pub(super) fn tables(context: &Context<'_>) -> Vec<Table> {
    // What is there stays, whatever else comes.
    let mut tables: Vec<Table> =
        context.existing.map_or_else(Vec::new, |existing| existing.design.tables.clone());
    for entities in &context.tables {
        let ttl = entities
            .iter()
            .flat_map(|entity| &context.entity(*entity).attributes)
            .find(|attribute| attribute.ttl)
            .map(|attribute| attribute.name.clone());
        let Some(first) = entities.first() else { continue };
        let name = context.table(*first);
        match tables.iter_mut().find(|table| table.name == name) {
            Some(there) => there.ttl = there.ttl.take().or(ttl),
            None => tables.push(table(name, &context.key(*first, Place::Base), ttl)),
        }
    }
    for entity in 0..context.problem.entities.len() {
        for set in &context.entity(entity).unique {
            let name = context.uniqueness_table(entity, *set);
            if !tables.iter().any(|table| table.name == name) {
                tables.push(table(name, &key::uniqueness(context, entity, *set), None));
            }
        }
    }
    tables
}

fn table(name: String, key: &Key, ttl: Option<String>) -> Table {
    Table { name, partition: key.partition[0].attribute(), sort: key.sort.first().map(Part::attribute), ttl }
}

pub(super) fn indexes(context: &Context<'_>) -> Vec<Index> {
    let count: usize = context.answer.counts.iter().sum();
    (0..count)
        .map(|number| {
            if let Some(index) = context.existing.and_then(|existing| existing.design.indexes.get(number)) {
                let purpose = match (purpose(context, number), &index.purpose) {
                    // What it served before says nothing of these patterns; what somebody wrote about it stays.
                    (served, Some(written)) if served == UNUSED && !is_ours(written) => {
                        let written = written.trim_end_matches(UNUSED).trim_end_matches("; ");
                        format!("{written}; {UNUSED}")
                    }
                    (served, _) => served,
                };
                return Index { purpose: Some(purpose), ..index.clone() };
            }
            let (entity, _) = context.members(number)[0];
            let key = context.key(entity, Place::Index(number));
            Index {
                name: context.index_name(number),
                table: context.table(entity),
                partition: key.partition.iter().map(Part::attribute).collect(),
                sort: key.sort.iter().map(Part::attribute).collect(),
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
    // Keys are in every entry, and DynamoDB refuses to be told twice.
    for (entity, _) in context.members(number).iter().copied() {
        for place in [Place::Base, Place::Index(number)] {
            context.key(entity, place).parts().for_each(|part| {
                names.remove(&part.name);
            });
        }
    }
    Projection::Include(names.into_iter().collect())
}

/// How the purpose of an index begins.
const SERVES: &str = "serves ";
/// What is said of an index that no pattern uses.
const UNUSED: &str = "serves no pattern";

/// Whether a purpose is one that a design before this one gave an index, and nobody's words.
fn is_ours(written: &str) -> bool {
    let is_id = |id: &str| {
        let number = id.trim().strip_prefix("AP-");
        number.is_some_and(|it| !it.is_empty() && it.bytes().all(|next| next.is_ascii_digit()))
    };
    let ids = written.strip_prefix(SERVES);
    written.trim().is_empty() || written == UNUSED || ids.is_some_and(|ids| ids.split(',').all(is_id))
}

/// The patterns that an index serves, in words.
fn purpose(context: &Context<'_>, number: usize) -> String {
    let mut served: BTreeSet<usize> = BTreeSet::new();
    for (entity, layout) in context.answer.layouts.iter().enumerate() {
        for (demand, service) in context.tasks[entity].demands.iter().zip(&layout.services) {
            if context.place(entity, &service.choice) == Place::Index(number) {
                served.insert(match demand.source {
                    Source::Read(read) | Source::Shared { read, .. } | Source::Behind(read) => {
                        context.problem.reads[read].pattern
                    }
                    Source::Locate { write, .. } | Source::LocateCheck { write, .. } => {
                        context.problem.writes[write].pattern
                    }
                });
            }
        }
    }
    if served.is_empty() {
        return UNUSED.to_owned();
    }
    let ids: Vec<&str> = served.iter().map(|pattern| context.model.patterns[*pattern].id.as_str()).collect();
    format!("{SERVES}{}", ids.join(", "))
}

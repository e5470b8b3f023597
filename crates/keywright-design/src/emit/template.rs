//! Key templates of items and of requests.

use super::context::{Context, Place};
use super::scope::Scope;
use crate::naming;
use crate::path::Path;
use crate::problem::Attrs;

/// The partition key with values from a scope. Over shards it ends on the shard of the item, or on `<shard>`
/// where a read asks them all.
pub(super) fn partition(
    context: &Context<'_>,
    entity: usize,
    place: Place,
    scope: &Scope,
    every_shard: bool,
) -> String {
    let facts = context.entity(entity);
    let path = context.chosen_path(entity, place);
    let mut key = naming::partition_name(context.problem, entity, path);
    for attr in &path.partition {
        key.push('#');
        key.push_str(&scope.segment(facts, *attr, false));
    }
    let shards = context.shards(entity, place);
    if shards > 1 {
        if every_shard {
            key.push_str("#<shard>");
        } else if let Some(attr) = facts.shard_attribute() {
            let segment = scope.segment(facts, attr, false);
            let name = segment.trim_matches(['<', '>']).split(':').next().unwrap_or_default().to_owned();
            key.push_str(&format!("#<{name}:shard{shards}>"));
        }
    }
    key
}

/// The sort key with values from a scope.
pub(super) fn sort(context: &Context<'_>, entity: usize, place: Place, scope: &Scope) -> String {
    let path = context.path(entity, place);
    prefix(context, entity, place, &path, path.sort.len(), scope)
}

/// The leading part of a sort key: the block's literal and so many segments, without a separator at its end.
pub(super) fn prefix(
    context: &Context<'_>,
    entity: usize,
    place: Place,
    path: &Path,
    segments: usize,
    scope: &Scope,
) -> String {
    let facts = context.entity(entity);
    let mut key = context.block(entity, place);
    if path.sort.is_empty() {
        // Alone in its partition: the sort key says the same again.
        for attr in &path.partition {
            key.push('#');
            key.push_str(&scope.segment(facts, *attr, false));
        }
        return key;
    }
    for segment in &path.sort[..segments] {
        key.push('#');
        key.push_str(&scope.segment(facts, segment.attr, segment.descending));
    }
    key
}

/// The attributes that the sort key of a path is made of.
pub(super) fn sort_attributes(path: &Path) -> Attrs {
    if path.sort.is_empty() {
        path.partition_set()
    } else {
        path.sort.iter().map(|segment| segment.attr).collect()
    }
}

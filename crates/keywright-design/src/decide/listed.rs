//! Lists of all attributes: what the projection ALL would cost instead.

use keywright_dynamodb::Money;
use keywright_model::design::Alternative;

use crate::emit::Context;
use crate::path::Projection;
use crate::search::{Choice, Layout, evaluate};

/// Why an index lists all attributes.
pub(super) const REASON: &str =
    "it lists all attributes, because ALL also repeats the key strings of the other indexes in every entry";

/// The same index with the projection ALL; none where it does not list all attributes of each of its entities, or a read
/// of several entities uses it.
pub(super) fn instead(context: &Context<'_>, number: usize) -> Option<Alternative> {
    let (mut extra, mut smaller, mut larger) = (0, 0, 0);
    for (entity, position) in context.members(number) {
        let layout = context.layout(*entity);
        let other = with_all(context, *entity, layout.indexes[*position])?;
        extra += other.cost.total() - layout.cost.total();
        smaller = smaller.max(layout.entry_bytes[*position]);
        larger = larger.max(other.item_bytes);
    }
    (smaller > 0).then(|| Alternative {
        choice: format!("{} with projection ALL", context.index_name(number)),
        extra: Some(Money::from_pico(extra.max(0))),
        reason: format!("entries of {larger} bytes, not {smaller}"),
    })
}

/// The layout of an entity with the projection ALL in the place of a list of all attributes.
fn with_all(context: &Context<'_>, entity: usize, index: usize) -> Option<Layout> {
    let (task, layout) = (&context.tasks[entity], context.layout(entity));
    let candidates = &task.candidates.indexes;
    let (path, list) = (&candidates[index].path, candidates[index].projection);
    if list != Projection::Include(task.facts().everything()) {
        return None;
    }
    let is_same =
        |it: &crate::candidate::IndexCandidate| it.path == *path && it.projection == Projection::All;
    let all = candidates.iter().position(is_same)?;
    let mut chosen = Vec::with_capacity(layout.services.len());
    for (demand, service) in task.demands.iter().zip(&layout.services) {
        chosen.push(match &service.choice {
            Choice::Index(used, _) if *used == index && demand.is_shared() => return None,
            Choice::Index(used, fit) if *used == index => Choice::Index(all, fit.clone()),
            other => other.clone(),
        });
    }
    evaluate(task, layout.base, &chosen)
}

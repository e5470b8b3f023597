//! The least number of indexes that an entity can do with, at a glance.

use super::super::task::EntityTask;

/// The least number of indexes with which the demands can be served, as far as it shows before any search.
pub(crate) fn least_indexes(task: &EntityTask<'_>) -> usize {
    (0..task.candidates.bases.len()).map(|base| apart(task, base)).min().unwrap_or(0)
}

/// How many demands are there that only indexes serve, no two of them by the same one; the hardest are taken first.
fn apart(task: &EntityTask<'_>, base: usize) -> usize {
    let only_indexes = |at: &usize| task.without_index(base, *at).is_empty();
    let forced = (0..task.demands.len()).filter(only_indexes).map(|at| task.on_indexes(base, at));
    let mut forced: Vec<_> = forced.collect();
    forced.sort_by_key(|on| on.len());
    let mut taken = vec![false; task.candidates.indexes.len()];
    let mut apart = 0;
    for on in forced {
        if on.iter().all(|(index, _)| !taken[*index]) {
            on.iter().for_each(|(index, _)| taken[*index] = true);
            apart += 1;
        }
    }
    apart
}

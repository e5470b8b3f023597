//! What may become too hot, whatever is chosen, and what must.

use std::sync::Arc;

use super::super::layout::{base_is_cool, shards_of};
use super::super::options::Choice;
use super::super::task::EntityTask;

/// For each base placement, whether an index could need shards, were every demand to use it that can.
pub(in super::super) fn may_be_hot(task: &EntityTask<'_>, index: usize) -> Vec<bool> {
    let all: Vec<Choice> = task
        .index_fits
        .iter()
        .map(|on| {
            let found = on.binary_search_by_key(&index, |(at, _)| *at);
            found.map_or(Choice::NotNeeded, |at| Choice::Index(index, Arc::clone(&on[at].1)))
        })
        .collect();
    let is_hot = |base: usize| {
        let item = task.largest_item(base);
        let entry = task.entry(index, task.entry_bytes(base, index, item));
        shards_of(task, base, index, &entry, &all, item) != Some(1)
    };
    (0..task.candidates.bases.len()).map(is_hot).collect()
}

/// Whether the table could become too hot, were every demand to use it that can.
pub(super) fn may_heat_base(task: &EntityTask<'_>, base: usize, beside: &[Vec<Choice>]) -> bool {
    let on_base = |all: &Vec<Choice>| {
        all.iter().find(|choice| matches!(choice, Choice::Base(_))).cloned().unwrap_or(Choice::NotNeeded)
    };
    let all: Vec<Choice> = beside.iter().map(on_base).collect();
    !base_is_cool(task, base, &all, task.largest_item(base))
}

/// Whether the table bears the writes and the reads that nothing else can serve, at the smallest size.
pub(super) fn bears_what_must_be(
    task: &EntityTask<'_>,
    base: usize,
    beside: &[Vec<Choice>],
    item: u64,
) -> bool {
    let forced = |at: usize| match beside[at].as_slice() {
        [only] if task.on_indexes(base, at).is_empty() => only.clone(),
        _ => Choice::NotNeeded,
    };
    let all: Vec<Choice> = (0..beside.len()).map(forced).collect();
    base_is_cool(task, base, &all, item)
}

/// Whether an index bears its writes and this one demand, at the smallest size: with more it only gets hotter.
pub(super) fn bears_alone(
    task: &EntityTask<'_>,
    base: usize,
    at: usize,
    index: usize,
    choice: &Choice,
    least_item: u64,
) -> bool {
    let item = if index < task.candidates.kept { least_item } else { least_item + task.key_bytes(index) };
    let entry = task.entry(index, task.entry_bytes(base, index, item));
    let mut alone = vec![Choice::NotNeeded; task.demands.len()];
    alone[at] = choice.clone();
    let shards = shards_of(task, base, index, &entry, &alone, item);
    // What is asked once per value is not also asked once per shard.
    let scattered = matches!(choice, Choice::Index(_, fit) if !fit.scatter.is_empty());
    shards.is_some_and(|shards| shards == 1 || !scattered)
}

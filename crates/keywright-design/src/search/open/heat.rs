//! What may become too hot, whatever is chosen, and what must.

use std::sync::Arc;

use super::super::layout::{base_is_cool, shards_of};
use super::super::options::Choice;
use super::super::task::EntityTask;
use crate::cost::{Load, entry_writes, hottest_share, moves_base, tolerates};

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
    let bases = 0..task.candidates.bases.len();
    if stays_cool(task, index, &all) {
        return vec![false; bases.len()];
    }
    let is_hot = |base: usize| {
        let item = task.largest_item(base);
        let entry = task.entry(index, task.entry_bytes(base, index, item));
        shards_of(task, base, index, &entry, &all, item) != Some(1)
    };
    bases.map(is_hot).collect()
}

/// Whether an index needs no shards under any base placement, as far as it shows where everything is as large, and every
/// write as dear, as under the worst of them.
fn stays_cool(task: &EntityTask<'_>, index: usize, all: &[Choice]) -> bool {
    let (facts, bases) = (task.facts(), &task.candidates.bases);
    let sizes = (0..bases.len()).map(|base| {
        let item = task.largest_item(base);
        (item, task.entry_bytes(base, index, item))
    });
    let (item, bytes) = sizes.fold((0, 0), |most, it| (most.0.max(it.0), most.1.max(it.1)));
    let entry = task.entry(index, bytes);
    let partition = entry.path.partition_set();
    let mut load = Load::default();
    for (write, effect) in &task.effects {
        // To an entry it matters only whether the primary key moves.
        let moving = bases.iter().find(|base| moves_base(effect, base));
        let staying = bases.iter().find(|base| !moves_base(effect, base));
        let writes = moving.into_iter().chain(staying).map(|base| entry_writes(facts, effect, base, &entry));
        load.add_writes(write.peak, writes.max().unwrap_or(0), hottest_share(facts, partition, true));
    }
    let reads = hottest_share(facts, partition, false);
    for (demand, choice) in task.demands.iter().zip(all) {
        if let Choice::Index(..) = choice {
            let price = task.price(demand, choice, 0, item, bytes, 1);
            load.add_reads(demand.peak, price.half_units_per_partition, reads);
        }
    }
    tolerates(facts, entry.path, load)
}

/// Whether the table could become too hot, were every demand to use it that can.
pub(in super::super) fn may_heat_base(task: &EntityTask<'_>, base: usize) -> bool {
    let on_base = |at: usize| {
        let mut ways = task.without_index(base, at).iter();
        ways.find(|choice| matches!(choice, Choice::Base(_))).cloned().unwrap_or(Choice::NotNeeded)
    };
    let all: Vec<Choice> = (0..task.demands.len()).map(on_base).collect();
    !base_is_cool(task, base, &all, task.largest_item(base))
}

/// Whether the table bears the writes and the reads that nothing else can serve, at the smallest size.
pub(super) fn bears_what_must_be(task: &EntityTask<'_>, base: usize, item: u64) -> bool {
    let forced = |at: usize| match task.without_index(base, at) {
        [only] if task.on_indexes(base, at).is_empty() => only.clone(),
        _ => Choice::NotNeeded,
    };
    let all: Vec<Choice> = (0..task.demands.len()).map(forced).collect();
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

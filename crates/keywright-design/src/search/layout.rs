//! Layouts of one entity: a base placement, a set of indexes, and how each demand is served, with the exact price.

use keywright_dynamodb::limits::ITEM_BYTES;

use super::budget::keeps_to_budgets;
use super::options::Choice;
use super::task::EntityTask;
use super::{Counts, arrange};
use crate::cost::{
    Cost, Entry, Load, ReadPrice, effect_price, entry_writes, hottest_share, shards_for, tolerates,
    write_share,
};
use crate::demand::{Demand, Source};
use crate::form::{self, Form};

/// A way to lay out one entity, with its exact price.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Layout {
    pub(crate) base: usize,
    /// The index candidates that are open, ascending.
    pub(crate) indexes: Vec<usize>,
    /// How each demand is served.
    pub(crate) services: Vec<Service>,
    /// Shards of each open index.
    pub(crate) shards: Vec<u64>,
    pub(crate) cost: Cost,
    pub(crate) counts: Counts,
    pub(crate) item_bytes: u64,
    /// Bytes of an entry of each open index.
    pub(crate) entry_bytes: Vec<u64>,
    /// Where each shared demand is served, in the order of the demands.
    pub(crate) shared: Vec<SharedPlace>,
}

/// How a demand is served.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Service {
    pub(crate) choice: Choice,
    pub(crate) price: ReadPrice,
}

/// Where a part of a shared read lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct SharedPlace {
    /// The kind of the index's projection; none for the table.
    pub(crate) kind: Option<usize>,
    /// The GSI, where it is there already: reads find nothing that is in another.
    pub(crate) gsi: Option<usize>,
    pub(crate) bytes: u64,
    pub(crate) client_sort: bool,
}

impl SharedPlace {
    /// The place that a choice gives a part of a shared read, where it has so many bytes.
    pub(super) fn of(task: &EntityTask<'_>, choice: &Choice, bytes: u64) -> Self {
        match choice {
            Choice::Index(index, fit) => SharedPlace {
                kind: Some(task.candidates.indexes[*index].projection.kind()),
                gsi: task.gsi(*index),
                bytes,
                client_sort: fit.client_sort,
            },
            Choice::Base(fit) => SharedPlace { kind: None, gsi: None, bytes, client_sort: fit.client_sort },
            Choice::NotNeeded | Choice::Unique(_) => {
                SharedPlace { kind: None, gsi: None, bytes, client_sort: false }
            }
        }
    }
}

/// The exact price of a choice for every demand; none where a limit is passed.
pub(crate) fn evaluate(task: &EntityTask<'_>, base: usize, chosen: &[Choice]) -> Option<Layout> {
    evaluate_beside(task, base, chosen, |_, upkeep| upkeep())
}

/// The same for who looks at many choices under one base placement: `upkeep` is asked what keeping these indexes costs, and
/// may know it already.
pub(crate) fn evaluate_beside(
    task: &EntityTask<'_>,
    base: usize,
    chosen: &[Choice],
    upkeep: impl FnOnce(&[usize], &dyn Fn() -> Cost) -> Cost,
) -> Option<Layout> {
    let facts = task.facts();
    let mut indexes: Vec<usize> = chosen
        .iter()
        .filter_map(|choice| match choice {
            Choice::Index(index, _) => Some(*index),
            _ => None,
        })
        .collect();
    indexes.extend(0..task.candidates.kept);
    indexes.sort_unstable();
    indexes.dedup();
    let item = task.item_bytes(base, &indexes);
    if item > ITEM_BYTES {
        return None;
    }
    let entry_bytes: Vec<u64> = indexes.iter().map(|index| task.entry_bytes(base, *index, item)).collect();
    let entries: Vec<Entry<'_>> =
        indexes.iter().zip(&entry_bytes).map(|(index, bytes)| task.entry(*index, *bytes)).collect();
    let position =
        |index: &usize| indexes.iter().position(|it| it == index).expect("every used index is open");
    let bytes_at = |choice: &Choice| match choice {
        Choice::Index(index, _) => entry_bytes[position(index)],
        _ => item,
    };
    for (demand, choice) in task.demands.iter().zip(chosen) {
        let (path, fit) = match choice {
            Choice::Base(fit) => (&task.candidates.bases[base], fit),
            Choice::Index(index, fit) => (&task.candidates.indexes[*index].path, fit),
            Choice::NotNeeded | Choice::Unique(_) => continue,
        };
        if bytes_at(choice) > fit.most_bytes(facts, &demand.part, path) {
            return None;
        }
    }
    let is_cool = !task.hot_bases[base] || base_is_cool(task, base, chosen, item);
    if !is_cool || !arranged(task, chosen) {
        return None;
    }
    let shards: Option<Vec<u64>> = indexes
        .iter()
        .zip(&entries)
        .map(|(index, entry)| match task.hot[*index][base] {
            true => shards_of(task, base, *index, entry, chosen, item),
            false => Some(1),
        })
        .collect();
    let shards = shards?;
    let mut cost = upkeep(&indexes, &|| task.upkeep(base, item, &entries));
    let mut services = Vec::with_capacity(chosen.len());
    let mut shared = Vec::new();
    for (demand, choice) in task.demands.iter().zip(chosen) {
        let on = match choice {
            Choice::Index(index, _) => shards[position(index)],
            _ => 1,
        };
        if demand.is_shared() {
            if on > 1 {
                return None;
            }
            shared.push(SharedPlace::of(task, choice, bytes_at(choice)));
            services.push(Service { choice: choice.clone(), price: ReadPrice::default() });
            continue;
        }
        if on > 1 && matches!(choice, Choice::Index(_, fit) if !fit.scatter.is_empty()) {
            return None;
        }
        let price = task.price(demand, choice, base, item, bytes_at(choice), on);
        cost += price.cost;
        services.push(Service { choice: choice.clone(), price });
    }
    let mut counts = Counts::default();
    for index in &indexes {
        counts[task.candidates.indexes[*index].projection.kind()] += 1;
    }
    let layout =
        Layout { base, indexes, services, shards, cost, counts, item_bytes: item, entry_bytes, shared };
    keeps_to_budgets(task, &layout).then_some(layout)
}

/// Whether the table's own partitions bear the load of this entity.
pub(super) fn base_is_cool(task: &EntityTask<'_>, base: usize, chosen: &[Choice], item: u64) -> bool {
    let facts = task.facts();
    let path = &task.candidates.bases[base];
    let partition = path.partition_set();
    let reads = hottest_share(facts, partition, false);
    let mut load = Load::default();
    for (write, effect) in &task.effects {
        let price = effect_price(task.problem, task.month, write, effect, path, item, &[]);
        load.add_writes(write.peak, price.base_micro_units, write_share(facts, partition, effect));
    }
    for (demand, choice) in task.demands.iter().zip(chosen) {
        if let Choice::Base(_) = choice {
            let price = task.price(demand, choice, base, item, item, 1);
            load.add_reads(demand.peak, price.half_units_per_partition, reads);
        }
    }
    tolerates(facts, path, load)
}

/// The shards that an index needs for its entries' writes and the reads that use it.
pub(super) fn shards_of(
    task: &EntityTask<'_>,
    base: usize,
    index: usize,
    entry: &Entry<'_>,
    chosen: &[Choice],
    item: u64,
) -> Option<u64> {
    let facts = task.facts();
    let load = |shards: u64| index_load(task, base, index, entry, chosen, item, shards);
    let shards = shards_for(facts, entry.path, load)?;
    // Over shards a native key has one attribute more.
    (shards == 1
        || entry.form != Form::Native
        || form::has_room_for_shard(task.problem, task.entity, entry.path))
    .then_some(shards)
}

/// The load on the hottest partition of an index that is spread over so many shards.
pub(crate) fn index_load(
    task: &EntityTask<'_>,
    base: usize,
    index: usize,
    entry: &Entry<'_>,
    chosen: &[Choice],
    item: u64,
    shards: u64,
) -> Load {
    let facts = task.facts();
    let partition = entry.path.partition_set();
    let reads = hottest_share(facts, partition, false);
    let base_path = &task.candidates.bases[base];
    let mut load = Load::default();
    for (write, effect) in &task.effects {
        let micro = entry_writes(facts, effect, base_path, entry);
        load.add_writes(write.peak, micro.div_ceil(shards), write_share(facts, partition, effect));
    }
    for (demand, choice) in task.demands.iter().zip(chosen) {
        if matches!(choice, Choice::Index(used, _) if *used == index) {
            let price = task.price(demand, choice, base, item, entry.bytes, shards);
            load.add_reads(demand.peak, price.half_units_per_partition, reads);
        }
    }
    load
}

/// Whether the blocks of the shared reads that this entity heads can be put in order while these demands have no place yet:
/// one more read never makes room for others, unless it wants several kinds as one list, which makes one block of them.
pub(crate) fn may_be_arranged(task: &EntityTask<'_>, chosen: &[Choice], unplaced: &[usize]) -> bool {
    let joins = |at: &usize| match task.demands[*at].source {
        Source::Shared { read, .. } => !task.problem.reads[read].interleaved.is_empty(),
        _ => false,
    };
    unplaced.iter().any(joins) || arranged(task, chosen)
}

/// Whether the blocks of the shared reads that this entity heads can be put in order, in every place. What has no place yet
/// is in nobody's way.
pub(crate) fn arranged(task: &EntityTask<'_>, chosen: &[Choice]) -> bool {
    if !unmixed(task, chosen) {
        return false;
    }
    let mut places: Vec<(Option<usize>, Vec<usize>)> = Vec::new();
    for (demand, choice) in task.demands.iter().zip(chosen) {
        let Source::Shared { read, part: 0 } = demand.source else { continue };
        let place = match choice {
            Choice::Index(index, _) => Some(*index),
            Choice::Base(_) => None,
            Choice::NotNeeded | Choice::Unique(_) => continue,
        };
        match places.iter_mut().find(|(at, _)| *at == place) {
            Some((_, reads)) => reads.push(read),
            None => places.push((place, vec![read])),
        }
    }
    places.iter().all(|(place, reads)| {
        let fixed = task.existing.map_or_else(Vec::new, |existing| match place {
            None => existing.blocks(task.problem, &task.problem.reads[reads[0]], None),
            Some(index) => match existing.index_number(task.entity, *index) {
                Some(number) => existing.blocks(task.problem, &task.problem.reads[reads[0]], Some(number)),
                None => Vec::new(),
            },
        });
        arrange(task.problem, reads, &fixed).is_some()
    })
}

/// Whether no Query of this entity alone runs in a block that it shares with others, and lists of several kinds come in
/// the order of their keys.
fn unmixed(task: &EntityTask<'_>, chosen: &[Choice]) -> bool {
    let mixed = mixed_places(task, chosen);
    task.demands.iter().zip(chosen).all(|(demand, choice)| match choice {
        Choice::Base(fit) | Choice::Index(_, fit) if mixes(task, demand) => !fit.client_sort,
        _ => is_of_one_kind(task, &mixed, choice),
    })
}

/// Whether a demand is a part of a list of several kinds.
fn mixes(task: &EntityTask<'_>, demand: &Demand) -> bool {
    match demand.source {
        Source::Shared { read, .. } => task.problem.reads[read].interleaved.contains(&task.entity),
        _ => false,
    }
}

/// The places where this entity shares a block with others, whether a read wants it or it was so before: the table (none),
/// or an index.
pub(super) fn mixed_places(task: &EntityTask<'_>, chosen: &[Choice]) -> Vec<Option<usize>> {
    let place = |choice: &Choice| match choice {
        Choice::Index(index, _) => Some(Some(*index)),
        Choice::Base(_) => Some(None),
        Choice::NotNeeded | Choice::Unique(_) => None,
    };
    let lists = task.demands.iter().zip(chosen).filter(|(demand, _)| mixes(task, demand));
    lists.filter_map(|(_, choice)| place(choice)).chain(task.untold.iter().copied()).collect()
}

/// Whether a choice finds items of this entity alone: a Query in a block of several kinds would find others too, but what
/// a whole key finds is of one kind.
pub(super) fn is_of_one_kind(task: &EntityTask<'_>, mixed: &[Option<usize>], choice: &Choice) -> bool {
    match choice {
        Choice::Base(fit) if mixed.contains(&None) => fit.whole_key,
        Choice::Index(index, fit) if mixed.contains(&Some(*index)) => {
            fit.run == task.candidates.indexes[*index].path.sort.len()
        }
        _ => true,
    }
}

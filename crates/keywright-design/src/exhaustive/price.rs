//! The price of a naive layout: the cost function, applied to every part.

use keywright_dynamodb::limits::{ITEM_BYTES, MB};
use keywright_model::model::Direction;

use super::naive::{Place, Way, sorted_by};
use crate::cost::{
    Cost, Entry, Load, MonthlyPrice, ReadPlan, Sizes, check_price, effect_price, entry_bytes, entry_writes,
    hottest_share, item_bytes, plain_bytes, shards_for, storage_price, tolerates, unique_price,
    uniqueness_bytes, write_share,
};
use crate::demand::{Demand, Source};
use crate::form::Form;
use crate::path::{Path, Projection};
use crate::plan::Fit;
use crate::problem::{Attrs, EffectFacts, EntityFacts, Problem, ResultShape};

/// Where a part of a shared read lies: the index (none for the table), bytes, sorted by the caller.
pub(super) type Part = (Option<usize>, u64, bool);

/// One entity, laid out.
pub(super) struct Laid {
    pub(super) price: i128,
    /// The indexes in use.
    pub(super) open: Vec<usize>,
    /// The parts of shared reads, in the order of the demands.
    pub(super) parts: Vec<Part>,
    /// What is asked of the table, then of each of these indexes, by writes and by reads of this entity alone, with the
    /// partition attributes there.
    pub(super) asked: Vec<(Attrs, Load)>,
}

/// Prices one way for every demand; none where a limit is passed.
pub(super) fn laid(
    problem: &Problem,
    month: &MonthlyPrice,
    entity: usize,
    demands: &[Demand],
    table: &Place,
    indexes: &[Place],
    chosen: &[&Way],
) -> Option<Laid> {
    let facts = &problem.entities[entity];
    let mut open: Vec<usize> = Vec::new();
    for way in chosen {
        if let Way::Index(at, _) = way
            && !open.contains(at)
        {
            open.push(*at);
        }
    }
    open.sort_unstable();
    let sizes = |path: &Path| Sizes::in_index(problem, entity, path, Form::Generic);
    let base = Sizes::in_base(problem, entity, &table.path, Form::Generic);
    let item =
        item_bytes(plain_bytes(problem, entity), base, open.iter().map(|at| sizes(&indexes[*at].path)));
    if item > ITEM_BYTES {
        return None;
    }
    let entry = |at: usize| -> Entry<'_> {
        let path = &indexes[at].path;
        let projection = indexes[at].projection.unwrap_or(Projection::All);
        let bytes = entry_bytes(problem, entity, projection, item, base, sizes(path));
        Entry { path, form: Form::Generic, projection, bytes, beside: Cost::ZERO }
    };
    let entries: Vec<Entry<'_>> = open.iter().map(|at| entry(*at)).collect();
    let read = |demand: &Demand, way: &Way, shards: u64| match way {
        Way::Known => Default::default(),
        Way::Unique(set) => {
            unique_price(month, demand, uniqueness_bytes(problem, entity, facts.unique[*set]), item)
        }
        Way::Table(fit) => {
            ReadPlan::new(facts, demand, &table.path, fit, true, false, 1).price(month, demand, item, item)
        }
        Way::Index(at, fit) => {
            let entry = entry(*at);
            // Whoever sorts has to see what it sorts by.
            let shown = demand.part.returns.union(sorted_by(demand, fit));
            let fetch = match entry.projection {
                Projection::All => false,
                Projection::Keys => !shown.is_empty(),
                Projection::Include(list) => !shown.is_subset(list),
            };
            let plan = ReadPlan::new(facts, demand, entry.path, fit, false, fetch, shards);
            plan.price(month, demand, entry.bytes, item)
        }
    };
    // What is read and dropped, or sorted by the caller, must be bounded by a stated maximum.
    for (demand, way) in demands.iter().zip(chosen) {
        let (path, fit, bytes) = match way {
            Way::Table(fit) => (&table.path, fit, item),
            Way::Index(at, fit) => (&indexes[*at].path, fit, entry(*at).bytes),
            Way::Known | Way::Unique(_) => continue,
        };
        let dropped = !fit.filter.is_empty() || !fit.filter_within.is_empty() || fit.filter_range;
        let wastes = dropped || fit.client_sort || demand.part.holding.is_some();
        if wastes && !bounded(facts, path, fit, bytes) {
            return None;
        }
    }
    if !of_one_kind(problem, entity, demands, indexes, chosen) {
        return None;
    }
    // The table's hottest partition.
    let mut load = Load::default();
    let read_share = |path: &Path| hottest_share(facts, path.partition_set(), false);
    let share = |path: &Path, effect: &EffectFacts| write_share(facts, path.partition_set(), effect);
    let effects = || {
        let all = problem.writes.iter().flat_map(|write| write.effects.iter().map(move |it| (write, it)));
        all.filter(|(_, effect)| effect.entity == entity)
    };
    for (write, effect) in effects() {
        let price = effect_price(problem, month, write, effect, &table.path, item, &[]);
        load.add_writes(write.peak, price.base_micro_units, share(&table.path, effect));
    }
    for (demand, way) in demands.iter().zip(chosen) {
        if matches!(way, Way::Table(_)) {
            let half = read(demand, way, 1).half_units_per_partition;
            load.add_reads(demand.peak, half, read_share(&table.path));
        }
    }
    if !tolerates(facts, &table.path, load) {
        return None;
    }
    // Each index's hottest partition, and the shards that it needs.
    let mut shards = Vec::new();
    for (at, entry) in open.iter().zip(&entries) {
        shards.push(shards_for(facts, entry.path, |shards| {
            let mut load = Load::default();
            for (write, effect) in effects() {
                let micro = entry_writes(facts, effect, &table.path, entry).div_ceil(shards);
                load.add_writes(write.peak, micro, share(entry.path, effect));
            }
            for (demand, way) in demands.iter().zip(chosen) {
                if matches!(way, Way::Index(used, _) if used == at) {
                    let half = read(demand, way, shards).half_units_per_partition;
                    load.add_reads(demand.peak, half, read_share(entry.path));
                }
            }
            load
        })?);
    }
    let mut asked = Vec::with_capacity(1 + open.len());
    for place in std::iter::once(None).chain((0..open.len()).map(Some)) {
        let path = place.map_or(&table.path, |at| entries[at].path);
        let mut load = Load::default();
        for (write, effect) in effects() {
            let micro = match place {
                None => effect_price(problem, month, write, effect, path, item, &[]).base_micro_units,
                Some(at) => entry_writes(facts, effect, &table.path, &entries[at]).div_ceil(shards[at]),
            };
            load.add_writes(write.peak, micro, share(path, effect));
        }
        for (demand, way) in demands.iter().zip(chosen) {
            let here = match (way, place) {
                (Way::Table(_), None) => true,
                (Way::Index(used, _), Some(at)) => *used == open[at],
                _ => false,
            };
            if here && !matches!(demand.source, Source::Shared { .. }) {
                let half = read(demand, way, place.map_or(1, |at| shards[at])).half_units_per_partition;
                load.add_reads(demand.peak, half, read_share(path));
            }
        }
        asked.push((path.partition_set(), load));
    }
    let mut price = storage_price(problem, month, entity, &table.path, item, &entries);
    for (write, effect) in effects() {
        price += effect_price(problem, month, write, effect, &table.path, item, &entries).cost;
    }
    for write in &problem.writes {
        for _ in write.checks.iter().filter(|check| check.entity == entity) {
            price += check_price(month, write, item);
        }
    }
    let lists = entries.iter().filter(|entry| matches!(entry.projection, Projection::Include(_))).count();
    let kinds = i128::from(facts.counter || facts.copy_of.is_some());
    let mut price = price.total()
        + month.operational.include_list.pico() * lists as i128
        + month.operational.item_type.pico() * kinds;
    let mut parts = Vec::new();
    for (demand, way) in demands.iter().zip(chosen) {
        let on = match way {
            Way::Index(at, _) => shards[open.iter().position(|it| it == at)?],
            _ => 1,
        };
        if matches!(demand.source, Source::Shared { .. }) {
            match way {
                Way::Table(fit) => parts.push((None, item, fit.client_sort)),
                Way::Index(at, fit) if on == 1 => parts.push((Some(*at), entry(*at).bytes, fit.client_sort)),
                _ => return None,
            }
        } else {
            if on > 1 && matches!(way, Way::Index(_, fit) if !fit.scatter.is_empty()) {
                return None;
            }
            price += read(demand, way, on).cost.total();
        }
    }
    heads_are_arranged(problem, demands, &parts).then_some(Laid { price, open, parts, asked })
}

/// A list of several kinds is in key order, and nobody else asks for a part of where it lies: only whole keys are of one
/// kind there.
fn of_one_kind(
    problem: &Problem,
    entity: usize,
    demands: &[Demand],
    indexes: &[Place],
    chosen: &[&Way],
) -> bool {
    let mixes = |demand: &Demand| matches!(demand.source, Source::Shared { read, .. } if problem.reads[read].interleaved.contains(&entity));
    let all = || demands.iter().zip(chosen);
    let in_table = all().any(|(demand, way)| mixes(demand) && matches!(way, Way::Table(_)));
    let in_index = |at: usize| {
        all().any(|(demand, way)| mixes(demand) && matches!(way, Way::Index(used, _) if *used == at))
    };
    all().all(|(demand, way)| match way {
        Way::Table(fit) | Way::Index(_, fit) if mixes(demand) => !fit.client_sort,
        Way::Table(fit) => !in_table || fit.whole_key,
        Way::Index(at, fit) => !in_index(*at) || fit.run == indexes[*at].path.sort.len(),
        Way::Known | Way::Unique(_) => true,
    })
}

fn bounded(facts: &EntityFacts, path: &Path, fit: &Fit, bytes: u64) -> bool {
    most(facts, path, fit).is_some_and(|most| most * bytes <= MB)
}

/// The most items that a Query can find, where that is stated.
pub(super) fn most(facts: &EntityFacts, path: &Path, fit: &Fit) -> Option<u64> {
    let mut fixed = path.partition.clone();
    fixed.extend(path.sort[..fit.run].iter().map(|segment| segment.attr));
    fixed.extend(path.only.iter().map(|it| it.0));
    let one = facts.identity.iter().all(|attr| fixed.contains(attr))
        || facts.unique.iter().any(|set| set.iter().all(|attr| fixed.contains(&attr)));
    let stated = facts.parents.iter().filter(|link| {
        link.via.iter().all(|attr| fixed.contains(attr))
            || link.told.is_some_and(|attr| fixed.contains(&attr))
    });
    if one { Some(1) } else { stated.filter_map(|link| link.max).min() }
}

/// Whether the blocks of all reads that this entity heads can be ordered, in each place.
fn heads_are_arranged(problem: &Problem, demands: &[Demand], parts: &[Part]) -> bool {
    let shared = demands.iter().filter(|it| matches!(it.source, Source::Shared { .. }));
    let mut places: Vec<(Option<usize>, Vec<usize>)> = Vec::new();
    for (demand, part) in shared.zip(parts) {
        let Source::Shared { read, part: 0 } = demand.source else { continue };
        match places.iter_mut().find(|(place, _)| *place == part.0) {
            Some((_, reads)) => reads.push(read),
            None => places.push((part.0, vec![read])),
        }
    }
    places.iter().all(|(_, reads)| arranged(problem, reads))
}

/// Tries every order of blocks, every encoding of each, every direction of each read.
fn arranged(problem: &Problem, reads: &[usize]) -> bool {
    // What is one list for some read is one block.
    let mut block: Vec<usize> = (0..problem.entities.len()).collect();
    for _ in reads {
        for read in reads {
            let mixed = &problem.reads[*read].interleaved;
            let least = mixed.iter().map(|entity| block[*entity]).min();
            mixed.iter().for_each(|entity| block[*entity] = least.unwrap_or(*entity));
        }
    }
    let mut blocks: Vec<usize> = reads
        .iter()
        .flat_map(|read| problem.reads[*read].parts.iter().map(|part| block[part.entity]))
        .collect();
    blocks.sort_unstable();
    blocks.dedup();
    let mut orders: Vec<Vec<usize>> = vec![Vec::new()];
    for _ in &blocks {
        let longer = orders.iter().flat_map(|order| {
            let rest = blocks.iter().filter(|it| !order.contains(it));
            rest.map(|next| order.iter().copied().chain([*next]).collect::<Vec<usize>>()).collect::<Vec<_>>()
        });
        orders = longer.collect();
    }
    orders.iter().any(|order| {
        (0u32..1 << order.len()).any(|encoded_down| {
            reads.iter().all(|read| {
                [true, false]
                    .iter()
                    .any(|up| block_order_serves(problem, *read, &block, order, encoded_down, *up))
            })
        })
    })
}

fn block_order_serves(
    problem: &Problem,
    read: usize,
    block: &[usize],
    order: &[usize],
    down: u32,
    up: bool,
) -> bool {
    let facts = &problem.reads[read];
    let at = |entity: usize| order.iter().position(|it| *it == entity).unwrap_or(usize::MAX);
    let places: Vec<usize> = facts.parts.iter().map(|part| at(block[part.entity])).collect();
    let (first, last) = (*places.iter().min().unwrap_or(&0), *places.iter().max().unwrap_or(&0));
    let apart: std::collections::BTreeSet<usize> = places.iter().copied().collect();
    if last - first + 1 != apart.len() {
        return false;
    }
    if matches!(facts.result, ResultShape::Page(_)) && facts.has_head {
        let starts = if up { first } else { last };
        if places[0] != starts || apart.len() > 2 {
            return false;
        }
    }
    facts.parts.iter().zip(&places).all(|(part, place)| {
        let entity = &problem.entities[part.entity];
        let eq = part.eq();
        let wanted = part.order.iter().find(|(attr, _)| !eq.contains(*attr));
        match wanted {
            Some((_, direction)) if !entity.at_most_one(eq) => {
                let encoded_down = down >> place & 1 == 1;
                (*direction == Direction::Descending) == (encoded_down == up)
            }
            _ => true,
        }
    })
}

//! Why no layout of an entity holds: the pattern that no key bears, in words.

use keywright_dynamodb::limits::{MB, PARTITION_READ_UNITS, PARTITION_WRITE_UNITS};
use keywright_dynamodb::units::Units;
use keywright_finding::{Finding, Span};

use crate::cost::{
    Load, MOST_SHARDS, effect_price, entry_writes, hottest_share, plain_bytes, tolerates, write_share,
};
use crate::demand::Source;
use crate::path::Path;
use crate::problem::{Attrs, EntityFacts, WriteFacts};
use crate::rules;
use crate::search::{Choice, EntityTask, MOST_BLOCKS, choices, may_be_arranged, owners, wanted_blocks};

/// What is to be said of an entity that no layout serves as a whole.
pub(super) fn finding(task: &EntityTask<'_>) -> Finding {
    too_wide(task)
        .or_else(|| too_hot_to_write(task))
        .or_else(|| too_much_to_filter_or_sort(task))
        .or_else(|| too_hot_to_read(task))
        .or_else(|| too_many_shards(task))
        .or_else(|| apart(task))
        .or_else(|| unarranged(task))
        .unwrap_or_else(|| {
            let facts = task.facts();
            Finding::new(
                &rules::TOO_HOT,
                facts.span,
                format!(
                    "the patterns of {} together exceed the throughput of one partition, though each alone \
                     does not",
                    facts.name
                ),
            )
            .help("spread the load over more key values, lower the rates, or give the reads another input")
        })
}

/// Two patterns that want different primary keys.
fn apart(task: &EntityTask<'_>) -> Option<Finding> {
    let facts = task.facts();
    let bases = 0..task.candidates.bases.len();
    let served: Vec<Vec<bool>> = (0..task.demands.len())
        .map(|at| bases.clone().map(|base| !choices(task, base, at).is_empty()).collect())
        .collect();
    let meet =
        |one: usize, other: usize| served[one].iter().zip(&served[other]).any(|(one, other)| *one && *other);
    let pairs = (0..served.len()).flat_map(|one| (one + 1..served.len()).map(move |other| (one, other)));
    let (one, other) = pairs.into_iter().find(|(one, other)| !meet(*one, *other))?;
    let ((first, _), (second, span)) = (pattern(task, one), pattern(task, other));
    let strong = task.demands[one].strong && task.demands[other].strong;
    let why = match strong {
        true => "both are strong reads, and only the primary key serves those",
        false => "one key can serve only one of them, and no index of this style can serve the other",
    };
    Some(
        Finding::new(
            &rules::UNSERVABLE_PATTERN,
            span,
            format!("{first} and {second} need different primary keys of {}; {why}", facts.name),
        )
        .help(format!(
            "add the identity to the inputs of {second} or {first}, or {}, so that an index can serve it",
            if strong { "make one of them Eventual" } else { "use the style overloaded" }
        )),
    )
}

/// A read of so many kinds of items that nobody tries to put them in order.
fn too_wide(task: &EntityTask<'_>) -> Option<Finding> {
    let reads = task.demands.iter().filter_map(|demand| match demand.source {
        Source::Shared { read, part: 0 } => Some(read),
        _ => None,
    });
    let kinds = |read: usize| {
        let owner = owners(task.problem, &[read], &[]).unwrap_or_default();
        wanted_blocks(task.problem, &owner, read).len()
    };
    let (read, kinds) = reads.map(|read| (read, kinds(read))).find(|(_, kinds)| *kinds > MOST_BLOCKS)?;
    let facts = &task.problem.reads[read];
    Some(
        Finding::new(
            &rules::UNSERVABLE_PATTERN,
            facts.span,
            format!(
                "{} reads {kinds} kinds of items at once; Keywright puts at most {MOST_BLOCKS} into one collection",
                facts.id
            ),
        )
        .help(format!(
            "split {} into patterns that each read {} with some of its children",
            facts.id,
            task.facts().name
        )),
    )
}

/// Reads of this entity with its children that are too many for the places where they can lie.
fn unarranged(task: &EntityTask<'_>) -> Option<Finding> {
    let facts = task.facts();
    let heads: Vec<usize> = (0..task.demands.len())
        .filter(|at| matches!(task.demands[*at].source, Source::Shared { part: 0, .. }))
        .collect();
    let possible = (0..task.candidates.bases.len()).any(|base| {
        let ways: Vec<Vec<Choice>> = heads.iter().map(|at| choices(task, base, *at)).collect();
        some_arranged(task, &heads, &ways, &mut vec![Choice::NotNeeded; task.demands.len()])
    });
    if possible || heads.len() < 2 {
        return None;
    }
    let mut ids: Vec<&str> = heads.iter().map(|at| pattern(task, *at).0).collect();
    let last = ids.pop()?;
    Some(
        Finding::new(
            &rules::UNSERVABLE_PATTERN,
            pattern(task, *heads.last()?).1,
            format!(
                "{} and {last} read {} with its children, but no table or index can hold it next to all of \
                 them in the requested orders",
                ids.join(", "),
                facts.name
            ),
        )
        .help(
            "one collection serves two kinds of children: read the children of one pattern separately; if \
             the style is multi-attribute or the read is Strong, use the style overloaded or an Eventual \
             read, so that an index can hold a second collection",
        ),
    )
}

/// Whether the reads that the entity heads can be given ways that lie in order together.
fn some_arranged(
    task: &EntityTask<'_>,
    heads: &[usize],
    ways: &[Vec<Choice>],
    chosen: &mut Vec<Choice>,
) -> bool {
    // What is out of order already stays so, wherever the rest goes.
    if !may_be_arranged(task, chosen, heads) {
        return false;
    }
    let (Some((head, heads)), Some((these, ways))) = (heads.split_first(), ways.split_first()) else {
        return true;
    };
    let found = these.iter().any(|choice| {
        chosen[*head] = choice.clone();
        some_arranged(task, heads, ways, chosen)
    });
    chosen[*head] = Choice::NotNeeded;
    found
}

/// The pattern that a demand comes from.
fn pattern<'t>(task: &'t EntityTask<'_>, at: usize) -> (&'t str, Span) {
    match task.demands[at].source {
        Source::Read(read) | Source::Shared { read, .. } | Source::Behind(read) => {
            (&task.problem.reads[read].id, task.problem.reads[read].span)
        }
        Source::Locate { write, .. } | Source::LocateCheck { write, .. } => {
            (&task.problem.writes[write].id, task.problem.writes[write].span)
        }
    }
}

/// The writes that are too much for every primary key: one alone, or all together.
fn too_hot_to_write(task: &EntityTask<'_>) -> Option<Finding> {
    let facts = task.facts();
    let mut writes: Vec<&WriteFacts> = Vec::new();
    for (write, _) in &task.effects {
        if !writes.iter().any(|it| it.pattern == write.pattern) {
            writes.push(write);
        }
    }
    let least = |some: &[&WriteFacts]| -> Option<u64> {
        let bases = &task.candidates.bases;
        let loads = bases.iter().map(|path| (path, written(task, path, some)));
        if loads.clone().any(|(path, load)| tolerates(facts, path, load)) {
            return None;
        }
        loads.map(|(_, load)| load.write_units()).min()
    };
    let alone = writes.iter().find_map(|write| Some((vec![*write], least(&[write])?)));
    let (blamed, units) = alone.or_else(|| {
        let units = least(&writes)?;
        Some((writes, units))
    })?;
    let ids: Vec<&str> = blamed.iter().map(|write| write.id.as_str()).collect();
    let verb = if ids.len() == 1 { "writes" } else { "together write" };
    Some(
        Finding::new(
            &rules::TOO_HOT,
            blamed[0].span,
            format!(
                "{} {verb} about {units} units a second to one key of {}; a partition takes \
                 {PARTITION_WRITE_UNITS}",
                ids.join(", "),
                facts.name
            ),
        )
        .help(format!(
            "lower the rate, state how many {} items there are and how evenly writes spread over them, or \
             write to several items and add them up when reading",
            facts.name
        )),
    )
}

/// What some writes ask of the hottest partition under a primary key.
fn written(task: &EntityTask<'_>, path: &Path, writes: &[&WriteFacts]) -> Load {
    let item = plain_bytes(task.problem, task.entity);
    let mut load = Load::default();
    for (write, effect) in &task.effects {
        if writes.iter().any(|it| it.pattern == write.pattern) {
            let price = effect_price(task.problem, task.month, write, effect, path, item, &[]);
            let share = write_share(task.facts(), path.partition_set(), effect);
            load.add_writes(write.peak, price.base_micro_units, share);
        }
    }
    load
}

/// The first read that no key bears, whatever else is read.
fn too_hot_to_read(task: &EntityTask<'_>) -> Option<Finding> {
    let facts = task.facts();
    // The half units of one call on one partition, and whether the hottest partition bears that.
    let asked = |base: usize, at: usize, choice: &Choice| {
        let item = plain_bytes(task.problem, task.entity);
        let (path, shards) = match choice {
            Choice::Base(_) => (&task.candidates.bases[base], 1),
            // One item can't be spread over shards.
            Choice::Index(index, fit) => match &task.candidates.indexes[*index].path {
                path if facts.at_most_one(fit.fixed(path)) => (path, 1),
                path => (path, most_shards(facts)),
            },
            Choice::NotNeeded | Choice::Unique(_) => return (0, true),
        };
        let entry = match choice {
            Choice::Index(index, _) => task.entry_bytes(base, *index, item),
            _ => item,
        };
        let price = task.price(&task.demands[at], choice, base, item, entry, shards);
        let mut load = Load::default();
        let share = hottest_share(facts, path.partition_set(), false);
        load.add_reads(task.demands[at].peak, price.half_units_per_partition, share);
        (price.half_units_per_partition, tolerates(facts, path, load))
    };
    let ways = |at: usize| -> Vec<(u64, bool)> {
        let of_base = |base: usize| choices(task, base, at).into_iter().map(move |choice| (base, choice));
        let all = (0..task.candidates.bases.len()).flat_map(of_base);
        all.map(|(base, choice)| asked(base, at, &choice)).collect()
    };
    let blamed = |at: usize| {
        let ways = Some(ways(at)).filter(|ways| !ways.iter().any(|(_, bears)| *bears))?;
        Some((at, ways.into_iter().map(|(halves, _)| halves).min()?))
    };
    let alone = (0..task.demands.len()).filter(|at| !task.demands[*at].is_shared());
    let (at, halves) = alone.into_iter().find_map(blamed)?;
    let (id, span) = pattern(task, at);
    Some(
        Finding::new(
            &rules::TOO_HOT,
            span,
            format!(
                "{id} reads one key of {} faster than a partition allows: at {}/s, one call \
                 reads about {} units of it, and a partition serves {PARTITION_READ_UNITS} read units a second",
                facts.name,
                task.demands[at].peak,
                Units::halves(halves)
            ),
        )
        .help("cache the result, lower the rate, read less per call, or add an input that divides the items"),
    )
}

/// The first read that every key serves only by dropping or sorting items, of which there may be more under one key than
/// that is allowed for.
fn too_much_to_filter_or_sort(task: &EntityTask<'_>) -> Option<Finding> {
    let facts = task.facts();
    // The bytes of an item or entry with no more keys than these, and how many there may be; none where nothing is in the
    // way.
    let excess = |base: usize, at: usize, choice: &Choice| {
        let (path, fit, bytes) = match choice {
            Choice::Base(fit) => (&task.candidates.bases[base], fit, task.item_bytes(base, &[])),
            Choice::Index(index, fit) => {
                let bytes = task.entry_bytes(base, *index, task.item_bytes(base, &[*index]));
                (&task.candidates.indexes[*index].path, fit, bytes)
            }
            Choice::NotNeeded | Choice::Unique(_) => return None,
        };
        let most = facts.most_matches(fit.fixed(path))?;
        let part = &task.demands[at].part;
        // Whether nothing but what the caller may leave out is in the way of the key.
        let maybe: Attrs = part.equal.iter().filter(|it| it.optional).map(|it| it.attr).collect();
        let by_inputs = !fit.client_sort && fit.filtered(part).is_subset(maybe);
        (bytes > fit.most_bytes(facts, part, path)).then_some((bytes, most, by_inputs))
    };
    let blamed = |at: usize| {
        let of_base = |base: usize| choices(task, base, at).into_iter().map(move |choice| (base, choice));
        let ways = (0..task.candidates.bases.len()).flat_map(of_base);
        let all: Option<Vec<(u64, u64, bool)>> =
            ways.map(|(base, choice)| excess(base, at, &choice)).collect();
        // The way that needs least of the author: one where only what may be left out is in the way, or the smallest.
        Some((at, all?.into_iter().min_by_key(|(bytes, most, maybe)| (!maybe, bytes.saturating_mul(*most)))?))
    };
    let (at, (bytes, most, by_inputs)) = (0..task.demands.len()).find_map(blamed)?;
    let (id, span) = pattern(task, at);
    let part = &task.demands[at].part;
    let maybe = part.equal.iter().filter(|it| by_inputs && it.optional);
    let maybe: Vec<&str> = maybe.map(|it| it.input.as_str()).collect();
    let drops = match maybe.as_slice() {
        [] => "drops or sorts what it reads".to_owned(),
        names => format!("drops what it reads where {} is given", names.join(" or ")),
    };
    let instead = match maybe.as_slice() {
        [] => "remove a range, a filter or the order".to_owned(),
        names => {
            let names = names.join(" and ");
            format!("write two patterns, one with {names} and one without, or remove {names}")
        }
    };
    let fewer = MB / bytes.max(1);
    Some(
        Finding::new(
            &rules::UNSERVABLE_PATTERN,
            span,
            format!(
                "{id} can't be served: it {drops}, and up to {most} {} of about {bytes} bytes lie under one key; that is \
                 done with at most 1 MB, which is {fewer} of them",
                facts.name
            ),
        )
        .help(format!("state a maximum of at most {fewer}, if that is so; else {instead}")),
    )
}

/// Over how many partitions a collection of an entity can be spread.
fn most_shards(facts: &EntityFacts) -> u64 {
    MOST_SHARDS.min(facts.count).max(1)
}

/// The first read that only an index serves into which more is written than its shards bear.
fn too_many_shards(task: &EntityTask<'_>) -> Option<Finding> {
    let facts = task.facts();
    let item = plain_bytes(task.problem, task.entity);
    // What is written to an index a second, and whether so many shards bear it.
    let entered = |base: usize, index: usize, shards: u64| {
        let entry = task.entry(index, task.entry_bytes(base, index, item));
        let mut load = Load::default();
        for (write, effect) in &task.effects {
            let micro = entry_writes(facts, effect, &task.candidates.bases[base], &entry).div_ceil(shards);
            load.add_writes(write.peak, micro, write_share(facts, entry.path.partition_set(), effect));
        }
        (load.write_units(), tolerates(facts, entry.path, load))
    };
    let all: Vec<&WriteFacts> = task.effects.iter().map(|(write, _)| *write).collect();
    let too_much = |base: usize, choice: &Choice| match choice {
        Choice::Index(index, _) if !entered(base, *index, most_shards(facts)).1 => {
            Some(entered(base, *index, 1).0)
        }
        // A table is never spread.
        Choice::Base(_) => {
            let path = &task.candidates.bases[base];
            let load = written(task, path, &all);
            (!tolerates(facts, path, load)).then(|| load.write_units())
        }
        _ => None,
    };
    let blamed = |at: usize| -> Option<u64> {
        let ways = (0..task.candidates.bases.len())
            .flat_map(|base| choices(task, base, at).into_iter().map(move |choice| (base, choice)));
        let units: Option<Vec<u64>> = ways.map(|(base, choice)| too_much(base, &choice)).collect();
        units?.into_iter().min()
    };
    let (at, units) = (0..task.demands.len()).find_map(|at| Some((at, blamed(at)?)))?;
    let (id, span) = pattern(task, at);
    let of_base = |base: usize| choices(task, base, at);
    let mut all = (0..task.candidates.bases.len()).flat_map(of_base);
    let in_table = all.all(|choice| matches!(choice, Choice::Base(_)));
    let mut writes: Vec<&str> = task.effects.iter().map(|(write, _)| write.id.as_str()).collect();
    writes.dedup();
    let (verb, name) = (if writes.len() == 1 { "writes" } else { "write" }, &facts.name);
    if in_table {
        let strong = task.demands[at].strong;
        let why = if strong {
            "is a strong read, so only the table serves it"
        } else {
            "is served by the table only"
        };
        let change = if strong {
            format!("make {id} Eventual, so that an index can be spread over shards, ")
        } else {
            String::new()
        };
        return Some(
            Finding::new(
                &rules::TOO_HOT,
                span,
                format!(
                    "{id} {why}, and {} {verb} about {units} units a second under one of its keys of {name}: {} of \
                     {PARTITION_WRITE_UNITS} are used at most, and a table is not spread over shards",
                    writes.join(", "),
                    PARTITION_WRITE_UNITS * 3 / 4
                ),
            )
            .help(format!(
                "{change}give {id} an input that divides the items, such as a day or a tenant, or lower the rate of the \
                 writes"
            )),
        );
    }
    let (needed, most) = (units.div_ceil(PARTITION_WRITE_UNITS * 3 / 4), most_shards(facts));
    let cap = match most < MOST_SHARDS {
        true => format!("there are only {most} of {name} to spread"),
        false => format!("no index is spread over more than {MOST_SHARDS}, since a read asks them all"),
    };
    Some(
        Finding::new(
            &rules::TOO_HOT,
            span,
            format!(
                "{id} needs an index of {name} to which {} {verb} about {units} units a second under one key: that takes \
                 {needed} shards, and {cap}",
                writes.join(", ")
            ),
        )
        .help(format!(
            "give {id} an input that divides the items, such as a day or a tenant, or lower the rate of the writes"
        )),
    )
}

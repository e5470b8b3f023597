//! What can't be served, why, and what to change in the document.

use std::collections::BTreeSet;

use keywright_dynamodb::limits::{
    GLOBAL_SECONDARY_INDEXES, ITEM_BYTES, PARTITION_KEY_BYTES, TRANSACTION_ACTIONS,
};
use keywright_finding::Finding;
use keywright_model::Style;

use super::no_layout;
use crate::candidate::{is_turnable, needs_guard, without_room};
use crate::cost::plain_bytes;
use crate::demand::{Demand, Source};
use crate::naming;
use crate::problem::{
    Attr, Attrs, Domain, EffectAction, EntityFacts, Problem, ReadFacts, ReadPart, ResultShape,
};
use crate::rules;
use crate::search::{EntityTask, Unsolved, choices};

/// Demands that no candidate serves, whatever else is chosen. Gives the entities whose keys are in the way.
pub(super) fn before_search(tasks: &[EntityTask<'_>], findings: &mut Vec<Finding>) -> Vec<usize> {
    let mut entities = Vec::new();
    for task in tasks {
        let facts = task.facts();
        let bytes = plain_bytes(task.problem, task.entity);
        if bytes > ITEM_BYTES {
            findings.push(
                Finding::new(
                    &rules::ITEM_TOO_LARGE,
                    facts.span,
                    format!("an item of {} has about {bytes} bytes; DynamoDB takes {ITEM_BYTES}", facts.name),
                )
                .help("store large values in an object store and keep only their location in the item"),
            );
            continue;
        }
        if let Some(attr) = facts.identity.iter().copied().find(|attr| !facts.may_be_key(*attr)) {
            findings.push(no_key(facts, attr));
            continue;
        }
        if task.candidates.bases.is_empty() {
            findings.push(no_base(facts));
            continue;
        }
        if let Some(finding) = put_beside(task) {
            findings.push(finding);
            entities.push(task.entity);
            continue;
        }
        for (at, demand) in task.demands.iter().enumerate() {
            let served = (0..task.candidates.bases.len()).any(|base| !choices(task, base, at).is_empty());
            if !served || !shares_partition(task.problem, facts, demand) {
                let unsorted = task.existing.is_some_and(|existing| !existing.has_sort(task.entity));
                let finding = unsorted.then(|| unsorted_table(task.problem, facts, demand)).flatten();
                findings.push(finding.unwrap_or_else(|| unserved(task, demand)));
                if !entities.contains(&task.entity) {
                    entities.push(task.entity);
                }
            }
        }
    }
    entities
}

/// What is put under an identity that may be there, where every key that it could have holds more than the identity, as only
/// keys do that are there already: the old item would stay beside the new one.
fn put_beside(task: &EntityTask<'_>) -> Option<Finding> {
    let facts = task.facts();
    let (write, _) = task.effects.iter().find(|(_, effect)| effect.action == EffectAction::Put)?;
    let identity = facts.names(facts.identity.iter().copied()).join(", ");
    task.candidates.bases.iter().all(|base| needs_guard(facts, base)).then(|| {
        Finding::new(
            &rules::UNSERVABLE_PATTERN,
            write.span,
            format!(
                "{} would leave the old {} in place next to the new one: their key holds more than \
                 `{identity}`",
                write.id, facts.name
            ),
        )
        .help(format!(
            "state whether it creates or updates {}, and add every attribute of its key to the \
                       inputs",
            naming::one(&facts.name)
        ))
    })
}

/// Whether a part of a read of several entities gives the same of its partition as the others: one Query reads one
/// partition.
fn shares_partition(problem: &Problem, facts: &EntityFacts, demand: &Demand) -> bool {
    let Source::Shared { read, .. } = demand.source else { return true };
    let domains = |facts: &EntityFacts, part: &ReadPart| -> BTreeSet<Domain> {
        part.eq().iter().map(|attr| facts.attribute(attr).domain).collect()
    };
    let first = &problem.reads[read].parts[0];
    domains(facts, &demand.part) == domains(&problem.entities[first.entity], first)
}

/// What the search could not put together.
pub(super) fn after_search(
    problem: &Problem,
    tasks: &[EntityTask<'_>],
    unsolved: &Unsolved,
    findings: &mut Vec<Finding>,
) {
    findings.push(match unsolved {
        Unsolved::NoLayout { entity } => no_layout::finding(&tasks[*entity]),
        Unsolved::NoPlace { entities } => {
            let names: Vec<&str> = entities.iter().map(|it| problem.entities[*it].name.as_str()).collect();
            let span = problem.entities[entities[0]].span;
            let existing = tasks[entities[0]].existing;
            let home = |entity: &usize| existing.and_then(|existing| existing.home(*entity));
            if entities.iter().any(|entity| home(entity) != home(&entities[0])) {
                findings.push(
                    Finding::new(
                        &rules::UNSERVABLE_PATTERN,
                        span,
                        format!(
                            "{} are read together but are in different tables; a Query reads one table",
                            names.join(", ")
                        ),
                    )
                    .help("read them in separate patterns, or move them into one table"),
                );
                return;
            }
            let together = |read: &&ReadFacts| {
                read.parts.len() > 1 && !read.scan && entities.contains(&read.parts[0].entity)
            };
            let reads: Vec<&ReadFacts> = problem.reads.iter().filter(together).collect();
            let ids: Vec<&str> = reads.iter().map(|read| read.id.as_str()).collect();
            Finding::new(
                &rules::UNSERVABLE_PATTERN,
                reads.first().map_or(span, |read| read.span),
                format!(
                    "{}: no table or index can hold {} in one collection for this read",
                    ids.join(", "),
                    names.join(", ")
                ),
            )
            .help("add the parent's identifier to the children, or read them in separate patterns")
        }
        Unsolved::TooHot { entities } => too_hot(problem, entities),
        Unsolved::TooManyIndexes { needed } => {
            let span = problem.entities.first().map_or_else(Default::default, |entity| entity.span);
            Finding::new(
                &rules::NEEDS_TOO_MANY_INDEXES,
                span,
                format!("the patterns need {needed} indexes; a table has at most {GLOBAL_SECONDARY_INDEXES}"),
            )
            .help("remove or combine patterns, or serve free combinations from a search service")
        }
        Unsolved::TimeUp => Finding::new(
            &rules::UNSERVABLE_PATTERN,
            Default::default(),
            "the time limit was reached before any design was found",
        )
        .help("raise --time-limit"),
    });
}

/// Reads with different heads that want the same items beside theirs, in one collection.
pub(super) fn torn(problem: &Problem, reads: &[usize]) -> Finding {
    let ids: Vec<&str> = reads.iter().map(|read| problem.reads[*read].id.as_str()).collect();
    let last = reads.last().map_or_else(Default::default, |read| problem.reads[*read].span);
    Finding::new(
        &rules::UNSERVABLE_PATTERN,
        last,
        format!(
            "{} find the same items next to different parents, and no order of one collection serves all of them",
            ids.join(" and ")
        ),
    )
    .help("read the parent of one of them in a pattern of its own, or reverse the order of one of them")
}

/// What is to be said of entities that have to lie together and are too hot for that.
fn too_hot(problem: &Problem, entities: &[usize]) -> Finding {
    let names: Vec<&str> = entities.iter().map(|it| problem.entities[*it].name.as_str()).collect();
    let ties = |read: &&ReadFacts| {
        let here = read.parts.iter().filter(|part| entities.contains(&part.entity));
        read.parts.len() > 1 && !read.scan && here.count() > 1
    };
    let reads: Vec<&ReadFacts> = problem.reads.iter().filter(ties).collect();
    let ids: Vec<&str> = reads.iter().map(|read| read.id.as_str()).collect();
    let span = reads.first().map_or(problem.entities[entities[0]].span, |read| read.span);
    let why = match ids.is_empty() {
        true => "share partition keys".to_owned(),
        false => format!("are read together by {}", ids.join(", ")),
    };
    let message =
        format!("{} {why}, and together ask more of one key than a partition gives", names.join(", "));
    Finding::new(&rules::TOO_HOT, span, message)
        .help("read them apart, lower the rates, or give the reads an input that divides the items")
}

fn no_base(facts: &EntityFacts) -> Finding {
    let missing: Vec<String> = facts.names(
        facts
            .identity
            .iter()
            .copied()
            .filter(|attr| facts.attribute(*attr).optional || !facts.at_creation.contains(*attr)),
    );
    let message = if missing.is_empty() {
        format!("{} has no attributes that can be its primary key", facts.name)
    } else {
        format!(
            "{} is created without {}, which identifies it",
            naming::one(&facts.name),
            missing.join(" and ")
        )
    };
    Finding::new(&rules::MISSING_KEY_INPUT, facts.span, message).help(
        "add the identifying attributes to the inputs of the create, or declare them as ulid, uuid or \
               ksuid",
    )
}

/// An identity that no key can hold.
fn no_key(facts: &EntityFacts, attr: Attr) -> Finding {
    Finding::new(
        &rules::NO_IDENTITY,
        facts.span,
        format!(
            "{} identifies {}, but {}",
            facts.attribute(attr).name,
            naming::one(&facts.name),
            why_no_key(facts, attr)
        ),
    )
    .help("identify it by a short value, such as a ulid or a hash, and keep the long value in an attribute")
}

/// Why no key holds an attribute.
fn why_no_key(facts: &EntityFacts, attr: Attr) -> String {
    let it = facts.attribute(attr);
    if !it.ty.is_scalar() {
        return format!("{} can't be a key", naming::one(it.ty.name()));
    }
    if facts.added.contains(attr) {
        return "writes add to it without knowing its value".to_owned();
    }
    if it.longest() > it.bytes {
        return format!("it can have {} bytes, and a key takes {PARTITION_KEY_BYTES}", it.longest());
    }
    format!("it has about {} bytes, and a key takes {PARTITION_KEY_BYTES}", it.bytes)
}

/// What is to be said of a read that only a table with a sort key serves, where the table that exists has none.
fn unsorted_table(problem: &Problem, facts: &EntityFacts, demand: &Demand) -> Option<Finding> {
    let (Source::Read(read) | Source::Shared { read, .. }) = demand.source else { return None };
    if demand.result == ResultShape::Single || !demand.strong && !demand.is_shared() {
        return None;
    }
    let (why, help) = match demand.strong {
        true => ("a strong read can't use an index", "make the read Eventual, so that an index can serve it"),
        false => (
            "no index of this style can hold several item types",
            "read them in separate patterns, or use the style overloaded",
        ),
    };
    let read = &problem.reads[read];
    Some(
        Finding::new(
            &rules::UNSERVABLE_PATTERN,
            read.span,
            format!(
                "{} can't be served: the table to extend has no sort key, so every {} is alone in its \
                 partition, and {why}",
                read.id, facts.name
            ),
        )
        .help(help),
    )
}

fn unserved(task: &EntityTask<'_>, demand: &Demand) -> Finding {
    let (problem, facts) = (task.problem, task.facts());
    let given = facts.names(demand.given().iter()).join(", ");
    let given = if given.is_empty() { "nothing".to_owned() } else { given };
    match demand.source {
        Source::Locate { write, .. } | Source::LocateCheck { write, .. } => {
            let write = &problem.writes[write];
            let identity = facts.names(facts.identity.iter().copied()).join(" and ");
            let missing: Vec<Attr> =
                facts.identity.iter().copied().filter(|attr| !demand.given().contains(*attr)).collect();
            // What the same write changes may hold what is missing, if it is known to belong there.
            let holds = |other: &&EntityFacts| {
                let alike = |attr: &Attr| other.named(&facts.attribute(*attr).name).is_some();
                other.name != facts.name && facts.identity.iter().all(alike)
            };
            let touched = write.effects.iter().map(|effect| &problem.entities[effect.entity]);
            let holder = touched.filter(|_| facts.identity.len() > 1).find(holds);
            let missing = facts.names(missing).join(" and ");
            let instead = match holder {
                Some(holder) => format!(
                    "say under Relationships of {}: Belongs to {}",
                    holder.name,
                    naming::one(&facts.name)
                ),
                None => format!("mark the attributes that identify {} with `id`", naming::one(&facts.name)),
            };
            Finding::new(
                &rules::MISSING_KEY_INPUT,
                write.span,
                format!(
                    "{} can't address its {}: the key needs {identity}, but the inputs give {given}",
                    write.id, facts.name
                ),
            )
            .help(format!("add {missing} to its inputs, or {instead}"))
        }
        Source::Behind(read) => {
            let read = &problem.reads[read];
            Finding::new(
                &rules::UNSERVABLE_PATTERN,
                read.span,
                format!(
                    "{} can't be served: no primary key of {} consists of {given} alone",
                    read.id, facts.name
                ),
            )
            .help(format!("add every identifying attribute of {} to the link", facts.name))
        }
        Source::Read(read) | Source::Shared { read, .. } => {
            let read = &problem.reads[read];
            let (why, help) = why_unserved(task, demand, &given);
            Finding::new(&rules::UNSERVABLE_PATTERN, read.span, format!("{} can't be served: {why}", read.id))
                .help(help)
        }
    }
}

fn why_unserved(task: &EntityTask<'_>, demand: &Demand, given: &str) -> (String, String) {
    let facts = task.facts();
    if demand.part.equal.iter().any(|equality| equality.list) {
        return (
            format!("a list of values can look up {} items only by their whole key", facts.name),
            "add the whole identity to the inputs, or run the pattern once per value".to_owned(),
        );
    }
    let added = facts.names(demand.part.mentions().intersection(facts.added).iter());
    if let Some(name) = added.first() {
        return (
            format!(
                "writes add to {name} without knowing its value, so it can't be part of a key of {}",
                facts.name
            ),
            format!(
                "declare {name} as a required integer of {}, let the writes set its new value, or read by \
                 another attribute",
                facts.name
            ),
        );
    }
    let mut mentioned = demand.part.mentions().iter();
    if let Some(attr) = mentioned.find(|attr| !facts.may_be_key(*attr)) {
        let name = &facts.attribute(attr).name;
        let long = facts.attribute(attr).longest() > PARTITION_KEY_BYTES;
        let instead = match long {
            true => format!("state a smaller maximum of {name}, or store a hash of it and read by that"),
            false => format!("read by another attribute, or state a maximum so that {name} can be filtered"),
        };
        return (format!("{name}: {}", why_no_key(facts, attr)), instead);
    }
    if demand.strong && facts.at_most_one(demand.given()) {
        return (
            format!(
                "a strong read can't use an index, and the present key of {} holds more than {given}",
                facts.name
            ),
            "make the read Eventual, give all that the key holds, or move the key".to_owned(),
        );
    }
    if demand.strong
        && !facts.generated
        && let Some(write) = without_room(task.problem, task.entity)
    {
        return (
            format!(
                "a strong read can't use an index, and {} can't have another key than {}: the transaction of {} \
                 would have to delete, with each of them, the item that keeps its identity unique, and takes {}",
                facts.name,
                facts.names(facts.identity.iter().copied()).join(", "),
                write.id,
                TRANSACTION_ACTIONS
            ),
            format!(
                "write `Batch` under Transaction of {}, lower the maximum of {} items per parent, or make the \
                 read Eventual",
                write.id, facts.name
            ),
        );
    }
    let tenants = demand.given().intersection(facts.tenants()).minus(facts.identity_set());
    if let Some(tenant) = facts.names(tenants.iter()).first()
        && demand.strong
        && !facts.generated
    {
        let identity = facts.names(facts.identity.iter().copied()).join(", ");
        return (
            format!(
                "a strong read can't use an index, and no primary key of {} starts with {given}, since {identity} alone \
                 identifies {} across all tenants",
                facts.name,
                naming::one(&facts.name)
            ),
            format!("mark `{tenant}` of {} with `id` as well, or make the read Eventual", facts.name),
        );
    }
    if demand.strong {
        return (
            format!(
                "a strong read can't use an index, and no primary key of {} starts with {given}",
                facts.name
            ),
            "make the read Eventual, or add the identity to the inputs".to_owned(),
        );
    }
    if demand.is_shared()
        && task.style == Style::MultiAttribute
        && shares_partition(task.problem, facts, demand)
    {
        return (
            format!(
                "the style multi-attribute reads several entities only from the table, and no primary key of {} begins \
                 with {given}",
                facts.name
            ),
            "use `--style overloaded`, whose indexes hold several kinds of items, or read them apart"
                .to_owned(),
        );
    }
    if demand.is_shared() {
        return (
            format!(
                "{} can't share a partition key with the other entities of this read: the inputs give \
                 {given} of it",
                facts.name
            ),
            format!("give {} the identifier by which they are read together", facts.name),
        );
    }
    if demand.result == ResultShape::Single {
        return (
            format!("{given} does not identify one {}", facts.name),
            "add the identity to the inputs, or an attribute that can be a key".to_owned(),
        );
    }
    let optional =
        demand.part.equal.iter().filter(|equality| equality.optional).map(|equality| equality.attr);
    let optional = facts.names(optional).join(" and ");
    if !optional.is_empty() {
        return (
            format!(
                "one key can't find {} both with and without {optional}, and their number has no upper bound",
                facts.name
            ),
            format!(
                "write two patterns, one with {optional} and one without, or state a maximum (`at most 100 \
                 per customer`), so that {optional} can be filtered"
            ),
        );
    }
    if let Some(range) = demand.part.range.as_ref().filter(|range| facts.is_compared_by_rank(range)) {
        let name = &facts.attribute(range.attr).name;
        return (
            format!(
                "only a key knows the declared order of {name}, and one key can't range by it and give the rest of \
                 what is asked; a filter compares names"
            ),
            format!("remove the order or the range, or store a number for {name} and range by that"),
        );
    }
    let ranges = demand.part.range.iter().chain(&demand.part.more_ranges).map(|range| range.attr);
    let orders = demand.part.order.iter().map(|(attr, _)| *attr);
    let wanted: Attrs = ranges.chain(orders).collect();
    let names = facts.names(wanted.iter()).join(" and ");
    // A maximum helps only under a parent that the inputs tell.
    let parent = facts.parents.iter().find(|link| link.is_told_by(demand.part.eq()));
    let maximum = match parent {
        Some(link) => {
            let parent = &task.problem.entities[link.parent].name;
            format!("state a maximum (`at most 100 {} per {parent}`)", facts.name)
        }
        None => format!(
            "make what the inputs give an entity to which {} belongs, and state a maximum below it (`at most 100 per \
             customer`)",
            facts.name
        ),
    };
    if demand.part.range.is_none() && !is_turnable(facts, &demand.part.order, demand.part.eq()) {
        return (
            format!(
                "one key can't sort by {names}, one upwards and another downwards, unless all of one direction are \
                 numbers, times, enumerations or generated ids; and no maximum is stated for {}",
                facts.name
            ),
            format!("sort all in one direction, or {maximum}"),
        );
    }
    (
        format!(
            "one key can't range or sort by {names} at once, and no maximum is stated for {}",
            facts.name
        ),
        format!("{maximum}, or remove a range or the order"),
    )
}

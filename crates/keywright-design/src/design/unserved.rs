//! What can't be served, why, and what to change in the document.

use std::collections::BTreeSet;

use keywright_dynamodb::limits::{GLOBAL_SECONDARY_INDEXES, ITEM_BYTES, PARTITION_KEY_BYTES};
use keywright_finding::Finding;
use keywright_model::Style;

use super::no_layout;
use crate::candidate::needs_guard;
use crate::cost::plain_bytes;
use crate::demand::{Demand, Source};
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
                .help("keep large values in an object store and their location in the item"),
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
                "{} would leave a {} that is there beside the one that it puts: their key holds more than `{identity}`",
                write.id, facts.name
            ),
        )
        .help(format!("say that it creates or updates a {}, and give all that its key holds", facts.name))
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
                            "{} are read together, but lie in different tables: a Query reads one",
                            names.join(", ")
                        ),
                    )
                    .help("read them apart, or move them into one table"),
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
                    "{}: no one place holds what is read of {} together",
                    ids.join(", "),
                    names.join(", ")
                ),
            )
            .help("let the children hold the parent's identity, or read them apart")
        }
        Unsolved::TooManyIndexes { needed } => {
            let span = problem.entities.first().map_or_else(Default::default, |entity| entity.span);
            Finding::new(
                &rules::NEEDS_TOO_MANY_INDEXES,
                span,
                format!("the patterns need {needed} indexes; a table has at most {GLOBAL_SECONDARY_INDEXES}"),
            )
            .help("drop or join patterns, or serve free combinations from a search service")
        }
        Unsolved::TimeUp => Finding::new(
            &rules::UNSERVABLE_PATTERN,
            Default::default(),
            "the time was up before a design was found",
        )
        .help("give it longer with --time-limit"),
    });
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
        format!("a {} is created without {}, which identifies it", facts.name, missing.join(" and "))
    };
    Finding::new(&rules::MISSING_KEY_INPUT, facts.span, message)
        .help("give the identifying attributes as inputs of the create, or make them a ulid, uuid or ksuid")
}

/// An identity that no key can hold.
fn no_key(facts: &EntityFacts, attr: Attr) -> Finding {
    Finding::new(
        &rules::NO_IDENTITY,
        facts.span,
        format!(
            "{} identifies a {}, but {}",
            facts.attribute(attr).name,
            facts.name,
            why_no_key(facts, attr)
        ),
    )
    .help("identify it by something short, such as a ulid or a hash, and keep the value beside it")
}

/// Why no key holds an attribute.
fn why_no_key(facts: &EntityFacts, attr: Attr) -> String {
    let it = facts.attribute(attr);
    if !it.ty.is_scalar() {
        return format!("a {} is no value of a key", it.ty.name());
    }
    if facts.added.contains(attr) {
        return "writes add to it without knowing it".to_owned();
    }
    format!("has about {} bytes, and a key takes {PARTITION_KEY_BYTES}", it.bytes)
}

/// What is to be said of a read that only a table with a sort key serves, where the table that exists has none.
fn unsorted_table(problem: &Problem, facts: &EntityFacts, demand: &Demand) -> Option<Finding> {
    let (Source::Read(read) | Source::Shared { read, .. }) = demand.source else { return None };
    if demand.result == ResultShape::Single || !demand.strong && !demand.is_shared() {
        return None;
    }
    let (why, help) = match demand.strong {
        true => ("a strong read can't use an index", "make the read Eventual, so that an index serves it"),
        false => (
            "no index of this style holds several kinds of items",
            "read them apart, or use the style overloaded",
        ),
    };
    let read = &problem.reads[read];
    Some(
        Finding::new(
            &rules::UNSERVABLE_PATTERN,
            read.span,
            format!(
                "{} can't be served: the table to extend has no sort key, so that every {} is alone in its partition, and {why}",
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
            let missing = facts.identity.iter().copied().filter(|attr| !demand.given().contains(*attr));
            let missing = facts.names(missing).join(" and ");
            Finding::new(
                &rules::MISSING_KEY_INPUT,
                write.span,
                format!(
                    "{} can't reach its {}: {identity} identifies it, and of that it is given {given}",
                    write.id, facts.name
                ),
            )
            .help(format!(
                "add {missing} to its inputs, or write `id` behind the attributes that identify a {}",
                facts.name
            ))
        }
        Source::Behind(read) => {
            let read = &problem.reads[read];
            Finding::new(
                &rules::UNSERVABLE_PATTERN,
                read.span,
                format!(
                    "{} can't be served: no primary key of {} is made of {given} alone",
                    read.id, facts.name
                ),
            )
            .help(format!("let the link to {} hold all that identifies it", facts.name))
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
            format!("a list of values finds {} items only by their whole key", facts.name),
            "give the whole identity, or run the pattern once per value".to_owned(),
        );
    }
    let added = facts.names(demand.part.mentions().intersection(facts.added).iter());
    if let Some(name) = added.first() {
        return (
            format!("writes add to {name} without knowing it, so no key of {} can follow it", facts.name),
            format!(
                "declare {name} as an integer that every {} has, let the writes give its new value, or read by something else",
                facts.name
            ),
        );
    }
    let mut mentioned = demand.part.mentions().iter();
    if let Some(attr) = mentioned.find(|attr| !facts.may_be_key(*attr)) {
        let name = &facts.attribute(attr).name;
        return (
            format!("{name}: {}", why_no_key(facts, attr)),
            format!(
                "read by something else, or state a maximum so that {name} can be compared after reading"
            ),
        );
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
    if demand.strong {
        return (
            format!(
                "a strong read can't use an index, and no primary key of {} starts from {given}",
                facts.name
            ),
            "make the read Eventual, or give the identity".to_owned(),
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
                "{} does not share a partition key with what it is read with: the inputs say {given} of it",
                facts.name
            ),
            format!("let {} hold the identity by which they are read together", facts.name),
        );
    }
    if demand.result == ResultShape::Single {
        return (
            format!("{given} does not lead to one {}", facts.name),
            "give the identity, or an attribute that a key can hold".to_owned(),
        );
    }
    let optional =
        demand.part.equal.iter().filter(|equality| equality.optional).map(|equality| equality.attr);
    let optional = facts.names(optional).join(" and ");
    if !optional.is_empty() {
        return (
            format!(
                "one key does not find {} with and without {optional}, and nothing bounds them",
                facts.name
            ),
            format!(
                "write two patterns, one that is given {optional} and one that is not, or state a maximum (`at most 100 per \
                 customer`), so that {optional} can be compared after reading"
            ),
        );
    }
    let ranges = demand.part.range.iter().chain(&demand.part.more_ranges).map(|range| range.attr);
    let orders = demand.part.order.iter().map(|(attr, _)| *attr);
    let wanted: Attrs = ranges.chain(orders).collect();
    let names = facts.names(wanted.iter()).join(" and ");
    (
        format!("one key does not range or sort by {names} at once, and nothing bounds {}", facts.name),
        "state a maximum (`at most 100 per customer`), or drop a range or the order".to_owned(),
    )
}

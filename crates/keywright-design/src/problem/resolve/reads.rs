//! Reads: equalities, ranges, orders and pages per entity.

use keywright_finding::Finding;
use keywright_model::Model;
use keywright_model::model::{AttributeRef, Consistency, Entity, Input, Pattern, Read, ResultKind, Role};

use super::countable::Only;
use super::counters::Counters;
use super::{Remarks, buckets, links, ranks};
use crate::problem::{
    AttributeFacts, Attrs, Behind, Bucket, EntityFacts, Equality, HeldEntity, Range, ReadFacts, ReadPart,
    ResultShape, Sieve, home,
};
use crate::rules;

/// Items on a page of which nobody states the size.
const DEFAULT_PAGE: u64 = 25;

pub(super) fn resolve(
    model: &Model,
    entities: &[EntityFacts],
    counters: &Counters,
    remarks: &mut Remarks,
) -> Vec<ReadFacts> {
    let mut reads = Vec::new();
    for (index, pattern) in model.patterns.iter().enumerate() {
        let Some(read) = pattern.read() else { continue };
        let mut resolved = resolve_read(model, index, pattern, read, entities, remarks);
        if let Some(facts) = &mut resolved {
            count(entities, counters, facts);
        }
        reads.extend(resolved);
    }
    reads
}

/// Lets a number that writes keep answer a count of all items under a parent.
fn count(entities: &[EntityFacts], counters: &Counters, facts: &mut ReadFacts) {
    let [part] = facts.parts.as_slice() else { return };
    let Some((parent, only)) = counted_under(entities, facts.result, part) else { return };
    let Some((owner, counter)) = counters.exact(entities, part.entity, parent, only.as_ref()) else { return };
    let link = entities[part.entity].parents.iter().find(|link| link.parent == parent);
    let via = link.map(|link| link.via.as_slice()).unwrap_or_default();
    let equal = entities[owner].identity.iter().zip(via).filter_map(|(own, held)| {
        let given = part.equality(*held)?;
        Some(Equality { attr: *own, ..given.clone() })
    });
    let counted = ReadPart {
        entity: owner,
        equal: equal.collect(),
        returns: [counter].into_iter().collect(),
        ..ReadPart::default()
    };
    facts.parts = vec![counted];
    facts.result = ResultShape::Single;
    facts.counted = Some(counter);
}

/// The parent under which a read counts all items, or those with one value of an attribute, if it does that.
pub(super) fn counted_under(
    entities: &[EntityFacts],
    result: ResultShape,
    part: &ReadPart,
) -> Option<(usize, Option<Only>)> {
    let certain = |equality: &Equality| !equality.optional && !equality.list;
    let counts = result == ResultShape::Count && part.range.is_none() && part.equal.iter().all(certain);
    let (fixed, given): (Vec<&Equality>, Vec<&Equality>) =
        part.equal.iter().partition(|equality| equality.constant.is_some());
    let given: Attrs = given.into_iter().map(|equality| equality.attr).collect();
    let only = match fixed.as_slice() {
        [] => None,
        [one] => Some((one.attr, one.constant.clone()?)),
        _ => return None,
    };
    let mut links = entities[part.entity].parents.iter().filter(|link| !link.via.is_empty());
    links.find(|link| counts && link.via_set() == given).map(|link| (link.parent, only))
}

/// The read that a pattern asks for, before anything is counted by writes.
pub(super) fn plain(
    model: &Model,
    index: usize,
    pattern: &Pattern,
    entities: &[EntityFacts],
) -> Option<ReadFacts> {
    resolve_read(model, index, pattern, pattern.read()?, entities, &mut Remarks::default())
}

fn resolve_read(
    model: &Model,
    index: usize,
    pattern: &Pattern,
    read: &Read,
    entities: &[EntityFacts],
    remarks: &mut Remarks,
) -> Option<ReadFacts> {
    let multi = read.multi_entity.as_ref().map_or(pattern.entities.len() > 1, |multi| multi.value);
    let wanted = if multi { pattern.entities.len() } else { 1 };
    let mut parts: Vec<ReadPart> = pattern
        .entities
        .iter()
        .take(wanted)
        .filter_map(|name| home(entities, &name.value))
        .map(|(entity, held)| {
            let mut part = part(entity, &entities[entity], &model.entities[entity], pattern, read);
            // Whoever speaks of what an entity alone has wants only items that hold it.
            let spoken = |held: &&HeldEntity| !part.mentions().intersection(held.attrs).is_empty();
            part.holding = held.filter(|held| !spoken(held)).and_then(|held| held.marker);
            part
        })
        .collect();
    // Entities that lie in one item are read at once.
    let owned: Vec<usize> = parts.iter().filter(|it| it.holding.is_none()).map(|it| it.entity).collect();
    parts.retain(|part| part.holding.is_none() || !owned.contains(&part.entity));
    let mut seen: Vec<usize> = Vec::new();
    parts.retain(|part| {
        !seen.contains(&part.entity) && {
            seen.push(part.entity);
            true
        }
    });
    if parts.is_empty() {
        return None;
    }
    let mut behind = None;
    if let [only] = parts.as_slice()
        && let Some(link) = links::through(entities, only.entity, pattern)
    {
        if only.range.is_some() {
            remarks.findings.push(
                Finding::new(
                    &rules::UNSERVABLE_PATTERN,
                    pattern.span,
                    format!(
                        "{} can't be served: {} are found through {}, which lacks the filter attribute",
                        pattern.id, entities[only.entity].name, entities[link].name
                    ),
                )
                .help(format!("give {} the attribute, or remove the filter", entities[link].name)),
            );
            return None;
        }
        let found = links::behind(entities, link, only);
        let mut tie = part(link, &entities[link], &model.entities[link], pattern, read);
        tie.sorted_later = !only.order.is_empty();
        tie.returns = found.held.iter().map(|(_, held)| *held).collect();
        let counts = read.result.as_ref().is_some_and(|result| result.value == ResultKind::Count);
        behind = (!counts).then_some(found);
        parts = vec![tie];
    }
    let unheld: Vec<_> = unheld(pattern, entities, &parts, behind.as_ref()).collect();
    if !unheld.is_empty() {
        remarks.findings.extend(unheld);
        return None;
    }
    let misordered: Vec<_> = misordered(pattern, entities, &parts).collect();
    if !misordered.is_empty() {
        remarks.findings.extend(misordered);
        return None;
    }
    let interleaved = interleave(model, pattern, read, entities, &mut parts);
    let single = read.result.as_ref().is_some_and(|result| result.value == ResultKind::Single);
    let head = parts.iter().position(|part| entities[part.entity].at_most_one(part.eq()));
    let has_head = parts.len() > 1 && head.is_some();
    if let (true, Some(head)) = (has_head, head) {
        parts.swap(0, head);
        parts[1..].sort_by_key(|part| part.entity);
    }
    let paginated = read.paginated.as_ref().is_some_and(|paginated| paginated.value);
    let page = read.page_size.as_ref().map(|size| size.value.max(1));
    let result = match read.result.as_ref().map(|result| result.value) {
        Some(ResultKind::Count) => ResultShape::Count,
        Some(ResultKind::Single) if parts.len() == 1 => ResultShape::Single,
        None if parts.len() == 1 && head.is_some() => ResultShape::Single,
        _ => match (page, paginated) {
            (Some(page), _) => ResultShape::Page(page),
            (None, true) => {
                remarks.assume(
                    pattern.span,
                    format!("a page of {} has {DEFAULT_PAGE} items", pattern.id),
                    "not stated; add the column Page Size",
                );
                ResultShape::Page(DEFAULT_PAGE)
            }
            (None, false) => ResultShape::Whole,
        },
    };
    if result == ResultShape::Count {
        // Who counts looks at what the keys hold, and at nothing else.
        parts.iter_mut().for_each(|part| part.returns = Attrs::NONE);
    }
    if single && parts.len() == 1 && head.is_none() {
        let entity = &entities[parts[0].entity];
        remarks.findings.push(
            Finding::new(
                &rules::AMBIGUOUS_SINGLE,
                pattern.span,
                format!(
                    "{} returns one {}, but its inputs do not identify it: the first in order is returned",
                    pattern.id, entity.name
                ),
            )
            .help("give the whole identity as input, mark the attribute `unique`, or make the result a Collection"),
        );
    }
    if pattern.rate.is_none() && pattern.frequency.is_none() {
        remarks.assume(
            pattern.span,
            format!("{} runs {} times a second", pattern.id, pattern.mean_rate()),
            "not stated; fill in Frequency or Rate",
        );
    }
    Some(ReadFacts {
        pattern: index,
        id: pattern.id.clone(),
        span: pattern.span,
        parts,
        has_head,
        counted: None,
        interleaved,
        wanted: None,
        sieve: Sieve::default(),
        behind,
        result,
        rate: pattern.mean_rate(),
        peak: pattern.peak_rate(),
        strong: read.consistency.as_ref().is_some_and(|it| it.value == Consistency::Strong),
        scan: read.scan,
    })
}

/// What is asked by an attribute that none of the items holds: they can't be told by it.
fn unheld<'a>(
    pattern: &'a Pattern,
    entities: &'a [EntityFacts],
    parts: &'a [ReadPart],
    behind: Option<&'a Behind>,
) -> impl Iterator<Item = Finding> + 'a {
    let read = move |entity: usize| {
        parts.iter().any(|part| part.entity == entity) || behind.is_some_and(|it| it.entity == entity)
    };
    let holds = move |bind: &AttributeRef| home(entities, &bind.entity).is_none_or(|(at, _)| read(at));
    let selects =
        |input: &&Input| !matches!(input.role, Role::Amount | Role::Limit | Role::Cursor | Role::Unknown);
    pattern.inputs().iter().filter(selects).filter(move |input| !input.binds.iter().any(holds)).filter_map(
        move |input| {
            let bind = input.binds.first()?;
            let wanted = &entities[parts.first()?.entity].name;
            let message = format!(
                "{} can't be served: it looks up {wanted} by `{}`, which is an attribute of {} and not of \
                 {wanted}",
                pattern.id, input.name, bind.entity
            );
            let help = format!(
                "give {wanted} an attribute `{}` that its writes set, or look it up by the identifier of \
                 the {}",
                bind.attribute, bind.entity
            );
            Some(Finding::new(&rules::UNSERVABLE_PATTERN, input.span, message).help(help))
        },
    )
}

/// Enumerations are ordered as they are declared. Keys hold that order, filters compare names: what takes a filter, or an
/// enumeration that no key can list, is not served.
fn misordered<'a>(
    pattern: &'a Pattern,
    entities: &'a [EntityFacts],
    parts: &'a [ReadPart],
) -> impl Iterator<Item = Finding> + 'a {
    parts.iter().flat_map(move |part| {
        let entity = &entities[part.entity];
        let ordered = |range: &&Range| range.prefix.is_none();
        let more = part.more_ranges.iter().filter(ordered).map(|range| range.attr);
        let first = part.range.iter().filter(ordered).map(|range| range.attr);
        let order = ranks::order(part).into_iter().map(|(attr, _)| attr);
        let compared: Attrs = order.chain(first.clone()).chain(more.clone()).collect();
        // One Query over several kinds has no range in its key.
        let filtered: Attrs = more.chain(first.filter(|_| parts.len() > 1)).collect();
        compared.iter().filter_map(move |attr| {
            let it = entity.attribute(attr);
            let ranked = ranks::may_be_ranked(it);
            let refused = ranks::is_misordered(it) && (filtered.contains(attr) || !ranked);
            refused.then(|| misordered_finding(pattern, it, if ranked { "a filter" } else { "a key" }))
        })
    })
}

/// What is to be said of an order of values that something would compare by name.
pub(super) fn misordered_finding(pattern: &Pattern, attribute: &AttributeFacts, what: &str) -> Finding {
    let name = &attribute.name;
    let message = format!(
        "{} can't be served: the values of {name} are ordered {}, and {what} would order them by name",
        pattern.id,
        attribute.values.join(", ")
    );
    let help = format!(
        "declare the values of `{name}` in alphabetical order, such as `1_LOW, 2_HIGH`, or compare a number"
    );
    Finding::new(&rules::UNSERVABLE_PATTERN, pattern.span, message).help(help)
}

/// Lets every kind of items that is wanted as one list have the order of that list; says which kinds these are.
fn interleave(
    model: &Model,
    pattern: &Pattern,
    read: &Read,
    entities: &[EntityFacts],
    parts: &mut [ReadPart],
) -> Vec<usize> {
    let Some(sort) = read.sort.first().filter(|_| parts.len() > 1) else { return Vec::new() };
    let mut interleaved = Vec::new();
    for number in model.interleaved(pattern) {
        let part = parts.iter_mut().find(|part| entities[part.entity].name == number.entity);
        let attr = part.as_ref().and_then(|part| entities[part.entity].named(&number.attribute));
        let (Some(part), Some(attr)) = (part, attr) else { return Vec::new() };
        part.order = vec![(attr, sort.direction)];
        interleaved.push(part.entity);
    }
    interleaved
}

fn part(index: usize, entity: &EntityFacts, stated: &Entity, pattern: &Pattern, read: &Read) -> ReadPart {
    let mut part = ReadPart { entity: index, ..ReadPart::default() };
    for input in pattern.inputs() {
        let bound = input.binds.iter().find(|bind| bind.entity == entity.name);
        let Some(attr) = bound.and_then(|bind| entity.named(&bind.attribute)) else { continue };
        let name = input.name.clone();
        match input.role {
            Role::Equal | Role::NewValue | Role::Increment => part.equal.push(Equality {
                attr,
                input: name,
                constant: input.constant.clone(),
                optional: input.optional,
                list: input.list,
            }),
            Role::Lower(bound) => range(&mut part, attr).lower = Some((name, bound)),
            Role::Upper(bound) => range(&mut part, attr).upper = Some((name, bound)),
            Role::Prefix => range(&mut part, attr).prefix = Some(name),
            Role::Within(period) => {
                let within = buckets::find(entity, Bucket { of: attr, period });
                part.equal.extend(within.map(|attr| Equality {
                    attr,
                    input: name,
                    constant: input.constant.clone(),
                    optional: input.optional,
                    list: input.list,
                }));
            }
            Role::Amount | Role::Limit | Role::Cursor | Role::Unknown => {}
        }
    }
    part.equal.sort_by_key(|equality| equality.attr);
    part.equal.dedup_by_key(|equality| equality.attr);
    for sort in read.sort.iter().filter(|sort| sort.attribute.entity == entity.name) {
        part.order.extend(entity.named(&sort.attribute.attribute).map(|attr| (attr, sort.direction)));
    }
    // Numbers that only the design keeps are none of the document's: nobody asks for them.
    let declared =
        entity.all().iter().filter(|attr| stated.attribute(&entity.attribute(*attr).name).is_some());
    part.returns = read.returns.as_ref().map_or(declared.collect(), |returns| {
        returns
            .value
            .iter()
            .filter(|it| it.entity == entity.name)
            .filter_map(|it| entity.named(&it.attribute))
            .collect()
    });
    part
}

/// The range on that attribute: the first is what a key may serve, others are filters.
pub(super) fn range(part: &mut ReadPart, attr: crate::problem::Attr) -> &mut Range {
    let ranges = if part.range.as_ref().is_none_or(|range| range.attr == attr) {
        return part.range.get_or_insert(Range { attr, lower: None, upper: None, prefix: None });
    } else {
        &mut part.more_ranges
    };
    let at = ranges.iter().position(|range| range.attr == attr).unwrap_or_else(|| {
        ranges.push(Range { attr, lower: None, upper: None, prefix: None });
        ranges.len() - 1
    });
    &mut ranges[at]
}

//! How many there are: "~40 orders per customer, ~10M total", "1:1 with Song", "one per user".

mod told;

use keywright_finding::{Finding, Level};
use keywright_model::At;
use keywright_model::model::{Attribute, Cardinality, Entity, EntityKind, Presence};

use crate::markdown::Phrase;
use crate::rules::UNREADABLE_CELL;

use super::entities::Draft;
use super::names::{Domain, fold, join, one, parts, tokens};
use super::quantity::{Quantity, is_total, quantity};
use super::relationships::{Relationships, plain};
use super::remarks::Remarks;
use super::versions;

pub(super) use told::told;

/// What a clause about volumes says.
enum Volume {
    /// So many items of an entity.
    Total(usize, u64),
    /// So many children per parent.
    PerParent { parent: usize, child: usize, amount: Quantity },
    /// One of each.
    OneToOne { parent: usize, child: usize },
}

/// Reads what all entities say about volumes.
pub(super) fn read(
    drafts: &mut [Draft<'_>],
    domain: &Domain<'_>,
    relationships: &mut Relationships,
    remarks: &mut Remarks,
) {
    let mut counts = vec![None; drafts.len()];
    for (own, draft) in drafts.iter_mut().enumerate() {
        for prose in draft.cardinality.clone() {
            for clause in clauses(prose) {
                held_at_a_time(draft, clause, remarks);
            }
            read_prose(own, prose, domain, &mut counts, relationships, remarks);
        }
    }
    for (draft, count) in drafts.iter_mut().zip(counts) {
        draft.entity.count = draft.entity.count.take().or(count);
    }
}

fn read_prose(
    own: usize,
    prose: Phrase<'_>,
    domain: &Domain<'_>,
    counts: &mut [Option<At<u64>>],
    relationships: &mut Relationships,
    remarks: &mut Remarks,
) {
    let mut counted = None;
    let mut of_versions = false;
    let clauses = clauses(prose);
    for (at, &clause) in clauses.iter().enumerate() {
        let span = clause.span();
        // "~8 versions per page, at most 200": the bound is one of the versions, and read with them.
        if of_versions && bounds_alone(clause).is_some() {
            continue;
        }
        of_versions = domain.entities[own].is(EntityKind::History) && versions::counts(clause);
        if of_versions {
            counted = None;
        }
        // "~500 open faults at a time" are not all faults.
        let some = is_at_a_time(clause) && held(&domain.entities[own], clause).is_some();
        let behind = || {
            clauses[at + 1..].iter().find_map(|next| match read_clause(own, *next, domain)? {
                Volume::PerParent { parent, child, .. } => Some((parent, child)),
                _ => None,
            })
        };
        let volume =
            more_of(clause, counted, behind).or_else(|| read_clause(own, clause, domain)).filter(|_| !some);
        if let Some(Volume::PerParent { parent, child, .. }) = volume {
            counted = Some((parent, child));
        }
        match volume {
            Some(Volume::Total(entity, count)) => {
                let first = counts[entity].get_or_insert(At::stated(count, span));
                if first.value != count {
                    remarks.doubt(
                        span,
                        format!(
                            "`{}` is not read: {} {} are stated already",
                            clause.as_str(),
                            first.value,
                            domain.entities[entity].name
                        ),
                        "state one number of items, such as `~10M total`",
                    );
                }
            }
            Some(Volume::PerParent { parent, child, amount }) => {
                fan_out(
                    &domain.entities[parent],
                    &domain.entities[child],
                    amount,
                    clause,
                    relationships,
                    remarks,
                );
            }
            Some(Volume::OneToOne { parent, child }) => {
                let (parent, child) = (&domain.entities[parent].name, &domain.entities[child].name);
                let cardinality = At::stated(Cardinality::OneToOne, span);
                match relationships.between(parent, child) {
                    Some(known) if known.cardinality.assumed => known.cardinality = cardinality,
                    Some(_) => {}
                    None => relationships.add(plain(parent, child, cardinality, span, false)),
                }
            }
            // How many versions an item has is read where they are declared.
            None if of_versions => {}
            // Read with the attribute that so many hold.
            None if some => {}
            None => report_uncounted(own, clause, domain, remarks),
        }
    }
}

/// Says what is wrong with a number that counts nothing, or with words that ought to give one.
fn report_uncounted(own: usize, clause: Phrase<'_>, domain: &Domain<'_>, remarks: &mut Remarks) {
    let (words, span) = (clause.as_str(), clause.span());
    if quantity(clause).is_none() {
        if is_vague(clause) {
            remarks.doubt(
                span,
                format!("`{words}` gives no number"),
                "write one, such as `~40 orders per customer` or `~10M total`",
            );
        }
        return;
    }
    if is_at_a_time(clause) {
        remarks.say(
            &UNREADABLE_CELL,
            span,
            format!("`{words}` does not say what so many items have"),
            "write it behind the attribute that only those have: `openSince` (datetime, optional, ~500 at a time)",
        );
        return;
    }
    if is_rate(clause) {
        return;
    }
    let (message, help) = match undeclared(clause, domain) {
        Some(noun) => {
            let help = match named_after(noun, &domain.entities[own]) {
                Some(it) => format!(
                    "declare an entity of that name, or write how many different values there are behind `{}`, such as \
                     `~300 values`",
                    it.name
                ),
                None => "declare an entity of that name".to_owned(),
            };
            (format!("`{words}` is not read: \"{}\" is no entity", noun.as_str()), help)
        }
        None => (
            format!("`{words}` does not say how many there are of what"),
            "write `~40 orders per customer` or `~10M total`".to_owned(),
        ),
    };
    // "~20 doctors per clinic", where a clinic is only a name: it may be told for the reader's sake.
    let level = if per(words).is_some() { Level::Note } else { Level::Error };
    remarks.report(Finding::new(&UNREADABLE_CELL, span, message).help(help).level(level));
}

/// "~20000 hold availableSince at a time", "~500 open at a time": how many items have what others lack.
fn held_at_a_time(draft: &mut Draft<'_>, clause: Phrase<'_>, remarks: &mut Remarks) {
    let Some((amount, _)) = quantity(clause).filter(|_| is_at_a_time(clause)) else { return };
    let Some(name) = held(&draft.entity, clause).map(|it| it.name.clone()) else { return };
    let (span, owner) = (clause.span(), draft.entity.name.clone());
    let Some(attribute) = draft.attribute_mut(&name) else { return };
    attribute.present.get_or_insert(At::stated(Presence::Items(amount.mean), span));
    if attribute.optional.is_none() {
        attribute.optional = Some(At::assumed(true, span));
        remarks.assume(
            span,
            format!("read {owner}.{name} as optional"),
            format!("not all have it at a time; write `{name}` (…, optional, ~{} at a time)", amount.mean),
        );
    }
}

fn is_at_a_time(clause: Phrase<'_>) -> bool {
    let lower = clause.as_str().to_lowercase();
    ["at a time", "at any time", "at once", "at the same time"].iter().any(|it| lower.contains(it))
}

/// The attribute that a clause speaks of: by its name, or, of those that an item may lack, the only one that begins so:
/// "open" of `openSince`.
fn held<'e>(entity: &'e Entity, clause: Phrase<'_>) -> Option<&'e Attribute> {
    let words: Vec<String> = tokens(clause).map(|word| fold(word.as_str())).collect();
    let identifies = |it: &&Attribute| entity.identity_names().any(|name| name == it.name);
    let named = entity.attributes.iter().find(|it| words.contains(&fold(&it.name)) && !identifies(it));
    let begins = |it: &&Attribute| parts(&it.name).first().is_some_and(|first| words.contains(first));
    let mut lacking = entity.attributes.iter().filter(|it| it.is_optional()).filter(begins);
    named.or_else(|| lacking.next().filter(|_| lacking.next().is_none()))
}

/// The parts of the prose; a comma between digits and a point in a number do not part.
pub(super) fn clauses(prose: Phrase<'_>) -> Vec<Phrase<'_>> {
    let text = prose.as_str();
    let bytes = text.as_bytes();
    let mut parts = Vec::new();
    let mut start = 0;
    for (at, byte) in bytes.iter().enumerate() {
        let parts_here = match byte {
            b';' | b'\n' | b'(' | b')' => true,
            b',' | b'.' => !bytes.get(at + 1).is_some_and(u8::is_ascii_alphanumeric),
            _ => false,
        };
        if parts_here {
            parts.push(prose.slice(start..at).trim());
            start = at + 1;
        }
    }
    parts.push(prose.slice(start..text.len()).trim());
    parts.retain(|part| !part.is_empty());
    parts
}

/// The noun of a clause that no entity has: what stands behind "per", or behind the number.
fn undeclared<'p>(clause: Phrase<'p>, domain: &Domain<'_>) -> Option<Phrase<'p>> {
    let text = clause.as_str();
    let rest = match per(text) {
        Some(at) => clause.slice(at..text.len()),
        None => quantity(clause)?.1,
    };
    let words: Vec<Phrase<'p>> = tokens(rest).skip(usize::from(per(text).is_some())).collect();
    let noun = join(clause, if words.is_empty() { return None } else { &words });
    let is_noun = words.len() <= 2 && !words[0].is("of");
    (is_noun && domain.mentions(noun).is_empty()).then_some(noun)
}

/// The attribute that holds what a noun names: `threadId` for "threads".
fn named_after<'e>(noun: Phrase<'_>, entity: &'e Entity) -> Option<&'e Attribute> {
    let noun = fold(noun.as_str());
    let single = noun.strip_suffix('s').unwrap_or(&noun);
    entity.attributes.iter().find(|it| {
        let name = fold(&it.name);
        name == noun || name == single || name == format!("{noun}id") || name == format!("{single}id")
    })
}

/// Whether a clause tells a number without giving one: "a few users".
fn is_vague(clause: Phrase<'_>) -> bool {
    let vague =
        ["few", "several", "lots", "dozens", "hundreds", "thousands", "millions", "billions", "handful"];
    tokens(clause).any(|word| vague.iter().any(|it| word.is(it)))
}

/// "At most 40": a bound that does not say of what.
pub(super) fn bounds_alone(clause: Phrase<'_>) -> Option<Quantity> {
    let (amount, rest) = quantity(clause)?;
    (amount.capped && rest.is_empty() && !is_total(clause)).then_some(amount)
}

/// "~12 on average": a mean that does not say of what.
fn mean_alone(clause: Phrase<'_>) -> Option<Quantity> {
    let (amount, rest) = quantity(clause)?;
    let usual = ["average", "avg", "mean", "typical", "typically", "usually", "normally"];
    let is = |word: Phrase<'_>, list: &[&str]| list.iter().any(|it| word.is(it));
    let says = tokens(clause).any(|word| is(word, &usual));
    (says && !amount.capped && tokens(rest).all(|word| is(word, &usual) || is(word, &["on", "in", "the"])))
        .then_some(amount)
}

/// "~15 per session, at most 40", "max 40 per session, ~15 on average": a number without a noun is one of what was counted
/// before it; "~15 on average, max 40 per session" of what is counted behind it.
fn more_of(
    clause: Phrase<'_>,
    before: Option<(usize, usize)>,
    after: impl FnOnce() -> Option<(usize, usize)>,
) -> Option<Volume> {
    let mean = mean_alone(clause);
    let (parent, child) = before.or_else(|| mean.as_ref().and_then(|_| after()))?;
    Some(Volume::PerParent { parent, child, amount: bounds_alone(clause).or(mean)? })
}

fn read_clause(own: usize, clause: Phrase<'_>, domain: &Domain<'_>) -> Option<Volume> {
    let text = clause.as_str();
    if text.contains("1:1") || text.to_lowercase().contains("one-to-one") {
        let (other, _) = domain.mentions(clause).into_iter().find(|(other, _)| *other != own)?;
        return Some(Volume::OneToOne { parent: other, child: own });
    }
    if let Some(at) = per(text) {
        let (before, after) = (clause.slice(0..at).trim(), clause.slice(at..text.len()).trim());
        let parent = domain.counted_by(after)?;
        let child = domain.mentions(before).first().map_or(own, |(child, _)| *child);
        // "Max 30 players per team" of what links players and teams is how many links a team has.
        let links = domain.link(parent, child) == Some(domain.entities[own].name.as_str());
        let child = if child == parent || links { own } else { child };
        if child == parent {
            return None;
        }
        if tokens(before).any(|word| word.is("one") || word.is("exactly")) && quantity(before).is_none() {
            return Some(Volume::OneToOne { parent, child });
        }
        let (amount, _) = quantity(before)?;
        return Some(Volume::PerParent { parent, child, amount });
    }
    let (amount, rest) = quantity(clause)?;
    let mentioned = domain.mentions(clause);
    match mentioned.first() {
        Some((entity, _)) if rest.is_empty() || is_total(clause) || *entity == own => {
            Some(Volume::Total(*entity, amount.mean))
        }
        None if rest.is_empty()
            || is_total(clause)
            || tokens(rest).all(|word| word.is("items") || word.is("rows")) =>
        {
            Some(Volume::Total(own, amount.mean))
        }
        // "~3 addresses" beside Customer: so many of each.
        Some((entity, _)) => Some(Volume::PerParent { parent: own, child: *entity, amount }),
        None => None,
    }
}

/// Where words go on with what so many there are of each: "per customer", "each day".
pub(super) fn per(text: &str) -> Option<usize> {
    ["per", "each"].iter().find_map(|wanted| {
        let word = text.split_whitespace().find(|word| word.eq_ignore_ascii_case(wanted))?;
        Some(word.as_ptr() as usize - text.as_ptr() as usize)
    })
}

/// Whether a clause tells how often something happens, which is no number of items: "~200 per day".
fn is_rate(clause: Phrase<'_>) -> bool {
    let after = per(clause.as_str()).map(|at| clause.slice(at..clause.as_str().len()));
    let times = ["second", "minute", "hour", "day", "week", "month", "quarter", "year", "night", "season"];
    after.is_some_and(|after| tokens(after).nth(1).is_some_and(|word| times.iter().any(|it| word.is(it))))
}

fn fan_out(
    parent: &Entity,
    child: &Entity,
    amount: Quantity,
    clause: Phrase<'_>,
    relationships: &mut Relationships,
    remarks: &mut Remarks,
) {
    let span = clause.span();
    if relationships.between(&parent.name, &child.name).is_none() {
        let cardinality = if amount.max == Some(1) { Cardinality::OneToOne } else { Cardinality::OneToMany };
        remarks.assume(
            span,
            format!(
                "read \"{}\" as a relationship: each {} has many of {}",
                clause.as_str(),
                parent.name,
                child.name
            ),
            format!(
                "state it explicitly in the relationships of {}: Belongs to {}",
                child.name,
                one(&parent.name)
            ),
        );
        relationships.add(plain(&parent.name, &child.name, At::assumed(cardinality, span), span, true));
    }
    if let Some(known) = relationships.between(&parent.name, &child.name)
        && known.cardinality.value == Cardinality::ManyToMany
        && known.parent != parent.name
        && known.fan_out.mean.is_none()
        && known.fan_out.max.is_none()
    {
        // Peers have no order of their own: the one of which so many are said comes first.
        std::mem::swap(&mut known.parent, &mut known.child);
    }
    if let Some(known) = relationships.between(&parent.name, &child.name)
        && known.parent == parent.name
    {
        let fan_out = &mut known.fan_out;
        let before = (fan_out.mean.as_ref().map(|it| it.value), fan_out.max.as_ref().map(|it| it.value));
        if !amount.capped {
            fan_out.mean.get_or_insert(At::stated(amount.mean, span));
        }
        if let Some(max) = amount.max {
            fan_out.max.get_or_insert(At::stated(max, span));
        }
        let other = match amount.max {
            Some(max) => before.1.filter(|it| *it != max),
            None => before.0.filter(|it| *it != amount.mean),
        };
        if let Some(other) = other {
            remarks.doubt(
                span,
                format!(
                    "`{}` is not read: {other} {} per {} are stated already",
                    clause.as_str(),
                    child.name,
                    parent.name
                ),
                "state one mean and one maximum",
            );
        } else if let (Some(mean), Some(max)) = (&fan_out.mean, &fan_out.max)
            && mean.value > max.value
        {
            remarks.doubt(
                span,
                format!(
                    "the mean number of {} per {} is {}, and the maximum only {}",
                    child.name, parent.name, mean.value, max.value
                ),
                "state a maximum that is no less than the mean",
            );
        }
    }
}

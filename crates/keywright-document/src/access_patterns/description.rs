//! What a description in words tells where a table has no column for it: inputs, and how many items.

mod adjective;
mod lost;
mod page;
mod told;
mod write;

use keywright_finding::Span;
use keywright_model::At;
use keywright_model::model::{Attribute, AttributeRef, Bound, Input, Literal, Role, Sort, Type};

use crate::markdown::Phrase;
use crate::rules::UNREADABLE_CELL;

use super::inputs::{self, Context, Operator, Written, resolve};
use super::names::{Domain, fold, join, one, tokens};
use super::patterns::SELECTORS;
use super::remarks::Remarks;
use super::states::state_named;

pub(super) use adjective::{report_adjective, report_state, report_unsaid};
pub(super) use lost::{report_clause, report_lost};
pub(super) use page::top;
pub(super) use told::{bound_to, limit, note, noted, parted, report_everything, requires};
pub(super) use write::{complete, conditions, unsaid_inputs_of};

/// The placeholders of a key condition: `PK = USER#<username>` gives `username`.
pub(super) fn placeholders(cell: Phrase<'_>) -> Vec<Written<'_>> {
    let text = cell.as_str();
    let mut found: Vec<Written<'_>> = Vec::new();
    let mut at = 0;
    while let Some(open) = text[at..].find(['<', '{']).map(|offset| at + offset) {
        let close = if text[open..].starts_with('<') { '>' } else { '}' };
        let Some(end) = text[open..].find(close).map(|offset| open + offset) else { break };
        let name = cell.slice(open + 1..end).trim();
        // An encoding may follow a colon.
        let name = name.split_once(':').map_or(name, |(name, _)| name);
        let is_name = !name.is_empty() && !name.as_str().contains(char::is_whitespace);
        if is_name && !found.iter().any(|it| fold(it.name.as_str()) == fold(name.as_str())) {
            found.push(written(name));
        }
        at = end + 1;
    }
    found
}

/// Whether a word tells the order.
fn orders(order: &[Sort], word: Phrase<'_>) -> bool {
    order.iter().any(|it| it.span.contains(word.span()))
}

fn written(name: Phrase<'_>) -> Written<'_> {
    Written { name, attribute: None, operator: None, constant: None, optional: false, list: false }
}

/// "Whose heldUntil **has passed**" wants those up to now.
fn passed(behind: &[Phrase<'_>]) -> Option<Operator> {
    let is = |at: usize, list: &[&str]| behind.get(at).is_some_and(|word| list.iter().any(|it| word.is(it)));
    let has = is(0, &["has", "have", "is", "are"])
        && (is(1, &["passed", "past", "expired", "over"]) || is(1, &["in"]) && is(3, &["past"]));
    has.then_some(Operator::Upper(Bound::Inclusive))
}

/// Words for a whole period of the time that a result is about: "logs by month".
const PERIODS: &[&str] = &["month", "day", "year", "hour"];

/// The inputs of "Get user by email", "List orders for a customer", "orders by status and date". The words of the order
/// select nothing.
pub(super) fn inputs(
    description: Phrase<'_>,
    order: &[Sort],
    context: &Context<'_>,
    remarks: &mut Remarks,
) -> Option<At<Vec<Input>>> {
    let words: Vec<Phrase<'_>> = tokens(description).filter(|word| !orders(order, *word)).collect();
    let mut found: Vec<Written<'_>> = Vec::new();
    let mut selects = false;
    let mut parents = Vec::new();
    let mut nouns = Vec::new();
    let is_attribute = |name: Phrase<'_>| {
        context.entities.iter().any(|entity| context.domain.attribute(*entity, name.as_str()).is_some())
    };
    for (at, word) in words.iter().enumerate() {
        let lower = word.as_str().to_lowercase();
        match lower.as_str() {
            // "Sorted by title" says nothing of what is given.
            "by" if at > 0
                && ["sorted", "ordered", "sort", "order"].iter().any(|it| words[at - 1].is(it)) =>
            {
                selects = false;
            }
            "by" | "for" | "with" | "of" | "in" | "within" | "per" | "from" | "under" | "where" | "whose"
            | "using" | "on" => selects = true,
            "at" if words[at + 1..].iter().take(2).any(|it| context.domain.find(it.as_str()).is_some()) => {
                selects = true;
            }
            "and" | "or" | "a" | "an" | "the" | "given" | "specific" | "single" | "one" => {}
            "sorted" | "ordered" | "newest" | "latest" | "fields" | "columns" | "returning" | "showing" => {
                selects = false;
            }
            _ if selects => {
                // "By feed url" is by `feedUrl`.
                let longest = (2..=3).rev().filter_map(|count| words.get(at..at + count));
                let several = longest.map(|some| join(description, some)).find(|it| is_attribute(*it));
                let parent = context.domain.find(word.as_str()).filter(|it| !context.entities.contains(it));
                if let Some(name) = several {
                    found.push(written(name));
                } else if is_attribute(*word) || lower == "id" || PERIODS.contains(&lower.as_str()) {
                    // "The day of startsAt" is a period of it, not the instant.
                    let is_period = |it: &Phrase<'_>| PERIODS.iter().any(|period| it.is(period));
                    let dated = at > 1 && words[at - 1].is("of") && is_period(&words[at - 2]);
                    let known = found.iter().any(|it| fold(it.name.as_str()) == fold(&lower));
                    if !(known || dated && is_attribute(*word)) {
                        let operator = passed(&words[at + 1..]);
                        let attribute = operator.is_some().then_some(*word);
                        found.push(Written { attribute, operator, ..written(*word) });
                    }
                } else if let Some(parent) = parent {
                    parents.push((parent, *word));
                } else if let Some(bound) = identified_by(*word, context) {
                    nouns.push(equal(&bound.entity, &bound.attribute, *word));
                }
            }
            _ => {}
        }
    }
    // "A driver's trips", "user orders": the noun right before the entity's own selects.
    for pair in context.domain.mentions(description).windows(2) {
        let ((parent, before), (entity, noun)) = (pair[0], pair[1]);
        let selects = context.entities.contains(&entity) && !context.entities.contains(&parent);
        let owns = before.as_str().ends_with("'s") || before.as_str().ends_with("’s");
        if selects && (owns || before.is_right_before(noun)) {
            parents.push((parent, before));
        }
        // "The shows **a listener** follows"
        let ((entity, noun), (parent, after)) = (pair[0], pair[1]);
        let mut between = words
            .iter()
            .filter(|it| it.span().start > noun.span().start && it.span().start < after.span().start)
            .peekable();
        let relates =
            context.entities.contains(&entity) && !context.entities.contains(&parent) && context.read;
        let article = |it: &Phrase<'_>| ["a", "an", "the", "that", "which"].iter().any(|word| it.is(word));
        if relates && between.peek().is_some() && between.all(article) {
            parents.push((parent, after));
        }
    }
    // "Kick a user out of a workspace": both ends identify the membership.
    if let ([entity], false) = (context.entities, context.read || parents.is_empty()) {
        for (other, word) in context.domain.mentions(description) {
            let identity = context.domain.entities[other].identity_names();
            let identifies = |name| {
                let pointer = pointing(*entity, other, name, context.domain);
                pointer.is_some_and(|it| context.domain.identifies(*entity, &it.attribute))
            };
            let is_new = other != *entity && !parents.iter().any(|(parent, _)| *parent == other);
            if is_new && identity.into_iter().any(identifies) {
                parents.push((other, word));
            }
        }
    }
    let states = states(&words, context, remarks);
    found.retain(|it| !states.iter().any(|state| fold(&state.name) == fold(it.name.as_str())));
    let mut inputs = resolve(&found, false, context, remarks);
    inputs.extend(states);
    inputs.extend(between(&words, context));
    nouns.retain(|noun| !inputs.iter().any(|it| it.binds.iter().any(|bound| noun.binds.contains(bound))));
    inputs.extend(nouns);
    for (parent, word) in parents {
        for name in context.domain.entities[parent].identity_names() {
            let mut binds: Vec<_> = context
                .entities
                .iter()
                .filter_map(|entity| pointing(*entity, parent, name, context.domain))
                .collect();
            if let ([entity], true) = (context.entities, binds.is_empty() && context.read) {
                // The workspaces of a user: found through memberships.
                binds.extend(context.domain.through(*entity, name));
                if binds.is_empty() {
                    report_unreachable(word, parent, *entity, context, remarks);
                }
            }
            let known = |bound: &AttributeRef| inputs.iter().any(|it| it.binds.contains(bound));
            if let Some(bound) = binds.first().filter(|it| !known(it)) {
                report_rivals(word, bound, (parent, name), context, remarks);
                inputs.push(Input {
                    name: bound.attribute.clone(),
                    span: word.span(),
                    role: Role::Equal,
                    binds,
                    constant: None,
                    optional: false,
                    list: false,
                    filter: false,
                    assumed: true,
                });
            }
        }
    }
    if inputs.is_empty() {
        return None;
    }
    for input in &mut inputs {
        input.assumed = true;
        if let Some(bound) = input.binds.first().filter(|_| input.name.contains(char::is_whitespace)) {
            input.name.clone_from(&bound.attribute);
        }
    }
    let names = inputs.iter().map(shown).collect::<Vec<_>>().join(", ");
    remarks.assume(
        description.span(),
        format!("read the inputs of \"{}\" as {names}", description.as_str()),
        "add a column Input Parameters",
    );
    Some(At::assumed(inputs, description.span()))
}

/// "Matches of a **player**", where a match has a home player and an away player: only those of the one are read.
fn report_rivals(
    word: Phrase<'_>,
    bound: &AttributeRef,
    (parent, identifier): (usize, &str),
    context: &Context<'_>,
    remarks: &mut Remarks,
) {
    let domain = context.domain;
    let Some(entity) = domain.find(&bound.entity).filter(|_| context.read) else { return };
    let target = &domain.entities[parent].name;
    let points = |it: &Attribute| {
        let reference = it.reference.as_ref().map(|it| &it.value);
        reference.is_some_and(|it| it.entity == *target && it.attribute == identifier)
    };
    let attributes = &domain.entities[entity].attributes;
    let others: Vec<&str> = attributes
        .iter()
        .filter(|it| points(it) && it.name != bound.attribute)
        .map(|it| it.name.as_str())
        .collect();
    if !others.is_empty() && domain.attribute(entity, &bound.attribute).is_some_and(points) {
        remarks.doubt(
            word.span(),
            format!(
                "\"{}\" is read as {bound}; those of {} are not read",
                word.as_str(),
                others.join(" and ")
            ),
            format!(
                "name the attribute, such as `- Inputs: {}`, and write a pattern of its own for {}",
                bound.attribute,
                others.join(" and ")
            ),
        );
    }
}

/// "Messages of a **conversation**" are those of a `conversationId`, also where nobody declares conversations.
fn identified_by(noun: Phrase<'_>, context: &Context<'_>) -> Option<AttributeRef> {
    let name = format!("{}Id", noun.as_str());
    let mut own = context.entities.iter().filter_map(|entity| context.domain.reference(*entity, &name));
    own.next().filter(|_| context.read)
}

/// "As a patient I want to see **my** appointments": those of the patient.
pub(super) fn inputs_of_speaker(
    inputs: Option<At<Vec<Input>>>,
    description: Phrase<'_>,
    (speaker, span): (usize, Span),
    context: &Context<'_>,
    remarks: &mut Remarks,
) -> Option<At<Vec<Input>>> {
    let own = tokens(description).any(|word| word.is("my"));
    let ([entity], true) = (context.entities, own) else { return inputs };
    let mut given = inputs.map_or_else(Vec::new, |it| it.value);
    let known = given.len();
    for name in context.domain.entities[speaker].identity_names() {
        let bound = if *entity == speaker {
            context.domain.reference(speaker, name)
        } else {
            let pointer = pointing(*entity, speaker, name, context.domain);
            pointer.or_else(|| context.domain.through(*entity, name))
        };
        if let Some(bound) = bound.filter(|bound| !given.iter().any(|it| it.binds.contains(bound))) {
            given.push(Input {
                span,
                binds: vec![bound.clone()],
                ..equal(&bound.entity, &bound.attribute, description)
            });
        }
    }
    if given.len() > known {
        let names = given[known..].iter().map(shown).collect::<Vec<_>>().join(", ");
        remarks.assume(
            span,
            format!("read \"my\" in \"{}\" as the input {names}", description.as_str()),
            "add a column Input Parameters",
        );
    }
    (!given.is_empty()).then(|| At::assumed(given, description.span()))
}

/// What a read is selected by must be in its items.
fn report_unreachable(
    word: Phrase<'_>,
    parent: usize,
    entity: usize,
    context: &Context<'_>,
    remarks: &mut Remarks,
) {
    let (entity, parent) = (&context.domain.entities[entity], &context.domain.entities[parent]);
    let identity = parent.identity_names().collect::<Vec<_>>().join(" and ");
    remarks.say(
        &UNREADABLE_CELL,
        word.span(),
        format!("no {} has the identifier of {}", entity.name, one(&parent.name)),
        format!("give {} the attribute {identity}, such as `- {identity} -> {}`", entity.name, parent.name),
    );
}

/// A range of time in words: "between two dates", "in a time range", "in the last 30 days".
fn between(words: &[Phrase<'_>], context: &Context<'_>) -> Vec<Input> {
    let is = |at: usize, list: &[&str]| words.get(at).is_some_and(|word| list.iter().any(|it| word.is(it)));
    let times = ["dates", "timestamps", "times", "instants", "days", "moments"];
    let ranges = ["range", "window", "interval", "period", "frame"];
    let units =
        ["day", "days", "hour", "hours", "minutes", "week", "weeks", "month", "months", "year", "years"];
    let found = (0..words.len()).find_map(|at| {
        let both = is(at, &["between"]) && (at + 1..at + 4).any(|next| is(next, &times))
            || is(at, &["date", "time"]) && is(at + 1, &ranges);
        let lower = is(at, &["last", "past"]) && (is(at + 1, &units) || is(at + 2, &units))
            || is(at, &["since", "after"])
                && (at + 1..at + 4).any(|next| is(next, &["date", "time", "timestamp"]));
        (both || lower).then_some((words[at], both))
    });
    let (Some((word, both)), Some(bound)) = (found.filter(|_| context.read), inputs::time("", context))
    else {
        return Vec::new();
    };
    let end = |name: &str, role: Role| Input {
        name: format!("{}{name}", bound.attribute),
        role,
        binds: vec![bound.clone()],
        ..equal(&bound.entity, &bound.attribute, word)
    };
    let from = end("From", Role::Lower(Bound::Inclusive));
    if both { vec![from, end("To", Role::Upper(Bound::Inclusive))] } else { vec![from] }
}

/// An input as it would be written.
fn shown(input: &Input) -> String {
    match &input.constant {
        Some(value) => format!("{} = {value}", input.name),
        None => input.name.clone(),
    }
}

/// What a read says of its items: **open** orders, a doctor's **booked** appointments.
fn states(words: &[Phrase<'_>], context: &Context<'_>, remarks: &mut Remarks) -> Vec<Input> {
    let [entity] = context.entities else { return Vec::new() };
    let declared = &context.domain.entities[*entity];
    let mut found: Vec<Input> = Vec::new();
    for (at, word) in words.iter().enumerate().filter(|_| context.read) {
        let state = state_named(word.as_str(), declared);
        let state = state.map(|(it, value)| (it, Literal::String(value.value.clone())));
        let flag = || {
            let flag = context.domain.attribute(*entity, word.as_str());
            flag.filter(|it| it.ty.value == Type::Boolean).map(|it| (it, Literal::Boolean(true)))
        };
        let Some((attribute, value)) = state.or_else(flag) else { continue };
        let denied = words[at.saturating_sub(3)..at].iter().find(|it| DENIALS.iter().any(|word| it.is(word)));
        if let Some(denied) = denied {
            // "Matches that are not done" are all others, and no key holds those together.
            remarks.say(
                &UNREADABLE_CELL,
                denied.span().cover(word.span()),
                format!("\"{} … {}\" is not read: a key finds items by what they are", denied.as_str(), word.as_str()),
                format!(
                    "write one pattern for each value of {} that is meant, or keep a boolean beside it that says so",
                    attribute.name
                ),
            );
        } else if found.iter().any(|it| it.name == attribute.name && it.constant.as_ref() != Some(&value)) {
            remarks.say(
                &UNREADABLE_CELL,
                word.span(),
                format!("a read takes only one value of {}, not also `{}`", attribute.name, word.as_str()),
                "write one pattern per value",
            );
        } else if !found.iter().any(|it| it.name == attribute.name) {
            found.push(Input { constant: Some(value), ..equal(&declared.name, &attribute.name, *word) });
        }
    }
    found
}

/// Words that turn a state into its opposite.
const DENIALS: &[&str] = &[
    "not",
    "never",
    "except",
    "excluding",
    "without",
    "non",
    "aren't",
    "isn't",
    "weren't",
    "wasn't",
    "haven't",
    "hasn't",
];

/// The inputs of a read whose words name none: one item is found by what identifies it, all items by nothing.
pub(super) fn unsaid_inputs(
    description: Phrase<'_>,
    order: &[Sort],
    single: bool,
    context: &Context<'_>,
    remarks: &mut Remarks,
) -> Option<At<Vec<Input>>> {
    let (entity, along) = context.entities.split_first()?;
    let declared = &context.domain.entities[*entity];
    let words = description.as_str();
    // "By" and a word that is no attribute: what is given is said, only not understood. An order with its lines is found
    // by what identifies the order.
    let left = || tokens(description).filter(|word| !orders(order, *word));
    if left().any(|word| word.is("by") || word.is("with") && along.is_empty()) {
        return None;
    }
    // "My orders" are those of somebody.
    if !single && left().any(|word| word.is("my")) {
        return None;
    }
    let selects = || left().any(|word| SELECTORS.iter().any(|it| word.is(it)));
    let (inputs, what) = if (single || !along.is_empty()) && !declared.identity.is_empty() {
        let names = declared.identity_names().collect::<Vec<_>>().join(", ");
        let given = declared.identity_names().map(|name| {
            let mut input = equal(&declared.name, name, description);
            input
                .binds
                .extend(along.iter().filter_map(|child| pointing(*child, *entity, name, context.domain)));
            input
        });
        (given.collect(), names)
    } else if left().any(|word| word.is("all") || word.is("every")) || !single && !selects() {
        (Vec::new(), "none".to_owned())
    } else {
        return None;
    };
    remarks.assume(
        description.span(),
        format!("read the inputs of \"{words}\" as {what}"),
        "add a column Input Parameters",
    );
    Some(At::assumed(inputs, description.span()))
}

/// An input that is the value of an attribute, as the words let assume.
fn equal(entity: &str, name: &str, words: Phrase<'_>) -> Input {
    Input {
        name: name.to_owned(),
        span: words.span(),
        role: Role::Equal,
        binds: vec![AttributeRef::new(entity, name)],
        constant: None,
        optional: false,
        list: false,
        filter: false,
        assumed: true,
    }
}

/// The attribute through which an entity points to a part of another's identity.
fn pointing(entity: usize, parent: usize, name: &str, domain: &Domain<'_>) -> Option<AttributeRef> {
    let (child, parent) = (&domain.entities[entity], &domain.entities[parent].name);
    let pointer = domain.pointer(entity, &format!("{}{}", fold(parent), fold(name)));
    let found = pointer.or_else(|| domain.attribute(entity, name))?;
    Some(AttributeRef::new(&child.name, &found.name))
}

//! The order of a result: `createdAt DESC`, `score desc, name`, "orders by createdAt DESC", "newest first".

mod noted;
mod told;

use keywright_model::model::{Attribute, AttributeRef, Direction, Sort, Type};

use crate::markdown::Phrase;
use crate::rules::UNREADABLE_CELL;

use super::names::{Domain, fold, parts, tokens};
use super::remarks::Remarks;

pub(super) use noted::noted;
pub(super) use told::told;

/// Reads the cell Sort of a pattern about some entities.
pub(super) fn read(
    cell: Phrase<'_>,
    entities: &[usize],
    domain: &Domain<'_>,
    remarks: &mut Remarks,
) -> Vec<Sort> {
    let mut sorts = Vec::new();
    for part in cell.split(&[',', ';', '\n']) {
        if let Some(sort) = read_part(part, entities, domain, remarks) {
            report_direction(part, &sort, remarks);
            sorts.push(sort);
        }
    }
    sorts
}

/// Says that the word behind an attribute is no direction: `email SIDEWAYS`.
fn report_direction(part: Phrase<'_>, sort: &Sort, remarks: &mut Remarks) {
    let words: Vec<Phrase<'_>> = tokens(part).collect();
    let [name, word] = words.as_slice() else { return };
    let own = name.as_str().rsplit('.').next().unwrap_or_default();
    let text = word.as_str();
    if fold(own) == fold(&sort.attribute.attribute)
        && direction(text).is_none()
        && !is_filler(text)
        && text.chars().all(char::is_alphabetic)
    {
        remarks.doubt(
            word.span(),
            format!("`{text}` is no direction; the order is read as ascending"),
            format!("write `{} ASC` or `{} DESC`", name.as_str(), name.as_str()),
        );
    }
}

fn read_part(
    part: Phrase<'_>,
    entities: &[usize],
    domain: &Domain<'_>,
    remarks: &mut Remarks,
) -> Option<Sort> {
    let text = part.as_str();
    let words: Vec<Phrase<'_>> = tokens(part).collect();
    let direction =
        words.iter().rev().find_map(|word| direction(word.as_str())).or(match text.chars().last() {
            Some('↓' | '▼') => Some(Direction::Descending),
            Some('↑' | '▲') => Some(Direction::Ascending),
            _ => text.starts_with('-').then_some(Direction::Descending),
        });
    let direction_or_up = direction.unwrap_or(Direction::Ascending);
    // An entity's name says whose attribute it is: "orders by createdAt DESC".
    let owner = words.iter().find_map(|word| domain.find(word.as_str()).filter(|it| entities.contains(it)));
    let order: Vec<usize> = owner.into_iter().chain(entities.iter().copied()).collect();
    for word in &words {
        let (name, qualified) = match word.as_str().split_once('.') {
            Some((entity, name)) if domain.find(entity).is_some() => (name, domain.find(entity)),
            _ => (word.as_str(), None),
        };
        let candidates = qualified.into_iter().chain(order.iter().copied());
        for entity in candidates {
            if let Some(attribute) = domain.reference(entity, name) {
                return Some(Sort { attribute, direction: direction_or_up, span: part.span() });
            }
        }
    }
    if let Some((order_word, direction)) =
        words.iter().find_map(|word| age(word.as_str()).map(|it| (*word, it)))
    {
        let order = if owner.is_some() { order } else { children_first(entities) };
        return by_age(part, order_word, direction, &order, domain, remarks);
    }
    if let Some(attribute) = order.iter().find_map(|entity| called(&words, *entity, domain)) {
        remarks.assume(
            part.span(),
            format!("read \"{text}\" as the order of {attribute}"),
            "write the attribute and ASC or DESC into a column Sort",
        );
        return Some(Sort { attribute, direction: direction_or_up, span: part.span() });
    }
    // A single unknown name stays as it is written, so that a rule can speak of it.
    let names: Vec<_> = words
        .iter()
        .filter(|word| direction_word(word.as_str()).is_none() && !is_filler(word.as_str()))
        .filter(|word| domain.find(word.as_str()).is_none())
        .collect();
    let entity = order.first().map(|entity| domain.entities[*entity].name.clone()).unwrap_or_default();
    match names.as_slice() {
        [name] => Some(Sort {
            attribute: AttributeRef::new(entity, name.as_str()),
            direction: direction_or_up,
            span: part.span(),
        }),
        _ => {
            remarks.say(
                &UNREADABLE_CELL,
                part.span(),
                format!("`{text}` is not a sort order"),
                "write an attribute and ASC or DESC, such as `createdAt DESC`, or `-` where the order does not matter",
            );
            None
        }
    }
}

/// What a word has in common with its other forms: "enrolment" with "enrolled", "start" with "starts".
fn stem(word: &str) -> String {
    let lower = word.to_lowercase();
    let endings = ["ments", "ment", "ions", "ion", "ing", "ed", "es", "s", "e"];
    let cut = endings.iter().find_map(|it| lower.strip_suffix(it).filter(|rest| rest.len() > 2));
    let cut = cut.unwrap_or(&lower).trim_end_matches('e');
    let mut letters = cut.chars().rev();
    let doubled = matches!((letters.next(), letters.next()), (Some(last), Some(before)) if last == before);
    let end = if doubled { cut.len() - cut.chars().next_back().map_or(0, char::len_utf8) } else { cut.len() };
    cut[..end].to_owned()
}

/// The attribute that words call otherwise: "start time" is `startsAt`, if nothing else begins so.
fn called(words: &[Phrase<'_>], entity: usize, domain: &Domain<'_>) -> Option<AttributeRef> {
    words.iter().filter(|word| word.as_str().len() > 2 && !is_filler(word.as_str())).find_map(|word| {
        let declared = &domain.entities[entity];
        let begins =
            |it: &&Attribute| parts(&it.name).first().is_some_and(|first| stem(first) == stem(word.as_str()));
        let mut found = declared.attributes.iter().filter(begins);
        let first = found.next().filter(|_| found.next().is_none())?;
        Some(AttributeRef::new(&declared.name, &first.name))
    })
}

/// The entities of a read with its head last: of a user and songs, the newest songs come first.
fn children_first(entities: &[usize]) -> Vec<usize> {
    entities.iter().skip(1).chain(entities.first()).copied().collect()
}

fn direction_word(word: &str) -> Option<Direction> {
    match word.to_lowercase().as_str() {
        "asc" | "ascending" | "ascend" | "up" | "lowest" | "smallest" | "cheapest" | "shortest"
        | "fewest" | "least" | "soonest" | "a-z" | "alphabetical" | "alphabetically" => {
            Some(Direction::Ascending)
        }
        "desc" | "descending" | "descend" | "down" | "highest" | "largest" | "biggest" | "greatest"
        | "longest" | "heaviest" | "most" | "best" | "top" | "z-a" | "reverse" => Some(Direction::Descending),
        _ => None,
    }
}

fn direction(word: &str) -> Option<Direction> {
    direction_word(word).or_else(|| age(word))
}

/// Words that order by age.
fn age(word: &str) -> Option<Direction> {
    match word.to_lowercase().as_str() {
        "newest" | "latest" | "recent" | "reverse-chronological" => Some(Direction::Descending),
        "oldest" | "earliest" | "chronological" | "chronologically" | "time-ordered" => {
            Some(Direction::Ascending)
        }
        _ => None,
    }
}

fn is_filler(word: &str) -> bool {
    [
        "by", "first", "order", "ordered", "sorted", "sort", "in", "the", "most", "last", "then", "on", "of",
        "and", "with",
    ]
    .iter()
    .any(|filler| word.eq_ignore_ascii_case(filler))
}

/// "Newest first" orders by the time of creation.
fn by_age(
    part: Phrase<'_>,
    word: Phrase<'_>,
    direction: Direction,
    entities: &[usize],
    domain: &Domain<'_>,
    remarks: &mut Remarks,
) -> Option<Sort> {
    let found = entities.iter().find_map(|entity| {
        domain.creation(*entity).map(|it| AttributeRef::new(&domain.entities[*entity].name, &it.name))
    });
    let Some(attribute) = found else {
        remarks.say(
            &UNREADABLE_CELL,
            part.span(),
            format!("`{}` names no attribute, and none holds the time of creation", part.as_str()),
            "write the attribute and ASC or DESC, such as `createdAt DESC`",
        );
        return None;
    };
    let arrow = if direction == Direction::Descending { "DESC" } else { "ASC" };
    remarks.assume(
        part.span(),
        format!("read \"{}\" as {attribute} {arrow}", word.as_str()),
        format!("write `{} {arrow}`", attribute.attribute),
    );
    Some(Sort { attribute, direction, span: part.span() })
}

/// The attribute that tells when an item came to be.
pub(super) fn creation(attributes: &[Attribute]) -> Option<&Attribute> {
    let times = || attributes.iter().filter(|it| matches!(it.ty.value, Type::Datetime | Type::Date));
    let named =
        |words: &[&str]| times().find(|it| parts(&it.name).iter().any(|part| words.contains(&part.as_str())));
    named(&["created", "creation"])
        .or_else(|| times().find(|it| fold(&it.name) == "timestamp"))
        .or_else(|| {
            named(&[
                "placed",
                "posted",
                "recorded",
                "published",
                "discovered",
                "opened",
                "started",
                "sent",
                "occurred",
                "collected",
                "uploaded",
                "registered",
                "joined",
                "submitted",
            ])
        })
        .or_else(|| {
            // What comes later, or may never come, tells nothing of when an item came to be.
            let mut all = times().filter(|it| {
                let later = [
                    "updated",
                    "modified",
                    "expires",
                    "deleted",
                    "closed",
                    "ends",
                    "ended",
                    "due",
                    "until",
                    "close",
                    "closing",
                    "end",
                    "expiry",
                    "expiration",
                    "deadline",
                    "target",
                    "birth",
                    "born",
                ];
                !it.is_optional() && !parts(&it.name).iter().any(|part| later.contains(&part.as_str()))
            });
            all.next().filter(|_| all.next().is_none())
        })
        .or_else(|| attributes.iter().find(|it| it.ty.value.is_time_ordered_id() && it.reference.is_none()))
}

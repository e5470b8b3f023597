//! States that a verb leads to or words name: "cancel a booking", "mark an order as shipped", "open orders".

use keywright_model::At;
use keywright_model::model::{Attribute, Entity, Type};

use super::names::{fold, parts};

/// Participles that no ending makes.
const IRREGULAR: &[(&str, &str)] = &[
    ("pay", "paid"),
    ("send", "sent"),
    ("sell", "sold"),
    ("withdraw", "withdrawn"),
    ("freeze", "frozen"),
    ("begin", "begun"),
    ("lose", "lost"),
    ("hold", "held"),
    ("win", "won"),
    ("take", "taken"),
    ("hide", "hidden"),
    ("break", "broken"),
];

/// The values that an entity's attributes may have, with the attribute of each.
fn states(entity: &Entity) -> impl Iterator<Item = (&Attribute, &At<String>)> {
    entity.attributes.iter().flat_map(|it| it.values.iter().map(move |value| (it, value)))
}

/// The state that a verb leads to: "close" to CLOSED, "ship" to SHIPPED, "pay" to PAID.
pub(super) fn state_of<'e>(verb: &str, entity: &'e Entity) -> Option<(&'e Attribute, &'e At<String>)> {
    let participles = participles(verb);
    states(entity).find(|(_, value)| participles.iter().any(|it| *it == fold(&value.value)))
}

/// What keeps that a verb was done: `clearedAt` for "clear", `deleted` for "soft-delete", `acknowledgedBy`.
pub(super) fn stamp_of<'e>(verb: &str, entity: &'e Entity) -> Option<&'e Attribute> {
    let participles = participles(verb.trim_start_matches("soft-").trim_start_matches("Soft-"));
    entity.attributes.iter().find(|it| {
        let words = parts(&it.name);
        let own: Vec<&str> = words.iter().map(String::as_str).filter(|word| *word != "is").collect();
        match own.as_slice() {
            [done @ .., "at" | "by" | "on" | "date" | "time"] => participles.contains(&done.concat()),
            done => it.ty.value == Type::Boolean && participles.contains(&done.concat()),
        }
    })
}

/// The forms in which a verb may name what it leads to: "check in" leads to CHECKED_IN.
fn participles(verb: &str) -> Vec<String> {
    if let Some((verb, particle)) = verb.split_once(char::is_whitespace) {
        let particle = fold(particle);
        return participles(verb).into_iter().map(|form| format!("{form}{particle}")).collect();
    }
    let verb = fold(verb);
    if verb.len() < 3 {
        return Vec::new();
    }
    let forms = [
        Some(verb.clone()),
        Some(format!("{}ed", verb.trim_end_matches('e'))),
        verb.strip_suffix('y').map(|stem| format!("{stem}ied")),
        verb.chars().last().map(|last| format!("{verb}{last}ed")),
        IRREGULAR.iter().find(|(stem, _)| *stem == verb).map(|(_, participle)| (*participle).to_owned()),
    ];
    forms.into_iter().flatten().collect()
}

/// The state of that name, where only one attribute has it.
pub(super) fn state_named<'e>(word: &str, entity: &'e Entity) -> Option<(&'e Attribute, &'e At<String>)> {
    // "Get a student" says nothing of the grade A.
    if matches!(word, "a" | "an" | "the" | "i") {
        return None;
    }
    let word = fold(word);
    let mut found = states(entity).filter(|(_, value)| !word.is_empty() && fold(&value.value) == word);
    found.next().filter(|_| found.next().is_none())
}

//! States that a verb leads to or words name: "cancel a booking", "mark an order as shipped", "open orders".

use keywright_model::At;
use keywright_model::model::{Attribute, Entity};

use super::names::fold;

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
    let verb = fold(verb);
    if verb.len() < 3 {
        return None;
    }
    let participles = [
        Some(verb.clone()),
        Some(format!("{}ed", verb.trim_end_matches('e'))),
        verb.strip_suffix('y').map(|stem| format!("{stem}ied")),
        verb.chars().last().map(|last| format!("{verb}{last}ed")),
        IRREGULAR.iter().find(|(stem, _)| *stem == verb).map(|(_, participle)| (*participle).to_owned()),
    ];
    states(entity).find(|(_, value)| participles.iter().flatten().any(|it| *it == fold(&value.value)))
}

/// The state of that name, where only one attribute has it.
pub(super) fn state_named<'e>(word: &str, entity: &'e Entity) -> Option<(&'e Attribute, &'e At<String>)> {
    let word = fold(word);
    let mut found = states(entity).filter(|(_, value)| !word.is_empty() && fold(&value.value) == word);
    found.next().filter(|_| found.next().is_none())
}

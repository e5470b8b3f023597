//! How far a sentence moves a number: "add points to an entry", "take stock from a product", "increase the stock by 5".

use keywright_model::model::Step;

use crate::access_patterns::names::{Domain, fold, tokens};
use crate::access_patterns::verbs::is_form_of;
use crate::markdown::Phrase;

const UP: &[&str] =
    &["add", "increase", "increment", "raise", "credit", "deposit", "replenish", "bump", "grant"];
const DOWN: &[&str] = &[
    "take",
    "subtract",
    "decrease",
    "decrement",
    "reduce",
    "deduct",
    "withdraw",
    "debit",
    "spend",
    "consume",
];

/// The number of an entity that stands between such a verb and what it is of.
pub(in crate::access_patterns) fn moved_number(
    description: Phrase<'_>,
    entity: usize,
    domain: &Domain<'_>,
) -> Option<String> {
    let words: Vec<Phrase<'_>> = tokens(description).collect();
    let lower = words.first()?.as_str().to_lowercase();
    UP.iter().chain(DOWN).find(|stem| is_form_of(&lower, stem))?;
    let noun = domain.mentions(description).into_iter().find(|(it, _)| *it == entity)?.1;
    let before = words.iter().skip(1).take_while(|word| word.span().start < noun.span().start);
    let before: Vec<&Phrase<'_>> = before.collect();
    let joins = |word: &&Phrase<'_>| ["to", "of", "from", "on", "in", "for"].iter().any(|it| word.is(it));
    let end = before.iter().position(joins)?;
    // "Loyalty points" are `loyaltyPoints`.
    let names = (1..=end).rev().map(|from| before[from - 1..end].iter().map(|word| word.as_str()).collect());
    let numeric = |name: String| {
        domain
            .attribute(entity, &name)
            .filter(|it| it.ty.value.is_numeric() && !domain.identifies(entity, &it.name))
            .map(|it| it.name.clone())
    };
    names.into_iter().find_map(numeric)
}

/// The number that a description moves, and how far: by a number that it names, or by the only input that may say so.
pub(in crate::access_patterns) fn moved(
    description: Phrase<'_>,
    entity: usize,
    inputs: &[String],
    domain: &Domain<'_>,
) -> Option<(String, Step)> {
    let attribute = moved_number(description, entity, domain)?;
    let first = tokens(description).next()?.as_str().to_lowercase();
    let down = DOWN.iter().any(|stem| is_form_of(&first, stem));
    // Nobody knows how much a share is.
    if description.as_str().contains('%') {
        return None;
    }
    if let Some(by) = told(description) {
        return Some((attribute, Step::Fixed(if down { -by } else { by })));
    }
    // A new value, an old one and an identifier are no amounts.
    let other = |name: &str| {
        ["new", "old", "expected", "current"].iter().any(|lead| name.starts_with(lead))
            || name.ends_with("id")
    };
    let amount = |name: &&String| {
        let folded = fold(name);
        folded == fold(&attribute) || domain.owners(name).is_empty() && !other(&folded)
    };
    let mut amounts = inputs.iter().filter(amount);
    let only = amounts.next().filter(|_| amounts.next().is_none())?;
    Some((attribute, if down { Step::MinusInput(only.clone()) } else { Step::Input(only.clone()) }))
}

/// The number behind "by", or right behind the verb: "reduce the stock by 2", "add 10 points to an entry".
fn told(description: Phrase<'_>) -> Option<i64> {
    let words: Vec<Phrase<'_>> = tokens(description).collect();
    let at = words.iter().position(|word| word.is("by")).map_or(1, |by| by + 1);
    words.get(at)?.as_str().parse().ok()
}

//! How far a number moves: `orderCount +1`, `stock -quantity`, `increment likes`.

use keywright_model::model::Step;

use super::Context;
use crate::access_patterns::names::tokens;
use crate::access_patterns::verbs::Verb;
use crate::markdown::Phrase;

/// The one number of an entity that does not identify it.
pub(super) fn only_number(entity: usize, context: &Context<'_, '_>) -> Option<String> {
    let mut numbers = context.domain.entities[entity].attributes.iter().filter(|attribute| {
        attribute.ty.value.is_numeric() && !context.domain.identifies(entity, &attribute.name)
    });
    numbers.next().filter(|_| numbers.next().is_none()).map(|attribute| attribute.name.clone())
}

/// The step of `orderCount +1`, `stock -quantity`, `increment likes`, and the attribute that a clause names.
pub(super) fn step(
    clause: Phrase<'_>,
    entity: usize,
    verb: Option<Verb>,
    context: &Context<'_, '_>,
) -> (Option<Step>, Option<String>) {
    let domain = context.domain;
    let mut target = None;
    for word in tokens(clause) {
        let name = word.as_str().rsplit('.').next().unwrap_or(word.as_str());
        if let Some(attribute) = domain.attribute(entity, name)
            && target.is_none()
        {
            target = Some(attribute.name.clone());
        }
    }
    let text = clause.as_str();
    let sign = text.char_indices().find(|(at, next)| {
        let parted = *at == 0 || text[..*at].ends_with(char::is_whitespace) || *next == '+';
        matches!(next, '+' | '-' | '−' | '–')
            && (parted || text[at + next.len_utf8()..].starts_with(|it: char| it.is_ascii_digit()))
    });
    if let Some((at, sign)) = sign {
        let amount = text[at + sign.len_utf8()..].trim_start_matches(['+', '-', '=', ' ']);
        let amount_end =
            amount.find(|next: char| !(next.is_alphanumeric() || next == '_')).unwrap_or(amount.len());
        let amount = &amount[..amount_end];
        let negative = sign != '+';
        return (Some(stepped(amount, negative)), target);
    }
    match verb {
        Some(Verb::Increment) => (Some(Step::Fixed(number_in(clause).unwrap_or(1))), target),
        Some(Verb::Decrement) => (Some(Step::Fixed(-number_in(clause).unwrap_or(1))), target),
        _ => (None, target),
    }
}

fn stepped(amount: &str, negative: bool) -> Step {
    match amount.parse::<i64>() {
        Ok(amount) => Step::Fixed(if negative { -amount } else { amount }),
        Err(_) if amount.is_empty() => Step::Fixed(if negative { -1 } else { 1 }),
        Err(_) if negative => Step::MinusInput(amount.to_owned()),
        Err(_) => Step::Input(amount.to_owned()),
    }
}

fn number_in(clause: Phrase<'_>) -> Option<i64> {
    tokens(clause).find_map(|word| word.as_str().parse().ok())
}

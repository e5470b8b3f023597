//! An attribute compared with a value: "status must be PENDING", "stock >= quantity".

use keywright_dynamodb::expression::Comparator;
use keywright_model::model::{Attribute, AttributeRef, ConditionKind, ConditionValue, Literal, Type};

use super::Context;
use super::bearer::{Bearer, Suits, bearer};
use crate::access_patterns::names::{fold, tokens};
use crate::markdown::Phrase;

/// The comparator that words stand for, longest first.
const COMPARATORS: &[(&str, Comparator)] = &[
    ("must be greater than or equal to", Comparator::GreaterOrEqual),
    ("must be less than or equal to", Comparator::LessOrEqual),
    ("must be at least", Comparator::GreaterOrEqual),
    ("must be at most", Comparator::LessOrEqual),
    ("must be greater than", Comparator::Greater),
    ("must be less than", Comparator::Less),
    ("must be more than", Comparator::Greater),
    ("must be before", Comparator::Less),
    ("must be after", Comparator::Greater),
    ("must stay below", Comparator::Less),
    ("must be below", Comparator::Less),
    ("must be above", Comparator::Greater),
    ("must not be", Comparator::NotEqual),
    ("must not equal", Comparator::NotEqual),
    ("must equal", Comparator::Equal),
    ("must match", Comparator::Equal),
    ("must still be", Comparator::Equal),
    ("must be", Comparator::Equal),
    ("is at least", Comparator::GreaterOrEqual),
    ("is below", Comparator::Less),
    ("is above", Comparator::Greater),
    ("is not", Comparator::NotEqual),
    ("matches", Comparator::Equal),
    ("equals", Comparator::Equal),
    ("is", Comparator::Equal),
    ("below", Comparator::Less),
    ("above", Comparator::Greater),
    (">=", Comparator::GreaterOrEqual),
    ("≥", Comparator::GreaterOrEqual),
    ("<=", Comparator::LessOrEqual),
    ("≤", Comparator::LessOrEqual),
    ("<>", Comparator::NotEqual),
    ("!=", Comparator::NotEqual),
    ("==", Comparator::Equal),
    ("=", Comparator::Equal),
    (">", Comparator::Greater),
    ("<", Comparator::Less),
];

/// "status must be PENDING", "stock >= quantity", "status is OPEN or PAUSED".
pub(super) fn comparison(words: Phrase<'_>, context: &Context<'_>) -> Option<(ConditionKind, Bearer)> {
    let text = words.as_str();
    // Lower case of the same length keeps offsets; other texts are no conditions of ours.
    let lower = text.to_lowercase();
    if lower.len() != text.len() {
        return None;
    }
    let (at, length, comparator) = COMPARATORS.iter().find_map(|(words, comparator)| {
        let at = lower.find(words)?;
        let wordy = words.starts_with(char::is_alphabetic);
        let apart = !wordy
            || (lower[..at].ends_with(' ')
                && lower[at + words.len()..].chars().next().is_none_or(|it| !it.is_alphanumeric()));
        apart.then_some((at, words.len(), *comparator))
    })?;
    let subject = words.slice(0..at).trim();
    let object = words.slice(at + length..text.len()).trim_matches(&['"', '\'', '.', '“', '”']);
    if object.is_empty() {
        return None;
    }
    if let Some(turned) = turned(subject, object, comparator, context) {
        return Some(turned);
    }
    let choices: Vec<Phrase<'_>> = alternatives(object);
    let suits = |it: &Attribute| suits(it, &choices, context);
    let bearer = bearer(subject, &suits, context)?;
    let attribute = bearer.attribute.clone();
    let ty = context
        .domain
        .find(&attribute.entity)
        .and_then(|entity| context.domain.attribute(entity, &attribute.attribute))
        .map_or(Type::String, |it| it.ty.value);
    if choices.len() > 1 {
        let values: Option<Vec<Literal>> = choices.iter().map(|choice| literal(*choice, ty)).collect();
        return match comparator {
            Comparator::Equal => Some((ConditionKind::OneOf { attribute, values: values? }, bearer)),
            _ => None,
        };
    }
    let value = value(object, ty, &attribute, context)?;
    Some((ConditionKind::Compare { attribute, comparator, value }, bearer))
}

/// "amount must be greater than highBid" says of the bid that is there what it must be below: what the caller gives is
/// no item's yet.
fn turned(
    subject: Phrase<'_>,
    object: Phrase<'_>,
    comparator: Comparator,
    context: &Context<'_>,
) -> Option<(ConditionKind, Bearer)> {
    let given = |words: Phrase<'_>| {
        let mut names = tokens(words).filter(|word| !["the", "given", "input"].iter().any(|it| word.is(it)));
        let name = names.next().filter(|_| names.next().is_none())?;
        context.inputs.iter().find(|input| fold(input) == fold(name.as_str()))
    };
    let (input, None) = (given(subject)?, given(object)) else { return None };
    let bearer = bearer(object, &|_| Suits::Well, context)?;
    let entity = context.domain.find(&bearer.attribute.entity)?;
    let comparator = match comparator {
        Comparator::Less => Comparator::Greater,
        Comparator::LessOrEqual => Comparator::GreaterOrEqual,
        Comparator::Greater => Comparator::Less,
        Comparator::GreaterOrEqual => Comparator::LessOrEqual,
        Comparator::Equal | Comparator::NotEqual => comparator,
    };
    let value = ConditionValue::Input(input.clone());
    let kind = ConditionKind::Compare { attribute: bearer.attribute.clone(), comparator, value };
    (!context.created.contains(&entity)).then_some((kind, bearer))
}

/// Whether an attribute may be what a condition compares it with.
fn suits(attribute: &Attribute, choices: &[Phrase<'_>], context: &Context<'_>) -> Suits {
    let is_input = |choice: &Phrase<'_>| context.inputs.iter().any(|it| fold(it) == fold(choice.as_str()));
    let is_listed =
        |choice: &Phrase<'_>| attribute.values.iter().any(|it| fold(&it.value) == fold(choice.as_str()));
    let fixed = || choices.iter().filter(|choice| !is_input(choice));
    if attribute.values.is_empty() {
        let bare = attribute.ty.value.is_numeric() || attribute.ty.value == Type::Boolean;
        let never = bare && fixed().any(|choice| literal(*choice, attribute.ty.value).is_none());
        return if never { Suits::Never } else { Suits::Well };
    }
    match fixed().count() {
        0 => Suits::Well,
        _ if fixed().all(is_listed) => Suits::Listed,
        _ => Suits::Never,
    }
}

/// "PENDING or PAID", "OPEN | PAUSED", "one of A, B".
fn alternatives(object: Phrase<'_>) -> Vec<Phrase<'_>> {
    let text = object.as_str();
    let text = text.strip_prefix("one of ").or_else(|| text.strip_prefix("either ")).unwrap_or(text);
    text.split(" or ")
        .flat_map(|part| part.split(['|', '/', ',']))
        .map(|part| object.part(part).trim_matches(&['"', '\'', '(', ')', '`']))
        .filter(|part| !part.is_empty())
        .collect()
}

fn literal(word: Phrase<'_>, ty: Type) -> Option<Literal> {
    let text = word.as_str();
    if text.split_whitespace().count() > 1 {
        return None;
    }
    Some(match ty {
        Type::Boolean => Literal::Boolean(match text.to_lowercase().as_str() {
            "true" | "yes" => true,
            "false" | "no" => false,
            _ => return None,
        }),
        _ if ty.is_numeric() => {
            let digits = text.strip_prefix('-').unwrap_or(text);
            let decimal =
                !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
            if !decimal || digits.matches('.').count() > 1 {
                return None;
            }
            Literal::Number(text.to_owned())
        }
        _ => Literal::String(text.to_owned()),
    })
}

/// What an attribute is compared with: an input, another attribute of the item, or a fixed value.
fn value(
    object: Phrase<'_>,
    ty: Type,
    attribute: &AttributeRef,
    context: &Context<'_>,
) -> Option<ConditionValue> {
    let bare = object.trim_matches(&['<', '>', '{', '}', ':', '`']);
    let name = ["the given ", "given ", "the ", "input "]
        .iter()
        .find_map(|article| bare.as_str().strip_prefix(article))
        .unwrap_or(bare.as_str());
    let folded = fold(name);
    let entity = context.domain.find(&attribute.entity)?;
    // "open must be OPEN": a state that is called like its attribute, unless the caller gives just that name.
    let declared = context.domain.attribute(entity, &attribute.attribute);
    if declared.is_some_and(|it| it.values.iter().any(|value| value.value == name))
        && !context.inputs.iter().any(|input| input == name)
    {
        return Some(ConditionValue::Literal(Literal::String(name.to_owned())));
    }
    if let Some(input) = context.inputs.iter().find(|input| fold(input) == folded) {
        return Some(ConditionValue::Input(input.clone()));
    }
    if let Some(other) =
        context.domain.attribute(entity, name).filter(|other| other.name != attribute.attribute)
    {
        return Some(ConditionValue::Attribute(other.name.clone()));
    }
    literal(object, ty).map(ConditionValue::Literal)
}

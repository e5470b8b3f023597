//! An attribute compared with a value: "status must be PENDING", "stock >= quantity".

use keywright_dynamodb::expression::Comparator;
use keywright_model::model::{AttributeRef, ConditionKind, ConditionValue, Literal, Type};

use super::{Context, owner};
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
pub(super) fn comparison(words: Phrase<'_>, context: &Context<'_>) -> Option<ConditionKind> {
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
    let attribute = subject_attribute(subject, context)?;
    if object.is_empty() {
        return None;
    }
    let ty = context
        .domain
        .find(&attribute.entity)
        .and_then(|entity| context.domain.attribute(entity, &attribute.attribute))
        .map_or(Type::String, |it| it.ty.value);
    let choices: Vec<Phrase<'_>> = alternatives(object);
    if choices.len() > 1 {
        let values: Option<Vec<Literal>> = choices.iter().map(|choice| literal(*choice, ty)).collect();
        return match comparator {
            Comparator::Equal => Some(ConditionKind::OneOf { attribute, values: values? }),
            _ => None,
        };
    }
    let value = value(object, ty, &attribute, context)?;
    Some(ConditionKind::Compare { attribute, comparator, value })
}

/// The last attribute that the subject names: "the order's status", "Order.status", "status".
pub(super) fn subject_attribute(subject: Phrase<'_>, context: &Context<'_>) -> Option<AttributeRef> {
    let mentioned = context.domain.mentions(subject).first().map(|(entity, _)| *entity);
    let found: Vec<AttributeRef> = tokens(subject)
        .filter_map(|word| {
            let word = word.as_str();
            let own = mentioned.and_then(|entity| context.domain.reference(entity, word));
            own.or_else(|| {
                owner(word, context).and_then(|(entity, name)| context.domain.reference(entity, &name))
            })
        })
        .collect();
    found.into_iter().next_back()
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
    if let Some(input) = context.inputs.iter().find(|input| fold(input) == folded) {
        return Some(ConditionValue::Input(input.clone()));
    }
    let entity = context.domain.find(&attribute.entity)?;
    if let Some(other) =
        context.domain.attribute(entity, name).filter(|other| other.name != attribute.attribute)
    {
        return Some(ConditionValue::Attribute(other.name.clone()));
    }
    literal(object, ty).map(ConditionValue::Literal)
}

//! The attributes of an item type, and the example that shows them.

use keywright_dynamodb::expression::parse::Parser;
use keywright_finding::Span;
use keywright_model::At;
use keywright_model::design::ItemAttribute;
use keywright_model::design::source::{Example, ExampleValue};
use keywright_model::model::Type;

use super::super::super::cell::fold;
use super::super::super::params::sentence;
use crate::markdown::{Phrase, Piece};

/// The parts between commas that stand outside of brackets and quotes.
pub(super) fn outside_brackets(phrase: Phrase<'_>) -> Vec<Phrase<'_>> {
    let text = phrase.as_str();
    let mut parts = Vec::new();
    let (mut start, mut depth, mut quoted, mut escaped) = (0, 0usize, false, false);
    for (at, next) in text.char_indices() {
        if std::mem::take(&mut escaped) {
            continue;
        }
        match next {
            '\\' if quoted => escaped = true,
            '"' => quoted = !quoted,
            _ if quoted => {}
            '(' | '{' | '[' => depth += 1,
            ')' | '}' | ']' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => {
                parts.push(phrase.slice(start..at).trim());
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(phrase.slice(start..text.len()).trim());
    parts.retain(|part| !part.is_empty());
    parts
}

/// `name` (type, optional, enum(a, b), max 99).
pub(super) fn attribute(phrase: Phrase<'_>) -> Option<(ItemAttribute, Span)> {
    let name = match phrase.pieces().into_iter().next()? {
        Piece::Code(name) => name,
        Piece::Text(text) => text.words().next()?,
    };
    let text = phrase.as_str();
    let offset = name.range_in(phrase).end;
    let name = name.trim_matches(&['{', '}', ':', ',']);
    let mut attribute = ItemAttribute {
        name: name.as_str().to_owned(),
        ty: Type::String,
        optional: false,
        values: Vec::new(),
        max: None,
        entity: None,
    };
    let rest = text[offset..].trim_start();
    if let Some(facts) = bracketed(rest) {
        for fact in outside_brackets(phrase.part(facts)) {
            apply(&mut attribute, fact.as_str());
        }
    }
    (!attribute.name.is_empty()).then_some((attribute, name.span()))
}

/// The inside of the brackets that a text begins with.
fn bracketed(text: &str) -> Option<&str> {
    let inner = text.strip_prefix('(')?;
    let mut depth = 1usize;
    let mut quote = false;
    let mut escaped = false;
    for (at, next) in inner.char_indices() {
        if std::mem::take(&mut escaped) {
            continue;
        }
        match next {
            '\\' if quote => escaped = true,
            '"' => quote = !quote,
            '(' if !quote => depth += 1,
            ')' if !quote => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return Some(&inner[..at]);
        }
    }
    None
}

fn apply(attribute: &mut ItemAttribute, fact: &str) {
    let list = |inner: &str| {
        sentence(inner, |parser| parser.list(Parser::name)).unwrap_or_else(|_| {
            inner.split(',').map(|it| it.trim().to_owned()).filter(|it| !it.is_empty()).collect()
        })
    };
    let called = |name: &str| fact.strip_prefix(name).and_then(bracketed);
    if let Some(inner) = called("enum") {
        attribute.ty = Type::Enum;
        attribute.values = list(inner);
    } else if let Some(inner) = called("values") {
        attribute.values = list(inner);
    } else if fact.eq_ignore_ascii_case("optional") {
        attribute.optional = true;
    } else if let Some(max) = fact.strip_prefix("max ").and_then(|max| max.trim().parse().ok()) {
        attribute.max = Some(max);
    } else if let Some(entity) = fact.strip_prefix("of ") {
        attribute.entity = sentence(entity, Parser::name).ok().or_else(|| Some(entity.trim().to_owned()));
    } else if let Some(ty) = type_named(fact) {
        attribute.ty = ty;
    }
}

fn type_named(text: &str) -> Option<Type> {
    let known = Type::ALL.into_iter().find(|ty| ty.name().eq_ignore_ascii_case(text.trim()));
    known.or(match fold(text).as_str() {
        "s" | "str" => Some(Type::String),
        "n" | "int" | "long" => Some(Type::Number),
        "float" | "double" => Some(Type::Decimal),
        "bool" => Some(Type::Boolean),
        "timestamp" | "iso8601" => Some(Type::Datetime),
        "ss" | "ns" | "stringset" => Some(Type::Set),
        "object" | "json" | "m" => Some(Type::Map),
        "array" | "l" => Some(Type::List),
        "b" | "bytes" => Some(Type::Binary),
        _ => None,
    })
}

/// The example of a JSON block: its top-level values and the lines that they stand on.
pub(super) fn example(text: Phrase<'_>, span: Span) -> Option<Example> {
    let serde_json::Value::Object(map) = serde_json::from_str(text.as_str()).ok()? else { return None };
    let values = map
        .into_iter()
        .map(|(name, value)| {
            let quoted = serde_json::Value::from(name.as_str()).to_string();
            let at = text.as_str().find(&quoted).map_or(span, |at| text.slice(at..at + quoted.len()).span());
            (name, At::stated(example_value(value), at))
        })
        .collect();
    Some(Example { span, values })
}

fn example_value(value: serde_json::Value) -> ExampleValue {
    match value {
        serde_json::Value::String(text) => ExampleValue::String(text),
        serde_json::Value::Number(number) => ExampleValue::Number(number.to_string()),
        // DynamoDB's own JSON: {"S": "…"}.
        serde_json::Value::Object(map) if map.len() == 1 => match map.into_iter().next() {
            Some((ty, serde_json::Value::String(text))) if ty == "S" => ExampleValue::String(text),
            Some((ty, serde_json::Value::String(text))) if ty == "N" => ExampleValue::Number(text),
            _ => ExampleValue::Other,
        },
        _ => ExampleValue::Other,
    }
}

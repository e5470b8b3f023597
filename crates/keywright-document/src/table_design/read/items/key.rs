//! The value of a key as a line gives it: a template, an attribute as it is, or words.

use keywright_dynamodb::expression::parse::{self, Term};
use keywright_dynamodb::expression::{Comparator, Condition, Operand};
use keywright_model::At;
use keywright_model::design::{KeyValue, Sparse};

use super::super::super::cell::{Entry, fold, is_nothing};
use super::super::super::value::{Bare, literal_of};
use super::super::super::{Problems, template};
use super::super::structure::said;
use crate::markdown::Piece;

/// The template of a line, and how it is written.
pub(super) fn key_value(
    entry: &Entry<'_>,
    partition: Option<&KeyValue>,
    problems: &mut Problems,
) -> Option<(KeyValue, At<String>)> {
    if let Some(Piece::Text(before)) = entry.pieces.first()
        && fold(before.as_str()) == "attribute"
        && let Some(code) = entry.codes().next()
    {
        return Some((KeyValue::Natural, said(code)));
    }
    if let Some(code) = entry.codes().next() {
        let text = match Bare::of(code.as_str()) {
            Bare::Term(Term::DoubleQuoted(text)) => text,
            _ => template::normal(code.as_str()),
        };
        return Some((KeyValue::Template(text), said(code)));
    }
    let text = entry.texts().next()?;
    let without_remark = text.as_str().split(" (").next().unwrap_or_default();
    let without_remark =
        without_remark.split(" — ").next().unwrap_or_default().split(" - ").next().unwrap_or_default();
    let text = text.part(without_remark).trim().trim_matches(&['"', '\'', ',']);
    if text.is_empty() || is_nothing(text.as_str()) {
        return None;
    }
    let folded = fold(text.as_str());
    if let (Some(value), true) =
        (partition, matches!(folded.as_str(), "sameaspk" | "samepk" | "pk" | "sameaspartitionkey"))
    {
        return Some((value.clone(), said(text)));
    }
    let first = text.as_str().split_whitespace().next().unwrap_or_default();
    let is_template =
        text.as_str().contains(['<', '{']) || first.len() == text.as_str().len() || first.contains('#');
    if is_template {
        return Some((KeyValue::Template(template::normal(text.as_str())), said(text)));
    }
    let Some(template) = template::in_words(text.as_str()) else {
        problems.unreadable(text, "this key is given in words, so its values can't be checked");
        return None;
    };
    problems.assume(
        text.span(),
        format!("read \"{}\" as the key `{template}`", text.as_str()),
        "it is given in words; write the template in a code span",
    );
    Some((KeyValue::Template(template), At::assumed(text.as_str().to_owned(), text.span())))
}

/// `when `status = 'OPEN'``.
pub(super) fn sparse(entry: &Entry<'_>) -> Option<Sparse> {
    let at = entry.pieces.iter().position(|piece| {
        matches!(piece, Piece::Text(text) if matches!(fold(text.as_str()).as_str(), "when" | "onlywhen" | "if" | "onlyif"))
    })?;
    let Some(Piece::Code(code)) = entry.pieces.get(at + 1) else { return None };
    match parse::condition(code.as_str()).ok()? {
        Condition::Exists(attribute) => Some(Sparse { attribute, equals: None }),
        Condition::Compare(Operand::Path(attribute), Comparator::Equal, Operand::Value(term)) => {
            Some(Sparse { attribute, equals: Some(literal_of(&term)?) })
        }
        _ => None,
    }
}

//! The words of the cell Input Parameters, cut into single inputs.

use keywright_model::model::{Bound, Period};

use crate::access_patterns::attribute::{split_list, type_named};
use crate::access_patterns::cell::is_nothing;
use crate::access_patterns::names::{fold, tokens};
use crate::markdown::Phrase;

/// One input as it is written.
#[derive(Clone, Copy, Debug)]
pub(in crate::access_patterns) struct Written<'p> {
    /// The parameter's name.
    pub(in crate::access_patterns) name: Phrase<'p>,
    /// The attribute that it is compared with, where that is written.
    pub(in crate::access_patterns) attribute: Option<Phrase<'p>>,
    /// How, where that is written.
    pub(in crate::access_patterns) operator: Option<Operator>,
    /// The fixed value, where there is one.
    pub(in crate::access_patterns) constant: Option<Phrase<'p>>,
    pub(in crate::access_patterns) optional: bool,
    pub(in crate::access_patterns) list: bool,
}

/// How an input is compared, in so many words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::access_patterns) enum Operator {
    Equal,
    Lower(Bound),
    Upper(Bound),
    Prefix,
    /// A whole year, month, day or hour: `month of createdAt`.
    Within(Period),
    /// Both ends of a range under one name: `createdAt range`.
    Range,
    /// How many, or where to go on: `limit (paging)`.
    Paging,
    /// Something that neither keys nor inputs can say: `status != DONE`.
    Other,
}

/// Cuts a cell into its inputs.
pub(in crate::access_patterns) fn read_cell(cell: Phrase<'_>) -> Vec<Written<'_>> {
    let mut inputs = Vec::new();
    let parts = split_list(cell);
    for part in &parts {
        // Among others, only a dash is nothing: an attribute may be called `none`.
        let is_named = parts.len() > 1 && part.as_str().contains(char::is_alphanumeric);
        if is_named || !is_nothing(part.as_str()) {
            read_part(*part, &mut inputs);
        }
    }
    inputs
}

fn read_part<'p>(part: Phrase<'p>, inputs: &mut Vec<Written<'p>>) {
    let (part, optional) = without_optional(part);
    let before = inputs.len();
    if !read_comparison(part, inputs) {
        read_names(part, inputs);
    }
    for input in &mut inputs[before..] {
        input.optional |= optional;
    }
}

/// `[cursor]`, `optional cursor`, `cursor?`, `cursor (optional)`.
fn without_optional(part: Phrase<'_>) -> (Phrase<'_>, bool) {
    let text = part.as_str();
    if let Some(inner) = text.strip_prefix('[').and_then(|it| it.strip_suffix(']'))
        && !inner.is_empty()
    {
        return (part.part(inner).trim(), true);
    }
    let lower = text.to_ascii_lowercase();
    if lower.starts_with("optional ") || lower.starts_with("optional: ") {
        return (part.slice(9..text.len()).trim_matches(&[':']), true);
    }
    if lower.ends_with("(optional)") {
        return (part.slice(0..text.len() - 10).trim(), true);
    }
    if text.ends_with('?') {
        return (part.slice(0..text.len() - 1).trim(), true);
    }
    (part, false)
}

fn plain(name: Phrase<'_>) -> Written<'_> {
    Written {
        name: bare(name),
        attribute: None,
        operator: None,
        constant: None,
        optional: false,
        list: false,
    }
}

/// Without the marks of a placeholder.
fn bare(name: Phrase<'_>) -> Phrase<'_> {
    name.trim_matches(&['<', '>', '{', '}', ':', '`', '"', '$', '*'])
}

/// `status = OPEN`, `createdAt >= since`, `createdAt between from and to`, `begins_with(title, prefix)`.
fn read_comparison<'p>(part: Phrase<'p>, inputs: &mut Vec<Written<'p>>) -> bool {
    let text = part.as_str();
    let lower = text.to_ascii_lowercase();
    if ["!=", "<>", "≠", " not in ", " in (", " is not "].iter().any(|other| lower.contains(other)) {
        inputs.push(Written { operator: Some(Operator::Other), ..plain(part) });
        return true;
    }
    if let Some(inner) = lower.strip_prefix("begins_with(").and_then(|it| it.strip_suffix(')')) {
        let start = "begins_with(".len();
        let inner = part.slice(start..start + inner.len());
        if let Some((attribute, prefix)) = inner.split_once(',') {
            inputs.push(compared(attribute, prefix, Operator::Prefix));
            return true;
        }
    }
    for words in [" begins_with ", " begins with ", " starts with ", " startswith ", " starting with "] {
        if let Some(at) = lower.find(words) {
            let (attribute, prefix) =
                (part.slice(0..at).trim(), part.slice(at + words.len()..text.len()).trim());
            inputs.push(compared(attribute, prefix, Operator::Prefix));
            return true;
        }
    }
    if let Some(at) = lower.find(" between ") {
        let attribute = part.slice(0..at).trim();
        let bounds = part.slice(at + " between ".len()..text.len()).trim();
        if let Some(and) = bounds.as_str().to_ascii_lowercase().find(" and ") {
            let (from, to) =
                (bounds.slice(0..and).trim(), bounds.slice(and + 5..bounds.as_str().len()).trim());
            inputs.push(compared(attribute, from, Operator::Lower(Bound::Inclusive)));
            inputs.push(compared(attribute, to, Operator::Upper(Bound::Inclusive)));
            return true;
        }
    }
    if let Some(at) = lower.find(" of ")
        && let Some(of) = period_named(lower[..at].trim())
    {
        let attribute = bare(part.slice(at + " of ".len()..text.len()).trim());
        let name = plain(part.slice(0..at).trim());
        let operator = Some(Operator::Within(of));
        inputs.push(Written { attribute: Some(attribute), operator, ..name });
        return true;
    }
    let operators = [
        (">=", Operator::Lower(Bound::Inclusive)),
        ("≥", Operator::Lower(Bound::Inclusive)),
        ("<=", Operator::Upper(Bound::Inclusive)),
        ("≤", Operator::Upper(Bound::Inclusive)),
        ("==", Operator::Equal),
        ("=", Operator::Equal),
    ];
    for (sign, operator) in operators {
        if let Some(at) = text.find(sign).filter(|at| *at > 0) {
            let (attribute, value) =
                (part.slice(0..at).trim(), part.slice(at + sign.len()..text.len()).trim());
            inputs.push(compared(attribute, value, operator));
            return true;
        }
    }
    // `<name>` is a placeholder, ` < ` compares.
    for (sign, operator) in
        [(" > ", Operator::Lower(Bound::Exclusive)), (" < ", Operator::Upper(Bound::Exclusive))]
    {
        if let Some(at) = text.find(sign) {
            let (attribute, value) =
                (part.slice(0..at).trim(), part.slice(at + sign.len()..text.len()).trim());
            inputs.push(compared(attribute, value, operator));
            return true;
        }
    }
    false
}

/// The period of that name.
pub(in crate::access_patterns) fn period_named(name: &str) -> Option<Period> {
    Period::ALL.into_iter().find(|period| name.eq_ignore_ascii_case(period.name()))
}

fn compared<'p>(attribute: Phrase<'p>, value: Phrase<'p>, operator: Operator) -> Written<'p> {
    let attribute = bare(attribute);
    let marked = value.as_str().starts_with([':', '<', '{', '$']);
    let plain_value = bare(value).trim_matches(&['\'', '“', '”']);
    let first = plain_value.as_str().chars().next();
    let fixed = match operator {
        // `status = OPEN` fixes; `status = :status` and `status = <status>` do not, nor does `id = id`; `open = OPEN` does.
        Operator::Equal => {
            let shouts = |it: &str| it.chars().any(char::is_uppercase) && !it.chars().any(char::is_lowercase);
            let (value, name) = (plain_value.as_str(), attribute.as_str());
            !marked && (fold(value) != fold(name) || shouts(value) && !shouts(name))
        }
        _ => !marked && first.is_some_and(|next| next.is_ascii_digit() || next == '-'),
    };
    let (name, constant) = if fixed { (attribute, Some(plain_value)) } else { (plain_value, None) };
    let name = if name.is_empty() { attribute } else { name };
    Written {
        name,
        attribute: Some(attribute),
        operator: Some(operator),
        constant,
        optional: false,
        list: false,
    }
}

/// One or more plain names: `userId`, `userId (string)`, `startDate/endDate`, `userId and orderId`, `createdAt range`.
fn read_names<'p>(part: Phrase<'p>, inputs: &mut Vec<Written<'p>>) {
    let text = part.as_str();
    let (outside, inside) = match text.find('(') {
        Some(open) if open > 0 => {
            let close = text.rfind(')').filter(|close| *close > open).unwrap_or(text.len());
            (part.slice(0..open).trim(), Some(part.slice(open + 1..close).trim()))
        }
        _ => (part, None),
    };
    if let Some(inside) = inside
        && let Some(input) = remarked(outside, inside)
    {
        inputs.push(input);
        return;
    }
    // `name: string` states a type that the attribute has anyway.
    let outside = match outside.split_once(':') {
        Some((name, ty)) if !name.is_empty() && type_named(ty.as_str()).is_some() => name,
        _ => outside,
    };
    let pieces: Vec<Phrase<'p>> = pieces(outside);
    for piece in pieces {
        inputs.push(named(piece));
    }
}

/// `createdAt (range)`, `title (prefix)`, `ids (list)`, `startDate (optional)`.
fn remarked<'p>(name: Phrase<'p>, remark: Phrase<'p>) -> Option<Written<'p>> {
    let operator = match fold(remark.as_str()).as_str() {
        "range" | "between" => Operator::Range,
        "prefix" | "beginswith" | "startswith" => Operator::Prefix,
        "paging" | "pagination" | "page" => {
            return Some(Written { operator: Some(Operator::Paging), ..plain(name) });
        }
        "list" | "several" | "batch" | "array" => {
            return Some(Written { list: true, ..plain(name) });
        }
        _ => return None,
    };
    Some(Written { attribute: Some(bare(name)), operator: Some(operator), ..plain(name) })
}

/// The names in words that join several.
fn pieces(words: Phrase<'_>) -> Vec<Phrase<'_>> {
    let text = words.as_str();
    let parts: Vec<&str> = if text.contains(" and ") {
        text.split(" and ").collect()
    } else if text.contains("..") {
        text.split("..").collect()
    } else {
        text.split(['/', '+', '&', '–']).collect()
    };
    let single = |part: &&str| part.split_whitespace().count() == 1;
    if parts.len() > 1 && parts.iter().all(single) {
        return parts.into_iter().map(|part| words.part(part).trim()).collect();
    }
    vec![words]
}

/// `orderIds[]`, `list of orderIds`, `title prefix`, `createdAt range`, or just a name.
fn named(piece: Phrase<'_>) -> Written<'_> {
    let text = piece.as_str();
    if let Some(stem) = text.strip_suffix("[]") {
        return Written { list: true, ..plain(piece.part(stem)) };
    }
    let words: Vec<Phrase<'_>> = tokens(piece).collect();
    match words.as_slice() {
        [list, of, name] if (list.is("list") || list.is("set")) && of.is("of") => {
            Written { list: true, ..plain(*name) }
        }
        [name, what] if what.is("range") => {
            Written { attribute: Some(bare(*name)), operator: Some(Operator::Range), ..plain(*name) }
        }
        [name, what] if what.is("prefix") => {
            Written { attribute: Some(bare(*name)), operator: Some(Operator::Prefix), ..plain(*name) }
        }
        [name, what] if what.is("list") || what.is("array") => Written { list: true, ..plain(*name) },
        _ => plain(piece),
    }
}

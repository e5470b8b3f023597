//! The cells PK, SK Condition and SK Value of a read.

use keywright_dynamodb::expression::{Comparator, KeyCondition, SortRange};
use keywright_finding::Span;
use keywright_model::design::{Keys, Value};

use super::super::cell::{Entry, fold, is_nothing};
use super::super::statement::{equalities, key_condition_of};
use super::super::value::{Bare, Scope};
use super::super::{Problems, template};
use crate::markdown::{Phrase, Piece};

/// The key of a request as its cells give it.
#[derive(Debug, Default)]
pub(super) struct KeyCells {
    pub(super) partition: Vec<(String, Value)>,
    pub(super) sort: Vec<(String, Value)>,
    pub(super) range: Option<(String, SortRange<Value>)>,
    /// `keys of request 1`.
    pub(super) of_request: Option<u32>,
    /// `each …`.
    pub(super) each: bool,
    pub(super) partition_span: Option<Span>,
    pub(super) condition_span: Option<Span>,
    pub(super) value_spans: Vec<Span>,
}

impl KeyCells {
    pub(super) fn condition(self) -> KeyCondition<Value> {
        KeyCondition { partition: self.partition, sort: self.sort, range: self.range }
    }

    pub(super) fn equalities(self) -> Vec<(String, Value)> {
        let KeyCells { partition, sort, range, .. } = self;
        equalities(KeyCondition { partition, sort, range }).unwrap_or_default()
    }

    pub(super) fn keys(self) -> Keys {
        match self.of_request {
            Some(request) => Keys::OfRequest(request),
            None => Keys::Each(self.equalities()),
        }
    }
}

/// Reads the three cells for one request on a place with these key attributes.
pub(super) fn read(
    cells: [Option<&Entry<'_>>; 3],
    attributes: &(Vec<&str>, Vec<&str>),
    scope: &Scope,
    problems: &mut Problems,
) -> KeyCells {
    let mut key = KeyCells::default();
    let [partition, condition, value] = cells;
    if let Some(entry) = partition {
        partition_cell(&mut key, entry, attributes, scope, problems);
    }
    sort_cells(&mut key, condition, value, attributes, scope);
    key
}

/// The clauses of a key condition in one cell, as entries for the cells PK, SK Condition and SK Value:
/// `pk = USER#<id> and begins_with(sk, "ORDER#")`.
pub(super) fn clauses(cell: Phrase<'_>) -> [Option<Entry<'_>>; 3] {
    let of = |phrase| Some(Entry { number: None, pieces: vec![Piece::Code(phrase)] });
    let text = cell.as_str();
    let lower = text.to_ascii_lowercase();
    let (first, rest) = match lower.find(" and ") {
        Some(at) => (&text[..at], text[at + 5..].trim()),
        None => text.split_at(text.len()),
    };
    let first = cell.part(first).trim_matches(&['`', ' ']);
    let rest = cell.part(rest).trim_matches(&['`', ' ']);
    if rest.is_empty() {
        return [of(first), None, None];
    }
    // begins_with(sk, value), contains(sk, value): the name stands inside.
    let called = rest.as_str().split_once('(').and_then(|(function, inside)| {
        let (_, value) = inside.split_once(',')?;
        let function = rest.part(function).trim();
        let is_name = |next: char| next.is_alphanumeric() || next == '_';
        let value = rest.part(value.trim_end().trim_end_matches(')')).trim_matches(&['"', '\'', ' ']);
        function.as_str().chars().all(is_name).then_some((function, value))
    });
    // sk = value, but not sk <= value.
    let equal = || {
        let at = rest.as_str().find('=').filter(|at| !rest.as_str()[..*at].ends_with(['<', '>', '!']))?;
        Some((rest.slice(at..at + 1), rest.slice(at + 1..rest.as_str().len()).trim()))
    };
    match called.or_else(equal) {
        Some((operator, value)) => [of(first), of(operator), of(value)],
        None => [of(first), of(rest), None],
    }
}

fn partition_cell(
    key: &mut KeyCells,
    entry: &Entry<'_>,
    attributes: &(Vec<&str>, Vec<&str>),
    scope: &Scope,
    problems: &mut Problems,
) {
    if let Some(Piece::Text(text)) = entry.pieces.first() {
        let folded = fold(text.as_str());
        if let Some(number) = folded.strip_prefix("keysofrequest") {
            key.of_request = number.parse().ok();
            key.partition_span = Some(text.trim().span());
            return;
        }
        key.each = folded == "each";
    }
    let Some(phrase) = exact(entry) else { return };
    let phrase = without_name(phrase, attributes.0.first().copied(), &["pk", "partitionkey"]);
    key.partition_span = Some(phrase.span());
    let name = || attributes.0.first().map_or_else(|| "PK".to_owned(), |name| (*name).to_owned());
    match Bare::of(phrase.as_str()) {
        Bare::Term(term) => key.partition.push((name(), scope.value(term))),
        Bare::Template => key.partition.push((name(), Value::Template(template::normal(phrase.as_str())))),
        Bare::Expression(expression) => match key_condition_of(scope.condition(expression), attributes) {
            Some(condition) => {
                key.partition = condition.partition;
                key.sort = condition.sort;
                key.range = condition.range;
            }
            None => problems.unreadable(phrase, "DynamoDB takes no such condition on keys"),
        },
    }
}

fn sort_cells(
    key: &mut KeyCells,
    condition: Option<&Entry<'_>>,
    value: Option<&Entry<'_>>,
    attributes: &(Vec<&str>, Vec<&str>),
    scope: &Scope,
) {
    let condition = condition.and_then(|entry| exact(entry));
    key.condition_span = condition.map(Phrase::span);
    let mut values: Vec<Phrase<'_>> = value.map(sort_values).unwrap_or_default();
    let Some(condition) = condition else {
        key.value_spans = values.iter().map(|it| it.span()).collect();
        return;
    };
    let condition = without_name(condition, attributes.1.first().copied(), &["sk", "sortkey"]);
    let Some((operator, rest)) = operator(condition.as_str()) else { return };
    let rest = condition.part(rest).trim_matches(&['(', ')', '"', '\'']);
    if values.is_empty() && !rest.is_empty() {
        values = split_and(rest);
    }
    key.value_spans = values.iter().map(|it| it.span()).collect();
    let name = attributes.1.first().map_or_else(|| "SK".to_owned(), |name| (*name).to_owned());
    let read = |phrase: &Phrase<'_>| match Bare::of(phrase.as_str()) {
        Bare::Term(term) => scope.value(term),
        Bare::Expression(_) | Bare::Template => Value::Template(template::normal(phrase.as_str())),
    };
    let range = match (operator, values.as_slice()) {
        (Operator::Compare(Comparator::Equal), [value, ..]) => {
            key.sort.push((name, read(value)));
            return;
        }
        (Operator::Compare(Comparator::NotEqual) | Operator::Illegal, _) | (_, []) => return,
        (Operator::Compare(comparator), [value, ..]) => SortRange::Compare(comparator, read(value)),
        (Operator::BeginsWith, [value, ..]) => SortRange::BeginsWith(read(value)),
        (Operator::Between, [lower, upper, ..]) => SortRange::Between(read(lower), read(upper)),
        (Operator::Between, [_]) => return,
    };
    key.range = Some((name, range));
}

/// What a condition says before its value.
#[derive(Clone, Copy)]
enum Operator {
    Compare(Comparator),
    BeginsWith,
    Between,
    /// What DynamoDB does not know for keys; a rule says so.
    Illegal,
}

/// The operator that a condition begins with, and what follows it.
fn operator(text: &str) -> Option<(Operator, &str)> {
    let lower = text.to_ascii_lowercase();
    let words = [
        ("begins_with", Operator::BeginsWith),
        ("begins with", Operator::BeginsWith),
        ("beginswith", Operator::BeginsWith),
        ("starts with", Operator::BeginsWith),
        ("between", Operator::Between),
        ("<>", Operator::Illegal),
        ("!=", Operator::Illegal),
        ("<=", Operator::Compare(Comparator::LessOrEqual)),
        (">=", Operator::Compare(Comparator::GreaterOrEqual)),
        ("<", Operator::Compare(Comparator::Less)),
        (">", Operator::Compare(Comparator::Greater)),
        ("=", Operator::Compare(Comparator::Equal)),
        ("equals", Operator::Compare(Comparator::Equal)),
        ("contains", Operator::Illegal),
        ("in", Operator::Illegal),
        ("or", Operator::Illegal),
    ];
    let (word, operator) = words.into_iter().find(|(word, _)| lower.starts_with(word))?;
    Some((operator, &text[word.len()..]))
}

/// The exact part of an entry: all of its words where it has no code span; none where it says nothing.
fn exact<'p>(entry: &Entry<'p>) -> Option<Phrase<'p>> {
    let value = entry.value().map(Phrase::trim)?;
    (!value.is_empty() && !is_nothing(value.as_str())).then_some(value)
}

/// The values of a cell: its code spans, or the words around AND.
fn sort_values<'p>(entry: &Entry<'p>) -> Vec<Phrase<'p>> {
    let codes: Vec<Phrase<'p>> = entry.codes().map(Phrase::trim).collect();
    match codes.as_slice() {
        [] => entry.texts().next().filter(|it| !is_nothing(it.as_str())).map(split_and).unwrap_or_default(),
        [only] => split_and(*only),
        _ => codes,
    }
}

fn split_and(phrase: Phrase<'_>) -> Vec<Phrase<'_>> {
    let text = phrase.as_str();
    let at = [" AND ", " and "].into_iter().find_map(|word| text.find(word));
    match at {
        // A quoted value may hold the word.
        Some(at)
            if !text.starts_with(['\'', '"', ':'])
                || text[..at].matches(['\'', '"']).count().is_multiple_of(2) =>
        {
            vec![phrase.part(&text[..at]).trim(), phrase.part(&text[at + 5..]).trim()]
        }
        _ => vec![phrase.trim()],
    }
}

/// `pk = X` as X.
fn without_name<'p>(phrase: Phrase<'p>, name: Option<&str>, others: &[&str]) -> Phrase<'p> {
    let text = phrase.as_str();
    let end = text.find(|it: char| !(it.is_alphanumeric() || it == '_')).unwrap_or(text.len());
    let word = fold(&text[..end]);
    let is_name =
        !word.is_empty() && (name.is_some_and(|name| fold(name) == word) || others.contains(&word.as_str()));
    let rest = text[end..].trim_start();
    match rest.strip_prefix(['=', ':']) {
        // An expression is read as a whole.
        Some(value) if is_name && !matches!(Bare::of(text), Bare::Expression(_)) => phrase.part(value).trim(),
        None if is_name && end < text.len() => phrase.part(rest).trim(),
        _ => phrase,
    }
}

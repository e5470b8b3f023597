//! Values of requests as text, and back: `:input`, `:1.attribute`, `'literal'`, `"TEMPLATE#<x>"`, `:n + 1`.

use std::collections::BTreeSet;

use keywright_dynamodb::expression::parse::{self, Term};
use keywright_dynamodb::expression::{Condition, Names, quoted};
use keywright_model::design::Value;
use keywright_model::model::Literal;

/// A value inside an expression.
pub(super) fn write(value: &Value) -> String {
    match value {
        Value::Input(name) | Value::Generated(name) => placeholder(name),
        Value::Read { request, attribute } => placeholder(&format!("{request}.{attribute}")),
        Value::Literal(it) => literal(it),
        Value::Template(text) => quoted(text, '"'),
        Value::Sum { of, plus } if *plus < 0 => format!("{} - {}", write(of), plus.unsigned_abs()),
        Value::Sum { of, plus } => format!("{} + {plus}", write(of)),
    }
}

/// A literal inside an expression.
pub(super) fn literal(literal: &Literal) -> String {
    match literal {
        Literal::String(text) => quoted(text, '\''),
        Literal::Number(number) if is_number(number) => number.clone(),
        Literal::Number(other) => quoted(other, '\''),
        Literal::Boolean(flag) => flag.to_string(),
    }
}

fn is_number(text: &str) -> bool {
    matches!(parse_value(text), Some(Term::Number(number)) if number == text)
}

fn placeholder(name: &str) -> String {
    let is_word = |part: &str| !part.is_empty() && part.chars().all(|it| it.is_alphanumeric() || it == '_');
    if name.split('.').all(is_word) { format!(":{name}") } else { format!(":{}", quoted(name, '"')) }
}

/// A value alone in a cell: a template needs no quotes there unless it could be taken for something else.
pub(super) fn write_bare(value: &Value) -> String {
    match value {
        Value::Template(text) if is_plain(text) => text.clone(),
        other => write(other),
    }
}

fn is_plain(text: &str) -> bool {
    let words: Vec<&str> = text.split_whitespace().collect();
    !text.contains(['|', '`', '\\'])
        && words.join(" ") == text
        && !super::cell::is_nothing(text)
        && matches!(Bare::of(text), Bare::Template)
}

/// What a text alone in a cell is.
pub(super) enum Bare {
    Term(Term),
    Expression(Condition<Term>),
    Template,
}

impl Bare {
    pub(super) fn of(text: &str) -> Self {
        if let Some(term) = parse_value(text) {
            return Bare::Term(term);
        }
        match parse::condition(text) {
            Ok(condition) => Bare::Expression(condition),
            Err(_) => Bare::Template,
        }
    }
}

fn parse_value(text: &str) -> Option<Term> {
    let mut parser = parse::Parser::new(text).ok()?;
    let term = parser.value().ok()?;
    parser.end().ok()?;
    Some(term)
}

/// The names that `:name` may mean beside inputs.
#[derive(Clone, Debug, Default)]
pub(super) struct Scope {
    /// What the operation makes up.
    pub(super) generated: BTreeSet<String>,
}

impl Scope {
    /// The value that a term stands for.
    pub(super) fn value(&self, term: Term) -> Value {
        match term {
            Term::Placeholder(name) => {
                if let Some((request, attribute)) = name.split_once('.')
                    && let Ok(request) = request.parse()
                {
                    return Value::Read { request, attribute: attribute.to_owned() };
                }
                if self.generated.contains(&name) { Value::Generated(name) } else { Value::Input(name) }
            }
            Term::Quoted(text) => Value::Literal(Literal::String(text)),
            Term::DoubleQuoted(text) => Value::Template(text),
            Term::Number(number) => Value::Literal(Literal::Number(number)),
            Term::Boolean(flag) => Value::Literal(Literal::Boolean(flag)),
            Term::Sum(of, plus) => Value::Sum { of: Box::new(self.value(*of)), plus },
        }
    }

    /// The condition with its terms as values.
    pub(super) fn condition(&self, condition: Condition<Term>) -> Condition<Value> {
        let mapped: Result<_, std::convert::Infallible> = condition.try_map(&mut |term| Ok(self.value(term)));
        match mapped {
            Ok(condition) => condition,
        }
    }
}

/// The literal of a term, where it is one.
pub(super) fn literal_of(term: &Term) -> Option<Literal> {
    match term {
        Term::Quoted(text) | Term::DoubleQuoted(text) => Some(Literal::String(text.clone())),
        Term::Number(number) => Some(Literal::Number(number.clone())),
        Term::Boolean(flag) => Some(Literal::Boolean(*flag)),
        Term::Placeholder(_) | Term::Sum(..) => None,
    }
}

/// A condition as text.
pub(super) fn write_condition(condition: &Condition<Value>) -> String {
    condition.print(&mut Names::documented(), &mut write)
}

/// The words of our own sentences: a name that is one of them is written in quotes.
const WORDS: [&str; 28] = [
    "KEY", "SET", "REMOVE", "ADD", "DELETE", "INDEX", "ON", "IN", "FOR", "EACH", "FROM", "WHEN", "OF",
    "NOTHING", "IS", "AT", "ABOVE", "BELOW", "PREFIX", "NEW", "ADDS", "LIMIT", "CURSOR", "UNKNOWN",
    "OPTIONAL", "LIST", "ASC", "DESC",
];

/// A name as one word of a sentence, in quotes where it is not one.
pub(super) fn name(name: &str) -> String {
    let is_word = !name.is_empty()
        && name.chars().all(|it| it.is_alphanumeric() || it == '_')
        && !name.starts_with(char::is_numeric)
        && !WORDS.iter().any(|word| word.eq_ignore_ascii_case(name));
    if is_word { name.to_owned() } else { quoted(name, '"') }
}

/// Names with commas between.
pub(super) fn names<'n>(list: impl IntoIterator<Item = &'n String>) -> String {
    list.into_iter().map(|it| name(it)).collect::<Vec<_>>().join(", ")
}

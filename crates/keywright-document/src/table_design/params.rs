//! Params: what a request or an operation says beside its keys, each in a code span of its own.
//!
//! | of a request | of the operation |
//! |---|---|
//! | `Item: T`, `Items: T, U` | `Inputs: name type …` |
//! | `FilterExpression: …`, `ProjectionExpression: …` | `Generated: name type generator` |
//! | `Limit=20`, `paginated`, `ScanIndexForward=false` | `Returns: shape OF T`, `Attributes: …`, `Order: a DESC` |
//! | `ConsistentRead=true`, `Select=COUNT`, `MayBeAbsent` | `ClientSort`, `First=5`, `FromRequest=1`, `Retry: 5 FROM 1` |
//! | `Shards=10`, `ShardsInTurn=10`, `Scatter: status IN ('A', 'B')` | `MainOperation=…`, `MainIndex=…`, `MainShards=…`, `Position=…` |

mod operation;
mod request;

pub(super) use operation::{OperationParams, write_inputs, write_outcome, write_retry};
pub(super) use request::RequestParams;

use keywright_dynamodb::expression::parse::{Parser, SyntaxError};
use keywright_model::design::OperationName;

use super::cell::{Entry, is_same_name};
use crate::markdown::{Phrase, Piece};

/// One param as written: its name and what stands behind `=` or `:`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Param<'p> {
    pub(super) whole: Phrase<'p>,
    pub(super) name: Phrase<'p>,
    pub(super) value: Phrase<'p>,
    /// `=` or `:` follows the name.
    marked: bool,
}

impl<'p> Param<'p> {
    /// Cuts `Name=value`, `Name: value` or a name alone.
    pub(super) fn of(whole: Phrase<'p>) -> Self {
        let whole = whole.trim();
        let text = whole.as_str();
        let end = text.find(|it: char| !(it.is_alphanumeric() || it == '_')).unwrap_or(text.len());
        let name = whole.slice(0..end);
        let rest = text[end..].trim_start();
        let marked = rest.starts_with(['=', ':']);
        let value = rest.strip_prefix(['=', ':']).unwrap_or(rest);
        Param { whole, name, value: whole.part(value).trim(), marked }
    }

    pub(super) fn is(&self, name: &str) -> bool {
        is_same_name(self.name.as_str(), name)
    }

    /// Whether a request of this kind has such a param: items by their keys come without order and all at once.
    pub(super) fn is_taken_by(&self, operation: OperationName) -> bool {
        match operation {
            // One item is all that there is.
            OperationName::GetItem if self.is("Limit") => self.value.as_str() == "1",
            OperationName::GetItem | OperationName::BatchGetItem | OperationName::TransactGetItems => {
                !OF_COLLECTIONS.iter().any(|name| self.is(name))
            }
            OperationName::Scan => !self.is("ScanIndexForward"),
            _ => true,
        }
    }
}

/// The params of a read of a collection.
const OF_COLLECTIONS: [&str; 9] = [
    "FilterExpression",
    "Filter",
    "Limit",
    "paginated",
    "ScanIndexForward",
    "Select",
    "Shards",
    "ShardsInTurn",
    "Scatter",
];

/// The params of an entry: its code spans, and the parts between commas of what stands outside of them. A part that
/// does not begin with a known name belongs to the one before: `ProjectionExpression: a, b`.
pub(super) fn params<'p>(entry: &Entry<'p>, skip_codes: usize) -> Vec<Param<'p>> {
    let mut list: Vec<Param<'p>> = Vec::new();
    let mut codes = 0;
    for piece in &entry.pieces {
        match piece {
            Piece::Code(phrase) => {
                codes += 1;
                if codes > skip_codes {
                    list.push(Param::of(*phrase));
                }
            }
            Piece::Text(phrase) => {
                for part in outside_brackets(*phrase) {
                    let param = Param::of(part);
                    if is_known(&param) {
                        list.push(param);
                    } else if let Some(last) = list.last_mut()
                        && last.is("ProjectionExpression")
                        && last.whole.as_str().as_ptr() < part.as_str().as_ptr()
                        && phrase.as_str().as_ptr() <= last.whole.as_str().as_ptr()
                    {
                        // Both lie in the same words, so what is between them is one stretch.
                        *last = Param::of(stretch(*phrase, last.whole, part));
                    } else if codes >= skip_codes {
                        list.push(param);
                    }
                }
            }
        }
    }
    list.retain(|param| !param.whole.is_empty());
    list
}

fn stretch<'p>(whole: Phrase<'p>, first: Phrase<'p>, last: Phrase<'p>) -> Phrase<'p> {
    whole.slice(first.range_in(whole).start..last.range_in(whole).end)
}

/// The parts between commas that stand outside of brackets and quotes.
fn outside_brackets(phrase: Phrase<'_>) -> Vec<Phrase<'_>> {
    let text = phrase.as_str();
    let mut parts = Vec::new();
    let (mut start, mut depth, mut quote) = (0, 0usize, None);
    for (at, next) in text.char_indices() {
        match (quote, next) {
            (Some(open), _) if next == open => quote = None,
            (Some(_), _) => {}
            (None, '\'' | '"') => quote = Some(next),
            (None, '(') => depth += 1,
            (None, ')') => depth = depth.saturating_sub(1),
            (None, ',' | ';' | '\n') if depth == 0 => {
                parts.push(phrase.slice(start..at));
                start = at + next.len_utf8();
            }
            _ => {}
        }
    }
    parts.push(phrase.slice(start..text.len()));
    parts.into_iter().map(|part| part.trim_matches(&['.'])).filter(|part| !part.is_empty()).collect()
}

/// The params that have a value.
const VALUED: [&str; 25] = [
    "Item",
    "Items",
    "FilterExpression",
    "Filter",
    "ProjectionExpression",
    "Projection",
    "Limit",
    "ScanIndexForward",
    "ConsistentRead",
    "Select",
    "Shards",
    "ShardsInTurn",
    "Scatter",
    "Inputs",
    "Generated",
    "Returns",
    "Attributes",
    "Order",
    "First",
    "FromRequest",
    "Retry",
    "MainOperation",
    "MainIndex",
    "MainShards",
    "Position",
];
/// The params that are a word alone.
const FLAGS: [&str; 3] = ["paginated", "MayBeAbsent", "ClientSort"];

/// Whether words outside of code spans are a param: an item type may be called `Order`.
fn is_known(param: &Param<'_>) -> bool {
    (param.marked && VALUED.iter().any(|name| param.is(name))) || FLAGS.iter().any(|name| param.is(name))
}

/// Reads a whole text with a parser of sentences.
pub(super) fn sentence<T>(
    text: &str,
    read: impl FnOnce(&mut Parser) -> Result<T, SyntaxError>,
) -> Result<T, SyntaxError> {
    let mut parser = Parser::new(text)?;
    let value = read(&mut parser)?;
    parser.end()?;
    Ok(value)
}

//! What an operation gives whoever calls it, and how that reads.

use std::fmt;

use keywright_dynamodb::value::Item;

use super::Cursor;

/// What an operation gave.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Answer {
    /// Items, and where the next page begins.
    Items { items: Vec<Item>, cursor: Option<Cursor> },
    /// A number.
    Number(i64),
    /// A write took place.
    Written,
    /// A read that the rest depends on found nothing.
    NothingThere,
    /// A condition failed, or a key can't be built.
    Refused(Refusal),
}

impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Answer::Items { items, .. } => write!(f, "{} items returned", items.len()),
            Answer::Number(number) => write!(f, "it returned the number {number}"),
            Answer::Written => f.write_str("it succeeded"),
            Answer::NothingThere => f.write_str(
                "it stopped early: the item that it reads first does not \
                                                 exist",
            ),
            Answer::Refused(refusal) => refusal.fmt(f),
        }
    }
}

/// A write that was not carried out.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Refusal {
    /// The pattern's conditions that the failed actions stand for.
    pub(crate) conditions: Vec<String>,
    /// Somebody else was faster every time that it was tried.
    pub(crate) lost_race: bool,
    /// Why a key can't be built, such as from a number that is beyond the largest: the client refuses before it sends.
    pub(crate) unbuilt: Option<String>,
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(reason) = &self.unbuilt {
            return f.write_str(reason);
        }
        match self.conditions.as_slice() {
            [] if self.lost_race => {
                f.write_str("it was refused at every attempt: what it had read no longer held")
            }
            [] => f.write_str("it was refused: a condition of the request failed"),
            conditions => write!(f, "it was refused: \"{}\" failed", conditions.join("\" and \"")),
        }
    }
}

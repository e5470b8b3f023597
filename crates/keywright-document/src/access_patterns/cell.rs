//! What a cell says: a value, nothing, or not a word.

use keywright_model::At;

use crate::markdown::Phrase;

/// What a cell says.
#[derive(Clone, Copy, Debug)]
pub(super) enum Said<'p> {
    /// The cell is empty, or there is none: not said.
    Silent,
    /// `-`, `N/A`, `none`: it says that there is nothing.
    Nothing(Phrase<'p>),
    /// Something.
    Words(Phrase<'p>),
}

impl<'p> Said<'p> {
    /// Reads a cell.
    pub(super) fn new(cell: Option<Phrase<'p>>) -> Self {
        match cell.map(Phrase::trim) {
            None => Said::Silent,
            Some(words) if words.is_empty() => Said::Silent,
            Some(words) if is_nothing(words.as_str()) => Said::Nothing(words),
            Some(words) => Said::Words(words),
        }
    }

    /// The words, if there are any.
    pub(super) fn words(self) -> Option<Phrase<'p>> {
        match self {
            Said::Words(words) => Some(words),
            Said::Silent | Said::Nothing(_) => None,
        }
    }
}

/// Whether the words mean that there is nothing.
pub(super) fn is_nothing(words: &str) -> bool {
    let words = words.trim();
    matches!(words, "-" | "–" | "—" | "--" | "---" | "∅") || {
        let lower = words.to_ascii_lowercase();
        matches!(lower.as_str(), "n/a" | "na" | "none" | "nothing" | "nil" | "no inputs" | "(none)")
    }
}

/// Yes or no.
pub(super) fn yes_no(words: Phrase<'_>) -> Option<At<bool>> {
    let first =
        words.as_str().split(|next: char| !next.is_alphanumeric() && next != '✓').find(|it| !it.is_empty());
    let value = match first.unwrap_or(words.as_str()).to_ascii_lowercase().as_str() {
        "yes" | "y" | "true" | "✓" | "x" | "required" | "always" => true,
        "no" | "n" | "false" | "never" | "✗" => false,
        _ => match words.as_str().chars().next()? {
            '✅' | '✔' | '☑' => true,
            '❌' | '✘' | '☐' => false,
            _ => return None,
        },
    };
    Some(At::stated(value, words.span()))
}

/// The words with their place.
pub(super) fn text(words: Phrase<'_>) -> At<String> {
    At::stated(words.as_str().to_owned(), words.span())
}

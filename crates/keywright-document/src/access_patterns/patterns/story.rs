//! User stories: "As a patient I want to see my appointments" is to see a patient's appointments.

use keywright_finding::Span;

use crate::access_patterns::names::{Domain, tokens};
use crate::markdown::Phrase;

/// Who tells a story: an entity, and where it is named.
pub(super) type Speaker = Option<(usize, Span)>;

/// What stands between who wants something and what they want.
const WANTS: [&str; 9] = [
    " i want to be able to ",
    " i would like to ",
    " i should be able to ",
    " i want to ",
    " i need to ",
    " i wish to ",
    " i'd like to ",
    " i can ",
    " i could ",
];

/// The wish of a story, without its reason, and who has it; any other sentence as it is.
pub(super) fn told<'p>(description: Phrase<'p>, domain: &Domain<'_>) -> (Phrase<'p>, Speaker) {
    let text = description.as_str();
    let lower = text.to_lowercase();
    if lower.len() != text.len() || !(lower.starts_with("as a ") || lower.starts_with("as an ")) {
        return (description, None);
    }
    let Some((at, length)) = WANTS.iter().filter_map(|it| Some((lower.find(it)?, it.len()))).min() else {
        return (description, None);
    };
    let who = description.slice(0..at);
    let end =
        lower.find(" so that ").or_else(|| lower.find(" in order to ")).filter(|end| *end > at + length);
    let wish = description.slice(at + length..end.unwrap_or(text.len())).trim();
    let wish = wish.trim_matches(&['.', ',', ' ']);
    let speaker = tokens(who).find_map(|word| Some((domain.find(word.as_str())?, word.span())));
    (wish, speaker)
}

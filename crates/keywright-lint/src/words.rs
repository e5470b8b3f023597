//! Words in what authors write.

use std::ops::Range;

use keywright_finding::Span;
use keywright_model::At;

/// The first of some words or phrases in a text, in any case, as whole words.
pub(crate) fn find(text: &str, words: &[&str]) -> Option<Range<usize>> {
    first(text, words, str::eq_ignore_ascii_case)
}

/// The first of some words in a text, exactly as written, as whole words.
pub(crate) fn find_exactly(text: &str, words: &[&str]) -> Option<Range<usize>> {
    first(text, words, |left, right| left == right)
}

fn first(text: &str, words: &[&str], same: fn(&str, &str) -> bool) -> Option<Range<usize>> {
    let is_part = |next: char| next.is_alphanumeric() || next == '_';
    let mut inside = false;
    for (start, character) in text.char_indices() {
        let begins = is_part(character) && !inside;
        inside = is_part(character);
        if !begins {
            continue;
        }
        let is_here = |word: &&&str| {
            text.get(start..start + word.len()).is_some_and(|here| same(here, word))
                && !text[start + word.len()..].starts_with(is_part)
        };
        if let Some(word) = words.iter().find(is_here) {
            return Some(start..start + word.len());
        }
    }
    None
}

/// A number as people read it, in groups of three digits: `20 000 000`.
pub(crate) fn number(number: u64) -> String {
    let digits = number.to_string();
    let mut grouped = String::new();
    for (at, digit) in digits.char_indices() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            grouped.push(' ');
        }
        grouped.push(digit);
    }
    grouped
}

/// The place of a part of a text that was read from a document. Where the text is not byte for byte what the document
/// says (escapes, code spans), it is the place of the whole.
pub(crate) fn place(text: &At<String>, part: Range<usize>) -> Span {
    if text.value.len() == text.span.len() as usize {
        let shift = text.span.start as usize;
        (part.start + shift..part.end + shift).into()
    } else {
        text.span
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_whole_and_phrases_are_words() {
        assert_eq!(find("List the Newest songs", &["latest", "newest"]), Some(9..15));
        assert_eq!(find("Stop the music", &["top"]), None);
        assert_eq!(find("Laptop, top_10", &["top"]), None);
        assert_eq!(find("the sort key", &["sort key"]), Some(4..12));
        assert_eq!(find_exactly("the task and the sk", &["SK"]), None);
        assert_eq!(find_exactly("über SK", &["SK"]), Some(6..8));
    }

    #[test]
    fn numbers_are_grouped() {
        assert_eq!(
            (number(0), number(999), number(1_000)),
            ("0".to_owned(), "999".to_owned(), "1 000".to_owned())
        );
        assert_eq!(number(20_000_000), "20 000 000");
    }

    #[test]
    fn a_part_is_placed_only_where_the_text_is_literal() {
        let literal = At::stated("the newest".to_owned(), Span::new(10, 20));
        assert_eq!(place(&literal, 4..10), Span::new(14, 20));
        let escaped = At::stated("the newest".to_owned(), Span::new(10, 22));
        assert_eq!(place(&escaped, 4..10), Span::new(10, 22));
    }
}

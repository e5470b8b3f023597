//! How cells are written and cut: code spans for what is exact, prose for people, numbers for several entries.

pub(super) use crate::folding::{fold, is_same_name};
use crate::markdown::{Phrase, Piece};

/// Words for people: as they are, with what Markdown would take for markup escaped.
pub(super) fn prose(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    let text = words.join(" ");
    let mut result = String::with_capacity(text.len());
    let mut previous = None;
    let mut characters = text.chars().peekable();
    while let Some(next) = characters.next() {
        let joined = |it: Option<char>| it.is_some_and(char::is_alphanumeric);
        let escape = match next {
            '\\' | '`' | '*' | '<' | '>' | '[' | ']' | '|' | '&' | '~' | '$' => true,
            '_' => !(joined(previous) && joined(characters.peek().copied())),
            // At the beginning of an item or paragraph these would begin a heading, a list or a quote.
            '#' | '+' | '-' | '=' => previous.is_none(),
            '.' | ')' => result.chars().all(|it| it.is_ascii_digit()),
            _ => false,
        };
        if escape {
            result.push('\\');
        }
        result.push(next);
        previous = Some(next);
    }
    result
}

/// A code span.
pub(super) fn code(text: &str) -> String {
    let longest = text.split(|it| it != '`').map(str::len).max().unwrap_or(0);
    if longest == 0 {
        return format!("`{text}`");
    }
    let fence = "`".repeat(longest + 1);
    format!("{fence} {text} {fence}")
}

/// The number of an entry in a cell: of a request, and of an action in it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Number {
    pub(super) request: usize,
    pub(super) action: usize,
}

impl Number {
    /// Whether a number may come next: entries that say nothing are left out.
    fn may_be_followed_by(self, next: Number) -> bool {
        next > self && next.request <= self.request + 10
    }
}

/// What stands behind one number of a cell, or the whole cell where it has none.
#[derive(Clone, Debug, Default)]
pub(super) struct Entry<'p> {
    /// `2.` is request 2; `2.1.` is its first action. None where the cell has no numbers.
    pub(super) number: Option<Number>,
    pub(super) pieces: Vec<Piece<'p>>,
}

impl<'p> Entry<'p> {
    /// The code spans.
    pub(super) fn codes(&self) -> impl Iterator<Item = Phrase<'p>> {
        self.pieces.iter().filter_map(|piece| match piece {
            Piece::Code(phrase) => Some(*phrase),
            Piece::Text(_) => None,
        })
    }

    /// The words outside of code spans, trimmed, without empty ones.
    pub(super) fn texts(&self) -> impl Iterator<Item = Phrase<'p>> {
        self.pieces.iter().filter_map(|piece| match piece {
            Piece::Code(_) => None,
            Piece::Text(phrase) => Some(phrase.trim()).filter(|phrase| !phrase.is_empty()),
        })
    }

    /// The exact part: the first code span, or the words where there is none.
    pub(super) fn value(&self) -> Option<Phrase<'p>> {
        self.codes().next().or_else(|| self.texts().next())
    }
}

/// Cuts a cell at its numbers: `1. Query 2. GetItem`. Words before the first number are an entry without one.
pub(super) fn entries(cell: Phrase<'_>) -> Vec<Entry<'_>> {
    let mut entries = vec![Entry::default()];
    let mut last = Number::default();
    for piece in cell.pieces() {
        let Piece::Text(text) = piece else {
            push(&mut entries, piece);
            continue;
        };
        let mut rest = text;
        while let Some((before, number, after)) = next_number(rest, last) {
            // A list may leave out its first entries only where the cell begins with it.
            let begins = entries.len() == 1 && entries[0].value().is_none() && before.trim().is_empty();
            if last == Number::default() && number.request > 1 && !begins {
                break;
            }
            push(&mut entries, Piece::Text(before));
            entries.push(Entry { number: Some(number), pieces: Vec::new() });
            last = number;
            rest = after;
        }
        push(&mut entries, Piece::Text(rest));
    }
    entries.retain(|entry| entry.number.is_some() || entry.value().is_some());
    entries
}

fn push<'p>(entries: &mut [Entry<'p>], piece: Piece<'p>) {
    if let Some(entry) = entries.last_mut() {
        entry.pieces.push(piece);
    }
}

/// The first number that may come next, what stands before it and what behind.
fn next_number(text: Phrase<'_>, last: Number) -> Option<(Phrase<'_>, Number, Phrase<'_>)> {
    let whole = text.as_str();
    let mut at = 0;
    while let Some(found) = whole[at..].find(|it: char| it.is_ascii_digit()) {
        let start = at + found;
        let (number, end) = number_at(whole, start);
        let begins = whole[..start].chars().next_back().is_none_or(char::is_whitespace);
        match number {
            Some(number) if begins && last.may_be_followed_by(number) => {
                return Some((text.slice(0..start), number, text.slice(end..whole.len())));
            }
            _ => at = end,
        }
    }
    None
}

/// A number and its full stop at an offset; or none, and where to go on looking.
fn number_at(text: &str, start: usize) -> (Option<Number>, usize) {
    let digits =
        |from: usize| from + text[from..].find(|it: char| !it.is_ascii_digit()).unwrap_or(text.len() - from);
    let first_end = digits(start);
    let parse =
        |from: usize, to: usize| text[from..to].parse::<usize>().ok().filter(|it| (1..=999).contains(it));
    let Some(request) = parse(start, first_end) else { return (None, first_end) };
    let mut number = Number { request, action: 0 };
    let mut end = first_end;
    if let Some(rest) = text[end..].strip_prefix('.')
        && rest.starts_with(|it: char| it.is_ascii_digit())
    {
        let second_end = digits(end + 1);
        let Some(action) = parse(end + 1, second_end) else { return (None, second_end) };
        number.action = action;
        end = second_end;
    }
    let closed = text[end..].starts_with(['.', ')', ':']);
    let spaced = text[end..].chars().nth(1).is_none_or(char::is_whitespace);
    if closed && spaced { (Some(number), end + 1) } else { (None, end) }
}

/// Whether a cell says that there is nothing.
pub(super) fn is_nothing(text: &str) -> bool {
    matches!(text.trim(), "-" | "–" | "—")
        || ["n/a", "none"].iter().any(|it| text.trim().eq_ignore_ascii_case(it))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::markdown::{Block, read};

    fn cell<T>(source: &str, look: impl FnOnce(Phrase<'_>) -> T) -> T {
        let document = format!("| a |\n|---|\n| {source} |\n");
        let blocks = read(&document);
        let Block::Table(table) = &blocks.list[0] else { panic!("a table in {document}") };
        look(table.rows[0].cell(&blocks.page, 0).expect("one cell"))
    }

    fn shown(source: &str) -> Vec<String> {
        cell(source, |phrase| {
            entries(phrase)
                .iter()
                .map(|entry| {
                    let number =
                        entry.number.map_or(String::new(), |it| format!("{}/{}", it.request, it.action));
                    let codes: Vec<_> = entry.codes().map(|it| it.as_str().to_owned()).collect();
                    let texts: Vec<_> = entry.texts().map(|it| it.as_str().to_owned()).collect();
                    format!("{number} {codes:?} {texts:?}")
                })
                .collect()
        })
    }

    #[test]
    fn cells_are_cut_at_their_numbers() {
        assert_eq!(shown("`a` then b"), [r#" ["a"] ["then b"]"#]);
        assert_eq!(shown("1. Query 2. GetItem"), [r#"1/0 [] ["Query"]"#, r#"2/0 [] ["GetItem"]"#]);
        assert_eq!(shown("1. `1. x` 2.1. `b` 2.2. `c`").len(), 3);
        assert_eq!(shown("Limit 2. or 3"), [r#" [] ["Limit 2. or 3"]"#]);
        assert_eq!(shown("all 1) Put 2) Delete").len(), 3);
        assert_eq!(shown(""), Vec::<String>::new());
    }

    proptest! {
        #[test]
        fn prose_is_read_as_it_was(text in "[a-zA-Z0-9`*_<>|\\\\\\[\\]&#+=~$!.,:;()'\"/ -]{0,24}") {
            let words: Vec<&str> = text.split_whitespace().collect();
            let read = cell(&prose(&text), |phrase| phrase.as_str().to_owned());
            prop_assert_eq!(read, words.join(" "));
        }

        #[test]
        fn a_code_span_is_read_as_it_was(text in "[a-z`<>#\"']{1,12}") {
            let read = cell(&code(&text), |phrase| phrase.pieces().iter().map(|piece| match piece {
                Piece::Code(phrase) => phrase.as_str().to_owned(),
                Piece::Text(_) => String::new(),
            }).collect::<String>());
            prop_assert_eq!(read, text);
        }
    }
}

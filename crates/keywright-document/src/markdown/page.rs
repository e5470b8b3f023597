//! The words of a document as a reader sees them, with the way back to the source for each of them.

use std::ops::Range;

use keywright_finding::Span;

/// The readable text of a document: no markup, no escapes, no comments. All of it is one string, so that a cell of a
/// table costs eight bytes and not an allocation.
#[derive(Debug, Default)]
pub struct Page {
    text: String,
    runs: Vec<Run>,
}

/// A stretch of the text that came from one stretch of the source.
#[derive(Clone, Copy, Debug)]
struct Run {
    text: u32,
    source: u32,
    source_end: u32,
    /// It stood in a code span.
    code: bool,
    /// Whether it reads letter by letter as in the source; a decoded entity does not, and is one place as a whole.
    literal: bool,
}

/// A stretch of a page's text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Words {
    start: u32,
    end: u32,
}

impl Words {
    /// Whether there are none.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.start == self.end
    }
}

impl From<Phrase<'_>> for Words {
    fn from(phrase: Phrase<'_>) -> Self {
        Words { start: phrase.start, end: phrase.end }
    }
}

impl Page {
    /// Begins a new stretch of words that stands at an offset of the source. Each stretch has a place of its own even
    /// if nothing follows: an empty cell is somewhere.
    pub(super) fn begin(&mut self, source: usize) -> u32 {
        self.text.push('\n');
        let start = self.here();
        self.push_run(0, source..source, false);
        start
    }

    /// Adds words to the stretch that was begun last.
    pub(super) fn push(&mut self, text: &str, source: Range<usize>) {
        self.push_run(text.len(), source, false);
        self.text.push_str(text);
    }

    /// Adds the words of a code span.
    pub(super) fn push_code(&mut self, text: &str, source: Range<usize>) {
        self.push_run(text.len(), source, true);
        self.text.push_str(text);
    }

    /// Ends a stretch of words.
    pub(super) fn end(&self, start: u32) -> Words {
        Words { start, end: self.here() }
    }

    /// The cells between `|` of each line of some words.
    pub(super) fn lines(&self, words: Words) -> Vec<Vec<Words>> {
        let text = &self.text[words.start as usize..words.end as usize];
        let offset = |part: &str| {
            let start = words.start
                + u32::try_from(part.as_ptr() as usize - text.as_ptr() as usize).unwrap_or(u32::MAX);
            Words { start, end: start + u32::try_from(part.len()).unwrap_or(u32::MAX) }
        };
        let between = |line: &'_ str| -> Vec<Words> {
            let inner = line.trim();
            let inner = inner.strip_prefix('|').unwrap_or(inner);
            inner.strip_suffix('|').unwrap_or(inner).split('|').map(offset).collect()
        };
        text.lines().map(between).collect()
    }

    fn push_run(&mut self, length: usize, source: Range<usize>, code: bool) {
        let at = |offset: usize| u32::try_from(offset).unwrap_or(u32::MAX);
        self.runs.push(Run {
            text: self.here(),
            code,
            literal: length == source.len(),
            source: at(source.start),
            source_end: at(source.end),
        });
    }

    fn here(&self) -> u32 {
        u32::try_from(self.text.len())
            .expect("a page is no longer than its source, which is measured before it is read")
    }

    /// The words with their places.
    #[must_use]
    pub fn phrase(&self, words: Words) -> Phrase<'_> {
        Phrase { page: self, start: words.start, end: words.end }
    }

    /// The run that holds an offset of the text.
    fn run(&self, offset: u32) -> Option<Run> {
        let next = self.runs.partition_point(|run| run.text <= offset);
        self.runs.get(next.checked_sub(1)?).copied()
    }

    fn source_start(&self, offset: u32) -> u32 {
        self.run(offset)
            .map_or(0, |run| if run.literal { run.source + (offset - run.text) } else { run.source })
    }

    fn source_end(&self, offset: u32) -> u32 {
        let run = offset.checked_sub(1).and_then(|last| self.run(last));
        run.map_or(0, |run| if run.literal { run.source + (offset - run.text) } else { run.source_end })
    }
}

/// A part of a phrase.
#[derive(Clone, Copy, Debug)]
pub enum Piece<'p> {
    /// The words of a code span.
    Code(Phrase<'p>),
    /// Words outside of code spans.
    Text(Phrase<'p>),
}

/// Some words of a page. It derefs to nothing: ask for [`as_str`](Phrase::as_str) or cut it into smaller phrases, which
/// keep their places.
#[derive(Clone, Copy)]
pub struct Phrase<'p> {
    page: &'p Page,
    start: u32,
    end: u32,
}

impl<'p> Phrase<'p> {
    /// The words.
    #[must_use]
    pub fn as_str(self) -> &'p str {
        &self.page.text[self.start as usize..self.end as usize]
    }

    /// Where they stand in the source.
    #[must_use]
    pub fn span(self) -> Span {
        let start = self.page.source_start(self.start);
        if self.start == self.end {
            return Span::at(start);
        }
        Span::new(start, self.page.source_end(self.end))
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(self) -> bool {
        self.start == self.end
    }

    /// Whether nothing but blanks stands between these words and some later ones.
    #[must_use]
    pub fn is_right_before(self, later: Self) -> bool {
        let between = self.page.text.get(self.end as usize..later.start as usize);
        between.is_some_and(|between| between.trim().is_empty())
    }

    /// The part at a range of [`as_str`](Phrase::as_str), which must lie on characters.
    #[must_use]
    pub fn slice(self, range: Range<usize>) -> Self {
        debug_assert!(self.as_str().get(range.clone()).is_some(), "{range:?} of {self:?}");
        let at = |offset: usize| self.start + u32::try_from(offset).unwrap_or(u32::MAX);
        Phrase { page: self.page, start: at(range.start), end: at(range.end).min(self.end) }
    }

    /// The part that is a given slice of [`as_str`](Phrase::as_str): for `str` methods that return parts.
    #[must_use]
    pub fn part(self, part: &str) -> Self {
        let whole = self.as_str();
        let offset = (part.as_ptr() as usize).wrapping_sub(whole.as_ptr() as usize);
        debug_assert!(offset + part.len() <= whole.len(), "{part:?} is no part of {whole:?}");
        self.slice(offset..offset + part.len())
    }

    /// Where these words lie in [`as_str`](Phrase::as_str) of words that hold them.
    #[must_use]
    pub fn range_in(self, whole: Self) -> Range<usize> {
        debug_assert!(whole.start <= self.start && self.end <= whole.end, "{self:?} is no part of {whole:?}");
        let at = |place: u32| place.saturating_sub(whole.start) as usize;
        at(self.start)..at(self.end)
    }

    /// The sentences: what ends with a point, a semicolon or a line; a point within a number or a name does not end one.
    #[must_use]
    pub fn sentences(self) -> Vec<Self> {
        let text = self.as_str();
        let ends = text.match_indices(['.', ';', '\n']).filter(|(at, mark)| {
            *mark != "." || text[at + 1..].chars().next().is_none_or(char::is_whitespace)
        });
        let mut start = 0;
        let mut sentences = Vec::new();
        for end in ends.map(|(at, _)| at).chain([text.len()]) {
            sentences.push(self.slice(start..end).trim());
            start = (end + 1).min(text.len());
        }
        sentences.retain(|sentence| !sentence.is_empty());
        sentences
    }

    /// Its parts in order: those that stood in a code span, each by itself, and what is between them.
    pub fn pieces(self) -> Vec<Piece<'p>> {
        let runs = &self.page.runs;
        let mut next = runs.partition_point(|run| run.text <= self.start).saturating_sub(1);
        let mut pieces: Vec<Piece<'p>> = Vec::new();
        while let Some(run) = runs.get(next).filter(|run| run.text < self.end) {
            next += 1;
            let end = runs.get(next).map_or(self.page.here(), |run| run.text).min(self.end);
            let phrase = Phrase { page: self.page, start: run.text.max(self.start), end };
            if phrase.is_empty() {
                continue;
            }
            match (run.code, pieces.last_mut()) {
                (true, _) => pieces.push(Piece::Code(phrase)),
                (false, Some(Piece::Text(text))) => text.end = end,
                (false, _) => pieces.push(Piece::Text(phrase)),
            }
        }
        pieces
    }

    /// Without white space around it.
    #[must_use]
    pub fn trim(self) -> Self {
        self.part(self.as_str().trim())
    }

    /// Without these characters, and white space, around it.
    #[must_use]
    pub fn trim_matches(self, around: &[char]) -> Self {
        self.part(self.as_str().trim_matches(|next: char| next.is_whitespace() || around.contains(&next)))
    }

    /// The trimmed parts between separators, without empty ones.
    pub fn split(self, separators: &'static [char]) -> impl Iterator<Item = Self> {
        self.as_str()
            .split(separators)
            .map(move |part| self.part(part).trim())
            .filter(|part| !part.is_empty())
    }

    /// The words between white space.
    pub fn words(self) -> impl Iterator<Item = Self> {
        self.as_str().split_whitespace().map(move |word| self.part(word))
    }

    /// The two parts around the first separator, trimmed.
    #[must_use]
    pub fn split_once(self, separator: char) -> Option<(Self, Self)> {
        let (before, after) = self.as_str().split_once(separator)?;
        Some((self.part(before).trim(), self.part(after).trim()))
    }

    /// Whether it is the word, in any case.
    #[must_use]
    pub fn is(self, word: &str) -> bool {
        self.as_str().eq_ignore_ascii_case(word)
    }
}

impl std::fmt::Debug for Phrase<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:?}", self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_keep_their_places() {
        let source = "a `bc`, d &amp; e";
        let mut page = Page::default();
        let start = page.begin(0);
        page.push("a ", 0..2);
        page.push("bc", 3..5);
        page.push(", d ", 6..10);
        page.push("&", 10..15);
        page.push(" e", 15..17);
        let words = page.end(start);
        page.begin(17);
        let phrase = page.phrase(words);
        let places: Vec<_> = phrase.split(&[',']).map(|part| part.span().of(source)).collect();
        assert_eq!(places, ["a `bc", "d &amp; e"]);
        let places: Vec<_> = phrase.words().map(|word| word.span().of(source)).collect();
        assert_eq!(places, ["a", "bc`,", "d", "&amp;", "e"]);
    }
}

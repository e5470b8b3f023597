//! A place in a document: a range of bytes.

use std::ops::Range;

use serde::{Deserialize, Serialize};

/// A half-open range of byte offsets in one document.
///
/// Offsets are 32 bits wide: documents of 4 GiB and more are refused before a span is created.
///
/// ```
/// use keywright_finding::Span;
///
/// let span = Span::new(2, 7);
/// assert_eq!(span.of("# Order"), "Order");
/// assert_eq!(span.len(), 5);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Span {
    /// The first byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl Span {
    /// The span from `start` up to `end`; a reversed pair is the empty span at `start`.
    #[must_use]
    pub const fn new(start: u32, end: u32) -> Self {
        Self { start, end: if end < start { start } else { end } }
    }

    /// The empty span at an offset: a place where something is missing.
    #[must_use]
    pub const fn at(offset: u32) -> Self {
        Self { start: offset, end: offset }
    }

    /// The number of bytes in the span.
    #[must_use]
    pub const fn len(self) -> u32 {
        self.end - self.start
    }

    /// Whether the span has no bytes: a place between two bytes.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.start == self.end
    }

    /// Whether `other` lies inside this span.
    #[must_use]
    pub const fn contains(self, other: Span) -> bool {
        self.start <= other.start && other.end <= self.end
    }

    /// Whether the spans share a byte, or one is empty and lies inside the other.
    #[must_use]
    pub const fn overlaps(self, other: Span) -> bool {
        self.start < other.end && other.start < self.end
    }

    /// The smallest span that covers both.
    #[must_use]
    pub fn cover(self, other: Span) -> Self {
        Self { start: self.start.min(other.start), end: self.end.max(other.end) }
    }

    /// The text of this span. A span that does not fit `text` is cut to its bounds and to whole characters.
    #[must_use]
    pub fn of(self, text: &str) -> &str {
        let floor = |offset: u32| text.floor_char_boundary(offset as usize);
        &text[floor(self.start)..floor(self.end)]
    }

    /// The span as a range for indexing text.
    #[must_use]
    pub const fn range(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }
}

impl From<Range<usize>> for Span {
    /// Offsets that don't fit 32 bits become the largest offset that does.
    fn from(range: Range<usize>) -> Self {
        let offset = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
        Self::new(offset(range.start), offset(range.end))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_span_of_other_text_is_cut_to_characters() {
        assert_eq!(Span::new(0, 99).of("é"), "é");
        assert_eq!(Span::new(1, 2).of("é"), "é");
        assert_eq!(Span::new(7, 9).of("é"), "");
    }

    #[test]
    fn touching_spans_do_not_overlap() {
        assert!(!Span::new(0, 2).overlaps(Span::new(2, 4)));
        assert!(Span::new(0, 3).overlaps(Span::new(2, 4)));
        assert!(Span::new(0, 3).overlaps(Span::at(1)));
        assert!(!Span::new(0, 3).overlaps(Span::at(3)));
    }
}

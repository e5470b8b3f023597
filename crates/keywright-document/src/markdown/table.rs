//! A table of a Markdown document.

use keywright_finding::Span;

use super::{Page, Phrase, Words};

/// A table: one row of headings, any number of rows.
#[derive(Debug, Default)]
pub struct Table {
    /// Where it stands.
    pub span: Span,
    /// The headings.
    pub header: Vec<Words>,
    /// The rows below.
    pub rows: Vec<Row>,
}

/// A row of a table; it may be shorter than the header.
#[derive(Debug, Default)]
pub struct Row {
    /// Where it stands.
    pub span: Span,
    /// The cells.
    pub cells: Vec<Words>,
}

impl Row {
    /// The trimmed cell of a column, none where the row is too short.
    #[must_use]
    pub fn cell<'p>(&self, page: &'p Page, column: usize) -> Option<Phrase<'p>> {
        self.cells.get(column).map(|words| page.phrase(*words).trim())
    }
}

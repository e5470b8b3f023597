//! A first look at the rows of the tables of patterns, for what they tell of entities before the patterns are read.

use crate::markdown::{Block, Page, Phrase, Row};

use super::cell::Said;
use super::columns::{Column, Columns, is_pattern_table};
use super::outline::Section;

/// One row of a table of patterns.
pub(super) struct Glimpse<'a, 'p> {
    row: &'a Row,
    columns: &'a Columns<'p>,
    page: &'p Page,
}

impl<'p> Glimpse<'_, 'p> {
    /// The words of a column.
    pub(super) fn cell(&self, column: Column) -> Option<Phrase<'p>> {
        Said::new(self.columns.index(column).and_then(|index| self.row.cell(self.page, index))).words()
    }

    /// The entities that it names.
    pub(super) fn entities(&self) -> Vec<Phrase<'p>> {
        self.cell(Column::Entity).map_or_else(Vec::new, |it| it.split(&[',', '+', '/', '&']).collect())
    }
}

/// Looks at every row.
pub(super) fn each_row<'p>(sections: &[Section<'p>], page: &'p Page, mut look: impl FnMut(Glimpse<'_, 'p>)) {
    for block in sections.iter().flat_map(|section| section.blocks) {
        let Block::Table(table) = block else { continue };
        if is_pattern_table(table, page) {
            let columns = Columns::new(table, page);
            table.rows.iter().for_each(|row| look(Glimpse { row, columns: &columns, page }));
        }
    }
}

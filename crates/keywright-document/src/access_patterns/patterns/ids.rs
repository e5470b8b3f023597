//! The ids of patterns: stated, or given out where a table has none.

use std::collections::BTreeSet;

use super::listed;
use crate::access_patterns::columns::{Column, Columns, is_pattern_table};
use crate::access_patterns::names::fold;
use crate::access_patterns::outline::Section;
use crate::markdown::{Block, Page};

/// The ids that a document states, and the next one to give out.
pub(super) struct Ids {
    taken: BTreeSet<String>,
    next: u32,
}

impl Ids {
    /// Looks through all tables first: an id that is given out must not be one that is stated further down.
    pub(super) fn new(sections: &[Section<'_>], page: &Page) -> Self {
        let mut taken = BTreeSet::new();
        for block in sections.iter().flat_map(|section| section.blocks) {
            if let Block::List(items) = block {
                let stated = items.iter().filter_map(|item| listed::id_of(page.phrase(item.words)));
                taken.extend(stated.map(|(id, _)| id.as_str().to_owned()));
            }
            let Block::Table(table) = block else { continue };
            if !is_pattern_table(table, page) {
                continue;
            }
            let Some(column) = Columns::new(table, page).index(Column::Id) else { continue };
            taken.extend(
                table
                    .rows
                    .iter()
                    .filter_map(|row| row.cell(page, column))
                    .map(|cell| cell.as_str().to_owned()),
            );
        }
        Ids { taken, next: 1 }
    }

    /// The id of a number, or the next free one.
    pub(super) fn give(&mut self, number: Option<u32>) -> String {
        if let Some(number) = number {
            let id = format!("AP-{number:03}");
            if self.taken.insert(id.clone()) {
                return id;
            }
        }
        loop {
            let id = format!("AP-{:03}", self.next);
            self.next += 1;
            if self.taken.insert(id.clone()) {
                return id;
            }
        }
    }
}

/// Whether a table is of a form that is not ours: `Entity | Access Pattern | …`, `Pattern # | Description | RPS`, or one
/// that names no entities.
pub(super) fn is_loose(columns: &Columns<'_>) -> bool {
    let described =
        columns.description_heading.is_some_and(|heading| fold(heading.as_str()) == "accesspattern");
    let numbered = columns.id_heading.is_some_and(|heading| heading.as_str().contains('#'));
    described
        || numbered
        || !columns.has(Column::Entity)
        || (columns.has(Column::Rate) && !columns.has(Column::Inputs))
}

//! Entity charts: `Entity | PK | SK | GSI1PK | GSI1SK | … | Notes`.

use keywright_model::design::source::{ItemSource, KeySource};
use keywright_model::design::{ItemKind, ItemType};

use super::super::cell::is_nothing;
use super::Reader;
use super::columns::{Column, Columns};
use super::structure::{said, whole, words};
use crate::markdown::{Page, Table};

impl Reader {
    /// The item types of a chart, one per row.
    pub(super) fn chart(&mut self, table: &Table, page: &Page) {
        let columns = Columns::of(table, page);
        let known = [
            Column::Entity,
            Column::Name,
            Column::Partition,
            Column::Sort,
            Column::Notes,
            Column::Description,
            Column::Purpose,
        ];
        let mut keys: Vec<(usize, String)> = Vec::new();
        if self.design.tables.is_empty() {
            let heading =
                |column| columns.index(column).map(|at| words(page.phrase(table.header[at]).trim()));
            self.key_labels = (heading(Column::Partition), heading(Column::Sort));
        }
        let primary = self.design.tables.first();
        let names = [
            primary.map(|table| table.partition.name.clone()).or_else(|| self.key_labels.0.clone()),
            primary
                .and_then(|table| table.sort.as_ref())
                .map(|key| key.name.clone())
                .or_else(|| self.key_labels.1.clone()),
        ];
        for (column, name) in [Column::Partition, Column::Sort].into_iter().zip(names) {
            if let (Some(at), Some(name)) = (columns.index(column), name) {
                keys.push((at, name));
            }
        }
        for (at, heading) in columns.others(table, page, &known) {
            let label = heading.as_str().replace(' ', "");
            let lower = label.to_ascii_lowercase();
            match self.index_key_named(&label) {
                Some(name) => keys.push((at, name)),
                None if lower.ends_with("pk") || lower.ends_with("sk") => keys.push((at, label)),
                None => self.problems.ignored_column(heading),
            }
        }
        for row in &table.rows {
            let name = columns.first_cell(row, page, &[Column::Entity, Column::Name]);
            let Some(name) = name.and_then(|cell| whole(cell).value()) else { continue };
            let mut item = ItemType {
                name: words(name),
                kind: ItemKind::Main,
                entities: vec![words(name)],
                table: self.main_table(),
                keys: Vec::new(),
                attributes: Vec::new(),
                description: None,
            };
            let mut source = ItemSource { name: name.span(), ..ItemSource::default() };
            for (at, attribute) in &keys {
                let Some(cell) = row.cell(page, *at).filter(|it| !it.is_empty() && !is_nothing(it.as_str()))
                else {
                    continue;
                };
                let partition = item.keys.first().map(|key| key.value.clone());
                if let Some((assignment, written)) = self.key_value(attribute, cell, partition.as_ref()) {
                    item.keys.push(assignment);
                    let label = page.phrase(table.header[*at]).span();
                    source.keys.push(KeySource { label, value: written });
                }
            }
            source.notes.extend(columns.cell(row, page, Column::Notes).map(said));
            self.add_item(item, source, None);
        }
    }
}

//! The head of the document, tables, indexes and collections.

use keywright_model::At;
use keywright_model::design::source::{CollectionRow, IndexSource, TableSource};
use keywright_model::design::{Index, KeyAttribute, KeyType, Projection, Table as TableOf};

use super::super::cell::{Entry, fold, is_nothing};
use super::Reader;
use super::columns::{Column, Columns};
use crate::markdown::{Page, Phrase, Table};

/// A cell as one entry, whatever numbers it has.
pub(super) fn whole(cell: Phrase<'_>) -> Entry<'_> {
    Entry { number: None, pieces: cell.pieces() }
}

/// The words of a phrase, blanks joined.
pub(super) fn words(phrase: Phrase<'_>) -> String {
    phrase.as_str().split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The words and where they stand.
pub(super) fn said(phrase: Phrase<'_>) -> At<String> {
    At::stated(phrase.as_str().to_owned(), phrase.span())
}

impl Reader {
    /// `> Application: Shop`.
    pub(super) fn header(&mut self, quote: Phrase<'_>) {
        for line in quote.split(&['\n']) {
            let Some((label, value)) = line.split_once(':') else { continue };
            if value.is_empty() {
                continue;
            }
            let value = Some(words(value));
            match fold(label.as_str()).as_str() {
                "generatedon" => self.design.generated_on = value,
                "application" => self.design.application = value,
                "input" => self.design.input = value,
                "style" => {
                    if let Some(style) = value.and_then(|value| value.parse().ok()) {
                        self.design.style = style;
                    }
                }
                _ => {}
            }
        }
    }

    /// Property | Value: each table from its name on.
    pub(super) fn properties(&mut self, table: &Table, page: &Page) {
        let columns = Columns::of(table, page);
        for row in &table.rows {
            let (Some(property), Some(cell)) =
                (columns.cell(row, page, Column::Property), columns.cell(row, page, Column::Value))
            else {
                continue;
            };
            self.property(&fold(property.as_str()), cell);
        }
    }

    /// One property of the table that is being described.
    pub(super) fn property(&mut self, property: &str, cell: Phrase<'_>) {
        let value = whole(cell);
        let Some(first) = value.value().filter(|it| !is_nothing(it.as_str())) else { return };
        match property {
            "tablename" | "name" | "table" => {
                self.design.tables.push(TableOf {
                    name: words(first),
                    partition: KeyAttribute::string("pk"),
                    sort: None,
                    ttl: None,
                });
                self.source.tables.push(TableSource { name: Some(first.span()), ..TableSource::default() });
            }
            "partitionkey" | "pk" | "hashkey" => {
                let key = key_attributes(cell);
                let (table, source) = self.last_table();
                if let Some((key, span)) = key.into_iter().next() {
                    table.partition = key;
                    source.partition = Some(span);
                }
            }
            "sortkey" | "sk" | "rangekey" => {
                let key = key_attributes(cell);
                let (table, source) = self.last_table();
                if let Some((key, span)) = key.into_iter().next() {
                    table.sort = Some(key);
                    source.sort = Some(span);
                }
            }
            "ttlattribute" | "ttl" => {
                let (table, source) = self.last_table();
                table.ttl = Some(first.as_str().split_whitespace().next().unwrap_or_default().to_owned());
                source.ttl = Some(said(cell));
            }
            "style" => match words(first).parse() {
                Ok(style) => {
                    self.design.style = style;
                    self.is_complete = true;
                }
                Err(message) => self.problems.unreadable(first, &message),
            },
            "typeattribute" => self.design.type_attribute = Some(words(first)),
            "tenantattributes" | "tenantattribute" => {
                self.design.tenants = key_attributes(cell).into_iter().map(|(key, _)| key.name).collect();
            }
            _ => {}
        }
    }

    /// The table that properties are being said of.
    fn last_table(&mut self) -> (&mut TableOf, &mut TableSource) {
        if self.design.tables.is_empty() {
            self.design.tables.push(TableOf {
                name: "Table".to_owned(),
                partition: KeyAttribute::string("pk"),
                sort: None,
                ttl: None,
            });
            self.source.tables.push(TableSource::default());
        }
        let last = self.design.tables.len() - 1;
        (&mut self.design.tables[last], &mut self.source.tables[last])
    }

    /// GSI Name | Partition Key | Sort Key | Projection | Purpose.
    pub(super) fn indexes(&mut self, table: &Table, page: &Page, local: bool) {
        let columns = Columns::of(table, page);
        for row in &table.rows {
            let names = [Column::IndexName, Column::Place, Column::Name];
            let Some(name_cell) = columns.first_cell(row, page, &names) else { continue };
            let entry = whole(name_cell);
            let Some(name) = entry.value().filter(|it| !is_nothing(it.as_str())) else { continue };
            let on_table = entry.codes().nth(1).map(words);
            let cell = |column| columns.cell(row, page, column).filter(|it| !is_nothing(it.as_str()));
            let partition = cell(Column::Partition).map(key_attributes).unwrap_or_default();
            let sort = cell(Column::Sort).map(key_attributes).unwrap_or_default();
            let projection = cell(Column::Projection);
            let index = Index {
                name: words(name),
                table: on_table.unwrap_or_else(|| self.main_table()),
                partition: partition.iter().map(|(key, _)| key.clone()).collect(),
                sort: sort.iter().map(|(key, _)| key.clone()).collect(),
                projection: projection.map_or(Projection::All, |it| self.projection(it)),
                purpose: cell(Column::Purpose).map(words),
            };
            let source = IndexSource {
                name: name.span(),
                listed: true,
                partition: partition.first().map(|(_, span)| *span),
                sort: sort.first().map(|(_, span)| *span),
                projection: projection.map(said),
                local: local || fold(&index.name).starts_with("lsi"),
            };
            let before =
                self.design.indexes.iter().position(|it| it.table == index.table && it.name == index.name);
            if let Some(before) = before {
                self.problems.contradiction(
                    source.name,
                    format!("the index `{}` is listed twice", index.name),
                    self.source.indexes[before].name,
                    "listed here first",
                );
                continue;
            }
            self.design.indexes.push(index);
            self.source.indexes.push(source);
        }
    }

    /// The first table's name; an unnamed table is called `Table`.
    pub(super) fn main_table(&mut self) -> String {
        match self.design.tables.first() {
            Some(table) => table.name.clone(),
            None => "Table".to_owned(),
        }
    }

    fn projection(&mut self, cell: Phrase<'_>) -> Projection {
        let text = cell.as_str();
        let folded = fold(text);
        if folded.starts_with("keysonly") {
            return Projection::KeysOnly;
        }
        if folded.starts_with("all") {
            return Projection::All;
        }
        let codes: Vec<String> = whole(cell).codes().map(words).collect();
        if !folded.starts_with("include") && codes.is_empty() {
            self.problems
                .unreadable(cell, "a projection is ALL, KEYS_ONLY or INCLUDE with a list of attributes");
            return Projection::All;
        }
        if !codes.is_empty() {
            let first_is_word = codes.first().is_some_and(|it| fold(it) == "include");
            return Projection::Include(codes.into_iter().skip(usize::from(first_is_word)).collect());
        }
        let list = text
            .trim_start_matches(|it: char| it.is_alphabetic())
            .trim_matches(|it: char| "():[] ".contains(it));
        Projection::Include(
            list.split(',').map(str::trim).filter(|it| !it.is_empty()).map(str::to_owned).collect(),
        )
    }

    /// Collection PK | Entity Types | Purpose.
    pub(super) fn collections(&mut self, table: &Table, page: &Page) {
        let columns = Columns::of(table, page);
        for row in &table.rows {
            let (Some(partition), Some(items)) = (
                columns.cell(row, page, Column::CollectionPartition).and_then(|cell| whole(cell).value()),
                columns.cell(row, page, Column::Entity),
            ) else {
                continue;
            };
            let partition = At::stated(super::super::template::normal(partition.as_str()), partition.span());
            let items = items.split(&[',', '\n', '+']).map(said).collect();
            self.source.collections.push(CollectionRow { partition, items });
        }
    }
}

/// `pk` (String), or several with commas between; bare words too.
pub(super) fn key_attributes(cell: Phrase<'_>) -> Vec<(KeyAttribute, keywright_finding::Span)> {
    let codes: Vec<Phrase<'_>> = whole(cell).codes().collect();
    let kinds: Vec<KeyType> = cell
        .as_str()
        .split('(')
        .skip(1)
        .map(|rest| match rest.trim_start().chars().next().map(|it| it.to_ascii_uppercase()) {
            Some('N') => KeyType::Number,
            Some('B') => KeyType::Binary,
            _ => KeyType::String,
        })
        .collect();
    let names: Vec<Phrase<'_>> = if codes.is_empty() {
        cell.split(&[',']).map(|part| part.words().next().unwrap_or(part)).collect()
    } else {
        codes
    };
    names
        .into_iter()
        .enumerate()
        .map(|(at, name)| {
            let ty = kinds.get(at).copied().unwrap_or(KeyType::String);
            (KeyAttribute { name: words(name), ty }, name.span())
        })
        .filter(|(key, _)| !is_nothing(&key.name))
        .collect()
}

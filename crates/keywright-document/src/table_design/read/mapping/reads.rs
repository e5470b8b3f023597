//! Rows of reads: each request from the cells for its place, its key and its params.

use keywright_model::design::source::RequestSource;
use keywright_model::design::{OperationName, Request};

use super::super::super::Section;
use super::super::super::cell::{Entry, Number, entries, is_nothing};
use super::super::super::params::{OperationParams, Param, RequestParams, params, sentence};
use super::super::super::places::{Place, Places};
use super::super::super::statement::{batch_get, get, query, scan};
use super::super::Reader;
use super::super::columns::{Column, Columns};
use super::super::keys::{self, KeyCells};
use super::{Cells, scope};
use crate::markdown::{Page, Phrase, Table};

impl Reader {
    /// AP ID | Description | Operation | Table/GSI | PK | SK Condition | SK Value | Params.
    pub(in super::super) fn reads(&mut self, table: &Table, page: &Page) {
        let columns = Columns::of(table, page);
        self.other_columns(table, page, &columns);
        for row in &table.rows {
            let Some(mut cells) = self.row(row, page, &columns) else { continue };
            let cut = |column| columns.cell(row, page, column).map(entries).unwrap_or_default();
            let (places, mut partitions) = (cut(Column::Place), cut(Column::Partition));
            let mut conditions = cut(Column::SortCondition);
            let mut values = cut(Column::SortValue);
            if partitions.is_empty()
                && let Some(cell) = columns.cell(row, page, Column::KeyCondition)
            {
                let [partition, condition, value] = keys::clauses(cell);
                partitions.extend(partition);
                conditions = condition.into_iter().collect();
                values = value.into_iter().collect();
            }
            // `PK | SK` as people also write it: condition and value in one cell.
            if columns.has(Column::KeyCondition) {
                // One cell says it all.
            } else if !columns.has(Column::SortCondition) {
                conditions = cut(Column::Sort);
            } else if !columns.has(Column::SortValue) {
                values = cut(Column::Sort);
            }
            if !columns.has(Column::Operation) && !partitions.is_empty() {
                cells.names = vec![self.unnamed_operation(&cells, &places, &conditions, &values)];
            }
            let params_cell = cut(Column::Params);
            let mut all = OperationParams::default();
            let lists: Vec<(Option<Number>, Vec<Param<'_>>)> =
                params_cell.iter().map(|entry| (entry.number, params(entry, 0))).collect();
            let mut of_requests = self.operation_params(&mut all, &lists);
            let scope = scope(&all.generated);
            let several = cells.names.len() > 1;
            let mut requests = Vec::new();
            for (at, (name, name_phrase)) in cells.names.clone().into_iter().enumerate() {
                let params = self.request_params(&mut of_requests, (at, name), several, &scope);
                self.fewer_items(at, cells.names.len(), &params, &all);
                let place_entry = entry_of(&places, at, several);
                let place_phrase = place_entry.and_then(Entry::value);
                let place = self.place(place_phrase);
                let three = [&partitions, &conditions, &values].map(|list| entry_of(list, at, several));
                let attributes = Places::of(&self.design).key(&place.table, place.index.as_deref());
                let attributes = (owned(&attributes.0), owned(&attributes.1));
                let borrowed = (borrow(&attributes.0), borrow(&attributes.1));
                let key = keys::read(three, &borrowed, &scope, &mut self.problems);
                let source = RequestSource {
                    operation: name_phrase.span(),
                    place: place_phrase.map(Phrase::span),
                    partition: key.partition_span,
                    sort_condition: key.condition_span,
                    sort_values: key.value_spans.clone(),
                    filter: params.filter_written.clone(),
                    projection: params.projection_written.clone(),
                    consistent: params.consistent_span,
                    actions: Vec::new(),
                };
                if let Some(mut request) = self.read_request(name, place, key, &params) {
                    self.infer_items(&mut request);
                    requests.push(request);
                    cells.source.requests.push(source);
                }
            }
            self.operation(cells, requests, all, Section::Reads);
        }
    }

    /// The operation of a row that names none: an item by its whole key is got, all else is queried.
    fn unnamed_operation<'p>(
        &mut self,
        cells: &Cells<'p>,
        places: &[Entry<'p>],
        conditions: &[Entry<'p>],
        values: &[Entry<'p>],
    ) -> (OperationName, Phrase<'p>) {
        let place = self.place(places.first().and_then(Entry::value));
        let equal = conditions.first().and_then(Entry::value).is_some_and(|condition| {
            let text = condition.as_str().trim_start();
            text.starts_with('=') || (values.is_empty() && text.contains('=') && !text.contains(['<', '>']))
        });
        let name = if place.index.is_none() && equal { OperationName::GetItem } else { OperationName::Query };
        (name, cells.id)
    }

    fn read_request(
        &mut self,
        name: OperationName,
        place: Place,
        key: KeyCells,
        params: &RequestParams,
    ) -> Option<Request> {
        Some(match name {
            OperationName::GetItem => get(place.table, key.equalities(), params),
            OperationName::Query => query(place.table, place.index, key.condition(), params),
            OperationName::BatchGetItem | OperationName::TransactGetItems => {
                batch_get(place.table, key.keys(), params)
            }
            OperationName::Scan => scan(place.table, place.index, params),
            _ => return None,
        })
    }

    fn place(&mut self, phrase: Option<Phrase<'_>>) -> Place {
        let places = Places::of(&self.design);
        let Some(phrase) = phrase.filter(|it| !is_nothing(it.as_str())) else {
            return places.resolve("", None);
        };
        let read = sentence(phrase.as_str(), |parser| {
            let name = parser.name()?;
            let on = if parser.word("ON") { Some(parser.name()?) } else { None };
            Ok((name, on))
        });
        match read {
            Ok((name, on)) => places.resolve(&name, on.as_deref()),
            Err(_) => places.resolve(phrase.as_str(), None),
        }
    }
}

fn owned(names: &[&str]) -> Vec<String> {
    names.iter().map(|it| (*it).to_owned()).collect()
}

fn borrow(names: &[String]) -> Vec<&str> {
    names.iter().map(String::as_str).collect()
}

/// The entry of a request: by its number where there are several, else the only one.
fn entry_of<'e, 'p>(list: &'e [Entry<'p>], at: usize, several: bool) -> Option<&'e Entry<'p>> {
    if several {
        list.iter().find(|entry| entry.number.is_some_and(|number| number.request == at + 1))
    } else {
        list.first()
    }
}

//! Access Pattern Mapping: rows of cells to operations.

mod outcome;
mod reads;
mod writes;

use std::collections::BTreeSet;

use keywright_model::design::source::OperationSource;
use keywright_model::design::{Generated, Operation, OperationName, Request, Scatter};

use super::super::cell::{Number, entries, fold, is_nothing};
use super::super::params::{OperationParams, Param, RequestParams};
use super::super::value::Scope;
use super::super::{Section, implied_main};
use super::Reader;
use super::columns::{Column, Columns};
use super::infer::inputs_of;
use super::structure::{said, words};
use crate::markdown::{Page, Phrase, Piece, Row, Table};

const ROW: [Column; 11] = [
    Column::Id,
    Column::Description,
    Column::Operation,
    Column::Place,
    Column::Partition,
    Column::SortCondition,
    Column::SortValue,
    Column::KeyCondition,
    Column::Params,
    Column::Items,
    Column::Conditions,
];

/// A row whose operation is being read.
struct Cells<'p> {
    id: Phrase<'p>,
    description: String,
    names: Vec<(OperationName, Phrase<'p>)>,
    source: OperationSource,
}

impl Reader {
    /// Puts the operations in the order that they state, where all of them do: the tables have one of their own.
    pub(super) fn order_operations(&mut self) {
        let stated: Option<Vec<u32>> = self.positions.iter().copied().collect();
        let Some(stated) = stated.filter(|stated| stated.len() == self.design.operations.len()) else {
            return;
        };
        let operations = std::mem::take(&mut self.design.operations);
        let sources = std::mem::take(&mut self.source.operations);
        let mut rows: Vec<_> = stated.into_iter().zip(operations.into_iter().zip(sources)).collect();
        rows.sort_by_key(|(position, _)| *position);
        (self.design.operations, self.source.operations) = rows.into_iter().map(|(_, row)| row).unzip();
    }

    /// The id, the description and the names of the requests of a row.
    fn row<'p>(&mut self, row: &Row, page: &'p Page, columns: &Columns) -> Option<Cells<'p>> {
        let id =
            columns.cell(row, page, Column::Id).or_else(|| columns.cell(row, page, Column::Description))?;
        let cell = |column| columns.cell(row, page, column);
        let operation = cell(Column::Operation);
        let mut names = Vec::new();
        for entry in operation.map(entries).unwrap_or_default() {
            let text: String = entry.pieces.iter().map(|piece| piece_text(*piece)).collect();
            let Some(phrase) = entry.value() else { continue };
            if is_nothing(text.trim()) {
                continue;
            }
            match operation_named(&text) {
                Some(name) => names.push((name, phrase)),
                None => {
                    self.problems.unreadable(phrase, "this is not a DynamoDB operation that a design uses")
                }
            }
        }
        let source = OperationSource {
            id: id.span(),
            operation: operation.map(said),
            place: cell(Column::Place).map(said),
            partition: cell(Column::Partition).or_else(|| cell(Column::KeyCondition)).map(said),
            sort_condition: cell(Column::SortCondition).or_else(|| cell(Column::Sort)).map(said),
            sort_value: cell(Column::SortValue).map(said),
            params: cell(Column::Params).map(said),
            items: cell(Column::Items).map(said),
            conditions: cell(Column::Conditions).map(said),
            requests: Vec::new(),
        };
        let description = cell(Column::Description).map(words).unwrap_or_default();
        Some(Cells { id, description, names, source })
    }

    fn other_columns(&mut self, table: &Table, page: &Page, columns: &Columns) {
        let known: Vec<Column> =
            ROW.into_iter().chain([Column::Sort, Column::Notes, Column::Entity]).collect();
        for (_, heading) in
            columns.others(table, page, &known).into_iter().filter(|(_, it)| it.as_str() != "#")
        {
            self.problems.ignored_column(heading);
        }
    }

    /// Takes in the params of the operation; returns those of its requests.
    fn operation_params<'p>(
        &mut self,
        all: &mut OperationParams,
        lists: &[(Option<Number>, Vec<Param<'p>>)],
    ) -> Vec<(Option<Number>, Param<'p>)> {
        let mut rest = Vec::new();
        for (number, list) in lists {
            for param in list {
                if !all.read(param, &mut self.problems) {
                    rest.push((*number, *param));
                }
            }
        }
        rest
    }

    fn request_params(
        &mut self,
        list: &mut Vec<(Option<Number>, Param<'_>)>,
        (at, name): (usize, OperationName),
        several: bool,
        scope: &Scope,
    ) -> RequestParams {
        let mut params = RequestParams::default();
        for (number, param) in list.iter() {
            let named = number.is_some_and(|number| number.request == at + 1);
            let own = !several || named || number.is_none();
            if own && !is_nothing(param.whole.as_str()) {
                // What is no param of ours is a remark; what stands beside several requests is for those that take it.
                let known = params.read(param, scope, &mut self.problems);
                if known && (!several || named) && !param.is_taken_by(name) {
                    self.problems.not_taken(param.whole, param.name.as_str(), name);
                }
            }
        }
        params
    }

    /// Says so where the request that answers names fewer item types than the operation returns.
    fn fewer_items(&mut self, at: usize, of: usize, params: &RequestParams, all: &OperationParams) {
        let answers = all.from_request.map_or(of, |number| number as usize) == at + 1;
        let Some((_, returned)) = all.returns.as_ref().filter(|_| answers) else { return };
        let Some(written) = params.items_span else { return };
        let lacking = returned.iter().find(|name| !params.items.is_empty() && !params.items.contains(name));
        if let Some(lacking) = lacking {
            self.problems.fewer_items(written, lacking);
        }
    }

    /// Adds an operation, unless its pattern has one already.
    fn operation(
        &mut self,
        cells: Cells<'_>,
        requests: Vec<Request>,
        params: OperationParams,
        section: Section,
    ) {
        let requests = if self.is_complete { requests } else { self.whole_puts(requests) };
        let pattern = words(cells.id);
        if let Some(before) = self.mapped.get(&pattern) {
            let message = format!("`{pattern}` is mapped twice");
            self.problems.contradiction(cells.id.span(), message, *before, "mapped here first");
            return;
        }
        let (main, index, shards) = implied_main(&requests, section);
        let stated = cells.names.first().map(|(name, _)| *name);
        let main = params.main_operation.or(match (main, stated) {
            // What no request can express is still the operation's name.
            (_, Some(OperationName::TransactGetItems)) => stated,
            (Some(main), _) => Some(main),
            (None, stated) => stated,
        });
        let Some(main) = main else { return };
        self.mapped.insert(pattern.clone(), cells.id.span());
        let outcome = outcome::read(&requests, &params, section);
        let inputs = params.inputs.clone().unwrap_or_else(|| {
            // What a scattered Query fills in, no caller gives.
            let scattered = requests.iter().filter_map(|request| match request {
                Request::Query(query) => Some(query.scatter.iter().map(Scatter::placeholder)),
                _ => None,
            });
            let made = params.generated.iter().map(|it| it.name.as_str());
            let known: BTreeSet<String> = made.chain(scattered.flatten()).map(str::to_owned).collect();
            let mut inputs = inputs_of(outcome::values(&requests), &known);
            self.put_inputs(&requests, &mut inputs);
            inputs
        });
        self.design.operations.push(Operation {
            pattern,
            description: cells.description,
            operation: main,
            index: params.main_index.unwrap_or(index),
            requests,
            shards: params.main_shards.unwrap_or(shards),
            inputs,
            generated: params.generated,
            outcome,
            retry: params.retry,
            expected: None,
        });
        self.source.operations.push(cells.source);
        self.positions.push(params.position);
    }
}

fn piece_text<'p>(piece: Piece<'p>) -> &'p str {
    match piece {
        Piece::Code(phrase) | Piece::Text(phrase) => phrase.as_str(),
    }
}

fn scope(generated: &[Generated]) -> Scope {
    Scope { generated: generated.iter().map(|it| it.name.clone()).collect() }
}

/// The operation that a text names first: `GetItem`, `Transact Write`, `Query (GSI1)`.
fn operation_named(text: &str) -> Option<OperationName> {
    let folded = fold(text);
    let forms: [(&str, OperationName); 15] = [
        ("transactwrite", OperationName::TransactWriteItems),
        ("transactget", OperationName::TransactGetItems),
        ("batchwrite", OperationName::BatchWriteItem),
        ("batchget", OperationName::BatchGetItem),
        ("getitem", OperationName::GetItem),
        ("query", OperationName::Query),
        ("scan", OperationName::Scan),
        ("putitem", OperationName::PutItem),
        ("updateitem", OperationName::UpdateItem),
        ("deleteitem", OperationName::DeleteItem),
        ("get", OperationName::GetItem),
        ("put", OperationName::PutItem),
        ("update", OperationName::UpdateItem),
        ("delete", OperationName::DeleteItem),
        ("transaction", OperationName::TransactWriteItems),
    ];
    // Most cells hold the name and no more.
    if let Some((_, name)) = forms.iter().find(|(form, _)| *form == folded) {
        return Some(*name);
    }
    let found = forms.into_iter().filter_map(|(form, name)| Some((folded.find(form)?, name)));
    found.min_by_key(|(at, _)| *at).map(|(_, name)| name)
}

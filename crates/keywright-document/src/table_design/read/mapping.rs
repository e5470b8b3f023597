//! Access Pattern Mapping: rows of cells to operations.

use std::collections::BTreeSet;

use keywright_dynamodb::expression::Condition;
use keywright_dynamodb::expression::parse::{self, Parser};
use keywright_model::At;
use keywright_model::design::source::{ActionSource, OperationSource, RequestSource};
use keywright_model::design::{
    Action, Delete, Generated, Operation, OperationName, Outcome, Put, Request, Shape, Update, Value,
};

use super::super::cell::{Entry, Number, entries, fold, is_nothing};
use super::super::params::{OperationParams, Param, RequestParams, params, sentence};
use super::super::places::{Place, Places};
use super::super::statement::{Sentences, batch_get, get, query, scan};
use super::super::value::Scope;
use super::super::{Section, implied_main};
use super::Reader;
use super::columns::{Column, Columns};
use super::infer::inputs_of;
use super::keys::{self, KeyCells};
use super::structure::{said, words};
use crate::markdown::{Page, Phrase, Row, Table};

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

    /// AP ID | Description | Operation | Table/GSI | PK | SK Condition | SK Value | Params.
    pub(super) fn reads(&mut self, table: &Table, page: &Page) {
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
                let params = self.request_params(&mut of_requests, at, several, &scope);
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

    /// AP ID | Description | Operation | Items | Conditions.
    pub(super) fn writes(&mut self, table: &Table, page: &Page) {
        let columns = Columns::of(table, page);
        self.other_columns(table, page, &columns);
        for row in &table.rows {
            let Some(mut cells) = self.row(row, page, &columns) else { continue };
            let items = columns.cell(row, page, Column::Items).map(entries).unwrap_or_default();
            let conditions = columns.cell(row, page, Column::Conditions).map(entries).unwrap_or_default();
            let extra = columns.cell(row, page, Column::Params).map(entries).unwrap_or_default();
            let mut all = OperationParams::default();
            let lists: Vec<(Option<Number>, Vec<Param<'_>>)> = items
                .iter()
                .map(|entry| (entry.number, params(entry, usize::from(!begins_with_param(entry)))))
                .chain(extra.iter().map(|entry| (entry.number, params(entry, 0))))
                .collect();
            let mut of_requests = self.operation_params(&mut all, &lists);
            let scope = scope(&all.generated);
            let several = cells.names.len() > 1;
            let mut requests = Vec::new();
            for (at, (name, name_phrase)) in cells.names.clone().into_iter().enumerate() {
                let own: Vec<&Entry<'_>> = items
                    .iter()
                    .filter(|entry| {
                        !begins_with_param(entry)
                            && (!several || entry.number.is_some_and(|it| it.request == at + 1))
                    })
                    .collect();
                let params = self.request_params(&mut of_requests, at, several, &scope);
                let mut source = RequestSource { operation: name_phrase.span(), ..RequestSource::default() };
                if is_read(name) {
                    let Some(statement) = own.first().and_then(|entry| entry.value()) else { continue };
                    let parsed = Sentences::of(&self.design).parse_read(statement.as_str(), &scope, &params);
                    match parsed {
                        Ok(mut request) => {
                            self.infer_items(&mut request);
                            source.partition = Some(statement.span());
                            requests.push(request);
                            cells.source.requests.push(source);
                        }
                        Err(error) => self.problems.syntax(statement, &error),
                    }
                    continue;
                }
                let mut actions = Vec::new();
                for entry in own {
                    let read = self.action(entry, name, &scope);
                    let Some((mut action, statement)) = read else { continue };
                    let condition = condition_entry(&conditions, entry.number, actions.is_empty());
                    let place = condition.and_then(|it| self.condition(&mut action, it, &scope));
                    actions.push(action);
                    source.actions.push(ActionSource {
                        action: statement.span(),
                        text: statement.as_str().to_owned(),
                        condition: place,
                    });
                }
                if let Some(request) = write_request(name, actions) {
                    requests.push(request);
                    cells.source.requests.push(source);
                }
            }
            self.operation(cells, requests, all, Section::Writes);
        }
    }

    /// An action as we write it, or as people do.
    fn action<'p>(
        &mut self,
        entry: &Entry<'p>,
        name: OperationName,
        scope: &Scope,
    ) -> Option<(Action, Phrase<'p>)> {
        let statement =
            entry.value().map(Phrase::trim).filter(|it| !it.is_empty() && !is_nothing(it.as_str()))?;
        match Sentences::of(&self.design).parse_action(statement.as_str(), scope) {
            Ok(mut action) => {
                self.complete(&mut action);
                Some((action, statement))
            }
            Err(error) => {
                // The words of the whole entry: a code span may be only a part of a sentence.
                let text: String = entry.pieces.iter().map(|piece| piece_text(*piece)).collect();
                match self.loose_action(&text, name, scope) {
                    Some(action) => Some((action, statement)),
                    None => {
                        self.problems.syntax(statement, &error);
                        None
                    }
                }
            }
        }
    }

    /// Fills in the key of an update or delete that names only its item type.
    fn complete(&self, action: &mut Action) {
        match action {
            Action::Update(Update { key, item, .. })
            | Action::Delete(Delete { key, item, .. })
            | Action::Check(Delete { key, item, .. })
                if key.is_empty() =>
            {
                *key = self.own_key(item);
            }
            _ => {}
        }
    }

    /// `Put Order item`, `Update Customer (ADD orderCount 1)`, `Order`.
    fn loose_action(&self, text: &str, name: OperationName, scope: &Scope) -> Option<Action> {
        let folded_words: Vec<String> = text.split(|it: char| !it.is_alphanumeric()).map(fold).collect();
        let verb = folded_words.iter().find_map(|word| match word.as_str() {
            "put" | "create" | "insert" | "putitem" => Some("put"),
            "update" | "updateitem" | "set" | "increment" => Some("update"),
            "delete" | "remove" | "deleteitem" => Some("delete"),
            "check" | "conditioncheck" => Some("check"),
            _ => None,
        });
        let verb = verb.or(match name {
            OperationName::PutItem => Some("put"),
            OperationName::UpdateItem => Some("update"),
            OperationName::DeleteItem => Some("delete"),
            _ => None,
        })?;
        let folded = fold(text);
        let item = self
            .design
            .items
            .iter()
            .filter(|item| folded.contains(&fold(&item.name)))
            .max_by_key(|item| item.name.len())?;
        let (item, table) = (item.name.clone(), item.table.clone());
        let key = self.own_key(&item);
        Some(match verb {
            "put" => Action::Put(Put {
                table,
                item,
                values: Vec::new(),
                based_on: None,
                condition: None,
                fails_as: None,
                each: None,
            }),
            "update" => {
                let update = update_in(text, scope).unwrap_or_default();
                Action::Update(Update {
                    table,
                    item,
                    key,
                    update,
                    entries: Vec::new(),
                    condition: None,
                    fails_as: None,
                    each: None,
                })
            }
            other => {
                let delete = Delete { table, item, key, condition: None, fails_as: None, each: None };
                if other == "delete" { Action::Delete(delete) } else { Action::Check(delete) }
            }
        })
    }

    /// The condition of an action; where it stands.
    fn condition(&mut self, action: &mut Action, entry: &Entry<'_>, scope: &Scope) -> Option<At<String>> {
        let mut parts = entry.pieces.iter().filter(|piece| !piece_text(**piece).trim().is_empty());
        let first = parts.clone().next().copied()?;
        let says_failure = |piece: &crate::markdown::Piece<'_>| matches!(piece, crate::markdown::Piece::Text(text) if fold(text.as_str()) == "failsas");
        let mut condition = None;
        let mut span = None;
        if !says_failure(&first) {
            let phrase = entry.value()?;
            if is_nothing(phrase.as_str()) {
                return None;
            }
            span = Some(said(phrase));
            match parse::condition(phrase.as_str()) {
                Ok(tree) => condition = Some(scope.condition(tree)),
                Err(_) if entry.codes().next().is_none() => {
                    condition = condition_in_words(
                        phrase.as_str(),
                        self.design.tables.first().map(|it| it.partition.name.as_str()),
                    );
                    if condition.is_none() {
                        self.problems
                            .unreadable(phrase, "this condition is in words, so nothing enforces it");
                    }
                }
                Err(error) => self.problems.syntax(phrase, &error),
            }
        }
        let failure = parts.position(says_failure_ref).and_then(|_| entry.codes().last());
        let failure = failure.and_then(|text| sentence(text.as_str(), Parser::name).ok());
        let (own_condition, own_failure) = match action {
            Action::Put(put) => (&mut put.condition, &mut put.fails_as),
            Action::Update(update) => (&mut update.condition, &mut update.fails_as),
            Action::Delete(it) | Action::Check(it) => (&mut it.condition, &mut it.fails_as),
        };
        *own_condition = condition;
        *own_failure = failure;
        span
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
                    self.problems.unreadable(phrase, "this is no operation of DynamoDB that a design uses")
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
        at: usize,
        several: bool,
        scope: &Scope,
    ) -> RequestParams {
        let mut params = RequestParams::default();
        for (number, param) in list.iter() {
            let own = !several || number.is_none_or(|number| number.request == at + 1);
            if own && !is_nothing(param.whole.as_str()) {
                // What is no param of ours is a remark.
                params.read(param, scope, &mut self.problems);
            }
        }
        params
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

    /// Adds an operation, unless its pattern has one already.
    fn operation(
        &mut self,
        cells: Cells<'_>,
        requests: Vec<Request>,
        params: OperationParams,
        section: Section,
    ) {
        let pattern = words(cells.id);
        if let Some(at) = self.design.operations.iter().position(|it| it.pattern == pattern) {
            let before = self.source.operations[at].id;
            let message = format!("`{pattern}` is mapped twice");
            self.problems.contradiction(cells.id.span(), message, before, "mapped here first");
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
        let outcome = outcome(&requests, &params, section);
        let inputs = params.inputs.clone().unwrap_or_else(|| {
            let known: BTreeSet<String> = params.generated.iter().map(|it| it.name.clone()).collect();
            inputs_of(values_of(&requests), &known)
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

fn says_failure_ref(piece: &crate::markdown::Piece<'_>) -> bool {
    matches!(piece, crate::markdown::Piece::Text(text) if fold(text.as_str()) == "failsas")
}

fn piece_text<'p>(piece: crate::markdown::Piece<'p>) -> &'p str {
    match piece {
        crate::markdown::Piece::Code(phrase) | crate::markdown::Piece::Text(phrase) => phrase.as_str(),
    }
}

fn owned(names: &[&str]) -> Vec<String> {
    names.iter().map(|it| (*it).to_owned()).collect()
}

fn borrow(names: &[String]) -> Vec<&str> {
    names.iter().map(String::as_str).collect()
}

fn scope(generated: &[Generated]) -> Scope {
    Scope { generated: generated.iter().map(|it| it.name.clone()).collect() }
}

/// The entry of a request: by its number where there are several, else the only one.
fn entry_of<'e, 'p>(list: &'e [Entry<'p>], at: usize, several: bool) -> Option<&'e Entry<'p>> {
    if several {
        list.iter().find(|entry| entry.number.is_some_and(|number| number.request == at + 1))
    } else {
        list.first()
    }
}

/// Whether an entry is only about the operation as a whole.
fn begins_with_param(entry: &Entry<'_>) -> bool {
    entry.value().is_some_and(|first| {
        let param = Param::of(first);
        [
            "Inputs",
            "Generated",
            "Returns",
            "Retry",
            "MainOperation",
            "MainIndex",
            "MainShards",
            "Position",
            "FromRequest",
        ]
        .iter()
        .any(|name| param.is(name))
    })
}

fn condition_entry<'e, 'p>(
    conditions: &'e [Entry<'p>],
    number: Option<Number>,
    first: bool,
) -> Option<&'e Entry<'p>> {
    let numbered = conditions.iter().any(|entry| entry.number.is_some());
    match number {
        Some(number) if numbered => conditions.iter().find(|entry| entry.number == Some(number)),
        _ if numbered => None,
        _ => conditions.first().filter(|_| first),
    }
}

/// The operation that a text names first: `GetItem`, `Transact Write`, `Query (GSI1)`.
fn operation_named(text: &str) -> Option<OperationName> {
    let folded = fold(text);
    let mut forms: Vec<(&str, OperationName)> = vec![
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
    forms.sort_by_key(|(form, _)| folded.find(form).unwrap_or(usize::MAX));
    let (form, name) = forms.into_iter().next()?;
    folded.contains(form).then_some(name)
}

fn is_read(name: OperationName) -> bool {
    matches!(
        name,
        OperationName::GetItem
            | OperationName::Query
            | OperationName::BatchGetItem
            | OperationName::TransactGetItems
            | OperationName::Scan
    )
}

fn write_request(name: OperationName, mut actions: Vec<Action>) -> Option<Request> {
    match name {
        OperationName::TransactWriteItems => Some(Request::TransactWriteItems { actions }),
        OperationName::BatchWriteItem => Some(Request::BatchWriteItem { actions }),
        // One action was announced; further ones make it a list of single writes, of which the first is meant.
        _ if actions.is_empty() => None,
        _ => Some(Request::Write { action: actions.remove(0) }),
    }
}

/// An update expression somewhere in a text, such as in brackets.
fn update_in(text: &str, scope: &Scope) -> Option<keywright_dynamodb::expression::Update<Value>> {
    let start =
        ["SET ", "ADD ", "REMOVE ", "DELETE "].into_iter().filter_map(|word| text.find(word)).min()?;
    let mut inside = text[start..].trim_end();
    // The bracket around the update closes behind it.
    while inside.ends_with(')') && inside.matches(')').count() > inside.matches('(').count() {
        inside = inside[..inside.len() - 1].trim_end();
    }
    let update = parse::update(inside).ok()?;
    let mapped: Result<_, std::convert::Infallible> = update.try_map(&mut |term| Ok(scope.value(term)));
    match mapped {
        Ok(update) => Some(update),
    }
}

/// `must not exist`, `must exist`.
fn condition_in_words(text: &str, partition: Option<&str>) -> Option<Condition<Value>> {
    let partition = partition.unwrap_or("PK").to_owned();
    let lower = text.to_ascii_lowercase();
    if lower.contains("not exist") {
        Some(Condition::NotExists(partition))
    } else if lower.contains("must exist") || lower.contains("exists") {
        Some(Condition::Exists(partition))
    } else {
        None
    }
}

fn outcome(requests: &[Request], params: &OperationParams, section: Section) -> Outcome {
    let last = u32::try_from(requests.len()).unwrap_or(u32::MAX).max(1);
    let (shape, items) = params.returns.clone().unwrap_or_else(|| implied_outcome(requests, section));
    Outcome {
        shape,
        items,
        attributes: params.attributes.clone(),
        order: params.order.clone(),
        client_sort: params.client_sort,
        from_request: params.from_request.unwrap_or(last),
    }
}

fn implied_outcome(requests: &[Request], section: Section) -> (Shape, Vec<String>) {
    use keywright_model::design::Limit;
    if section != Section::Reads {
        return (Shape::Nothing, Vec::new());
    }
    match requests.last() {
        Some(Request::GetItem(get)) => (Shape::Single, vec![get.item.clone()]),
        Some(Request::Query(query)) => {
            let shape = match query.limit {
                _ if query.count => Shape::Count { attribute: None },
                Limit::First(1) => Shape::Single,
                Limit::Page { .. } => Shape::Page,
                Limit::First(_) | Limit::All => Shape::Collection,
            };
            (shape, query.items.clone())
        }
        Some(Request::BatchGetItem(batch)) => (Shape::Collection, batch.items.clone()),
        Some(Request::Scan(scan)) => (Shape::Collection, scan.items.clone()),
        _ => (Shape::Collection, Vec::new()),
    }
}

/// The values of all requests, in the order in which they are written.
fn values_of(requests: &[Request]) -> Vec<&Value> {
    let mut values = Vec::new();
    for request in requests {
        match request {
            Request::GetItem(get) => values.extend(get.key.iter().map(|(_, value)| value)),
            Request::Query(query) => {
                query.key.each_value(&mut |value| values.push(value));
                if let Some(filter) = &query.filter {
                    filter.each_value(&mut |value| values.push(value));
                }
            }
            Request::BatchGetItem(batch) => {
                if let keywright_model::design::Keys::Each(list) = &batch.keys {
                    values.extend(list.iter().map(|(_, value)| value));
                }
            }
            Request::Scan(scan) => {
                if let Some(filter) = &scan.filter {
                    filter.each_value(&mut |value| values.push(value));
                }
            }
            Request::Write { action } => action_values(action, &mut values),
            Request::TransactWriteItems { actions } | Request::BatchWriteItem { actions } => {
                actions.iter().for_each(|action| action_values(action, &mut values));
            }
        }
    }
    values
}

fn action_values<'a>(action: &'a Action, values: &mut Vec<&'a Value>) {
    let condition = match action {
        Action::Put(put) => {
            values.extend(put.values.iter().map(|(_, value)| value));
            &put.condition
        }
        Action::Update(update) => {
            values.extend(update.key.iter().map(|(_, value)| value));
            update.update.each_value(&mut |value| values.push(value));
            &update.condition
        }
        Action::Delete(it) | Action::Check(it) => {
            values.extend(it.key.iter().map(|(_, value)| value));
            &it.condition
        }
    };
    if let Some(condition) = condition {
        condition.each_value(&mut |value| values.push(value));
    }
}

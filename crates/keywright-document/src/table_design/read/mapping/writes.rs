//! Rows of writes and deletes: each action as we write it, or as people do.

use keywright_dynamodb::expression::Condition;
use keywright_dynamodb::expression::parse::{self, Parser};
use keywright_finding::Suggestions;
use keywright_model::At;
use keywright_model::design::source::{ActionSource, RequestSource};
use keywright_model::design::{Action, Delete, OperationName, Put, Request, Update, Value};

use super::super::super::Section;
use super::super::super::cell::{Entry, Number, entries, fold, is_nothing};
use super::super::super::params::{OperationParams, Param, params, sentence};
use super::super::super::statement::Sentences;
use super::super::super::value::Scope;
use super::super::Reader;
use super::super::columns::{Column, Columns};
use super::super::structure::said;
use super::{piece_text, scope};
use crate::markdown::{Page, Phrase, Piece, Table};

impl Reader {
    /// AP ID | Description | Operation | Items | Conditions.
    pub(in super::super) fn writes(&mut self, table: &Table, page: &Page) {
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
                let params = self.request_params(&mut of_requests, (at, name), several, &scope);
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
                    let checks = !matches!(&action, Action::Check(it) if it.condition.is_none());
                    if !checks && place.is_none() {
                        self.problems.unconditional(statement);
                    }
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
                self.known_item(&action, statement);
                self.complete(&mut action);
                Some((action, statement))
            }
            Err(error) => {
                // The words of the whole entry: a code span may be only a part of a sentence.
                let text: String = entry.pieces.iter().map(|piece| piece_text(*piece)).collect();
                match self.loose_action(&text, name, scope) {
                    Some(action) => Some((action, statement)),
                    None => {
                        if !self.names_unknown_item(statement) {
                            self.problems.syntax(statement, &error);
                        }
                        None
                    }
                }
            }
        }
    }

    /// Says so where an action names an item type that nothing describes.
    fn known_item(&mut self, action: &Action, statement: Phrase<'_>) {
        let item = match action {
            Action::Put(put) => &put.item,
            Action::Update(update) => &update.item,
            Action::Delete(it) | Action::Check(it) => &it.item,
        };
        // A document that describes no item types leaves them to another one.
        if !self.is_complete && !self.design.items.is_empty() && self.design.item(item).is_none() {
            let words = statement.as_str();
            let written = words.find(item.as_str()).map_or(words, |at| &words[at..at + item.len()]);
            self.report_unknown_item(statement.part(written));
        }
    }

    /// Whether what follows the verb of a sentence is the name of no item type; reported then.
    fn names_unknown_item(&mut self, statement: Phrase<'_>) -> bool {
        let mut words = statement.words();
        let verb = words.next().is_some_and(|word| {
            ["put", "update", "delete", "check"].iter().any(|verb| word.as_str().eq_ignore_ascii_case(verb))
        });
        let Some(name) = words.next().filter(|_| verb && !self.design.items.is_empty()) else { return false };
        let is_name = name.as_str().chars().all(|next| next.is_alphanumeric() || next == '_');
        if is_name && self.design.item(name.as_str()).is_none() {
            self.report_unknown_item(name);
        }
        is_name && self.design.item(name.as_str()).is_none()
    }

    fn report_unknown_item(&mut self, name: Phrase<'_>) {
        let names = Suggestions::new(self.design.items.iter().map(|item| item.name.as_str()));
        self.problems.unknown_item(name, names.nearest(name.as_str()));
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
                when: Vec::new(),
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
                let (condition, fails_as, each, when) = (None, None, None, Vec::new());
                let delete = Delete { table, item, key, condition, fails_as, each, when };
                if other == "delete" { Action::Delete(delete) } else { Action::Check(delete) }
            }
        })
    }

    /// The condition of an action; where it stands.
    fn condition(&mut self, action: &mut Action, entry: &Entry<'_>, scope: &Scope) -> Option<At<String>> {
        let mut parts = entry.pieces.iter().filter(|piece| !piece_text(**piece).trim().is_empty());
        let first = parts.clone().next().copied()?;
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
        let failure = parts.position(says_failure).and_then(|_| entry.codes().last());
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
}

fn says_failure(piece: &Piece<'_>) -> bool {
    matches!(piece, Piece::Text(text) if fold(text.as_str()) == "failsas")
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

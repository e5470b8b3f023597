//! Access Pattern Mapping: one row per pattern, whose cells carry the whole operation.

use keywright_dynamodb::expression::SortRange;
use keywright_model::design::{Action, Keys, Operation, OperationName, Request, Value};
use keywright_model::model::PatternKind;
use keywright_model::{Design, Model};

use super::table;
use crate::table_design::cell::{code, prose};
use crate::table_design::params::{self, RequestParams};
use crate::table_design::places::{SimpleSort, simple};
use crate::table_design::statement::{self, Sentences};
use crate::table_design::value;
use crate::table_design::{Section, action_parts, implied_main};

/// The three tables of operations.
pub(super) fn mapping(text: &mut String, design: &Design, model: Option<&Model>) {
    text.push_str("## Access Pattern Mapping\n\n");
    let sentences = Sentences::of(design);
    let sections = [Section::Reads, Section::Writes, Section::Deletes].map(|section| {
        let in_section = |(_, operation): &(usize, &Operation)| section_of(operation, model) == section;
        (section, design.operations.iter().enumerate().filter(in_section).collect::<Vec<_>>())
    });
    // The tables tell the order of operations, unless a design mixes reads and writes.
    let in_order = sections.iter().flat_map(|(_, operations)| operations).map(|(at, _)| at).is_sorted();
    let position = |at: usize| (!in_order).then_some(at + 1);
    for (section, operations) in sections {
        text.push_str(&format!("### {}\n\n", section.title()));
        if operations.is_empty() {
            text.push_str("None.\n\n");
            continue;
        }
        match section {
            Section::Reads => table(
                text,
                &[
                    "AP ID",
                    "Description",
                    "Operation",
                    "Table/GSI",
                    "PK",
                    "SK Condition",
                    "SK Value",
                    "Params",
                ],
                operations.into_iter().map(|(at, operation)| read_row(operation, position(at), &sentences)),
            ),
            Section::Writes | Section::Deletes => table(
                text,
                &["AP ID", "Description", "Operation", "Items", "Conditions"],
                operations.into_iter().map(|(at, operation)| write_row(operation, position(at), &sentences)),
            ),
        }
        text.push('\n');
    }
}

/// The table that an operation is in: where the Model puts its pattern, else by what it does.
fn section_of(operation: &Operation, model: Option<&Model>) -> Section {
    let actions = || operation.requests.iter().filter_map(actions_of).flatten();
    let writes = operation.requests.iter().any(|request| actions_of(request).is_some());
    match model.and_then(|model| model.pattern(&operation.pattern)).map(|pattern| &pattern.kind) {
        Some(PatternKind::Write(_)) => Section::Writes,
        Some(PatternKind::Delete(_)) => Section::Deletes,
        Some(PatternKind::Read(_)) | None if !writes => Section::Reads,
        _ if actions().any(|it| matches!(it, Action::Delete(_)))
            && !actions().any(|it| matches!(it, Action::Put(_))) =>
        {
            Section::Deletes
        }
        _ => Section::Writes,
    }
}

/// The actions of a request that writes.
pub(in crate::table_design) fn actions_of(request: &Request) -> Option<&[Action]> {
    match request {
        Request::Write { action } => Some(std::slice::from_ref(action)),
        Request::TransactWriteItems { actions } | Request::BatchWriteItem { actions } => Some(actions),
        Request::GetItem(_) | Request::Query(_) | Request::BatchGetItem(_) | Request::Scan(_) => None,
    }
}

/// The name of the operation that a request is.
pub(in crate::table_design) fn name_of(request: &Request) -> OperationName {
    match request {
        Request::GetItem(_) => OperationName::GetItem,
        Request::Query(_) => OperationName::Query,
        Request::BatchGetItem(_) => OperationName::BatchGetItem,
        Request::Scan(_) => OperationName::Scan,
        Request::Write { action: Action::Put(_) } => OperationName::PutItem,
        Request::Write { action: Action::Update(_) } => OperationName::UpdateItem,
        Request::Write { action: Action::Delete(_) } => OperationName::DeleteItem,
        Request::Write { action: Action::Check(_) } | Request::TransactWriteItems { .. } => {
            OperationName::TransactWriteItems
        }
        Request::BatchWriteItem { .. } => OperationName::BatchWriteItem,
    }
}

/// One text per request, numbered where there are several.
fn numbered(texts: Vec<String>) -> String {
    if let [only] = texts.as_slice() {
        return only.clone();
    }
    let texts: Vec<String> = texts
        .iter()
        .enumerate()
        .map(|(at, text)| format!("{}. {}", at + 1, if text.is_empty() { "-" } else { text }))
        .collect();
    texts.join(" ")
}

fn names(operation: &Operation) -> String {
    numbered(operation.requests.iter().map(|request| name_of(request).to_string()).collect())
}

fn codes(texts: &[String]) -> String {
    texts.iter().map(|text| code(text)).collect::<Vec<_>>().join(", ")
}

/// The params of the whole operation.
fn operation_params(operation: &Operation, position: Option<usize>, section: Section) -> Vec<String> {
    let mut list = params::write_inputs(&operation.inputs, &operation.generated);
    let last = u32::try_from(operation.requests.len()).unwrap_or(u32::MAX).max(1);
    list.extend(params::write_outcome(&operation.outcome, last));
    list.extend(params::write_retry(operation.retry));
    let (main, index, shards) = implied_main(&operation.requests, section);
    if main != Some(operation.operation) {
        list.push(format!("MainOperation={}", operation.operation));
    }
    if index != operation.index {
        list.push(format!("MainIndex={}", operation.index.as_deref().unwrap_or("-")));
    }
    if shards != operation.shards {
        list.push(format!("MainShards={}", operation.shards));
    }
    list.extend(position.map(|position| format!("Position={position}")));
    list
}

fn read_row(operation: &Operation, position: Option<usize>, sentences: &Sentences<'_>) -> Vec<String> {
    let mut columns: [Vec<String>; 5] = Default::default();
    for request in &operation.requests {
        let cells = key_cells(request, sentences);
        for (column, cell) in columns.iter_mut().zip(cells) {
            column.push(cell);
        }
        columns[4].push(codes(&RequestParams::write(request)));
    }
    let [places, partitions, conditions, values, params] = columns;
    let all = codes(&operation_params(operation, position, Section::Reads));
    let params = join(numbered(params), all);
    vec![
        prose(&operation.pattern),
        prose(&operation.description),
        names(operation),
        numbered(places),
        numbered(partitions),
        numbered(conditions),
        numbered(values),
        params,
    ]
}

fn join(first: String, second: String) -> String {
    match (first.is_empty(), second.is_empty()) {
        (_, true) => first,
        (true, false) => second,
        (false, false) => format!("{first}, {second}"),
    }
}

/// The cells Table/GSI, PK, SK Condition and SK Value of a request.
fn key_cells(request: &Request, sentences: &Sentences<'_>) -> [String; 4] {
    let places = &sentences.places;
    let bare = |it: &Value| code(&value::write_bare(it));
    let by_equality = |table: &str, list: &[(String, Value)]| {
        let (partition, sort) = places.key(table, None);
        match list {
            [(name, it)] if partition == [name.as_str()] => [bare(it), String::new(), String::new()],
            [(name, it), (sort_name, sort_it)]
                if partition == [name.as_str()] && sort == [sort_name.as_str()] =>
            {
                [bare(it), "=".to_owned(), bare(sort_it)]
            }
            [] => Default::default(),
            list => [code(&statement::pairs(list, " AND ")), String::new(), String::new()],
        }
    };
    let [partition, condition, sort] = match request {
        Request::GetItem(get) => by_equality(&get.table, &get.key),
        Request::Query(query) => {
            match simple(&query.key, &places.key(&query.table, query.index.as_deref())) {
                None => [code(&statement::key_condition(&query.key)), String::new(), String::new()],
                Some(key) => {
                    let (condition, sort) = match key.sort {
                        SimpleSort::None => (String::new(), String::new()),
                        SimpleSort::Equal(it) => ("=".to_owned(), bare(it)),
                        SimpleSort::Range(SortRange::BeginsWith(it)) => {
                            ("begins\\_with".to_owned(), bare(it))
                        }
                        SimpleSort::Range(SortRange::Compare(comparator, it)) => {
                            (code(comparator.symbol()), bare(it))
                        }
                        SimpleSort::Range(SortRange::Between(lower, upper)) => {
                            ("BETWEEN".to_owned(), format!("{} AND {}", bare(lower), bare(upper)))
                        }
                    };
                    [bare(key.partition), condition, sort]
                }
            }
        }
        Request::BatchGetItem(batch) => match &batch.keys {
            Keys::OfRequest(request) => [format!("keys of request {request}"), String::new(), String::new()],
            Keys::Each(list) => {
                let [partition, condition, sort] = by_equality(&batch.table, list);
                [format!("each {partition}"), condition, sort]
            }
        },
        _ => Default::default(),
    };
    let place = match request {
        Request::GetItem(get) => places.write(&get.table, None),
        Request::Query(query) => places.write(&query.table, query.index.as_deref()),
        Request::BatchGetItem(batch) => places.write(&batch.table, None),
        Request::Scan(scan) => places.write(&scan.table, scan.index.as_deref()),
        _ => String::new(),
    };
    [code(&place), partition, condition, sort]
}

fn write_row(operation: &Operation, position: Option<usize>, sentences: &Sentences<'_>) -> Vec<String> {
    let mut items: Vec<String> = Vec::new();
    let mut conditions: Vec<String> = Vec::new();
    let several = operation.requests.len() > 1;
    for (at, request) in operation.requests.iter().enumerate() {
        let Some(actions) = actions_of(request) else {
            let sentence = sentences.read(request).expect("what does not write reads");
            let mut texts = vec![sentence];
            texts.extend(RequestParams::write(request));
            items.push(label(several.then_some(at + 1), None) + &codes(&texts));
            continue;
        };
        for (number, action) in actions.iter().enumerate() {
            let number = (actions.len() > 1).then_some(number + 1);
            let label = label(several.then_some(at + 1), number);
            items.push(format!("{label}{}", code(&sentences.action(action))));
            let (condition, fails_as) = action_parts(action);
            let mut parts = Vec::new();
            parts.extend(condition.map(|condition| code(&value::write_condition(condition))));
            parts.extend(fails_as.map(|text| format!("fails as {}", code(&value::name(text)))));
            if !parts.is_empty() {
                conditions.push(format!("{label}{}", parts.join(" ")));
            }
        }
    }
    let params = codes(&operation_params(operation, position, Section::Writes));
    vec![
        prose(&operation.pattern),
        prose(&operation.description),
        names(operation),
        join(items.join(" "), params),
        conditions.join(" "),
    ]
}

/// `2.1. `, `2. `, `1. ` or nothing.
fn label(request: Option<usize>, action: Option<usize>) -> String {
    match (request, action) {
        (None, None) => String::new(),
        (Some(number), None) | (None, Some(number)) => format!("{number}. "),
        (Some(request), Some(action)) => format!("{request}.{action}. "),
    }
}

/// The patterns that read any of these item types from the table itself.
pub(super) fn readers<'d>(design: &'d Design, table: &str, items: &[&str]) -> Vec<&'d str> {
    let reads = |request: &Request| match request {
        Request::GetItem(get) => get.table == table && items.contains(&get.item.as_str()),
        Request::Query(query) => {
            query.table == table
                && query.index.is_none()
                && query.items.iter().any(|item| items.contains(&item.as_str()))
        }
        _ => false,
    };
    design
        .operations
        .iter()
        .filter(|operation| operation.requests.iter().any(reads))
        .map(|operation| operation.pattern.as_str())
        .collect()
}

/// Over how many shards a request is spread.
pub(in crate::table_design) fn shards_of(request: &Request) -> u32 {
    match request {
        Request::Query(query) => query.shards(),
        _ => 1,
    }
}

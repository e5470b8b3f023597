//! Operations in words, for documents and doc comments.

use keywright_dynamodb::expression::Names;
use keywright_model::design::{
    Action, BatchGet, Design, Get, KeyValue, Keys, Limit, Operation, Query, Request, Scan, Scatter, Update,
    Value,
};
use keywright_model::model::Literal;

/// A value as documents write it: `:input`, `"TEMPLATE#<name>"`, a literal.
pub(crate) fn value(value: &Value) -> String {
    match value {
        Value::Input(name) | Value::Generated(name) => format!(":{name}"),
        Value::Read { request, attribute } => format!(":{request}.{attribute}"),
        Value::Literal(Literal::String(text)) => format!("\"{text}\""),
        Value::Literal(literal) => literal.to_string(),
        Value::Template(template) => format!("\"{template}\""),
        Value::Sum { of, plus } if *plus < 0 => format!("{} - {}", self::value(of), plus.unsigned_abs()),
        Value::Sum { of, plus } => format!("{} + {plus}", self::value(of)),
    }
}

fn key(key: &[(String, Value)]) -> String {
    key.iter().map(|(name, it)| format!("{name} = {}", value(it))).collect::<Vec<_>>().join(", ")
}

/// The primary key of an item type, written with its templates.
fn key_of_item(design: &Design, item: &str) -> Option<String> {
    let item = design.item(item)?;
    let table = design.table(&item.table)?;
    let names = std::iter::once(&table.partition).chain(&table.sort).map(|attribute| attribute.name.as_str());
    let parts = names.filter_map(|name| {
        Some(match &item.key(name)?.value {
            KeyValue::Template(template) => format!("{name} = \"{template}\""),
            KeyValue::Natural => format!("{name} = <{name}>"),
        })
    });
    Some(parts.collect::<Vec<_>>().join(", "))
}

/// The key or key condition of the request.
pub(crate) fn key_of(design: &Design, request: &Request) -> Option<String> {
    match request {
        Request::GetItem(get) => Some(key(&get.key)),
        Request::Query(query) => Some(query.key.print(&mut Names::plain(), &mut value)),
        Request::BatchGetItem(BatchGet { keys: Keys::Each(each), .. }) => Some(key(each)),
        Request::BatchGetItem(BatchGet { keys: Keys::OfRequest(request), .. }) => {
            Some(format!("the keys that request {request} found"))
        }
        Request::Scan(_) => None,
        Request::Write { action } => key_of_action(design, action),
        Request::TransactWriteItems { .. } | Request::BatchWriteItem { .. } => None,
    }
}

fn key_of_action(design: &Design, action: &Action) -> Option<String> {
    match action {
        Action::Put(put) => key_of_item(design, &put.item),
        Action::Update(update) => Some(key(&update.key)),
        Action::Delete(delete) | Action::Check(delete) => Some(key(&delete.key)),
    }
}

/// The place that the request accesses: the table, or one of its indexes.
pub(crate) fn place_of(request: &Request) -> String {
    let index = match request {
        Request::Query(Query { index, .. }) | Request::Scan(Scan { index, .. }) => index.as_deref(),
        _ => None,
    };
    index.unwrap_or("Table").to_owned()
}

/// The name of the request's DynamoDB operation.
pub(crate) fn operation_of(request: &Request) -> &'static str {
    match request {
        Request::GetItem(_) => "GetItem",
        Request::Query(_) => "Query",
        Request::BatchGetItem(_) => "BatchGetItem",
        Request::Scan(_) => "Scan",
        Request::Write { action: Action::Put(_) } => "PutItem",
        Request::Write { action: Action::Update(_) } => "UpdateItem",
        Request::Write { action: Action::Delete(_) | Action::Check(_) } => "DeleteItem",
        Request::TransactWriteItems { .. } => "TransactWriteItems",
        Request::BatchWriteItem { .. } => "BatchWriteItem",
    }
}

/// The parameters of a read, other than its key.
pub(crate) fn parameters_of(request: &Request) -> Vec<String> {
    let mut parameters = Vec::new();
    match request {
        Request::GetItem(Get { consistent, projection, .. })
        | Request::BatchGetItem(BatchGet { consistent, projection, .. }) => {
            parameters.extend(consistent.then(|| "ConsistentRead=true".to_owned()));
            parameters.extend(projected(projection));
        }
        Request::Query(query) => {
            parameters.push(format!("ScanIndexForward={}", query.forward));
            parameters.extend(limit(&query.limit));
            parameters.extend(query.consistent.then(|| "ConsistentRead=true".to_owned()));
            parameters.extend(
                query.filter.as_ref().map(|filter| {
                    format!("FilterExpression {}", filter.print(&mut Names::plain(), &mut value))
                }),
            );
            parameters.extend(projected(&query.projection));
            parameters.extend(query.count.then(|| "Select=COUNT".to_owned()));
            parameters.extend(query.scatter.iter().map(scatter));
        }
        Request::Scan(scan) => {
            parameters.extend(limit(&scan.limit));
            parameters.extend(
                scan.filter.as_ref().map(|filter| {
                    format!("FilterExpression {}", filter.print(&mut Names::plain(), &mut value))
                }),
            );
            parameters.extend(scan.count.then(|| "Select=COUNT".to_owned()));
        }
        Request::Write { .. } | Request::TransactWriteItems { .. } | Request::BatchWriteItem { .. } => {}
    }
    parameters
}

fn projected(projection: &[String]) -> Option<String> {
    (!projection.is_empty()).then(|| format!("ProjectionExpression {}", projection.join(", ")))
}

fn limit(limit: &Limit) -> Option<String> {
    match limit {
        Limit::All => None,
        Limit::First(count) => Some(format!("Limit={count}")),
        Limit::Page { default } => Some(format!("Limit={default}, paginated")),
    }
}

fn scatter(scatter: &Scatter) -> String {
    match scatter {
        Scatter::Shards { count, one_after_another: false } => {
            format!("{count} shards in parallel, merged in order")
        }
        Scatter::Shards { count, one_after_another: true } => format!("{count} shards, one after another"),
        Scatter::Values { placeholder, values } => {
            let values: Vec<String> = values.iter().map(ToString::to_string).collect();
            format!("for each {placeholder} of {}", values.join(", "))
        }
    }
}

/// An action in words: `Put Order (pk = …)`, `Update Customer (pk = …): ADD orderCount 1`.
pub(crate) fn action(design: &Design, action: &Action) -> String {
    let (text, each) = match action {
        Action::Put(put) => {
            let key = key_of_item(design, &put.item).map(|key| format!(" ({key})")).unwrap_or_default();
            let base = put
                .based_on
                .map(|request| format!(" from the item that request {request} read"))
                .unwrap_or_default();
            (format!("Put {}{key}{base}", put.item), put.each)
        }
        Action::Update(update) => {
            (format!("Update {} ({}): {}", update.item, key(&update.key), changes(update)), update.each)
        }
        Action::Delete(delete) => (format!("Delete {} ({})", delete.item, key(&delete.key)), delete.each),
        Action::Check(check) => (format!("Check {} ({})", check.item, key(&check.key)), check.each),
    };
    let each = each.map(|request| format!(", for each item that request {request} read")).unwrap_or_default();
    text + &each
}

fn changes(update: &Update) -> String {
    let mut parts = Vec::new();
    if !update.update.is_empty() {
        parts.push(update.update.print(&mut Names::plain(), &mut value));
    }
    for entry in &update.entries {
        parts.push(match (&entry.value, &entry.when) {
            (None, _) => format!("REMOVE {}", entry.attribute),
            (Some(it), None) => format!("SET {} = {}", entry.attribute, value(it)),
            (Some(it), Some(guard)) => {
                let test = match &guard.equals {
                    Some(literal) => {
                        format!("{} = {}", value(&guard.value), value(&Value::Literal(literal.clone())))
                    }
                    None => format!("{} is given", value(&guard.value)),
                };
                format!("SET {} = {} if {test}, else REMOVE it", entry.attribute, value(it))
            }
        });
    }
    parts.join("; ")
}

/// The condition of an action, and the condition of the pattern that it enforces.
pub(crate) fn condition(action: &Action) -> Option<(String, Option<&str>)> {
    let (condition, fails_as) = match action {
        Action::Put(put) => (&put.condition, &put.fails_as),
        Action::Update(update) => (&update.condition, &update.fails_as),
        Action::Delete(delete) | Action::Check(delete) => (&delete.condition, &delete.fails_as),
    };
    condition.as_ref().map(|it| (it.print(&mut Names::plain(), &mut value), fails_as.as_deref()))
}

/// The operation and place of every request, in a few words: `Query on GSI1`.
pub(crate) fn summary(operation: &Operation) -> String {
    operation
        .requests
        .iter()
        .map(|request| match request {
            Request::Query(_) | Request::Scan(_) => {
                format!("{} on {}", operation_of(request), place_of(request))
            }
            _ => operation_of(request).to_owned(),
        })
        .collect::<Vec<_>>()
        .join(", then ")
}

//! Sentences for what a request does to an item: `Update Customer KEY pk = "…" AND sk = "…" ADD orderCount 1`.

use keywright_dynamodb::expression::parse::{Parser, SyntaxError};
use keywright_dynamodb::expression::{Comparator, Condition, KeyCondition, Names, Operand, SortRange};
use keywright_model::design::{
    Action, BatchGet, Delete, EntryUpdate, Get, Guard, Keys, Put, Query, Request, Scan, Update, Value,
};
use keywright_model::{Design, design::ItemType};

use super::params::RequestParams;
use super::places::Places;
use super::value::{self, Scope};

/// Writes sentences of one design.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sentences<'d> {
    pub(super) places: Places<'d>,
    pub(super) items: &'d [ItemType],
}

impl<'d> Sentences<'d> {
    pub(super) fn of(design: &'d Design) -> Self {
        Sentences { places: Places::of(design), items: &design.items }
    }

    /// The table of an item type; the first one for an unknown type.
    fn table_of(&self, item: &str) -> String {
        self.items.iter().find(|it| it.name == item).map_or_else(|| self.places.main(), |it| it.table.clone())
    }

    /// An action on an item.
    pub(super) fn action(&self, action: &Action) -> String {
        match action {
            Action::Put(put) => {
                let mut text = self.head("Put", &put.item, &put.table, put.each);
                if let Some(request) = put.based_on {
                    text.push_str(&format!(" FROM {request}"));
                }
                if !put.values.is_empty() {
                    text.push_str(&format!(" SET {}", pairs(&put.values, ", ")));
                }
                text + &when(&put.when)
            }
            Action::Update(update) => {
                let mut text = self.head("Update", &update.item, &update.table, update.each);
                text.push_str(&key(&update.key));
                if !update.update.is_empty() {
                    text.push(' ');
                    text.push_str(&update.update.print(&mut Names::documented(), &mut value::write));
                }
                if !update.entries.is_empty() {
                    let entries: Vec<String> = update.entries.iter().map(entry).collect();
                    text.push_str(&format!(" INDEX {}", entries.join(", ")));
                }
                text
            }
            Action::Delete(delete) => {
                self.head("Delete", &delete.item, &delete.table, delete.each)
                    + &key(&delete.key)
                    + &when(&delete.when)
            }
            Action::Check(check) => {
                self.head("Check", &check.item, &check.table, check.each)
                    + &key(&check.key)
                    + &when(&check.when)
            }
        }
    }

    fn head(&self, word: &str, item: &str, table: &str, each: Option<u32>) -> String {
        let mut text = format!("{word} {}", value::name(item));
        if self.table_of(item) != table {
            text.push_str(&format!(" IN {}", value::name(table)));
        }
        if let Some(request) = each {
            text.push_str(&format!(" FOR EACH {request}"));
        }
        text
    }

    /// A read among the requests of a write.
    pub(super) fn read(&self, request: &Request) -> Option<String> {
        Some(match request {
            Request::GetItem(get) => {
                format!("GetItem {}{}", self.places.write(&get.table, None), key(&get.key))
            }
            Request::Query(query) => {
                let place = self.places.write(&query.table, query.index.as_deref());
                format!("Query {place} KEY {}", key_condition(&query.key))
            }
            Request::BatchGetItem(batch) => {
                let place = self.places.write(&batch.table, None);
                match &batch.keys {
                    Keys::OfRequest(request) => format!("BatchGetItem {place} FOR EACH {request}"),
                    Keys::Each(list) => format!("BatchGetItem {place}{}", key(list)),
                }
            }
            Request::Scan(scan) => {
                format!("Scan {}", self.places.write(&scan.table, scan.index.as_deref()))
            }
            Request::Write { .. } | Request::TransactWriteItems { .. } | Request::BatchWriteItem { .. } => {
                return None;
            }
        })
    }

    /// Reads an action; its condition stands elsewhere.
    pub(super) fn parse_action(&self, text: &str, scope: &Scope) -> Result<Action, SyntaxError> {
        let mut parser = Parser::new(text)?;
        let word = ["Put", "Update", "Delete", "Check"].into_iter().find(|word| parser.word(word));
        let Some(word) = word else {
            return Err(parser.refuse("Put, Update, Delete or Check is expected here"));
        };
        let item = parser.name()?;
        let table = if parser.word("IN") { parser.name()? } else { self.table_of(&item) };
        let each = if parser.word("FOR") {
            if !parser.word("EACH") {
                return Err(parser.refuse("EACH is expected here"));
            }
            Some(request_number(&mut parser)?)
        } else {
            None
        };
        let action = match word {
            "Put" => {
                let based_on = if parser.word("FROM") { Some(request_number(&mut parser)?) } else { None };
                let values = if parser.word("SET") {
                    parser.list(|parser| {
                        let attribute = parser.path()?;
                        if !parser.equals() {
                            return Err(parser.refuse("= is expected here"));
                        }
                        Ok((attribute, scope.value(parser.value()?)))
                    })?
                } else {
                    Vec::new()
                };
                let when = read_when(&mut parser, scope)?;
                Action::Put(Put {
                    table,
                    item,
                    values,
                    based_on,
                    condition: None,
                    fails_as: None,
                    each,
                    when,
                })
            }
            "Update" => {
                let key = read_key(&mut parser, scope)?;
                let update = parser.update()?;
                let Ok::<_, std::convert::Infallible>(update) =
                    update.try_map(&mut |term| Ok(scope.value(term)));
                let entries = if parser.word("INDEX") {
                    parser.list(|parser| read_entry(parser, scope))?
                } else {
                    Vec::new()
                };
                Action::Update(Update {
                    table,
                    item,
                    key,
                    update,
                    entries,
                    condition: None,
                    fails_as: None,
                    each,
                })
            }
            other => {
                let key = read_key(&mut parser, scope)?;
                let when = read_when(&mut parser, scope)?;
                let delete = Delete { table, item, key, condition: None, fails_as: None, each, when };
                if other == "Delete" { Action::Delete(delete) } else { Action::Check(delete) }
            }
        };
        parser.end()?;
        Ok(action)
    }

    /// Reads a read among the requests of a write.
    pub(super) fn parse_read(
        &self,
        text: &str,
        scope: &Scope,
        params: &RequestParams,
    ) -> Result<Request, SyntaxError> {
        let mut parser = Parser::new(text)?;
        let word = ["GetItem", "Query", "BatchGetItem", "Scan"].into_iter().find(|word| parser.word(word));
        let Some(word) = word else {
            return Err(parser.refuse("GetItem, Query, BatchGetItem or Scan is expected here"));
        };
        let name = parser.name()?;
        let on = if parser.word("ON") { Some(parser.name()?) } else { None };
        let place = self.places.resolve(&name, on.as_deref());
        let request = match word {
            "Query" => {
                if !parser.word("KEY") {
                    return Err(parser.refuse("KEY is expected here"));
                }
                let condition = scope.condition(parser.condition()?);
                let attributes = self.places.key(&place.table, place.index.as_deref());
                let key = key_condition_of(condition, &attributes)
                    .ok_or_else(|| parser.refuse("this is not a key condition"))?;
                query(place.table, place.index, key, params)
            }
            "GetItem" => get(place.table, read_key(&mut parser, scope)?, params),
            "BatchGetItem" => {
                let keys = if parser.word("FOR") {
                    if !parser.word("EACH") {
                        return Err(parser.refuse("EACH is expected here"));
                    }
                    Keys::OfRequest(request_number(&mut parser)?)
                } else {
                    Keys::Each(read_key(&mut parser, scope)?)
                };
                batch_get(place.table, keys, params)
            }
            _ => scan(place.table, place.index, params),
        };
        parser.end()?;
        Ok(request)
    }
}

pub(super) fn query(
    table: String,
    index: Option<String>,
    key: KeyCondition<Value>,
    params: &RequestParams,
) -> Request {
    Request::Query(Query {
        table,
        index,
        items: params.items.clone(),
        key,
        filter: params.filter.clone(),
        projection: params.projection.clone(),
        forward: !params.backward,
        limit: params.limit(),
        consistent: params.consistent,
        count: params.count,
        scatter: params.scatter.clone(),
    })
}

pub(super) fn get(table: String, key: Vec<(String, Value)>, params: &RequestParams) -> Request {
    Request::GetItem(Get {
        table,
        item: params.items.first().cloned().unwrap_or_default(),
        key,
        consistent: params.consistent,
        projection: params.projection.clone(),
        may_be_absent: params.may_be_absent,
    })
}

pub(super) fn batch_get(table: String, keys: Keys, params: &RequestParams) -> Request {
    Request::BatchGetItem(BatchGet {
        table,
        items: params.items.clone(),
        keys,
        consistent: params.consistent,
        projection: params.projection.clone(),
    })
}

pub(super) fn scan(table: String, index: Option<String>, params: &RequestParams) -> Request {
    Request::Scan(Scan {
        table,
        index,
        items: params.items.clone(),
        filter: params.filter.clone(),
        limit: params.limit(),
        count: params.count,
    })
}

/// `a = x AND b = y`.
pub(super) fn pairs(list: &[(String, Value)], between: &str) -> String {
    let mut names = Names::documented();
    let pairs: Vec<String> =
        list.iter().map(|(name, it)| format!("{} = {}", names.path(name), value::write(it))).collect();
    pairs.join(between)
}

/// A key condition as an expression.
pub(super) fn key_condition(key: &KeyCondition<Value>) -> String {
    key.print(&mut Names::documented(), &mut value::write)
}

fn key(key: &[(String, Value)]) -> String {
    if key.is_empty() { String::new() } else { format!(" KEY {}", pairs(key, " AND ")) }
}

/// What must be there for an action to be sent.
fn when(needed: &[Value]) -> String {
    let needed: Vec<String> = needed.iter().map(value::write).collect();
    if needed.is_empty() { String::new() } else { format!(" WHEN {}", needed.join(", ")) }
}

fn entry(entry: &EntryUpdate) -> String {
    let value = entry.value.as_ref().map_or_else(|| "NOTHING".to_owned(), value::write);
    let mut text = format!("{} = {value}", Names::documented().path(&entry.attribute));
    if let Some(guard) = &entry.when {
        text.push_str(&format!(" WHEN {}", value::write(&guard.value)));
        if let Some(literal) = &guard.equals {
            text.push_str(&format!(" = {}", value::literal(literal)));
        }
    }
    text
}

fn request_number(parser: &mut Parser) -> Result<u32, SyntaxError> {
    let refuse = parser.refuse("there is no such request");
    u32::try_from(parser.integer()?).map_err(|_| refuse)
}

fn read_key(parser: &mut Parser, scope: &Scope) -> Result<Vec<(String, Value)>, SyntaxError> {
    if !parser.word("KEY") {
        return Ok(Vec::new());
    }
    let mut key = Vec::new();
    loop {
        let attribute = parser.path()?;
        if !parser.equals() {
            return Err(parser.refuse("= is expected here: a key is given by equality"));
        }
        key.push((attribute, scope.value(parser.value()?)));
        if !parser.word("AND") {
            return Ok(key);
        }
    }
}

fn read_when(parser: &mut Parser, scope: &Scope) -> Result<Vec<Value>, SyntaxError> {
    if parser.word("WHEN") { parser.list(|parser| Ok(scope.value(parser.value()?))) } else { Ok(Vec::new()) }
}

fn read_entry(parser: &mut Parser, scope: &Scope) -> Result<EntryUpdate, SyntaxError> {
    let attribute = parser.path()?;
    if !parser.equals() {
        return Err(parser.refuse("= is expected here"));
    }
    let value = if parser.word("NOTHING") { None } else { Some(scope.value(parser.value()?)) };
    let when = if parser.word("WHEN") {
        let guarded = scope.value(parser.value()?);
        let equals = if parser.equals() {
            let refuse = parser.refuse("a literal such as 'OPEN' is expected here");
            Some(value::literal_of(&parser.value()?).ok_or(refuse)?)
        } else {
            None
        };
        Some(Guard { value: guarded, equals })
    } else {
        None
    };
    Ok(EntryUpdate { attribute, value, when })
}

/// A condition as one on keys: partition attributes by equality, then sort attributes, the last by a range. None where
/// DynamoDB would refuse it.
pub(super) fn key_condition_of<V>(
    condition: Condition<V>,
    (partition, _): &(Vec<&str>, Vec<&str>),
) -> Option<KeyCondition<V>> {
    let parts = match condition {
        Condition::All(parts) => parts,
        other => vec![other],
    };
    let mut key = KeyCondition { partition: Vec::new(), sort: Vec::new(), range: None };
    for part in parts {
        let (name, range) = match part {
            Condition::Compare(Operand::Path(name), Comparator::Equal, Operand::Value(value)) => {
                // Of an unknown place the first attribute is the partition key.
                let is_partition =
                    partition.contains(&name.as_str()) || (partition.is_empty() && key.partition.is_empty());
                if is_partition {
                    key.partition.push((name, value));
                } else if key.range.is_none() {
                    key.sort.push((name, value));
                } else {
                    return None;
                }
                continue;
            }
            Condition::Compare(Operand::Path(_), Comparator::NotEqual, _) => return None,
            Condition::Compare(Operand::Path(name), comparator, Operand::Value(value)) => {
                (name, SortRange::Compare(comparator, value))
            }
            Condition::Between(Operand::Path(name), Operand::Value(lower), Operand::Value(upper)) => {
                (name, SortRange::Between(lower, upper))
            }
            Condition::BeginsWith(name, value) => (name, SortRange::BeginsWith(value)),
            _ => return None,
        };
        if key.range.is_some() || partition.contains(&name.as_str()) {
            return None;
        }
        key.range = Some((name, range));
    }
    Some(key)
}

/// A key given by equality alone.
pub(super) fn equalities<V>(key: KeyCondition<V>) -> Option<Vec<(String, V)>> {
    key.range.is_none().then(|| key.partition.into_iter().chain(key.sort).collect())
}

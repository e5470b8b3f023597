//! The item types that a request can meet, where it does not name them.

use std::collections::BTreeMap;

use keywright_dynamodb::expression::{KeyCondition, SortRange};
use keywright_model::design::{ItemType, KeyValue, Request, Value};

use super::super::template::{same_shape, shape};
use super::Reader;

/// The item types by what their keys look like: a large design has hundreds, and most requests meet one.
#[derive(Debug, Default)]
pub(super) struct Meetings {
    /// By attribute, then by the shape of its template.
    templates: BTreeMap<String, BTreeMap<String, Vec<usize>>>,
    /// Item types that hold the attribute as it is, so that any value may be theirs.
    natural: BTreeMap<String, Vec<usize>>,
}

impl Meetings {
    pub(super) fn of(items: &[ItemType]) -> Self {
        let mut meetings = Self::default();
        for (at, item) in items.iter().enumerate() {
            for key in &item.keys {
                let list = match &key.value {
                    KeyValue::Template(template) => {
                        let shapes = meetings.templates.entry(key.attribute.clone()).or_default();
                        shapes.entry(shape(template)).or_default()
                    }
                    KeyValue::Natural => meetings.natural.entry(key.attribute.clone()).or_default(),
                };
                list.push(at);
            }
        }
        meetings
    }

    /// The item types whose attribute can have a value, in the order of the design.
    fn with(&self, attribute: &str, value: &Value) -> Vec<usize> {
        let mut list: Vec<usize> = self.natural.get(attribute).cloned().unwrap_or_default();
        if let Some(shapes) = self.templates.get(attribute) {
            match value {
                Value::Template(asked) => list.extend(shapes.get(&shape(asked)).into_iter().flatten()),
                _ => list.extend(shapes.values().flatten()),
            }
        }
        list.sort_unstable();
        list
    }
}

impl Reader {
    /// The item types that a request can meet, where it does not name them.
    pub(super) fn infer_items(&self, request: &mut Request) {
        match request {
            Request::Query(query) if query.items.is_empty() => {
                query.items = self.matching(&query.table, &query.key);
            }
            Request::GetItem(get) if get.item.is_empty() => {
                let mut key = get.key.iter().cloned();
                let partition: Vec<_> = key.next().into_iter().collect();
                let key = KeyCondition { partition, sort: key.collect(), range: None };
                get.item = self.matching(&get.table, &key).into_iter().next().unwrap_or_default();
            }
            _ => {}
        }
    }

    fn matching(&self, table: &str, key: &KeyCondition<Value>) -> Vec<String> {
        let Some((attribute, value)) = key.partition.first() else { return Vec::new() };
        let meets = |item: &&ItemType| {
            item.table == table
                && key.partition.iter().chain(&key.sort).all(|(name, value)| can_equal(item, name, value))
                && key.range.as_ref().is_none_or(|(name, range)| can_lie_in(item, name, range))
        };
        let with = self.meetings.with(attribute, value);
        let items = with.iter().filter_map(|at| self.design.items.get(*at));
        items.filter(meets).map(|item| item.name.clone()).collect()
    }
}

fn template_of<'i>(item: &'i ItemType, attribute: &str) -> Option<&'i KeyValue> {
    item.key(attribute).map(|key| &key.value)
}

fn can_equal(item: &ItemType, attribute: &str, value: &Value) -> bool {
    match (template_of(item, attribute), value) {
        (None, _) => false,
        (Some(KeyValue::Template(own)), Value::Template(asked)) => same_shape(own, asked),
        (Some(_), _) => true,
    }
}

fn can_lie_in(item: &ItemType, attribute: &str, range: &SortRange<Value>) -> bool {
    let Some(KeyValue::Template(own)) = template_of(item, attribute) else {
        return template_of(item, attribute).is_some();
    };
    let begins = |value: &Value| match value {
        Value::Template(asked) => {
            let (own, asked) = (shape(own), shape(asked));
            own.starts_with(&asked) || asked.starts_with(literal(&own)) && !literal(&own).is_empty()
        }
        _ => true,
    };
    match range {
        SortRange::BeginsWith(value) | SortRange::Compare(_, value) => begins(value),
        SortRange::Between(lower, upper) => begins(lower) || begins(upper),
    }
}

/// What a shape begins with before its first placeholder.
fn literal(shape: &str) -> &str {
    shape.split('<').next().unwrap_or_default()
}

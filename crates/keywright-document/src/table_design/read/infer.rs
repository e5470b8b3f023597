//! What a design that was written by hand leaves unsaid: tables, indexes, inputs, keys of a write.

use std::collections::BTreeSet;

use keywright_model::design::source::{IndexSource, KeySource, TableSource};
use keywright_model::design::{
    Action, Index, KeyAssignment, KeyAttribute, KeyValue, Parameter, Projection, Request, Table, Value,
};
use keywright_model::model::{Role, Type};

use super::super::cell::fold;
use super::super::template::places;
use super::Reader;
use super::meeting::Meetings;

impl Reader {
    /// Completes what item types show of tables and indexes.
    pub(super) fn finish_items(&mut self) {
        self.same_attributes();
        if self.design.tables.is_empty() && !self.design.items.is_empty() {
            let used = |name: &str| self.design.items.iter().any(|item| item.key(name).is_some());
            let (partition, sort) =
                (self.partition_name(), self.key_labels.1.clone().unwrap_or_else(|| "SK".to_owned()));
            let sort = used(&sort).then(|| KeyAttribute::string(sort));
            let name = "Table".to_owned();
            let ttl = self.source.items.iter().find_map(|item| item.ttl.as_ref());
            let ttl = ttl.and_then(|ttl| ttl.value.split_whitespace().next()).map(str::to_owned);
            self.design.tables.push(Table { name, partition: KeyAttribute::string(partition), sort, ttl });
            self.source.tables.push(TableSource::default());
        }
        self.unlisted_indexes();
        if !self.is_complete {
            self.natural_keys();
        }
        self.meetings = Meetings::of(&self.design.items);
    }

    /// `Same as X`.
    fn same_attributes(&mut self) {
        for (at, other) in std::mem::take(&mut self.same_as) {
            let wanted = fold(&other);
            let found = self.design.items.iter().position(|item| fold(&item.name) == wanted);
            let Some(found) = found.filter(|found| *found != at) else { continue };
            let attributes = self.design.items[found].attributes.clone();
            self.source.items[at].attributes = vec![self.source.items[at].name; attributes.len()];
            self.design.items[at].attributes = attributes;
        }
    }

    /// Indexes whose key attributes items have, and that no table lists.
    fn unlisted_indexes(&mut self) {
        let listed: BTreeSet<String> = self
            .design
            .indexes
            .iter()
            .flat_map(Index::key)
            .map(|key| key.name.clone())
            .chain(self.design.tables.iter().flat_map(Table::key).map(|key| key.name.clone()))
            .collect();
        for (item, source) in self.design.items.iter().zip(&self.source.items) {
            for (key, KeySource { label, .. }) in item.keys.iter().zip(&source.keys) {
                let lower = key.attribute.to_ascii_lowercase();
                let is_partition = lower.ends_with("pk");
                if listed.contains(&key.attribute)
                    || !(is_partition || lower.ends_with("sk"))
                    || lower.len() < 3
                {
                    continue;
                }
                let name = key.attribute[..key.attribute.len() - 2].trim_end_matches(['_', '-']).to_owned();
                let at = self.design.indexes.iter().position(|it| it.table == item.table && it.name == name);
                let at = at.unwrap_or_else(|| {
                    self.design.indexes.push(Index {
                        name,
                        table: item.table.clone(),
                        partition: Vec::new(),
                        sort: Vec::new(),
                        projection: Projection::All,
                        purpose: None,
                    });
                    self.source.indexes.push(IndexSource { name: *label, ..IndexSource::default() });
                    self.design.indexes.len() - 1
                });
                let index = &mut self.design.indexes[at];
                let list = if is_partition { &mut index.partition } else { &mut index.sort };
                if list.is_empty() {
                    list.push(KeyAttribute::string(key.attribute.clone()));
                }
            }
        }
    }

    /// An index on natural names: an item that holds the attribute is in it, where no item type says otherwise.
    fn natural_keys(&mut self) {
        let keys: Vec<(String, String)> = self
            .design
            .indexes
            .iter()
            .flat_map(|index| index.key().map(|key| (index.table.clone(), key.name.clone())))
            .filter(|(_, name)| !self.design.items.iter().any(|item| item.key(name).is_some()))
            .collect();
        for (item, source) in self.design.items.iter_mut().zip(&mut self.source.items) {
            for (_, name) in keys.iter().filter(|(table, _)| *table == item.table) {
                let Some(at) = item.attributes.iter().position(|it| it.name == *name) else { continue };
                if item.key(name).is_some() {
                    continue;
                }
                let span = source.attributes.get(at).copied().unwrap_or(source.name);
                item.keys.push(KeyAssignment {
                    attribute: name.clone(),
                    value: KeyValue::Natural,
                    sparse: None,
                });
                source
                    .keys
                    .push(KeySource { label: span, value: keywright_model::At::assumed(name.clone(), span) });
            }
        }
    }

    /// `Put Post` and no more: the item with all its attributes, each an input of the same name.
    pub(super) fn whole_puts(&self, mut requests: Vec<Request>) -> Vec<Request> {
        let actions = requests.iter_mut().flat_map(|request| match request {
            Request::Write { action } => std::slice::from_mut(action),
            Request::TransactWriteItems { actions } | Request::BatchWriteItem { actions } => actions,
            _ => &mut [],
        });
        for action in actions {
            let Action::Put(put) = action else { continue };
            if put.values.is_empty()
                && put.based_on.is_none()
                && let Some(item) = self.design.item(&put.item)
            {
                let names = item.attributes.iter().map(|attribute| attribute.name.clone());
                put.values = names.map(|name| (name.clone(), Value::Input(name))).collect();
            }
        }
        requests
    }

    /// What a Put takes in as an attribute has the attribute's type, and may be left out where an item may lack it.
    pub(super) fn put_inputs(&self, requests: &[Request], inputs: &mut [Parameter]) {
        let actions = requests.iter().flat_map(|request| match request {
            Request::Write { action } => std::slice::from_ref(action),
            Request::TransactWriteItems { actions } | Request::BatchWriteItem { actions } => actions,
            _ => &[],
        });
        for action in actions {
            let Action::Put(put) = action else { continue };
            let Some(item) = self.design.item(&put.item) else { continue };
            for (name, value) in &put.values {
                let Some(attribute) = item.attribute(name) else { continue };
                let input = inputs.iter_mut().find(|input| *value == Value::Input(input.name.clone()));
                if let Some(input) = input {
                    input.ty = attribute.ty;
                    input.optional = attribute.optional;
                }
            }
        }
    }

    /// The primary key of an item type as its templates give it, the placeholders being inputs of the same names.
    pub(super) fn own_key(&self, item: &str) -> Vec<(String, Value)> {
        let Some(item) = self.design.item(item) else { return Vec::new() };
        let Some(table) = self.design.table(&item.table) else { return Vec::new() };
        table
            .key()
            .filter_map(|key| {
                let value = match &item.key(&key.name)?.value {
                    KeyValue::Template(template) => Value::Template(template.clone()),
                    KeyValue::Natural => Value::Input(key.name.clone()),
                };
                Some((key.name.clone(), value))
            })
            .collect()
    }
}

/// The inputs that values name, in the order in which they come up.
pub(super) fn inputs_of<'v>(
    values: impl IntoIterator<Item = &'v Value>,
    known: &BTreeSet<String>,
) -> Vec<Parameter> {
    let mut inputs: Vec<Parameter> = Vec::new();
    for value in values {
        collect(value, &mut |name| {
            if !known.contains(name)
                && name != "shard"
                && !name.starts_with(|it: char| it.is_ascii_digit())
                && !inputs.iter().any(|it| it.name == name)
            {
                inputs.push(Parameter {
                    name: name.to_owned(),
                    ty: Type::String,
                    role: Role::Equal,
                    attribute: Some(name.to_owned()),
                    optional: false,
                    list: false,
                });
            }
        });
    }
    inputs
}

fn collect(value: &Value, take: &mut impl FnMut(&str)) {
    match value {
        Value::Input(name) => take(name),
        Value::Template(template) => places(template).for_each(take),
        Value::Sum { of, .. } => collect(of, take),
        Value::Generated(_) | Value::Read { .. } | Value::Literal(_) => {}
    }
}

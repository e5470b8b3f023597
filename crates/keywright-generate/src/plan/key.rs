//! Key builders: how the key attributes of an item type are built from its attributes.

use keywright_model::Design;
use keywright_model::design::{Action, ItemType, KeyAssignment, KeyValue, Request};
use keywright_model::model::Type;

use super::model::{type_name, value_name};
use super::{Name, Part, parts};

/// How a key attribute of an item type is built.
#[derive(Clone, Debug)]
pub struct KeyBuilder<'a> {
    /// The name in programs, from the item type and the key attribute.
    pub name: Name,
    /// The item type.
    pub item: &'a ItemType,
    /// The assignment: key attribute, value, and when an item has it.
    pub assignment: &'a KeyAssignment,
    /// The index that the attribute is a key of; `None` for the table.
    pub index: Option<&'a str>,
    /// The attributes that the value is built from, without repetition.
    pub parts: Vec<KeyPart<'a>>,
    /// The patterns whose operations use the key.
    pub patterns: Vec<&'a str>,
}

impl<'a> KeyBuilder<'a> {
    /// Whether a function is needed: a natural key is the attribute itself.
    pub fn builds(&self) -> bool {
        self.assignment.value != KeyValue::Natural
    }

    /// The template's text, or a single placeholder where the key is natural.
    pub fn template(&self) -> String {
        match &self.assignment.value {
            KeyValue::Template(template) => template.clone(),
            KeyValue::Natural => format!("<{}>", self.assignment.attribute),
        }
    }
}

/// An attribute that a key is built from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyPart<'a> {
    /// The name in programs.
    pub name: Name,
    /// The attribute.
    pub attribute: &'a str,
    /// Its type.
    pub ty: Type,
    /// Its encoding in the key; empty for plain text.
    pub encoding: &'a str,
}

pub(super) fn builders(design: &Design) -> Vec<KeyBuilder<'_>> {
    design
        .items
        .iter()
        .flat_map(|item| item.keys.iter().map(move |assignment| builder(design, item, assignment)))
        .collect()
}

fn builder<'a>(design: &'a Design, item: &'a ItemType, assignment: &'a KeyAssignment) -> KeyBuilder<'a> {
    let index = design
        .indexes
        .iter()
        .find(|index| index.table == item.table && index.key().any(|key| key.name == assignment.attribute))
        .filter(|_| {
            // An attribute that is a key of both the table and an index counts as the table's.
            design
                .table(&item.table)
                .is_none_or(|table| table.key().all(|key| key.name != assignment.attribute))
        })
        .map(|index| index.name.as_str());
    let natural = [Part::Value { name: &assignment.attribute, encoding: "" }];
    let template = match &assignment.value {
        KeyValue::Template(template) => parts(template),
        KeyValue::Natural => natural.to_vec(),
    };
    let mut key_parts: Vec<KeyPart<'a>> = Vec::new();
    for part in template {
        if let Part::Value { name, encoding } = part
            && key_parts.iter().all(|it| it.attribute != name)
        {
            let ty = item.attribute(name).map_or(Type::String, |attribute| attribute.ty);
            key_parts.push(KeyPart { name: value_name(name), attribute: name, ty, encoding });
        }
    }
    let patterns = design
        .operations
        .iter()
        .filter(|operation| operation.requests.iter().any(|request| uses(request, item, assignment, index)))
        .map(|operation| operation.pattern.as_str())
        .collect();
    KeyBuilder {
        name: Name::joined([&type_name(&item.name), &Name::new(&assignment.attribute)]),
        item,
        assignment,
        index,
        parts: key_parts,
        patterns,
    }
}

/// Whether a request builds this key of the item type.
fn uses(request: &Request, item: &ItemType, assignment: &KeyAssignment, index: Option<&str>) -> bool {
    let reads = |items: &[String], of: Option<&str>| items.contains(&item.name) && of == index;
    match request {
        Request::GetItem(get) => get.item == item.name && index.is_none(),
        Request::Query(query) => reads(&query.items, query.index.as_deref()),
        Request::BatchGetItem(batch) => reads(&batch.items, None),
        Request::Scan(_) => false,
        Request::Write { action } => writes(action, item, assignment, index),
        Request::TransactWriteItems { actions } | Request::BatchWriteItem { actions } => {
            actions.iter().any(|action| writes(action, item, assignment, index))
        }
    }
}

fn writes(action: &Action, item: &ItemType, assignment: &KeyAssignment, index: Option<&str>) -> bool {
    match action {
        Action::Put(put) => put.item == item.name,
        Action::Update(update) => {
            update.item == item.name
                && (index.is_none() || update.entries.iter().any(|it| it.attribute == assignment.attribute))
        }
        Action::Delete(delete) | Action::Check(delete) => delete.item == item.name && index.is_none(),
    }
}

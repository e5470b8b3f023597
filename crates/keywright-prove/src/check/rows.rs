//! Items that came back, as the records that they stand for.

use keywright_dynamodb::value::Item;
use keywright_key::Template;
use keywright_model::design::{ItemType, KeyValue, Operation};
use keywright_model::model::{Pattern, Read};
use keywright_model::{Design, Model};

use crate::interpret::key;
use crate::oracle::{Row, initial, wanted_attributes};

/// The rows that items stand for, in the order of the items; an error in words where an item is no part of the answer.
pub(super) fn of_items(
    model: &Model,
    design: &Design,
    pattern: &Pattern,
    read: &Read,
    operation: &Operation,
    items: &[Item],
) -> Result<Vec<Row>, String> {
    let mut rows = Vec::new();
    for item in items {
        let item_type = type_of(design, operation, item)?;
        let before = rows.len();
        for entity in &item_type.entities {
            let asked = pattern.entities.iter().any(|name| name.value == *entity);
            if asked && is_there(model, item_type, entity, item) {
                let wanted = wanted_attributes(model, read, entity);
                let value = |name: &str| match key::at(item, name) {
                    None => initial(model, entity, name),
                    Some(value) => Some(value.clone()),
                };
                let attributes = wanted.into_iter().filter_map(|name| Some((name.clone(), value(&name)?)));
                rows.push(Row { entity: entity.clone(), attributes: attributes.collect() });
            }
        }
        if rows.len() == before {
            let why = if item_type.entities.len() > 1 { "holds nothing that" } else { "is not what" };
            return Err(format!(
                "the result holds an item of type {}, which {why} the pattern asks for",
                item_type.name
            ));
        }
    }
    Ok(rows)
}

/// The type of an item that came back: as it says itself, else the only one that it can be.
fn type_of<'d>(design: &'d Design, operation: &Operation, item: &Item) -> Result<&'d ItemType, String> {
    let named = design.type_attribute.as_ref().and_then(|attribute| item.get(attribute)?.as_s());
    if let Some(name) = named {
        let known =
            operation.outcome.items.is_empty() || operation.outcome.items.iter().any(|one| one == name);
        return match design.item(name) {
            Some(item_type) if known => Ok(item_type),
            _ => {
                Err(format!("the result holds an item of type {name}, which the operation does not declare"))
            }
        };
    }
    let candidates: Vec<&ItemType> =
        operation.outcome.items.iter().filter_map(|name| design.item(name)).collect();
    if let [only] = candidates.as_slice() {
        return Ok(only);
    }
    // Several types without a type attribute: their keys tell them apart.
    let fits = |item_type: &&&ItemType| {
        item_type.keys.iter().all(|assignment| match (&assignment.value, item.get(&assignment.attribute)) {
            (KeyValue::Template(template), Some(value)) => {
                let parsed = Template::parse(template).ok();
                parsed.zip(value.as_s()).is_some_and(|(template, key)| template.parse_key(key).is_ok())
            }
            _ => true,
        })
    };
    let fitting: Vec<&&ItemType> = candidates.iter().filter(fits).collect();
    match fitting.as_slice() {
        [only] => Ok(only),
        _ => Err("the result holds an item of unknown type".into()),
    }
}

/// Whether an item of a type that merges entities holds this one.
fn is_there(model: &Model, item_type: &ItemType, entity: &str, item: &Item) -> bool {
    if item_type.entities.len() == 1 || item_type.entities.first().is_some_and(|first| first == entity) {
        return true;
    }
    let Some(declared) = model.entity(entity) else { return false };
    item_type
        .attributes
        .iter()
        .filter(|attribute| attribute.entity.as_deref() == Some(entity))
        .filter(|attribute| !declared.identity_names().any(|name| name == attribute.name))
        .any(|attribute| key::at(item, &attribute.name).is_some())
}

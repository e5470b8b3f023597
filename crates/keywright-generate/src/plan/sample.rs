//! Sample items: a few per item type. Equal attributes get equal values, so that parents and children match.

use std::collections::BTreeMap;

use keywright_key::Template;
use keywright_model::Design;
use keywright_model::design::{ItemAttribute, ItemType, KeyValue};
use keywright_model::model::Type;
use serde_json::{Value, json};

/// The number of sample items per type.
pub const SAMPLES: usize = 3;

/// The sample items of a type in DynamoDB JSON. Items whose primary key can't be built are left out.
pub fn samples(design: &Design, item: &ItemType) -> Vec<BTreeMap<String, Value>> {
    (0..SAMPLES).filter_map(|number| sample(design, item, number)).collect()
}

fn sample(design: &Design, item: &ItemType, number: usize) -> Option<BTreeMap<String, Value>> {
    let expiry = design.table(&item.table).and_then(|table| table.ttl.as_deref());
    let mut texts: BTreeMap<&str, String> = BTreeMap::new();
    let mut sample: BTreeMap<String, Value> = BTreeMap::new();
    for attribute in &item.attributes {
        let ty = if expiry == Some(attribute.name.as_str()) { Type::Integer } else { attribute.ty };
        let (text, value) = attribute_value(attribute, ty, number);
        texts.insert(&attribute.name, text);
        match attribute.name.split_once('.') {
            None => {
                sample.insert(attribute.name.clone(), value);
            }
            Some((first, rest)) => {
                let map = sample.entry(first.to_owned()).or_insert_with(|| json!({ "M": {} }));
                map["M"][rest] = value;
            }
        }
    }
    if let Some(attribute) = &design.type_attribute {
        sample.insert(attribute.clone(), json!({ "S": item.name }));
    }
    for key in &item.keys {
        let KeyValue::Template(template) = &key.value else { continue };
        if let Some(sparse) = &key.sparse {
            let value = texts.get(sparse.attribute.as_str());
            let wanted = sparse.equals.as_ref().map(ToString::to_string);
            if value.is_none() || wanted.is_some() && value != wanted.as_ref() {
                continue;
            }
        }
        let built =
            Template::parse(template).ok()?.build_from_text(|name| texts.get(name).map(String::as_str));
        let primary =
            design.table(&item.table).is_some_and(|table| table.key().any(|it| it.name == key.attribute));
        match built {
            Ok(built) => {
                sample.insert(key.attribute.clone(), json!({ "S": built }));
            }
            Err(_) if primary => return None,
            Err(_) => {}
        }
    }
    Some(sample)
}

/// A sample value, as the text for key templates and as DynamoDB JSON.
fn attribute_value(attribute: &ItemAttribute, ty: Type, number: usize) -> (String, Value) {
    let name = attribute.name.rsplit('.').next().unwrap_or(&attribute.name);
    let at = number + 1;
    match ty {
        Type::Number | Type::Integer => {
            let most = attribute.max.unwrap_or(u64::MAX);
            let number = if most < 10 * SAMPLES as u64 { at as u64 } else { 10 * at as u64 };
            let text = number.min(most).to_string();
            (text.clone(), json!({ "N": text }))
        }
        Type::Decimal => {
            let text = match attribute.max {
                Some(most) if most < 10 * (SAMPLES as u64 + 1) => format!("0.{at}"),
                _ => format!("{at}9.95"),
            };
            (text.clone(), json!({ "N": text }))
        }
        Type::Boolean => {
            let flag = number.is_multiple_of(2);
            (flag.to_string(), json!({ "BOOL": flag }))
        }
        Type::List => (String::new(), json!({ "L": [{ "S": format!("{name}-{at}") }] })),
        Type::Map => (String::new(), json!({ "M": { "name": { "S": format!("{name}-{at}") } } })),
        Type::Set => (String::new(), json!({ "SS": [format!("{name}-{at}")] })),
        Type::Binary => (String::new(), json!({ "B": "a2V5" })),
        _ => {
            let text = match ty {
                Type::Enum if !attribute.values.is_empty() => {
                    attribute.values[number % attribute.values.len()].clone()
                }
                Type::Ulid => format!("01J00000000000000000000{at:03}"),
                Type::Uuid => format!("01900000-0000-7000-8000-000000000{at:03}"),
                Type::Ksuid => format!("2ccccccccccccccccccccccc{at:03}"),
                Type::Datetime => format!("2026-01-{:02}T10:30:00.000Z", 14 + at),
                Type::Date => format!("2026-01-{:02}", 14 + at),
                _ => format!("{name}-{at}"),
            };
            (text.clone(), json!({ "S": text }))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sample_ids_are_canonical() {
        for (encoding, ty) in [("ulid", Type::Ulid), ("uuid", Type::Uuid), ("ksuid", Type::Ksuid)] {
            let attribute = ItemAttribute {
                name: "id".into(),
                ty,
                optional: false,
                values: Vec::new(),
                max: None,
                entity: None,
            };
            let (text, _) = attribute_value(&attribute, ty, 1);
            let template = Template::parse(&format!("<id:{encoding}>")).expect("the encoding exists");
            assert_eq!(template.build_from_text(|_| Some(text.as_str())).expect("it is canonical"), text);
        }
    }
}

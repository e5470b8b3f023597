//! An example of an item: made-up values of its attributes, and the keys that its templates build from them.

use std::collections::BTreeMap;

use keywright_key::Template;
use keywright_model::Design;
use keywright_model::design::{ItemAttribute, ItemType, KeyValue};
use keywright_model::model::{Literal, Type};
use serde_json::{Value as Json, json};

/// The example as JSON, keys first, then the type, then the attributes in their order.
pub(super) fn item(design: &Design, item: &ItemType) -> String {
    let samples = Samples::of(design, item);
    let mut fields: Vec<(String, Json)> = Vec::new();
    for key in &item.keys {
        let value = match &key.value {
            KeyValue::Template(template) => samples.build(template),
            KeyValue::Natural => Some(samples.natural(&key.attribute)),
        };
        fields.extend(value.map(|value| (key.attribute.clone(), value)));
    }
    if let Some(type_attribute) = &design.type_attribute {
        fields.push((type_attribute.clone(), json!(item.name)));
    }
    for attribute in &item.attributes {
        let value = samples.values.get(attribute.name.as_str()).cloned().unwrap_or(Json::Null);
        nest(&mut fields, &attribute.name, value);
    }
    let lines: Vec<String> =
        fields.iter().map(|(name, value)| format!("  {}: {value}", Json::from(name.as_str()))).collect();
    if lines.is_empty() { "{}".to_owned() } else { format!("{{\n{}\n}}", lines.join(",\n")) }
}

/// Puts `location.country` into the map `location`; what is there already stays.
fn nest(fields: &mut Vec<(String, Json)>, name: &str, value: Json) {
    let (first, rest) = match name.split_once('.') {
        Some((first, rest)) => (first, Some(rest)),
        None => (name, None),
    };
    let at = match fields.iter().position(|(field, _)| field == first) {
        Some(at) => at,
        None => {
            let empty = if rest.is_some() { json!({}) } else { value.clone() };
            fields.push((first.to_owned(), empty));
            fields.len() - 1
        }
    };
    if let (Some(rest), Json::Object(map)) = (rest, &mut fields[at].1) {
        map.entry(rest).or_insert(value);
    }
}

/// One value per attribute.
struct Samples<'d> {
    values: BTreeMap<&'d str, Json>,
}

impl<'d> Samples<'d> {
    fn of(design: &'d Design, item: &'d ItemType) -> Self {
        let ttl = design.table(&item.table).and_then(|table| table.ttl.as_deref());
        let mut values: BTreeMap<&str, Json> = item
            .attributes
            .iter()
            .map(|attribute| {
                let is_ttl = ttl == Some(attribute.name.as_str());
                (attribute.name.as_str(), if is_ttl { json!(1_800_000_000) } else { sample(attribute) })
            })
            .collect();
        // The example is an item that is in every index that it can be in.
        for sparse in item.keys.iter().filter_map(|key| key.sparse.as_ref()) {
            if let Some(literal) = &sparse.equals {
                values.insert(&sparse.attribute, of_literal(literal));
            }
        }
        Samples { values }
    }

    fn natural(&self, attribute: &str) -> Json {
        self.values.get(attribute).cloned().unwrap_or_else(|| json!(format!("{attribute}-1")))
    }

    /// The key that a template builds, none where it can't be built from these values.
    fn build(&self, template: &str) -> Option<Json> {
        let template = Template::parse(template).ok()?;
        let texts: BTreeMap<&str, String> = template
            .attributes()
            .iter()
            .map(|name| {
                let text = match self.natural(name) {
                    Json::String(text) => text,
                    other => other.to_string(),
                };
                (name.as_str(), text)
            })
            .collect();
        let key = template.build_from_text(|name| texts.get(name).map(String::as_str)).ok()?;
        Some(Json::from(key))
    }
}

fn of_literal(literal: &Literal) -> Json {
    match literal {
        Literal::String(text) => json!(text),
        Literal::Number(number) => serde_json::from_str(number).unwrap_or_else(|_| json!(number)),
        Literal::Boolean(flag) => json!(flag),
    }
}

fn sample(attribute: &ItemAttribute) -> Json {
    if let Some(first) = attribute.values.first() {
        return json!(first);
    }
    let short = attribute.name.rsplit('.').next().unwrap_or(&attribute.name);
    match attribute.ty {
        Type::String | Type::Enum => json!(format!("{short}-1")),
        Type::Text => json!(format!("Some {short}.")),
        Type::Number | Type::Integer => json!(42),
        Type::Decimal => json!(19.5),
        Type::Boolean => json!(true),
        Type::Datetime => json!("2026-01-15T10:30:00.000Z"),
        Type::Date => json!("2026-01-15"),
        Type::List => json!([]),
        Type::Map => json!({}),
        Type::Set => json!(["a"]),
        Type::Binary => json!("AAEC"),
        Type::Ulid => json!("01KF0M9ZM0SGQ7YXJ4T2WB3C5D"),
        Type::Uuid => json!("019bc1a3-7f40-7a12-9c3d-5e6f70819a2b"),
        Type::Ksuid => json!("2uqv1jnlAjRgVxs7vVfyRLrPmbH"),
    }
}

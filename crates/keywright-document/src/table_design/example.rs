//! An example of an item: made-up values of its attributes, and the keys that its templates build from them.

use std::collections::BTreeMap;

use keywright_key::{Encoding, Placeholder, Template};
use keywright_model::Design;
use keywright_model::design::{ItemAttribute, ItemType, KeyAssignment, KeyValue};
use keywright_model::model::{Literal, Type};
use serde_json::{Value as Json, json};

/// The example as JSON, keys first, then the type, then the attributes in their order.
pub(super) fn item(design: &Design, item: &ItemType) -> String {
    let samples = Samples::of(design, item);
    let mut fields: Vec<(String, Json)> = Vec::new();
    for key in item.keys.iter().filter(|key| samples.has(key)) {
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
        let templates: Vec<Template> = item
            .keys
            .iter()
            .filter_map(|key| match &key.value {
                KeyValue::Template(template) => Template::parse(template).ok(),
                KeyValue::Natural => None,
            })
            .collect();
        let encodings = |name: &str| -> Vec<&Encoding> {
            let places = templates.iter().flat_map(Template::placeholders);
            places.filter(|place| place.name() == name).map(Placeholder::encoding).collect()
        };
        let mut values: BTreeMap<&str, Json> = item
            .attributes
            .iter()
            .map(|attribute| {
                let name = attribute.name.as_str();
                let is_ttl = ttl == Some(name);
                (name, if is_ttl { json!(1_800_000_000) } else { sample(attribute, &encodings(name)) })
            })
            .collect();
        // The example is an item that is in as many indexes as one item can be in: the first of those that want different
        // values of an attribute has its way.
        for sparse in item.keys.iter().rev().filter_map(|key| key.sparse.as_ref()) {
            if let Some(literal) = &sparse.equals {
                values.insert(&sparse.attribute, of_literal(literal));
            }
        }
        Samples { values }
    }

    /// Whether an item with these values has a key.
    fn has(&self, key: &KeyAssignment) -> bool {
        let Some(sparse) = &key.sparse else { return true };
        let value = self.values.get(sparse.attribute.as_str());
        value.is_some_and(|value| sparse.equals.as_ref().is_none_or(|wanted| of_literal(wanted) == *value))
    }

    fn natural(&self, attribute: &str) -> Json {
        self.values.get(attribute).cloned().unwrap_or_else(|| json!(format!("{attribute}-1")))
    }

    /// The key that a template builds, none where it can't be built from these values.
    fn build(&self, template: &str) -> Option<Json> {
        let template = Template::parse(template).ok()?;
        let texts: BTreeMap<&str, String> =
            template.attributes().iter().map(|name| (name.as_str(), text_of(&self.natural(name)))).collect();
        let key = template.build_from_text(|name| texts.get(name).map(String::as_str)).ok()?;
        Some(Json::from(key))
    }
}

/// A value as a key takes it.
fn text_of(value: &Json) -> String {
    match value {
        Json::String(text) => text.clone(),
        other => other.to_string(),
    }
}

fn of_literal(literal: &Literal) -> Json {
    match literal {
        Literal::String(text) => json!(text),
        Literal::Number(number) => serde_json::from_str(number).unwrap_or_else(|_| json!(number)),
        Literal::Boolean(flag) => json!(flag),
    }
}

/// A value that the attribute may have and that the keys can hold: the plainest that all of them take.
fn sample(attribute: &ItemAttribute, encodings: &[&Encoding]) -> Json {
    let mut plain: Vec<Json> = match attribute.values.as_slice() {
        [] => of_type(attribute),
        values => values.iter().map(|value| json!(value)).collect(),
    };
    // What somebody wrote by hand may say more in the key than in the list of attributes.
    let declared = encodings.iter().find_map(|encoding| match encoding {
        Encoding::Enumeration(enumeration) => enumeration.values().first(),
        _ => None,
    });
    plain.extend(declared.map(|value| json!(value)));
    let taken = |value: &&Json| {
        let text = text_of(value);
        encodings.iter().all(|encoding| encoding.read(&text).is_ok_and(|it| encoding.encode(&it).is_ok()))
    };
    plain.iter().find(taken).or(plain.first()).cloned().unwrap_or(Json::Null)
}

/// Values of an attribute's type within its maximum, the one to show first.
fn of_type(attribute: &ItemAttribute) -> Vec<Json> {
    let short = attribute.name.rsplit('.').next().unwrap_or(&attribute.name);
    let most = attribute.max.unwrap_or(u64::MAX);
    let text = |text: String| {
        json!(text.chars().take(usize::try_from(most).unwrap_or(usize::MAX)).collect::<String>())
    };
    match attribute.ty {
        Type::String | Type::Enum => vec![text(format!("{short}-1"))],
        Type::Text => vec![text(format!("Some {short}."))],
        Type::Number | Type::Integer => {
            [42, 7, 1, 0].into_iter().filter(|it| *it <= most).map(|it| json!(it)).collect()
        }
        Type::Decimal if most >= 20 => vec![json!(19.5), json!(1.5), json!(0.5), json!(1), json!(0)],
        Type::Decimal => vec![json!(0.5), json!(0)],
        Type::Boolean => vec![json!(true)],
        Type::Datetime => vec![json!("2026-01-15T10:30:00.000Z")],
        Type::Date => vec![json!("2026-01-15")],
        Type::List => vec![json!([])],
        Type::Map => vec![json!({})],
        Type::Set => vec![json!(["a"])],
        Type::Binary => vec![json!("AAEC")],
        Type::Ulid => vec![json!("01KF0M9ZM0SGQ7YXJ4T2WB3C5D")],
        Type::Uuid => vec![json!("019bc1a3-7f40-7a12-9c3d-5e6f70819a2b")],
        Type::Ksuid => vec![json!("2uqv1jnlAjRgVxs7vVfyRLrPmbH")],
    }
}

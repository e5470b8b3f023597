//! Attribute values: paths, texts for keys, order, and typed reading.

use std::cmp::Ordering;
use std::collections::HashMap;

use keywright::Decimal;

use super::{AttributeValue, Error, Item, Order, Schema};

/// The value at a path: the attribute with that exact name, else the value nested in maps.
pub fn at<'i>(item: &'i Item, path: &str) -> Option<&'i AttributeValue> {
    if let Some(value) = item.get(path) {
        return Some(value);
    }
    let (first, rest) = path.split_once('.')?;
    match item.get(first)? {
        AttributeValue::M(map) => at(map, rest),
        _ => None,
    }
}

/// Sets the value at a path and creates the maps on the way.
pub(super) fn put(item: &mut Item, path: &str, value: AttributeValue) {
    match path.split_once('.') {
        None => {
            item.insert(path.to_owned(), value);
        }
        Some((first, rest)) => {
            let within = item.entry(first.to_owned()).or_insert_with(|| AttributeValue::M(HashMap::new()));
            if let AttributeValue::M(map) = within {
                put(map, rest, value);
            }
        }
    }
}

/// The text of a value for a key template.
pub fn key_text(value: &AttributeValue) -> Option<String> {
    match value {
        AttributeValue::S(text) | AttributeValue::N(text) => Some(text.clone()),
        AttributeValue::Bool(flag) => Some(flag.to_string()),
        _ => None,
    }
}

pub(super) fn by_order(a: &Item, b: &Item, order: &[Order]) -> Ordering {
    order.iter().fold(Ordering::Equal, |so_far, part| {
        so_far.then_with(|| {
            let (a, b) = (at(a, part.attribute), at(b, part.attribute));
            let ordering = match (rank(part, a), rank(part, b)) {
                (Some(a), Some(b)) => a.cmp(&b),
                _ => compare(a, b),
            };
            if part.descending { ordering.reverse() } else { ordering }
        })
    })
}

/// The position of a value among those that are declared.
fn rank(part: &Order, value: Option<&AttributeValue>) -> Option<usize> {
    let Some(AttributeValue::S(text)) = value else { return None };
    part.values.iter().position(|it| it == text)
}

/// Compares two values; an absent one comes first.
fn compare(a: Option<&AttributeValue>, b: Option<&AttributeValue>) -> Ordering {
    match (a, b) {
        (Some(AttributeValue::S(a)), Some(AttributeValue::S(b))) => a.as_bytes().cmp(b.as_bytes()),
        (Some(AttributeValue::N(a)), Some(AttributeValue::N(b))) => match (a.parse::<Decimal>(), b.parse::<Decimal>()) {
            (Ok(a), Ok(b)) => a.cmp(&b),
            _ => Ordering::Equal,
        },
        (Some(AttributeValue::Bool(a)), Some(AttributeValue::Bool(b))) => a.cmp(b),
        (Some(AttributeValue::B(a)), Some(AttributeValue::B(b))) => a.as_ref().cmp(b.as_ref()),
        (Some(_), Some(_)) => Ordering::Equal,
        (a, b) => a.is_some().cmp(&b.is_some()),
    }
}

/// The type of an item, of these candidates: by its type attribute, or by its key if that is not projected.
pub fn type_of<'n>(schema: &Schema, item: &Item, candidates: &[&'n str]) -> Option<&'n str> {
    if let Some(AttributeValue::S(stated)) = schema.type_attribute.and_then(|attribute| item.get(attribute)) {
        return candidates.iter().copied().find(|name| name == stated);
    }
    candidates.iter().copied().find(|name| {
        let Some(item_type) = schema.items.iter().find(|it| it.name == *name) else { return false };
        let primary = schema.table_key(item_type.table);
        item_type.keys.iter().filter(|key| primary.contains(&key.attribute)).all(|key| {
            let text = item.get(key.attribute).and_then(key_text);
            let template = keywright::Template::parse(key.template);
            matches!((text, template), (Some(text), Ok(template)) if template.parse_key(&text).is_ok())
        })
    })
}

/// Reads the attributes of an item. Errors name the attribute that is missing or of another type.
#[derive(Clone, Copy, Debug)]
pub struct Reader<'i> {
    item_type: &'static str,
    item: &'i Item,
}

impl<'i> Reader<'i> {
    /// A reader of an item of that type.
    pub fn new(item_type: &'static str, item: &'i Item) -> Self {
        Reader { item_type, item }
    }

    fn malformed(&self, path: &str) -> Error {
        Error::MalformedItem(format!("{}: `{path}` is missing or of another type", self.item_type))
    }

    /// Reads an attribute with one of the other methods; `None` if it is absent.
    pub fn optional<T>(&self, path: &str, read: fn(&Self, &str) -> Result<T, Error>) -> Result<Option<T>, Error> {
        at(self.item, path).map(|_| read(self, path)).transpose()
    }

    /// A text.
    pub fn text(&self, path: &str) -> Result<String, Error> {
        match at(self.item, path) {
            Some(AttributeValue::S(text) | AttributeValue::N(text)) => Ok(text.clone()),
            _ => Err(self.malformed(path)),
        }
    }

    /// A whole number.
    pub fn integer(&self, path: &str) -> Result<i64, Error> {
        let number = at(self.item, path).and_then(|value| value.as_n().ok());
        number.and_then(|number| number.parse().ok()).ok_or_else(|| self.malformed(path))
    }

    /// A number.
    pub fn decimal(&self, path: &str) -> Result<Decimal, Error> {
        let number = at(self.item, path).and_then(|value| value.as_n().ok());
        number.and_then(|number| number.parse().ok()).ok_or_else(|| self.malformed(path))
    }

    /// True or false.
    pub fn flag(&self, path: &str) -> Result<bool, Error> {
        at(self.item, path).and_then(|value| value.as_bool().ok()).copied().ok_or_else(|| self.malformed(path))
    }

    /// Bytes.
    pub fn binary(&self, path: &str) -> Result<Vec<u8>, Error> {
        let bytes = at(self.item, path).and_then(|value| value.as_b().ok());
        bytes.map(|bytes| bytes.as_ref().to_vec()).ok_or_else(|| self.malformed(path))
    }

    /// A list.
    pub fn list(&self, path: &str) -> Result<Vec<AttributeValue>, Error> {
        at(self.item, path).and_then(|value| value.as_l().ok()).cloned().ok_or_else(|| self.malformed(path))
    }

    /// A map.
    pub fn map(&self, path: &str) -> Result<HashMap<String, AttributeValue>, Error> {
        at(self.item, path).and_then(|value| value.as_m().ok()).cloned().ok_or_else(|| self.malformed(path))
    }

    /// A set of texts.
    pub fn set(&self, path: &str) -> Result<Vec<String>, Error> {
        match at(self.item, path) {
            Some(AttributeValue::Ss(texts) | AttributeValue::Ns(texts)) => Ok(texts.clone()),
            _ => Err(self.malformed(path)),
        }
    }
}

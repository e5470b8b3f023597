//! Values in scope of a request, by attribute: what the caller gives, what was made up, what was read.

use std::collections::BTreeMap;

use keywright_model::design::Value;
use keywright_model::model::Literal;

use crate::naming::Encoding;
use crate::problem::{Attr, Attrs, EntityFacts};

/// The values that a request may use for an entity's attributes.
#[derive(Clone, Debug, Default)]
pub(super) struct Scope {
    values: BTreeMap<Attr, Value>,
    /// What attributes become that depends on what was read, as placeholders say it.
    told: BTreeMap<Attr, String>,
}

impl Scope {
    pub(super) fn set(&mut self, attr: Attr, value: Value) {
        self.values.insert(attr, value);
    }

    /// Says what an attribute becomes: `1.score + points`, `newName else 1.name`.
    pub(super) fn set_told(&mut self, attr: Attr, told: String) {
        self.told.insert(attr, told);
    }

    /// The value by which a guard goes: what it becomes, also where the caller leaves it out.
    pub(super) fn becomes(&self, attr: Attr) -> Option<Value> {
        match self.told.get(&attr) {
            Some(told) => Some(Value::Template(format!("<{told}>"))),
            None => self.get(attr).cloned(),
        }
    }

    pub(super) fn get(&self, attr: Attr) -> Option<&Value> {
        self.values.get(&attr)
    }

    /// The attributes that have a value.
    pub(super) fn attrs(&self) -> Attrs {
        self.values.keys().copied().collect()
    }

    /// All attributes of what a request read.
    pub(super) fn read(entity: &EntityFacts, request: u32) -> Self {
        let mut scope = Scope::default();
        for (position, attribute) in entity.attributes.iter().enumerate() {
            let value = Value::Read { request, attribute: attribute.name.clone() };
            scope.set(Attr::new(position), value);
        }
        scope
    }

    /// This scope, with the identifier that names the item among several of its entity.
    pub(super) fn named(mut self, by: &Option<(Attr, String)>) -> Self {
        if let Some((identifier, input)) = by {
            self.set(*identifier, Value::Input(input.clone()));
        }
        self
    }

    /// This scope, with another for what it lacks.
    pub(super) fn or(mut self, other: Scope) -> Self {
        for (attr, value) in other.values {
            self.values.entry(attr).or_insert(value);
        }
        self
    }

    /// The segment of a template that stands for an attribute; the attribute's own name where it is unknown.
    pub(super) fn segment(&self, entity: &EntityFacts, attr: Attr, encoding: &Encoding) -> String {
        let facts = entity.attribute(attr);
        if let (Some(bucket), None) = (facts.bucket, self.get(attr)) {
            // Who knows the instant knows its period.
            return match self.get(bucket.of) {
                Some(Value::Literal(literal)) => written_text(literal, bucket.period.encoding()),
                _ => self.segment(entity, bucket.of, encoding),
            };
        }
        if let Some(told) = self.told.get(&attr) {
            return placeholder(told, encoding);
        }
        match self.get(attr) {
            Some(Value::Literal(literal)) => literal_text(literal, encoding),
            Some(Value::Input(name) | Value::Generated(name)) => placeholder(name, encoding),
            Some(Value::Read { request, attribute }) => {
                placeholder(&format!("{request}.{attribute}"), encoding)
            }
            Some(Value::Template(_) | Value::Sum { .. }) | None => placeholder(&facts.name, encoding),
        }
    }
}

/// A placeholder with its encoding.
pub(super) fn placeholder(name: &str, encoding: &Encoding) -> String {
    match encoding.name() {
        Some(encoding) => format!("<{name}:{encoding}>"),
        None => format!("<{name}>"),
    }
}

/// A fixed value as it stands in a key.
fn literal_text(literal: &Literal, encoding: &Encoding) -> String {
    match (literal, encoding) {
        (Literal::Number(number), Encoding::Integer { digits, descending: false, signed: false }) => {
            format!("{number:0>digits$}")
        }
        (Literal::Number(number), Encoding::Integer { digits, descending: true, signed: false }) => {
            let most = 10u128.saturating_pow(*digits as u32) - 1;
            let number: u128 = number.parse().unwrap_or(0);
            format!("{:0>digits$}", most.saturating_sub(number))
        }
        (Literal::Number(_), Encoding::Integer { signed: true, .. }) => {
            encoding.name().map_or_else(|| literal.to_string(), |name| written_text(literal, &name))
        }
        (literal, Encoding::Written(Some(name))) => written_text(literal, name),
        (literal, Encoding::Rank { .. }) => {
            encoding.name().map_or_else(|| literal.to_string(), |name| written_text(literal, &name))
        }
        (literal, Encoding::Named { name: name @ ("y" | "ym" | "ymd" | "ymdh"), .. }) => {
            written_text(literal, name)
        }
        (Literal::Boolean(flag), Encoding::Named { name: "booldesc", .. }) => u8::from(!flag).to_string(),
        (Literal::Boolean(flag), _) => u8::from(*flag).to_string(),
        (literal, _) => literal.to_string(),
    }
}

/// A fixed value in an encoding that a table has already.
fn written_text(literal: &Literal, encoding: &str) -> String {
    let text = literal.to_string();
    keywright_key::Template::parse(&format!("<value:{encoding}>"))
        .ok()
        .and_then(|template| template.build_from_text(|_| Some(text.as_str())).ok())
        .unwrap_or_else(|| text.clone())
}

//! The values that the steps of a call can use, and the expressions that are built from them.

use std::collections::HashMap;

use keywright::Template;

use super::value::{at, key_text};
use super::{AttributeValue, Clause, Error, Input, Inputs, Item, Pair, Schema, Value};

/// The values in scope.
#[derive(Clone, Debug, Default)]
pub(super) struct Scope {
    pub(super) inputs: Inputs,
    pub(super) generated: Item,
    /// The items that each step has read so far; empty for a write.
    pub(super) reads: Vec<Vec<Item>>,
    /// The current item of a repeated action: the step that read it, and its position.
    pub(super) at_hand: Option<(usize, usize)>,
    /// The current element of the list inputs in a batch of keys.
    pub(super) element: Option<usize>,
    /// The values of the placeholders of a scattered Query.
    pub(super) scattered: Vec<(&'static str, &'static str)>,
}

impl Scope {
    /// The value; `None` if an input that it needs was left out.
    pub(super) fn value(&self, value: &Value) -> Result<Option<Input>, Error> {
        let one = |value: AttributeValue| Some(Input::One(value));
        Ok(match value {
            Value::Given(name) => self.input(name),
            Value::Generated(name) => self.generated.get(*name).cloned().and_then(one),
            Value::Found(step, attribute) => self.read(*step, attribute).cloned().and_then(one),
            Value::Text(text) => one(AttributeValue::S((*text).to_owned())),
            Value::Number(text) => one(AttributeValue::N((*text).to_owned())),
            Value::Flag(flag) => one(AttributeValue::Bool(*flag)),
            Value::Key(template) => self.key(template)?.map(AttributeValue::S).and_then(one),
            Value::Bound(template) => self.bound(template)?.map(AttributeValue::S).and_then(one),
            Value::Sum(of, plus) => {
                let base = match self.value(of)? {
                    Some(Input::One(value)) => key_text(&value).unwrap_or_default(),
                    _ => "0".to_owned(),
                };
                let number: i64 =
                    base.parse().map_err(|_| Error::MalformedItem(format!("`{base}` is not a whole number")))?;
                one(AttributeValue::N((number + plus).to_string()))
            }
        })
    }

    /// A single value; `None` for a list or an absent value.
    pub(super) fn single(&self, value: &Value) -> Result<Option<AttributeValue>, Error> {
        Ok(self.value(value)?.and_then(|input| match input {
            Input::One(value) => Some(value),
            Input::Many(_) => None,
        }))
    }

    fn input(&self, name: &str) -> Option<Input> {
        match (self.inputs.get(name)?, self.element) {
            (Input::Many(values), Some(element)) => values.get(element).cloned().map(Input::One),
            (input, _) => Some(input.clone()),
        }
    }

    /// The current item of those that a step read, or the first.
    pub(super) fn read_item(&self, step: usize) -> Option<&Item> {
        let index = self.at_hand.filter(|(from, _)| *from == step).map_or(0, |(_, index)| index);
        self.items(step).get(index)
    }

    /// The items that a step read.
    pub(super) fn items(&self, step: usize) -> &[Item] {
        step.checked_sub(1).and_then(|at| self.reads.get(at)).map_or(&[], Vec::as_slice)
    }

    fn read(&self, step: usize, attribute: &str) -> Option<&AttributeValue> {
        at(self.read_item(step)?, attribute)
    }

    /// The text of a template's placeholder.
    fn named(&self, name: &str) -> Option<String> {
        if let Some((_, value)) = self.scattered.iter().find(|(placeholder, _)| *placeholder == name) {
            return Some((*value).to_owned());
        }
        if let Some((new, old)) = name.split_once(" else ") {
            return self.named(new).or_else(|| self.named(old));
        }
        for (sign, minus) in [(" + ", false), (" - ", true)] {
            if let Some((of, by)) = name.split_once(sign) {
                return self.total(of, by, minus);
            }
        }
        if let Some((step, attribute)) = name.split_once('.')
            && let Ok(step) = step.parse()
        {
            return self.read(step, attribute).and_then(key_text);
        }
        match self.input(name) {
            Some(Input::One(value)) => key_text(&value),
            Some(Input::Many(_)) => None,
            None => self.generated.get(name).and_then(key_text),
        }
    }

    /// A number with an amount added to or subtracted from it. A base or amount that is not a whole number is
    /// returned unchanged, so that the encoding refuses it.
    fn total(&self, of: &str, by: &str, minus: bool) -> Option<String> {
        let base = self.named(of).unwrap_or_else(|| "0".to_owned());
        let is_number = by.bytes().all(|byte| byte.is_ascii_digit());
        let step = if is_number { by.to_owned() } else { self.named(by)? };
        let (Ok(number), Ok(added)) = (base.parse::<i128>(), step.parse::<i128>()) else {
            return Some(if base.parse::<i128>().is_ok() { step } else { base });
        };
        Some(if minus { number - added } else { number + added }.to_string())
    }

    fn key(&self, template: &str) -> Result<Option<String>, Error> {
        build(template, |name| self.named(name))
    }

    /// A leading part of a key, whose last text is escaped as before a separator. A `$` at the end of the
    /// template makes it an inclusive upper bound: it is the byte after the separator.
    fn bound(&self, template: &str) -> Result<Option<String>, Error> {
        let closed = template.strip_suffix('$').filter(|open| open.ends_with('>'));
        let built = self.key(&format!("{}#", closed.unwrap_or(template)))?;
        Ok(built.map(|mut key| {
            key.pop();
            if closed.is_some() {
                key.push('$');
            }
            key
        }))
    }

    /// A whole primary key.
    pub(super) fn primary_key(&self, pairs: &[Pair]) -> Result<Item, Error> {
        pairs
            .iter()
            .map(|(attribute, value)| match self.single(value)? {
                Some(value) => Ok(((*attribute).to_owned(), value)),
                None => Err(Error::MalformedItem(format!("there is no value for the key {attribute}"))),
            })
            .collect()
    }
}

/// Builds a template from values; `None` if one is absent.
pub(super) fn build(template: &str, lookup: impl Fn(&str) -> Option<String>) -> Result<Option<String>, Error> {
    let template = Template::parse(template).map_err(|error| Error::InvalidKey(error.to_string()))?;
    let mut values: HashMap<&str, String> = HashMap::new();
    for name in template.attributes() {
        match lookup(name) {
            Some(text) => values.insert(name, text),
            None => return Ok(None),
        };
    }
    let built = template.build_from_text(|name| values.get(name).map(String::as_str));
    built.map(Some).map_err(|error| Error::InvalidKey(error.to_string()))
}

/// The alias of an attribute.
pub(super) fn alias(attribute: &str) -> String {
    if attribute.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_') {
        return format!("#{attribute}");
    }
    let bytes: String = attribute.bytes().map(|byte| format!("{byte:02x}")).collect();
    format!("#x_{bytes}")
}

/// The expressions of one request, with their shared names and values.
#[derive(Debug)]
pub(super) struct Expressions<'c> {
    scope: &'c Scope,
    schema: &'static Schema,
    names: HashMap<String, String>,
    values: Item,
}

impl<'c> Expressions<'c> {
    pub(super) fn new(scope: &'c Scope, schema: &'static Schema) -> Self {
        Expressions { scope, schema, names: HashMap::new(), values: HashMap::new() }
    }

    /// Records the aliases in the text and returns it.
    pub(super) fn aliased(&mut self, text: &str) -> String {
        for part in text.split('#').skip(1) {
            let end = part.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(part.len());
            let alias = format!("#{}", &part[..end]);
            let odd = self.schema.aliases.iter().find(|(odd, _)| *odd == alias).map(|(_, name)| *name);
            self.names.insert(alias.clone(), odd.unwrap_or(&alias[1..]).to_owned());
        }
        text.to_owned()
    }

    /// Adds a value and returns its alias.
    pub(super) fn value(&mut self, value: AttributeValue) -> String {
        let alias = format!(":v{}", self.values.len());
        self.values.insert(alias.clone(), value);
        alias
    }

    /// `attribute = value`.
    pub(super) fn equals(&mut self, attribute: &str, value: AttributeValue) -> String {
        let path = self.aliased(&alias(attribute));
        format!("{path} = {}", self.value(value))
    }

    /// A clause with its values filled in; `None` if one is absent.
    pub(super) fn clause(&mut self, text: &str, values: &[Value]) -> Result<Option<String>, Error> {
        let mut inputs = Vec::new();
        for value in values {
            match self.scope.value(value)? {
                None => return Ok(None),
                Some(Input::Many(several)) if several.is_empty() => return Ok(None),
                Some(input) => inputs.push(input),
            }
        }
        let mut text = self.aliased(text);
        for (at, input) in inputs.into_iter().enumerate() {
            let aliases = match input {
                Input::One(value) => self.value(value),
                // A list input becomes a list of its elements.
                Input::Many(values) => {
                    values.into_iter().map(|value| self.value(value)).collect::<Vec<_>>().join(", ")
                }
            };
            text = text.replace(&format!("{{{at}}}"), &aliases);
        }
        Ok(Some(text))
    }

    /// The clauses whose values are present, and the replacements of those whose values are absent.
    pub(super) fn clauses(&mut self, clauses: &[Clause]) -> Result<Vec<String>, Error> {
        let mut texts = Vec::new();
        for clause in clauses {
            match self.clause(clause.text, clause.values)? {
                Some(text) => texts.push(text),
                None if clause.otherwise.is_empty() => {}
                None => texts.push(self.aliased(clause.otherwise)),
            }
        }
        Ok(texts)
    }

    /// The conjunction of all clauses; `None` if none is left.
    pub(super) fn all(&mut self, clauses: &[Clause]) -> Result<Option<String>, Error> {
        let texts = self.clauses(clauses)?;
        Ok((!texts.is_empty()).then(|| texts.join(" AND ")))
    }

    /// A projection; `None` if there are no paths.
    pub(super) fn projection(&mut self, paths: &[&str]) -> Option<String> {
        (!paths.is_empty()).then(|| self.aliased(&paths.join(", ")))
    }

    /// The names that the expressions use; `None` if there are none.
    pub(super) fn names(&self) -> Option<HashMap<String, String>> {
        (!self.names.is_empty()).then(|| self.names.clone())
    }

    /// The values that the expressions use; `None` if there are none.
    pub(super) fn values(&self) -> Option<Item> {
        (!self.values.is_empty()).then(|| self.values.clone())
    }
}

//! The values that the requests of one call can name: inputs, generated values, and what earlier requests read.

use std::collections::BTreeMap;

use keywright_dynamodb::expression::{
    Assigned, Condition, KeyCondition, Operand, SortRange, Update as UpdateExpression,
};
use keywright_dynamodb::number::Number;
use keywright_dynamodb::value::{AttributeValue, Item};
use keywright_model::Design;
use keywright_model::design::{Guard, Value, as_it_was_read, else_in, sum_in};

use crate::interpret::{Fault, key};

/// What a caller gives for one input: a value, or several for a list.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Given {
    /// One value.
    One(AttributeValue),
    /// Several.
    Many(Vec<AttributeValue>),
}

impl Given {
    /// The one value.
    pub(crate) fn one(&self) -> Option<&AttributeValue> {
        if let Given::One(value) = self { Some(value) } else { None }
    }

    /// All values.
    pub(crate) fn all(&self) -> &[AttributeValue] {
        match self {
            Given::One(value) => std::slice::from_ref(value),
            Given::Many(values) => values,
        }
    }
}

/// The inputs of a call, by name. What the caller leaves out is not there.
pub(crate) type Inputs = BTreeMap<String, Given>;

/// The values in scope.
#[derive(Clone, Debug, Default)]
pub(crate) struct Scope {
    pub(crate) inputs: Inputs,
    pub(crate) generated: BTreeMap<String, AttributeValue>,
    /// What each request read so far; empty for a write.
    pub(crate) reads: Vec<Vec<Item>>,
    /// The item at hand of an action with `each`: the request that read it, and which one.
    pub(crate) at_hand: Option<(u32, usize)>,
    /// The element of the list inputs that a batch of keys is at.
    pub(crate) element: Option<usize>,
    /// Placeholders that a scattered Query fills: the shard, and values of enumerations.
    pub(crate) scattered: Vec<(String, String)>,
}

impl Scope {
    /// A value; none where it comes from an input that the caller left out, or an attribute that is absent.
    pub(crate) fn value(&self, value: &Value) -> Result<Option<AttributeValue>, Fault> {
        Ok(match value {
            Value::Input(name) => self.input(name),
            Value::Generated(name) => self.generated.get(name).cloned(),
            Value::Read { request, attribute } => self.read(*request, attribute).cloned(),
            Value::Literal(literal) => Some(key::literal(literal)),
            Value::Template(template) => {
                key::build(template, &|name| self.named(name))?.map(AttributeValue::S)
            }
            Value::Sum { of, plus } => {
                // A number that was never written counts from zero.
                let base = self.value(of)?.unwrap_or_else(|| AttributeValue::from(0));
                let number = base
                    .as_n()
                    .and_then(as_integer)
                    .ok_or_else(|| Fault::NotANumber { value: crate::show::plain(&base).to_string() })?;
                Some(AttributeValue::from(number + plus))
            }
        })
    }

    /// A value where a key condition ends with it.
    fn bound(
        &self,
        design: &Design,
        items: &[String],
        attribute: &str,
        value: &Value,
    ) -> Result<Option<AttributeValue>, Fault> {
        let Value::Template(template) = value else { return self.value(value) };
        let goes_on = key::goes_on(design, items, attribute, template);
        Ok(key::build_bound(template, goes_on, &|name| self.named(name))?.map(AttributeValue::S))
    }

    fn input(&self, name: &str) -> Option<AttributeValue> {
        match (self.inputs.get(name)?, self.element) {
            (Given::One(value), _) => Some(value.clone()),
            (Given::Many(values), Some(at)) => values.get(at).cloned(),
            (Given::Many(values), None) => Some(AttributeValue::L(values.clone())),
        }
    }

    fn read(&self, request: u32, attribute: &str) -> Option<&AttributeValue> {
        let items = self.reads.get(request.checked_sub(1)? as usize)?;
        let at = match self.at_hand {
            Some((from, at)) if from == request => at,
            _ => 0,
        };
        key::at(items.get(at)?, attribute)
    }

    /// What a template's placeholder stands for, as text.
    fn named(&self, name: &str) -> Option<String> {
        if let Some((_, value)) = self.scattered.iter().find(|(placeholder, _)| placeholder == name) {
            return Some(value.clone());
        }
        if let Some((new, old)) = else_in(name) {
            return self.named(new).or_else(|| self.named(old));
        }
        if let Some((of, by, minus)) = sum_in(name) {
            return self.total(of, by, minus);
        }
        if let Some((request, attribute)) = name.split_once('.')
            && let Ok(request) = request.parse()
        {
            return self.read(request, attribute).and_then(key::text);
        }
        let value = self.input(name).or_else(|| self.generated.get(name).cloned())?;
        key::text(&value)
    }

    /// A number and what is added to it. What is no whole number stays as it is: an encoding refuses it.
    fn total(&self, of: &str, by: &str, minus: bool) -> Option<String> {
        let base = self.named(of).unwrap_or_else(|| "0".to_owned());
        let is_number = by.bytes().all(|byte| byte.is_ascii_digit());
        let step = if is_number { by.to_owned() } else { self.named(by)? };
        let (Ok(number), Ok(added)) = (base.parse::<i128>(), step.parse::<i128>()) else {
            return Some(if base.parse::<i128>().is_ok() { step } else { base });
        };
        Some(if minus { number - added } else { number + added }.to_string())
    }

    /// Whether a guard lets an index entry be set.
    pub(crate) fn holds(&self, guard: &Guard) -> Result<bool, Fault> {
        Ok(match (self.value(&guard.value)?, &guard.equals) {
            (None, _) => false,
            (Some(_), None) => true,
            (Some(value), Some(wanted)) => key::same(&value, wanted),
        })
    }

    /// A condition with its values filled in; none where nothing of it is left because inputs are.
    pub(crate) fn condition(
        &self,
        condition: &Condition<Value>,
    ) -> Result<Option<Condition<AttributeValue>>, Fault> {
        let several = |parts: &[Condition<Value>]| -> Result<Vec<Condition<AttributeValue>>, Fault> {
            parts.iter().filter_map(|part| self.condition(part).transpose()).collect()
        };
        Ok(match condition {
            Condition::Compare(left, comparator, right) => {
                match (self.operand(left)?, self.operand(right)?) {
                    (Some(left), Some(right)) => Some(Condition::Compare(left, *comparator, right)),
                    _ => as_it_was_read(condition).map(|path| Condition::NotExists(path.to_owned())),
                }
            }
            Condition::Between(subject, lower, upper) => {
                match (self.operand(subject)?, self.operand(lower)?, self.operand(upper)?) {
                    (Some(subject), Some(lower), Some(upper)) => {
                        Some(Condition::Between(subject, lower, upper))
                    }
                    _ => None,
                }
            }
            Condition::In(subject, list) => {
                let Some(subject) = self.operand(subject)? else { return Ok(None) };
                let mut values = Vec::new();
                for operand in list {
                    match self.operand(operand)? {
                        // A list input stands for its elements.
                        Some(Operand::Value(AttributeValue::L(several))) => {
                            values.extend(several.into_iter().map(Operand::Value));
                        }
                        Some(operand) => values.push(operand),
                        None => {}
                    }
                }
                (!values.is_empty()).then_some(Condition::In(subject, values))
            }
            Condition::Exists(path) => Some(Condition::Exists(path.clone())),
            Condition::NotExists(path) => Some(Condition::NotExists(path.clone())),
            Condition::Type(path, value) => {
                self.value(value)?.map(|value| Condition::Type(path.clone(), value))
            }
            Condition::BeginsWith(path, value) => {
                self.value(value)?.map(|value| Condition::BeginsWith(path.clone(), value))
            }
            Condition::Contains(path, value) => {
                self.value(value)?.map(|value| Condition::Contains(path.clone(), value))
            }
            Condition::All(parts) => Condition::all(several(parts)?),
            Condition::Any(parts) => {
                let parts = several(parts)?;
                (!parts.is_empty()).then_some(Condition::Any(parts))
            }
            Condition::Not(part) => self.condition(part)?.map(|part| Condition::Not(Box::new(part))),
        })
    }

    fn operand(&self, operand: &Operand<Value>) -> Result<Option<Operand<AttributeValue>>, Fault> {
        Ok(match operand {
            Operand::Path(path) => Some(Operand::Path(path.clone())),
            Operand::Size(path) => Some(Operand::Size(path.clone())),
            Operand::Value(value) => self.value(value)?.map(Operand::Value),
        })
    }

    /// A key condition with its values filled in. A range whose input is absent falls away, and with it what follows.
    pub(crate) fn key_condition(
        &self,
        design: &Design,
        items: &[String],
        condition: &KeyCondition<Value>,
    ) -> Result<KeyCondition<AttributeValue>, Fault> {
        let mut partition = Vec::new();
        for (name, value) in &condition.partition {
            let value = self.value(value)?.ok_or_else(|| Fault::Absent { name: name.clone() })?;
            partition.push((name.clone(), value));
        }
        let mut sort = Vec::new();
        for (name, value) in &condition.sort {
            match self.value(value)? {
                Some(value) => sort.push((name.clone(), value)),
                None => return Ok(KeyCondition { partition, sort, range: None }),
            }
        }
        let range = match &condition.range {
            None => None,
            Some((name, range)) => {
                let bound = |value| self.bound(design, items, name, value);
                let range = match range {
                    SortRange::BeginsWith(value) => bound(value)?.map(SortRange::BeginsWith),
                    SortRange::Compare(comparator, value) => {
                        bound(value)?.map(|value| SortRange::Compare(*comparator, value))
                    }
                    SortRange::Between(lower, upper) => match (bound(lower)?, bound(upper)?) {
                        (Some(lower), Some(upper)) => Some(SortRange::Between(lower, upper)),
                        _ => None,
                    },
                };
                range.map(|range| (name.clone(), range))
            }
        };
        Ok(KeyCondition { partition, sort, range })
    }

    /// An update with its values filled in; assignments of absent values are left out.
    pub(crate) fn update(
        &self,
        update: &UpdateExpression<Value>,
    ) -> Result<UpdateExpression<AttributeValue>, Fault> {
        let mut filled = UpdateExpression { remove: update.remove.clone(), ..UpdateExpression::default() };
        for (path, assigned) in &update.set {
            let assigned = match assigned {
                Assigned::Value(value) => self.value(value)?.map(Assigned::Value),
                Assigned::Plus(from, value) => {
                    self.value(value)?.map(|value| Assigned::Plus(from.clone(), value))
                }
                Assigned::Minus(from, value) => {
                    self.value(value)?.map(|value| Assigned::Minus(from.clone(), value))
                }
                Assigned::IfNotExists(from, value) => {
                    self.value(value)?.map(|value| Assigned::IfNotExists(from.clone(), value))
                }
                Assigned::ListAppend(from, value) => {
                    self.value(value)?.map(|value| Assigned::ListAppend(from.clone(), value))
                }
                Assigned::IfNotExistsPlus(from, start, value) => {
                    match (self.value(start)?, self.value(value)?) {
                        (Some(start), Some(value)) => {
                            Some(Assigned::IfNotExistsPlus(from.clone(), start, value))
                        }
                        _ => None,
                    }
                }
            };
            filled.set.extend(assigned.map(|assigned| (path.clone(), assigned)));
        }
        for (path, value) in &update.add {
            filled.add.extend(self.value(value)?.map(|value| (path.clone(), value)));
        }
        for (path, value) in &update.delete {
            filled.delete.extend(self.value(value)?.map(|value| (path.clone(), value)));
        }
        Ok(filled)
    }
}

/// A whole number that fits 64 bits.
pub(crate) fn as_integer(number: &Number) -> Option<i64> {
    number.to_string().parse().ok()
}

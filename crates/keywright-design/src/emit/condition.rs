//! Conditions of writes and filters of reads, as expression trees.

use keywright_dynamodb::expression::{Comparator, Condition, Operand};
use keywright_model::Model;
use keywright_model::design::Value;
use keywright_model::model::{self, AttributeRef, Bound, ConditionKind, ConditionValue, Literal, Type};

use super::scope::Scope;
use crate::problem::{Attr, Attrs, EntityFacts, Range, compared};

/// A comparison of an attribute with a value.
pub(super) fn compare(path: &str, comparator: Comparator, value: Value) -> Condition<Value> {
    Condition::Compare(Operand::Path(path.to_owned()), comparator, Operand::Value(value))
}

/// A filter for equalities that the key does not serve. An instant in ISO 8601 begins with the period in which it lies.
pub(super) fn equalities(entity: &EntityFacts, attrs: Attrs, scope: &Scope) -> Vec<Condition<Value>> {
    attrs
        .iter()
        .filter_map(|attr| {
            let given = scope.get(attr)?.clone();
            Some(match entity.attribute(attr).bucket {
                Some(bucket) => Condition::BeginsWith(entity.attribute(bucket.of).name.clone(), given),
                None => Condition::equals(entity.attribute(attr).name.clone(), given),
            })
        })
        .collect()
}

/// A filter for a range that the key does not serve.
pub(super) fn range(entity: &EntityFacts, range: &Range) -> Vec<Condition<Value>> {
    let name = entity.attribute(range.attr).name.as_str();
    let mut conditions = Vec::new();
    if let Some((input, bound)) = &range.lower {
        let comparator =
            if *bound == Bound::Inclusive { Comparator::GreaterOrEqual } else { Comparator::Greater };
        conditions.push(compare(name, comparator, Value::Input(input.clone())));
    }
    if let Some((input, bound)) = &range.upper {
        let comparator = if *bound == Bound::Inclusive { Comparator::LessOrEqual } else { Comparator::Less };
        conditions.push(compare(name, comparator, Value::Input(input.clone())));
    }
    if let Some(input) = &range.prefix {
        conditions.push(Condition::BeginsWith(name.to_owned(), Value::Input(input.clone())));
    }
    conditions
}

/// A condition of the document on the item at hand, whose partition key is `presence`; none where an item of its own
/// keeps it.
pub(super) fn stated(
    model: &Model,
    condition: &model::Condition,
    presence: &str,
    counted: Option<&str>,
) -> Option<Condition<Value>> {
    Some(match &condition.kind {
        ConditionKind::Exists { .. } => Condition::Exists(presence.to_owned()),
        ConditionKind::NotExists { .. } => Condition::NotExists(presence.to_owned()),
        ConditionKind::Compare { attribute, comparator, value } => {
            if let ConditionValue::Literal(literal) = value
                && let Some(values) = by_rank(model, attribute, *comparator, literal)
            {
                let value = |it| Operand::Value(Value::Literal(Literal::String(it)));
                let values = values.into_iter().map(value).collect();
                return Some(Condition::In(Operand::Path(attribute.attribute.clone()), values));
            }
            let operand = match value {
                ConditionValue::Literal(literal) => Operand::Value(Value::Literal(literal.clone())),
                ConditionValue::Input(input) => Operand::Value(Value::Input(input.clone())),
                ConditionValue::Attribute(name) => Operand::Path(name.clone()),
            };
            Condition::Compare(Operand::Path(attribute.attribute.clone()), *comparator, operand)
        }
        ConditionKind::OneOf { attribute, values } => Condition::In(
            Operand::Path(attribute.attribute.clone()),
            values.iter().map(|value| Operand::Value(Value::Literal(value.clone()))).collect(),
        ),
        ConditionKind::Held { attribute, held: true } => Condition::Exists(attribute.attribute.clone()),
        ConditionKind::Held { attribute, held: false } => Condition::NotExists(attribute.attribute.clone()),
        ConditionKind::AtMost { limit, .. } => {
            let counted = counted?;
            Condition::Any(vec![
                Condition::NotExists(counted.to_owned()),
                compare(counted, Comparator::Less, Value::Literal(Literal::Number(limit.to_string()))),
            ])
        }
        ConditionKind::Unique { .. } | ConditionKind::Words => return None,
    })
}

/// The values that a comparison by declared order means, where names have another order.
fn by_rank(
    model: &Model,
    attribute: &AttributeRef,
    comparator: Comparator,
    with: &Literal,
) -> Option<Vec<String>> {
    let declared = model.entity(&attribute.entity)?.attribute(&attribute.attribute)?;
    let values = || declared.values.iter().map(|value| value.value.as_str());
    let by_name = declared.ty.value != Type::Enum || values().is_sorted();
    let some = compared(values(), comparator, with).filter(|_| !by_name)?;
    Some(some.into_iter().map(str::to_owned).collect())
}

/// Whether conditions on an item hold also where it is not there, though they speak of what it holds: then it must be said
/// that it is there.
pub(super) fn hold_of_nothing(stated: &[&model::Condition], conditions: &[Condition<Value>]) -> bool {
    let of_values = |it: &&model::Condition| {
        matches!(
            it.kind,
            ConditionKind::Compare { .. } | ConditionKind::OneOf { .. } | ConditionKind::Held { .. }
        )
    };
    stated.iter().any(of_values) && conditions.iter().all(holds_of_nothing)
}

/// Whether an item that is not there meets a condition: what nobody holds differs from everything.
fn holds_of_nothing(condition: &Condition<Value>) -> bool {
    match condition {
        Condition::Compare(_, comparator, _) => *comparator == Comparator::NotEqual,
        Condition::NotExists(_) => true,
        Condition::All(parts) => parts.iter().all(holds_of_nothing),
        Condition::Any(parts) => parts.iter().any(holds_of_nothing),
        Condition::Not(part) => !holds_of_nothing(part),
        Condition::Between(..)
        | Condition::In(..)
        | Condition::Exists(_)
        | Condition::Type(..)
        | Condition::BeginsWith(..)
        | Condition::Contains(..) => false,
    }
}

/// What was read still holds.
pub(super) fn unchanged(
    entity: &EntityFacts,
    attrs: impl Iterator<Item = Attr>,
    request: u32,
) -> Vec<Condition<Value>> {
    attrs
        .map(|attr| {
            let name = entity.attribute(attr).name.clone();
            Condition::equals(name.clone(), Value::Read { request, attribute: name })
        })
        .collect()
}

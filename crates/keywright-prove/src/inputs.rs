//! Sets of inputs for a pattern: typical ones, boundaries, first and last, empty results, and hostile values.

mod read;
mod write;

use keywright_dynamodb::value::AttributeValue;
use keywright_model::Model;
use keywright_model::design::Operation;
use keywright_model::model::{Attribute, Entity, Input, Pattern, Role};

use crate::interpret::Inputs;

pub(crate) use read::{for_read, half_named, namesakes, of_record};
pub(crate) use write::{Flavour, Lead, existing_entities, for_write, is_distinct};

/// The inputs of one call, and why they were chosen.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct InputSet {
    /// The inputs.
    pub(crate) inputs: Inputs,
    /// Whether they are what a caller mostly gives: only those tell about mean costs.
    pub(crate) typical: bool,
}

/// The inputs that a caller gives: no constants, no paging.
fn given_inputs(pattern: &Pattern) -> impl Iterator<Item = &Input> {
    pattern
        .inputs()
        .iter()
        .filter(|input| input.constant.is_none() && !matches!(input.role, Role::Limit | Role::Cursor))
}

/// The attribute that an input speaks of, of one of those entities first.
fn attribute_of<'m>(model: &'m Model, input: &Input, first: &[&str]) -> Option<(&'m Entity, &'m Attribute)> {
    let named = |bind: &keywright_model::model::AttributeRef| {
        let entity = model.entity(&bind.entity)?;
        Some((entity, entity.attribute(&bind.attribute)?))
    };
    let preferred = input.binds.iter().filter(|bind| first.contains(&bind.entity.as_str())).find_map(named);
    preferred.or_else(|| input.binds.iter().find_map(named))
}

/// The largest number that a caller may give: no attribute that it is given to holds a larger one.
pub(crate) fn largest(model: &Model, input: &Input) -> Option<u64> {
    let attributes = input.binds.iter().filter_map(|it| model.entity(&it.entity)?.attribute(&it.attribute));
    attributes.filter(|it| it.ty.is_numeric()).filter_map(|it| Some(it.max.as_ref()?.value)).min()
}

/// What a caller gives to find a value: the value, or the period in which it lies.
fn given_for(input: &Input, value: AttributeValue) -> AttributeValue {
    match (input.role, value.as_s()) {
        (Role::Within(period), Some(text)) => text.chars().take(period.width()).collect::<String>().into(),
        _ => value,
    }
}

/// The type that an operation states for an input which speaks of no attribute.
fn stated_type(operation: &Operation, input: &Input) -> Option<keywright_model::model::Type> {
    operation.inputs.iter().find(|parameter| parameter.name == input.name).map(|parameter| parameter.ty)
}

/// Whether a value can stand in a key.
fn is_key_value(value: &AttributeValue) -> bool {
    crate::interpret::key::text(value).is_some_and(|text| !text.is_empty())
}

//! Fixed values: as an attribute's type has them, and whether it ever does.

use keywright_model::At;
use keywright_model::model::{AttributeRef, Literal, Type};

use super::Context;
use crate::access_patterns::effects::is_none;
use crate::access_patterns::names::fold;
use crate::access_patterns::remarks::Remarks;
use crate::markdown::Phrase;
use crate::rules::UNREADABLE_CELL;

/// A fixed value that the attribute never has.
pub(in crate::access_patterns) fn report_value(
    value: Phrase<'_>,
    bound: &AttributeRef,
    context: &Context<'_>,
    remarks: &mut Remarks,
) {
    let entity = context.domain.find(&bound.entity);
    let Some(attribute) = entity.and_then(|it| context.domain.attribute(it, &bound.attribute)) else {
        return;
    };
    let listed = |it: &At<String>| fold(&it.value) == fold(value.as_str());
    let none = is_none(value.as_str()) && !attribute.values.iter().any(listed);
    let is_text = attribute.ty.value == Type::String;
    let may_be_none = !context.read && (context.update || attribute.is_optional());
    if none && (may_be_none || is_text && !attribute.is_optional()) {
        // What is given nothing is taken away, or not there from the start; of a text it may be the value.
        return;
    }
    let help = if none && !context.read {
        format!("every {} has one: mark `{}` as `optional`, or give it a value", bound.entity, attribute.name)
    } else if none {
        format!(
            "no key holds items for what they lack: keep a state beside {0}, such as `status (enum(OPEN, CLOSED))`, that \
             changes together with {0}, and give that as the input",
            attribute.name
        )
    } else if context.read
        && matches!(attribute.ty.value, Type::Datetime | Type::Date)
        && !value.as_str().contains(|next: char| next.is_ascii_digit())
    {
        format!("let the caller give the time: write `{}` without a value", attribute.name)
    } else if !attribute.values.is_empty() && !attribute.values.iter().any(listed) {
        let values: Vec<&str> = attribute.values.iter().map(|it| it.value.as_str()).collect();
        format!("write one of {}, or add it to the values", values.join(", "))
    } else if attribute.ty.value.is_numeric()
        && matches!(literal(value.as_str(), attribute.ty.value), Literal::String(_))
    {
        "write a number".to_owned()
    } else {
        return;
    };
    remarks.say(
        &UNREADABLE_CELL,
        value.span(),
        format!("`{}` is not a value of {bound}", value.as_str()),
        help,
    );
}

/// A fixed value as an attribute of a type has it.
pub(in crate::access_patterns) fn literal(text: &str, ty: Type) -> Literal {
    match (ty, text.to_ascii_lowercase().as_str()) {
        (Type::Boolean, "true" | "yes") => Literal::Boolean(true),
        (Type::Boolean, "false" | "no") => Literal::Boolean(false),
        _ if ty.is_numeric() && text.parse::<f64>().is_ok_and(f64::is_finite) => {
            Literal::Number(text.to_owned())
        }
        _ => Literal::String(text.to_owned()),
    }
}

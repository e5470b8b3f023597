//! What an attribute is before anybody says: the first state, zero, no.

use keywright_model::model::{Attribute, Literal, Type};

/// The value that a create makes up for an attribute; none for what may be absent, and for what says which other item is
/// meant or is never the same twice: that nobody can make up.
pub(crate) fn first_value(attribute: &Attribute) -> Option<Literal> {
    let sequential = attribute.sequential.as_ref().is_some_and(|it| it.value);
    if attribute.is_optional() || attribute.reference.is_some() || sequential {
        return None;
    }
    match attribute.values.first() {
        Some(first) => Some(Literal::String(first.value.clone())),
        None if attribute.version.as_ref().is_some_and(|it| it.value) => {
            Some(Literal::Number("1".to_owned()))
        }
        None if attribute.ty.value.is_numeric() => Some(Literal::Number("0".to_owned())),
        None if attribute.ty.value == Type::Boolean => Some(Literal::Boolean(false)),
        None => None,
    }
}

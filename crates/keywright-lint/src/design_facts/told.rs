//! What the name, the type or the encoding of an attribute tells of it.

use keywright_key::{Encoding, Placeholder};
use keywright_model::model::Type;

use super::Known;

/// Whether an attribute is an instant or a date, by its encoding, its type or its name.
pub(crate) fn is_time(known: Option<Known<'_>>, place: &Placeholder) -> bool {
    let encoded = matches!(
        place.encoding(),
        Encoding::Iso { .. } | Encoding::Epoch { .. } | Encoding::Date(_) | Encoding::Bucket(_)
    );
    encoded || is_time_name(known, place.name())
}

/// Whether an attribute is an instant or a date, by its type or, where that is not said, by its name.
fn is_time_name(known: Option<Known<'_>>, name: &str) -> bool {
    if let Some(known) = known
        && (known.model.is_some() || known.ty != Type::String)
    {
        return matches!(known.ty, Type::Datetime | Type::Date);
    }
    let lower = name.to_ascii_lowercase();
    ["timestamp", "date", "day", "month", "week", "year", "time", "datetime"].contains(&lower.as_str())
        || (name.len() > 2 && name.ends_with("At"))
        || lower.ends_with("date")
        || lower.ends_with("timestamp")
        || name.ends_with("Time")
}

/// Whether an attribute identifies something, by its type or its name.
pub(crate) fn is_identifier(known: Option<Known<'_>>, name: &str) -> bool {
    let by_model = known.and_then(|known| known.model).is_some_and(|attribute| {
        attribute.id.as_ref().is_some_and(|it| it.value)
            || attribute.unique.as_ref().is_some_and(|it| it.value)
    });
    let by_type = known.is_some_and(|known| known.ty.is_generated_id());
    let lower = name.to_ascii_lowercase();
    by_model
        || by_type
        || lower == "id"
        || name.ends_with("Id")
        || name.ends_with("ID")
        || lower.ends_with("_id")
        || [
            "uuid", "ulid", "ksuid", "username", "email", "sku", "slug", "token", "isbn", "number", "no",
            "seq", "version", "revision",
        ]
        .iter()
        .any(|word| lower == *word)
        || name.ends_with("Number")
        || name.ends_with("No")
        || name.ends_with("Code")
        || name.ends_with("Name")
}

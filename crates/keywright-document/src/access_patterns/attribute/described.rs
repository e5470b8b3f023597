//! What an author's words about an attribute tell of it, each an assumption.

use keywright_model::At;
use keywright_model::model::{Attribute, Type};

use super::facts::read_fact;
use super::types::described_type;
use crate::access_patterns::cardinality::clauses;
use crate::access_patterns::names::tokens;
use crate::access_patterns::remarks::Remarks;
use crate::markdown::Phrase;

/// What the words about an attribute tell of its type and role, each an assumption.
pub(super) fn learn_from_description(
    attribute: &mut Attribute,
    description: Phrase<'_>,
    remarks: &mut Remarks,
) {
    let lower = description.as_str().to_lowercase();
    let span = description.span();
    let loosely_typed = attribute.ty.assumed || attribute.ty.value == Type::String;
    if loosely_typed
        && let Some((word, ty)) =
            tokens(description).find_map(|word| described_type(word.as_str()).map(|ty| (word, ty)))
    {
        attribute.ty = At::assumed(ty, word.span());
        remarks.assume(
            word.span(),
            format!("read \"{}\" as the type of {}: {ty}", word.as_str(), attribute.name),
            format!("write the type in the parentheses: `{}` ({ty})", attribute.name),
        );
    }
    read_described_volumes(attribute, description, remarks);
    if attribute.values.is_empty() && matches!(attribute.ty.value, Type::String | Type::Enum) {
        read_described_values(attribute, description, remarks);
    }
    let identifies = ["unique identifier", "primary identifier", "primary key", "identifies the"];
    if attribute.id.is_none() && identifies.iter().any(|words| lower.contains(words)) {
        attribute.id = Some(At::assumed(true, span));
    } else if attribute.unique.is_none() && tokens(description).any(|word| word.is("unique")) {
        let scoped =
            lower.contains("unique per") || lower.contains("unique within") || lower.contains("unique in");
        if attribute.id.is_none() && !scoped {
            attribute.unique = Some(At::assumed(true, span));
            remarks.assume(
                span,
                format!("read {} as unique", attribute.name),
                "its description says so; write `unique` in the parentheses",
            );
        }
    }
}

/// "max 99999", "~300 values", "~2 KB" as a description says them among other things.
fn read_described_volumes(attribute: &mut Attribute, description: Phrase<'_>, remarks: &mut Remarks) {
    for clause in clauses(description) {
        let lower = clause.as_str().to_lowercase();
        if !["max ", "max. ", "maximum ", "up to ", "~", "≤"].iter().any(|lead| lower.starts_with(lead)) {
            continue;
        }
        let mut said = Attribute::new(attribute.name.as_str(), clause.span(), attribute.ty.clone());
        read_fact(&mut said, clause, true, &mut Remarks::default());
        let places = [
            (&mut attribute.max, said.max),
            (&mut attribute.distinct, said.distinct),
            (&mut attribute.bytes, said.bytes),
        ];
        for (place, said) in places {
            let Some(said) = said.filter(|_| place.is_none()) else { continue };
            remarks.assume(
                clause.span(),
                format!("read \"{}\" as a fact about {}", clause.as_str(), attribute.name),
                "its description says so; write it in the parentheses behind the type",
            );
            *place = Some(At::assumed(said.value, said.span));
        }
    }
}

/// `ADMIN | USER` as a description lists the values.
fn read_described_values(attribute: &mut Attribute, description: Phrase<'_>, remarks: &mut Remarks) {
    let listed =
        description.as_str().rsplit_once(':').map_or(description, |(_, list)| description.part(list).trim());
    let values: Vec<Phrase<'_>> =
        listed.split(&['|']).map(|value| value.trim_matches(&['"', '\'', '`', '.'])).collect();
    let words = values.iter().all(|value| !value.is_empty() && !value.as_str().contains(char::is_whitespace));
    if values.len() < 2 || !words {
        return;
    }
    let names = values.iter().map(|value| value.as_str()).collect::<Vec<_>>().join(", ");
    remarks.assume(
        listed.span(),
        format!("read the values of {} as {names}", attribute.name),
        format!("its description lists them; write `enum({names})` in the parentheses"),
    );
    attribute.values =
        values.iter().map(|value| At::assumed(value.as_str().to_owned(), value.span())).collect();
    attribute.ty = At::assumed(Type::Enum, listed.span());
}

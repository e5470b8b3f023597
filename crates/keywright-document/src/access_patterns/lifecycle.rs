//! What the words on an entity's life tell: how long it is kept, and which attributes change.

use keywright_model::At;
use keywright_model::model::{Mutability, Retention};

use crate::markdown::Phrase;

use super::entities::Draft;
use super::names::tokens;
use super::quantity::quantity;
use super::remarks::Remarks;

/// Reads the lifecycles of all entities.
pub(super) fn read(drafts: &mut [Draft<'_>], remarks: &mut Remarks) {
    for draft in drafts {
        for prose in std::mem::take(&mut draft.lifecycle) {
            for sentence in prose.split(&['.', ';', '\n', ',']) {
                match (&draft.entity.retention, retention(sentence)) {
                    (None, found) => draft.entity.retention = found,
                    (Some(first), Some(other)) if first.value != other.value => remarks.doubt(
                        other.span,
                        format!(
                            "`{}` is not read: {} days are stated already",
                            sentence.as_str().trim(),
                            first.value.days
                        ),
                        "state once how long an item is kept, such as `Deleted after 2 years`",
                    ),
                    _ => {}
                }
                changes(draft, sentence, remarks);
            }
        }
    }
}

/// "Deleted after 2 years", "kept for 90 days", "expires after 24 hours".
fn retention(sentence: Phrase<'_>) -> Option<At<Retention>> {
    let lower = sentence.as_str().to_lowercase();
    let ends =
        ["delet", "expire", "purge", "kept", "keep", "retain", "retention", "ttl", "removed", "archiv"];
    if !ends.iter().any(|word| lower.contains(word)) {
        return None;
    }
    let (amount, rest) = quantity(sentence)?;
    let unit = tokens(rest).next()?;
    let unit = unit.as_str().to_lowercase();
    let days = match unit.trim_end_matches('s') {
        "hour" | "h" => amount.mean.div_ceil(24),
        "day" | "d" => amount.mean,
        "week" | "w" => amount.mean.checked_mul(7)?,
        "month" => amount.mean.checked_mul(30)?,
        "year" | "y" => amount.mean.checked_mul(365)?,
        _ => return None,
    };
    Some(At::stated(Retention { days }, sentence.span()))
}

/// "Status changes until delivered", "never updated", "the title is immutable".
fn changes(draft: &mut Draft<'_>, sentence: Phrase<'_>, remarks: &mut Remarks) {
    let words: Vec<String> = tokens(sentence).map(|word| word.as_str().to_lowercase()).collect();
    let never =
        words.iter().any(|word| matches!(word.as_str(), "never" | "immutable" | "append-only" | "not"));
    let change = words.iter().any(|word| {
        [
            "chang",
            "updat",
            "mutab",
            "edit",
            "renam",
            "advanc",
            "transition",
            "increment",
            "modif",
            "immutab",
            "append-only",
        ]
        .iter()
        .any(|stem| word.starts_with(stem))
    });
    if !change {
        return;
    }
    let mutability = if never { Mutability::Immutable } else { Mutability::Mutable };
    for word in tokens(sentence) {
        let entity = draft.entity.name.clone();
        if let Some(attribute) = draft.attribute_mut(word.as_str())
            && attribute.mutability.is_none()
        {
            attribute.mutability = Some(At::assumed(mutability, word.span()));
            let what = if never { "never changes" } else { "changes" };
            remarks.assume(
                sentence.span(),
                format!("read \"{}\": {entity}.{} {what}", sentence.as_str(), attribute.name),
                format!(
                    "write `{}` in the attribute's parentheses",
                    if never { "immutable" } else { "mutable" }
                ),
            );
        }
    }
}

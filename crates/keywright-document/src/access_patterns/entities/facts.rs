//! The kind of an entity, and how its traffic is spread.

use keywright_finding::Suggestions;
use keywright_model::At;
use keywright_model::model::EntityKind;

use crate::access_patterns::names::fold;
use crate::access_patterns::remarks::Remarks;
use crate::markdown::Phrase;
use crate::rules::UNREADABLE_CELL;

use super::Draft;

pub(super) fn read_kind(draft: &mut Draft<'_>, value: Phrase<'_>, remarks: &mut Remarks) {
    for word in value.split(&[',', ';', '+', '/']) {
        let first = word.words().next().unwrap_or(word);
        let kind = match fold(first.as_str()).as_str() {
            "singleton" => EntityKind::Singleton,
            "history" | "versioned" => EntityKind::History,
            "common" | "shared" => EntityKind::Common,
            _ => {
                let near = Suggestions::new(["singleton", "history", "common"]).nearest(first.as_str());
                let help = near.map_or_else(
                    || "write singleton, history or common".to_owned(),
                    |near| format!("did you mean `{near}`?"),
                );
                remarks.say(
                    &UNREADABLE_CELL,
                    word.span(),
                    format!("`{}` is not a kind of entity", word.as_str()),
                    help,
                );
                continue;
            }
        };
        if !draft.entity.is(kind) {
            draft.entity.kinds.push(At::stated(kind, word.span()));
        }
    }
}

/// The share of the hottest value: `30%`, `0.3`, `hottest customer takes 5 %`.
pub(super) fn read_skew(draft: &mut Draft<'_>, value: Phrase<'_>, remarks: &mut Remarks) {
    match share(value.as_str()) {
        Some(share) => draft.entity.skew = Some(At::stated(share, value.span())),
        None => remarks.say(
            &UNREADABLE_CELL,
            value.span(),
            format!("`{}` is not a share", value.as_str()),
            "write the share of the hottest value, such as `5%`",
        ),
    }
}

/// A share in millionths: `5%`, `0.05`.
pub(in crate::access_patterns) fn share(text: &str) -> Option<u32> {
    let start = text.find(|next: char| next.is_ascii_digit())?;
    let end = text[start..]
        .find(|next: char| !(next.is_ascii_digit() || next == '.'))
        .map_or(text.len(), |length| start + length);
    let digits = text[start..end].trim_end_matches('.');
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let scale: u64 = if text[end..].trim_start().starts_with('%') { 10_000 } else { 1_000_000 };
    let mut value = whole.parse::<u64>().ok()?.checked_mul(scale)?;
    let mut place = scale;
    for digit in fraction.bytes() {
        place /= 10;
        value = value.checked_add(u64::from(digit.checked_sub(b'0')?) * place)?;
    }
    u32::try_from(value).ok().filter(|share| *share <= 1_000_000)
}

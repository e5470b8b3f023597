//! Numbers as people write them in prose: `~100`, `1K-10K`, `1,000`, `2.5 million`, `up to 50`.

use crate::markdown::Phrase;

use super::names::tokens;

/// A number or a range of numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Quantity {
    /// The number, or the middle of the range.
    pub(super) mean: u64,
    /// Whether the words only give an upper end: "up to 50".
    pub(super) capped: bool,
    /// The upper end, where the words give one.
    pub(super) max: Option<u64>,
}

/// One number without sign: `12`, `1.5k`, `1,000`, `10M`. Digits after the point that the unit does not use up are cut.
pub(super) fn number(word: &str) -> Option<u64> {
    let word =
        word.trim().trim_start_matches(['~', '≈', '<', '>', '=', '±']).trim_end_matches(['+', '~']).trim();
    let digits_end = word
        .find(|next: char| !(next.is_ascii_digit() || matches!(next, '.' | ',' | '_')))
        .unwrap_or(word.len());
    let (digits, unit) = word.split_at(digits_end);
    let scale = scale(unit.trim())?;
    let plain: String = digits.chars().filter(|next| !matches!(next, ',' | '_')).collect();
    let (whole, fraction) = plain.split_once('.').unwrap_or((&plain, ""));
    if whole.is_empty() || !fraction.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let whole: u64 = whole.parse().ok()?;
    let mut value = whole.checked_mul(scale)?;
    let mut place = scale;
    for digit in fraction.bytes() {
        place /= 10;
        value = value.checked_add(u64::from(digit - b'0') * place)?;
    }
    Some(value)
}

/// What a unit of counting stands for.
fn scale(unit: &str) -> Option<u64> {
    Some(match unit.to_ascii_lowercase().as_str() {
        "" => 1,
        "hundred" | "hundreds" => 100,
        "k" | "thousand" | "thousands" => 1_000,
        "m" | "mio" | "million" | "millions" => 1_000_000,
        "b" | "bn" | "g" | "billion" | "billions" => 1_000_000_000,
        "t" | "trillion" | "trillions" => 1_000_000_000_000,
        _ => return None,
    })
}

/// A size in bytes: `120 bytes`, `1.5 KB`, `2-3 KB`; rounded, and none where the words have another unit or none.
pub(super) fn bytes(words: Phrase<'_>) -> Option<u64> {
    let text = words.as_str();
    let (first, rest) = thousandths(&text[text.find(|next: char| next.is_ascii_digit())?..])?;
    let last = between(rest).and_then(thousandths);
    let (value, rest) = last.map_or((first, rest), |(last, rest)| (first / 2 + last / 2, rest));
    let rest = rest.trim_start();
    let unit = rest.find(|next: char| !next.is_alphabetic()).map_or(rest, |end| &rest[..end]);
    let scale = match unit.to_lowercase().as_str() {
        "b" | "byte" | "bytes" => 1,
        "kb" | "kib" | "kilobyte" | "kilobytes" => 1024,
        _ => return None,
    };
    Some(value.checked_mul(scale)?.saturating_add(500) / 1000)
}

/// Thousandths of the number at the beginning of a text, and what follows it.
fn thousandths(text: &str) -> Option<(u64, &str)> {
    let digits = text
        .find(|next: char| !(next.is_ascii_digit() || matches!(next, '.' | ',' | '_')))
        .unwrap_or(text.len());
    let digits = text[..digits].trim_end_matches(['.', ',', '_']);
    Some((number(&format!("{digits}k"))?, &text[digits.len()..]))
}

/// What follows the sign between the ends of a range.
fn between(rest: &str) -> Option<&str> {
    let rest = rest.trim_start();
    let after = rest
        .strip_prefix(['-', '–', '—'])
        .or_else(|| rest.strip_prefix("to "))
        .or_else(|| rest.strip_prefix(".."))?;
    Some(after.trim_start().trim_start_matches('~'))
}

/// The first quantity in the words, and the words after it.
pub(super) fn quantity(words: Phrase<'_>) -> Option<(Quantity, Phrase<'_>)> {
    let text = words.as_str();
    let start = text.find(|next: char| next.is_ascii_digit())?;
    let (mut first, used) = leading_number(&text[start..])?;
    let before = text[..start].to_lowercase();
    let capped = ["max", "up to", "at most", "maximum", "no more than", "limit", "≤", "<="]
        .iter()
        .any(|it| before.contains(it))
        || before.trim_end().ends_with('<');
    let mut end = start + used;
    let digits = &text[start..end];
    let mut quantity = Quantity { mean: first, capped, max: capped.then_some(first) };
    if let Some(after) = between(&text[end..])
        && let Some((last, used)) = leading_number(after)
    {
        // The unit of `10-20K` is that of both, `500-2K` has one of its own.
        let unit = after[..used].trim_start_matches(|next: char| !next.is_alphabetic());
        let bare = number(after[..used - unit.len()].trim()).unwrap_or(0);
        if !digits.contains(char::is_alphabetic) && first < bare {
            first = number(&format!("{digits}{unit}")).unwrap_or(first);
        }
        let low = first.min(last);
        let high = first.max(last);
        quantity = Quantity { mean: low + (high - low) / 2, capped: false, max: Some(high) };
        end = text.len() - after.len() + used;
    }
    Some((quantity, words.slice(end..text.len()).trim()))
}

/// A number at the beginning of a text with its unit, and how many bytes it takes.
fn leading_number(text: &str) -> Option<(u64, usize)> {
    let digits = text
        .find(|next: char| !(next.is_ascii_digit() || matches!(next, '.' | ',' | '_')))
        .unwrap_or(text.len());
    // A comma or a full stop at the end belongs to the sentence.
    let digits = text[..digits].trim_end_matches(['.', ',', '_']).len();
    if digits == 0 {
        return None;
    }
    let rest = &text[digits..];
    let spaces = rest.len() - rest.trim_start_matches(' ').len();
    let unit = rest[spaces..].find(|next: char| !next.is_alphabetic()).unwrap_or(rest.len() - spaces);
    let word = &rest[spaces..spaces + unit];
    if !word.is_empty()
        && scale(word).is_some()
        // A lone letter counts only where it touches the digits: "5 m" are metres.
        && (spaces == 0 || word.len() > 1)
        && let Some(value) = number(&format!("{}{word}", &text[..digits]))
    {
        return Some((value, digits + spaces + unit));
    }
    number(&text[..digits]).map(|value| (value, digits))
}

/// Whether the words are about a total.
pub(super) fn is_total(words: Phrase<'_>) -> bool {
    tokens(words).any(|word| {
        ["total", "overall", "altogether", "all", "globally", "system-wide"].iter().any(|it| word.is(it))
    })
}

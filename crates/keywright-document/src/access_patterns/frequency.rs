//! How often: `Hot`, `250/s`, `40/min`, `3k/day`, `Hot (300/s, peak 900/s)`.

use keywright_finding::Span;
use keywright_model::{At, Frequency, Rate};

use crate::markdown::Phrase;

/// What a cell says about how often.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Often {
    pub(super) class: Option<At<Frequency>>,
    pub(super) mean: Option<At<Rate>>,
    pub(super) peak: Option<At<Rate>>,
}

impl Often {
    fn is_empty(&self) -> bool {
        self.class.is_none() && self.mean.is_none() && self.peak.is_none()
    }
}

/// What the words beside a rate call it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Label {
    Mean,
    Peak,
}

/// Reads a cell; none where it says nothing that is understood. In a column of rates a bare number is per second.
pub(super) fn read(cell: Phrase<'_>, bare_is_rate: bool) -> Option<Often> {
    let mut often = Often::default();
    if let Some(rate) = regular(cell.as_str()) {
        often.mean = Some(At::stated(rate, cell.span()));
        return Some(often);
    }
    let mut rates: Vec<(At<Rate>, Option<Label>)> = Vec::new();
    let text = cell.as_str();
    let mut at = 0;
    let mut next_label = None;
    // "300/s avg 900/s peak": the last word tells on which side labels stand.
    let ends_with_label = text.split_whitespace().last().is_some_and(|word| {
        matches!(
            word.to_lowercase().trim_end_matches(')'),
            "peak" | "peaks" | "burst" | "bursts" | "max" | "avg" | "average" | "mean"
        )
    });
    // Whether only blanks stand between the last rate and here: "900/s peak".
    let mut beside_rate = false;
    while let Some(next) = text[at..].chars().next() {
        if next.is_ascii_digit()
            || (next == '.' && text[at + 1..].starts_with(|it: char| it.is_ascii_digit()))
        {
            if is_negative(&text[..at]) {
                return None;
            }
            let (rate, end) = rate_at(text, at, bare_is_rate)?;
            rates.push((At::stated(rate, cell.slice(at..end).span()), next_label.take()));
            beside_rate = true;
            at = end;
        } else if next.is_alphabetic() {
            let end =
                text[at..].find(|it: char| !it.is_alphabetic()).map_or(text.len(), |length| at + length);
            let span = cell.slice(at..end).span();
            let label = match text[at..end].to_lowercase().as_str() {
                "hot" => set_class(&mut often, Frequency::Hot, span),
                "warm" => set_class(&mut often, Frequency::Warm, span),
                "cold" => set_class(&mut often, Frequency::Cold, span),
                "peak" | "max" | "peaks" | "burst" | "bursts" => Some(Label::Peak),
                "avg" | "average" | "mean" | "typical" => Some(Label::Mean),
                _ => None,
            };
            // "0.5 peak 4": a label right before a number is that number's.
            let after = text[end..].trim_start_matches([' ', ':', '=', '~']);
            let before_rate = after.starts_with(|next: char| next.is_ascii_digit()) && !ends_with_label;
            match (label, rates.last_mut()) {
                (Some(label), Some((_, unlabelled @ None))) if beside_rate && !before_rate => {
                    *unlabelled = Some(label);
                }
                (Some(label), _) => next_label = Some(label),
                (None, _) => {}
            }
            at = end;
        } else {
            beside_rate &= next.is_whitespace();
            at += next.len_utf8();
        }
    }
    let mut take = |label: Option<Label>| {
        let found = rates.iter().position(|(_, it)| *it == label)?;
        Some(rates.remove(found).0)
    };
    often.mean = take(Some(Label::Mean)).or_else(|| take(None));
    often.peak = take(Some(Label::Peak)).or_else(|| take(None));
    (!often.is_empty()).then_some(often)
}

/// Whether the text before a number ends with a sign that makes it less than nothing: "-5/s", not "10-20/s" or "Cold - 5/s".
fn is_negative(before: &str) -> bool {
    before
        .strip_suffix(['-', '−'])
        .is_some_and(|before| !before.ends_with(|last: char| last.is_alphanumeric()))
}

fn set_class(often: &mut Often, class: Frequency, span: Span) -> Option<Label> {
    often.class.get_or_insert(At::stated(class, span));
    None
}

/// The rate whose digits begin at an offset, and where it ends; none where a number is no rate.
fn rate_at(text: &str, start: usize, bare_is_rate: bool) -> Option<(Rate, usize)> {
    let number_end = text[start..]
        .find(|next: char| !(next.is_ascii_digit() || matches!(next, '.' | ',' | '_')))
        .map_or(text.len(), |length| start + length);
    let digits = text[start..number_end].trim_end_matches(['.', ',', '_']);
    let mut at = start + digits.len();
    let mut scale: u128 = 1;
    let letter = text[at..].chars().next();
    let after_letter = text[at..].chars().nth(1);
    if let Some(unit) = letter
        && !after_letter.is_some_and(char::is_alphabetic)
        && let Some(value) = match unit {
            'k' | 'K' => Some(1_000),
            'm' | 'M' => Some(1_000_000),
            _ => None,
        }
    {
        scale = value;
        at += 1;
    }
    let nano = nano(digits)?.checked_mul(scale)?;
    let rest = &text[at..];
    let trimmed = rest.trim_start();
    let skipped = rest.len() - trimmed.len();
    let (period, used) = match period(trimmed) {
        Some((period, used)) => (period, skipped + used),
        None if bare_is_rate => (1, 0),
        None => return None,
    };
    let per_second = u64::try_from(nano / u128::from(period)).ok()?;
    Some((Rate::from_nano(per_second), at + used))
}

/// The rate of what happens at regular times: "every minute", "once a day", "hourly".
fn regular(text: &str) -> Option<Rate> {
    let lower = text.trim().to_lowercase();
    let lower = match lower.as_str() {
        "hourly" => "every hour",
        "daily" | "nightly" => "every day",
        "weekly" => "every week",
        "monthly" => "every month",
        other => other,
    };
    let leads = ["every ", "each ", "once a ", "once an ", "once per ", "once every "];
    let unit = leads.iter().find_map(|lead| lower.strip_prefix(lead))?;
    let (seconds, _) = period(&format!("/{unit}")).filter(|(_, used)| *used == unit.len() + 1)?;
    Some(Rate::from_nano(1_000_000_000 / seconds))
}

/// Billionths of a decimal number.
fn nano(digits: &str) -> Option<u128> {
    let plain: String = digits.chars().filter(|next| !matches!(next, ',' | '_')).collect();
    let (whole, fraction) = plain.split_once('.').unwrap_or((&plain, ""));
    let whole: u128 = if whole.is_empty() { 0 } else { whole.parse().ok()? };
    if !fraction.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let mut value = whole.checked_mul(1_000_000_000)?;
    let mut place: u128 = 1_000_000_000;
    for digit in fraction.bytes() {
        place /= 10;
        value = value.checked_add(u128::from(digit - b'0') * place)?;
    }
    Some(value)
}

/// The seconds of `/s`, `per day`, `rps`, and how many bytes those words take.
fn period(text: &str) -> Option<(u64, usize)> {
    let lower = text.to_ascii_lowercase();
    for unit in ["rps", "tps", "qps", "req/s", "requests/s", "reqs/s", "ops/s", "writes/s", "reads/s"] {
        if lower.starts_with(unit) {
            return Some((1, unit.len()));
        }
    }
    let mut rest = lower.as_str();
    for noun in ["requests", "request", "reads", "writes", "calls", "times", "ops", "req", "events"] {
        if let Some(after) = rest.strip_prefix(noun) {
            rest = after.trim_start();
            break;
        }
    }
    let rest = rest
        .strip_prefix('/')
        .or_else(|| rest.strip_prefix("per "))
        .or_else(|| rest.strip_prefix("a "))?
        .trim_start();
    let unit_end = rest.find(|next: char| !next.is_ascii_alphabetic()).unwrap_or(rest.len());
    let seconds = match rest[..unit_end].trim_end_matches('s') {
        "" if unit_end > 0 => 1,
        "ec" | "sec" | "second" => 1,
        "m" | "min" | "minute" => 60,
        "h" | "hr" | "hour" => 3_600,
        "d" | "day" => 86_400,
        "w" | "week" => 7 * 86_400,
        "month" | "mo" => 30 * 86_400,
        "y" | "year" => 365 * 86_400,
        _ => return None,
    };
    Some((seconds, lower.len() - rest.len() + unit_end))
}

//! unsortable-date: a date in a sort key in a form that does not sort by time.

use keywright_finding::{Finding, Group, Rule};
use keywright_model::design::source::ExampleValue;

use crate::DesignFacts;
use crate::check::DesignCheck;
use crate::design_facts::is_time;

static RULE: Rule = Rule::error(
    "unsortable-date",
    Group::Keys,
    "a date in a sort key in a form that does not sort by time",
    include_str!("unsortable_date.md"),
);

pub(super) const CHECK: DesignCheck = DesignCheck { rule: &RULE, run: check };

fn check(facts: &DesignFacts<'_>, findings: &mut Vec<Finding>) {
    for (_, member, key) in facts.sort_keys() {
        for place in key.places() {
            let letters: String =
                place.name().chars().filter(|it| it.is_alphabetic()).collect::<String>().to_ascii_lowercase();
            if ["ddmmyyyy", "mmddyyyy", "ddmmyy", "mmddyy", "mmyyyy"].contains(&letters.as_str()) {
                findings.push(
                    Finding::new(
                        &RULE,
                        key.span,
                        format!("`<{}>` sorts by day or month before the year", place.name()),
                    )
                    .help("write `<createdAt:iso>`, or a bucket such as `<createdAt:ymd>`"),
                );
            }
        }
        let Some(example) = facts.item_source(member.item).and_then(|source| source.example.as_ref()) else {
            continue;
        };
        for place in
            key.places().into_iter().filter(|place| is_time(facts.known(member.item, place.name()), place))
        {
            let Some((_, value)) = example.values.iter().find(|(name, _)| name == place.name()) else {
                continue;
            };
            if let ExampleValue::String(text) = &value.value
                && !sorts_by_time(text)
            {
                findings.push(
                    Finding::new(&RULE, value.span, format!("`{}` is `{text}`, which does not sort by time beside other such values", place.name()))
                        .help("write it as ISO-8601 in UTC, as 2026-01-15T10:30:00.000Z, always with the same number of digits"),
                );
            }
        }
    }
}

/// ISO-8601 in UTC: `2026-01-15` or `2026-01-15T10:30:00Z` with any fraction.
fn sorts_by_time(text: &str) -> bool {
    let digits =
        |part: &str, count: usize| part.len() == count && part.bytes().all(|byte| byte.is_ascii_digit());
    let (date, time) = text.split_once('T').map_or((text, None), |(date, time)| (date, Some(time)));
    let mut parts = date.split('-');
    let date_holds = match (parts.next(), parts.next(), parts.next(), parts.next()) {
        (Some(year), None, None, None) => digits(year, 4) || digits(year, 10) || digits(year, 13),
        (Some(year), Some(month), None, None) => digits(year, 4) && digits(month, 2),
        (Some(year), Some(month), Some(day), None) => digits(year, 4) && digits(month, 2) && digits(day, 2),
        _ => false,
    };
    date_holds && time.is_none_or(|time| time.ends_with('Z'))
}

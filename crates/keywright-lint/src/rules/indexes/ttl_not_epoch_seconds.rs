//! ttl-not-epoch-seconds: a TTL attribute that does not hold epoch seconds.

use keywright_finding::{Finding, Group, Rule};
use keywright_model::design::source::ExampleValue;

use crate::DesignFacts;
use crate::check::DesignCheck;

static RULE: Rule = Rule::error(
    "ttl-not-epoch-seconds",
    Group::Indexes,
    "a TTL attribute that does not hold epoch seconds",
    include_str!("ttl_not_epoch_seconds.md"),
);

pub(super) const CHECK: DesignCheck = DesignCheck { rule: &RULE, run: check };

fn check(facts: &DesignFacts<'_>, findings: &mut Vec<Finding>) {
    for (at, item) in facts.design.items.iter().enumerate() {
        let Some(ttl) = facts.design.table(&item.table).and_then(|table| table.ttl.as_deref()) else {
            continue;
        };
        let span = |position: usize| {
            facts
                .item_source(at)
                .and_then(|source| source.attributes.get(position).copied())
                .unwrap_or_else(|| facts.item_span(at))
        };
        if let Some(position) = item.attributes.iter().position(|it| it.name == ttl)
            && !item.attributes[position].ty.is_numeric()
        {
            findings.push(
                Finding::new(
                    &RULE,
                    span(position),
                    format!(
                        "`{ttl}` of {} is a {}, and DynamoDB expires only by a number of seconds since 1970",
                        item.name, item.attributes[position].ty
                    ),
                )
                .help("write it as a number: epoch seconds"),
            );
            continue;
        }
        let said = facts.item_source(at).and_then(|source| source.ttl.as_ref());
        if let Some((said, word)) = said.and_then(|said| Some((said, other_form(&said.value)?))) {
            findings.push(
                Finding::new(&RULE, said.span, format!("`{ttl}` of {} is said to be in {word}, and DynamoDB expires only by a number of seconds since 1970", item.name))
                    .help("write it as a number: epoch seconds"),
            );
            continue;
        }
        let example = facts.item_source(at).and_then(|source| source.example.as_ref());
        let value = example
            .and_then(|example| example.values.iter().find(|(name, _)| name == ttl))
            .map(|(_, value)| value);
        match value.map(|value| (&value.value, value.span)) {
            Some((ExampleValue::Number(number), span)) if number.len() > 11 => findings.push(
                Finding::new(&RULE, span, format!("`{ttl}` is {number}, which is milliseconds: in seconds it lies thousands of years ahead, so the item never expires"))
                    .help("divide by 1000"),
            ),
            Some((ExampleValue::String(text), span)) => findings.push(
                Finding::new(&RULE, span, format!("`{ttl}` is the text `{text}`, and DynamoDB expires only by a number of seconds since 1970"))
                    .help("write it as a number: epoch seconds"),
            ),
            _ => {}
        }
    }
}

/// The form other than seconds that a remark on the attribute gives: "expiresAt (ISO timestamp)".
fn other_form(said: &str) -> Option<&'static str> {
    let (_, remark) = said.split_once('(')?;
    let has = |wanted: &[&str]| {
        remark
            .split(|next: char| !next.is_alphanumeric())
            .any(|word| wanted.iter().any(|wanted| word.eq_ignore_ascii_case(wanted)))
    };
    if has(&["iso", "iso8601", "rfc3339", "datetime", "date", "string"]) {
        Some("text")
    } else if has(&["ms", "millis", "milliseconds"]) {
        Some("milliseconds")
    } else {
        None
    }
}

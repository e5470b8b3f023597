//! moved-key: a key of existing items that a new design changes.

use keywright_finding::{Finding, Group, Rule};
use keywright_key::{Encoding, Segment, Template, Value};
use keywright_model::design::KeyValue;

use crate::DesignFacts;
use crate::check::DesignCheck;

static RULE: Rule = Rule::error(
    "moved-key",
    Group::Indexes,
    "a key of existing items that a new design changes",
    include_str!("moved_key.md"),
);

pub(super) const CHECK: DesignCheck = DesignCheck { rule: &RULE, run: check };

/// Whether a template writes every key that another one wrote: an enumeration may have got more values.
fn writes_alike(was: &str, now: &str) -> bool {
    let (Ok(was), Ok(now)) = (Template::parse(was), Template::parse(now)) else { return false };
    let alike = |(was, now): (&Segment, &Segment)| match (was, now) {
        (Segment::Placeholder(was), Segment::Placeholder(now)) if was.name() == now.name() => {
            let Encoding::Enumeration(values) = was.encoding() else { return was == now };
            let written = |by: &Encoding, value: &String| by.encode(&Value::from(value.as_str())).ok();
            values.values().iter().all(|it| written(was.encoding(), it) == written(now.encoding(), it))
        }
        _ => was == now,
    };
    was.segments().len() == now.segments().len() && was.segments().iter().zip(now.segments()).all(alike)
}

fn check(facts: &DesignFacts<'_>, findings: &mut Vec<Finding>) {
    let Some(base) = facts.base else { return };
    for before in &base.items {
        let Some(at) = facts.item_named(&before.name) else { continue };
        let item = facts.item(at);
        for key in &before.keys {
            let is_primary =
                base.table(&before.table).is_some_and(|table| table.key().any(|it| it.name == key.attribute));
            let text = |value: &KeyValue| match value {
                KeyValue::Template(text) => text.clone(),
                KeyValue::Natural => format!("<{}>", key.attribute),
            };
            let now = item.key(&key.attribute).map(|it| text(&it.value));
            let was = text(&key.value);
            if now.as_deref().is_some_and(|now| now == was || writes_alike(&was, now)) {
                continue;
            }
            let position = item.keys.iter().position(|it| it.attribute == key.attribute);
            let span = position
                .and_then(|position| facts.item_source(at)?.keys.get(position))
                .map_or_else(|| facts.item_span(at), |source| source.value.span);
            let now = now.unwrap_or_else(|| "nothing".to_owned());
            let what = if is_primary {
                "every item must be written again under its new key"
            } else {
                "every item must be updated before the index is right"
            };
            findings.push(
                Finding::new(
                    &RULE,
                    span,
                    format!("`{}` of {} was `{was}` and is `{now}`: {what}", key.attribute, item.name),
                )
                .help("keep the key and add an index, which needs a backfill at most, or plan the migration"),
            );
        }
    }
}

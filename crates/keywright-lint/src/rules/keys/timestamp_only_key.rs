//! timestamp-only-key: an item whose sort key is a time that its reader can't know.

use keywright_finding::{Finding, Group, Rule};
use keywright_key::{Encoding, Placeholder};
use keywright_model::design::{Action, Request};
use keywright_model::model::Type;

use crate::check::DesignCheck;
use crate::design_facts::is_time;
use crate::{DesignFacts, Known};

static RULE: Rule = Rule::warning(
    "timestamp-only-key",
    Group::Keys,
    "an item whose sort key is a time that its reader can't know",
    include_str!("timestamp_only_key.md"),
);

pub(super) const CHECK: DesignCheck = DesignCheck { rule: &RULE, run: check };

fn check(facts: &DesignFacts<'_>, findings: &mut Vec<Finding>) {
    for (space, member, key) in facts.sort_keys().filter(|(space, ..)| space.index.is_none()) {
        let places = key.places();
        if places.is_empty()
            || !places.iter().all(|place| {
                let known = facts.known(member.item, place.name());
                is_time(known, place) && is_set_by_clock(known, place)
            })
        {
            continue;
        }
        let item = facts.item(member.item).name.as_str();
        let addressed = facts.requests().any(|(_, request, _)| match request {
            Request::GetItem(get) => get.item == item,
            Request::Write { action } => changes(action, item),
            Request::TransactWriteItems { actions } => actions.iter().any(|action| changes(action, item)),
            _ => false,
        });
        let unknown = facts.design.operations.is_empty()
            && facts.collection(space, member).len() > 1
            && key.prefix().is_empty();
        if addressed || unknown {
            findings.push(
                Finding::new(
                    &RULE,
                    key.span,
                    format!("{item} is addressed by `{}`, so a reader must know its exact time", key.text()),
                )
                .help("use an identifier that the reader has, or a ULID, which sorts by time as well"),
            );
        }
    }
}

/// Whether a time is one that nobody chose: when something was written, not the day of a booking. What the access
/// patterns declare as an identity is known to whoever asks for it.
fn is_set_by_clock(known: Option<Known<'_>>, place: &Placeholder) -> bool {
    let identifies =
        known.and_then(|known| known.model).is_some_and(|it| it.id.as_ref().is_some_and(|flag| flag.value));
    let is_date =
        known.is_some_and(|known| known.ty == Type::Date) || matches!(place.encoding(), Encoding::Date(_));
    let name = place.name();
    let lower = name.to_ascii_lowercase();
    let participle = ["ed", "sent", "written", "paid", "seen", "made", "taken"];
    let stem =
        name.strip_suffix("At").or_else(|| name.strip_suffix("On")).or_else(|| name.strip_suffix("Time"));
    let clock = ["timestamp", "time", "datetime", "ts"].contains(&lower.as_str())
        || lower.ends_with("timestamp")
        || stem.is_some_and(|stem| participle.iter().any(|it| stem.to_ascii_lowercase().ends_with(it)));
    clock && !is_date && !identifies
}

fn changes(action: &Action, item: &str) -> bool {
    match action {
        Action::Update(update) => update.item == item,
        Action::Delete(delete) | Action::Check(delete) => delete.item == item,
        Action::Put(_) => false,
    }
}

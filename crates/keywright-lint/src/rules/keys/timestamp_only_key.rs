//! timestamp-only-key: an item whose sort key is a time that its reader can't know.

use keywright_finding::{Finding, Group, Rule};
use keywright_model::design::{Action, Request};

use crate::DesignFacts;
use crate::check::DesignCheck;
use crate::design_facts::is_time;

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
            || !places.iter().all(|place| is_time(facts.known(member.item, place.name()), place))
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
                    format!(
                        "{item} is addressed by `{}`, so whoever wants one must know its exact time",
                        key.text()
                    ),
                )
                .help("use an identifier that the reader has, or a ULID, which sorts by time as well"),
            );
        }
    }
}

fn changes(action: &Action, item: &str) -> bool {
    match action {
        Action::Update(update) => update.item == item,
        Action::Delete(delete) | Action::Check(delete) => delete.item == item,
        Action::Put(_) => false,
    }
}

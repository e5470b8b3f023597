//! unaddressable-write: a write whose inputs can not build the key of an item that it touches.

use keywright_finding::{Finding, Group, Rule};
use keywright_model::design::{Action, Request, Scatter, Value};
use std::collections::BTreeSet;

use crate::DesignFacts;
use crate::check::DesignCheck;

static RULE: Rule = Rule::error(
    "unaddressable-write",
    Group::Operations,
    "a write whose inputs can't build the key of an item that it touches",
    include_str!("unaddressable_write.md"),
);

pub(super) const CHECK: DesignCheck = DesignCheck { rule: &RULE, run: check };

fn check(facts: &DesignFacts<'_>, findings: &mut Vec<Finding>) {
    for (operation, request, place) in facts.requests() {
        let Some(pattern) = facts.pattern(operation) else { continue };
        let actions: &[Action] = match request {
            Request::Write { action } => std::slice::from_ref(action),
            Request::TransactWriteItems { actions } | Request::BatchWriteItem { actions } => actions,
            _ => continue,
        };
        let mut given: BTreeSet<&str> = operation.generated.iter().map(|it| it.name.as_str()).collect();
        for input in pattern.inputs() {
            given.insert(&input.name);
            given.extend(input.binds.iter().map(|bind| bind.attribute.as_str()));
        }
        if let Some(Request::Query(query)) = operation.requests.first() {
            given.extend(query.scatter.iter().map(Scatter::placeholder));
        }
        for (at, action) in actions.iter().enumerate() {
            let (item, key) = match action {
                Action::Update(update) => (&update.item, &update.key),
                Action::Delete(delete) | Action::Check(delete) => (&delete.item, &delete.key),
                Action::Put(_) => continue,
            };
            let mut missing: Vec<&str> =
                key.iter().flat_map(|(_, value)| names(value)).filter(|name| !given.contains(name)).collect();
            missing.dedup();
            if !missing.is_empty() {
                findings.push(
                    Finding::new(&RULE, place.action(at), format!("{} can't address {item}: its key needs \
                                                                   `{}`, which is not an input", operation.pattern, missing.join("`, `")))
                        .help("add the input to the pattern, read the item first through an index, or take the attribute out of the key"),
                );
            }
        }
    }
}

/// The inputs that a value is built from.
fn names(value: &Value) -> Vec<&str> {
    match value {
        Value::Input(name) => vec![name],
        Value::Template(template) => template
            .split('<')
            .skip(1)
            .filter_map(|part| part.split_once('>'))
            .map(|(place, _)| place.split_once(':').map_or(place, |(name, _)| name))
            .filter(|name| !name.starts_with(|first: char| first.is_ascii_digit()) && *name != "shard")
            .collect(),
        _ => Vec::new(),
    }
}

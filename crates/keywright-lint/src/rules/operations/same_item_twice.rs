//! same-item-twice: two actions on one item in a transaction.

use keywright_finding::{Finding, Group, Rule};
use keywright_model::design::{Action, KeyValue, Request, Value};

use crate::DesignFacts;
use crate::check::DesignCheck;

static RULE: Rule = Rule::error(
    "same-item-twice",
    Group::Operations,
    "two actions on one item in a transaction",
    include_str!("same_item_twice.md"),
);

pub(super) const CHECK: DesignCheck = DesignCheck { rule: &RULE, run: check };

fn check(facts: &DesignFacts<'_>, findings: &mut Vec<Finding>) {
    for (operation, request, place) in facts.requests() {
        let Request::TransactWriteItems { actions } = request else { continue };
        let keys: Vec<Option<String>> = actions.iter().map(|action| key(facts, action)).collect();
        for (at, own) in keys.iter().enumerate() {
            let Some(own) = own else { continue };
            if let Some(before) = keys[..at].iter().position(|other| other.as_ref() == Some(own)) {
                findings.push(
                    Finding::new(
                        &RULE,
                        place.action(at),
                        format!(
                            "{} touches one item twice, and DynamoDB refuses such a transaction",
                            operation.pattern
                        ),
                    )
                    .help("make one Put or Update of the two: a Put replaces the item")
                    .related(place.action(before), "the same item"),
                );
            }
        }
    }
}

/// The key that an action names, as a text that is equal for equal keys; none where it can't be told.
fn key(facts: &DesignFacts<'_>, action: &Action) -> Option<String> {
    match action {
        Action::Update(update) if update.each.is_none() => Some(of_pairs(&update.table, &update.key)),
        Action::Delete(it) | Action::Check(it) if it.each.is_none() => Some(of_pairs(&it.table, &it.key)),
        Action::Put(put) if put.each.is_none() => {
            let item = facts.item(facts.item_named(&put.item)?);
            let table = facts.design.table(&put.table)?;
            let mut pairs = Vec::new();
            for key in table.key() {
                let KeyValue::Template(template) = &item.key(&key.name)?.value else { return None };
                let mut text = template.clone();
                for (name, value) in &put.values {
                    let replacement = match value {
                        Value::Input(input) | Value::Generated(input) => format!("<{input}"),
                        Value::Read { request, attribute } => format!("<{request}.{attribute}"),
                        Value::Literal(_) | Value::Template(_) | Value::Sum { .. } => return None,
                    };
                    for end in [">", ":"] {
                        text = text.replace(&format!("<{name}{end}"), &format!("{replacement}{end}"));
                    }
                }
                if let Some(request) = put.based_on {
                    let given: Vec<&String> = put.values.iter().map(|(name, _)| name).collect();
                    for attribute in item.attributes.iter().filter(|it| !given.contains(&&it.name)) {
                        text = text.replace(
                            &format!("<{}", attribute.name),
                            &format!("<{request}.{}", attribute.name),
                        );
                    }
                }
                pairs.push((key.name.clone(), Value::Template(text)));
            }
            Some(of_pairs(&put.table, &pairs))
        }
        _ => None,
    }
}

fn of_pairs(table: &str, key: &[(String, Value)]) -> String {
    let mut parts: Vec<String> = key.iter().map(|(name, value)| format!("{name}={value:?}")).collect();
    parts.sort();
    format!("{table} {}", parts.join(" "))
}

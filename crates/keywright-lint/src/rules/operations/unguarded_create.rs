//! unguarded-create: a create without attribute_not_exists.

use keywright_finding::{Finding, Group, Rule};
use keywright_model::design::{Action, ItemKind, Request};
use keywright_model::model::ConditionKind;

use crate::DesignFacts;
use crate::check::DesignCheck;
use crate::guards::forbids;

static RULE: Rule = Rule::error(
    "unguarded-create",
    Group::Operations,
    "a create without attribute_not_exists",
    include_str!("unguarded_create.md"),
);

pub(super) const CHECK: DesignCheck = DesignCheck { rule: &RULE, run: check };

fn check(facts: &DesignFacts<'_>, findings: &mut Vec<Finding>) {
    for (operation, request, place) in facts.requests() {
        let actions: &[Action] = match request {
            Request::Write { action } => std::slice::from_ref(action),
            Request::TransactWriteItems { actions } => actions,
            _ => continue,
        };
        for (at, action) in actions.iter().enumerate() {
            let Action::Put(put) = action else { continue };
            let Some(item) = facts.item_named(&put.item) else { continue };
            let is_main = facts.item(item).kind == ItemKind::Main && put.based_on.is_none();
            let guarded = put.condition.as_ref().is_some_and(forbids);
            if is_main && !guarded && creates(facts, operation, item) {
                findings.push(
                    Finding::new(
                        &RULE,
                        place.condition(at),
                        format!(
                            "{} creates {} and replaces one that is already there",
                            operation.pattern, put.item
                        ),
                    )
                    .help("add the condition attribute_not_exists on the partition key"),
                );
            }
        }
    }
}

/// Whether the pattern says that the item must be new; without a Model, whether its words do and nothing makes up a new key.
fn creates(facts: &DesignFacts<'_>, operation: &keywright_model::design::Operation, item: usize) -> bool {
    let entities = &facts.item(item).entities;
    if let Some(write) = facts.pattern(operation).and_then(|pattern| pattern.write()) {
        return write.conditions.iter().any(|condition| matches!(&condition.kind, ConditionKind::NotExists { entity } if entities.contains(entity)));
    }
    let first = operation.description.split_whitespace().next().unwrap_or_default().to_ascii_lowercase();
    let has_new_key = facts.item(item).attributes.iter().any(|it| it.ty.is_generated_id())
        || !operation.generated.is_empty();
    facts.model.is_none() && ["create", "register"].contains(&first.as_str()) && !has_new_key
}

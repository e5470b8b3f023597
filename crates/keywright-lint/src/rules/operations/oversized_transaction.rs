//! oversized-transaction: a transaction of more than DynamoDB takes.

use keywright_dynamodb::limits::{TRANSACTION_ACTIONS, TRANSACTION_BYTES};
use keywright_finding::{Finding, Group, Rule};
use keywright_model::design::{Action, Request};

use crate::DesignFacts;
use crate::check::DesignCheck;
use crate::numbers::item_bytes;

static RULE: Rule = Rule::error(
    "oversized-transaction",
    Group::Operations,
    "a transaction of more than DynamoDB takes",
    include_str!("oversized_transaction.md"),
);

pub(super) const CHECK: DesignCheck = DesignCheck { rule: &RULE, run: check };

fn check(facts: &DesignFacts<'_>, findings: &mut Vec<Finding>) {
    for (operation, request, place) in facts.requests() {
        let Request::TransactWriteItems { actions } = request else { continue };
        let mut count: u64 = 0;
        let mut bytes: u64 = 0;
        // What belongs to one item that was read is held together, and several of them as far as they fit.
        let first = actions.first().and_then(Action::each);
        let cut = first.is_some() && actions.iter().all(|action| action.each() == first);
        let fit = if cut { (TRANSACTION_ACTIONS / actions.len()).max(1) as u64 } else { u64::MAX };
        for action in actions {
            let item = action.item();
            let times = if action.each().is_some() { most(facts, item).unwrap_or(1).min(fit) } else { 1 };
            count = count.saturating_add(times);
            bytes = bytes.saturating_add(item_bytes(facts, item).saturating_mul(times));
        }
        if count > TRANSACTION_ACTIONS as u64 {
            findings.push(
                Finding::new(&RULE, place.name(), format!("{} writes up to {count} items in one transaction, and DynamoDB takes {TRANSACTION_ACTIONS}", operation.pattern))
                    .help("write them in several transactions that can be repeated, or in batches"),
            );
        } else if bytes > TRANSACTION_BYTES {
            findings.push(
                Finding::new(&RULE, place.name(), format!("{} writes up to {bytes} bytes in one transaction, and DynamoDB takes {TRANSACTION_BYTES}", operation.pattern))
                    .help("keep large values elsewhere, or write fewer items at once"),
            );
        }
    }
}

/// How many items of a type one parent has at most, where the Model says so.
fn most(facts: &DesignFacts<'_>, item: &str) -> Option<u64> {
    let at = facts.item_named(item)?;
    let model = facts.model?;
    facts
        .item(at)
        .entities
        .iter()
        .flat_map(|entity| model.parents_of(entity))
        .filter_map(|it| it.fan_out.max.as_ref())
        .map(|max| max.value)
        .max()
}

//! oversized-batch: a batch of more than DynamoDB takes.

use keywright_dynamodb::limits::BATCH_WRITE_REQUESTS;
use keywright_finding::{Finding, Group, Rule};
use keywright_model::design::Request;

use crate::DesignFacts;
use crate::check::DesignCheck;

static RULE: Rule = Rule::error(
    "oversized-batch",
    Group::Operations,
    "a batch of more than DynamoDB takes",
    include_str!("oversized_batch.md"),
);

pub(super) const CHECK: DesignCheck = DesignCheck { rule: &RULE, run: check };

fn check(facts: &DesignFacts<'_>, findings: &mut Vec<Finding>) {
    for (operation, request, place) in facts.requests() {
        let Request::BatchWriteItem { actions } = request else { continue };
        if actions.len() > BATCH_WRITE_REQUESTS {
            findings.push(
                Finding::new(
                    &RULE,
                    place.name(),
                    format!(
                        "{} writes {} items in one batch, and DynamoDB takes {BATCH_WRITE_REQUESTS}",
                        operation.pattern,
                        actions.len()
                    ),
                )
                .help("split the batch"),
            );
        }
    }
}

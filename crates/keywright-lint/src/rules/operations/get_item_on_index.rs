//! get-item-on-index: a GetItem on an index.

use keywright_finding::{Finding, Group, Rule};
use keywright_model::design::OperationName;

use crate::DesignFacts;
use crate::check::DesignCheck;

static RULE: Rule = Rule::error(
    "get-item-on-index",
    Group::Operations,
    "a GetItem on an index",
    include_str!("get_item_on_index.md"),
);

pub(super) const CHECK: DesignCheck = DesignCheck { rule: &RULE, run: check };

fn check(facts: &DesignFacts<'_>, findings: &mut Vec<Finding>) {
    for (operation, source) in facts.operations() {
        let (Some(source), true) =
            (source, operation.operation == OperationName::GetItem && operation.requests.len() < 2)
        else {
            continue;
        };
        let Some(cell) = &source.place else { continue };
        let name = cell.value.trim();
        if facts.is_index(name) {
            findings.push(
                Finding::new(
                    &RULE,
                    cell.span,
                    format!(
                        "{} gets an item from {}, and an index can only be queried",
                        operation.pattern, name
                    ),
                )
                .help("write Query, and take the first item"),
            );
        }
    }
}

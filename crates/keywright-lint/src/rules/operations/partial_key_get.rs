//! partial-key-get: a GetItem without the whole primary key.

use keywright_finding::{Finding, Group, Rule};
use keywright_model::design::Request;

use crate::DesignFacts;
use crate::check::DesignCheck;

static RULE: Rule = Rule::error(
    "partial-key-get",
    Group::Operations,
    "a GetItem without the whole primary key",
    include_str!("partial_key_get.md"),
);

pub(super) const CHECK: DesignCheck = DesignCheck { rule: &RULE, run: check };

fn check(facts: &DesignFacts<'_>, findings: &mut Vec<Finding>) {
    for (operation, request, place) in facts.requests() {
        let Request::GetItem(get) = request else { continue };
        let Some(table) = facts.design.table(&get.table) else { continue };
        // An index has a rule of its own.
        let on_index = place
            .operation
            .and_then(|source| source.place.as_ref())
            .is_some_and(|cell| facts.is_index(cell.value.trim()));
        let missing: Vec<&str> = table
            .key()
            .map(|key| key.name.as_str())
            .filter(|name| !get.key.iter().any(|(it, _)| it == name))
            .collect();
        if !missing.is_empty() && !on_index {
            findings.push(
                Finding::new(
                    &RULE,
                    place.at(|source| source.partition),
                    format!(
                        "{} gets an item without `{}`, and DynamoDB takes only the whole key",
                        operation.pattern,
                        missing.join("`, `")
                    ),
                )
                .help("give the whole key, or write Query"),
            );
        }
    }
}

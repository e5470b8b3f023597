//! scan: a Scan that no pattern asks for.

use keywright_finding::{Finding, Group, Rule};
use keywright_model::design::Request;

use crate::DesignFacts;
use crate::check::DesignCheck;

static RULE: Rule =
    Rule::error("scan", Group::Operations, "a Scan that no pattern asks for", include_str!("scan.md"));

pub(super) const CHECK: DesignCheck = DesignCheck { rule: &RULE, run: check };

fn check(facts: &DesignFacts<'_>, findings: &mut Vec<Finding>) {
    for (operation, request, place) in facts.requests() {
        let Request::Scan(scan) = request else { continue };
        let asked = facts.pattern(operation).and_then(|pattern| pattern.read()).is_some_and(|read| read.scan)
            || operation.description.to_ascii_lowercase().starts_with("scan");
        if !asked {
            findings.push(
                Finding::new(
                    &RULE,
                    place.name(),
                    format!(
                        "{} reads all of {} to find what it wants",
                        operation.pattern,
                        scan.index.as_deref().unwrap_or(&scan.table)
                    ),
                )
                .help(
                    "give the pattern a key, in the table or in an index, or start its description \
                           with \"Scan\" if a Scan is intended",
                ),
            );
        }
    }
}

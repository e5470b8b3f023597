//! full-key-query: a Query that could be a GetItem.

use keywright_finding::{Edit, Finding, Fix, Group, Rule};
use keywright_model::design::Request;

use crate::DesignFacts;
use crate::check::DesignCheck;

static RULE: Rule = Rule::note(
    "full-key-query",
    Group::Operations,
    "a Query that could be a GetItem",
    include_str!("full_key_query.md"),
);

pub(super) const CHECK: DesignCheck = DesignCheck { rule: &RULE, run: check };

fn check(facts: &DesignFacts<'_>, findings: &mut Vec<Finding>) {
    for (operation, request, place) in facts.requests() {
        let Request::Query(query) = request else { continue };
        let Some(table) = facts.design.table(&query.table).filter(|_| query.index.is_none()) else {
            continue;
        };
        let whole = query.key.range.is_none()
            && query.filter.is_none()
            && query.scatter.is_empty()
            && table.key().all(|key| {
                query.key.partition.iter().chain(&query.key.sort).any(|(name, _)| *name == key.name)
            });
        if whole {
            let mut finding = Finding::new(
                &RULE,
                place.name(),
                format!("{} gives the whole key, so a GetItem finds the one item", operation.pattern),
            )
            .help("write GetItem: it needs no page, and says that there is at most one");
            if let Some(source) = place.request.filter(|source| source.operation.len() == 5) {
                finding =
                    finding.fix(Fix::new("write GetItem", [Edit::replace(source.operation, "GetItem")]));
            }
            findings.push(finding);
        }
    }
}

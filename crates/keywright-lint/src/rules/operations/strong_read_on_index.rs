//! strong-read-on-index: a strongly consistent read of an index.

use keywright_finding::{Finding, Group, Rule};
use keywright_model::design::Request;
use keywright_model::model::Consistency;

use crate::DesignFacts;
use crate::check::DesignCheck;

static RULE: Rule = Rule::error(
    "strong-read-on-index",
    Group::Operations,
    "a strongly consistent read of an index",
    include_str!("strong_read_on_index.md"),
);

pub(super) const CHECK: DesignCheck = DesignCheck { rule: &RULE, run: check };

fn check(facts: &DesignFacts<'_>, findings: &mut Vec<Finding>) {
    for (operation, request, place) in facts.requests() {
        let Request::Query(query) = request else { continue };
        let Some(index) = &query.index else { continue };
        let is_local = facts
            .design
            .indexes
            .iter()
            .position(|it| it.name == *index)
            .and_then(|at| facts.source.indexes.get(at))
            .is_some_and(|it| it.local);
        let wanted = facts
            .pattern(operation)
            .and_then(|pattern| pattern.read())
            .and_then(|read| read.consistency.as_ref());
        let wants_strong = wanted.is_some_and(|it| it.value == Consistency::Strong);
        if (query.consistent || wants_strong) && !is_local {
            findings.push(
                Finding::new(
                    &RULE,
                    place.at(|source| source.consistent.or(source.place)),
                    format!("{} is a strong read, and {index} lags behind the table", operation.pattern),
                )
                .help("read from the table itself, or accept an eventual read"),
            );
        }
    }
}

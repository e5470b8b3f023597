//! unused-index: an index that no pattern reads.

use keywright_finding::{Finding, Group, Rule, Span};
use keywright_model::design::Request;

use crate::DesignFacts;
use crate::check::DesignCheck;

static RULE: Rule = Rule::warning(
    "unused-index",
    Group::Indexes,
    "an index that no pattern reads",
    include_str!("unused_index.md"),
);

pub(super) const CHECK: DesignCheck = DesignCheck { rule: &RULE, run: check };

fn check(facts: &DesignFacts<'_>, findings: &mut Vec<Finding>) {
    if facts.design.operations.is_empty() {
        return;
    }
    for (at, index) in facts.design.indexes.iter().enumerate() {
        if !is_used(facts, &index.table, &index.name) {
            findings.push(
                Finding::new(
                    &RULE,
                    facts.source.indexes.get(at).map_or_else(Span::default, |it| it.name),
                    format!("no pattern reads {}, and every write of its items pays for it", index.name),
                )
                .help("remove the index, or map the pattern that needs it"),
            );
        }
    }
}

/// Whether some request reads the index, or a row names it, if only by mistake: a GetItem can't read one.
fn is_used(facts: &DesignFacts<'_>, table: &str, index: &str) -> bool {
    let named = facts.operations().any(|(_, source)| {
        source
            .and_then(|source| source.place.as_ref())
            .is_some_and(|place| place.value.eq_ignore_ascii_case(index))
    });
    named
        || facts.requests().any(|(_, request, _)| match request {
            Request::Query(query) => query.table == table && query.index.as_deref() == Some(index),
            Request::Scan(scan) => scan.table == table && scan.index.as_deref() == Some(index),
            _ => false,
        })
}

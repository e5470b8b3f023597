//! missing-projection: an index whose projection is not chosen.

use keywright_finding::{Finding, Group, Rule};

use crate::DesignFacts;
use crate::check::DesignCheck;

static RULE: Rule = Rule::error(
    "missing-projection",
    Group::Indexes,
    "an index whose projection is not chosen",
    include_str!("missing_projection.md"),
);

pub(super) const CHECK: DesignCheck = DesignCheck { rule: &RULE, run: check };

fn check(facts: &DesignFacts<'_>, findings: &mut Vec<Finding>) {
    for (index, source) in facts.design.indexes.iter().zip(&facts.source.indexes) {
        if source.listed && source.projection.is_none() {
            findings.push(
                Finding::new(
                    &RULE,
                    source.name,
                    format!(
                        "{} has no stated projection, and a projection can't be changed once the index \
                         exists",
                        index.name
                    ),
                )
                .help("write ALL, KEYS_ONLY or INCLUDE with the attributes that its patterns return"),
            );
        }
    }
}

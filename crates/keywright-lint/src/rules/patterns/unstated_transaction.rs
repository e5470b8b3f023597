//! unstated-transaction: several items written, and nothing that says whether together.

use keywright_finding::{Finding, Group, Rule, Span};

use crate::Facts;
use crate::check::Check;

static RULE: Rule = Rule::error(
    "unstated-transaction",
    Group::Patterns,
    "a write of several items that does not say whether it is a transaction",
    include_str!("unstated_transaction.md"),
);

pub(super) const CHECK: Check = Check { rule: &RULE, run: check };

fn check(facts: &Facts<'_>, findings: &mut Vec<Finding>) {
    for pattern in &facts.model.patterns {
        let Some(write) = pattern.write() else { continue };
        if write.transaction.is_some() {
            continue;
        }
        let [first, rest @ ..] = write.effects.as_slice() else { continue };
        // Two effects on one entity can be two changes of one item.
        let Some(other) = rest.iter().find(|effect| effect.entity != first.entity) else {
            if let Some(all) = write.effects.iter().find(|effect| effect.all) {
                let message = format!(
                    "this touches all items of `{}` that it selects but does not say whether all or none of them",
                    all.entity
                );
                findings.push(unstated(pattern.span, message).related(all.span, "several items"));
            }
            continue;
        };
        let message = format!(
            "this touches `{}` and `{}` but does not say whether both or neither",
            first.entity, other.entity
        );
        findings.push(unstated(pattern.span, message).related(first.span.cover(other.span), "several items"));
    }
}

fn unstated(span: Span, message: String) -> Finding {
    Finding::new(&RULE, span, message).help("write `Yes`, `No` or `Yes (batch)` under Transaction")
}

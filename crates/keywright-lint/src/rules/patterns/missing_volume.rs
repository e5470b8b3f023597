//! missing-volume: a rule or a price that had to use a default.

use std::collections::BTreeSet;

use keywright_finding::{Finding, Group, Rule};
use keywright_model::model::{Entity, EntityKind, Pattern};

use crate::Facts;
use crate::check::Check;

static RULE: Rule = Rule::note(
    "missing-volume",
    Group::Patterns,
    "a number that is not stated, so a default is used",
    include_str!("missing_volume.md"),
);

pub(super) const CHECK: Check = Check { rule: &RULE, run: check };

fn check(facts: &Facts<'_>, findings: &mut Vec<Finding>) {
    entities(facts, findings);
    patterns(facts, findings);
}

/// Entities whose number of items is neither stated nor follows from a parent's.
fn entities(facts: &Facts<'_>, findings: &mut Vec<Finding>) {
    let silent = |entity: &&Entity| entity.count.is_none() && !entity.is(EntityKind::Singleton);
    let has_fan_out: BTreeSet<&str> = facts
        .model
        .relationships
        .iter()
        .filter(|relationship| relationship.fan_out.mean.is_some() || relationship.fan_out.max.is_some())
        .map(|relationship| relationship.child.as_str())
        .collect();
    for entity in facts
        .model
        .entities
        .iter()
        .filter(silent)
        .filter(|entity| !has_fan_out.contains(entity.name.as_str()))
    {
        findings.push(
            Finding::new(
                &RULE,
                entity.span,
                format!(
                    "the document does not state how many items of `{}` there are, so prices and limits use \
                     a default",
                    entity.name
                ),
            )
            .help("write it under Cardinality, such as `~40 per customer, ~10M total`"),
        );
    }
}

/// Patterns without a rate; one finding where no pattern has one.
fn patterns(facts: &Facts<'_>, findings: &mut Vec<Finding>) {
    let silent: Vec<&Pattern> = facts
        .model
        .patterns
        .iter()
        .filter(|pattern| pattern.rate.is_none() && pattern.frequency.is_none())
        .collect();
    let help = "write `Hot`, `Warm`, `Cold` or a number such as `250/s` under Frequency";
    if silent.len() > 1 && silent.len() == facts.model.patterns.len() {
        let message = "no pattern says how often it runs, so prices and limits use a default for all of them";
        findings.push(Finding::new(&RULE, silent[0].span, message).help(help));
        return;
    }
    for pattern in silent {
        let message = "this pattern does not say how often it runs, so prices and limits use a default";
        findings.push(Finding::new(&RULE, pattern.span, message).help(help));
    }
}

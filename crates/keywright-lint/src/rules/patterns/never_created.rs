//! never-created: an entity that writes expect to be there, and that nobody creates.

use std::collections::{BTreeMap, BTreeSet};

use keywright_finding::{Finding, Group, Rule};
use keywright_model::model::{Action, Pattern};

use crate::Facts;
use crate::check::Check;

static RULE: Rule = Rule::note(
    "never-created",
    Group::Patterns,
    "an entity that is updated or deleted, but that no pattern creates",
    include_str!("never_created.md"),
);

pub(super) const CHECK: Check = Check { rule: &RULE, run: check };

fn check(facts: &Facts<'_>, findings: &mut Vec<Finding>) {
    let mut created: BTreeSet<&str> = BTreeSet::new();
    let mut expected: BTreeMap<&str, &Pattern> = BTreeMap::new();
    for pattern in &facts.model.patterns {
        for effect in pattern.write().iter().flat_map(|write| &write.effects) {
            match effect.action {
                Action::Create | Action::Put => {
                    created.insert(&effect.entity);
                }
                Action::Update | Action::Add { .. } | Action::Delete => {
                    expected.entry(&effect.entity).or_insert(pattern);
                }
            }
        }
    }
    for entity in &facts.model.entities {
        let name = entity.name.as_str();
        // Versions are written with what they are versions of.
        if created.contains(name) || entity.versions_of.is_some() {
            continue;
        }
        let Some(pattern) = expected.get(name) else { continue };
        let message = format!("{} expects an existing `{name}`, but no pattern creates one", pattern.id);
        findings.push(
            Finding::new(&RULE, pattern.span, message)
                .help("add the write that creates it, unless another program does"),
        );
    }
}

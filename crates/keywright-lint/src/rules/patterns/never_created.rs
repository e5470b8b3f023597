//! never-created: an entity that writes expect to be there, and that nobody creates.

use keywright_finding::{Finding, Group, Rule};
use keywright_model::model::Action;

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
    for entity in &facts.model.entities {
        let patterns = facts.model.patterns.iter();
        let actions =
            patterns.filter_map(|pattern| Some((pattern, pattern.write()?))).flat_map(|(pattern, write)| {
                let own = write.effects.iter().filter(|effect| effect.entity == entity.name);
                own.map(move |effect| (pattern, &effect.action))
            });
        let (mut creates, mut expects) = (false, None);
        for (pattern, action) in actions {
            match action {
                Action::Create | Action::Put => creates = true,
                Action::Update | Action::Add { .. } | Action::Delete => expects = expects.or(Some(pattern)),
            }
        }
        // Versions are written with what they are versions of.
        if let Some(pattern) = expects.filter(|_| !creates && entity.versions_of.is_none()) {
            let (id, name) = (&pattern.id, &entity.name);
            findings.push(
                Finding::new(
                    &RULE,
                    pattern.span,
                    format!("{id} expects an existing `{name}`, but no pattern creates one"),
                )
                .help("add the write that creates it, unless another program does"),
            );
        }
    }
}

//! unmarked-multi-entity: several entities in one answer, and nothing that says so.

use keywright_finding::{Finding, Group, Rule};

use crate::Facts;
use crate::check::Check;

static RULE: Rule = Rule::error(
    "unmarked-multi-entity",
    Group::Patterns,
    "a read of several entities that is not marked Multi-Entity, or the reverse",
    include_str!("unmarked_multi_entity.md"),
);

pub(super) const CHECK: Check = Check { rule: &RULE, run: check };

fn check(facts: &Facts<'_>, findings: &mut Vec<Finding>) {
    for pattern in &facts.model.patterns {
        let Some(read) = pattern.read() else { continue };
        let marked = read.multi_entity.as_ref().is_some_and(|marked| marked.value);
        let span = read.multi_entity.as_ref().map_or(pattern.span, |marked| marked.span);
        match pattern.entities.as_slice() {
            [first, .., last] if !marked => findings.push(
                Finding::new(&RULE, span, format!("this read names {} entities but is not marked Multi-Entity", pattern.entities.len()))
                    .help("write `Yes` under Multi-Entity if one answer holds all of them; otherwise make it one pattern per entity")
                    .related(first.span.cover(last.span), "the entities"),
            ),
            [only] if marked => findings.push(
                Finding::new(&RULE, span, format!("this read is marked Multi-Entity but names only `{}`", only.value))
                    .help("name all entities that the answer holds, or write `No`")
                    .related(only.span, "the only entity"),
            ),
            _ => {}
        }
    }
}

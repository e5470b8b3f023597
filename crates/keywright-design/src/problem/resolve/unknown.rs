//! Patterns of nothing that the document declares: nobody can say what they read or write.

use keywright_finding::{Finding, Span};
use keywright_model::Model;
use keywright_model::model::Pattern;

use super::Remarks;
use crate::problem::{EntityFacts, home};
use crate::rules;

/// Reports every pattern that names no entity, or one that nobody declares.
pub(super) fn report(model: &Model, entities: &[EntityFacts], remarks: &mut Remarks) {
    for pattern in &model.patterns {
        let named = named(pattern);
        if named.is_empty() {
            let does = if pattern.read().is_some() { "reads" } else { "writes" };
            remarks.findings.push(
                unservable(pattern, pattern.span, &format!("nothing says which entity it {does}"))
                    .help("declare the entity under Entities, and name it in the pattern's row"),
            );
        }
        for (name, span) in named.into_iter().filter(|(name, _)| home(entities, name).is_none()) {
            remarks.findings.push(
                unservable(pattern, span, &format!("no entity is named `{name}`"))
                    .help("declare it under Entities, or correct the name"),
            );
        }
    }
}

/// The entities that a pattern reads or writes.
fn named(pattern: &Pattern) -> Vec<(&str, Span)> {
    match (pattern.read(), pattern.write()) {
        (_, Some(write)) => write.effects.iter().map(|it| (it.entity.as_str(), it.span)).collect(),
        (Some(read), _) => {
            let multi = read.multi_entity.as_ref().map_or(pattern.entities.len() > 1, |multi| multi.value);
            let wanted = if multi { pattern.entities.len() } else { 1 };
            pattern.entities.iter().take(wanted).map(|it| (it.value.as_str(), it.span)).collect()
        }
        (None, None) => Vec::new(),
    }
}

fn unservable(pattern: &Pattern, span: Span, why: &str) -> Finding {
    Finding::new(&rules::UNSERVABLE_PATTERN, span, format!("{} can't be served: {why}", pattern.id))
}

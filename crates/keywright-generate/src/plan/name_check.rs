//! Finds names that can't be identifiers, or that become the same identifier.

use keywright_finding::{Finding, Span};

use super::{Answer, Name, Plan};
use crate::languages;
use crate::rules::{COLLIDING_NAMES, UNUSABLE_NAME};

/// Findings about names that no program can have, or that become the same identifier.
pub(super) fn findings(plan: &Plan<'_>) -> Vec<Finding> {
    let mut names = NameCheck { plan, findings: Vec::new() };
    names.scope(
        "item types",
        plan.entities.iter().map(|it| (&it.name, it.item.name.as_str())),
        |check, name| check.entity_span(name),
    );
    names.types();
    for entity in &plan.entities {
        let holders = &entity.item.entities;
        let what = format!("attributes of {}", entity.item.name);
        names.scope(&what, entity.fields.iter().map(|it| (&it.name, it.attribute)), |check, name| {
            check.attribute_span(holders, name)
        });
    }
    for method in &plan.methods {
        let what = format!("inputs of {}", method.pattern);
        names.scope(
            &what,
            method.parameters.iter().map(|it| (&it.name, it.source.name.as_str())),
            |check, _| check.pattern_span(method.pattern),
        );
    }
    names.findings
}

/// Collects findings about names.
struct NameCheck<'p, 'a> {
    plan: &'p Plan<'a>,
    findings: Vec<Finding>,
}

impl NameCheck<'_, '_> {
    fn scope<'n>(
        &mut self,
        what: &str,
        names: impl Iterator<Item = (&'n Name, &'n str)>,
        span: impl Fn(&Self, &str) -> Span,
    ) {
        let mut seen: Vec<(&Name, &str)> = Vec::new();
        for (name, source) in names {
            if !name.is_identifier() {
                let finding = Finding::new(
                    &UNUSABLE_NAME,
                    span(self, source),
                    format!("no identifier can be made of `{source}` ({what})"),
                );
                self.findings.push(finding.help("give it a name that has a letter or a digit"));
            } else if let Some((_, other)) =
                seen.iter().find(|(it, other)| it.reads_as(name) && *other != source)
            {
                let finding = Finding::new(
                    &COLLIDING_NAMES,
                    span(self, source),
                    format!("`{other}` and `{source}` ({what}) both become `{}` in programs", name.camel()),
                );
                let related = span(self, other);
                self.findings.push(finding.help("rename one of the two").related(related, "the other one"));
            } else {
                seen.push((name, source));
            }
        }
    }

    /// Reports entities with the same name as another generated type.
    fn types(&mut self) {
        let plan = self.plan;
        let mut brought: Vec<(Name, String)> = Vec::new();
        for (entity, _) in plan.repositories() {
            brought.push((entity.suffixed("repository"), format!("the methods of {}", entity.pascal())));
        }
        for method in &plan.methods {
            let types = [
                ("input", "its inputs", !method.parameters.is_empty()),
                ("result", "its generated values", matches!(method.answer, Answer::Made(_))),
                ("entry", "its result", method.answer.views().len() > 1),
            ];
            for (word, what, _) in types.into_iter().filter(|(.., there)| *there) {
                brought.push((method.name.suffixed(word), format!("{what} ({})", method.pattern)));
            }
        }
        // In Go, the types and functions of a package share one scope.
        for key in plan.keys.iter().filter(|key| key.builds()) {
            let what = format!("the builder of {}'s {}", key.item.name, key.assignment.attribute);
            brought.push((key.name.clone(), what));
        }
        for entity in plan.entities.iter().filter(|entity| languages::keep(&entity.name)) {
            brought.push((entity.name.suffixed("item"), format!("`{}`", entity.item.name)));
        }
        for entity in &plan.entities {
            let Some((name, other)) = brought.iter().find(|(name, _)| name.reads_as(&entity.name)) else {
                continue;
            };
            let source = &entity.item.name;
            let message = format!("`{source}` and {other} both become `{}` in programs", name.pascal());
            let span = self.entity_span(source);
            self.findings.push(Finding::new(&COLLIDING_NAMES, span, message).help("rename the entity"));
        }
    }

    fn entity_span(&self, name: &str) -> Span {
        self.plan.model.and_then(|model| model.entity(name)).map_or_else(Span::default, |entity| entity.span)
    }

    fn attribute_span(&self, entities: &[String], name: &str) -> Span {
        self.plan
            .model
            .and_then(|model| {
                entities.iter().find_map(|entity| model.entity(entity)?.attribute(name).map(|it| it.span))
            })
            .unwrap_or_default()
    }

    fn pattern_span(&self, id: &str) -> Span {
        self.plan.model.and_then(|model| model.pattern(id)).map_or_else(Span::default, |pattern| pattern.span)
    }
}

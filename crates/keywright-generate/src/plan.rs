//! The neutral plan that feeds every target: what is to be written, before any language is chosen.
//!
//! What must stay true: a plan exists only if every name in it can be written in every language, so that no target
//! has to refuse anything; and it is derived from the Design alone, so that a design read from a document and a
//! design derived from patterns give the same files. The Model adds descriptions and relationships.

mod key;
mod method;
mod method_name;
mod model;
mod name;
mod program;
mod sample;
mod template;

pub use key::{KeyBuilder, KeyPart};
pub use method::{Answer, Kind, Method, Parameter, View};
pub use model::{EntityModel, Field};
pub use name::Name;
pub use program::{Literal, program, schema};
pub use sample::{SAMPLES, samples};
pub use template::{Part, parts};

use keywright_finding::{Finding, Span};
use keywright_model::design::Operation;
use keywright_model::{Design, Model};

use crate::rules::{COLLIDING_NAMES, UNUSABLE_NAME};

/// What files are generated from.
#[derive(Clone, Copy, Debug)]
pub struct Source<'a> {
    /// What the user states, where it is at hand.
    pub model: Option<&'a Model>,
    /// What is derived.
    pub design: &'a Design,
    /// The document's file name, for headers.
    pub document: &'a str,
}

/// What is to be written.
#[derive(Clone, Debug)]
pub struct Plan<'a> {
    /// What the user states, where it is at hand.
    pub model: Option<&'a Model>,
    /// The design.
    pub design: &'a Design,
    /// The document's file name, for headers.
    pub document: &'a str,
    /// The application.
    pub application: Name,
    /// One model per item type.
    pub entities: Vec<EntityModel<'a>>,
    /// One builder per key attribute of an item type.
    pub keys: Vec<KeyBuilder<'a>>,
    /// One method per pattern, in the order of the patterns.
    pub methods: Vec<Method<'a>>,
}

impl<'a> Plan<'a> {
    /// Plans what is to be written, or says which names no program can have.
    pub fn new(source: &Source<'a>) -> Result<Self, Vec<Finding>> {
        let design = source.design;
        let entities: Vec<_> = design.items.iter().map(|item| EntityModel::new(item, source.model)).collect();
        let keys = key::builders(design);
        let methods = method::methods(design, &entities);
        let name = Name::new(design.application.as_deref().unwrap_or("app")).ascii();
        let plan = Plan {
            model: source.model,
            design,
            document: source.document,
            application: if name.is_identifier() { name } else { name.prefixed("app") },
            entities,
            keys,
            methods,
        };
        let findings = plan.findings();
        if findings.is_empty() { Ok(plan) } else { Err(findings) }
    }

    /// The model of an item type.
    pub fn entity(&self, item: &str) -> Option<&EntityModel<'a>> {
        self.entities.iter().find(|entity| entity.item.name == item)
    }

    /// The groups of methods: the entity that leads them, and its methods, both in the order of the patterns.
    pub fn repositories(&self) -> Vec<(&Name, Vec<&Method<'a>>)> {
        let mut groups: Vec<(&Name, Vec<&Method<'a>>)> = Vec::new();
        for method in &self.methods {
            match groups.iter_mut().find(|(entity, _)| **entity == method.entity) {
                Some((_, methods)) => methods.push(method),
                None => groups.push((&method.entity, vec![method])),
            }
        }
        groups
    }

    /// The operation of a pattern.
    pub fn operation(&self, pattern: &str) -> Option<&'a Operation> {
        self.design.operation(pattern)
    }

    fn findings(&self) -> Vec<Finding> {
        let mut names = NameCheck { plan: self, findings: Vec::new() };
        names.scope(
            "item types",
            self.entities.iter().map(|it| (&it.name, it.item.name.as_str())),
            |check, name| check.entity_span(name),
        );
        for entity in &self.entities {
            let holders = &entity.item.entities;
            let what = format!("attributes of {}", entity.item.name);
            names.scope(&what, entity.fields.iter().map(|it| (&it.name, it.attribute)), |check, name| {
                check.attribute_span(holders, name)
            });
        }
        for method in &self.methods {
            let what = format!("inputs of {}", method.pattern);
            names.scope(
                &what,
                method.parameters.iter().map(|it| (&it.name, it.source.name.as_str())),
                |check, _| check.pattern_span(method.pattern),
            );
        }
        names.findings
    }
}

/// Looks for names that can't be identifiers, or that become one identifier.
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
                    format!("no program can have a name for `{source}` ({what})"),
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

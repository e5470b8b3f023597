//! The language-neutral plan from which every target generates.
//!
//! Invariants: a plan exists only if every name in it is valid in every language and every operation can be
//! run, so that no target has to refuse anything. It derives from the Design alone, so that a Design read
//! from a document and one derived from patterns give the same files. The Model only adds descriptions and
//! relationships.

mod completeness;
mod key;
mod method;
mod method_name;
mod model;
mod name;
mod name_check;
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

use keywright_finding::Finding;
use keywright_model::design::Operation;
use keywright_model::{Design, Model};

/// The input of the generation.
#[derive(Clone, Copy, Debug)]
pub struct Source<'a> {
    /// The Model, if there is one.
    pub model: Option<&'a Model>,
    /// The Design.
    pub design: &'a Design,
    /// The document's file name, for headers.
    pub document: &'a str,
}

/// Everything that targets write.
#[derive(Clone, Debug)]
pub struct Plan<'a> {
    /// The Model, if there is one.
    pub model: Option<&'a Model>,
    /// The Design.
    pub design: &'a Design,
    /// The document's file name, for headers.
    pub document: &'a str,
    /// The name of the application.
    pub application: Name,
    /// One model per item type.
    pub entities: Vec<EntityModel<'a>>,
    /// One builder per key attribute of an item type.
    pub keys: Vec<KeyBuilder<'a>>,
    /// One method per pattern, in the order of the patterns.
    pub methods: Vec<Method<'a>>,
}

impl<'a> Plan<'a> {
    /// Creates the plan, or returns findings about names that no program can have and operations that no
    /// method can run.
    pub fn new(source: &Source<'a>) -> Result<Self, Vec<Finding>> {
        let design = source.design;
        let entities: Vec<_> =
            design.items.iter().map(|item| EntityModel::new(design, item, source.model)).collect();
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
        let mut findings = name_check::findings(&plan);
        findings.extend(completeness::findings(&plan));
        if findings.is_empty() { Ok(plan) } else { Err(findings) }
    }

    /// The model of an item type.
    pub fn entity(&self, item: &str) -> Option<&EntityModel<'a>> {
        self.entities.iter().find(|entity| entity.item.name == item)
    }

    /// The repositories: each entity with its methods, in the order of the patterns.
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
}

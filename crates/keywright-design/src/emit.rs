//! From layouts to a Design: literals, templates, item types, complete operations. Nothing here chooses.

mod blocks;
mod condition;
mod context;
mod item;
mod key;
mod read;
mod request;
mod scope;
mod sort_condition;
mod table;
mod write;

pub(crate) use context::{Context, Place};

use keywright_finding::Finding;
use keywright_model::design::{Design, Operation, Total};

use crate::threads;

/// Fewer patterns than this are written out faster by one thread.
const WORTH_THREADS: usize = 100;

/// Writes out the design that the search chose.
pub(crate) fn emit(context: &Context<'_>, findings: &mut Vec<Finding>) -> Design {
    let model = context.model;
    // Of each pattern the first read that it is, and the first write.
    let mut reads: Vec<Option<usize>> = vec![None; model.patterns.len()];
    let mut writes: Vec<Option<usize>> = vec![None; model.patterns.len()];
    for (at, read) in context.problem.reads.iter().enumerate().rev() {
        reads[read.pattern] = Some(at);
    }
    for (at, write) in context.problem.writes.iter().enumerate().rev() {
        writes[write.pattern] = Some(at);
    }
    let asked = model.patterns.iter().zip(reads.into_iter().zip(writes)).collect();
    let written = threads::each(asked, WORTH_THREADS, |(pattern, asked)| {
        let mut findings = Vec::new();
        let operation = match asked {
            (Some(read), _) => Some(read::operation(context, read, pattern)),
            (None, Some(write)) => Some(write::operation(context, write, pattern, &mut findings)),
            (None, None) => None,
        };
        (operation, findings)
    });
    let mut operations: Vec<Operation> = Vec::with_capacity(written.len());
    for (operation, found) in written {
        operations.extend(operation);
        findings.extend(found);
    }
    let cost = context.answer.cost;
    Design {
        application: model.application.as_ref().map(|it| it.value.clone()),
        generated_on: model.generated_on.as_ref().map(|it| it.value.clone()),
        input: None,
        style: context.style,
        type_attribute: match context.existing {
            Some(existing) => existing.design.type_attribute.clone(),
            None => Some(context.problem.type_attribute.clone()),
        },
        tenants: tenants(context),
        tables: table::tables(context),
        indexes: table::indexes(context),
        items: item::items(context),
        operations,
        decisions: Vec::new(),
        total: Total { bill: cost.bill, operational: cost.operational },
        certificate: None,
    }
}

/// The attributes that name the tenant: those of the table that is extended, then the model's own.
fn tenants(context: &Context<'_>) -> Vec<String> {
    let mut names = context.existing.map(|existing| existing.design.tenants.clone()).unwrap_or_default();
    for attribute in context.model.entities.iter().flat_map(|entity| &entity.attributes) {
        if attribute.tenant.as_ref().is_some_and(|it| it.value) && !names.contains(&attribute.name) {
            names.push(attribute.name.clone());
        }
    }
    names
}

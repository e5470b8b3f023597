//! `entity-chart.md`: every item type with its keys, how each pattern is served, and the CDK fragment.

use keywright_model::design::{Design, ItemKind, KeyAssignment, KeyValue, Operation};

use super::markdown::{code, fenced, table, words};
use super::{Options, Target, cdk};
use crate::plan::EntityModel;
use crate::{File, Plan, describe, header};

/// The entity chart.
pub(super) static ENTITY_CHART: Target = Target {
    name: "entity-chart",
    summary: "entity-chart.md: keys of every item type, how every pattern is satisfied, and the CDK fragment",
    files,
};

fn files(plan: &Plan<'_>, _: &Options) -> Vec<File> {
    let title =
        plan.design.application.as_deref().map(|name| format!(": {}", words(name))).unwrap_or_default();
    let mut text = format!("# Entity Chart{title}\n\n{}", header::markdown(plan));
    for item_table in &plan.design.tables {
        let entities: Vec<&EntityModel<'_>> =
            plan.entities.iter().filter(|entity| entity.item.table == item_table.name).collect();
        // `pk` and `sk` are capitalised, as in AWS's guides; other key names stay as they are.
        let columns: Vec<&str> = super::infrastructure::key_attributes(plan.design, item_table)
            .into_iter()
            .map(|key| key.name.as_str())
            .collect();
        let headings: Vec<String> = columns
            .iter()
            .map(|name| if matches!(*name, "pk" | "sk") { name.to_uppercase() } else { (*name).to_owned() })
            .collect();
        let mut all = vec!["Entity"];
        all.extend(headings.iter().map(String::as_str));
        all.push("Notes");
        let rows: Vec<Vec<String>> = entities
            .iter()
            .map(|entity| {
                let mut row = vec![words(&entity.item.name)];
                row.extend(
                    columns.iter().map(|column| entity.item.key(column).map_or_else(|| "-".to_owned(), key)),
                );
                row.push(note(plan, entity));
                row
            })
            .collect();
        text += &format!("\n## Table {}\n\n", code(&item_table.name));
        text += &table(&all, &rows);
    }
    let rows: Vec<Vec<String>> = plan
        .methods
        .iter()
        .map(|method| {
            let index = method.operation.index.as_deref().unwrap_or("Main");
            vec![
                method.entity.pascal(),
                format!("{}: {}", method.pattern, words(&method.operation.description)),
                index.to_owned(),
                format!("✅ {}", satisfied(plan.design, method.operation)),
            ]
        })
        .collect();
    text += "\n## Access Patterns\n\n";
    text += &table(&["Entity", "Access Pattern", "Index", "✅ Satisfied?"], &rows);
    text += "\n## CDK\n\n";
    text += &fenced("typescript", &cdk::fragment(plan));
    vec![File::new("entity-chart.md", text)]
}

fn key(assignment: &KeyAssignment) -> String {
    match &assignment.value {
        KeyValue::Template(template) => code(template),
        KeyValue::Natural => code(&format!("<{}>", assignment.attribute)),
    }
}

fn note(plan: &Plan<'_>, entity: &EntityModel<'_>) -> String {
    let item = entity.item;
    let mut notes = Vec::new();
    match item.kind {
        ItemKind::Main => {}
        ItemKind::Uniqueness => notes.push("Uniqueness tracking".to_owned()),
        ItemKind::Edge => notes.push(format!("Links {}", item.entities.join(" and "))),
        ItemKind::Counter => notes.push("Counter".to_owned()),
        ItemKind::Copy => notes.push(format!("Copy of {}", item.entities.join(" and "))),
        ItemKind::Singleton => notes.push("One item".to_owned()),
    }
    // Items with the same partition template share an item collection.
    if let Some(table) = plan.design.table(&item.table)
        && table.sort.is_some()
        && let Some(own) = item.key(&table.partition.name)
    {
        let others: Vec<&str> = plan
            .design
            .items
            .iter()
            .filter(|other| other.name != item.name && other.table == item.table)
            .filter(|other| other.key(&table.partition.name).is_some_and(|it| it.value == own.value))
            .map(|other| other.name.as_str())
            .collect();
        if !others.is_empty() {
            notes.push(format!("In one collection with {}", words(&others.join(", "))));
        }
    }
    for assignment in &item.keys {
        if let Some(sparse) = &assignment.sparse {
            let value = sparse.equals.as_ref().map(|value| format!(" is {value}")).unwrap_or_default();
            notes.push(words(&format!("{} only while {}{value}", assignment.attribute, sparse.attribute)));
        }
    }
    if notes.is_empty() { "-".to_owned() } else { notes.join("; ") }
}

fn satisfied(design: &Design, operation: &Operation) -> String {
    let keys: Vec<String> = operation
        .requests
        .iter()
        .map(|request| {
            let name = describe::operation_of(request);
            let key =
                describe::key_of(design, request).map(|key| format!(" {}", code(&key))).unwrap_or_default();
            let actions: Vec<String> = match request {
                keywright_model::design::Request::TransactWriteItems { actions }
                | keywright_model::design::Request::BatchWriteItem { actions } => {
                    actions.iter().map(|action| code(&describe::action(design, action))).collect()
                }
                _ => Vec::new(),
            };
            let actions = if actions.is_empty() { String::new() } else { format!(" {}", actions.join(", ")) };
            format!("{name}{key}{actions}")
        })
        .collect();
    keys.join(", then ")
}

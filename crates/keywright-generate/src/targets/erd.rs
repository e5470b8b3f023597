//! `erd`: Mermaid diagrams of the entities, and of the item collections.

use std::collections::BTreeMap;

use keywright_model::Model;
use keywright_model::design::{ItemType, KeyValue};
use keywright_model::model::Cardinality;

use super::markdown::fenced;
use super::{Options, Target};
use crate::{File, Plan, header};

/// Mermaid.
pub(super) static ERD: Target =
    Target { name: "erd", summary: "erd.md: Mermaid of the entities and of the item collections", files };

fn files(plan: &Plan<'_>, _: &Options) -> Vec<File> {
    let entities = plan.model.map_or_else(|| of_items(plan), of_model);
    let text = format!(
        "{}\n# Diagrams\n\n## Entities\n\n{}\n## Item collections\n\nItems that share a partition key lie together, in the \
         order of their sort keys.\n\n{}",
        header::markdown(plan),
        fenced("mermaid", &entities),
        fenced("mermaid", &collections(plan))
    );
    vec![File::new("erd.md", text)]
}

/// A name with only the characters that Mermaid accepts.
fn word(text: &str) -> String {
    let word: String =
        text.chars().map(|it| if it.is_alphanumeric() || it == '_' { it } else { '_' }).collect();
    if word.starts_with(|it: char| it.is_alphabetic() || it == '_') { word } else { format!("_{word}") }
}

/// A text between quotes.
fn quoted(text: &str) -> String {
    format!(
        "\"{}\"",
        text.replace('#', "#35;").replace('"', "#quot;").replace('<', "#lt;").replace('>', "#gt;")
    )
}

fn of_model(model: &Model) -> String {
    let mut text = "erDiagram\n".to_owned();
    for entity in &model.entities {
        text += &format!("    {} {{\n", word(&entity.name));
        for attribute in &entity.attributes {
            let mut marks = Vec::new();
            if entity.identity_names().any(|name| name == attribute.name) {
                marks.push("PK");
            }
            if attribute.reference.is_some() {
                marks.push("FK");
            }
            let unique = attribute.unique.as_ref().is_some_and(|it| it.value)
                || entity.unique.iter().any(|set| set.attributes == [attribute.name.clone()]);
            if unique {
                marks.push("UK");
            }
            let marks = if marks.is_empty() { String::new() } else { format!(" {}", marks.join(", ")) };
            text += &format!("        {} {}{marks}\n", attribute.ty.value.name(), word(&attribute.name));
        }
        text += "    }\n";
    }
    for relationship in &model.relationships {
        let link = match relationship.cardinality.value {
            Cardinality::OneToOne => "||--o|",
            Cardinality::OneToMany => "||--o{",
            Cardinality::ManyToMany => "}o--o{",
        };
        let label = relationship.label.as_ref().map_or("has", |label| label.value.as_str());
        text += &format!(
            "    {} {link} {} : {}\n",
            word(&relationship.parent),
            word(&relationship.child),
            quoted(label)
        );
    }
    text
}

/// The diagram without a Model: the item types take the place of the entities.
fn of_items(plan: &Plan<'_>) -> String {
    let mut text = "erDiagram\n".to_owned();
    for item in &plan.design.items {
        text += &format!("    {} {{\n", word(&item.name));
        for attribute in &item.attributes {
            text += &format!("        {} {}\n", attribute.ty.name(), word(&attribute.name));
        }
        text += "    }\n";
    }
    text
}

fn collections(plan: &Plan<'_>) -> String {
    let mut text = "flowchart LR\n".to_owned();
    let mut number = 0;
    let mut place = |title: &str, partition: &str, sort: Option<&str>, items: Vec<&ItemType>| {
        let mut by_key: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for item in items {
            let Some(key) = item.key(partition) else { continue };
            let sort = sort.and_then(|sort| item.key(sort)).map(|key| value(&key.value, &key.attribute));
            let label = match sort {
                Some(sort) => format!("{}: {sort}", item.name),
                None => item.name.clone(),
            };
            by_key.entry(value(&key.value, partition)).or_default().push(label);
        }
        for (key, labels) in by_key {
            number += 1;
            let collection = format!("c{number}");
            text.push_str(&format!("    subgraph {collection}[{}]\n", quoted(&format!("{title} {key}"))));
            for (at, label) in labels.iter().enumerate() {
                text.push_str(&format!("        {collection}i{at}[{}]\n", quoted(label)));
            }
            text.push_str("    end\n");
        }
    };
    for table in &plan.design.tables {
        let items = || plan.design.items.iter().filter(|item| item.table == table.name).collect::<Vec<_>>();
        let sort = table.sort.as_ref().map(|key| key.name.as_str());
        place(&table.name, &table.partition.name, sort, items());
        for index in super::infrastructure::indexes(plan.design, table) {
            if let Some(first) = index.partition.first() {
                place(&index.name, &first.name, index.sort.first().map(|key| key.name.as_str()), items());
            }
        }
    }
    text
}

fn value(value: &KeyValue, attribute: &str) -> String {
    match value {
        KeyValue::Template(template) => template.clone(),
        KeyValue::Natural => format!("<{attribute}>"),
    }
}

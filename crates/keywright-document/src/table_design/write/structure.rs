//! The head of the document, the tables and their indexes.

use keywright_model::Design;
use keywright_model::design::{Index, KeyAttribute, KeyType, Projection};

use super::table;
use crate::table_design::cell::{code, prose};

/// The title and what the design is of.
pub(super) fn header(text: &mut String, design: &Design) {
    text.push_str("# DynamoDB Table Design\n\n");
    let facts = [
        ("Generated on", design.generated_on.as_deref()),
        ("Application", design.application.as_deref()),
        ("Input", design.input.as_deref()),
        ("Status", Some("DRAFT")),
    ];
    for (label, value) in facts {
        if let Some(value) = value {
            text.push_str(&format!("> {label}: {}\n", prose(value)));
        }
    }
    text.push('\n');
}

/// Table Configuration: each table from its name on.
pub(super) fn tables(text: &mut String, design: &Design) {
    text.push_str("## Table Configuration\n\n");
    let mut rows = Vec::new();
    let mut row = |property: &str, value: String| rows.push(vec![property.to_owned(), value]);
    for it in &design.tables {
        row("Table Name", code(&it.name));
        row("Partition Key", key(&it.partition));
        row("Sort Key", it.sort.as_ref().map_or_else(String::new, key));
        row("Billing Mode", "PAY_PER_REQUEST".to_owned());
        row("TTL Attribute", it.ttl.as_deref().map_or_else(String::new, code));
    }
    row("Style", design.style.to_string());
    row("Type Attribute", design.type_attribute.as_deref().map_or_else(String::new, code));
    if !design.tenants.is_empty() {
        row("Tenant Attributes", design.tenants.iter().map(|it| code(it)).collect::<Vec<_>>().join(", "));
    }
    table(text, &["Property", "Value"], rows);
    text.push('\n');
}

/// Global Secondary Indexes.
pub(super) fn indexes(text: &mut String, design: &Design) {
    text.push_str("## Global Secondary Indexes\n\n");
    let only = matches!(design.tables.as_slice(), [_]);
    let row = |index: &Index| {
        let name = match only {
            true => code(&index.name),
            false => format!("{} on {}", code(&index.name), code(&index.table)),
        };
        vec![name, keys(&index.partition), keys(&index.sort), projection(&index.projection), purpose(index)]
    };
    let header = ["GSI Name", "Partition Key", "Sort Key", "Projection", "Purpose"];
    if design.indexes.is_empty() {
        text.push_str("None: the table's own key serves every pattern.\n");
    } else {
        table(text, &header, design.indexes.iter().map(row));
    }
    text.push('\n');
}

fn purpose(index: &Index) -> String {
    index.purpose.as_deref().map_or_else(String::new, prose)
}

fn keys(keys: &[KeyAttribute]) -> String {
    keys.iter().map(key).collect::<Vec<_>>().join(", ")
}

fn key(key: &KeyAttribute) -> String {
    let ty = match key.ty {
        KeyType::String => "String",
        KeyType::Number => "Number",
        KeyType::Binary => "Binary",
    };
    format!("{} ({ty})", code(&key.name))
}

fn projection(projection: &Projection) -> String {
    match projection {
        Projection::All => "ALL".to_owned(),
        Projection::KeysOnly => "KEYS_ONLY".to_owned(),
        Projection::Include(names) => {
            let names: Vec<String> = names.iter().map(|name| code(name)).collect();
            format!("INCLUDE ({})", names.join(", "))
        }
    }
}

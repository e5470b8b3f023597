//! Entity Key Design and Item Collections.

use keywright_model::Design;
use keywright_model::design::{ItemAttribute, ItemKind, ItemType, KeyAssignment, KeyValue, Value};
use keywright_model::model::Type;

use super::table;
use crate::table_design::cell::{code, prose};
use crate::table_design::{example, value};
use keywright_dynamodb::expression::Condition;

/// Entity Key Design: one heading per item type.
pub(super) fn entities(text: &mut String, design: &Design) {
    text.push_str("## Entity Key Design\n\n");
    for item in &design.items {
        entity(text, design, item);
    }
}

fn entity(text: &mut String, design: &Design, item: &ItemType) {
    text.push_str(&format!("### {}{}\n\n", heading_name(&item.name), remark(item)));
    if let Some(description) = &item.description {
        text.push_str(&format!("- **Description**: {}\n", prose(description)));
    }
    if !matches!(design.tables.as_slice(), [only] if only.name == item.table) {
        text.push_str(&format!("- **Table**: {}\n", code(&item.table)));
    }
    let table = design.table(&item.table);
    for key in &item.keys {
        let label = match table {
            Some(table) if table.partition.name == key.attribute => "PK",
            Some(table) if table.sort.as_ref().is_some_and(|sort| sort.name == key.attribute) => "SK",
            _ => &key.attribute,
        };
        text.push_str(&format!("- **{}**: {}\n", prose(label), assignment(key)));
    }
    if !item.attributes.is_empty() {
        text.push_str("- **Attributes**:\n");
        for it in &item.attributes {
            text.push_str(&format!("  - {}\n", attribute(it)));
        }
    }
    let ttl = table.and_then(|table| table.ttl.as_deref()).filter(|ttl| item.attribute(ttl).is_some());
    if let Some(ttl) = ttl {
        text.push_str(&format!("- **TTL**: {}\n", code(ttl)));
    }
    text.push_str(&format!("\nExample item:\n\n```json\n{}\n```\n\n", example::item(design, item)));
}

/// A name that is a word stands bare in a heading.
fn heading_name(name: &str) -> String {
    if name.chars().all(|it| it.is_alphanumeric() || it == '-' || it == ' ') && !name.is_empty() {
        name.to_owned()
    } else {
        code(name)
    }
}

/// What an item type stands for, where it is not simply an entity's item.
fn remark(item: &ItemType) -> String {
    let entities: Vec<String> = item.entities.iter().map(|name| heading_name(name)).collect();
    let entities = entities.join(" + ");
    let word = match item.kind {
        ItemKind::Main if item.entities.as_slice() == [item.name.clone()] => return String::new(),
        ItemKind::Main if item.entities.len() > 1 => return format!(" (merged {entities})"),
        ItemKind::Main => "main item",
        ItemKind::Uniqueness => "uniqueness item",
        ItemKind::Edge => "edge",
        ItemKind::Counter => "counter",
        ItemKind::Copy => "copy",
        ItemKind::Singleton => "singleton",
    };
    if entities.is_empty() { format!(" ({word})") } else { format!(" ({word} of {entities})") }
}

fn assignment(key: &KeyAssignment) -> String {
    let mut text = match &key.value {
        KeyValue::Template(template) => code(&value::write_bare(&Value::Template(template.clone()))),
        KeyValue::Natural => format!("attribute {}", code(&key.attribute)),
    };
    if let Some(sparse) = &key.sparse {
        let condition = match &sparse.equals {
            Some(literal) => Condition::equals(&sparse.attribute, Value::Literal(literal.clone())),
            None => Condition::Exists(sparse.attribute.clone()),
        };
        text.push_str(&format!(" when {}", code(&value::write_condition(&condition))));
    }
    text
}

fn attribute(it: &ItemAttribute) -> String {
    let values: Vec<String> = it.values.iter().map(|value| value::name(value)).collect();
    let mut facts = vec![match (it.ty, values.as_slice()) {
        (Type::Enum, [_, ..]) => format!("enum({})", values.join(", ")),
        (ty, _) => ty.to_string(),
    }];
    if it.ty != Type::Enum && !values.is_empty() {
        facts.push(format!("values({})", values.join(", ")));
    }
    if it.optional {
        facts.push("optional".to_owned());
    }
    if let Some(max) = it.max {
        facts.push(format!("max {max}"));
    }
    if let Some(entity) = &it.entity {
        facts.push(format!("of {}", value::name(entity)));
    }
    // In a code span where a value could be taken for markup.
    let facts = facts.join(", ");
    if facts.contains(['*', '<', '[', '\\', '&', '_', '~', '$']) {
        format!("{} {}", code(&it.name), code(&format!("({facts})")))
    } else {
        format!("{} ({facts})", code(&it.name))
    }
}

/// Item Collections: what shares a partition key of a table.
pub(super) fn collections(text: &mut String, design: &Design) {
    text.push_str("## Item Collections\n\n");
    let mut rows: Vec<(String, String, Vec<&str>)> = Vec::new();
    for item in &design.items {
        let Some(key) = design.table(&item.table).and_then(|table| item.key(&table.partition.name)) else {
            continue;
        };
        let partition = match &key.value {
            KeyValue::Template(template) => value::write_bare(&Value::Template(template.clone())),
            KeyValue::Natural => format!("<{}>", key.attribute),
        };
        match rows.iter_mut().find(|(table, it, _)| *table == item.table && *it == partition) {
            Some((_, _, names)) => names.push(&item.name),
            None => rows.push((item.table.clone(), partition, vec![&item.name])),
        }
    }
    if rows.is_empty() {
        text.push_str("None.\n\n");
        return;
    }
    let only = matches!(design.tables.as_slice(), [_]);
    let rows = rows.into_iter().map(|(table, partition, names)| {
        let served: Vec<String> =
            super::mapping::readers(design, &table, &names).into_iter().map(prose).collect();
        let purpose =
            if served.is_empty() { String::new() } else { format!("read by {}", served.join(", ")) };
        let partition =
            if only { code(&partition) } else { format!("{} in {}", code(&partition), code(&table)) };
        vec![partition, names.iter().map(|name| heading_name(name)).collect::<Vec<_>>().join(", "), purpose]
    });
    table(text, &["Collection PK", "Entity Types", "Purpose"], rows);
    text.push('\n');
}

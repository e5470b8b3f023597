//! `nosql-workbench`: a data model that NoSQL Workbench imports, with a facet per item type and sample items.

use std::collections::BTreeMap;

use keywright_model::design::{ItemType, KeyAttribute, Projection, Table};
use keywright_model::model::Type;
use serde_json::{Value, json};

use super::infrastructure::{indexes, key_attributes, pretty, projection_type};
use super::{Options, Target};
use crate::plan::samples;
use crate::{File, Plan, header};

/// NoSQL Workbench.
pub(super) static NOSQL_WORKBENCH: Target = Target {
    name: "nosql-workbench",
    summary: "a data model for NoSQL Workbench, with facets and sample items",
    files,
};

fn files(plan: &Plan<'_>, _: &Options) -> Vec<File> {
    let mut metadata = json!({
        "Author": "keywright",
        "Description": header::sentences(plan).join(" "),
        "AWSService": "Amazon DynamoDB",
        "Version": "3.0",
    });
    // The date of the document, so that the output does not depend on the clock.
    if let Some(date) = &plan.design.generated_on {
        for field in ["DateCreated", "DateLastModified"] {
            metadata[field] = date.as_str().into();
        }
    }
    let tables: Vec<Value> = plan.design.tables.iter().map(|table| data_model(plan, table)).collect();
    let model = json!({
        "ModelName": plan.design.application.as_deref().unwrap_or("Application"),
        "ModelMetadata": metadata,
        "DataModel": tables,
    });
    vec![File::new(format!("{}.json", plan.application.kebab()), pretty(&model))]
}

fn data_model(plan: &Plan<'_>, table: &Table) -> Value {
    let items: Vec<&ItemType> = plan.design.items.iter().filter(|item| item.table == table.name).collect();
    let primary: Vec<&str> = table.key().map(|key| key.name.as_str()).collect();
    // All attributes that are not part of the primary key: item attributes, index keys, the type attribute.
    let mut others: BTreeMap<&str, &str> = BTreeMap::new();
    for key in key_attributes(plan.design, table) {
        others.insert(&key.name, key.ty.symbol());
    }
    if let Some(attribute) = &plan.design.type_attribute {
        others.insert(attribute, "S");
    }
    for attribute in items.iter().flat_map(|item| &item.attributes) {
        let (name, nested) =
            attribute.name.split_once('.').map_or((attribute.name.as_str(), false), |(it, _)| (it, true));
        let number = table.ttl.as_deref() == Some(name);
        others.entry(name).or_insert(if nested {
            "M"
        } else if number {
            "N"
        } else {
            symbol(attribute.ty)
        });
    }
    others.retain(|name, _| !primary.contains(name));
    let mut model = json!({
        "TableName": table.name,
        "KeyAttributes": keys(&table.partition, table.sort.as_ref()),
        "NonKeyAttributes": others
            .iter()
            .map(|(name, ty)| json!({ "AttributeName": name, "AttributeType": ty }))
            .collect::<Vec<_>>(),
        "TableFacets": items.iter().map(|item| facet(plan, table, item)).collect::<Vec<_>>(),
        "TableData": items.iter().flat_map(|item| samples(plan.design, item)).collect::<Vec<_>>(),
        "DataAccess": { "MySql": {} },
        "BillingMode": "PAY_PER_REQUEST",
    });
    // NoSQL Workbench supports one attribute per key, so only the first ones of a multi-attribute index are
    // shown.
    let indexes: Vec<Value> = indexes(plan.design, table)
        .filter_map(|index| {
            let mut projection = json!({ "ProjectionType": projection_type(&index.projection) });
            if let Projection::Include(names) = &index.projection {
                projection["NonKeyAttributes"] = names.as_slice().into();
            }
            Some(json!({
                "IndexName": index.name,
                "KeyAttributes": keys(index.partition.first()?, index.sort.first()),
                "Projection": projection,
            }))
        })
        .collect();
    if !indexes.is_empty() {
        model["GlobalSecondaryIndexes"] = indexes.into();
    }
    model
}

fn keys(partition: &KeyAttribute, sort: Option<&KeyAttribute>) -> Value {
    let attribute =
        |key: &KeyAttribute| json!({ "AttributeName": key.name, "AttributeType": key.ty.symbol() });
    let mut keys = json!({ "PartitionKey": attribute(partition) });
    if let Some(sort) = sort {
        keys["SortKey"] = attribute(sort);
    }
    keys
}

fn facet(plan: &Plan<'_>, table: &Table, item: &ItemType) -> Value {
    let alias = |attribute: &KeyAttribute| {
        plan.keys
            .iter()
            .find(|key| key.item.name == item.name && key.assignment.attribute == attribute.name)
            .map_or_else(|| attribute.name.clone(), |key| key.template())
    };
    let mut aliases = json!({ "PartitionKeyAlias": alias(&table.partition) });
    if let Some(sort) = &table.sort {
        aliases["SortKeyAlias"] = alias(sort).into();
    }
    let mut attributes: Vec<&str> = Vec::new();
    let of_index = item.keys.iter().map(|key| key.attribute.as_str());
    let own = item.attributes.iter().map(|it| it.name.split('.').next().unwrap_or(&it.name));
    for name in own.chain(of_index).chain(plan.design.type_attribute.as_deref()) {
        if table.key().all(|key| key.name != name) && !attributes.contains(&name) {
            attributes.push(name);
        }
    }
    json!({
        "FacetName": item.name,
        "KeyAttributeAlias": aliases,
        "TableData": samples(plan.design, item),
        "NonKeyAttributes": attributes,
        "DataAccess": { "MySql": {} },
    })
}

/// The DynamoDB type of a value.
const fn symbol(ty: Type) -> &'static str {
    match ty {
        Type::Number | Type::Integer | Type::Decimal => "N",
        Type::Boolean => "BOOL",
        Type::List => "L",
        Type::Map => "M",
        Type::Set => "SS",
        Type::Binary => "B",
        _ => "S",
    }
}

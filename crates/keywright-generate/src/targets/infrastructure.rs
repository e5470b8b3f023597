//! Parts that all infrastructure targets share: attribute definitions, key schemas, projections and names.

use keywright_model::Design;
use keywright_model::design::{Index, KeyAttribute, Projection, Table};
use serde_json::{Value, json};

use crate::plan::Name;

/// The indexes of a table.
pub(super) fn indexes<'a>(design: &'a Design, table: &'a Table) -> impl Iterator<Item = &'a Index> {
    design.indexes.iter().filter(move |index| index.table == table.name)
}

/// The attributes that are keys of the table or of an index, without repetition, in order of use.
pub(super) fn key_attributes<'a>(design: &'a Design, table: &'a Table) -> Vec<&'a KeyAttribute> {
    let mut attributes: Vec<&KeyAttribute> = Vec::new();
    for key in table.key().chain(indexes(design, table).flat_map(Index::key)) {
        if attributes.iter().all(|it| it.name != key.name) {
            attributes.push(key);
        }
    }
    attributes
}

/// The table's name as an identifier: `ShopTable`.
pub(super) fn resource_name(table: &Table) -> Name {
    let name = Name::new(&table.name).ascii();
    let name = if name.is_identifier() { name } else { name.prefixed("table") };
    if name.snake().ends_with("table") { name } else { name.suffixed("table") }
}

/// `AttributeDefinitions` in the form of the API and CloudFormation.
pub(super) fn attribute_definitions(design: &Design, table: &Table) -> Value {
    key_attributes(design, table)
        .iter()
        .map(|key| json!({ "AttributeName": key.name, "AttributeType": key.ty.symbol() }))
        .collect()
}

/// `KeySchema`: partition attributes, then sort attributes.
pub(super) fn key_schema<'a>(
    partition: impl IntoIterator<Item = &'a KeyAttribute>,
    sort: impl IntoIterator<Item = &'a KeyAttribute>,
) -> Value {
    let element = |key: &KeyAttribute, ty: &str| json!({ "AttributeName": key.name, "KeyType": ty });
    partition
        .into_iter()
        .map(|key| element(key, "HASH"))
        .chain(sort.into_iter().map(|key| element(key, "RANGE")))
        .collect()
}

/// `GlobalSecondaryIndexes` in the form of the API and CloudFormation; `None` if there are none.
pub(super) fn global_secondary_indexes(design: &Design, table: &Table) -> Option<Value> {
    let indexes: Vec<Value> = indexes(design, table)
        .map(|index| {
            json!({
                "IndexName": index.name,
                "KeySchema": key_schema(&index.partition, &index.sort),
                "Projection": projection(&index.projection),
            })
        })
        .collect();
    (!indexes.is_empty()).then(|| indexes.into())
}

fn projection(projection: &Projection) -> Value {
    match projection {
        Projection::Include(names) => json!({ "ProjectionType": "INCLUDE", "NonKeyAttributes": names }),
        other => json!({ "ProjectionType": projection_type(other) }),
    }
}

/// `ALL`, `KEYS_ONLY` or `INCLUDE`.
pub(super) const fn projection_type(projection: &Projection) -> &'static str {
    match projection {
        Projection::All => "ALL",
        Projection::KeysOnly => "KEYS_ONLY",
        Projection::Include(_) => "INCLUDE",
    }
}

/// JSON for files that are committed: indented by two spaces, keys in alphabetical order.
pub(super) fn pretty(value: &Value) -> String {
    serde_json::to_string_pretty(value).expect("a tree of strings, numbers and lists is JSON")
}

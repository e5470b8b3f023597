//! Keys, indexes, and the entry of an item in a secondary index.

use std::collections::BTreeSet;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::value::{AttributeValue, Item};

/// The key attributes of a table or an index, in order. A table has one partition attribute and at most one
/// sort attribute; a global secondary index up to four of each.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct KeyAttributes {
    /// HASH attributes.
    pub partition: Vec<String>,
    /// RANGE attributes.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sort: Vec<String>,
}

impl KeyAttributes {
    /// A key of one partition attribute and, if given, one sort attribute.
    pub fn simple(partition: &str, sort: Option<&str>) -> Self {
        KeyAttributes {
            partition: vec![partition.to_owned()],
            sort: sort.into_iter().map(str::to_owned).collect(),
        }
    }

    /// The names: partition attributes, then sort attributes.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.partition.iter().chain(&self.sort).map(String::as_str)
    }

    /// The key of an item; `None` if the item lacks one of its attributes.
    pub fn of(&self, item: &Item) -> Option<Item> {
        self.names().map(|name| Some((name.to_owned(), item.get(name)?.clone()))).collect()
    }
}

/// The attributes that an index holds beside its keys and the table's.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Projection {
    /// All attributes.
    All,
    /// No other attributes.
    KeysOnly,
    /// These attributes.
    Include(BTreeSet<String>),
}

impl Projection {
    /// Whether an index with this projection holds a non-key attribute.
    pub fn holds(&self, name: &str) -> bool {
        match self {
            Projection::All => true,
            Projection::KeysOnly => false,
            Projection::Include(names) => names.contains(name),
        }
    }
}

/// A secondary index.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Index {
    /// Its name.
    pub name: String,
    /// Its key attributes.
    pub key: KeyAttributes,
    /// The attributes that it holds beside the keys.
    pub projection: Projection,
}

/// The parts of a table that decide where an item is stored.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Table {
    /// Its key attributes.
    pub key: KeyAttributes,
    /// Its secondary indexes.
    pub indexes: Vec<Index>,
}

/// The entry of an item in an index; `None` if the item lacks a key attribute of the index.
///
/// ```
/// use keywright_dynamodb::{index::{KeyAttributes, Projection, entry}, value::Item};
/// let table = KeyAttributes::simple("pk", None);
/// let index = KeyAttributes::simple("status", None);
/// let mut item: Item = serde_json::from_str(r#"{"pk":{"S":"1"},"status":{"S":"OPEN"},"note":{"S":"x"}}"#)?;
/// let names: Vec<_> = entry(&item, &table, &index, &Projection::KeysOnly).unwrap().into_keys().collect();
/// assert_eq!(names, ["pk", "status"]);
/// item.remove("status");
/// assert_eq!(entry(&item, &table, &index, &Projection::KeysOnly), None);
/// # Ok::<(), serde_json::Error>(())
/// ```
pub fn entry(
    item: &Item,
    table: &KeyAttributes,
    index: &KeyAttributes,
    projection: &Projection,
) -> Option<Item> {
    if !index.names().all(|name| item.get(name).is_some_and(is_key_value)) {
        return None;
    }
    let keys: BTreeSet<&str> = table.names().chain(index.names()).collect();
    let held = |name: &str| keys.contains(name) || projection.holds(name);
    Some(
        item.iter()
            .filter(|(name, _)| held(name))
            .map(|(name, value)| (name.clone(), value.clone()))
            .collect(),
    )
}

/// Only strings, numbers and binaries can be keys. DynamoDB refuses to write another type into a key
/// attribute; items from before the index was created are left out of it instead.
fn is_key_value(value: &AttributeValue) -> bool {
    matches!(value, AttributeValue::S(_) | AttributeValue::N(_) | AttributeValue::B(_))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn item() -> Item {
        serde_json::from_str(
            r#"{"pk":{"S":"1"},"sk":{"S":"a"},"tenant":{"S":"t"},"at":{"N":"5"},"note":{"S":"x"},"more":{"S":"y"}}"#,
        )
        .unwrap()
    }

    fn names(entry: Option<Item>) -> Vec<String> {
        entry.unwrap().into_keys().collect()
    }

    #[test]
    fn an_entry_holds_both_keys_and_the_projection() {
        let table = KeyAttributes::simple("pk", Some("sk"));
        let index = KeyAttributes::simple("tenant", Some("at"));
        assert_eq!(
            names(entry(&item(), &table, &index, &Projection::KeysOnly)),
            ["at", "pk", "sk", "tenant"]
        );
        let include = Projection::Include(["note".to_owned(), "absent".to_owned()].into());
        assert_eq!(names(entry(&item(), &table, &index, &include)), ["at", "note", "pk", "sk", "tenant"]);
        assert_eq!(entry(&item(), &table, &index, &Projection::All), Some(item()));
    }

    #[test]
    fn an_item_that_lacks_one_of_several_key_attributes_is_not_in_the_index() {
        let table = KeyAttributes::simple("pk", Some("sk"));
        let index = KeyAttributes {
            partition: vec!["tenant".into(), "note".into()],
            sort: vec!["at".into(), "more".into()],
        };
        assert!(entry(&item(), &table, &index, &Projection::KeysOnly).is_some());
        for name in ["tenant", "note", "at", "more"] {
            let mut without = item();
            without.remove(name);
            assert_eq!(entry(&without, &table, &index, &Projection::All), None, "{name}");
            let mut wrong = item();
            wrong.insert(name.into(), true.into());
            assert_eq!(entry(&wrong, &table, &index, &Projection::All), None, "{name}");
        }
    }

    #[test]
    fn a_key_is_there_only_as_a_whole() {
        let key = KeyAttributes::simple("pk", Some("sk"));
        assert_eq!(key.of(&item()).unwrap().len(), 2);
        assert_eq!(KeyAttributes::simple("pk", Some("missing")).of(&item()), None);
    }
}

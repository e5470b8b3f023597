//! What the tables hold, kept beside the engine: every item that a write touched, and the index entries that follow.

use std::collections::{BTreeMap, BTreeSet};

use keywright_dynamodb::expression::{Comparator, KeyCondition, SortRange};
use keywright_dynamodb::index::{self, KeyAttributes, Projection};
use keywright_dynamodb::size::item_bytes;
use keywright_dynamodb::value::{AttributeValue, Item};
use keywright_model::Design;
use keywright_model::design;

/// The items of all tables of a design.
#[derive(Clone, Debug, Default)]
pub(crate) struct Mirror {
    tables: BTreeMap<String, TableMirror>,
}

/// One table: its items by primary key, and its and its indexes' collections in key order.
#[derive(Clone, Debug)]
struct TableMirror {
    key: KeyAttributes,
    items: BTreeMap<Item, Item>,
    base: Collections,
    indexes: BTreeMap<String, IndexMirror>,
}

/// What lies under a partition key: sort values and primary keys, in order.
#[derive(Clone, Debug, Default)]
struct Collections {
    by_partition: BTreeMap<Vec<AttributeValue>, BTreeSet<SortPlace>>,
}

/// The values of the sort attributes, and the primary key.
type SortPlace = (Vec<AttributeValue>, Item);

#[derive(Clone, Debug)]
struct IndexMirror {
    key: KeyAttributes,
    projection: Projection,
    collections: Collections,
}

impl Mirror {
    /// Empty tables.
    pub(crate) fn new(design: &Design) -> Self {
        let names = |keys: &[design::KeyAttribute]| keys.iter().map(|key| key.name.clone()).collect();
        let tables = design.tables.iter().map(|table| {
            let sort = table.sort.as_ref().map(|sort| sort.name.as_str());
            let indexes = design.indexes.iter().filter(|index| index.table == table.name).map(|index| {
                let key = KeyAttributes { partition: names(&index.partition), sort: names(&index.sort) };
                let projection = projection(&index.projection);
                (index.name.clone(), IndexMirror { key, projection, collections: Collections::default() })
            });
            let mirror = TableMirror {
                key: KeyAttributes::simple(&table.partition.name, sort),
                items: BTreeMap::new(),
                base: Collections::default(),
                indexes: indexes.collect(),
            };
            (table.name.clone(), mirror)
        });
        Mirror { tables: tables.collect() }
    }

    /// The item at a primary key.
    pub(crate) fn get(&self, table: &str, key: &Item) -> Option<&Item> {
        self.tables.get(table)?.items.get(key)
    }

    /// Replaces what lies at a primary key.
    pub(crate) fn set(&mut self, table: &str, key: &Item, item: Option<Item>) {
        let Some(table) = self.tables.get_mut(table) else { return };
        if let Some(before) = table.items.remove(key) {
            table.base.remove(&table.key, &before, key);
            for index in table.indexes.values_mut() {
                index.collections.remove(&index.key, &before, key);
            }
        }
        if let Some(item) = item {
            table.base.insert(&table.key, &item, key);
            for index in table.indexes.values_mut() {
                index.collections.insert(&index.key, &item, key);
            }
            table.items.insert(key.clone(), item);
        }
    }

    /// All items of a table, by primary key.
    pub(crate) fn items(&self, table: &str) -> impl Iterator<Item = (&Item, &Item)> {
        self.tables.get(table).into_iter().flat_map(|table| &table.items)
    }

    /// All items of all tables.
    pub(crate) fn all(&self) -> impl Iterator<Item = (&str, &Item, &Item)> {
        self.tables
            .iter()
            .flat_map(|(name, table)| table.items.iter().map(move |(key, item)| (name.as_str(), key, item)))
    }

    /// The indexes of a table.
    pub(crate) fn indexes(&self, table: &str) -> impl Iterator<Item = &str> {
        self.tables.get(table).into_iter().flat_map(|table| table.indexes.keys()).map(String::as_str)
    }

    /// The key attributes of a table.
    pub(crate) fn table_key(&self, table: &str) -> Option<&KeyAttributes> {
        Some(&self.tables.get(table)?.key)
    }

    /// The key attributes of an index.
    pub(crate) fn index_key(&self, table: &str, index: &str) -> Option<&KeyAttributes> {
        Some(&self.tables.get(table)?.indexes.get(index)?.key)
    }

    /// The entry of an index for an item; none where the item is not in it.
    pub(crate) fn entry(&self, table: &str, index: &str, item: &Item) -> Option<Item> {
        let table = self.tables.get(table)?;
        let index = table.indexes.get(index)?;
        index::entry(item, &table.key, &index.key, &index.projection)
    }

    /// How many entries an index has.
    pub(crate) fn entry_count(&self, table: &str, index: &str) -> usize {
        let index = self.tables.get(table).and_then(|table| table.indexes.get(index));
        index.map_or(0, |index| index.collections.by_partition.values().map(BTreeSet::len).sum())
    }

    /// The size of what a Query reads for an item or entry that it returned; none where the primary key is not with it.
    pub(crate) fn bytes_read(&self, table: &str, index: Option<&str>, returned: &Item) -> Option<u64> {
        let mirror = self.tables.get(table)?;
        let names = mirror.key.partition.iter().chain(&mirror.key.sort);
        let key: Option<Item> = names.map(|name| Some((name.clone(), returned.get(name)?.clone()))).collect();
        self.bytes_seen(table, index, mirror.items.get(&key?)?)
    }

    /// The size of an item as a Query of the table or of an index sees it.
    pub(crate) fn bytes_seen(&self, table: &str, index: Option<&str>, item: &Item) -> Option<u64> {
        match index {
            Some(index) => self.entry(table, index, item).as_ref().map(item_bytes),
            None => Some(item_bytes(item)),
        }
    }

    /// The items that a key condition matches, in the order of a Query, with their primary keys.
    pub(crate) fn query(
        &self,
        table: &str,
        index: Option<&str>,
        condition: &KeyCondition<AttributeValue>,
        forward: bool,
    ) -> Vec<(&Item, &Item)> {
        let Some(mirror) = self.tables.get(table) else { return Vec::new() };
        let (keys, collections) = match index.and_then(|index| mirror.indexes.get(index)) {
            Some(index) => (&index.key, &index.collections),
            None => (&mirror.key, &mirror.base),
        };
        let value = |name: &String| {
            condition.partition.iter().find(|(other, _)| other == name).map(|(_, value)| value.clone())
        };
        let partition: Option<Vec<AttributeValue>> = keys.partition.iter().map(value).collect();
        let Some(collection) = partition.and_then(|partition| collections.by_partition.get(&partition))
        else {
            return Vec::new();
        };
        let mut found: Vec<(&Item, &Item)> = collection
            .iter()
            .filter(|(sort, _)| meets(&keys.sort, sort, condition))
            .filter_map(|(_, key)| Some((key, mirror.items.get(key)?)))
            .collect();
        if !forward {
            found.reverse();
        }
        found
    }
}

impl Collections {
    fn place(key: &KeyAttributes, item: &Item) -> Option<(Vec<AttributeValue>, Vec<AttributeValue>)> {
        let values = |names: &[String]| -> Option<Vec<AttributeValue>> {
            names.iter().map(|name| item.get(name).cloned()).collect()
        };
        Some((values(&key.partition)?, values(&key.sort)?))
    }

    fn insert(&mut self, key: &KeyAttributes, item: &Item, primary: &Item) {
        if let Some((partition, sort)) = Collections::place(key, item) {
            self.by_partition.entry(partition).or_default().insert((sort, primary.clone()));
        }
    }

    fn remove(&mut self, key: &KeyAttributes, item: &Item, primary: &Item) {
        if let Some((partition, sort)) = Collections::place(key, item)
            && let Some(collection) = self.by_partition.get_mut(&partition)
        {
            collection.remove(&(sort, primary.clone()));
            if collection.is_empty() {
                self.by_partition.remove(&partition);
            }
        }
    }
}

fn meets(names: &[String], sort: &[AttributeValue], condition: &KeyCondition<AttributeValue>) -> bool {
    let value = |name: &String| names.iter().position(|other| other == name).map(|at| &sort[at]);
    let equal = condition.sort.iter().all(|(name, wanted)| value(name) == Some(wanted));
    let within = condition.range.as_ref().is_none_or(|(name, range)| {
        let Some(value) = value(name) else { return false };
        let order = |other: &AttributeValue| value.compare(other);
        match range {
            SortRange::BeginsWith(prefix) => match (value, prefix) {
                (AttributeValue::S(text), AttributeValue::S(prefix)) => text.starts_with(prefix.as_str()),
                (AttributeValue::B(bytes), AttributeValue::B(prefix)) => bytes.starts_with(prefix),
                _ => false,
            },
            SortRange::Compare(comparator, other) => order(other).is_some_and(|order| match comparator {
                Comparator::Equal => order.is_eq(),
                Comparator::NotEqual => order.is_ne(),
                Comparator::Less => order.is_lt(),
                Comparator::LessOrEqual => order.is_le(),
                Comparator::Greater => order.is_gt(),
                Comparator::GreaterOrEqual => order.is_ge(),
            }),
            SortRange::Between(lower, upper) => {
                order(lower).is_some_and(|order| order.is_ge())
                    && order(upper).is_some_and(|order| order.is_le())
            }
        }
    });
    equal && within
}

fn projection(projection: &design::Projection) -> Projection {
    match projection {
        design::Projection::All => Projection::All,
        design::Projection::KeysOnly => Projection::KeysOnly,
        design::Projection::Include(names) => Projection::Include(names.iter().cloned().collect()),
    }
}

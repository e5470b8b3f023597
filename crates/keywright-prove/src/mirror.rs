//! What the tables hold, kept beside the engine: every item that a write touched, and the index entries that follow.

use std::collections::{BTreeMap, BTreeSet};
use std::hash::{DefaultHasher, Hash, Hasher};

use keywright_dynamodb::expression::{Comparator, KeyCondition, SortRange};
use keywright_dynamodb::index::{self, KeyAttributes, Projection};
use keywright_dynamodb::size::item_bytes;
use keywright_dynamodb::value::{AttributeValue, Item};
use keywright_model::Design;
use keywright_model::design;

use crate::packed::{Names, Packed};

/// The items of all tables of a design.
#[derive(Clone, Debug, Default)]
pub(crate) struct Mirror {
    tables: BTreeMap<String, TableMirror>,
}

/// One table: its items, and where they are found. An item keeps its slot while it lives, so that everything else names
/// it by a number.
#[derive(Clone, Debug)]
struct TableMirror {
    key: KeyAttributes,
    names: Names,
    slots: Vec<Option<Packed>>,
    free: Vec<u32>,
    by_key: Places,
    by_partition: Places,
    indexes: BTreeMap<String, IndexMirror>,
}

/// Slots by a hash of the values that they are looked up by. Whoever looks compares the values themselves: hashes are
/// kept because the values of all keys would take more room than the items.
type Places = BTreeSet<(u64, u32)>;

#[derive(Clone, Debug)]
struct IndexMirror {
    key: KeyAttributes,
    projection: Projection,
    entries: Places,
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
                (index.name.clone(), IndexMirror { key, projection, entries: Places::new() })
            });
            let mirror = TableMirror {
                key: KeyAttributes::simple(&table.partition.name, sort),
                names: Names::default(),
                slots: Vec::new(),
                free: Vec::new(),
                by_key: Places::new(),
                by_partition: Places::new(),
                indexes: indexes.collect(),
            };
            (table.name.clone(), mirror)
        });
        Mirror { tables: tables.collect() }
    }

    /// The item at a primary key.
    pub(crate) fn get(&self, table: &str, key: &Item) -> Option<Item> {
        let (_, item) = self.tables.get(table)?.find(key)?;
        Some(item)
    }

    /// Replaces what lies at a primary key.
    pub(crate) fn set(&mut self, table: &str, key: &Item, item: Option<Item>) {
        let Some(table) = self.tables.get_mut(table) else { return };
        if let Some((slot, before)) = table.find(key) {
            table.each_place(&before, |places, hash| {
                places.remove(&(hash, slot));
            });
            table.slots[slot as usize] = None;
            table.free.push(slot);
        }
        if let Some(item) = item {
            let slot = table.free.pop().unwrap_or_else(|| {
                table.slots.push(None);
                table.slots.len() as u32 - 1
            });
            table.each_place(&item, |places, hash| {
                places.insert((hash, slot));
            });
            table.slots[slot as usize] = Some(table.names.pack(&item));
        }
    }

    /// All items of a table, with their primary keys.
    pub(crate) fn items(&self, table: &str) -> impl Iterator<Item = (Item, Item)> {
        self.tables.get(table).into_iter().flat_map(TableMirror::items)
    }

    /// How many items a table has.
    pub(crate) fn item_count(&self, table: &str) -> usize {
        self.tables.get(table).map_or(0, |table| table.by_key.len())
    }

    /// All items of all tables, with their tables and primary keys.
    pub(crate) fn all(&self) -> impl Iterator<Item = (&str, Item, Item)> {
        self.tables
            .iter()
            .flat_map(|(name, table)| table.items().map(move |(key, item)| (name.as_str(), key, item)))
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
        index.map_or(0, |index| index.entries.len())
    }

    /// The size of what a Query reads for an item or entry that it returned; none where the primary key is not with it.
    pub(crate) fn bytes_read(&self, table: &str, index: Option<&str>, returned: &Item) -> Option<u64> {
        let mirror = self.tables.get(table)?;
        let (_, item) = mirror.find(&mirror.key.of(returned)?)?;
        self.bytes_seen(table, index, &item)
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
    ) -> Vec<(Item, Item)> {
        let Some(mirror) = self.tables.get(table) else { return Vec::new() };
        let (keys, places) = match index.and_then(|index| mirror.indexes.get(index)) {
            Some(index) => (&index.key, &index.entries),
            None => (&mirror.key, &mirror.by_partition),
        };
        let wanted: Item = condition.partition.iter().cloned().collect();
        let Some(hash) = hash(&keys.partition, &wanted) else { return Vec::new() };
        let mut found: Vec<(Item, Item)> = mirror
            .at(places, hash)
            .map(|(_, item)| item)
            .filter(|item| keys.partition.iter().all(|name| item.get(name) == wanted.get(name)))
            .filter(|item| meets(item, condition))
            .filter_map(|item| Some((mirror.key.of(&item)?, item)))
            .collect();
        found.sort_by(|(key, item), (other_key, other)| {
            let sort = |item: &Item| -> Vec<AttributeValue> {
                keys.sort.iter().filter_map(|name| item.get(name).cloned()).collect()
            };
            sort(item).cmp(&sort(other)).then_with(|| key.cmp(other_key))
        });
        if !forward {
            found.reverse();
        }
        found
    }
}

impl TableMirror {
    fn items(&self) -> impl Iterator<Item = (Item, Item)> {
        self.slots.iter().flatten().filter_map(|packed| {
            let item = self.names.unpack(packed);
            Some((self.key.of(&item)?, item))
        })
    }

    /// The item at a primary key, with its slot.
    fn find(&self, key: &Item) -> Option<(u32, Item)> {
        let names = || self.key.names();
        self.at(&self.by_key, hash(names(), key)?)
            .find(|(_, item)| names().all(|name| item.get(name) == key.get(name)))
    }

    /// The items of a hash, with their slots.
    fn at(&self, places: &Places, hash: u64) -> impl Iterator<Item = (u32, Item)> {
        places.range((hash, 0)..=(hash, u32::MAX)).filter_map(|(_, slot)| {
            let packed = self.slots.get(*slot as usize)?.as_ref()?;
            Some((*slot, self.names.unpack(packed)))
        })
    }

    /// Every way in which an item is found, with the hash under which it is.
    fn each_place(&mut self, item: &Item, mut each: impl FnMut(&mut Places, u64)) {
        let TableMirror { key, by_key, by_partition, indexes, .. } = self;
        if let Some(hash) = hash(key.names(), item) {
            each(by_key, hash);
        }
        if let Some(hash) = hash(&key.partition, item) {
            each(by_partition, hash);
        }
        for IndexMirror { key, entries, .. } in indexes.values_mut() {
            // What lacks a part of the sort key is not in the index either.
            if let Some(hash) = hash(&key.partition, item)
                && key.sort.iter().all(|name| item.contains_key(name))
            {
                each(entries, hash);
            }
        }
    }
}

/// The values of those attributes as a number, the same in every run; none where one is missing.
fn hash<N: AsRef<str>>(names: impl IntoIterator<Item = N>, item: &Item) -> Option<u64> {
    let mut hasher = DefaultHasher::new();
    for name in names {
        item.get(name.as_ref())?.hash(&mut hasher);
    }
    Some(hasher.finish())
}

fn meets(item: &Item, condition: &KeyCondition<AttributeValue>) -> bool {
    let value = |name: &String| item.get(name);
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

#[cfg(test)]
mod tests {
    use allocation_counter::measure;
    use keywright_model::design::{Index, KeyAttribute, Table};

    use super::*;

    fn design() -> Design {
        let index = |name: &str| Index {
            name: name.into(),
            table: "T".into(),
            partition: vec![KeyAttribute::string(format!("{name}PK"))],
            sort: vec![KeyAttribute::string(format!("{name}SK"))],
            projection: design::Projection::All,
            purpose: None,
        };
        let (partition, sort) = (KeyAttribute::string("pk"), Some(KeyAttribute::string("sk")));
        Design {
            tables: vec![Table { name: "T".into(), partition, sort, ttl: None }],
            indexes: vec![index("GSI1"), index("GSI2")],
            ..Design::default()
        }
    }

    fn item(at: usize) -> Item {
        let mut item = Item::new();
        for name in ["GSI1PK", "GSI1SK", "GSI2PK", "GSI2SK", "title", "status", "createdAt", "note"] {
            item.insert(name.into(), format!("{name} of item {}", at / 10).into());
        }
        item.insert("pk".into(), format!("PARENT#{}", at / 10).into());
        item.insert("sk".into(), format!("ITEM#{at:06}").into());
        item
    }

    fn key(at: usize) -> Item {
        item(at).into_iter().filter(|(name, _)| name == "pk" || name == "sk").collect()
    }

    /// A hundred thousand of them, and the records beside them, have to fit into 500 MB.
    #[test]
    fn an_item_takes_little_more_than_its_values() {
        const ITEMS: usize = 2_000;
        let mut mirror = Mirror::new(&design());
        let used = measure(|| (0..ITEMS).for_each(|at| mirror.set("T", &key(at), Some(item(at)))));
        let each = used.bytes_current / ITEMS as i64;
        let values: usize = item(ITEMS).values().filter_map(AttributeValue::as_s).map(str::len).sum();
        assert!(each < 2 * values as i64 + 150, "{each} bytes for {values} bytes of values");
    }

    #[test]
    fn what_is_set_is_found_by_key_and_by_collection_in_order() {
        let mut mirror = Mirror::new(&design());
        (0..40).rev().for_each(|at| mirror.set("T", &key(at), Some(item(at))));
        mirror.set("T", &key(12), None);
        mirror.set(
            "T",
            &key(13),
            Some(Item::from([("note".into(), "new".into())]).into_iter().chain(key(13)).collect()),
        );
        assert_eq!((mirror.get("T", &key(11)), mirror.get("T", &key(12))), (Some(item(11)), None));
        assert_eq!((mirror.item_count("T"), mirror.entry_count("T", "GSI1")), (39, 38));
        let condition = KeyCondition {
            partition: vec![("pk".to_owned(), "PARENT#1".into())],
            sort: Vec::new(),
            range: Some(("sk".to_owned(), SortRange::Compare(Comparator::Less, "ITEM#000015".into()))),
        };
        let found: Vec<Item> =
            mirror.query("T", None, &condition, false).into_iter().map(|(key, _)| key).collect();
        assert_eq!(found, [14, 13, 11, 10].map(key));
    }
}

//! Tables and indexes as cells name them: `Table`, `GSI1`, and with several tables `Orders`, `GSI1 ON Orders`.

use keywright_dynamodb::expression::KeyCondition;
use keywright_model::Design;
use keywright_model::design::{Index, Table, Value};

use super::cell::{fold, is_same_name};
use super::value;

/// The tables and indexes of a design.
#[derive(Clone, Copy, Debug)]
pub(super) struct Places<'d> {
    pub(super) tables: &'d [Table],
    pub(super) indexes: &'d [Index],
}

/// A table or one of its indexes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) table: String,
    pub(super) index: Option<String>,
}

impl<'d> Places<'d> {
    pub(super) fn of(design: &'d Design) -> Self {
        Places { tables: &design.tables, indexes: &design.indexes }
    }

    /// The name of the first table, which `Table` means.
    pub(super) fn main(&self) -> String {
        self.tables.first().map_or_else(String::new, |table| table.name.clone())
    }

    fn is_only(&self, table: &str) -> bool {
        matches!(self.tables, [only] if only.name == table)
    }

    /// The place as a word of a sentence or cell.
    pub(super) fn write(&self, table: &str, index: Option<&str>) -> String {
        match index {
            None if self.is_only(table) => "Table".to_owned(),
            None => value::name(table),
            Some(index) if self.is_only(table) => value::name(index),
            Some(index) => format!("{} ON {}", value::name(index), value::name(table)),
        }
    }

    /// The place of one or two names; a name that is neither a table nor an index is taken for an index.
    pub(super) fn resolve(&self, name: &str, on: Option<&str>) -> Place {
        if let Some(on) = on {
            return Place {
                table: self.table_named(on).unwrap_or(on).to_owned(),
                index: Some(name.to_owned()),
            };
        }
        let known = self.indexes.iter().find(|index| index.name == name);
        let known = known.or_else(|| self.indexes.iter().find(|index| is_same_name(&index.name, name)));
        if let Some(index) = known {
            return Place { table: index.table.clone(), index: Some(index.name.clone()) };
        }
        if let Some(table) = self.table_named(name) {
            return Place { table: table.to_owned(), index: None };
        }
        let main =
            ["table", "main", "maintable", "basetable", "base", "primary", "primarykey", "primaryindex", ""];
        if main.contains(&fold(name).as_str()) {
            return Place { table: self.main(), index: None };
        }
        Place { table: self.main(), index: Some(name.to_owned()) }
    }

    fn table_named(&self, name: &str) -> Option<&'d str> {
        self.tables.iter().map(|table| table.name.as_str()).find(|table| *table == name)
    }

    /// The partition and sort attributes of a place.
    pub(super) fn key(&self, table: &str, index: Option<&str>) -> (Vec<&'d str>, Vec<&'d str>) {
        let names = |list: &'d [keywright_model::design::KeyAttribute]| {
            list.iter().map(|key| key.name.as_str()).collect::<Vec<_>>()
        };
        match index {
            Some(index) => self
                .indexes
                .iter()
                .find(|it| it.table == table && it.name == index)
                .map_or_else(Default::default, |it| (names(&it.partition), names(&it.sort))),
            None => self.tables.iter().find(|it| it.name == table).map_or_else(Default::default, |it| {
                (vec![it.partition.name.as_str()], it.sort.iter().map(|key| key.name.as_str()).collect())
            }),
        }
    }
}

/// The value of a key that is one attribute each, where it is so: partition, and sort if there is a condition on it.
pub(super) struct Simple<'k> {
    pub(super) partition: &'k Value,
    pub(super) sort: SimpleSort<'k>,
}

/// The condition on the one sort attribute.
pub(super) enum SimpleSort<'k> {
    None,
    Equal(&'k Value),
    Range(&'k keywright_dynamodb::expression::SortRange<Value>),
}

/// The parts of a key condition, if the place has one attribute each and it names no others.
pub(super) fn simple<'k>(
    key: &'k KeyCondition<Value>,
    (partition, sort): &(Vec<&str>, Vec<&str>),
) -> Option<Simple<'k>> {
    let ([attribute], [(name, value)]) = (partition.as_slice(), key.partition.as_slice()) else {
        return None;
    };
    if attribute != name {
        return None;
    }
    let is_sort = |name: &str| matches!(sort.as_slice(), [only] if *only == name);
    let sort = match (key.sort.as_slice(), &key.range) {
        ([], None) => SimpleSort::None,
        ([(name, value)], None) if is_sort(name) => SimpleSort::Equal(value),
        ([], Some((name, range))) if is_sort(name) => SimpleSort::Range(range),
        _ => return None,
    };
    Some(Simple { partition: value, sort })
}

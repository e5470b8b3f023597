//! Tables told by their headings.

use super::super::cell::fold;
use crate::markdown::{Page, Phrase, Row, Table};

/// What a table is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    /// Property | Value.
    Properties,
    /// GSI Name | Partition Key | Sort Key | Projection | Purpose.
    Indexes,
    /// Collection PK | Entity Types | Purpose.
    Collections,
    /// Entity | PK | SK | GSI1PK | …
    Chart,
    /// AP ID | Description | Operation | Table/GSI | PK | SK Condition | SK Value | Params.
    Reads,
    /// AP ID | Description | Operation | Items | Conditions.
    Writes,
}

/// What a column of any of these tables holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Column {
    Property,
    Value,
    IndexName,
    /// A name of something that the other columns tell.
    Name,
    Partition,
    Sort,
    Projection,
    Purpose,
    CollectionPartition,
    Entity,
    Id,
    Description,
    Operation,
    Place,
    SortCondition,
    SortValue,
    /// Partition and sort in one cell: `pk = USER#<id> and begins_with(sk, "ORDER#")`.
    KeyCondition,
    Params,
    Items,
    Conditions,
    Notes,
}

impl Column {
    fn named(folded: &str) -> Option<Self> {
        Some(match folded {
            "property" | "setting" => Column::Property,
            "value" => Column::Value,
            "gsiname" | "indexname" | "gsi" | "lsiname" | "lsi" => Column::IndexName,
            "name" => Column::Name,
            "partitionkey" | "pk" | "pkvalue" | "hashkey" | "partition" | "partitionkeyvalue" => {
                Column::Partition
            }
            "sortkey" | "sk" | "rangekey" => Column::Sort,
            "projection" => Column::Projection,
            "purpose" | "rationale" => Column::Purpose,
            "collectionpk" | "collection" | "itemcollection" => Column::CollectionPartition,
            "entity" | "entitytype" | "entitytypes" | "entities" | "itemtype" | "item" => Column::Entity,
            "apid" | "ap" | "id" | "patternid" | "accesspatternid" => Column::Id,
            "description" | "accesspattern" | "pattern" => Column::Description,
            "operation" | "dynamodboperation" | "api" => Column::Operation,
            "tablegsi" | "tableorgsi" | "tableindex" | "index" | "table" | "gsitable" | "tableorindex" => {
                Column::Place
            }
            "skcondition" | "sortkeycondition" | "condition" => Column::SortCondition,
            "keycondition" | "keyconditions" | "keyconditionexpression" => Column::KeyCondition,
            "skvalue" | "sortkeyvalue" | "skvalues" => Column::SortValue,
            "params" | "parameters" | "additionalparameters" | "additionalparams" | "options" => {
                Column::Params
            }
            "items" | "itemswritten" | "itemsdeleted" | "actions" => Column::Items,
            "conditions" | "conditionexpression" | "conditionexpressions" => Column::Conditions,
            "notes" | "note" | "comment" | "comments" | "remarks" => Column::Notes,
            _ => return None,
        })
    }
}

/// Where the columns of a table stand.
#[derive(Debug)]
pub(super) struct Columns {
    found: Vec<(Column, usize)>,
}

impl Columns {
    pub(super) fn of(table: &Table, page: &Page) -> Self {
        let mut found: Vec<(Column, usize)> = Vec::new();
        for (at, words) in table.header.iter().enumerate() {
            if let Some(column) = Column::named(&fold(page.phrase(*words).as_str()))
                && !found.iter().any(|(it, _)| *it == column)
            {
                found.push((column, at));
            }
        }
        Columns { found }
    }

    pub(super) fn index(&self, column: Column) -> Option<usize> {
        self.found.iter().find(|(it, _)| *it == column).map(|(_, at)| *at)
    }

    pub(super) fn has(&self, column: Column) -> bool {
        self.index(column).is_some()
    }

    /// The cell of a column, none where it is missing or empty.
    pub(super) fn cell<'p>(&self, row: &Row, page: &'p Page, column: Column) -> Option<Phrase<'p>> {
        row.cell(page, self.index(column)?).filter(|cell| !cell.is_empty())
    }

    /// The cell of the first of some columns that has one.
    pub(super) fn first_cell<'p>(&self, row: &Row, page: &'p Page, columns: &[Column]) -> Option<Phrase<'p>> {
        columns.iter().find_map(|column| self.cell(row, page, *column))
    }

    /// The columns that are none of these.
    pub(super) fn others<'p>(
        &self,
        table: &Table,
        page: &'p Page,
        known: &[Column],
    ) -> Vec<(usize, Phrase<'p>)> {
        table
            .header
            .iter()
            .enumerate()
            .filter(|(at, _)| !self.found.iter().any(|(column, it)| it == at && known.contains(column)))
            .map(|(at, words)| (at, page.phrase(*words).trim()))
            .filter(|(_, heading)| !heading.is_empty())
            .collect()
    }
}

/// What a table is about, by its headings.
pub(super) fn shape_of(table: &Table, page: &Page) -> Option<Shape> {
    let columns = Columns::of(table, page);
    let has = |column| columns.has(column);
    if has(Column::Property) && has(Column::Value) {
        Some(Shape::Properties)
    } else if has(Column::Operation) && (has(Column::Id) || has(Column::Description)) {
        Some(if has(Column::Items) { Shape::Writes } else { Shape::Reads })
    } else if has(Column::CollectionPartition) && has(Column::Entity) {
        Some(Shape::Collections)
    } else if has(Column::Entity) && has(Column::Partition) && !has(Column::KeyCondition) {
        Some(Shape::Chart)
    } else if has(Column::Description)
        && (has(Column::KeyCondition) || (has(Column::Place) && has(Column::Partition)))
    {
        // Which operation it is, the key tells.
        Some(Shape::Reads)
    } else if has(Column::Partition) && (has(Column::IndexName) || has(Column::Place)) {
        Some(Shape::Indexes)
    } else if has(Column::Partition) && has(Column::Name) {
        Some(if has(Column::Projection) { Shape::Indexes } else { Shape::Chart })
    } else {
        None
    }
}

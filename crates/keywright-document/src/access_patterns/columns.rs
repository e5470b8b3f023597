//! The columns of tables, told by their headings in any order.

use crate::markdown::{Page, Phrase, Table};

use super::names::fold;

/// What a column of a table of access patterns holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Column {
    Id,
    Entity,
    Description,
    Inputs,
    /// Attributes without saying whether the caller gives or gets them: a read gets them, a write is given them.
    Attributes,
    /// Key conditions that the author already thought of: their placeholders are inputs.
    KeyCondition,
    Result,
    Sort,
    Paginated,
    Frequency,
    Rate,
    Peak,
    Consistency,
    MultiEntity,
    ItemsWritten,
    ItemsDeleted,
    Transaction,
    Conditions,
    Filters,
    PageSize,
    Returns,
    ItemSize,
    Kind,
    Notes,
    /// What the author thinks of keys and indexes; read by people only.
    Index,
}

impl Column {
    /// The column of a folded heading.
    pub(super) fn named(folded: &str) -> Option<Self> {
        Some(match folded {
            "id" | "apid" | "ap" | "patternid" | "pattern" | "no" | "nr" | "" | "number" | "patternno"
            | "patternnumber" | "accesspatternid" => Column::Id,
            "entity" | "entities" | "entitytype" | "tables" | "entitiesinvolved" => Column::Entity,
            "description"
            | "accesspattern"
            | "patterndescription"
            | "query"
            | "operation"
            | "requirement"
            | "usecase"
            | "name"
            | "what"
            | "operationdescription" => Column::Description,
            "inputparameters" | "inputs" | "input" | "parameters" | "params" | "inputparams"
            | "inputattributes" | "by" | "given" | "filterkey" | "filterskeys" | "keyfilter"
            | "lookupkey" | "lookupby" => Column::Inputs,
            "attributes" | "attributesneeded" | "attributesinvolved" | "attributesrequired"
            | "attributesused" | "neededattributes" | "requiredattributes" | "fields" | "fieldsneeded"
            | "fieldsrequired" | "dataneeded" => Column::Attributes,
            "keycondition" | "keyconditions" => Column::KeyCondition,
            "result" | "resulttype" | "returntype" | "resultset" => Column::Result,
            "sort" | "sortorder" | "order" | "orderby" | "sortby" | "ordering" | "sorting" | "sortedby"
            | "orderedby" => Column::Sort,
            "paginated" | "pagination" | "paging" | "paged" => Column::Paginated,
            "frequency" | "freq" | "usage" | "howoften" | "often" | "load" | "traffic" => Column::Frequency,
            "rate" | "rps" | "avgrps" | "averagerps" | "meanrps" | "tps" | "qps" | "requestspersecond"
            | "rates" | "rpsavgpeak" | "avgrate" | "designrps" | "expectedrps" => Column::Rate,
            "peak" | "peakrps" | "peakrate" | "maxrps" | "peaktps" | "peakqps" => Column::Peak,
            "consistency" | "readconsistency" => Column::Consistency,
            "multientity" | "multientities" | "multipleentities" => Column::MultiEntity,
            "itemswritten" | "writes" | "writtenitems" | "itemsaffected" | "items" | "effects" | "effect"
            | "changes" | "entitieswritten" | "entitieschanged" => Column::ItemsWritten,
            "itemsdeleted" | "deleteditems" => Column::ItemsDeleted,
            "transaction" | "transactional" | "tx" | "transactions" => Column::Transaction,
            "conditions" | "condition" | "constraints" | "preconditions" | "checks" | "check" | "guards"
            | "requires" | "musthold" => Column::Conditions,
            "filters" | "filter" | "filterby" => Column::Filters,
            "pagesize" | "limit" => Column::PageSize,
            "returns" | "returned" | "returnedattributes" | "projection" | "attributesreturned"
            | "returnedfields" | "fieldsreturned" | "output" | "outputattributes" => Column::Returns,
            "itemsize" | "size" | "avgitemsize" | "itemsizebytes" => Column::ItemSize,
            "type" | "kind" | "readwrite" | "operationtype" | "rw" => Column::Kind,
            "notes" | "note" | "comments" | "comment" | "remarks" | "rationale" => Column::Notes,
            "index" | "indexes" | "tablegsi" | "satisfied" | "keydesign" | "dynamodboperation" => {
                Column::Index
            }
            // `RPS (Peak and Average)`, `Expected RPS`
            _ if folded.starts_with("rps") || folded.ends_with("rps") => Column::Rate,
            _ => return None,
        })
    }
}

/// The columns of a table of access patterns; where two headings mean the same, the first counts.
#[derive(Debug)]
pub(super) struct Columns<'p> {
    found: Vec<(Column, usize)>,
    /// Columns that the format does not know.
    pub(super) unknown: Vec<Phrase<'p>>,
    /// The heading of the column with the ids, as written.
    pub(super) id_heading: Option<Phrase<'p>>,
    /// The heading of the column with the descriptions.
    pub(super) description_heading: Option<Phrase<'p>>,
}

impl<'p> Columns<'p> {
    pub(super) fn new(table: &Table, page: &'p Page) -> Self {
        let mut columns =
            Columns { found: Vec::new(), unknown: Vec::new(), id_heading: None, description_heading: None };
        for (index, words) in table.header.iter().enumerate() {
            let heading = page.phrase(*words).trim();
            let folded = fold(heading.as_str());
            // A column without a heading is the first one of a numbered table, or there by accident.
            let column = Column::named(&folded).filter(|_| !folded.is_empty() || heading.as_str() == "#");
            let column = match column {
                // `Pattern | Description`: the pattern is its number. `Pattern | Entity`: it is the description.
                Some(Column::Id) if folded == "pattern" && !has_heading(table, page, Column::Description) => {
                    Some(Column::Description)
                }
                // `Operation | Description`: the operation is what it does.
                Some(Column::Description) if folded == "operation" && describes_apart(table, page) => {
                    Some(Column::Kind)
                }
                other => other,
            };
            match column {
                Some(column) if columns.index(column).is_none() => {
                    columns.found.push((column, index));
                    match column {
                        Column::Id => columns.id_heading = Some(heading),
                        Column::Description => columns.description_heading = Some(heading),
                        _ => {}
                    }
                }
                Some(_) | None if !heading.is_empty() => columns.unknown.push(heading),
                _ => {}
            }
        }
        columns
    }

    /// The columns of what has no table: cells in this order.
    pub(super) fn of(columns: impl IntoIterator<Item = Column>) -> Self {
        let found = columns.into_iter().enumerate().map(|(index, column)| (column, index)).collect();
        Columns { found, unknown: Vec::new(), id_heading: None, description_heading: None }
    }

    /// Where a column stands.
    pub(super) fn index(&self, column: Column) -> Option<usize> {
        self.found.iter().find(|(found, _)| *found == column).map(|(_, index)| *index)
    }

    /// Whether the table has the column.
    pub(super) fn has(&self, column: Column) -> bool {
        self.index(column).is_some()
    }
}

/// Whether a column beside `Operation` holds the descriptions.
fn describes_apart(table: &Table, page: &Page) -> bool {
    let folded = |words| fold(page.phrase(words).as_str());
    table
        .header
        .iter()
        .map(|words| folded(*words))
        .any(|heading| heading != "operation" && Column::named(&heading) == Some(Column::Description))
}

fn has_heading(table: &Table, page: &Page, wanted: Column) -> bool {
    table.header.iter().any(|words| Column::named(&fold(page.phrase(*words).as_str())) == Some(wanted))
}

/// Whether a table lists access patterns, by its headings.
pub(super) fn is_pattern_table(table: &Table, page: &Page) -> bool {
    let columns = Columns::new(table, page);
    let describes = columns.has(Column::Description);
    let specific = [
        Column::Inputs,
        Column::Attributes,
        Column::KeyCondition,
        Column::Result,
        Column::ItemsWritten,
        Column::ItemsDeleted,
        Column::Transaction,
        Column::Frequency,
        Column::Rate,
        Column::Index,
        Column::Consistency,
        Column::Paginated,
    ];
    let known = specific.iter().filter(|column| columns.has(**column)).count();
    let named = columns.description_heading.is_some_and(|heading| {
        matches!(fold(heading.as_str()).as_str(), "accesspattern" | "usecase" | "requirement")
    });
    (describes && known >= 1 && (columns.has(Column::Id) || columns.has(Column::Entity) || named))
        || (describes && known >= 2)
}

/// Whether a table lists access patterns wherever it stands, also among entities, which have descriptions too.
pub(super) fn is_surely_pattern_table(table: &Table, page: &Page) -> bool {
    let columns = Columns::new(table, page);
    let named = columns.description_heading.is_some_and(|it| fold(it.as_str()) == "accesspattern");
    is_pattern_table(table, page) && (named || columns.has(Column::Inputs))
}

/// The columns that a table lacks to be read as one of access patterns; all of them where it has none that is known.
pub(super) fn lacking(table: &Table, page: &Page) -> Vec<&'static str> {
    let columns = Columns::new(table, page);
    [
        (Column::Id, "ID"),
        (Column::Entity, "Entity"),
        (Column::Description, "Description"),
        (Column::Inputs, "Input Parameters"),
    ]
    .into_iter()
    .filter(|(column, _)| !columns.has(*column))
    .map(|(_, name)| name)
    .collect()
}

/// What a column of a table of attributes holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum AttributeColumn {
    Name,
    Type,
    Facts,
    Key,
    Required,
    Optional,
    Description,
}

impl AttributeColumn {
    /// The column of a heading.
    pub(super) fn named(heading: Phrase<'_>) -> Option<Self> {
        Some(match fold(heading.as_str()).as_str() {
            "attribute" | "name" | "field" | "attributename" | "property" | "column" => AttributeColumn::Name,
            "type" | "datatype" => AttributeColumn::Type,
            "facts" | "constraints" | "constraint" => AttributeColumn::Facts,
            "key" | "keys" => AttributeColumn::Key,
            "required" => AttributeColumn::Required,
            "optional" | "nullable" => AttributeColumn::Optional,
            "description" | "notes" | "note" | "comment" | "meaning" => AttributeColumn::Description,
            _ => return None,
        })
    }
}

/// Whether a table lists attributes, by its headings.
pub(super) fn is_attribute_table(table: &Table, page: &Page) -> bool {
    let has = |wanted| {
        table.header.iter().any(|words| AttributeColumn::named(page.phrase(*words).trim()) == Some(wanted))
    };
    has(AttributeColumn::Name) && has(AttributeColumn::Type)
}

/// Whether a table lists entities with their attributes, by its headings.
pub(super) fn is_entity_table(table: &Table, page: &Page) -> bool {
    let has = |wanted: &[&str]| {
        table.header.iter().any(|words| wanted.contains(&fold(page.phrase(*words).as_str()).as_str()))
    };
    has(&["entity", "entityname"])
        && has(&["attributes", "fields", "properties"])
        && !is_pattern_table(table, page)
}

//! Operations as values: the requests that serve a pattern, and the tables that they access.

/// A value in an operation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Value {
    /// The input with this name.
    Given(&'static str),
    /// The generated value with this name.
    Generated(&'static str),
    /// An attribute of the item that an earlier step read.
    Found(usize, &'static str),
    /// A fixed text.
    Text(&'static str),
    /// A fixed number.
    Number(&'static str),
    /// A fixed truth value.
    Flag(bool),
    /// A key, built by a template.
    Key(&'static str),
    /// A leading part of a key, built by a template, for the bound of a range.
    Bound(&'static str),
    /// A number and an amount added to it; an absent number counts as zero.
    Sum(&'static Value, i64),
}

/// An attribute and its value.
pub type Pair = (&'static str, Value);

/// A part of an expression. If one of its values is absent it is left out, or replaced by `otherwise`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Clause {
    /// The text, with `#name` for names and `{0}` for values.
    pub text: &'static str,
    /// The values.
    pub values: &'static [Value],
    /// The text to use if one of the values is absent; empty to leave the clause out.
    pub otherwise: &'static str,
}

impl Clause {
    /// The default values of all fields.
    pub const NONE: Clause = Clause { text: "", values: &[], otherwise: "" };
}

/// How a value is generated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum How {
    /// A new ULID.
    Ulid,
    /// A new UUID, version 7.
    Uuid,
    /// A new KSUID.
    Ksuid,
    /// The current instant.
    Now,
    /// The current instant in milliseconds.
    NowMillis,
    /// The current date.
    Today,
    /// The current instant plus a number of days, in seconds.
    Expiry,
}

/// A value that the operation generates.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Made {
    /// Its name.
    pub name: &'static str,
    /// How it is generated.
    pub how: How,
    /// Days until it expires.
    pub days: i64,
}

impl Made {
    /// The default values of all fields.
    pub const NONE: Made = Made { name: "", how: How::Now, days: 0 };
}

/// One attribute of an order.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Order {
    /// The attribute.
    pub attribute: &'static str,
    /// Largest first.
    pub descending: bool,
    /// The declared values, where their order is not that of the texts.
    pub values: &'static [&'static str],
}

impl Order {
    /// The default values of all fields.
    pub const NONE: Order = Order { attribute: "", descending: false, values: &[] };
}

/// Repeats a Query over the values of placeholders.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scatter {
    /// The placeholders.
    pub placeholders: &'static [&'static str],
    /// Their values, row by row: one row per Query.
    pub values: &'static [&'static str],
    /// Whether to run the Queries one after the other until the page is full, because no order is promised.
    pub one_after_another: bool,
}

impl Scatter {
    /// The default values of all fields.
    pub const NONE: Scatter = Scatter { placeholders: &[], values: &[], one_after_another: false };

    /// The placeholders with their values, for each of the Queries.
    pub(super) fn rows(&self) -> Vec<Vec<(&'static str, &'static str)>> {
        let named = |row: &[&'static str]| self.placeholders.iter().copied().zip(row.iter().copied()).collect();
        self.values.chunks(self.placeholders.len().max(1)).map(named).collect()
    }
}

/// GetItem.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Get {
    /// The table.
    pub table: &'static str,
    /// The whole primary key.
    pub key: &'static [Pair],
    /// The attributes to return; all if empty.
    pub projection: &'static [&'static str],
    /// Whether the read is strongly consistent.
    pub consistent: bool,
    /// Whether to go on if there is no such item.
    pub may_be_absent: bool,
}

impl Get {
    /// The default values of all fields.
    pub const NONE: Get = Get { table: "", key: &[], projection: &[], consistent: false, may_be_absent: false };
}

/// Query.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Query {
    /// The table.
    pub table: &'static str,
    /// The index; `None` for the table itself.
    pub index: Option<&'static str>,
    /// The partition attributes.
    pub partition: &'static [Pair],
    /// Leading sort attributes, by equality.
    pub sort: &'static [Pair],
    /// The condition on the next sort attribute.
    pub range: Option<Clause>,
    /// The filter.
    pub filter: &'static [Clause],
    /// The attributes to return; all if empty.
    pub projection: &'static [&'static str],
    /// Whether to read in descending key order.
    pub backward: bool,
    /// The most items to return; `None` for all.
    pub limit: Option<u32>,
    /// Whether the caller may set the number of items.
    pub paged: bool,
    /// Whether the read is strongly consistent.
    pub consistent: bool,
    /// Whether to return only the number of items.
    pub count: bool,
    /// Repeats the Query over values.
    pub scatter: Option<Scatter>,
}

impl Query {
    /// The default values of all fields.
    pub const NONE: Query = Query {
        table: "",
        index: None,
        partition: &[],
        sort: &[],
        range: None,
        filter: &[],
        projection: &[],
        backward: false,
        limit: None,
        paged: false,
        consistent: false,
        count: false,
        scatter: None,
    };
}

/// BatchGetItem.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BatchGet {
    /// The table.
    pub table: &'static str,
    /// The step whose items give the keys: index entries, unless `each` builds the keys from the items.
    pub of_step: Option<usize>,
    /// One key per element of the list inputs, or per item that `of_step` read.
    pub each: &'static [Pair],
    /// The attributes to return; all if empty.
    pub projection: &'static [&'static str],
    /// Whether the read is strongly consistent.
    pub consistent: bool,
}

impl BatchGet {
    /// The default values of all fields.
    pub const NONE: BatchGet = BatchGet { table: "", of_step: None, each: &[], projection: &[], consistent: false };
}

/// Scan.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scan {
    /// The table.
    pub table: &'static str,
    /// The index; `None` for the table itself.
    pub index: Option<&'static str>,
    /// The filter.
    pub filter: &'static [Clause],
    /// The most items to return; `None` for all.
    pub limit: Option<u32>,
    /// Whether the caller may set the number of items.
    pub paged: bool,
    /// Whether to return only the number of items.
    pub count: bool,
}

impl Scan {
    /// The default values of all fields.
    pub const NONE: Scan = Scan { table: "", index: None, filter: &[], limit: None, paged: false, count: false };
}

/// How actions are sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// One request per action.
    Single,
    /// All or nothing.
    Transaction,
    /// In batches, without conditions.
    Batch,
}

/// Actions, and how they are sent.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Write {
    /// How they are sent.
    pub mode: Mode,
    /// The actions.
    pub actions: &'static [Action],
}

impl Write {
    /// The default values of all fields.
    pub const NONE: Write = Write { mode: Mode::Single, actions: &[] };
}

/// A request of an operation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Step {
    /// GetItem.
    Get(Get),
    /// Query.
    Query(Query),
    /// BatchGetItem.
    BatchGet(BatchGet),
    /// Scan.
    Scan(Scan),
    /// A write.
    Write(Write),
}

/// Puts an item. Its key attributes follow from its type's templates.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Put {
    /// The table.
    pub table: &'static str,
    /// The item type.
    pub item: &'static str,
    /// The attributes.
    pub values: &'static [Pair],
    /// The step that read the item to start from.
    pub based_on: Option<usize>,
    /// Leaves the action out if one of these values is absent.
    pub when: &'static [Value],
    /// The condition.
    pub condition: &'static [Clause],
    /// The condition of the pattern to report when this one fails.
    pub fails_as: Option<&'static str>,
    /// Whether the condition or the key depends on what an earlier step read.
    pub on_reads: bool,
    /// Repeats the action for every item that this step read.
    pub each: Option<usize>,
}

impl Put {
    /// The default values of all fields.
    pub const NONE: Put = Put {
        table: "",
        item: "",
        values: &[],
        based_on: None,
        when: &[],
        condition: &[],
        fails_as: None,
        on_reads: false,
        each: None,
    };
}

/// An index key attribute that an update sets or removes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Entry {
    /// The attribute.
    pub attribute: &'static str,
    /// Its new value; `None` to remove it.
    pub value: Option<Value>,
    /// Set it only if this value is present …
    pub when: Option<Value>,
    /// (and leave it unchanged if the caller leaves this value out)
    pub only_if_given: bool,
    /// … and equals this text.
    pub equals: Option<&'static str>,
}

impl Entry {
    /// The default values of all fields.
    pub const NONE: Entry = Entry { attribute: "", value: None, when: None, only_if_given: false, equals: None };
}

/// Updates an item.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Update {
    /// The table.
    pub table: &'static str,
    /// The whole primary key.
    pub key: &'static [Pair],
    /// The assignments.
    pub set: &'static [Clause],
    /// The attributes to remove.
    pub remove: &'static [&'static str],
    /// The numbers and sets to add to.
    pub add: &'static [Clause],
    /// The elements to remove from sets.
    pub delete: &'static [Clause],
    /// The index key attributes that change with it.
    pub entries: &'static [Entry],
    /// The condition.
    pub condition: &'static [Clause],
    /// The condition of the pattern to report when this one fails.
    pub fails_as: Option<&'static str>,
    /// Whether the condition or the key depends on what an earlier step read.
    pub on_reads: bool,
    /// Repeats the action for every item that this step read.
    pub each: Option<usize>,
}

impl Update {
    /// The default values of all fields.
    pub const NONE: Update = Update {
        table: "",
        key: &[],
        set: &[],
        remove: &[],
        add: &[],
        delete: &[],
        entries: &[],
        condition: &[],
        fails_as: None,
        on_reads: false,
        each: None,
    };
}

/// Deletes an item, or only checks its condition.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Delete {
    /// The table.
    pub table: &'static str,
    /// The whole primary key.
    pub key: &'static [Pair],
    /// Leaves the action out if one of these values is absent.
    pub when: &'static [Value],
    /// The condition.
    pub condition: &'static [Clause],
    /// The condition of the pattern to report when this one fails.
    pub fails_as: Option<&'static str>,
    /// Whether the condition or the key depends on what an earlier step read.
    pub on_reads: bool,
    /// Repeats the action for every item that this step read.
    pub each: Option<usize>,
}

impl Delete {
    /// The default values of all fields.
    pub const NONE: Delete =
        Delete { table: "", key: &[], when: &[], condition: &[], fails_as: None, on_reads: false, each: None };
}

/// What a write does to an item.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Action {
    /// Put.
    Put(Put),
    /// Update.
    Update(Update),
    /// Delete.
    Delete(Delete),
    /// ConditionCheck.
    Check(Delete),
}

impl Action {
    /// The values that must be present; otherwise the action is left out.
    pub const fn when(&self) -> &'static [Value] {
        match self {
            Action::Put(put) => put.when,
            Action::Update(_) => &[],
            Action::Delete(delete) | Action::Check(delete) => delete.when,
        }
    }

    /// The step whose items it is repeated for.
    pub const fn each(&self) -> Option<usize> {
        match self {
            Action::Put(put) => put.each,
            Action::Update(update) => update.each,
            Action::Delete(delete) | Action::Check(delete) => delete.each,
        }
    }
}

/// The shape of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// One item or none.
    Single,
    /// All items.
    Collection,
    /// A page.
    Page,
    /// A number.
    Count,
    /// Nothing.
    Nothing,
}

/// Starts over when a condition fails because an item changed after an earlier step read it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Retry {
    /// The step to start over from, counted from 1.
    pub from_step: usize,
    /// The most retries.
    pub attempts: u32,
}

impl Retry {
    /// The default values of all fields.
    pub const NONE: Retry = Retry { from_step: 1, attempts: 0 };
}

/// The requests that serve a pattern, and the shape of the answer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Operation {
    /// The pattern's id.
    pub pattern: &'static str,
    /// The values that are generated before the first step.
    pub made: &'static [Made],
    /// The requests, one after the other.
    pub steps: &'static [Step],
    /// The shape of the answer.
    pub shape: Shape,
    /// The step whose items are the answer.
    pub answer_from: usize,
    /// The attribute that holds the count.
    pub counter: Option<&'static str>,
    /// The order that is promised.
    pub order: &'static [Order],
    /// Whether to sort the items here, because the key order is another one.
    pub client_sort: bool,
    /// How many of the sorted items are the answer; all if none.
    pub first: Option<usize>,
    /// When to start over, if at all.
    pub retry: Option<Retry>,
}

impl Operation {
    /// The default values of all fields.
    pub const NONE: Operation = Operation {
        pattern: "",
        made: &[],
        steps: &[],
        shape: Shape::Nothing,
        answer_from: 1,
        counter: None,
        order: &[],
        client_sort: false,
        first: None,
        retry: None,
    };
}

/// A table and its primary key.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Table {
    /// The name.
    pub name: &'static str,
    /// The key attributes.
    pub key: &'static [&'static str],
}

impl Table {
    /// The default values of all fields.
    pub const NONE: Table = Table { name: "", key: &[] };
}

/// An index and its key.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Index {
    /// The table.
    pub table: &'static str,
    /// The name.
    pub name: &'static str,
    /// The key attributes.
    pub key: &'static [&'static str],
}

impl Index {
    /// The default values of all fields.
    pub const NONE: Index = Index { table: "", name: "", key: &[] };
}

/// How a key attribute of an item type gets its value, and when.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ItemKey {
    /// The attribute.
    pub attribute: &'static str,
    /// The template.
    pub template: &'static str,
    /// Only if the item has this attribute …
    pub when: Option<&'static str>,
    /// … and it equals this text.
    pub equals: Option<&'static str>,
}

impl ItemKey {
    /// The default values of all fields.
    pub const NONE: ItemKey = ItemKey { attribute: "", template: "", when: None, equals: None };
}

/// A type of item.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ItemType {
    /// The name.
    pub name: &'static str,
    /// The table.
    pub table: &'static str,
    /// The keys.
    pub keys: &'static [ItemKey],
    /// The maps that hold attributes. An item has them from the start, so that an update can set what lies in them.
    pub maps: &'static [&'static str],
}

impl ItemType {
    /// The default values of all fields.
    pub const NONE: ItemType = ItemType { name: "", table: "", keys: &[], maps: &[] };
}

/// The tables, indexes and item types.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Schema {
    /// The attribute that holds the item type.
    pub type_attribute: Option<&'static str>,
    /// The tables.
    pub tables: &'static [Table],
    /// The indexes.
    pub indexes: &'static [Index],
    /// The item types.
    pub items: &'static [ItemType],
    /// Hexadecimal aliases, each with the name that it stands for.
    pub aliases: &'static [(&'static str, &'static str)],
}

impl Schema {
    /// The default values of all fields.
    pub const NONE: Schema = Schema { type_attribute: None, tables: &[], indexes: &[], items: &[], aliases: &[] };

    /// The primary key of a table.
    pub fn table_key(&self, table: &str) -> &'static [&'static str] {
        self.tables.iter().find(|it| it.name == table).map_or(&[], |it| it.key)
    }

    /// The key of an index.
    pub fn index_key(&self, table: &str, index: Option<&str>) -> &'static [&'static str] {
        self.indexes.iter().find(|it| it.table == table && Some(it.name) == index).map_or(&[], |it| it.key)
    }
}

//! Operations as values: how a pattern is served, and the tables that it is served from.

/// A value in an operation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Value {
    /// What the caller gives under this name.
    Given(&'static str),
    /// What the operation made up under this name.
    Generated(&'static str),
    /// An attribute of what an earlier step read.
    Found(usize, &'static str),
    /// A fixed text.
    Text(&'static str),
    /// A fixed number.
    Number(&'static str),
    /// A fixed truth value.
    Flag(bool),
    /// A key, built by a template.
    Key(&'static str),
    /// A leading part of a key, built by a template, as the bound of a range.
    Bound(&'static str),
    /// A number and a step added to it; a number that was never written counts from zero.
    Sum(&'static Value, i64),
}

/// An attribute and its value.
pub type Pair = (&'static str, Value);

/// A part of an expression; where one of its values is absent it falls away, or says something else.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Clause {
    /// The text, with `#name` for names and `{0}` for values.
    pub text: &'static str,
    /// The values.
    pub values: &'static [Value],
    /// What it says where one of them is absent; nothing if empty.
    pub otherwise: &'static str,
}

impl Clause {
    /// Nothing.
    pub const NONE: Clause = Clause { text: "", values: &[], otherwise: "" };
}

/// How a value is made up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum How {
    /// A new ULID.
    Ulid,
    /// A new UUID, version 7.
    Uuid,
    /// A new KSUID.
    Ksuid,
    /// The present instant.
    Now,
    /// The present instant in milliseconds.
    NowMillis,
    /// The present date.
    Today,
    /// The present instant plus so many days, in seconds.
    Expiry,
}

/// A value that the operation makes up.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Made {
    /// Its name.
    pub name: &'static str,
    /// How it is made.
    pub how: How,
    /// Days until it expires.
    pub days: i64,
}

impl Made {
    /// Nothing.
    pub const NONE: Made = Made { name: "", how: How::Now, days: 0 };
}

/// One attribute of an order.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Order {
    /// The attribute.
    pub attribute: &'static str,
    /// Largest first.
    pub descending: bool,
}

impl Order {
    /// Nothing.
    pub const NONE: Order = Order { attribute: "", descending: false };
}

/// A Query that is repeated over the values of placeholders.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scatter {
    /// The placeholders.
    pub placeholders: &'static [&'static str],
    /// Their values: one row after the other.
    pub values: &'static [&'static str],
    /// Until the page is full, because no order is promised.
    pub one_after_another: bool,
}

impl Scatter {
    /// Nothing.
    pub const NONE: Scatter = Scatter { placeholders: &[], values: &[], one_after_another: false };

    /// The placeholders with their values in each of the Queries.
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
    /// A strong read.
    pub consistent: bool,
    /// Go on where nothing is found.
    pub may_be_absent: bool,
}

impl Get {
    /// Nothing.
    pub const NONE: Get = Get { table: "", key: &[], projection: &[], consistent: false, may_be_absent: false };
}

/// Query.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Query {
    /// The table.
    pub table: &'static str,
    /// The index; the table itself if none.
    pub index: Option<&'static str>,
    /// The partition attributes.
    pub partition: &'static [Pair],
    /// Leading sort attributes, by equality.
    pub sort: &'static [Pair],
    /// The condition on the next sort attribute.
    pub range: Option<Clause>,
    /// What is dropped after reading.
    pub filter: &'static [Clause],
    /// The attributes to return; all if empty.
    pub projection: &'static [&'static str],
    /// In descending key order.
    pub backward: bool,
    /// How many items; all if none.
    pub limit: Option<u32>,
    /// As many items as the caller asks for.
    pub paged: bool,
    /// A strong read.
    pub consistent: bool,
    /// Only the number of items.
    pub count: bool,
    /// Once per value.
    pub scatter: Option<Scatter>,
}

impl Query {
    /// Nothing.
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
    /// The items whose index entries this step read.
    pub of_step: Option<usize>,
    /// One item per element of the list inputs, or per item that `of_step` read.
    pub each: &'static [Pair],
    /// The attributes to return; all if empty.
    pub projection: &'static [&'static str],
    /// A strong read.
    pub consistent: bool,
}

impl BatchGet {
    /// Nothing.
    pub const NONE: BatchGet = BatchGet { table: "", of_step: None, each: &[], projection: &[], consistent: false };
}

/// Scan.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scan {
    /// The table.
    pub table: &'static str,
    /// The index; the table itself if none.
    pub index: Option<&'static str>,
    /// What is dropped after reading.
    pub filter: &'static [Clause],
    /// How many items; all if none.
    pub limit: Option<u32>,
    /// As many items as the caller asks for.
    pub paged: bool,
    /// Only the number of items.
    pub count: bool,
}

impl Scan {
    /// Nothing.
    pub const NONE: Scan = Scan { table: "", index: None, filter: &[], limit: None, paged: false, count: false };
}

/// How actions are sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// By themselves.
    Single,
    /// All or nothing.
    Transaction,
    /// Many at once, without conditions.
    Batch,
}

/// Actions.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Write {
    /// How they are sent.
    pub mode: Mode,
    /// What they are.
    pub actions: &'static [Action],
}

impl Write {
    /// Nothing.
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

/// Put an item: its key attributes follow from its type's templates.
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
    /// Left out where one of these is absent.
    pub when: &'static [Value],
    /// What must hold.
    pub condition: &'static [Clause],
    /// The pattern's condition that fails when this one does.
    pub fails_as: Option<&'static str>,
    /// The condition speaks of what an earlier step read.
    pub on_reads: bool,
    /// Once per item that this step read.
    pub each: Option<usize>,
}

impl Put {
    /// Nothing.
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

/// An index key attribute that an update sets, or removes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Entry {
    /// The attribute.
    pub attribute: &'static str,
    /// Its new value; removed if none.
    pub value: Option<Value>,
    /// Set it only when this is there …
    pub when: Option<Value>,
    /// (and leave it alone when the caller leaves that out)
    pub only_if_given: bool,
    /// … and equals this.
    pub equals: Option<&'static str>,
}

impl Entry {
    /// Nothing.
    pub const NONE: Entry = Entry { attribute: "", value: None, when: None, only_if_given: false, equals: None };
}

/// Update an item.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Update {
    /// The table.
    pub table: &'static str,
    /// The whole primary key.
    pub key: &'static [Pair],
    /// Assignments.
    pub set: &'static [Clause],
    /// Attributes that go.
    pub remove: &'static [&'static str],
    /// Numbers and sets that grow.
    pub add: &'static [Clause],
    /// Elements that leave a set.
    pub delete: &'static [Clause],
    /// Index key attributes that follow.
    pub entries: &'static [Entry],
    /// What must hold.
    pub condition: &'static [Clause],
    /// The pattern's condition that fails when this one does.
    pub fails_as: Option<&'static str>,
    /// The condition speaks of what an earlier step read.
    pub on_reads: bool,
    /// Once per item that this step read.
    pub each: Option<usize>,
}

impl Update {
    /// Nothing.
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

/// Delete an item, or check it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Delete {
    /// The table.
    pub table: &'static str,
    /// The whole primary key.
    pub key: &'static [Pair],
    /// Left out where one of these is absent.
    pub when: &'static [Value],
    /// What must hold.
    pub condition: &'static [Clause],
    /// The pattern's condition that fails when this one does.
    pub fails_as: Option<&'static str>,
    /// The condition speaks of what an earlier step read.
    pub on_reads: bool,
    /// Once per item that this step read.
    pub each: Option<usize>,
}

impl Delete {
    /// Nothing.
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
    /// The values without which it is left out.
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

/// Start over when a condition fails on what an earlier step read.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Retry {
    /// From this step on.
    pub from_step: usize,
    /// So often at most.
    pub attempts: u32,
}

impl Retry {
    /// Nothing.
    pub const NONE: Retry = Retry { from_step: 1, attempts: 0 };
}

/// How a pattern is served.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Operation {
    /// The pattern's id.
    pub pattern: &'static str,
    /// What is made up before the first step.
    pub made: &'static [Made],
    /// The requests, one after the other.
    pub steps: &'static [Step],
    /// The shape of the answer.
    pub shape: Shape,
    /// The step that the answer comes from.
    pub answer_from: usize,
    /// The attribute that is the number asked for.
    pub counter: Option<&'static str>,
    /// The order that is promised.
    pub order: &'static [Order],
    /// Sorted here, because the key order does not give it.
    pub client_sort: bool,
    /// When to start over.
    pub retry: Option<Retry>,
}

impl Operation {
    /// Nothing.
    pub const NONE: Operation = Operation {
        pattern: "",
        made: &[],
        steps: &[],
        shape: Shape::Nothing,
        answer_from: 1,
        counter: None,
        order: &[],
        client_sort: false,
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
    /// Nothing.
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
    /// Nothing.
    pub const NONE: Index = Index { table: "", name: "", key: &[] };
}

/// How a key attribute of an item gets its value, and when.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ItemKey {
    /// The attribute.
    pub attribute: &'static str,
    /// The template.
    pub template: &'static str,
    /// Only while this attribute is there …
    pub when: Option<&'static str>,
    /// … and equals this.
    pub equals: Option<&'static str>,
}

impl ItemKey {
    /// Nothing.
    pub const NONE: ItemKey = ItemKey { attribute: "", template: "", when: None, equals: None };
}

/// A kind of item.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ItemType {
    /// The name.
    pub name: &'static str,
    /// The table.
    pub table: &'static str,
    /// The keys.
    pub keys: &'static [ItemKey],
}

impl ItemType {
    /// Nothing.
    pub const NONE: ItemType = ItemType { name: "", table: "", keys: &[] };
}

/// The tables, indexes and item types.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Schema {
    /// The attribute that tells item types apart.
    pub type_attribute: Option<&'static str>,
    /// The tables.
    pub tables: &'static [Table],
    /// The indexes.
    pub indexes: &'static [Index],
    /// The item types.
    pub items: &'static [ItemType],
    /// Aliases that don't spell out their names.
    pub aliases: &'static [(&'static str, &'static str)],
}

impl Schema {
    /// Nothing.
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

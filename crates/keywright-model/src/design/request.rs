//! Requests: what an operation sends, with typed expressions over templates and inputs.

use keywright_dynamodb::expression::{self, Comparator, Condition, KeyCondition, Operand};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::model::Literal;

/// One request of an operation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "operation", rename_all_fields = "camelCase")]
pub enum Request {
    /// GetItem.
    GetItem(Get),
    /// Query.
    Query(Query),
    /// BatchGetItem, in as many calls as the limits ask for.
    BatchGetItem(BatchGet),
    /// Scan.
    Scan(Scan),
    /// PutItem, UpdateItem or DeleteItem: one action by itself.
    Write {
        /// The action; a Check can't stand alone.
        action: Action,
    },
    /// TransactWriteItems.
    TransactWriteItems {
        /// The actions, no two on one item. A Delete and a Put that come to the same key, as where a unique value is
        /// replaced by itself, are sent as that Put under the Delete's condition; repeated Updates that come to the
        /// same key are sent as one that adds what they add together.
        ///
        /// Where all of them are repeated over the items of one request, they are sent in as many transactions as the
        /// limits ask for, what belongs to one item in one of them.
        actions: Vec<Action>,
    },
    /// BatchWriteItem, in as many calls as the limits ask for: puts and deletes without conditions.
    BatchWriteItem {
        /// The actions.
        actions: Vec<Action>,
    },
}

impl Request {
    /// What it does to items; nothing where it reads.
    pub fn actions(&self) -> &[Action] {
        match self {
            Request::Write { action } => std::slice::from_ref(action),
            Request::TransactWriteItems { actions } | Request::BatchWriteItem { actions } => actions,
            Request::GetItem(_) | Request::Query(_) | Request::BatchGetItem(_) | Request::Scan(_) => &[],
        }
    }
}

/// A value in a request.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum Value {
    /// What the caller gives under this name.
    Input(String),
    /// What the operation made up under this name.
    Generated(String),
    /// An attribute of the item that an earlier request read; in an action with `each`, of the item at hand.
    Read {
        /// The request, counted from 1.
        request: u32,
        /// The attribute.
        attribute: String,
    },
    /// A fixed value.
    Literal(Literal),
    /// A string built by a template whose placeholders name values in scope: `ORDER#<orderId>`,
    /// `ORDER#<from:iso>`, `USER#<1.username>`, sums of two: `SCORE#<1.score + points:int8>`, and what stands in for an input that
    /// is left out: `NAME#<newName else 1.name>`.
    Template(String),
    /// A number and a step added to it.
    Sum {
        /// The number.
        of: Box<Value>,
        /// The step.
        plus: i64,
    },
}

/// The two sides of a sum that a placeholder names, and whether the second is taken away: `1.score + points`,
/// `1.stock - 1`.
pub fn sum_in(place: &str) -> Option<(&str, &str, bool)> {
    let of = |sign: &str, minus: bool| place.split_once(sign).map(|(left, right)| (left, right, minus));
    of(" + ", false).or_else(|| of(" - ", true))
}

/// What a placeholder names, and what stands in for it where that is not there: `newName else 1.name`.
pub fn else_in(place: &str) -> Option<(&str, &str)> {
    place.split_once(" else ")
}

impl Value {
    /// The earlier request that it takes something from; the first, where a template names several.
    pub fn request(&self) -> Option<u32> {
        match self {
            Value::Read { request, .. } => Some(*request),
            Value::Sum { of, .. } => of.request(),
            Value::Template(template) => {
                let places = template.split('<').skip(1).filter_map(|part| part.split_once('>'));
                let mut names = places.map(|(place, _)| else_in(place).map_or(place, |(_, read)| read));
                names.find_map(|name| name.split_once('.')?.0.parse().ok())
            }
            Value::Input(_) | Value::Generated(_) | Value::Literal(_) => None,
        }
    }
}

/// The attribute of which a condition says that it equals one that an earlier request read.
pub fn as_it_was_read(condition: &Condition<Value>) -> Option<&str> {
    match condition {
        Condition::Compare(Operand::Path(path), Comparator::Equal, Operand::Value(Value::Read { .. })) => {
            Some(path)
        }
        _ => None,
    }
}

/// GetItem.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Get {
    /// The table.
    pub table: String,
    /// The item type that lies there.
    pub item: String,
    /// The whole primary key.
    pub key: Vec<(String, Value)>,
    /// A strong read.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub consistent: bool,
    /// The attributes to return; empty for all.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub projection: Vec<String>,
    /// Whether the operation goes on where nothing is found; otherwise it ends there, with nothing.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub may_be_absent: bool,
}

/// Query.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Query {
    /// The table.
    pub table: String,
    /// The index; none for the table itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub index: Option<String>,
    /// The item types that the key condition can match.
    pub items: Vec<String>,
    /// The key condition.
    pub key: KeyCondition<Value>,
    /// What is dropped after reading.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub filter: Option<Condition<Value>>,
    /// The attributes to return; empty for all that the index has.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub projection: Vec<String>,
    /// In ascending key order.
    pub forward: bool,
    /// How many items to return, and whether to go on until there are no more.
    pub limit: Limit,
    /// A strong read.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub consistent: bool,
    /// Only the number of items is wanted.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub count: bool,
    /// The same Query once per combination of what these stand for, in parallel, its answers merged in the promised
    /// order; the last changes fastest.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub scatter: Vec<Scatter>,
}

impl Query {
    /// Every combination of what the scattered placeholders stand for, as placeholder and text; one of nothing where
    /// the Query is sent once.
    pub fn combinations(&self) -> Vec<Vec<(String, String)>> {
        let mut all = vec![Vec::new()];
        for scatter in &self.scatter {
            let (placeholder, texts) = (scatter.placeholder(), scatter.texts());
            all = all
                .iter()
                .flat_map(|so_far: &Vec<(String, String)>| {
                    texts.iter().map(move |text| {
                        let mut next = so_far.clone();
                        next.push((placeholder.to_owned(), text.clone()));
                        next
                    })
                })
                .collect();
        }
        all
    }

    /// Whether one combination is read after the other, until the page is full.
    pub fn one_after_another(&self) -> bool {
        self.scatter.iter().any(|it| matches!(it, Scatter::Shards { one_after_another: true, .. }))
    }

    /// The number of shards that it asks, one where there are none.
    pub fn shards(&self) -> u32 {
        let shards = self.scatter.iter().find_map(|it| match it {
            Scatter::Shards { count, .. } => Some(*count),
            Scatter::Values { .. } => None,
        });
        shards.unwrap_or(1)
    }
}

/// How many items a Query returns.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum Limit {
    /// All, page after page.
    All,
    /// The first of them. Where one is wanted and none is found, the operation ends there, with nothing.
    First(u64),
    /// A page: as many as the caller asks for, else so many; with a cursor for the next.
    Page {
        /// The page size where the caller gives none.
        default: u64,
    },
}

/// A Query repeated over the values of one placeholder.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum Scatter {
    /// Over the shards 0 … count-1, each written with the fixed width that `shardN` writes; the key condition's
    /// templates name the placeholder `<shard>`.
    Shards {
        /// How many.
        count: u32,
        /// Read one shard after the other until the page is full, because no order is promised.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        one_after_another: bool,
    },
    /// Over the values of an enumeration; the key condition's templates name the placeholder.
    Values {
        /// The placeholder.
        placeholder: String,
        /// Its values.
        values: Vec<Literal>,
    },
}

impl Scatter {
    /// The placeholder that the key condition's templates name.
    pub fn placeholder(&self) -> &str {
        match self {
            Scatter::Shards { .. } => "shard",
            Scatter::Values { placeholder, .. } => placeholder,
        }
    }

    /// What it stands for, as it stands in a key.
    pub fn texts(&self) -> Vec<String> {
        match self {
            Scatter::Shards { count, .. } => {
                let width = count.saturating_sub(1).to_string().len();
                (0..*count).map(|shard| format!("{shard:0width$}")).collect()
            }
            Scatter::Values { values, .. } => values.iter().map(ToString::to_string).collect(),
        }
    }
}

/// BatchGetItem.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct BatchGet {
    /// The table.
    pub table: String,
    /// The item types that lie there.
    pub items: Vec<String>,
    /// Which items.
    pub keys: Keys,
    /// A strong read.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub consistent: bool,
    /// The attributes to return; empty for all.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub projection: Vec<String>,
}

/// Which items a BatchGetItem fetches.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum Keys {
    /// Those whose index entries an earlier request read, in the order of the entries.
    OfRequest(u32),
    /// One per element of the list inputs that the values name; or, where they name an earlier request, one per item
    /// that it read, from that item's attributes (`COURSE#<1.courseId>`).
    Each(Vec<(String, Value)>),
}

impl Keys {
    /// The earlier request whose items say which keys there are; none where list inputs do.
    pub fn request(&self) -> Option<u32> {
        match self {
            Keys::OfRequest(request) => Some(*request),
            Keys::Each(key) => key.iter().find_map(|(_, value)| value.request()),
        }
    }
}

/// Scan.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Scan {
    /// The table.
    pub table: String,
    /// The index; none for the table itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub index: Option<String>,
    /// The item types that are wanted.
    pub items: Vec<String>,
    /// What is dropped after reading.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub filter: Option<Condition<Value>>,
    /// How many items to return.
    pub limit: Limit,
    /// Only the number of items is wanted.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub count: bool,
}

/// What a write does to one item, or to each of several.
///
/// In its condition, an equality with an attribute that an earlier request read says that the attribute is absent where it
/// was. Any other part of a condition falls away where a value of it is absent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "action", rename_all_fields = "camelCase")]
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
    /// The item type that it is about.
    pub fn item(&self) -> &str {
        match self {
            Action::Put(put) => &put.item,
            Action::Update(update) => &update.item,
            Action::Delete(delete) | Action::Check(delete) => &delete.item,
        }
    }

    /// The request for each of whose items it is done.
    pub fn each(&self) -> Option<u32> {
        match self {
            Action::Put(put) => put.each,
            Action::Update(update) => update.each,
            Action::Delete(delete) | Action::Check(delete) => delete.each,
        }
    }

    /// The values without which it is left out.
    pub fn when(&self) -> &[Value] {
        match self {
            Action::Put(put) => &put.when,
            Action::Update(_) => &[],
            Action::Delete(delete) | Action::Check(delete) => &delete.when,
        }
    }
}

/// Put an item: its key attributes follow from the item type's templates.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Put {
    /// The table.
    pub table: String,
    /// The item type.
    pub item: String,
    /// The attributes. One whose value is an absent optional input is left out.
    pub values: Vec<(String, Value)>,
    /// Start from the whole item that this request read (a moved key), then apply the values.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub based_on: Option<u32>,
    /// What must hold.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub condition: Option<Condition<Value>>,
    /// The pattern's condition that fails when this one does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fails_as: Option<String>,
    /// One per item that this request read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub each: Option<u32>,
    /// It is left out where one of these is absent: what is not there needs no uniqueness item.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub when: Vec<Value>,
}

/// Update an item.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Update {
    /// The table.
    pub table: String,
    /// The item type.
    pub item: String,
    /// The whole primary key.
    pub key: Vec<(String, Value)>,
    /// What changes. An assignment whose value is an absent optional input is left out.
    pub update: expression::Update<Value>,
    /// Index key attributes that follow from what changes: set, or removed where the entry ends.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub entries: Vec<EntryUpdate>,
    /// What must hold.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub condition: Option<Condition<Value>>,
    /// The pattern's condition that fails when this one does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fails_as: Option<String>,
    /// One per item that this request read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub each: Option<u32>,
}

/// An index key attribute that an update sets, or removes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct EntryUpdate {
    /// The index key attribute.
    pub attribute: String,
    /// Its new value; none to remove it in any case.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<Value>,
    /// Set it only when this holds, and remove it otherwise.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub when: Option<Guard>,
}

/// A test that the caller makes before it sends the request.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Guard {
    /// This value …
    pub value: Value,
    /// … equals this one, or is merely there if none is given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub equals: Option<Literal>,
}

/// Delete an item, or check it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Delete {
    /// The table.
    pub table: String,
    /// The item type.
    pub item: String,
    /// The whole primary key.
    pub key: Vec<(String, Value)>,
    /// What must hold; always there in a check.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub condition: Option<Condition<Value>>,
    /// The pattern's condition that fails when this one does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fails_as: Option<String>,
    /// One per item that this request read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub each: Option<u32>,
    /// It is left out where one of these is absent.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub when: Vec<Value>,
}

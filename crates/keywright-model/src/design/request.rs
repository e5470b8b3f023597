//! Requests that an operation sends, with typed expressions over templates and inputs.

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
    /// BatchGetItem, in as many calls as the limits require.
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
        /// The actions, no two on one item. A Delete and a Put that turn out to have the same key (a unique
        /// value that is replaced by itself) are sent as that Put, with the Delete's condition. Repeated
        /// Updates of one key are sent as one Update that adds the sum.
        ///
        /// Where all actions are repeated over the items of one request, they are sent in as many
        /// transactions as the limits require. The actions for one item stay in one transaction.
        actions: Vec<Action>,
    },
    /// BatchWriteItem, in as many calls as the limits require: puts and deletes without conditions.
    BatchWriteItem {
        /// The actions.
        actions: Vec<Action>,
    },
}

impl Request {
    /// The actions of a write; empty for a read.
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
    /// The input with this name.
    Input(String),
    /// The generated value with this name.
    Generated(String),
    /// An attribute of the item that an earlier request read; in an action with `each`, of the current item.
    Read {
        /// The request, counted from 1.
        request: u32,
        /// The attribute.
        attribute: String,
    },
    /// A fixed value.
    Literal(Literal),
    /// A string built by a template whose placeholders name values in scope: `ORDER#<orderId>`,
    /// `ORDER#<from:iso>`, `USER#<1.username>`; sums of two values, `SCORE#<1.score + points:int8>`; and a
    /// fallback for an input that the caller left out, `NAME#<newName else 1.name>`.
    Template(String),
    /// A number and a step added to it.
    Sum {
        /// The number.
        of: Box<Value>,
        /// The step.
        plus: i64,
    },
}

/// The two operands of a sum in a placeholder, and whether the second is subtracted: `1.score + points`,
/// `1.stock - 1`.
pub fn sum_in(place: &str) -> Option<(&str, &str, bool)> {
    let of = |sign: &str, minus: bool| place.split_once(sign).map(|(left, right)| (left, right, minus));
    of(" + ", false).or_else(|| of(" - ", true))
}

/// A placeholder's value and its fallback, for a placeholder such as `newName else 1.name`.
pub fn else_in(place: &str) -> Option<(&str, &str)> {
    place.split_once(" else ")
}

impl Value {
    /// The earlier request that this value depends on; the first one, where a template names several.
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

/// The attribute, if the condition requires that it still equals the value that an earlier request read.
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
    /// The type of the item.
    pub item: String,
    /// The whole primary key.
    pub key: Vec<(String, Value)>,
    /// Whether the read is strongly consistent.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub consistent: bool,
    /// The attributes to return; empty for all.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub projection: Vec<String>,
    /// Whether the operation goes on if there is no such item; otherwise it ends there.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub may_be_absent: bool,
}

/// Query.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Query {
    /// The table.
    pub table: String,
    /// The index; absent for the table itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub index: Option<String>,
    /// The item types that the key condition can match.
    pub items: Vec<String>,
    /// The key condition.
    pub key: KeyCondition<Value>,
    /// The filter: items that don't pass it are read and dropped.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub filter: Option<Condition<Value>>,
    /// The attributes to return; empty for all that the index projects.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub projection: Vec<String>,
    /// Whether to read in ascending key order.
    pub forward: bool,
    /// How many items to return, and whether to read further pages.
    pub limit: Limit,
    /// Whether the read is strongly consistent.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub consistent: bool,
    /// Whether only the number of items is returned.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub count: bool,
    /// Repeats the Query for every combination of values of these placeholders, in parallel, and merges the
    /// results in the promised order. The last placeholder changes fastest.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub scatter: Vec<Scatter>,
}

impl Query {
    /// Every combination of values of the scattered placeholders, as pairs of placeholder and text. One empty
    /// combination if the Query is sent once.
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

    /// Whether the combinations are read one after the other until the page is full, instead of in parallel.
    pub fn one_after_another(&self) -> bool {
        self.scatter.iter().any(|it| matches!(it, Scatter::Shards { one_after_another: true, .. }))
    }

    /// The number of shards that it reads; 1 if there are none.
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
    /// All items, page after page.
    All,
    /// The first items. With `First(1)`, the operation ends there if no item is found.
    First(u64),
    /// A page with a cursor for the next one. The caller may give the page size.
    Page {
        /// The page size if the caller gives none.
        default: u64,
    },
}

/// How a Query is repeated over the values of one placeholder.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum Scatter {
    /// Over the shards 0 … count-1, each written with the fixed width of `shardN`. The templates of the key
    /// condition use the placeholder `<shard>`.
    Shards {
        /// The number of shards.
        count: u32,
        /// Whether to read one shard after the other until the page is full, because no order is promised.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        one_after_another: bool,
    },
    /// Over the values of an enumeration. The templates of the key condition use this placeholder.
    Values {
        /// The placeholder.
        placeholder: String,
        /// Its values.
        values: Vec<Literal>,
    },
}

impl Scatter {
    /// The placeholder that the templates of the key condition use.
    pub fn placeholder(&self) -> &str {
        match self {
            Scatter::Shards { .. } => "shard",
            Scatter::Values { placeholder, .. } => placeholder,
        }
    }

    /// The values of the placeholder, as keys hold them.
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
    /// The types of the items.
    pub items: Vec<String>,
    /// The keys of the items.
    pub keys: Keys,
    /// Whether the read is strongly consistent.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub consistent: bool,
    /// The attributes to return; empty for all.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub projection: Vec<String>,
}

/// The keys of a BatchGetItem.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum Keys {
    /// The primary keys of the index entries that an earlier request read, in that order.
    OfRequest(u32),
    /// One key per element of the list inputs that the values name. If the values name an earlier request,
    /// one key per item that it read, built from that item's attributes (`COURSE#<1.courseId>`).
    Each(Vec<(String, Value)>),
}

impl Keys {
    /// The earlier request whose items determine the keys; absent if list inputs do.
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
    /// The index; absent for the table itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub index: Option<String>,
    /// The item types to return.
    pub items: Vec<String>,
    /// The filter: items that don't pass it are read and dropped.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub filter: Option<Condition<Value>>,
    /// How many items to return.
    pub limit: Limit,
    /// Whether only the number of items is returned.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub count: bool,
}

/// What a write does to one item, or to each of several items.
///
/// If a condition compares an attribute with a value that an earlier request read, and that value was absent,
/// the attribute must still be absent. Any other part of a condition is left out if one of its values is
/// absent.
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
    /// The item type that it writes or checks.
    pub fn item(&self) -> &str {
        match self {
            Action::Put(put) => &put.item,
            Action::Update(update) => &update.item,
            Action::Delete(delete) | Action::Check(delete) => &delete.item,
        }
    }

    /// The request whose items it is repeated for.
    pub fn each(&self) -> Option<u32> {
        match self {
            Action::Put(put) => put.each,
            Action::Update(update) => update.each,
            Action::Delete(delete) | Action::Check(delete) => delete.each,
        }
    }

    /// The values that must be present; otherwise the action is left out.
    pub fn when(&self) -> &[Value] {
        match self {
            Action::Put(put) => &put.when,
            Action::Update(_) => &[],
            Action::Delete(delete) | Action::Check(delete) => &delete.when,
        }
    }
}

/// Puts an item. Its key attributes follow from the item type's templates.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Put {
    /// The table.
    pub table: String,
    /// The item type.
    pub item: String,
    /// The attributes. An attribute whose value is an optional input that is absent is left out.
    pub values: Vec<(String, Value)>,
    /// Start from the whole item that this request read, then apply the values. Used when a key changes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub based_on: Option<u32>,
    /// The condition.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub condition: Option<Condition<Value>>,
    /// The condition of the pattern to report when this one fails.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fails_as: Option<String>,
    /// Repeats the action for every item that this request read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub each: Option<u32>,
    /// Leaves the action out if one of these values is absent: an absent value needs no uniqueness item.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub when: Vec<Value>,
}

/// Updates an item.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Update {
    /// The table.
    pub table: String,
    /// The item type.
    pub item: String,
    /// The whole primary key.
    pub key: Vec<(String, Value)>,
    /// The changes. An assignment whose value is an optional input that is absent is left out.
    pub update: expression::Update<Value>,
    /// Index key attributes that change with it: set, or removed where the item leaves the index.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub entries: Vec<EntryUpdate>,
    /// The condition.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub condition: Option<Condition<Value>>,
    /// The condition of the pattern to report when this one fails.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fails_as: Option<String>,
    /// Repeats the action for every item that this request read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub each: Option<u32>,
}

/// An index key attribute that an update sets or removes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct EntryUpdate {
    /// The index key attribute.
    pub attribute: String,
    /// Its new value; absent to remove it always.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<Value>,
    /// Set the attribute only if this holds; otherwise remove it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub when: Option<Guard>,
}

/// A test on values that is made before the request is sent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Guard {
    /// The value to test.
    pub value: Value,
    /// The value that it must equal; if absent, the tested value only has to be present.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub equals: Option<Literal>,
}

/// Deletes an item, or only checks its condition.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Delete {
    /// The table.
    pub table: String,
    /// The item type.
    pub item: String,
    /// The whole primary key.
    pub key: Vec<(String, Value)>,
    /// The condition; always present in a check.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub condition: Option<Condition<Value>>,
    /// The condition of the pattern to report when this one fails.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fails_as: Option<String>,
    /// Repeats the action for every item that this request read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub each: Option<u32>,
    /// Leaves the action out if one of these values is absent.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub when: Vec<Value>,
}

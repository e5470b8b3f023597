//! Access patterns: reads, writes and deletes with their inputs, results, effects and conditions.

use std::fmt;

use keywright_finding::Span;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::model::AttributeRef;
use crate::{At, Frequency, Rate};

/// One access pattern, `AP-nnn`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Pattern {
    /// The id, as written; it never changes. Empty where the document gives none.
    pub id: String,
    /// The span of the id, or the place where it is missing.
    pub span: Span,
    /// The entities that it reads or writes.
    pub entities: Vec<At<String>>,
    /// The author's description.
    pub description: At<String>,
    /// The inputs; absent where the document does not list them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub inputs: Option<At<Vec<Input>>>,
    /// The frequency class, where one is stated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub frequency: Option<At<Frequency>>,
    /// The mean rate, stated as a number.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rate: Option<At<Rate>>,
    /// The peak rate, where it differs from the mean.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub peak: Option<At<Rate>>,
    /// The author's notes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub notes: Option<At<String>>,
    /// The part that only a read, a write or a delete has.
    #[serde(flatten)]
    pub kind: PatternKind,
}

impl Pattern {
    /// The inputs; empty where none are stated.
    pub fn inputs(&self) -> &[Input] {
        self.inputs.as_ref().map_or(&[], |inputs| inputs.value.as_slice())
    }

    /// The mean rate to calculate with: the stated number, else the default of the frequency class, else that
    /// of `Warm`.
    pub fn mean_rate(&self) -> Rate {
        match (&self.rate, &self.frequency) {
            (Some(rate), _) => rate.value,
            (None, Some(frequency)) => frequency.value.default_rate(),
            (None, None) => Frequency::Warm.default_rate(),
        }
    }

    /// The peak rate: the mean rate unless stated.
    pub fn peak_rate(&self) -> Rate {
        self.peak.as_ref().map_or_else(|| self.mean_rate(), |peak| peak.value)
    }

    /// The read, if the pattern is one.
    pub fn read(&self) -> Option<&Read> {
        match &self.kind {
            PatternKind::Read(read) => Some(read),
            PatternKind::Write(_) | PatternKind::Delete(_) => None,
        }
    }

    /// The write or delete, if the pattern is one.
    pub fn write(&self) -> Option<&Write> {
        match &self.kind {
            PatternKind::Read(_) => None,
            PatternKind::Write(write) | PatternKind::Delete(write) => Some(write),
        }
    }

    /// Whether the input is the expected value of the attribute before the write, not its new value: another
    /// input gives the new value, or a condition requires that the attribute equals the input. Never true for
    /// an item that the write creates or puts, since it has no earlier value.
    pub fn expects(&self, input: &Input, attribute: &AttributeRef) -> bool {
        let Some(write) = self.write().filter(|_| input.role == Role::Equal) else { return false };
        let comes = |effect: &Effect| {
            effect.entity == attribute.entity && matches!(effect.action, Action::Create | Action::Put)
        };
        let replaces = |other: &Input| {
            matches!(other.role, Role::NewValue | Role::Increment) && other.binds.contains(attribute)
        };
        let holds = |condition: &Condition| match &condition.kind {
            ConditionKind::Compare {
                attribute: compared,
                comparator: keywright_dynamodb::expression::Comparator::Equal,
                value: ConditionValue::Input(name),
            } => compared == attribute && *name == input.name,
            _ => false,
        };
        !write.effects.iter().any(comes)
            && (self.inputs().iter().any(replaces) || write.conditions.iter().any(holds))
    }
}

/// A read, a write or a delete.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "camelCase")]
pub enum PatternKind {
    /// It reads.
    Read(Read),
    /// It creates or changes items.
    Write(Write),
    /// It deletes items.
    Delete(Write),
}

/// The details of a read.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Read {
    /// One item, many items, or their number; absent where the document does not say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub result: Option<At<ResultKind>>,
    /// The order of the result.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sort: Vec<Sort>,
    /// Whether the result comes in pages.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub paginated: Option<At<bool>>,
    /// Items per page ("top 100" is a page of 100).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub page_size: Option<At<u64>>,
    /// The required consistency.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub consistency: Option<At<Consistency>>,
    /// Whether one answer holds items of several entities.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub multi_entity: Option<At<bool>>,
    /// The attributes to return, if not all declared ones.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub returns: Option<At<Vec<AttributeRef>>>,
    /// The mean size of an item in bytes, where stated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub item_bytes: Option<At<u64>>,
    /// Whether the pattern asks for a Scan.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub scan: bool,
}

/// The details of a write or a delete.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Write {
    /// The changes, each to items of one entity.
    pub effects: Vec<Effect>,
    /// Whether the write is all or nothing; absent where the document does not say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub transaction: Option<At<Transaction>>,
    /// The conditions under which the write takes place.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub conditions: Vec<Condition>,
    /// The mean size of an item in bytes, where stated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub item_bytes: Option<At<u64>>,
}

/// A value that the caller gives, or a constant that the pattern fixes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Input {
    /// The parameter's name, as written.
    pub name: String,
    /// The span of the name.
    pub span: Span,
    /// How the pattern uses the value.
    pub role: Role,
    /// The attributes that it gives a value for: one per entity of the pattern that has the attribute. Empty
    /// for paging and for unknown names.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub binds: Vec<AttributeRef>,
    /// The value, where the pattern fixes it (`status = OPEN`). The caller does not give it then.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub constant: Option<Literal>,
    /// Whether the caller may leave it out.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub optional: bool,
    /// Whether the caller gives several values (`ids`).
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub list: bool,
    /// Whether it stands in the column Filters.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub filter: bool,
    /// Whether the role was inferred from the name.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub assumed: bool,
}

/// How a pattern uses an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum Role {
    /// The attribute equals it. In a create it is the attribute's value.
    Equal,
    /// The attribute is at or above it.
    Lower(Bound),
    /// The attribute is at or below it.
    Upper(Bound),
    /// The attribute begins with it.
    Prefix,
    /// The attribute, an instant or a date, lies in this period: a whole year, month, day or hour
    /// (`2024-01`).
    Within(Period),
    /// It is the attribute's new value.
    NewValue,
    /// It is added to the attribute.
    Increment,
    /// An amount that no attribute holds: an effect adds it to or subtracts it from an attribute, or a
    /// condition compares an attribute with it.
    Amount,
    /// The number of items to return.
    Limit,
    /// The start of the page.
    Cursor,
    /// The reader could not determine the role.
    Unknown,
}

/// A year, month, day or hour of the calendar, in UTC.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum Period {
    /// `2024`
    Year,
    /// `2024-01`
    Month,
    /// `2024-01-15`
    Day,
    /// `2024-01-15T10`
    Hour,
}

impl Period {
    /// All periods, the longest first.
    pub const ALL: [Period; 4] = [Period::Year, Period::Month, Period::Day, Period::Hour];

    /// Its name: `month`.
    pub const fn name(self) -> &'static str {
        match self {
            Period::Year => "year",
            Period::Month => "month",
            Period::Day => "day",
            Period::Hour => "hour",
        }
    }

    /// The key encoding that keeps this much of an instant.
    pub const fn encoding(self) -> &'static str {
        match self {
            Period::Year => "y",
            Period::Month => "ym",
            Period::Day => "ymd",
            Period::Hour => "ymdh",
        }
    }

    /// How many leading characters of an ISO 8601 instant give the period.
    pub const fn width(self) -> usize {
        match self {
            Period::Year => "2024".len(),
            Period::Month => "2024-01".len(),
            Period::Day => "2024-01-15".len(),
            Period::Hour => "2024-01-15T10".len(),
        }
    }
}

/// Whether the bound itself belongs to the range.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum Bound {
    /// It does.
    Inclusive,
    /// It does not.
    Exclusive,
}

/// One attribute of an order.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Sort {
    /// The attribute and its entity.
    pub attribute: AttributeRef,
    /// The direction.
    pub direction: Direction,
    /// The words that state it.
    pub span: Span,
}

/// The direction of an order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum Direction {
    /// Smallest first.
    Ascending,
    /// Largest first.
    Descending,
}

impl Direction {
    /// The other one.
    #[must_use]
    pub const fn reversed(self) -> Self {
        match self {
            Direction::Ascending => Direction::Descending,
            Direction::Descending => Direction::Ascending,
        }
    }
}

/// The shape of a read's result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum ResultKind {
    /// One item, or none.
    Single,
    /// Items.
    Collection,
    /// The number of items.
    Count,
}

/// The consistency of a read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum Consistency {
    /// May miss recent writes.
    Eventual,
    /// Sees every earlier write.
    Strong,
}

/// Whether a write is all or nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum Transaction {
    /// All or nothing.
    Yes,
    /// Item by item.
    No,
    /// In transactions of as many items as fit.
    Batch,
}

/// What a write does to items of one entity.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Effect {
    /// The entity.
    pub entity: String,
    /// The words that state it.
    pub span: Span,
    /// The kind of change.
    pub action: Action,
    /// The input that identifies the item, where several inputs refer to the entity (`Account toAccountId
    /// (balance +amount)`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub named_by: Option<String>,
    /// The attributes that are set or removed, if not those of all inputs (`(SET averageRating)`).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub attributes: Vec<String>,
    /// Those of `attributes` that are removed from the item (`(REMOVE openSince)`).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub removes: Vec<String>,
    /// Whether it changes all items that the inputs select ("all Songs").
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub all: bool,
    /// Whether the reader inferred it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub assumed: bool,
}

/// The kind of change to an item.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum Action {
    /// It is created.
    Create,
    /// It is written, whether or not it exists.
    Put,
    /// Attributes change.
    Update,
    /// A number is increased or decreased.
    Add {
        /// The attribute.
        attribute: String,
        /// The amount.
        by: Step,
    },
    /// It is deleted.
    Delete,
}

/// The amount by which a number changes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum Step {
    /// A fixed amount; a negative one decreases the number (`orderCount +1`).
    Fixed(i64),
    /// The input with this name (`stock +quantity`).
    Input(String),
    /// The input with this name, subtracted (`stock -quantity`).
    MinusInput(String),
}

/// A condition under which a write takes place.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Condition {
    /// The author's words.
    pub text: String,
    /// The span of these words.
    pub span: Span,
    /// Their meaning.
    pub kind: ConditionKind,
}

/// The meaning of a condition.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum ConditionKind {
    /// The item exists.
    Exists {
        /// The entity of the item.
        entity: String,
    },
    /// The item does not exist.
    NotExists {
        /// The entity of the item.
        entity: String,
    },
    /// No other item has these values.
    Unique {
        /// The entity of the items.
        entity: String,
        /// The attributes, unique in combination.
        attributes: Vec<String>,
    },
    /// An attribute compares with a value.
    Compare {
        /// The attribute.
        attribute: AttributeRef,
        /// The comparator.
        comparator: keywright_dynamodb::expression::Comparator,
        /// The value to compare with.
        value: ConditionValue,
    },
    /// An attribute is one of a few values.
    OneOf {
        /// The attribute.
        attribute: AttributeRef,
        /// The values.
        values: Vec<Literal>,
    },
    /// An attribute is present, or is absent.
    Held {
        /// The attribute.
        attribute: AttributeRef,
        /// Whether it must be present.
        held: bool,
    },
    /// There are at most `limit` items of one entity per item of another.
    AtMost {
        /// The entity whose items are counted.
        entity: String,
        /// The entity per item of which they are counted; absent for the whole table.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        per: Option<String>,
        /// The limit.
        limit: u64,
    },
    /// Words that no operation can enforce as written.
    Words,
}

/// The value that a condition compares with.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum ConditionValue {
    /// A fixed value.
    Literal(Literal),
    /// The input with this name.
    Input(String),
    /// Another attribute of the same item.
    Attribute(String),
}

/// A fixed value in a document.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum Literal {
    /// A text.
    String(String),
    /// A number, as written in decimal digits.
    Number(String),
    /// True or false.
    Boolean(bool),
}

impl fmt::Display for Literal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Literal::String(text) | Literal::Number(text) => f.write_str(text),
            Literal::Boolean(flag) => write!(f, "{flag}"),
        }
    }
}

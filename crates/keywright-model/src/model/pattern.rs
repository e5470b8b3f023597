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
    /// The id, as written; stable for ever. Empty where the document gives none.
    pub id: String,
    /// Where the id stands, or should.
    pub span: Span,
    /// The entities that it is about.
    pub entities: Vec<At<String>>,
    /// The author's words.
    pub description: At<String>,
    /// What the caller gives; none where the document does not say.
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
    /// What is particular to a read, a write or a delete.
    #[serde(flatten)]
    pub kind: PatternKind,
}

impl Pattern {
    /// The inputs, none where none are stated.
    pub fn inputs(&self) -> &[Input] {
        self.inputs.as_ref().map_or(&[], |inputs| inputs.value.as_slice())
    }

    /// The rate to reckon with: the stated number, else the class's default, else that of `Warm`.
    pub fn mean_rate(&self) -> Rate {
        match (&self.rate, &self.frequency) {
            (Some(rate), _) => rate.value,
            (None, Some(frequency)) => frequency.value.default_rate(),
            (None, None) => Frequency::Warm.default_rate(),
        }
    }

    /// The rate at its peak: the mean unless stated.
    pub fn peak_rate(&self) -> Rate {
        self.peak.as_ref().map_or_else(|| self.mean_rate(), |peak| peak.value)
    }

    /// The read, if it is one.
    pub fn read(&self) -> Option<&Read> {
        match &self.kind {
            PatternKind::Read(read) => Some(read),
            PatternKind::Write(_) | PatternKind::Delete(_) => None,
        }
    }

    /// What it writes or deletes, if it does.
    pub fn write(&self) -> Option<&Write> {
        match &self.kind {
            PatternKind::Read(_) => None,
            PatternKind::Write(write) | PatternKind::Delete(write) => Some(write),
        }
    }

    /// Whether an input says what an attribute is before the write, and never what it becomes: another input gives its
    /// new value, or a condition holds the attribute to this one. A new item was nothing before.
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

/// What a read asks for.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Read {
    /// One item, many, or their number; none where the document does not say.
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
    /// Eventual or strong.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub consistency: Option<At<Consistency>>,
    /// Whether several kinds of items come in one answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub multi_entity: Option<At<bool>>,
    /// What is returned, where that is less than all declared attributes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub returns: Option<At<Vec<AttributeRef>>>,
    /// The mean size of an item in bytes, where stated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub item_bytes: Option<At<u64>>,
    /// The pattern asks for a Scan.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub scan: bool,
}

/// What a write or a delete does.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Write {
    /// What happens to which entity.
    pub effects: Vec<Effect>,
    /// Whether it is all or nothing; none where the document does not say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub transaction: Option<At<Transaction>>,
    /// What must hold for it to happen.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub conditions: Vec<Condition>,
}

/// One value that the caller gives, or a constant that the pattern fixes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Input {
    /// The parameter's name, as written.
    pub name: String,
    /// Where it stands.
    pub span: Span,
    /// What it is for.
    pub role: Role,
    /// The attributes that it speaks of: one per entity of the pattern that has it; none for paging or unknown names.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub binds: Vec<AttributeRef>,
    /// The value, where the pattern fixes it (`status = OPEN`): then the caller does not give it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub constant: Option<Literal>,
    /// The caller may leave it out.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub optional: bool,
    /// The caller gives several values (`ids`).
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub list: bool,
    /// It came from the column Filters.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub filter: bool,
    /// Whether the role was inferred from the name.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub assumed: bool,
}

/// What an input is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum Role {
    /// The attribute equals it; in a create it is the attribute's value.
    Equal,
    /// The attribute is at or above it.
    Lower(Bound),
    /// The attribute is at or below it.
    Upper(Bound),
    /// The attribute begins with it.
    Prefix,
    /// The attribute, an instant or a date, lies in it: a whole year, month, day or hour (`2024-01`).
    Within(Period),
    /// The attribute becomes it.
    NewValue,
    /// The attribute grows by it.
    Increment,
    /// How far the attribute moves, as an effect says, or what a condition compares it with: no attribute holds it.
    Amount,
    /// How many items to return.
    Limit,
    /// Where the page begins.
    Cursor,
    /// The reader could not tell.
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
    /// All of them, the longest first.
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

    /// The encoding that keeps so much of an instant in a key.
    pub const fn encoding(self) -> &'static str {
        match self {
            Period::Year => "y",
            Period::Month => "ym",
            Period::Day => "ymd",
            Period::Hour => "ymdh",
        }
    }

    /// How many characters of an instant in ISO 8601 tell it.
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
    /// The attribute, and whose it is.
    pub attribute: AttributeRef,
    /// Up or down.
    pub direction: Direction,
    /// Where the document says so.
    pub span: Span,
}

/// Up or down.
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

/// What a read gives back.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum ResultKind {
    /// One item, or none.
    Single,
    /// Items.
    Collection,
    /// How many there are.
    Count,
}

/// Eventual or strong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum Consistency {
    /// May lag.
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
    /// Where the document says so.
    pub span: Span,
    /// What happens.
    pub action: Action,
    /// The input that names its item, where several point to the entity (`Account toAccountId (balance +amount)`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub named_by: Option<String>,
    /// The attributes that get new values or go, where that is not all inputs (`(SET averageRating)`).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub attributes: Vec<String>,
    /// Those of them that go: the item has no such attribute any more (`(REMOVE openSince)`).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub removes: Vec<String>,
    /// It touches all items that the inputs select ("all Songs").
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub all: bool,
    /// Whether the reader inferred it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub assumed: bool,
}

/// What happens to an item.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum Action {
    /// It comes to be.
    Create,
    /// It is written whether or not it was there.
    Put,
    /// Attributes change.
    Update,
    /// A number grows or shrinks.
    Add {
        /// The attribute.
        attribute: String,
        /// By how much.
        by: Step,
    },
    /// It goes.
    Delete,
}

/// By how much a number grows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum Step {
    /// By a fixed number; a negative one makes it shrink (`orderCount +1`).
    Fixed(i64),
    /// By what the caller gives under this name (`stock +quantity`).
    Input(String),
    /// It shrinks by what the caller gives under this name (`stock -quantity`).
    MinusInput(String),
}

/// What must hold for a write to happen.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Condition {
    /// The author's words.
    pub text: String,
    /// Where they stand.
    pub span: Span,
    /// What they mean.
    pub kind: ConditionKind,
}

/// What a condition means.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum ConditionKind {
    /// The item is there.
    Exists {
        /// Which entity's.
        entity: String,
    },
    /// The item is not there.
    NotExists {
        /// Which entity's.
        entity: String,
    },
    /// No other item has these values.
    Unique {
        /// Of which entity.
        entity: String,
        /// Unique together.
        attributes: Vec<String>,
    },
    /// An attribute compares with a value.
    Compare {
        /// The attribute.
        attribute: AttributeRef,
        /// How.
        comparator: keywright_dynamodb::expression::Comparator,
        /// With what.
        value: ConditionValue,
    },
    /// An attribute is one of a few values.
    OneOf {
        /// The attribute.
        attribute: AttributeRef,
        /// The values.
        values: Vec<Literal>,
    },
    /// An attribute has a value, or has none.
    Held {
        /// The attribute.
        attribute: AttributeRef,
        /// Whether it has one.
        held: bool,
    },
    /// At most so many items of one entity per item of another.
    AtMost {
        /// What is counted.
        entity: String,
        /// Per what; none for the whole table.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        per: Option<String>,
        /// The limit.
        limit: u64,
    },
    /// Words that no operation can enforce as they stand.
    Words,
}

/// What a condition compares with.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum ConditionValue {
    /// A fixed value.
    Literal(Literal),
    /// What the caller gives under this name.
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

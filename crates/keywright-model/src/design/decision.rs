//! Decisions: the choice, the alternatives, their extra cost, and the reasons.

use keywright_dynamodb::Money;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A choice that the design made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Decision {
    /// The part of the design that the decision is about.
    pub subject: Subject,
    /// The choice, as a short sentence.
    pub chosen: String,
    /// The reason for the choice.
    pub reason: String,
    /// The alternatives that lost.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub alternatives: Vec<Alternative>,
    /// The condition under which the choice would change ("GSI2 pays off above 38 reads/s").
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub turning_point: Option<String>,
}

/// The part of the design that a decision is about.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum Subject {
    /// A pattern, by id.
    Pattern(String),
    /// An item type, by name.
    Item(String),
    /// An index, by name.
    Index(String),
    /// The design as a whole.
    Design,
}

/// A choice that lost.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Alternative {
    /// The alternative, as a short sentence.
    pub choice: String,
    /// The extra cost of the whole design per month; absent where the alternative is impossible.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub extra: Option<Money>,
    /// Why it lost.
    pub reason: String,
}

/// The price of a design per month.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Total {
    /// The AWS bill.
    pub bill: Money,
    /// The operational prices, which AWS does not bill.
    pub operational: Money,
}

//! Decisions: what was chosen, what lost, by how much, and why.

use keywright_dynamodb::Money;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A choice that the design made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Decision {
    /// What it is about.
    pub subject: Subject,
    /// What was chosen, as a short sentence.
    pub chosen: String,
    /// Why.
    pub reason: String,
    /// What lost.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub alternatives: Vec<Alternative>,
    /// What it would take to change the choice ("GSI2 pays off above 38 reads/s").
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub turning_point: Option<String>,
}

/// What a decision is about.
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
    /// What it would have been.
    pub choice: String,
    /// How much more the whole would cost per month; none where it is not possible at all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub extra: Option<Money>,
    /// Why it lost.
    pub reason: String,
}

/// The price of a design per month.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Total {
    /// What AWS bills.
    pub bill: Money,
    /// The operational prices, shown apart.
    pub operational: Money,
}

//! What is explained on request: a rule, or why a pattern is served as it is.

use keywright_finding::{Group, Level};
use schemars::JsonSchema;
use serde::Serialize;

use crate::design::{Decision, Expected, OperationName};

/// An explanation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum Explanation {
    /// Why a pattern is served as it is.
    Pattern(PatternExplanation),
    /// What a rule finds, and why.
    Rule(RuleExplanation),
}

/// Why a pattern is served as it is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct PatternExplanation {
    /// The pattern's id.
    pub pattern: String,
    /// What it does, in the document's words.
    pub description: String,
    /// The operation that serves it, by name.
    pub operation: OperationName,
    /// The index that it reads; none for the table, and for writes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub index: Option<String>,
    /// What a call takes and a month costs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expected: Option<Expected>,
    /// What was decided on it, as in the design.
    pub decisions: Vec<Decision>,
}

/// What a rule finds, and why.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct RuleExplanation {
    /// The rule's name.
    pub name: String,
    /// How much its findings matter.
    pub level: Level,
    /// The group that it belongs to.
    pub group: Group,
    /// What it finds, in a few words.
    pub summary: String,
    /// Its page, in Markdown.
    pub page: String,
}

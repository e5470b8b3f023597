//! Explanations: of a rule, or of how a pattern is served.

use keywright_finding::{Group, Level};
use schemars::JsonSchema;
use serde::Serialize;

use crate::design::{Decision, Expected, OperationName};

/// An explanation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum Explanation {
    /// How a pattern is served, and why.
    Pattern(PatternExplanation),
    /// What a rule reports, and why.
    Rule(RuleExplanation),
}

/// How a pattern is served, and why.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct PatternExplanation {
    /// The pattern's id.
    pub pattern: String,
    /// The pattern's description, in the document's words.
    pub description: String,
    /// The name of the DynamoDB operation that serves it.
    pub operation: OperationName,
    /// The index that it reads; absent for the table and for writes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub index: Option<String>,
    /// The units of a call, and the cost of a month.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expected: Option<Expected>,
    /// The decisions about it, as in the design.
    pub decisions: Vec<Decision>,
}

/// What a rule reports, and why.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct RuleExplanation {
    /// The rule's name.
    pub name: String,
    /// The level of its findings.
    pub level: Level,
    /// The group that it belongs to.
    pub group: Group,
    /// What it reports, in a few words.
    pub summary: String,
    /// Its page, in Markdown.
    pub page: String,
}

//! Evidence: what a proof saw when it ran the patterns on an engine.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What a proof saw.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Evidence {
    /// The engine that it ran on, as it names itself.
    pub engine: String,
    /// The seed that repeats the run.
    pub seed: u64,
    /// The number of items asked for.
    pub scale: u64,
    /// One entry per pattern, in the order of the patterns.
    pub patterns: Vec<PatternEvidence>,
    /// How many patterns held.
    pub held: u32,
    /// How many failed.
    pub failed: u32,
    /// How many could not be checked.
    pub not_checked: u32,
}

/// What was seen of one pattern.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct PatternEvidence {
    /// The pattern's id.
    pub id: String,
    /// Whether it held.
    pub outcome: Outcome,
    /// Sets of inputs tried.
    pub inputs: u64,
    /// Items compared with what the oracle expects.
    pub items: u64,
    /// Requests sent.
    pub requests: u64,
    /// Capacity units consumed, in half units.
    pub half_units: u64,
    /// Units of one call as the design expects them, in millionths.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expected_micro_units: Option<u64>,
    /// Units of one call as the run saw them on average, in millionths.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub measured_micro_units: Option<u64>,
    /// The smallest failure that was found.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failure: Option<Failure>,
    /// Why it, or a part of it, was not checked.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub not_checked: Vec<String>,
}

/// Whether a pattern held.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum Outcome {
    /// Every check passed.
    Held,
    /// A check failed.
    Failed,
    /// The engine or the design lacks what it takes to check it.
    NotChecked,
}

/// A check that failed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Failure {
    /// What was checked.
    pub check: String,
    /// The inputs, as JSON text.
    pub inputs: String,
    /// The request that shows it, as JSON text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub request: Option<String>,
    /// What the oracle expects.
    pub expected: String,
    /// What came.
    pub actual: String,
    /// The records that have to exist for it to show, as few as were found; absent where nobody looked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub records: Option<Vec<String>>,
}

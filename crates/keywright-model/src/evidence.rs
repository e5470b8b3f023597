//! Evidence: the results of running the patterns on an engine.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The results of a proof.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Evidence {
    /// The engine, by the name that it reports.
    pub engine: String,
    /// The random seed; the same seed repeats the run.
    pub seed: u64,
    /// The number of items that was requested.
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

impl Evidence {
    /// What was left unchecked of patterns, held ones among them: each reason once, with the ids of its patterns.
    pub fn unchecked(&self) -> Vec<(&str, Vec<&str>)> {
        let mut by_reason: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for pattern in &self.patterns {
            for reason in &pattern.not_checked {
                by_reason.entry(reason).or_default().push(&pattern.id);
            }
        }
        by_reason.into_iter().collect()
    }
}

/// The results for one pattern.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct PatternEvidence {
    /// The pattern's id.
    pub id: String,
    /// Whether it held.
    pub outcome: Outcome,
    /// The number of input sets that were tried.
    pub inputs: u64,
    /// The number of items that were compared with the oracle.
    pub items: u64,
    /// The number of requests that were sent.
    pub requests: u64,
    /// The capacity that was consumed, in half units.
    pub half_units: u64,
    /// The units of one call that the design expects, in millionths.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expected_micro_units: Option<u64>,
    /// The mean units of one call in the run, in millionths.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub measured_micro_units: Option<u64>,
    /// The smallest failure that was found.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failure: Option<Failure>,
    /// The reasons why the pattern, or a part of it, was not checked.
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
    /// The engine or the design lacks something that the check needs.
    NotChecked,
}

/// A check that failed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Failure {
    /// The property that was checked.
    pub check: String,
    /// The inputs, as JSON text.
    pub inputs: String,
    /// The request that shows the failure, as JSON text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub request: Option<String>,
    /// The result that the oracle expects.
    pub expected: String,
    /// The actual result.
    pub actual: String,
    /// A smallest set of records that shows the failure, as far as the search got; absent where no search was
    /// made.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub records: Option<Vec<String>>,
}

//! What was seen of each pattern so far, and the smallest failure of it.

use keywright_model::evidence::{Failure, Outcome, PatternEvidence};
use keywright_model::model::Pattern;

/// What was seen of one pattern.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tally {
    pub(crate) inputs: u64,
    pub(crate) items: u64,
    /// Calls that found something, or changed something.
    pub(crate) telling: u64,
    /// The condition for which a write was refused last on the records that were nearest to what it wants.
    pub(crate) refused: Option<String>,
    pub(crate) requests: u64,
    pub(crate) half_units: u64,
    /// Calls with typical inputs, and the half units that they took.
    pub(crate) typical: (u64, u64),
    pub(crate) expected_micro_units: Option<u64>,
    pub(crate) failure: Option<Failure>,
    pub(crate) not_checked: Vec<String>,
}

impl Tally {
    /// Notes a failure; the smallest is kept.
    pub(crate) fn fail(&mut self, failure: Failure) {
        let size = |failure: &Failure| failure.inputs.len() + failure.expected.len() + failure.actual.len();
        if self.failure.as_ref().is_none_or(|kept| size(&failure) < size(kept)) {
            self.failure = Some(failure);
        }
    }

    /// Notes something that was not checked, once.
    pub(crate) fn leave(&mut self, reason: impl Into<String>) {
        let reason = reason.into();
        if !self.not_checked.contains(&reason) {
            self.not_checked.push(reason);
        }
    }

    /// The units of a typical call, in millionths.
    pub(crate) fn measured_micro_units(&self) -> Option<u64> {
        let (calls, halves) = self.typical;
        (calls > 0).then(|| halves * 500_000 / calls)
    }

    /// The evidence. An empty answer proves nothing of a read, and a refusal nothing of a write.
    pub(crate) fn evidence(mut self, pattern: &Pattern) -> PatternEvidence {
        let outcome = match &self.failure {
            Some(_) => Outcome::Failed,
            None if self.telling == 0 => Outcome::NotChecked,
            None => Outcome::Held,
        };
        if outcome == Outcome::NotChecked && (self.inputs > 0 || self.not_checked.is_empty()) {
            let reason = match (pattern.read(), self.refused.take()) {
                _ if self.inputs == 0 => "there was no record to call it with".to_owned(),
                (Some(_), _) => "no call found an item, so nothing was compared".to_owned(),
                (None, Some(condition)) => format!(
                    "it never succeeded: no pattern creates the state that \"{condition}\" requires; add \
                     the write that does, or correct the condition"
                ),
                (None, None) => "no call found an item to change, so nothing was compared".to_owned(),
            };
            self.leave(reason);
        }
        PatternEvidence {
            id: pattern.id.clone(),
            outcome,
            inputs: self.inputs,
            items: self.items,
            requests: self.requests,
            half_units: self.half_units,
            expected_micro_units: self.expected_micro_units,
            measured_micro_units: self.measured_micro_units(),
            failure: self.failure,
            not_checked: self.not_checked,
        }
    }
}

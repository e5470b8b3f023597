//! Why a call has no answer: the design's fault, or the world's.

use keywright_dynamodb::limits::TRANSACTION_ACTIONS;

use crate::engine::{EngineError, ServiceError};

/// Why an operation can't be carried out as the design states it.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub(crate) enum Fault {
    #[error("the template `{template}` can't be read: {reason}")]
    Template { template: String, reason: String },
    #[error("`{template}` can't be built: {reason}")]
    Unbuilt { template: String, reason: String },
    #[error(
        "item type `{item}`: the key attribute `{attribute}` needs more than the operation gives: `{template}`"
    )]
    KeyIncomplete { item: String, attribute: String, template: String },
    #[error("there is no value for `{name}`")]
    Absent { name: String },
    #[error("`{value}` is not a whole number")]
    NotANumber { value: String },
    #[error("the design has no {kind} `{name}`")]
    Unknown { kind: &'static str, name: String },
    #[error("the engine refuses the request: {0}")]
    Refused(ServiceError),
    #[error("the engine still has unprocessed {what} after {attempts} attempts")]
    Unprocessed { what: &'static str, attempts: u32 },
    #[error("a transaction of {actions} actions: DynamoDB takes {TRANSACTION_ACTIONS} at most")]
    TooManyActions { actions: usize },
}

/// Why a step has no result: the design's fault, or the world's.
#[derive(Debug, thiserror::Error)]
pub(crate) enum CallError {
    #[error(transparent)]
    Fault(#[from] Fault),
    #[error(transparent)]
    Engine(EngineError),
}

impl From<EngineError> for CallError {
    fn from(error: EngineError) -> Self {
        match error {
            EngineError::Refused(refusal) => CallError::Fault(Fault::Refused(refusal)),
            error => CallError::Engine(error),
        }
    }
}

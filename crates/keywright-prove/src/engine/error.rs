//! What can go wrong with a call: DynamoDB says no, or the engine can't be asked.

use std::fmt;

use serde_json::Value;

/// Why a call has no answer.
///
/// Only [`EngineError::Refused`] says something about the request; all others are about the world around it, and a
/// proof that meets one has shown nothing.
#[derive(Debug, thiserror::Error)]
pub enum EngineError {
    /// DynamoDB's own refusal: a failed condition, a validation error, a missing table.
    #[error(transparent)]
    Refused(#[from] ServiceError),
    /// Nobody answers at the address.
    #[error("can't reach {endpoint}: {reason}")]
    Unreachable {
        /// The address.
        endpoint: String,
        /// What the network said.
        reason: String,
    },
    /// There are no credentials, or the engine does not accept them.
    #[error("credentials: {reason}")]
    Credentials {
        /// Where they were looked for, or what the engine said.
        reason: String,
    },
    /// Throttled until patience ran out.
    #[error("{operation} is still throttled after {attempts} attempts: {reason}")]
    Throttled {
        /// The operation.
        operation: String,
        /// How often it was tried.
        attempts: u32,
        /// What the engine said last.
        reason: String,
    },
    /// The engine answers with its own failure (a 5xx status).
    #[error("{operation} failed inside the engine after {attempts} attempts: {reason}")]
    Failing {
        /// The operation.
        operation: String,
        /// How often it was tried.
        attempts: u32,
        /// What the engine said last.
        reason: String,
    },
    /// The connection ended, or time ran out, before the answer came: nobody knows whether the request was carried out.
    #[error("the connection was lost during {operation}, and it is unknown whether it took effect: {reason}")]
    Cut {
        /// The operation.
        operation: String,
        /// What the network said.
        reason: String,
    },
    /// An answer came that is not DynamoDB's.
    #[error("the answer to {operation} is not DynamoDB's: {reason}")]
    Garbled {
        /// The operation.
        operation: String,
        /// What came.
        reason: String,
    },
    /// The embedded engine itself broke: a full disk, a damaged file.
    #[error("the embedded engine failed: {reason}")]
    Broken {
        /// What it said.
        reason: String,
    },
    /// Tables of ours could not be deleted.
    #[error("left behind on {engine}, to be deleted by hand: {}: {reason}", .tables.join(", "))]
    LeftBehind {
        /// The engine's name.
        engine: String,
        /// The tables' names.
        tables: Vec<String>,
        /// Why the first of them could not be deleted.
        reason: Box<EngineError>,
    },
    /// A run failed, and its tables could not be deleted either.
    #[error("{cause}; and {left}")]
    Unclean {
        /// Why the run failed.
        cause: Box<EngineError>,
        /// What is left, and why.
        left: Box<EngineError>,
    },
    /// The user asked to stop.
    #[error("interrupted")]
    Interrupted,
}

impl EngineError {
    /// DynamoDB's refusal, where it is one.
    pub fn refusal(&self) -> Option<&ServiceError> {
        if let EngineError::Refused(refusal) = self { Some(refusal) } else { None }
    }

    /// Whether DynamoDB refused the request with this error type, such as `ResourceNotFoundException`.
    pub fn is_refusal(&self, kind: &str) -> bool {
        self.refusal().is_some_and(|refusal| refusal.kind == kind)
    }

    /// Whether the condition of a single write failed.
    pub fn is_conditional_check_failed(&self) -> bool {
        self.is_refusal("ConditionalCheckFailedException")
    }

    /// Whether a transaction was cancelled; [`ServiceError::reasons`] say why.
    pub fn is_transaction_canceled(&self) -> bool {
        self.is_refusal("TransactionCanceledException")
    }

    /// Whether this says nothing about the request, only about the world around it.
    pub fn is_environment(&self) -> bool {
        self.refusal().is_none()
    }
}

/// An error as DynamoDB words it.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub struct ServiceError {
    /// The type without its namespace: `ValidationException`.
    pub kind: String,
    /// The message, empty where there is none.
    pub message: String,
    /// The HTTP status.
    pub status: u16,
    /// Why each action of a transaction was cancelled, in the order of the actions.
    pub reasons: Vec<CancellationReason>,
    /// The item that a failed condition met, where the request asked for it.
    pub item: Option<Value>,
}

/// What one action of a cancelled transaction has to say.
#[derive(Clone, Debug, PartialEq)]
pub struct CancellationReason {
    /// `None` for an action that would have succeeded, else `ConditionalCheckFailed`, `TransactionConflict`, …
    pub code: String,
    /// The message, where there is one.
    pub message: Option<String>,
    /// The item that a failed condition met, where the request asked for it.
    pub item: Option<Value>,
}

impl fmt::Display for ServiceError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.kind)?;
        if !self.message.is_empty() {
            write!(out, ": {}", self.message)?;
        }
        Ok(())
    }
}

impl ServiceError {
    /// Reads the body of an error response; `None` where it is not one of DynamoDB's.
    pub(crate) fn from_body(status: u16, body: &Value) -> Option<Self> {
        let text = |name: &str| body.get(name).and_then(Value::as_str);
        let kind = text("__type")?;
        let reasons = body.get("CancellationReasons").and_then(Value::as_array);
        Some(ServiceError {
            kind: kind.rsplit('#').next().unwrap_or(kind).to_owned(),
            message: text("message").or_else(|| text("Message")).unwrap_or_default().to_owned(),
            status,
            reasons: reasons.into_iter().flatten().map(CancellationReason::from_json).collect(),
            item: body.get("Item").cloned(),
        })
    }
}

impl CancellationReason {
    fn from_json(reason: &Value) -> Self {
        let text = |name: &str| reason.get(name).and_then(Value::as_str).map(str::to_owned);
        CancellationReason {
            code: text("Code").unwrap_or_default(),
            message: text("Message"),
            item: reason.get("Item").cloned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn both_spellings_of_an_error_body_are_read() {
        let plain = json!({"__type": "com.amazon.coral.validate#ValidationException", "message": "no"});
        let error = ServiceError::from_body(400, &plain).unwrap();
        assert_eq!(
            (error.kind.as_str(), error.to_string().as_str()),
            ("ValidationException", "ValidationException: no")
        );
        let cancelled = json!({
            "__type": "TransactionCanceledException",
            "Message": "cancelled",
            "CancellationReasons": [{"Code": "None"}, {"Code": "ConditionalCheckFailed", "Message": "failed", "Item": {}}],
        });
        let error = EngineError::from(ServiceError::from_body(400, &cancelled).unwrap());
        assert!(error.is_transaction_canceled() && !error.is_environment());
        let reasons = &error.refusal().unwrap().reasons;
        assert_eq!(reasons[0], CancellationReason { code: "None".into(), message: None, item: None });
        assert_eq!(reasons[1].item, Some(json!({})));
        assert_eq!(ServiceError::from_body(400, &json!({"error": "no"})), None);
    }
}

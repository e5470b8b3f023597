//! What an outcome means, and which ones are worth another try.

use std::time::Duration;

use serde_json::Value;

use super::transport::{Answer, Lost};
use crate::engine::{EngineError, ServiceError};

/// How long and how often an endpoint is waited for.
#[derive(Clone, Debug)]
pub struct Patience {
    /// Attempts in all, the first included.
    pub attempts: u32,
    /// The wait after the first attempt; it doubles after each further one.
    pub first_wait: Duration,
    /// The longest wait.
    pub longest_wait: Duration,
    /// How long a connection may take to come about.
    pub connect: Duration,
    /// How long one attempt may take until its whole answer is there.
    pub answer: Duration,
    /// After so long there is no further attempt: who keeps silent is not asked as often as who refuses.
    pub whole: Duration,
}

impl Default for Patience {
    fn default() -> Self {
        Patience {
            attempts: 8,
            first_wait: Duration::from_millis(50),
            longest_wait: Duration::from_secs(5),
            connect: Duration::from_secs(3),
            answer: Duration::from_secs(30),
            whole: Duration::from_secs(60),
        }
    }
}

impl Patience {
    /// The wait after so many attempts.
    pub(super) fn wait_after(&self, attempts: u32) -> Duration {
        let doubled = 2u32.saturating_pow(attempts.saturating_sub(1));
        self.first_wait.saturating_mul(doubled).min(self.longest_wait)
    }
}

/// What to do with an outcome.
#[derive(Debug)]
pub(super) enum Verdict {
    /// It stays.
    Final(Result<Value, EngineError>),
    /// It may be better next time.
    Again(Failure),
}

/// A failure that may pass.
#[derive(Debug)]
pub(super) enum Failure {
    NotReached(String),
    Throttled(String),
    Failing(String),
    Cut(String),
}

impl Failure {
    /// Whether the request may have been carried out.
    pub(super) fn leaves_open(&self) -> bool {
        matches!(self, Failure::Failing(_) | Failure::Cut(_))
    }

    /// The error, if there is no next time.
    pub(super) fn into_error(self, endpoint: &str, operation: &str, attempts: u32) -> EngineError {
        let operation = operation.to_owned();
        match self {
            Failure::NotReached(reason) => EngineError::Unreachable { endpoint: endpoint.to_owned(), reason },
            Failure::Throttled(reason) => EngineError::Throttled { operation, attempts, reason },
            Failure::Failing(reason) => EngineError::Failing { operation, attempts, reason },
            Failure::Cut(reason) => EngineError::Cut { operation, reason },
        }
    }
}

/// Judges the outcome of one attempt.
pub(super) fn judge(endpoint: &str, operation: &str, outcome: Result<Answer, Lost>) -> Verdict {
    let again_if = |again: bool, failure: Failure| {
        if again {
            Verdict::Again(failure)
        } else {
            Verdict::Final(Err(failure.into_error(endpoint, operation, 1)))
        }
    };
    let answer = match outcome {
        Ok(answer) => answer,
        Err(Lost { sent: false, reason }) => return Verdict::Again(Failure::NotReached(reason)),
        Err(Lost { sent: true, reason }) => return again_if(is_repeatable(operation), Failure::Cut(reason)),
    };
    let body = serde_json::from_slice::<Value>(&answer.body).ok().filter(Value::is_object);
    let refusal = body.as_ref().and_then(|body| ServiceError::from_body(answer.status, body));
    match (answer.status, body, refusal) {
        (200, Some(body), _) => Verdict::Final(Ok(body)),
        (_, _, Some(refusal)) if is_throttling(&refusal) => {
            Verdict::Again(Failure::Throttled(refusal.to_string()))
        }
        // "Service unavailable" and "slow down" are said before anything is done.
        (429 | 503, _, refusal) => Verdict::Again(Failure::Throttled(describe(&answer, refusal))),
        (500.., _, refusal) => {
            again_if(is_repeatable(operation), Failure::Failing(describe(&answer, refusal)))
        }
        (_, _, Some(refusal)) if is_about_credentials(&refusal) => {
            Verdict::Final(Err(EngineError::Credentials { reason: refusal.to_string() }))
        }
        (_, _, Some(refusal)) => Verdict::Final(Err(refusal.into())),
        _ => Verdict::Final(Err(EngineError::Garbled {
            operation: operation.to_owned(),
            reason: describe(&answer, None),
        })),
    }
}

/// The operation that takes a token.
pub(super) const TRANSACTION: &str = "TransactWriteItems";

/// Operations that change nothing, or nothing further the second time. A repeated write is not among them even where it
/// would leave the same items: its conditions and its consumed capacity would be others. A transaction has a token by
/// which DynamoDB knows it again.
fn is_repeatable(operation: &str) -> bool {
    const REPEATABLE: [&str; 14] = [
        "BatchGetItem",
        "DeleteTable",
        "DescribeStream",
        "DescribeTable",
        "DescribeTimeToLive",
        "GetItem",
        "GetRecords",
        "ListStreams",
        "ListTables",
        "ListTagsOfResource",
        "Query",
        "Scan",
        "TransactGetItems",
        TRANSACTION,
    ];
    REPEATABLE.contains(&operation)
}

fn is_throttling(refusal: &ServiceError) -> bool {
    const THROTTLING: [&str; 5] = [
        "ProvisionedThroughputExceededException",
        "RequestLimitExceeded",
        "SlowDown",
        "ThrottlingException",
        "TransactionInProgressException",
    ];
    let throttled = |code: &str| code == "ThrottlingError" || code == "ProvisionedThroughputExceeded";
    THROTTLING.contains(&refusal.kind.as_str())
        || refusal.reasons.iter().any(|reason| throttled(&reason.code))
}

fn is_about_credentials(refusal: &ServiceError) -> bool {
    const CREDENTIALS: [&str; 12] = [
        "AccessDenied",
        "AccessDeniedException",
        "ExpiredToken",
        "ExpiredTokenException",
        "IncompleteSignature",
        "IncompleteSignatureException",
        "InvalidClientTokenId",
        "InvalidSignatureException",
        "MissingAuthenticationToken",
        "MissingAuthenticationTokenException",
        "SignatureDoesNotMatch",
        "UnrecognizedClientException",
    ];
    CREDENTIALS.contains(&refusal.kind.as_str())
}

/// The refusal, or the status and the beginning of what came.
fn describe(answer: &Answer, refusal: Option<ServiceError>) -> String {
    if let Some(refusal) = refusal {
        return format!("status {}, {refusal}", answer.status);
    }
    let text = String::from_utf8_lossy(&answer.body);
    let start: String = text.chars().filter(|character| !character.is_control()).take(120).collect();
    if start.is_empty() {
        format!("status {} without a body", answer.status)
    } else {
        format!("status {}, `{start}`", answer.status)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waits_double_up_to_the_longest() {
        let patience = Patience {
            first_wait: Duration::from_millis(50),
            longest_wait: Duration::from_millis(300),
            ..Patience::default()
        };
        let waits: Vec<u128> = (1..6).map(|attempts| patience.wait_after(attempts).as_millis()).collect();
        assert_eq!(waits, [50, 100, 200, 300, 300]);
        assert_eq!(patience.wait_after(u32::MAX), patience.longest_wait);
    }

    fn judged(operation: &str, status: u16, body: &str) -> Verdict {
        judge("http://test", operation, Ok(Answer { status, body: body.into() }))
    }

    #[test]
    fn writes_that_may_have_happened_are_not_repeated() {
        let lost = |sent| Err(Lost { sent, reason: "gone".into() });
        assert!(matches!(judge("u", "GetItem", lost(true)), Verdict::Again(Failure::Cut(_))));
        assert!(matches!(judge("u", "PutItem", lost(true)), Verdict::Final(Err(EngineError::Cut { .. }))));
        assert!(matches!(judge("u", "PutItem", lost(false)), Verdict::Again(Failure::NotReached(_))));
        assert!(matches!(judged("Query", 500, ""), Verdict::Again(Failure::Failing(_))));
        assert!(matches!(judged("UpdateItem", 500, ""), Verdict::Final(Err(EngineError::Failing { .. }))));
        assert!(matches!(judged("UpdateItem", 503, ""), Verdict::Again(Failure::Throttled(_))));
        assert!(matches!(judged("TransactWriteItems", 500, ""), Verdict::Again(Failure::Failing(_))));
    }

    #[test]
    fn throttling_credentials_and_refusals_are_told_apart() {
        let error = |kind: &str| format!(r#"{{"__type":"a.b#{kind}","message":"m"}}"#);
        assert!(matches!(
            judged("PutItem", 400, &error("ProvisionedThroughputExceededException")),
            Verdict::Again(Failure::Throttled(_))
        ));
        let in_transaction =
            r#"{"__type":"TransactionCanceledException","CancellationReasons":[{"Code":"ThrottlingError"}]}"#;
        assert!(matches!(
            judged("TransactWriteItems", 400, in_transaction),
            Verdict::Again(Failure::Throttled(_))
        ));
        assert!(matches!(
            judged("PutItem", 400, &error("UnrecognizedClientException")),
            Verdict::Final(Err(EngineError::Credentials { .. }))
        ));
        assert!(matches!(
            judged("PutItem", 400, &error("ConditionalCheckFailedException")),
            Verdict::Final(Err(EngineError::Refused(_)))
        ));
        for (status, body) in [(200, "<html>"), (200, "[]"), (404, "<html>"), (400, "{}"), (302, "")] {
            let verdict = judged("PutItem", status, body);
            assert!(
                matches!(verdict, Verdict::Final(Err(EngineError::Garbled { .. }))),
                "{status} {body}: {verdict:?}"
            );
        }
    }
}

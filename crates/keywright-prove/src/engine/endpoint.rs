//! Any address that speaks DynamoDB's protocol: AWS itself, Alternator, DynamoDB Local, or our own server.

mod address;
mod identity;
mod retry;
mod transport;

use std::sync::OnceLock;
use std::time::{Duration, Instant};

use serde_json::Value;
use tokio::runtime::Runtime;

use crate::engine::{Capability, Engine, EngineError, Interrupt, REPEATED, Support, capability};
use address::Address;
use identity::Identities;
use retry::{TRANSACTION, Verdict};
use transport::Transport;

pub use retry::Patience;

/// An endpoint, reached over HTTP or HTTPS with signed requests.
///
/// Region and credentials come from where AWS's own tools take them: the environment, the shared files with their
/// profiles (single sign-on included), containers and instances. An address that is not AWS's also works without any.
///
/// Throttled requests are repeated, and so is what the engine had no chance to carry out. What it may have carried out
/// before the connection broke is repeated only if it is a read, or a transaction, by whose token DynamoDB knows it again: a
/// proof must know what was written, and how often.
///
/// `BatchGetItem` and `BatchWriteItem` report what they left undone in their answers, as everywhere.
pub struct Endpoint {
    address: Address,
    transport: Transport,
    identities: Identities,
    runtime: Runtime,
    patience: Patience,
    interrupt: Interrupt,
    supports: OnceLock<Vec<(Capability, Support)>>,
}

impl Endpoint {
    /// An endpoint at a URL, such as `http://localhost:8000` or `https://dynamodb.eu-west-1.amazonaws.com`. Nothing is
    /// sent yet.
    pub fn new(url: &str) -> Result<Self, EngineError> {
        Self::with_patience(url, Patience::default())
    }

    /// An endpoint that is waited for in another way than by default.
    pub fn with_patience(url: &str, patience: Patience) -> Result<Self, EngineError> {
        let address = Address::parse(url)
            .map_err(|reason| EngineError::Unreachable { endpoint: url.to_owned(), reason })?;
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .thread_name("endpoint")
            .worker_threads(1)
            .enable_all()
            .build()
            .map_err(|error| EngineError::Unreachable {
                endpoint: url.to_owned(),
                reason: error.to_string(),
            })?;
        Ok(Endpoint {
            transport: Transport::new(&patience),
            identities: Identities::new(&address),
            address,
            runtime,
            patience,
            interrupt: Interrupt::default(),
            supports: OnceLock::new(),
        })
    }

    /// The same, but it stops repeating requests once the interrupt is requested, other than the deletion of tables.
    pub fn interrupted_by(mut self, interrupt: &Interrupt) -> Self {
        self.interrupt = interrupt.clone();
        self
    }

    fn attempt(&self, operation: &str, body: &[u8]) -> Result<Verdict, EngineError> {
        self.runtime.block_on(async {
            let identity = self.identities.current().await?;
            let sending = self.transport.send(&self.address, &identity, operation, body);
            let outcome = tokio::time::timeout(self.patience.answer, sending).await;
            let outcome = outcome.unwrap_or_else(|_| Err(transport::Lost::timed_out(self.patience.answer)));
            Ok(retry::judge(&self.address.url, operation, outcome))
        })
    }

    /// Sleeps in short steps, so that an interrupt needn't wait.
    fn pause(&self, wait: Duration) -> Result<(), EngineError> {
        const STEP: Duration = Duration::from_millis(50);
        let mut left = wait;
        while !left.is_zero() {
            if self.interrupt.is_requested() {
                return Err(EngineError::Interrupted);
            }
            let step = left.min(STEP);
            std::thread::sleep(step);
            left -= step;
        }
        Ok(())
    }
}

impl Engine for Endpoint {
    fn name(&self) -> String {
        self.address.url.clone()
    }

    fn call(&self, operation: &str, mut body: Value) -> Result<Value, EngineError> {
        let is_transaction = operation == TRANSACTION;
        if is_transaction && body["ClientRequestToken"].is_null() {
            body["ClientRequestToken"] = ulid::Ulid::generate().to_string().into();
        }
        let body = body.to_string().into_bytes();
        let (begun, mut attempts) = (Instant::now(), 0);
        // Whether a transaction may have taken place at an earlier attempt, and what that one said.
        let mut open: Option<EngineError> = None;
        loop {
            attempts += 1;
            let error = match (self.attempt(operation, &body)?, open.take()) {
                (Verdict::Final(Ok(mut answer)), Some(_)) => {
                    // It is charged as a look at what it did before, if it did.
                    answer[REPEATED] = true.into();
                    return Ok(answer);
                }
                // Whoever does not know it again by its token refuses what took place: nobody can tell.
                (Verdict::Final(Err(EngineError::Refused(_))), Some(earlier)) => return Err(earlier),
                (Verdict::Final(answer), _) => return answer,
                (Verdict::Again(failure), earlier) => {
                    let unknown = is_transaction && failure.leaves_open();
                    let error = failure.into_error(&self.address.url, operation, attempts);
                    open = earlier;
                    if unknown {
                        let reason = error.to_string();
                        open =
                            Some(EngineError::Failing { operation: operation.to_owned(), attempts, reason });
                    }
                    error
                }
            };
            if attempts >= self.patience.attempts || begun.elapsed() >= self.patience.whole {
                return Err(error);
            }
            let wait = self.patience.wait_after(attempts);
            // Who was interrupted still deletes what is theirs, however long that takes to get through.
            if operation == "DeleteTable" {
                std::thread::sleep(wait);
            } else {
                self.pause(wait)?;
            }
        }
    }

    fn support(&self, wanted: Capability) -> Result<Support, EngineError> {
        if self.address.aws_region.is_some() {
            return Ok(Support::Present);
        }
        let found = match self.supports.get() {
            Some(found) => found,
            None => {
                let found = capability::probe(self)?;
                self.supports.get_or_init(|| found)
            }
        };
        let support =
            found.iter().find(|(capability, _)| *capability == wanted).map(|(_, support)| support.clone());
        Ok(support.unwrap_or_else(|| Support::Absent("not known".into())))
    }

    fn is_private(&self) -> bool {
        false
    }
}

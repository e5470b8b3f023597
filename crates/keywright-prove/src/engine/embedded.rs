//! The embedded engine: DynamoDB's semantics in this process, in memory or on a file, with nothing to install.

mod dispatch;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::mpsc;
use std::thread::{self, JoinHandle};

use dynoxide::Database;
use serde_json::Value;

use crate::engine::nesting;
use crate::engine::{Capability, Engine, EngineError, ServiceError, Support};

/// The stack of the engine's own thread, and of those of its server. Its expression parser recurses: an expression of
/// DynamoDB's longest, all of it parentheses, needs most of this in a build without optimisation. Pages of a stack
/// that nobody touches cost nothing. What is nested less than `nesting::SHALLOW` runs on the caller's thread.
pub(crate) const STACK_BYTES: usize = 64 * 1024 * 1024;

/// DynamoDB in this process.
///
/// Calls from several threads are carried out one after the other. A call whose expressions are nested deeply runs on a
/// thread of the engine's own, which has the stack for it. Engines are independent of each other: tests and parallel
/// work use one each.
pub struct Embedded {
    database: Database,
    place: String,
    /// Always there until the engine is dropped.
    requests: Option<mpsc::Sender<Request>>,
    worker: Option<JoinHandle<()>>,
}

struct Request {
    operation: String,
    body: Value,
    answer: mpsc::SyncSender<Result<Value, EngineError>>,
}

impl Embedded {
    /// An empty engine that is gone with the process.
    pub fn in_memory() -> Result<Self, EngineError> {
        Self::start(Database::memory().map_err(broken)?, "in memory".into())
    }

    /// An engine whose tables are in a file, which is created if need be.
    pub fn on_file(path: &Path) -> Result<Self, EngineError> {
        let place = path.display().to_string();
        let text = path
            .to_str()
            .ok_or_else(|| EngineError::Broken { reason: format!("{place}: the path is not valid UTF-8") })?;
        let database = Database::new(text)
            .map_err(|error| EngineError::Broken { reason: format!("{place}: {error}") })?;
        Self::start(database, place)
    }

    /// An engine whose tables are in a file that nobody needs afterwards: for more than memory should hold. What it
    /// calls itself does not tell the path, which is another one in every run.
    pub fn on_scratch_file(path: &Path) -> Result<Self, EngineError> {
        let mut engine = Self::on_file(path)?;
        // After its mode for loading the engine no longer waits for the disk at every write, which takes most of the
        // time otherwise and is of no use to a file that does not outlive the process.
        let database = engine.database();
        database.enable_bulk_loading().and_then(|()| database.disable_bulk_loading()).map_err(broken)?;
        engine.place = "on a temporary file".into();
        Ok(engine)
    }

    fn start(database: Database, place: String) -> Result<Self, EngineError> {
        let (requests, queue) = mpsc::channel::<Request>();
        let worker = thread::Builder::new()
            .name("embedded engine".into())
            .stack_size(STACK_BYTES)
            .spawn({
                let database = database.clone();
                move || {
                    for Request { operation, body, answer } in queue {
                        // A caller that no longer waits is no failure of the engine.
                        let _ = answer.send(carry_out(&database, &operation, body));
                    }
                }
            })
            .map_err(|error| EngineError::Broken { reason: format!("can't start a thread: {error}") })?;
        Ok(Embedded { database, place, requests: Some(requests), worker: Some(worker) })
    }

    /// Deletes what is past its time to live, which DynamoDB does by itself within days; says how many items.
    pub fn remove_expired(&self) -> Result<usize, EngineError> {
        self.database.sweep_ttl().map_err(broken)
    }

    /// Another handle on the same tables, for serving them.
    pub(crate) fn database(&self) -> Database {
        self.database.clone()
    }
}

impl Engine for Embedded {
    fn name(&self) -> String {
        format!("embedded engine, {}", self.place)
    }

    fn call(&self, operation: &str, body: Value) -> Result<Value, EngineError> {
        let (depth, field) = nesting::deepest(&body);
        if depth > nesting::DEEPEST {
            let message = format!("Invalid {field}: nested deeper than {} levels", nesting::DEEPEST);
            return Err(validation(message).into());
        }
        // Handing a request to another thread and back takes as long as most requests do.
        if depth <= nesting::SHALLOW {
            return carry_out(&self.database, operation, body);
        }
        let (answer, answered) = mpsc::sync_channel(1);
        let request = Request { operation: operation.to_owned(), body, answer };
        let stopped = || EngineError::Broken { reason: "its thread has stopped".into() };
        self.requests.as_ref().ok_or_else(stopped)?.send(request).map_err(|_| stopped())?;
        answered.recv().map_err(|_| stopped())?
    }

    fn support(&self, _: Capability) -> Result<Support, EngineError> {
        // Held by the checks in `tests/embedded.rs`.
        Ok(Support::Present)
    }

    fn is_private(&self) -> bool {
        true
    }
}

impl Drop for Embedded {
    fn drop(&mut self) {
        // Without a sender the worker's queue ends, and with it the worker; then the file is closed.
        self.requests = None;
        if let Some(worker) = self.worker.take() {
            let _ = worker.join();
        }
    }
}

fn carry_out(database: &Database, operation: &str, body: Value) -> Result<Value, EngineError> {
    catch_unwind(AssertUnwindSafe(|| dispatch::dispatch(database, operation, body)))
        .unwrap_or_else(|_| Err(EngineError::Broken { reason: format!("it panicked during {operation}") }))
}

fn validation(message: String) -> ServiceError {
    ServiceError { kind: "ValidationException".into(), message, status: 400, reasons: Vec::new(), item: None }
}

fn broken(error: dynoxide::DynoxideError) -> EngineError {
    EngineError::Broken { reason: error.to_string() }
}

//! Stopping a run from outside, in a way that still cleans up.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use serde_json::Value;

use crate::engine::{Capability, Engine, EngineError, Support};

/// A wish to stop, shared between a signal handler and a run.
///
/// The handler only sets it. The run sees it at its next call, ends with [`EngineError::Interrupted`] and deletes its
/// tables on the way out like after any other error.
#[derive(Clone, Debug, Default)]
pub struct Interrupt(Arc<AtomicBool>);

impl Interrupt {
    /// Asks the run to stop; says whether it had been asked before.
    pub fn request(&self) -> bool {
        self.0.swap(true, Ordering::SeqCst)
    }

    /// Whether the run is to stop.
    pub fn is_requested(&self) -> bool {
        self.0.load(Ordering::SeqCst)
    }
}

/// An engine that takes no further calls once an [`Interrupt`] is requested.
pub struct Interruptible<'e> {
    engine: &'e dyn Engine,
    interrupt: Interrupt,
}

impl<'e> Interruptible<'e> {
    /// The engine, until the interrupt is requested.
    pub fn new(engine: &'e dyn Engine, interrupt: Interrupt) -> Self {
        Interruptible { engine, interrupt }
    }
}

impl Engine for Interruptible<'_> {
    fn name(&self) -> String {
        self.engine.name()
    }

    fn call(&self, operation: &str, body: Value) -> Result<Value, EngineError> {
        if self.interrupt.is_requested() {
            return Err(EngineError::Interrupted);
        }
        self.engine.call(operation, body)
    }

    fn support(&self, capability: Capability) -> Result<Support, EngineError> {
        if self.interrupt.is_requested() {
            return Err(EngineError::Interrupted);
        }
        self.engine.support(capability)
    }

    fn is_private(&self) -> bool {
        self.engine.is_private()
    }
}

//! Engines that carry out DynamoDB operations, all behind one call in DynamoDB's own wire format.

pub mod capability;
pub mod capacity;
pub mod embedded;
#[cfg(feature = "endpoint")]
pub mod endpoint;
pub mod error;
pub mod interrupt;
mod nesting;
pub mod serve;
pub mod tables;

use serde_json::Value;

/// Marks the answer to a transaction that had to be repeated: what it says that it consumed is not what it took.
pub(crate) const REPEATED: &str = "keywright:repeated";

pub use capability::{Capability, Support};
pub use embedded::Embedded;
#[cfg(feature = "endpoint")]
pub use endpoint::Endpoint;
pub use error::{CancellationReason, EngineError, ServiceError};
pub use interrupt::{Interrupt, Interruptible};
pub use tables::Tables;

/// Something that carries out DynamoDB operations.
///
/// ```
/// use keywright_prove::engine::{Embedded, Engine};
/// use serde_json::json;
/// let engine = Embedded::in_memory()?;
/// let tables = engine.call("ListTables", json!({}))?;
/// assert_eq!(tables["TableNames"], json!([]));
/// assert!(engine.call("GetItem", json!({"TableName": "none", "Key": {}})).is_err());
/// # Ok::<(), keywright_prove::engine::EngineError>(())
/// ```
pub trait Engine: Send + Sync {
    /// What people call it: `embedded engine, in memory`, or an address.
    fn name(&self) -> String;

    /// Carries out an operation, such as `PutItem`, with a body and an answer in DynamoDB's JSON.
    fn call(&self, operation: &str, body: Value) -> Result<Value, EngineError>;

    /// Whether the engine can do something that not all engines can. What it can't is not checked, never held.
    fn support(&self, capability: Capability) -> Result<Support, EngineError>;

    /// Whether nobody else has tables here. Elsewhere a table gets a name and tags of its own.
    fn is_private(&self) -> bool;
}

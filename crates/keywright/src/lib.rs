//! DynamoDB keys and entities for Rust programs.

mod entity;

pub use entity::{Entity, IndexAttributes, PrimaryKey, TtlField};
#[cfg(feature = "derive")]
pub use keywright_derive::Entity;
pub use keywright_key::*;

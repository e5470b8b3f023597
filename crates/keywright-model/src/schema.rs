//! The published JSON Schemas of the values.

use schemars::{Schema, schema_for};

use crate::{Design, Evidence, Explanation, Model};

/// The JSON Schema of [`Model`].
pub fn model() -> Schema {
    schema_for!(Model)
}

/// The JSON Schema of [`Design`].
pub fn design() -> Schema {
    schema_for!(Design)
}

/// The JSON Schema of [`Explanation`].
pub fn explanation() -> Schema {
    schema_for!(Explanation)
}

/// The JSON Schema of [`Evidence`].
pub fn evidence() -> Schema {
    schema_for!(Evidence)
}

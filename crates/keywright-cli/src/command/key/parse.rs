//! `keywright key parse`: the values of a key.

use keywright_key::Value;

use super::{Answer, Refusal, template};

/// Reads a key back into its values.
#[derive(clap::Args)]
pub(super) struct Parse {
    /// The template, such as `ORDER#<placedAt:iso>#<orderId>`.
    template: String,
    /// The key.
    key: String,
}

impl Parse {
    pub(super) fn run(self) -> anyhow::Result<Result<Answer, Refusal>> {
        let template = template(&self.template)?;
        let parsed = match template.parse_key(&self.key) {
            Ok(parsed) => parsed,
            Err(error) => return Ok(Err(error.into())),
        };
        let values: serde_json::Map<_, _> =
            parsed.iter().map(|(name, value)| (name.to_owned(), json(value))).collect();
        let lines = parsed.iter().map(|(name, value)| format!("{name}={value}")).collect();
        Ok(Ok(Answer { lines, json: serde_json::json!({ "values": values }) }))
    }
}

/// The value in JSON. Numbers that JSON readers may cut, and everything that JSON has no kind for, are text.
fn json(value: &Value<'_>) -> serde_json::Value {
    match value {
        Value::Bool(value) => (*value).into(),
        Value::Float(value) => (*value).into(),
        Value::Shard(shard) => (*shard).into(),
        Value::Integer(number) => match i32::try_from(*number) {
            Ok(small) => small.into(),
            Err(_) => number.to_string().into(),
        },
        value => value.to_string().into(),
    }
}

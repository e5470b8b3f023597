//! From an operation's name and body to the embedded engine's typed call, and back.

use dynoxide::{Database, DynoxideError};
use serde_json::Value;

use super::{broken, validation};
use crate::engine::{EngineError, ServiceError};

/// One match arm per operation: the body becomes the typed request, the typed response the answer.
macro_rules! operations {
    ($database:ident, $operation:ident, $body:ident; $($name:literal => $method:ident,)*) => {
        match $operation {
            $($name => {
                let request = serde_json::from_value($body).map_err(|error| unreadable(&error))?;
                let response = $database.$method(request).map_err(engine_error)?;
                serde_json::to_value(response).map_err(|error| EngineError::Garbled {
                    operation: $name.into(),
                    reason: error.to_string(),
                })
            })*
            _ => Err(unknown($operation)),
        }
    };
}

/// Carries out an operation by name.
pub(super) fn dispatch(database: &Database, operation: &str, body: Value) -> Result<Value, EngineError> {
    operations! { database, operation, body;
        "BatchExecuteStatement" => batch_execute_statement,
        "BatchGetItem" => batch_get_item,
        "BatchWriteItem" => batch_write_item,
        "CreateTable" => create_table,
        "DeleteItem" => delete_item,
        "DeleteTable" => delete_table,
        "DescribeStream" => describe_stream,
        "DescribeTable" => describe_table,
        "DescribeTimeToLive" => describe_time_to_live,
        "ExecuteStatement" => execute_statement,
        "ExecuteTransaction" => execute_transaction,
        "GetItem" => get_item,
        "GetRecords" => get_records,
        "GetShardIterator" => get_shard_iterator,
        "ListStreams" => list_streams,
        "ListTables" => list_tables,
        "ListTagsOfResource" => list_tags_of_resource,
        "PutItem" => put_item,
        "Query" => query,
        "Scan" => scan,
        "TagResource" => tag_resource,
        "TransactGetItems" => transact_get_items,
        "TransactWriteItems" => transact_write_items,
        "UntagResource" => untag_resource,
        "UpdateItem" => update_item,
        "UpdateTable" => update_table,
        "UpdateTimeToLive" => update_time_to_live,
    }
}

/// What the engine's own request types say of a body that they can't read.
fn unreadable(error: &serde_json::Error) -> EngineError {
    let text = error.to_string();
    for marker in ["VALIDATION:", "VALIDATION_REQUEST:", "VALIDATION_AS_READ:"] {
        if let Some(message) = text.strip_prefix(marker) {
            return validation(message.to_owned()).into();
        }
    }
    for marker in ["SERIALIZATION:", "SERIALIZATION_AS_READ:"] {
        if let Some(message) = text.strip_prefix(marker) {
            return ServiceError { kind: "SerializationException".into(), ..validation(message.to_owned()) }
                .into();
        }
    }
    validation(text).into()
}

/// The engine words its refusals as DynamoDB does; a failure of its own (a full disk) is none.
fn engine_error(error: DynoxideError) -> EngineError {
    let status = error.status_code();
    if status >= 500 {
        return broken(error);
    }
    serde_json::from_str(&error.to_json())
        .ok()
        .and_then(|body| ServiceError::from_body(status, &body))
        .map_or_else(|| broken(error), EngineError::from)
}

fn unknown(operation: &str) -> EngineError {
    let message = format!("{operation} is not an operation of the embedded engine");
    ServiceError { kind: "UnknownOperationException".into(), ..validation(message) }.into()
}

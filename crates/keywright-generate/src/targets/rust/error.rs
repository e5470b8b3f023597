//! The errors of methods.

use std::fmt;

use aws_sdk_dynamodb::error::SdkError;

/// Why a method failed.
#[derive(Debug)]
#[non_exhaustive]
pub enum Error {
    /// A condition of the pattern did not hold. Nothing was written.
    ConditionFailed {
        /// The pattern's id.
        pattern: &'static str,
        /// The pattern's conditions that failed, in the author's words.
        conditions: Vec<&'static str>,
        /// Whether concurrent writes made every attempt fail.
        lost_race: bool,
    },
    /// The item that a write starts from does not exist. Nothing was written.
    ItemNotFound {
        /// The pattern's id.
        pattern: &'static str,
    },
    /// A cursor that this method did not return for these inputs.
    Cursor {
        /// The pattern's id.
        pattern: &'static str,
        /// What is wrong with it.
        reason: &'static str,
    },
    /// A value that can't be part of a key.
    InvalidKey(String),
    /// An item that does not match its type.
    MalformedItem(String),
    /// DynamoDB left parts of a batch unprocessed in every attempt.
    Unprocessed {
        /// The pattern's id.
        pattern: &'static str,
    },
    /// An error from DynamoDB or the connection to it.
    Dynamodb(Box<aws_sdk_dynamodb::Error>),
}

impl Error {
    /// Whether a condition of the pattern failed.
    pub fn is_condition_failed(&self) -> bool {
        matches!(self, Error::ConditionFailed { .. })
    }

    /// Whether the item that a write starts from does not exist.
    pub fn is_item_not_found(&self) -> bool {
        matches!(self, Error::ItemNotFound { .. })
    }

    /// Whether the cursor does not belong to the call.
    pub fn is_cursor(&self) -> bool {
        matches!(self, Error::Cursor { .. })
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::ConditionFailed { pattern, lost_race: true, .. } => {
                write!(f, "{pattern}: another writer was faster")
            }
            Error::ConditionFailed { pattern, conditions, .. } if conditions.is_empty() => {
                write!(f, "{pattern}: a condition failed")
            }
            Error::ConditionFailed { pattern, conditions, .. } => write!(f, "{pattern}: {}", conditions.join("; ")),
            Error::ItemNotFound { pattern } => write!(f, "{pattern}: there is no such item"),
            Error::Cursor { pattern, reason } => write!(f, "{pattern}: the cursor {reason}"),
            Error::InvalidKey(reason) | Error::MalformedItem(reason) => f.write_str(reason),
            Error::Unprocessed { pattern } => write!(f, "{pattern}: a part of a batch was not processed"),
            Error::Dynamodb(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Error::Dynamodb(error) => Some(error.as_ref()),
            _ => None,
        }
    }
}

impl<E, R> From<SdkError<E, R>> for Error
where
    aws_sdk_dynamodb::Error: From<SdkError<E, R>>,
{
    fn from(error: SdkError<E, R>) -> Self {
        Error::Dynamodb(Box::new(error.into()))
    }
}

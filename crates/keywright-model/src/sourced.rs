//! A value together with the place in the document that it came from.

use std::ops::Deref;

use keywright_finding::Span;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A value, the words that it was read from, and whether they state it or it was inferred.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct At<T> {
    /// The value.
    pub value: T,
    /// The words that it was read from, as byte offsets into the document.
    pub span: Span,
    /// Whether the value was inferred; each such value has an [`Assumption`](crate::model::Assumption).
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub assumed: bool,
}

impl<T> At<T> {
    /// A value that the document states.
    pub const fn stated(value: T, span: Span) -> Self {
        At { value, span, assumed: false }
    }

    /// A value that the reader inferred from the words at the span.
    pub const fn assumed(value: T, span: Span) -> Self {
        At { value, span, assumed: true }
    }

    /// The same span with another value.
    pub fn map<U>(self, change: impl FnOnce(T) -> U) -> At<U> {
        At { value: change(self.value), span: self.span, assumed: self.assumed }
    }
}

impl<T> Deref for At<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.value
    }
}

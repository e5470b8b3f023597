//! Where the parts of a request stand.

use keywright_finding::Span;
use keywright_model::design::source::{OperationSource, RequestSource};

/// The places of a request, as far as they are known.
#[derive(Clone, Copy)]
pub struct RequestPlace<'d> {
    /// Of its operation.
    pub operation: Option<&'d OperationSource>,
    /// Of itself.
    pub request: Option<&'d RequestSource>,
}

impl RequestPlace<'_> {
    /// The pattern's id.
    #[must_use]
    pub fn id(self) -> Span {
        self.operation.map_or_else(Span::default, |source| source.id)
    }

    /// The name of the request's operation, else the id.
    #[must_use]
    pub fn name(self) -> Span {
        self.request.map_or_else(|| self.id(), |source| source.operation)
    }

    /// A part of the request, else its name.
    #[must_use]
    pub fn at(self, part: impl Fn(&RequestSource) -> Option<Span>) -> Span {
        self.request.and_then(part).unwrap_or_else(|| self.name())
    }

    /// An action, else the request's name.
    #[must_use]
    pub fn action(self, at: usize) -> Span {
        self.at(|source| source.actions.get(at).map(|action| action.action))
    }

    /// The condition of an action, else the action.
    #[must_use]
    pub fn condition(self, at: usize) -> Span {
        self.at(|source| {
            source.actions.get(at).map(|action| action.condition.as_ref().map_or(action.action, |it| it.span))
        })
    }
}

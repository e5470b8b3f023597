//! What was done to a document before it was designed: entities that lie in others' items, and copies.

use crate::copy::Copied;
use crate::merge::Merge;

/// What was done to a document before it was designed.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Rewriting<'r> {
    /// Children that lie in their parents' items.
    pub(crate) merges: &'r [Merge],
    /// Entities that are other entities once more.
    pub(crate) copies: &'r [Copied],
}

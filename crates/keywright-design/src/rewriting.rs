//! What was done to a document before it was designed: entities that lie in others' items, copies, and reads from lists.

use crate::copy::Copied;
use crate::merge::Merge;

/// What was done to a document before it was designed.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Rewriting<'r> {
    /// Children that lie in their parents' items.
    pub(crate) merges: &'r [Merge],
    /// Entities that are other entities once more.
    pub(crate) copies: &'r [Copied],
    /// Patterns of one kind of item that a list of several kinds answers.
    pub(crate) sifted: &'r [usize],
}

//! What is read and then dropped or reordered: allowed where a stated maximum bounds it, and nowhere else.

use keywright_dynamodb::limits::MB;

use super::Fit;
use crate::path::Path;
use crate::problem::{EntityFacts, ReadPart};

impl Fit {
    /// Whether something read is dropped or reordered afterwards.
    pub(crate) fn wastes(&self, part: &ReadPart) -> bool {
        !self.filter.is_empty()
            || !self.filter_within.is_empty()
            || self.filter_range
            || self.client_sort
            || !part.more_ranges.is_empty()
            || part.holding.is_some()
    }

    /// Whether a stated maximum bounds what is wasted on this path, if anything is.
    pub(crate) fn is_bounded(&self, entity: &EntityFacts, part: &ReadPart, path: &Path) -> bool {
        !self.wastes(part) || entity.most_matches(self.fixed(path)).is_some()
    }

    /// The largest entries of which the path may be used: of larger ones a bounded collection may pass what one request
    /// reads.
    pub(crate) fn most_bytes(&self, entity: &EntityFacts, part: &ReadPart, path: &Path) -> u64 {
        if !self.wastes(part) {
            return u64::MAX;
        }
        match entity.most_matches(self.fixed(path)) {
            Some(0) => u64::MAX,
            Some(most) => MB / most,
            None => 0,
        }
    }
}

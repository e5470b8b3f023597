//! Designs that differ in one way, of which the cheapest wins: what is proven of it takes account of all of them.

use keywright_dynamodb::Money;

use super::{Outcome, Proven};

/// A design, and the way that it was made.
pub(super) struct Tried<W> {
    pub(super) way: W,
    pub(super) outcome: Outcome,
    /// Its price; none where nothing could be designed.
    pub(super) total: Option<Money>,
}

impl<W> Tried<W> {
    pub(super) fn new(way: W, outcome: Outcome) -> Self {
        let total = outcome.design.as_ref().map(|design| design.total.bill + design.total.operational);
        Tried { way, outcome, total }
    }

    fn lower_bound(&self) -> Option<Money> {
        self.outcome.proven.map(|proven| proven.lower_bound)
    }

    /// The chosen design is no better than the lowest bound of all. Where `whole` is false, what was not tried, or not to
    /// its end, may be cheaper still. `others` names what was tried in vain.
    pub(super) fn weigh_against(&mut self, lost: &[Tried<W>], whole: bool, others: &str) {
        let bounds = lost.iter().filter_map(Tried::lower_bound).chain(self.lower_bound());
        let (Some(bound), Some(proven)) = (bounds.min(), &mut self.outcome.proven) else { return };
        let total = proven.lower_bound + proven.gap;
        let bound = if whole { bound } else { Money::ZERO };
        *proven = Proven { lower_bound: bound, gap: total - bound };
        if let Some(certificate) = &mut self.outcome.certificate {
            certificate.lower_bound = bound;
            certificate.gap = total - bound;
            certificate.optimal = total == bound;
            certificate.not_covered.push(format!("{} {others}: each was designed, and lost", lost.len()));
        }
    }
}

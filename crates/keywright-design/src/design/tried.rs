//! Designs that differ in one way, of which the cheapest wins: what is proven of it takes account of all of them.

use keywright_dynamodb::Money;
use keywright_model::Certificate;

use super::{Outcome, Proven};
use crate::certificate::{MOST_ENTRIES, entries};

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
    pub(super) fn weigh_against(&mut self, lost: &mut [Tried<W>], whole: bool, others: &str) {
        let bounds = lost.iter().filter_map(Tried::lower_bound).chain(self.lower_bound());
        let (Some(bound), Some(proven)) = (bounds.min(), &mut self.outcome.proven) else { return };
        let total = proven.lower_bound + proven.gap;
        let bound = if whole { bound } else { Money::ZERO };
        *proven = Proven { lower_bound: bound, gap: total - bound };
        if let Some(certificate) = &mut self.outcome.certificate {
            certificate.lower_bound = bound;
            certificate.gap = total - bound;
            certificate.optimal = total == bound;
            let shown: Vec<Certificate> =
                lost.iter_mut().filter_map(|it| it.outcome.certificate.take()).collect();
            show(certificate, shown, lost.len(), others);
        }
    }
}

/// Writes down beside a certificate what was proven of so many ways that lost, and says of how many nothing is shown.
fn show(certificate: &mut Certificate, lost: Vec<Certificate>, many: usize, others: &str) {
    let mut shown = 0;
    for mut other in lost {
        let Some(proof) = other.proof else { continue };
        let proofs = || certificate.proof.iter().chain(&certificate.others);
        let written: usize = proofs().chain([&proof]).chain(&other.others).map(entries).sum();
        if written > MOST_ENTRIES {
            continue;
        }
        shown += 1;
        certificate.others.push(proof);
        certificate.others.append(&mut other.others);
        // What is not shown of one of them is not shown of all.
        other.not_covered.retain(|it| !certificate.not_covered.contains(it));
        certificate.not_covered.append(&mut other.not_covered);
    }
    if shown < many {
        let rest = many - shown;
        certificate.not_covered.push(format!(
            "{rest} {others}: no design exists for them, or their prices are not in the certificate"
        ));
    }
}

//! Designs that differ in one way, of which the cheapest wins: what is proven of it takes account of all of them.

use keywright_dynamodb::Money;
use keywright_model::Certificate;

use super::{Options, Outcome, Proven};
use crate::certificate::entries;
use crate::search::Stop;

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

    /// Gives back what only the design that is chosen needs: hundreds of designs would take hundreds of megabytes.
    fn forget(&mut self) {
        let Outcome { design, findings, assumptions, frontier, additions, heat, turns, .. } =
            &mut self.outcome;
        *design = None;
        (*findings, *assumptions, *turns) = (Vec::new(), Vec::new(), Vec::new());
        (*frontier, *additions, *heat) = (Vec::new(), Vec::new(), Vec::new());
    }

    fn lower_bound(&self) -> Option<Money> {
        self.outcome.proven.map(|proven| proven.lower_bound)
    }

    /// The chosen design is no better than the lowest bound of all. Where `whole` is false, what was not tried, or not to
    /// its end, may be cheaper still. `others` names what was tried in vain.
    pub(super) fn weigh_against(
        &mut self,
        options: &Options,
        lost: &mut [Tried<W>],
        whole: bool,
        others: &str,
    ) {
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
            let most = options.certificate_tables.most_entries();
            show(certificate, shown, lost.len(), others, most);
        }
    }
}

/// Writes down beside a certificate what was proven of so many ways that lost, and says of how many nothing is shown.
fn show(
    certificate: &mut Certificate,
    lost: Vec<Certificate>,
    many: usize,
    others: &str,
    most_entries: usize,
) {
    let mut shown = 0;
    for mut other in lost {
        let Some(proof) = other.proof else { continue };
        let proofs = || certificate.proof.iter().chain(&certificate.others);
        let written: usize = proofs().chain([&proof]).chain(&other.others).map(entries).sum();
        if written > most_entries {
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

/// Designs as they are tried, one after the other, until time is up.
pub(super) struct Trials<W> {
    pub(super) tried: Vec<Tried<W>>,
    stop: Stop,
    /// Whether time was up before all were tried.
    cut: bool,
    /// Which of them is the cheapest.
    least: fn(&[Tried<W>]) -> usize,
}

impl<W> Trials<W> {
    pub(super) fn new(first: Tried<W>, stop: Stop, least: fn(&[Tried<W>]) -> usize) -> Self {
        Trials { tried: vec![first], stop, cut: false, least }
    }

    /// Tries one more way, while there is time.
    pub(super) fn add(&mut self, way: W, design: impl FnOnce(&W) -> Outcome) {
        if self.stop.now() {
            self.cut = true;
            return;
        }
        let outcome = design(&way);
        self.tried.push(Tried::new(way, outcome));
        let best = (self.least)(&self.tried);
        let lost = self.tried.iter_mut().enumerate().filter(|(at, _)| *at != best);
        lost.for_each(|(_, it)| it.forget());
    }

    /// The cheapest so far.
    pub(super) fn best(&self) -> &Tried<W> {
        &self.tried[(self.least)(&self.tried)]
    }

    /// The cheapest, those that lost, and whether all of them were tried to their end.
    pub(super) fn end(mut self) -> (Tried<W>, Vec<Tried<W>>, bool) {
        // Only what was cut short may hide something cheaper.
        let ended = !self.stop.now() || self.tried.iter().all(|it| it.outcome.proven.is_some());
        let best = (self.least)(&self.tried);
        let designs = self.tried.iter().map(|it| it.outcome.space.designs).sum();
        self.tried[best].outcome.space.designs = designs;
        (self.tried.swap_remove(best), self.tried, ended && !self.cut)
    }
}

/// Sets of things that a document may be rewritten by: how to try them.
#[derive(Clone, Copy)]
pub(super) struct Sets {
    /// So many at most are weighed in every combination; of more, each is weighed after the other.
    pub(super) together: usize,
    /// Between equals the larger set wins, not the smaller one.
    pub(super) larger_wins: bool,
    /// What those that lost are, in words.
    pub(super) others: &'static str,
}

impl Sets {
    /// The cheapest of the designs over all sets of `from`, and those that lost; `none` is the one with the empty set.
    pub(super) fn cheapest<T: Clone>(
        self,
        options: &Options,
        stop: Stop,
        none: Outcome,
        from: &[T],
        design: &dyn Fn(&[T]) -> Outcome,
    ) -> (Tried<Vec<T>>, Vec<Tried<Vec<T>>>) {
        let least = if self.larger_wins { larger } else { smaller };
        let mut trials = Trials::new(Tried::new(Vec::new(), none), stop, least);
        let together = from.len() <= self.together;
        if together {
            for some in 1u32..1 << from.len() {
                let chosen = from.iter().enumerate().filter(|(at, _)| some >> at & 1 == 1);
                trials.add(chosen.map(|(_, it)| it.clone()).collect(), |set| design(set));
            }
        } else {
            for it in from {
                let mut set = trials.best().way.clone();
                set.push(it.clone());
                trials.add(set, |set| design(set));
            }
        }
        let (mut chosen, mut lost, complete) = trials.end();
        chosen.weigh_against(options, &mut lost, together && complete, self.others);
        (chosen, lost)
    }
}

/// The cheapest, between equals the one with the larger set.
fn larger<T>(tried: &[Tried<Vec<T>>]) -> usize {
    least(tried, |set| usize::MAX - set.len())
}

/// The cheapest, between equals the one with the smaller set.
fn smaller<T>(tried: &[Tried<Vec<T>>]) -> usize {
    least(tried, Vec::len)
}

/// The cheapest, between equals the one that ranks first.
pub(super) fn least<W, R: Ord>(tried: &[Tried<W>], rank: impl Fn(&W) -> R) -> usize {
    let price = |it: &Tried<W>| (it.total.is_none(), it.total, rank(&it.way));
    (0..tried.len()).min_by_key(|at| price(&tried[*at])).unwrap_or(0)
}

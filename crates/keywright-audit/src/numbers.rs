//! What no design of a table is cheaper than, over all numbers of indexes of each kind.

use keywright_dynamodb::Money;
use keywright_dynamodb::limits::GLOBAL_SECONDARY_INDEXES;
use keywright_model::certificate::{Component, Limits, ListUse, TableProof};

use crate::room::{goes_with, needed};

/// Ways to be without lists are tried no more often than this for each number of indexes.
const MOST_STEPS: usize = 20_000;

/// What no design of a table is cheaper than, where running a GSI costs so much; none where no number of indexes works.
pub(crate) fn least(index_price: i128, table: &TableProof) -> Option<i128> {
    let crowds: Vec<(usize, &[ListUse])> =
        table.crowds.iter().map(|crowd| (needed(crowd), crowd.as_slice())).collect();
    let most = GLOBAL_SECONDARY_INDEXES;
    let sums = (0..=most).flat_map(|all| (0..=most - all).map(move |keys| (all, keys)));
    let vectors = sums.flat_map(|(all, keys)| (0..=most - all - keys).map(move |lists| [all, keys, lists]));
    let mut least: Option<i128> = None;
    for numbers in vectors {
        let new = numbers.iter().zip(&table.present).map(|(all, present)| all.saturating_sub(*present));
        let running = index_price * new.sum::<usize>() as i128;
        let below = least.map(|least| least - running);
        let mut there = Within { table, crowds: &crowds, numbers, below, steps: 0 };
        let found = there.least(&mut Vec::new()).map(|found| found + running);
        least = least.into_iter().chain(found).min();
    }
    least
}

/// Designs with so many indexes of each kind.
struct Within<'p> {
    table: &'p TableProof,
    /// Crowds of lists, each with the GSIs that it needs.
    crowds: &'p [(usize, &'p [ListUse])],
    numbers: [usize; 3],
    /// What costs as much as this does not matter.
    below: Option<i128>,
    steps: usize,
}

impl<'p> Within<'p> {
    /// What nothing is cheaper than that is without these lists; none where nothing is.
    fn least(&mut self, without: &mut Vec<&'p ListUse>) -> Option<i128> {
        let components = self.table.components.iter();
        let bounds = components.map(|component| self.bound(component, without));
        let whole = bounds.sum::<Option<i128>>()?;
        self.steps += 1;
        if self.below.is_some_and(|below| whole >= below) {
            return Some(whole);
        }
        let gone = |it: &ListUse| without.iter().any(|out| goes_with(it, out));
        let crowded =
            |(needed, crowd): &&(usize, &[ListUse])| *needed > self.numbers[2] && !crowd.iter().any(gone);
        let Some((_, crowd)) = self.crowds.iter().find(crowded).filter(|_| self.steps < MOST_STEPS) else {
            return Some(whole);
        };
        // One of them is missing.
        let mut least: Option<i128> = None;
        for it in *crowd {
            without.push(it);
            let found = self.least(without);
            without.pop();
            least = least.into_iter().chain(found).min();
        }
        least.map(|least| least.max(whole))
    }

    /// The best bound on a component that holds here: any limits that leave room bound it. None where one of them says
    /// that nothing is.
    fn bound(&self, component: &Component, without: &[&ListUse]) -> Option<i128> {
        let [all, keys, lists] = self.numbers;
        let room = |limits: &Limits| {
            limits.all.is_none_or(|it| all <= it)
                && limits.keys.is_none_or(|it| keys <= it)
                && limits.include.is_none_or(|it| lists <= it)
                && limits.total.is_none_or(|it| all + keys + lists <= it)
        };
        let gone = |it: &ListUse| without.iter().any(|out| goes_with(it, out));
        let mut best = 0;
        for bound in component.bounds.iter().filter(|it| room(&it.limits) && it.without.iter().all(gone)) {
            best = best.max(bound.least.map(Money::pico)?);
        }
        Some(best)
    }
}

//! What the calls of a read have met so far: an order shows where there are several, a bound where something lies beyond it.

use std::collections::BTreeSet;

use keywright_model::design::{Operation, Shape};
use keywright_model::model::{Input, Pattern, Read, ResultKind, Role};

use crate::check::Checker;
use crate::interpret::Inputs;
use crate::oracle::{self, Expected};

/// What was met of one read.
#[derive(Clone, Debug, Default)]
pub(crate) struct Met {
    /// An answer with records that differ in what it is in the order of.
    ordered: bool,
    /// An answer that takes more than one page where pages are small.
    paged: bool,
    /// The inputs that left out records which the other inputs select, of an answer that had others.
    bounds: BTreeSet<String>,
}

impl Checker<'_, '_> {
    /// Notes what a call of a read met.
    pub(super) fn meet(&mut self, pattern: &Pattern, read: &Read, inputs: &Inputs, expected: &Expected) {
        if expected.rows.is_empty() {
            return;
        }
        let met = self.met.entry(pattern.id.clone()).or_default();
        met.ordered |= expected.places.iter().any(|place| *place > 0);
        met.paged |= expected.rows.len() > 1;
        let open: Vec<&Input> = bounds(pattern)
            .filter(|input| inputs.contains_key(&input.name) && !met.bounds.contains(&input.name))
            .collect();
        for input in open {
            let mut without = inputs.clone();
            without.remove(&input.name);
            let all = oracle::expected(self.model, &self.world, pattern, read, &without);
            if all.rows.len() > expected.rows.len() {
                self.met.entry(pattern.id.clone()).or_default().bounds.insert(input.name.clone());
            }
        }
    }

    /// Says of a read what its calls never met: nothing was compared there.
    pub(crate) fn leave_unmet(&mut self, pattern: &Pattern, read: &Read, operation: &Operation) {
        let met = self.met.get(&pattern.id).cloned().unwrap_or_default();
        let lists = read.result.as_ref().is_none_or(|result| result.value == ResultKind::Collection);
        let tally = self.tally(&pattern.id);
        // What found nothing at all, or is wrong already, says so itself.
        if !lists || tally.telling == 0 || tally.failure.is_some() {
            return;
        }
        if !read.sort.is_empty() && !met.ordered {
            tally.leave("the order: no call found two records with different sort values");
        }
        if operation.outcome.shape == Shape::Page && !met.paged {
            tally.leave("paging: no call found more than one record");
        }
        for input in bounds(pattern).filter(|input| !met.bounds.contains(&input.name)) {
            tally.leave(format!("the bound `{}`: no call found records on both sides of it", input.name));
        }
    }
}

/// The inputs that are bounds of a range.
pub(crate) fn bounds(pattern: &Pattern) -> impl Iterator<Item = &Input> {
    pattern
        .inputs()
        .iter()
        .filter(|input| input.constant.is_none() && matches!(input.role, Role::Lower(_) | Role::Upper(_)))
}

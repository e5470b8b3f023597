//! Breaks any design in every small way there is: one operation, or one index, in one place.

mod reads;
mod writes;

use keywright_dynamodb::expression::Comparator;
use keywright_model::evidence::Outcome;
use keywright_model::{Design, Model};
use keywright_prove::engine::Embedded;
use keywright_prove::{Options, prove};

/// A design that is broken in one place.
pub(crate) struct Mutant {
    /// The pattern whose operation is broken, and how.
    pub(crate) name: String,
    pub(crate) design: Design,
    /// Why nobody could tell it from the design that it was made from, where that is so.
    pub(crate) equal: Option<&'static str>,
}

/// All mutants of a design.
pub(crate) fn mutants(model: &Model, design: &Design) -> Vec<Mutant> {
    let mut mutants = writes::mutants(model, design);
    mutants.extend(reads::mutants(model, design));
    mutants
}

/// The comparison that differs at the boundary only; none of an equality.
fn neighbour(comparator: Comparator) -> Option<Comparator> {
    match comparator {
        Comparator::Equal | Comparator::NotEqual => None,
        Comparator::Less => Some(Comparator::LessOrEqual),
        Comparator::LessOrEqual => Some(Comparator::Less),
        Comparator::Greater => Some(Comparator::GreaterOrEqual),
        Comparator::GreaterOrEqual => Some(Comparator::Greater),
    }
}

/// The patterns that a proof of a design does not hold, each with what was wrong.
pub(crate) fn found_fault_with(model: &Model, design: &Design, scale: u64, seed: u64) -> Vec<String> {
    let engine = Embedded::in_memory().expect("memory is there");
    let options = Options { scale, seed, stop_at_failure: true, shrink: false, ..Options::default() };
    let evidence = prove(model, design, &engine, &options, &mut |_| {}).expect("the engine answers");
    let failed = evidence.patterns.into_iter().filter(|pattern| pattern.outcome == Outcome::Failed);
    failed
        .map(|pattern| format!("{}: {}", pattern.id, pattern.failure.map_or_else(String::new, |it| it.check)))
        .collect()
}

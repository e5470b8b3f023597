//! The part of the certificate that others can check, and what it leaves out.

use keywright_dynamodb::Money;
use keywright_model::certificate::Proof;

use super::weighing::Weighing;
use crate::certificate::{MANY_LAYOUTS, proof, shows_less, undecided};
use crate::search::{Answer, EntityTask};

/// The proof of an answer, if there can be one, and what is not covered by it. What was weighed may have more choice than
/// heat left to the tasks; then the tables are those of the design that heat does not part, whose bound is `unheated`.
pub(super) fn shown(
    weighing: &Weighing<'_>,
    tasks: &[EntityTask<'_>],
    weighed: &[EntityTask<'_>],
    answer: &Answer,
    unheated: Option<i128>,
    most_entries: usize,
) -> (Option<Proof>, Vec<String>) {
    let mut not_covered = Vec::new();
    let bound = unheated.unwrap_or(answer.proof.lower_bound);
    let dearer = answer.proof.lower_bound - bound;
    if dearer > 0 {
        not_covered.push(format!(
            "{} of the lower bound: the search knows which collections are too hot together for one partition, and the \
             tables are of designs without that limit",
            Money::from_pico(dearer).in_cents()
        ));
    }
    match proof(tasks, weighed, weighing.month, answer, MANY_LAYOUTS, most_entries) {
        Ok((proof, missing)) => {
            not_covered.extend(shows_less(&answer.tables, bound).filter(|_| missing.is_none()));
            not_covered.extend(missing);
            not_covered.extend(undecided(weighed, &proof));
            (Some(proof), not_covered)
        }
        Err(reason) => {
            not_covered.push(reason);
            (None, not_covered)
        }
    }
}

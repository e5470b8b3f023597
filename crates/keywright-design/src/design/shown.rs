//! The part of the certificate that others can check, and what it leaves out.

use keywright_model::certificate::Proof;

use super::weighing::Weighing;
use crate::certificate::{MANY_LAYOUTS, proof, shows_less, undecided};
use crate::search::{Answer, EntityTask, KnownTable};

/// The proof of an answer, if there can be one, and what is not covered by it. What was weighed may have more choice than
/// heat left to the tasks; then the tables are those of the design that heat does not part.
pub(super) fn shown(
    weighing: &Weighing<'_>,
    tasks: &[EntityTask<'_>],
    weighed: &[EntityTask<'_>],
    answer: &mut Answer,
    unparted: Option<Vec<KnownTable>>,
) -> (Option<Proof>, Vec<String>) {
    let mut not_covered = Vec::new();
    if let Some(unparted) = unparted {
        let now = unparted.into_iter().zip(&answer.tables);
        answer.tables = now.map(|(it, now)| KnownTable { indexes: now.indexes, ..it }).collect();
        not_covered.push(
            "the cost of splitting collections that are too hot for one partition: the lower bound ignores \
             that limit"
                .to_owned(),
        );
    }
    match proof(tasks, weighed, weighing.month, answer, MANY_LAYOUTS) {
        Ok((proof, missing)) => {
            not_covered
                .extend(shows_less(&answer.tables, answer.proof.lower_bound).filter(|_| missing.is_none()));
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

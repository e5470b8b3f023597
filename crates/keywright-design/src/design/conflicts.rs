//! Transactions that meet on one item cancel each other: a finding where that happens often.

use keywright_finding::Finding;

use crate::cost::{hottest_share, write_share};
use crate::problem::{EffectAction, Problem};
use crate::rules;

/// More transactions a second on one item than this begin to cancel each other.
const MOST_ON_ONE_ITEM: u128 = 10;
/// Rates are in billionths, shares in millionths.
const SCALE: u128 = 1_000_000_000 * 1_000_000;

/// Reports items that too many transactions touch.
pub(super) fn report(problem: &Problem, findings: &mut Vec<Finding>) {
    for (at, entity) in problem.entities.iter().enumerate() {
        let identity = entity.identity_set();
        let mut rate = 0u128;
        let mut writers: Vec<&str> = Vec::new();
        for write in problem.writes.iter().filter(|write| write.transaction) {
            // What a create makes up nobody else touches, nor a version that is new.
            let new = entity.generated || entity.versions_of.is_some();
            let own = write.effects.iter().filter(|it| it.entity == at);
            let touched = own.filter(|it| !(new && it.action == EffectAction::Create));
            let touched = touched.map(|effect| write_share(entity, identity, effect));
            let checked = write.checks.iter().filter(|it| it.entity == at);
            let checked = checked.map(|_| hottest_share(entity, identity, true));
            if let Some(share) = touched.chain(checked).max() {
                rate += u128::from(write.peak.nano()) * u128::from(share);
                writers.push(&write.id);
            }
        }
        if rate > MOST_ON_ONE_ITEM * SCALE {
            findings.push(
                Finding::new(
                    &rules::TRANSACTION_CONFLICTS,
                    entity.span,
                    format!(
                        "the hottest {} takes part in {} transactions a second ({}), and concurrent \
                         transactions on one item cancel each other",
                        entity.name,
                        rate / SCALE,
                        writers.join(", ")
                    ),
                )
                .help(
                    "move the frequently changed attribute out of the transaction, or spread it over \
                       several items",
                ),
            );
        }
    }
}

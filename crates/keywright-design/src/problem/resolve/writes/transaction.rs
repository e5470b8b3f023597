//! Whether a write is a transaction, and how much of it one transaction holds.

use keywright_dynamodb::limits::TRANSACTION_ACTIONS;
use keywright_finding::Finding;
use keywright_model::model::{ConditionKind, Pattern, Transaction, Write};

use crate::problem::resolve::Remarks;
use crate::problem::{CheckFacts, EffectFacts, EntityFacts};
use crate::rules;

/// How a write is held together.
pub(super) struct Hold {
    pub(super) transaction: bool,
    /// One transaction holds all that it touches.
    pub(super) whole: bool,
}

/// Decides how a write is held together, and into how many portions its counters part it.
pub(super) fn hold(
    pattern: &Pattern,
    write: &Write,
    entities: &[EntityFacts],
    effects: &mut [EffectFacts],
    checks: &[CheckFacts],
    remarks: &mut Remarks,
) -> Hold {
    let forced = Forced::of(effects, checks);
    forced.report(pattern, write, remarks);
    let several = effects.len() > 1;
    let transaction = match write.transaction.as_ref().map(|it| it.value) {
        Some(Transaction::Yes) | None => several || forced.any(),
        Some(Transaction::No | Transaction::Batch) => forced.any(),
    };
    let most = most_items(entities, effects);
    let fits =
        most.is_some_and(|most| most.saturating_add(checks.len() as u64) <= TRANSACTION_ACTIONS as u64);
    let whole = transaction && fits && !counts_on_what_it_changes(effects);
    if !whole {
        report_parts(pattern, write, entities, effects, most, remarks);
        part(entities, effects);
    }
    Hold { transaction, whole }
}

/// What forces a write to be a transaction.
struct Forced {
    checks: bool,
    unique: bool,
    numbered: bool,
    counted: bool,
    versioned: bool,
}

impl Forced {
    fn of(effects: &[EffectFacts], checks: &[CheckFacts]) -> Self {
        Self {
            checks: !checks.is_empty(),
            unique: effects.iter().any(|it| !it.unique.is_empty()),
            numbered: effects.iter().any(|it| it.numbered_by.is_some()),
            counted: effects
                .iter()
                .any(|it| !it.adds.is_empty() && it.counts_all.is_none() || !it.begins.is_empty()),
            versioned: effects.iter().any(|it| it.versioned),
        }
    }

    fn any(&self) -> bool {
        self.checks || self.unique || self.numbered || self.counted || self.versioned
    }

    /// Tells who asked for no transaction why there is one.
    fn report(&self, pattern: &Pattern, write: &Write, remarks: &mut Remarks) {
        let Some(stated) = write.transaction.as_ref().filter(|it| it.value == Transaction::No) else {
            return;
        };
        let limits = write.conditions.iter().any(|it| matches!(it.kind, ConditionKind::AtMost { .. }));
        let why = if self.versioned {
            "it also writes a version"
        } else if self.numbered {
            "its number comes from a counter"
        } else if self.counted && limits {
            "it updates a counter"
        } else if self.unique {
            "a unique value needs an item of its own"
        } else if self.checks {
            "it checks an item that it does not change"
        } else {
            // Where only a read asks for a number, keeping it is our own choice.
            return;
        };
        let instead = if self.numbered {
            "or take the number as an input"
        } else if self.unique && !self.checks {
            "or remove `unique` from the attribute"
        } else {
            "or remove the condition"
        };
        remarks.findings.push(
            Finding::new(
                &rules::FORCED_TRANSACTION,
                stated.span,
                format!("{} has to be a transaction: {why}", pattern.id),
            )
            .help(format!("write `Yes` under Transaction, {instead}")),
        );
    }
}

/// The most items that a write touches, where anything says so.
fn most_items(entities: &[EntityFacts], effects: &[EffectFacts]) -> Option<u64> {
    effects.iter().try_fold(0_u64, |sum, effect| {
        let each = 1 + effect.unique.len() as u64;
        let items = if effect.all { entities[effect.entity].most_matches(effect.given)? } else { 1 };
        Some(sum.saturating_add(each.saturating_mul(items)))
    })
}

/// What changes an item by itself and counts on it too are two actions, and a transaction takes one.
fn counts_on_what_it_changes(effects: &[EffectFacts]) -> bool {
    effects.iter().any(|it| {
        it.counts_all.is_some()
            && effects.iter().any(|other| other.counts_all.is_none() && other.entity == it.entity)
    })
}

/// Counts down what is deleted in portions, each with its part of the number.
fn part(entities: &[EntityFacts], effects: &mut [EffectFacts]) {
    for at in 0..effects.len() {
        let Some(counted) = effects[at].counts_all else { continue };
        let child = &effects[counted];
        let with_each = 1 + child.unique.len() as u64;
        let in_one = ((TRANSACTION_ACTIONS as u64 - 1) / with_each).max(1);
        effects[at].portions = child.times(&entities[child.entity]).div_ceil(in_one).max(1);
    }
}

/// What is asked to be all or nothing, and is more than a transaction holds, is done in parts.
fn report_parts(
    pattern: &Pattern,
    write: &Write,
    entities: &[EntityFacts],
    effects: &[EffectFacts],
    most: Option<u64>,
    remarks: &mut Remarks,
) {
    let Some(stated) = write.transaction.as_ref().filter(|it| it.value == Transaction::Yes) else { return };
    let Some(all) = effects.iter().find(|effect| effect.all && effect.counts_all.is_none()) else { return };
    let name = &entities[all.entity].name;
    let items = match most {
        Some(most) if most > TRANSACTION_ACTIONS as u64 => format!("it touches up to {most} items"),
        Some(_) => "it deletes and counts down in portions".to_owned(),
        None => format!("no maximum is stated for the {name} items it touches"),
    };
    remarks.findings.push(
        Finding::new(
            &rules::TRANSACTION_IN_PARTS,
            stated.span,
            format!(
                "{} is not atomic: {items}, and a DynamoDB transaction takes {TRANSACTION_ACTIONS}",
                pattern.id
            ),
        )
        .help(format!(
            "state the maximum number of {name} items per parent, or write `Batch` under \
                       Transaction"
        )),
    );
}

//! Every condition is broken by itself: a call in which all but one are met must be refused, and the nearest one that meets
//! them all must not be.
//!
//! A write that was refused when several things were wrong says nothing of any of them. From a call that takes place, one
//! thing is made wrong: a record is put into the tables, taken out of them or altered past all operations, or the caller
//! gives something else. Numbers and instants are tried on both sides of the boundary, enumerations in all their values, so
//! that a comparison which is a little too weak or too strong is seen too. Everything is as it was afterwards.

mod base;
mod demand;
mod probe;
mod variants;

use keywright_dynamodb::value::AttributeValue;
use keywright_model::design::Request;
use keywright_model::model::{AttributeRef, ConditionKind, ConditionValue, Entity};

use crate::check::{Checked, Checker};
use crate::engine::EngineError;
use crate::image::{self, Place};
use crate::interpret::{Given, Inputs, key};
use crate::oracle::{Judgement, judge, unique_sets};
use crate::prover::Prover;
use crate::world::{Change, Record};
use crate::writing::Writing;
use base::{Base, Generated};
use demand::{Demand, Kind, demands};

/// So many calls that take place are started from, until one of them lets a condition be broken by itself.
const BASES: usize = 8;
/// No more than so many calls are made for one condition.
const MOST_CALLS: usize = 16;

/// What was seen of a condition.
#[derive(Clone, Default)]
struct Seen {
    /// It was broken by itself, and came to what it must.
    broken: bool,
    calls: usize,
    /// What was violated too when it was.
    along: Option<String>,
}

/// What a call must come to.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Expected {
    TakesPlace,
    Refused,
    /// The document does not say, but what there is must stay.
    LeftAlone,
}

impl<'a> Prover<'a, '_, '_> {
    /// Every condition of every write that took place is broken by itself, or it is said that it was not.
    pub(crate) fn break_conditions(&mut self) -> Result<(), EngineError> {
        let writings = self.writings();
        let all = writings.len() as u64;
        for (nth, writing) in writings.into_iter().enumerate() {
            if self.checker.tally(writing.id()).telling == 0 || self.checker.has_failed(writing.id()) {
                continue;
            }
            self.doing(&format!("violating the conditions of {}", writing.id()), nth as u64, all);
            let demands = demands(self.checker.model, writing);
            if !demands.is_empty() && self.checker.session.may_lag() && looks_up(writing) {
                let reason =
                    "each condition on its own: the write first reads an index, which may lag on this engine";
                self.checker.tally(writing.id()).leave(reason);
                continue;
            }
            let mut seen = vec![Seen::default(); demands.len()];
            for _ in 0..BASES {
                if seen.iter().all(|seen| seen.broken)
                    || self.is_over()
                    || self.checker.has_failed(writing.id())
                {
                    break;
                }
                let Some(base) = self.checker.base(writing) else { break };
                for (demand, seen) in demands.iter().zip(&mut seen) {
                    if !seen.broken && !self.checker.has_failed(writing.id()) {
                        self.checker.break_alone(writing, demand, &base, seen)?;
                    }
                }
            }
            if self.is_over() || self.checker.has_failed(writing.id()) {
                continue;
            }
            for (demand, seen) in demands.iter().zip(&seen) {
                if !seen.broken && demand.stated {
                    let words = &demand.words;
                    self.checker.tally(writing.id()).leave(match &seen.along {
                        Some(along) => {
                            format!("\"{words}\" on its own: whatever violates it also violates \"{along}\"")
                        }
                        None => format!(
                            "\"{words}\": no call violates only this condition; remove it if it always \
                             holds, or list the other values"
                        ),
                    });
                }
            }
        }
        Ok(())
    }
}

impl<'a> Checker<'a, '_> {
    /// Makes the calls that break one condition, and those beside them that do not.
    fn break_alone(
        &mut self,
        writing: Writing<'a>,
        demand: &Demand<'a>,
        base: &Base,
        seen: &mut Seen,
    ) -> Result<(), EngineError> {
        self.world.apply(self.model, &base.setting);
        let variants = self.variants(writing, demand, base);
        self.world.revert(self.model, &base.setting);
        for variant in variants {
            if seen.calls == MOST_CALLS || self.has_failed(writing.id()) {
                break;
            }
            let setting: Vec<Change> = base.setting.iter().chain(&variant.setting).cloned().collect();
            self.world.apply(self.model, &setting);
            let expected = self.expected(writing, demand, &variant.inputs, &base.generated);
            let along = match expected {
                Some(_) => None,
                None => self.violated_along(writing, demand, &variant.inputs, &base.generated),
            };
            seen.along = seen.along.take().or(along);
            self.world.revert(self.model, &setting);
            let Some(expected) = expected else { continue };
            seen.calls += 1;
            let called = self.in_scene(&setting, |checker| {
                checker.call_in(writing, &setting, &variant.inputs, base, expected)
            });
            let first = matches!(demand.kind, Kind::First(_));
            seen.broken |= called? && (expected != Expected::TakesPlace || first);
        }
        Ok(())
    }

    /// What a call must come to, where it tells something of a condition: it takes place, or only that condition is in its
    /// way.
    fn expected(
        &self,
        writing: Writing<'a>,
        demand: &Demand<'a>,
        inputs: &Inputs,
        generated: &Generated,
    ) -> Option<Expected> {
        let beside = matches!(demand.kind, Kind::Beside(..));
        let fails = match judge(self.model, &self.world, writing, inputs, generated) {
            Judgement::Holds { changes, .. } if !changes.is_empty() => return Some(Expected::TakesPlace),
            Judgement::Holds { .. } if beside => return Some(Expected::Refused),
            Judgement::Unclear if beside => return Some(Expected::LeftAlone),
            Judgement::Fails(why) => why,
            _ => return None,
        };
        let alone = match &demand.open {
            Some(open) => {
                let open = Writing { pattern: open, write: open.write()?, ..writing };
                match judge(self.model, &self.world, open, inputs, generated) {
                    // What the document says elsewhere too is the same condition.
                    Judgement::Fails(why) => demand.says(&why),
                    _ => true,
                }
            }
            // What the document does not state is asked after all that it does.
            None => demand.says(&fails),
        };
        alone.then_some(Expected::Refused)
    }

    /// The condition that a call violates beside this one, where it violates this one.
    fn violated_along(
        &self,
        writing: Writing<'a>,
        demand: &Demand<'a>,
        inputs: &Inputs,
        generated: &Generated,
    ) -> Option<String> {
        let Judgement::Fails(first) = judge(self.model, &self.world, writing, inputs, generated) else {
            return None;
        };
        let open = demand.open.as_ref().filter(|_| first == demand.words || demand.says(&first))?;
        let open = Writing { pattern: open, write: open.write()?, ..writing };
        match judge(self.model, &self.world, open, inputs, generated) {
            Judgement::Fails(other) => Some(other),
            _ => None,
        }
    }

    /// Makes the call in the scene; says whether it came to what it must.
    fn call_in(
        &mut self,
        writing: Writing<'a>,
        setting: &[Change],
        inputs: &Inputs,
        base: &Base,
        expected: Expected,
    ) -> Result<bool, EngineError> {
        if expected == Expected::LeftAlone {
            return self.check_left_alone(writing, setting, inputs, base);
        }
        let checked = self.check_write_with(writing, inputs, base.generated.clone(), false)?;
        Ok(matches!(checked, Checked::Held(_) | Checked::Refused))
    }

    /// Runs a call that names something else than what there is, or creates what is there, of which the document does not
    /// say what comes of it: whatever that is, what there is stays as it is.
    fn check_left_alone(
        &mut self,
        writing: Writing<'a>,
        setting: &[Change],
        inputs: &Inputs,
        base: &Base,
    ) -> Result<bool, EngineError> {
        let mut meant: Vec<Place> = Vec::new();
        let meant_first = base.changes.iter().map(|change| (&change.entity, &change.before));
        let placed = setting.iter().map(|change| (&change.entity, &change.after));
        for (entity, record) in meant_first.chain(placed) {
            let Some(record) = record else { continue };
            let stored = image::of_record(self.model, self.design, &self.world, entity, record);
            meant.extend(stored.unwrap_or_default().into_keys());
        }
        let touched = self.run_unjudged(writing, inputs, base.generated.clone(), &meant)?;
        if let Some(touched) = &touched {
            let expected = "an existing item that the caller does not mean stays unchanged";
            self.fail(writing.id(), "condition", inputs, expected, touched);
        }
        Ok(touched.is_none())
    }
}

/// The attribute that a condition speaks of.
fn asked(kind: &ConditionKind) -> Option<&AttributeRef> {
    match kind {
        ConditionKind::Compare { attribute, .. }
        | ConditionKind::OneOf { attribute, .. }
        | ConditionKind::Held { attribute, .. } => Some(attribute),
        _ => None,
    }
}

/// What a condition compares an attribute of a record with.
fn compared(kind: &ConditionKind, record: &Record, inputs: &Inputs) -> Vec<AttributeValue> {
    match kind {
        ConditionKind::Compare { value, .. } => {
            let other = match value {
                ConditionValue::Literal(literal) => Some(key::literal(literal)),
                ConditionValue::Input(name) => inputs.get(name).and_then(Given::one).cloned(),
                ConditionValue::Attribute(name) => record.get(name).cloned(),
            };
            other.into_iter().collect()
        }
        ConditionKind::OneOf { values, .. } => values.iter().map(key::literal).collect(),
        _ => Vec::new(),
    }
}

/// A record with another value of an attribute, or none; none where that is what it is, or tells which record it is.
fn altered(entity: &Entity, record: &Record, name: &str, value: Option<AttributeValue>) -> Option<Change> {
    let mut after = record.clone();
    match value {
        Some(value) => after.insert(name.to_owned(), value),
        None => after.remove(name),
    };
    let identifies = entity.identity_names().any(|identity| identity == name);
    let unique = unique_sets(entity).iter().flatten().any(|it| it == name);
    (!identifies && !unique).then(|| Change {
        entity: entity.name.clone(),
        before: Some(record.clone()),
        after: Some(after),
    })
}

/// Whether a write reads an index before it writes.
fn looks_up(writing: Writing<'_>) -> bool {
    writing.operation.requests.iter().any(|it| matches!(it, Request::Query(query) if query.index.is_some()))
}

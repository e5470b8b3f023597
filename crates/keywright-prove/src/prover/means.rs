//! Means: what a write spends is there before, through the document's own writes that add to it. Where every account is
//! opened with nothing, nobody could transfer more than nothing, and no read would find two different amounts.

use keywright_dynamodb::expression::Comparator;
use keywright_dynamodb::number::Number;
use keywright_dynamodb::value::AttributeValue;
use keywright_model::model::{Action, AttributeRef, ConditionKind, ConditionValue, Role, Step, Write};

use crate::engine::EngineError;
use crate::inputs::{self, Flavour};
use crate::interpret::{Given, Inputs};
use crate::oracle::bearers;
use crate::prover::Prover;
use crate::prover::limits::giving;
use crate::world::Record;
use crate::writing::Writing;

/// Whoever has less than this is given more.
const LITTLE: u64 = 1_000;
/// How many calls are drawn for one that gives something.
const DRAWS: usize = 4;

impl<'a> Prover<'a, '_, '_> {
    /// Gives the records that a call would spend from something to spend, where a write of the document can.
    pub(crate) fn provide(&mut self, writing: Writing<'a>, inputs: &Inputs) -> Result<(), EngineError> {
        let checker = &self.checker;
        let generated = checker.maker.clone().all(&writing.operation.generated);
        let mut poor: Vec<(&AttributeRef, Record)> = Vec::new();
        for (kind, spent) in spends(writing.write) {
            let bearing = bearers(checker.model, &checker.world, writing, inputs, &generated, kind);
            let has_little = |record: &Record| {
                let number = record.get(&spent.attribute).and_then(AttributeValue::as_n);
                number.is_none_or(|number| *number < Number::from(LITTLE))
            };
            poor.extend(bearing.into_iter().filter(has_little).map(|record| (spent, record)));
        }
        for (spent, record) in poor {
            for giver in self.writings() {
                if self.give_means(giver, spent, &record)? {
                    break;
                }
            }
        }
        Ok(())
    }

    /// Lets a write add to a number of a record; whether it does.
    fn give_means(
        &mut self,
        giver: Writing<'a>,
        spent: &AttributeRef,
        record: &Record,
    ) -> Result<bool, EngineError> {
        let model = self.checker.model;
        let (Some(amount), Some(owner)) = (amount_added(giver, spent), model.entity(&spent.entity)) else {
            return Ok(false);
        };
        if spends(giver.write).next().is_some() || self.checker.has_failed(giver.id()) {
            return Ok(false);
        }
        let identity: Record = owner
            .identity_names()
            .filter_map(|name| Some((name.to_owned(), record.get(name)?.clone())))
            .collect();
        let mut fixed = giving(model, giver.pattern, &owner.name, &identity);
        let largest = owner.attribute(&spent.attribute).and_then(|it| it.max.as_ref()).map(|max| max.value);
        let given = giver.pattern.inputs().iter().find(|input| input.name == amount);
        let most = given.and_then(|input| inputs::largest(model, input)).unwrap_or(u64::MAX);
        let half = largest.map_or(LITTLE * 10, |largest| largest / 2).min(most);
        // Much and little in turn, so that both small and large amounts can be spent.
        let much = self.checker.values.turn(&spent.attribute) % 2 == 1;
        let value = if much { half } else { half.min(LITTLE) };
        fixed.insert(amount.to_owned(), Given::One(AttributeValue::N(Number::from(value))));
        for _ in 0..DRAWS {
            let Some(made) = self.checker.inputs_of(giver, Flavour::Within(&fixed)) else { break };
            if self.checker.foretell(giver, &made).changes_something() {
                self.checker.check_write(giver, &made, false)?;
                return Ok(true);
            }
        }
        Ok(false)
    }
}

/// The conditions by which a write asks for at least as much of a number as the caller gives.
pub(crate) fn spends(write: &Write) -> impl Iterator<Item = (&ConditionKind, &AttributeRef)> {
    write.conditions.iter().filter_map(|condition| match &condition.kind {
        kind @ ConditionKind::Compare {
            attribute,
            comparator: Comparator::GreaterOrEqual | Comparator::Greater,
            value: ConditionValue::Input(_),
        } => Some((kind, attribute)),
        _ => None,
    })
}

/// The input that says how much a write adds to a number.
fn amount_added<'a>(giver: Writing<'a>, to: &AttributeRef) -> Option<&'a str> {
    let added = giver.write.effects.iter().find_map(|effect| match &effect.action {
        Action::Add { attribute, by: Step::Input(name) }
            if effect.entity == to.entity && *attribute == to.attribute =>
        {
            Some(name.as_str())
        }
        _ => None,
    });
    added.or_else(|| {
        let mut inputs = giver.pattern.inputs().iter().filter(|input| input.role == Role::Increment);
        let bound = inputs.find(|input| {
            input.binds.iter().any(|it| it.entity == to.entity && it.attribute == to.attribute)
        });
        bound.map(|input| input.name.as_str())
    })
}

//! Leads records into the states that writes want: a write that was refused every time is not proven by that.
//!
//! What a write's conditions want is looked for backwards: the writes that set it are called on the records that are
//! nearest to the state, and where those are refused too, the writes that they need.

use keywright_dynamodb::value::AttributeValue;
use keywright_model::Model;
use keywright_model::model::{Action, AttributeRef, ConditionKind, Role, Write};

use crate::check::Checked;
use crate::engine::EngineError;
use crate::inputs::{Flavour, Lead};
use crate::interpret::{Inputs, key};
use crate::oracle::{Judgement, binding, initial, is_met};
use crate::prover::Prover;
use crate::world::{Change, Record};
use crate::writing::Writing;

/// So many times all writes that may help are called.
const ROUNDS: usize = 32;
/// So many writes may have to come one after the other, each a condition of the next.
const DEPTH: usize = 5;
/// So many inputs are looked at for some that let a write change something.
const SEARCHED: usize = 30;
/// So many calls are looked for to lead to one write.
const BUDGET: usize = 400;

/// A call that took place: its inputs and what they changed.
type Took = (Inputs, Vec<Change>);

impl<'a> Prover<'a, '_, '_> {
    /// Every write that never took place is given records in the state that it wants, where other writes lead there.
    pub(crate) fn lead(&mut self, writings: &[Writing<'a>]) -> Result<(), EngineError> {
        for writing in writings.iter().copied() {
            let checker = &mut self.checker;
            if checker.has_failed(writing.id()) || checker.tally(writing.id()).telling > 0 || self.is_over() {
                continue;
            }
            let mut search = Search { writings, path: Vec::new(), left: BUDGET };
            if let Some((made, changes)) = self.lead_to(writing, &mut search)? {
                self.look_after(writing, &made, &changes, true)?;
                self.race_alike(writing)?;
            }
        }
        Ok(())
    }

    /// Calls a write, after others that make it possible; none where no way is found.
    fn lead_to(
        &mut self,
        target: Writing<'a>,
        search: &mut Search<'_, 'a>,
    ) -> Result<Option<Took>, EngineError> {
        if let Some(took) = self.attempt(target, Lead::default(), search)? {
            return Ok(Some(took));
        }
        if search.path.len() == DEPTH {
            return Ok(None);
        }
        let (setting, others) = search.helpers(self.checker.model, target);
        search.path.push(target.id());
        let mut took = true;
        for round in 0..ROUNDS {
            // What sets the state comes first; what only concerns the same records comes where that did not do.
            let also: &[Writing<'a>] = if round < ROUNDS / 2 && took { &[] } else { &others };
            took = false;
            for helper in setting.iter().chain(also).copied() {
                let toward = Lead { toward: Some(target.write), recent: &[] };
                let mut helped = self.attempt(helper, toward, search)?;
                if helped.is_none() && round == 0 {
                    helped = self.lead_to(helper, search)?;
                }
                let Some((_, recent)) = helped else { continue };
                took = true;
                let lead = Lead { toward: None, recent: &recent };
                if let Some(took) = self.attempt(target, lead, search)? {
                    search.path.pop();
                    return Ok(Some(took));
                }
            }
            if search.left == 0 {
                break;
            }
        }
        search.path.pop();
        Ok(None)
    }

    /// Calls a write on the nearest record that lets it change something; none where none does.
    fn attempt(
        &mut self,
        writing: Writing<'a>,
        lead: Lead<'_>,
        search: &mut Search<'_, 'a>,
    ) -> Result<Option<Took>, EngineError> {
        if search.left == 0 || self.checker.has_failed(writing.id()) {
            return Ok(None);
        }
        search.left -= 1;
        for _ in 0..SEARCHED {
            let Some(made) = self.checker.inputs_of(writing, Flavour::Led(lead)) else { break };
            match self.checker.foretell(writing, &made) {
                Judgement::Fails(condition) => self.checker.tally(writing.id()).refused = Some(condition),
                foretold if foretold.changes_something() => {
                    let checked = self.checker.check_write(writing, &made, true)?;
                    return Ok(match checked {
                        Checked::Held(changes) => Some((made, changes)),
                        _ => None,
                    });
                }
                _ => {}
            }
        }
        Ok(None)
    }
}

/// How far the search for a way has come.
struct Search<'s, 'a> {
    writings: &'s [Writing<'a>],
    /// The ids of the writes that wait for what is looked for now.
    path: Vec<&'a str>,
    /// How many calls may still be looked for.
    left: usize,
}

impl<'a> Search<'_, 'a> {
    /// The writes that set what a write wants, and those that change what it depends on in another way.
    fn helpers(&self, model: &Model, target: Writing<'a>) -> (Vec<Writing<'a>>, Vec<Writing<'a>>) {
        let free = |it: &&Writing<'a>| it.id() != target.id() && !self.path.contains(&it.id());
        let concerned = self.writings.iter().filter(free).filter(|it| it.meets(&target)).copied();
        let sets =
            |it: &Writing<'a>| target.write.conditions.iter().any(|wanted| sets(model, *it, &wanted.kind));
        let (setting, mut others): (Vec<_>, Vec<_>) = concerned.partition(sets);
        // None of those that take away what was led so far.
        others.retain(|it| !target.write.effects.iter().any(|effect| deletes(it.write, &effect.entity)));
        (setting, others)
    }
}

/// Whether a write may bring about what a condition wants.
fn sets(model: &Model, writing: Writing<'_>, condition: &ConditionKind) -> bool {
    match condition {
        ConditionKind::Compare { attribute, .. } | ConditionKind::OneOf { attribute, .. } => {
            gives(model, writing, attribute, condition)
        }
        ConditionKind::Held { attribute, held: false } => writing.creates(&attribute.entity),
        ConditionKind::Held { attribute, held: true } => writing
            .write
            .effects
            .iter()
            .any(|it| it.entity == attribute.entity && it.attributes.contains(&attribute.attribute)),
        ConditionKind::Exists { entity } => writing.creates(entity),
        ConditionKind::NotExists { entity } | ConditionKind::AtMost { entity, .. } => {
            deletes(writing.write, entity)
        }
        ConditionKind::Unique { .. } | ConditionKind::Words => false,
    }
}

/// Whether a write gives an attribute a value that a condition on it wants, or may.
fn gives(model: &Model, writing: Writing<'_>, attribute: &AttributeRef, wanted: &ConditionKind) -> bool {
    let AttributeRef { entity, attribute } = attribute;
    let fits = |value: AttributeValue| {
        let record = Record::from([(attribute.clone(), value)]);
        is_met(model, wanted, &record, &Inputs::new()) != Some(false)
    };
    let adds = writing.write.effects.iter().any(|effect| {
        effect.entity == *entity
            && matches!(&effect.action, Action::Add { attribute: added, .. } if added == attribute)
    });
    let creates = writing.creates(entity);
    let mut assigning = writing.pattern.inputs().iter().filter(|input| {
        let role = input.role == Role::NewValue || creates && input.role == Role::Equal;
        role && binding(model, input, entity) == Some(attribute)
    });
    match assigning.next() {
        Some(input) => input.constant.as_ref().is_none_or(|constant| fits(key::literal(constant))),
        None => adds || creates && initial(model, entity, attribute).is_some_and(fits),
    }
}

/// Whether a write deletes records of an entity.
fn deletes(write: &Write, entity: &str) -> bool {
    write.effects.iter().any(|effect| effect.entity == entity && matches!(effect.action, Action::Delete))
}

//! Which writes are raced against each other, and with which inputs.

use std::collections::BTreeMap;

use keywright_model::model::{Pattern, Role};

use crate::check::{Checker, Contender};
use crate::engine::EngineError;
use crate::inputs::Flavour;
use crate::interpret::Inputs;
use crate::oracle::{Judgement, binding, judge};
use crate::prover::Prover;
use crate::writing::Writing;

/// How often two different writes meet, with other inputs each time.
const MEETINGS: usize = 3;
/// How many calls are drawn for one that finds much to delete, …
const DRAWS: usize = 16;
/// … yet not more than so many records, where there are calls that find fewer: all of them go and come back for every
/// order of the requests.
const MUCH: usize = 60;

impl<'a> Prover<'a, '_, '_> {
    /// Two calls of one write at once: the same one twice, two different ones, and two that want the same record to become
    /// something else.
    pub(crate) fn race_alike(&mut self, writing: Writing<'a>) -> Result<(), EngineError> {
        for flavours in [[Flavour::Fresh, Flavour::Fresh], [Flavour::Fresh, Flavour::Taken]] {
            let [one, other] = flavours.map(|flavour| self.fit(writing, flavour));
            let Some(one) = one else { continue };
            let on_the_same = other.clone().map(|other| self.on_the_same(&one, other));
            let different = |other: &Contender<'_>| other.inputs != one.inputs;
            let on_the_same = on_the_same.filter(|it| flavours[1] == Flavour::Fresh && different(it));
            for other in [Some(one.clone()), other, on_the_same].into_iter().flatten() {
                if !self.checker.has_failed(writing.id()) {
                    self.checker.check_race([one.clone(), other])?;
                }
            }
        }
        Ok(())
    }

    /// Every two writes that concern the same records, on the same record: a create and a delete, two updates.
    pub(crate) fn race_others(&mut self) -> Result<(), EngineError> {
        let writings = self.writings();
        for (at, writing) in writings.iter().enumerate() {
            self.doing(&format!("racing {}", writing.id()), at as u64, writings.len() as u64);
            for other in &writings[at + 1..] {
                for _ in 0..MEETINGS {
                    let failed = [writing, other].iter().any(|it| self.checker.has_failed(it.id()));
                    if failed || self.is_over() || !writing.meets(other) {
                        break;
                    }
                    let [one, other] = [writing, other].map(|it| self.fit(*it, Flavour::Fresh));
                    let (Some(mut one), Some(mut other)) = (one, other) else { break };
                    // What deletes all that is there has chosen well: the other one comes to it.
                    if other.writing.deletes_all() {
                        self.bring_together(&other, &mut one);
                    } else {
                        self.bring_together(&one, &mut other);
                    }
                    self.checker.check_race([one, other])?;
                }
            }
        }
        Ok(())
    }

    /// A call with inputs of a kind; one that deletes all of something finds much.
    fn fit(&mut self, writing: Writing<'a>, flavour: Flavour<'_>) -> Option<Contender<'a>> {
        if !writing.deletes_all() {
            return self.contender(writing, flavour);
        }
        let mut best: Option<(usize, Contender<'a>)> = None;
        for _ in 0..DRAWS {
            let Some(contender) = self.contender(writing, flavour) else { continue };
            let Checker { model, world, .. } = &self.checker;
            let judged = judge(model, world, writing, &contender.inputs, &BTreeMap::new());
            let found = if let Judgement::Holds { changes, .. } = judged { changes.len() } else { 0 };
            // Up to what is much the more the better, beyond it the fewer.
            let worth = |found: usize| if found <= MUCH { (1, found) } else { (0, usize::MAX - found) };
            if best.as_ref().is_none_or(|(so_far, _)| worth(found) > worth(*so_far)) {
                best = Some((found, contender));
            }
        }
        best.map(|(_, contender)| contender)
    }

    fn contender(&mut self, writing: Writing<'a>, flavour: Flavour<'_>) -> Option<Contender<'a>> {
        let inputs = self.checker.inputs_of(writing, flavour)?;
        Some(Contender { writing, inputs })
    }

    /// Gives one call the other's records, and leaves it what it wants them to become.
    fn on_the_same(&self, one: &Contender<'_>, mut other: Contender<'a>) -> Contender<'a> {
        self.bring_together(one, &mut other);
        other
    }

    /// Gives one writer the other's records: where both name what identifies a record, they name the same.
    fn bring_together(&self, one: &Contender<'_>, other: &mut Contender<'_>) {
        let model = self.checker.model;
        for entity in &model.entities {
            let named = |pattern: &Pattern, inputs: &Inputs, attribute: &str| {
                pattern
                    .inputs()
                    .iter()
                    .filter(|input| {
                        input.role == Role::Equal && !input.list && inputs.contains_key(&input.name)
                    })
                    .find(|input| binding(model, input, &entity.name) == Some(attribute))
                    .map(|input| input.name.clone())
            };
            for attribute in entity.identity_names() {
                let mine = named(one.writing.pattern, &one.inputs, attribute);
                let theirs = named(other.writing.pattern, &other.inputs, attribute);
                if let (Some(mine), Some(theirs)) = (mine, theirs)
                    && let Some(given) = one.inputs.get(&mine)
                {
                    other.inputs.insert(theirs, given.clone());
                }
            }
        }
    }
}

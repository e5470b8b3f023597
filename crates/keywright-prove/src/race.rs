//! Which writes are raced against each other, and with which inputs.

use std::collections::BTreeMap;

use keywright_model::model::{Action, Effect, Input, Pattern, Role};

use crate::check::{Checker, Contender};
use crate::engine::EngineError;
use crate::inputs::Flavour;
use crate::interpret::Inputs;
use crate::oracle::{Judgement, binding, judge};
use crate::prover::Prover;
use crate::world::Change;
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
        self.race_parts(writing)?;
        self.race_bare(writing)
    }

    /// Two calls of one write at once on the same records, of which one gives one of the values that may be left out and the
    /// other one gives the rest.
    fn race_parts(&mut self, writing: Writing<'a>) -> Result<(), EngineError> {
        let may_lack = |input: &&Input| input.optional && input.role == Role::NewValue;
        let optional: Vec<&Input> = writing.pattern.inputs().iter().filter(may_lack).collect();
        if optional.len() < 2 {
            return Ok(());
        }
        let drawn = (0..DRAWS).filter_map(|_| self.contender(writing, Flavour::Fresh)).collect::<Vec<_>>();
        let Some(first) = drawn.first() else { return Ok(()) };
        for part in &optional {
            let mut halves = [first.clone(), first.clone()];
            for input in &optional {
                let half = usize::from(input.name == part.name);
                halves[1 - half].inputs.remove(&input.name);
                let given = drawn.iter().filter_map(|it| it.inputs.get(&input.name));
                let [one, other] = [given.clone().next(), given.clone().next_back()];
                let given = if half == 1 { one } else { other };
                halves[half].inputs.extend(given.map(|it| (input.name.clone(), it.clone())));
            }
            if !self.checker.has_failed(writing.id()) {
                self.checker.check_race(halves)?;
            }
        }
        Ok(())
    }

    /// Two calls of one write at once on records that lack whatever they may.
    fn race_bare(&mut self, writing: Writing<'a>) -> Result<(), EngineError> {
        if writing.operation.requests.len() < 2 || self.checker.has_failed(writing.id()) {
            return Ok(());
        }
        let Some(base) = self.checker.base(writing) else { return Ok(()) };
        let Some(bare) = self.checker.bare(writing, &base) else { return Ok(()) };
        let contender = Contender { writing, inputs: bare.inputs };
        self.checker
            .in_scene(&bare.setting, |checker| checker.check_race([contender.clone(), contender.clone()]))
    }

    /// Every two writes that concern the same records, on the same record: a create and a delete, two updates.
    pub(crate) fn race_others(&mut self) -> Result<(), EngineError> {
        let writings = self.writings();
        for (at, writing) in writings.iter().enumerate() {
            self.doing(&format!("racing {}", writing.id()), at as u64, writings.len() as u64);
            for other in &writings[at + 1..] {
                for meeting in 0..MEETINGS {
                    let failed = [writing, other].iter().any(|it| self.checker.has_failed(it.id()));
                    if failed || self.is_over() || !writing.meets(other) {
                        break;
                    }
                    let [one, other] = [writing, other].map(|it| self.fit(*it, Flavour::Fresh));
                    let (Some(mut one), Some(mut other)) = (one, other) else { break };
                    // What deletes all that is there has chosen well: the other one comes to it.
                    let (chosen, comes) = match other.writing.deletes_all() {
                        true => (&mut other, &mut one),
                        false => (&mut one, &mut other),
                    };
                    let setting = if meeting + 1 == MEETINGS { self.set_for(chosen) } else { Vec::new() };
                    self.bring_together(chosen, comes);
                    self.checker.in_scene(&setting, |checker| checker.check_race([one, other]))?;
                }
            }
        }
        Ok(())
    }

    /// What has to be made of the records for a call to take place; where it does anyway, they lose what they may lack, if
    /// something is read of them first.
    fn set_for(&mut self, chosen: &mut Contender<'a>) -> Vec<Change> {
        let checker = &mut self.checker;
        let takes_place = checker.foretell(chosen.writing, &chosen.inputs).changes_something();
        if takes_place && chosen.writing.operation.requests.len() < 2 {
            return Vec::new();
        }
        let Some(base) = checker.base(chosen.writing) else { return Vec::new() };
        let base = checker.bare(chosen.writing, &base).unwrap_or(base);
        if takes_place && base.setting.is_empty() {
            return Vec::new();
        }
        chosen.inputs = base.inputs;
        base.setting
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

    /// Gives one call the other's records, and leaves it what it wants them to become. An identifier that is made up can
    /// only come twice with all that came with it: what is created keeps its own.
    fn on_the_same(&self, one: &Contender<'_>, other: Contender<'a>) -> Contender<'a> {
        let model = self.checker.model;
        let mut same = other.clone();
        self.bring_together(one, &mut same);
        // Where nothing comes to be, all that selects says which records are meant, whether it identifies them or not.
        let comes = |it: &Effect| matches!(it.action, Action::Create | Action::Put);
        if !other.writing.write.effects.iter().any(comes) {
            for input in other.writing.pattern.inputs().iter().filter(|input| input.role == Role::Equal) {
                same.inputs.remove(&input.name);
                same.inputs.extend(one.inputs.get(&input.name).map(|it| (input.name.clone(), it.clone())));
            }
        }
        for entity in model.entities.iter().filter(|entity| other.writing.creates(&entity.name)) {
            for input in other.writing.pattern.inputs() {
                let name = binding(model, input, &entity.name);
                let made_up = name.and_then(|name| entity.attribute(name)).is_some_and(|attribute| {
                    let identifies = entity.identity_names().any(|identity| identity == attribute.name);
                    identifies && attribute.ty.is_generated_id() && attribute.reference.is_none()
                });
                if made_up && let Some(own) = other.inputs.get(&input.name) {
                    same.inputs.insert(input.name.clone(), own.clone());
                }
            }
        }
        same
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

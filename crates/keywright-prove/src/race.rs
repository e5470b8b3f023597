//! Which writes are raced against each other, and with which inputs.

use std::collections::BTreeMap;

use keywright_model::Model;
use keywright_model::model::{Entity, Input, Pattern, Role};

use crate::check::{Checker, Contender};
use crate::engine::EngineError;
use crate::inputs::{Flavour, Lead};
use crate::interpret::Inputs;
use crate::oracle::{Judgement, binding, judge};
use crate::prover::Prover;
use crate::world::{Change, Identity};
use crate::writing::Writing;

/// How often two different writes meet, with other inputs each time.
const MEETINGS: usize = 3;
/// In so many of them both change something by themselves, where such calls are found, …
const TELLING: usize = 2;
/// … among so many pairs, …
const PAIRS: usize = 12;
/// … each of them among so many calls.
const SEARCHED: usize = 24;
/// How many calls are drawn for one that finds much to delete, …
const DRAWS: usize = 16;
/// … yet not more than so many records, where there are calls that find fewer: all of them go and come back for every
/// order of the requests.
const MUCH: usize = 60;

impl<'a> Prover<'a, '_, '_> {
    /// Two calls of one write at once: the same one twice, two different ones, two that want the same record to become
    /// something else, and two that have only some of their records in common.
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
        // Who creates the same one was here already.
        let there = |entity: &&Entity| writing.touches(&entity.name) && !writing.creates(&entity.name);
        for entity in self.checker.model.entities.iter().filter(there) {
            if !self.checker.has_failed(writing.id())
                && let Some(both) = self.sharing(writing, &entity.name)
            {
                self.checker.check_race(both)?;
            }
        }
        Ok(())
    }

    /// Two calls of one write that have a record of an entity in common and nothing else, each of which changes something if
    /// it comes first.
    fn sharing(&mut self, writing: Writing<'a>, entity: &str) -> Option<[Contender<'a>; 2]> {
        if writing.deletes_all() {
            return None;
        }
        for _ in 0..PAIRS {
            let one = self.telling(writing, &Inputs::new(), None)?;
            let shared = self.naming(&one, entity);
            if shared.is_empty() {
                return None;
            }
            if let Some(other) = self.telling(writing, &shared, Some(&one)) {
                return Some([one, other]);
            }
        }
        None
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
                    // First two that both have something to do there; then any two.
                    let both = if meeting < TELLING {
                        self.both_telling(*writing, *other, meeting > 0)
                    } else {
                        None
                    };
                    if let Some(both) = both {
                        self.checker.check_race(both)?;
                        continue;
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

    /// A call of each on the same records, each of which changes something if it comes first: where there are such, on a
    /// record that gets what it did not have, or on one that gets something else than it had.
    fn both_telling(
        &mut self,
        writing: Writing<'a>,
        other: Writing<'a>,
        bare: bool,
    ) -> Option<[Contender<'a>; 2]> {
        if writing.deletes_all() || other.deletes_all() {
            return None;
        }
        let mut found = None;
        for _ in 0..PAIRS {
            let one = self.telling(writing, &Inputs::new(), None)?;
            let shared = self.shared(&one, other);
            let Some(two) = self.telling(other, &shared, None) else { continue };
            let gives = self.gives_more(&one) || self.gives_more(&two);
            found = Some([one, two]);
            if gives == bare {
                break;
            }
        }
        found
    }

    /// Whether a call gives a record that is there an attribute which it lacks.
    fn gives_more(&self, one: &Contender<'a>) -> bool {
        let Judgement::Holds { changes, .. } = self.checker.foretell(one.writing, &one.inputs) else {
            return false;
        };
        changes.iter().any(|change| {
            let (Some(before), Some(after)) = (&change.before, &change.after) else { return false };
            after.keys().any(|name| !before.contains_key(name))
        })
    }

    /// A call with those inputs that changes something as the world is, and is not the same as another one; none where none
    /// is found.
    fn telling(
        &mut self,
        writing: Writing<'a>,
        fixed: &Inputs,
        unlike: Option<&Contender<'a>>,
    ) -> Option<Contender<'a>> {
        for drawn in 0..SEARCHED {
            let flavour = match drawn {
                _ if !fixed.is_empty() => Flavour::Within(fixed),
                // Where few records will do, those that are nearest to it are looked for.
                _ if drawn * 2 >= SEARCHED => Flavour::Led(Lead::default()),
                _ => Flavour::Fresh,
            };
            let Some(inputs) = self.checker.inputs_of(writing, flavour) else { continue };
            if unlike.is_none_or(|other| other.inputs != inputs)
                && let Judgement::Holds { changes, .. } = self.checker.foretell(writing, &inputs)
                && changes.iter().any(|change| change.before != change.after)
                && !changes.iter().any(|change| self.is_orphan(change))
            {
                return Some(Contender { writing, inputs });
            }
        }
        None
    }

    /// Whether a change is about what a parent left behind when it went: nobody meets there as the document means it.
    fn is_orphan(&self, change: &Change) -> bool {
        let Checker { model, world, .. } = &self.checker;
        let Some(record) = &change.before else { return false };
        model.parents_of(&change.entity).filter(|relationship| !relationship.via.is_empty()).any(|relationship| {
            let identity: Option<Identity> =
                relationship.via.iter().map(|name| record.get(name).cloned()).collect();
            identity.is_some_and(|identity| world.get(&relationship.parent, &identity).is_none())
        })
    }

    /// The inputs by which a call names a record of an entity.
    fn naming(&self, one: &Contender<'_>, entity: &str) -> Inputs {
        let Some(entity) = self.checker.model.entity(entity) else { return Inputs::new() };
        let mut naming = Inputs::new();
        for attribute in entity.identity_names() {
            let name = self.named(one.writing.pattern, &one.inputs, &entity.name, attribute);
            match name.and_then(|name| Some((name.clone(), one.inputs.get(&name)?.clone()))) {
                Some((name, given)) => naming.insert(name, given),
                None => return Inputs::new(),
            };
        }
        naming
    }

    /// The inputs of another write that name the records of a call.
    fn shared(&self, one: &Contender<'_>, other: Writing<'a>) -> Inputs {
        let model = self.checker.model;
        let mut shared = Inputs::new();
        for entity in &model.entities {
            for attribute in entity.identity_names() {
                let mine = self.named(one.writing.pattern, &one.inputs, &entity.name, attribute);
                let given = mine.and_then(|mine| one.inputs.get(&mine));
                let theirs = naming_inputs(model, other.pattern, &entity.name, attribute).next();
                if let (Some(given), Some(theirs)) = (given, theirs) {
                    shared.insert(theirs.name.clone(), given.clone());
                }
            }
        }
        shared
    }

    /// The input that is given and identifies a record of an entity by an attribute.
    fn named(&self, pattern: &Pattern, inputs: &Inputs, entity: &str, attribute: &str) -> Option<String> {
        let mut naming = naming_inputs(self.checker.model, pattern, entity, attribute);
        naming.find(|input| inputs.contains_key(&input.name)).map(|input| input.name.clone())
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
        for entity in &self.checker.model.entities {
            for attribute in entity.identity_names() {
                let mine = self.named(one.writing.pattern, &one.inputs, &entity.name, attribute);
                let theirs = self.named(other.writing.pattern, &other.inputs, &entity.name, attribute);
                if let (Some(mine), Some(theirs)) = (mine, theirs)
                    && let Some(given) = one.inputs.get(&mine)
                {
                    other.inputs.insert(theirs, given.clone());
                }
            }
        }
    }
}

/// The inputs that say by equality what an identifying attribute of an entity is.
fn naming_inputs<'p>(
    model: &'p Model,
    pattern: &'p Pattern,
    entity: &'p str,
    attribute: &'p str,
) -> impl Iterator<Item = &'p Input> {
    let equal = pattern.inputs().iter().filter(|input| input.role == Role::Equal && !input.list);
    equal.filter(move |input| input.constant.is_none() && binding(model, input, entity) == Some(attribute))
}

//! Which writes are raced against each other, and with which inputs.

mod overtaking;

use std::collections::BTreeMap;

use keywright_model::Model;
use keywright_model::model::{Action, Effect, Entity, Input, Pattern, Role};

use crate::check::{Checker, Contender};
use crate::engine::EngineError;
use crate::inputs::{Flavour, Lead};
use crate::interpret::{Given, Inputs};
use crate::oracle::{Judgement, binding, judge};
use crate::prover::Prover;
use crate::prover::limits::giving;
use crate::world::{Change, Identity, Record};
use crate::writing::Writing;
use overtaking::Overtaking;

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
        self.race_overtaking(writing, writing)?;
        self.race_parts(writing)?;
        self.race_bare(writing)?;
        self.race_childless(writing)
    }

    /// A write that reads first, while another one changes what it read.
    fn race_overtaking(&mut self, writing: Writing<'a>, other: Writing<'a>) -> Result<(), EngineError> {
        let failed = [writing, other].iter().any(|it| self.checker.has_failed(it.id()));
        if failed || self.is_over() {
            return Ok(());
        }
        let Some(Overtaking { setting, both }) = self.overtaking(writing, other) else { return Ok(()) };
        self.checker.in_scene(&setting, |checker| checker.check_race(both))
    }

    /// Two calls at once that delete all of something that has nothing yet: no number that is kept of it is there either.
    fn race_childless(&mut self, writing: Writing<'a>) -> Result<(), EngineError> {
        if !writing.deletes_all() {
            return Ok(());
        }
        let alone = writing.write.effects.iter().filter(|it| !it.all && it.action == Action::Delete);
        for effect in alone {
            for creator in self.creators(&effect.entity) {
                if self.checker.has_failed(writing.id()) || self.checker.has_failed(creator.id()) {
                    continue;
                }
                let Some(new) = self.create(creator, &effect.entity, &Record::new())? else { continue };
                let fixed = giving(self.checker.model, writing.pattern, &effect.entity, &new);
                let Some(contender) = self.contender(writing, Flavour::Within(&fixed)) else { continue };
                self.checker.check_race([contender.clone(), contender])?;
            }
        }
        Ok(())
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
        let foretold = self.checker.foretell(writing, &first.inputs);
        let record = match &foretold {
            Judgement::Holds { changes, .. } => {
                changes.iter().find_map(|it| Some((&it.entity, it.before.as_ref()?)))
            }
            _ => None,
        };
        // What a record is already changes nothing.
        let model = self.checker.model;
        let alters = |input: &Input, given: &Given| {
            record.is_none_or(|(entity, record)| match (binding(model, input, entity), given) {
                (Some(name), Given::One(value)) => record.get(name) != Some(value),
                _ => true,
            })
        };
        for part in &optional {
            let mut halves = [first.clone(), first.clone()];
            for input in &optional {
                let half = usize::from(input.name == part.name);
                halves[1 - half].inputs.remove(&input.name);
                let mut given: Vec<&Given> =
                    drawn.iter().filter_map(|it| it.inputs.get(&input.name)).collect();
                if given.iter().any(|it| alters(input, it)) {
                    given.retain(|it| alters(input, it));
                }
                let given = if half == 1 { given.first() } else { given.last() }.copied();
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
                self.race_overtaking(*writing, *other)?;
                self.race_overtaking(*other, *writing)?;
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
        model.parents_of(&change.entity).filter(|relationship| !relationship.via.is_empty()).any(
            |relationship| {
                let identity: Option<Identity> =
                    relationship.via.iter().map(|name| record.get(name).cloned()).collect();
                identity.is_some_and(|identity| world.get(&relationship.parent, &identity).is_none())
            },
        )
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

    /// Gives one call the other's records, and leaves it what it wants them to become.
    fn on_the_same(&self, one: &Contender<'_>, mut other: Contender<'a>) -> Contender<'a> {
        self.bring_together(one, &mut other);
        // Where nothing comes to be, all that selects says which records are meant, whether it identifies them or not.
        let comes = |it: &Effect| matches!(it.action, Action::Create | Action::Put);
        if !other.writing.write.effects.iter().any(comes) {
            for input in other.writing.pattern.inputs().iter().filter(|input| input.role == Role::Equal) {
                other.inputs.remove(&input.name);
                other.inputs.extend(one.inputs.get(&input.name).map(|it| (input.name.clone(), it.clone())));
            }
        }
        other
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

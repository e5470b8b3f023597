//! Which writes are raced against each other, and with which inputs.

use std::collections::BTreeMap;

use keywright_model::design::Operation;
use keywright_model::model::{Action, ConditionKind, Pattern, Role, Write};

use crate::check::{Checker, Contender};
use crate::engine::EngineError;
use crate::inputs::{self, Flavour};
use crate::interpret::Inputs;
use crate::oracle::{Judgement, binding, judge};
use crate::prover::Prover;

/// How often two different writes meet, with other inputs each time.
const MEETINGS: usize = 3;
/// How many calls are drawn for one that finds much to delete, …
const DRAWS: usize = 16;
/// … yet not more than so many records, where there are calls that find fewer: all of them go and come back for every
/// order of the requests.
const MUCH: usize = 60;

impl<'a> Prover<'a, '_, '_> {
    /// Two calls of one write at once: the same one twice, and two different ones.
    pub(crate) fn race_alike(
        &mut self,
        pattern: &'a Pattern,
        write: &'a Write,
        operation: &'a Operation,
    ) -> Result<(), EngineError> {
        for flavours in [[Flavour::Fresh, Flavour::Fresh], [Flavour::Fresh, Flavour::Taken]] {
            let [one, other] = flavours.map(|flavour| self.fit(pattern, write, operation, flavour));
            let Some(one) = one else { continue };
            for other in std::iter::once(one.clone()).chain(other) {
                if !self.checker.has_failed(&pattern.id) {
                    self.checker.check_race([one.clone(), other])?;
                }
            }
        }
        Ok(())
    }

    /// Every two writes that concern the same records, on the same record: a create and a delete, two updates.
    pub(crate) fn race_others(&mut self) -> Result<(), EngineError> {
        let writes: Vec<(&'a Pattern, &'a Write, &'a Operation)> = self
            .served()
            .into_iter()
            .filter_map(|(pattern, operation)| Some((pattern, pattern.write()?, operation)))
            .collect();
        for (at, (pattern, write, operation)) in writes.iter().enumerate() {
            self.doing(&format!("racing {}", pattern.id), at as u64, writes.len() as u64);
            for (other, other_write, other_operation) in &writes[at + 1..] {
                for _ in 0..MEETINGS {
                    let failed = self.checker.has_failed(&pattern.id) || self.checker.has_failed(&other.id);
                    if failed || self.is_over() || !meet(write, other_write) {
                        break;
                    }
                    let one = self.fit(pattern, write, operation, Flavour::Fresh);
                    let other = self.fit(other, other_write, other_operation, Flavour::Fresh);
                    let (Some(mut one), Some(mut other)) = (one, other) else { break };
                    // What deletes all that is there has chosen well: the other one comes to it.
                    if deletes_all(other_write) {
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
    fn fit(
        &mut self,
        pattern: &'a Pattern,
        write: &'a Write,
        operation: &'a Operation,
        flavour: Flavour,
    ) -> Option<Contender<'a>> {
        if !deletes_all(write) {
            return self.contender(pattern, write, operation, flavour);
        }
        let mut best: Option<(usize, Contender<'a>)> = None;
        for _ in 0..DRAWS {
            let Some(contender) = self.contender(pattern, write, operation, flavour) else { continue };
            let Checker { model, world, .. } = &self.checker;
            let judged = judge(model, world, pattern, write, &contender.inputs, &BTreeMap::new());
            let found = if let Judgement::Holds { changes, .. } = judged { changes.len() } else { 0 };
            // Up to what is much the more the better, beyond it the fewer.
            let worth = |found: usize| if found <= MUCH { (1, found) } else { (0, usize::MAX - found) };
            if best.as_ref().is_none_or(|(so_far, _)| worth(found) > worth(*so_far)) {
                best = Some((found, contender));
            }
        }
        best.map(|(_, contender)| contender)
    }

    fn contender(
        &mut self,
        pattern: &'a Pattern,
        write: &'a Write,
        operation: &'a Operation,
        flavour: Flavour,
    ) -> Option<Contender<'a>> {
        let checker = &mut self.checker;
        let inputs = inputs::for_write(
            checker.model,
            &checker.world,
            pattern,
            write,
            operation,
            flavour,
            &mut checker.values,
        )?;
        Some(Contender { pattern, write, operation, inputs })
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
                let mine = named(one.pattern, &one.inputs, attribute);
                let theirs = named(other.pattern, &other.inputs, attribute);
                if let (Some(mine), Some(theirs)) = (mine, theirs)
                    && let Some(given) = one.inputs.get(&mine)
                {
                    other.inputs.insert(theirs, given.clone());
                }
            }
        }
    }
}

/// Whether a write deletes all that there is of something.
fn deletes_all(write: &Write) -> bool {
    write.effects.iter().any(|effect| effect.all && matches!(effect.action, Action::Delete))
}

/// Whether one write changes what the other changes or depends on.
fn meet(one: &Write, other: &Write) -> bool {
    let changes = |write: &Write, entity: &str| write.effects.iter().any(|effect| effect.entity == entity);
    let depends = |write: &Write, entity: &str| {
        write.conditions.iter().any(|condition| match &condition.kind {
            ConditionKind::Exists { entity: named } | ConditionKind::NotExists { entity: named } => {
                named == entity
            }
            ConditionKind::Unique { entity: named, .. } | ConditionKind::AtMost { entity: named, .. } => {
                named == entity
            }
            ConditionKind::Compare { attribute, .. } | ConditionKind::OneOf { attribute, .. } => {
                attribute.entity == entity
            }
            ConditionKind::Words => false,
        })
    };
    let touches = |write: &Write, entity: &str| changes(write, entity) || depends(write, entity);
    one.effects.iter().any(|effect| touches(other, &effect.entity))
        || other.effects.iter().any(|effect| touches(one, &effect.entity))
}

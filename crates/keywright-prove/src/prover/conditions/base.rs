//! Calls that take place, from which one thing is then made wrong: as they are drawn, or in a world where records were altered
//! for them, and the scenes in which such a world lasts.

use std::collections::BTreeMap;

use keywright_dynamodb::value::AttributeValue;
use keywright_model::model::{Action, ConditionKind, Effect, Role};

use super::probe::around;
use super::{altered, asked, compared};
use crate::check::Checker;
use crate::engine::EngineError;
use crate::inputs::{Flavour, Lead};
use crate::interpret::Inputs;
use crate::oracle::{Judgement, bearers, is_met, judge, said};
use crate::world::{Change, Identity, Record};
use crate::writing::Writing;

/// So many inputs are looked at for a call that takes place, …
const SEARCHED: usize = 24;
/// … and so many records are altered for one, where none is found.
const MOST_MET: usize = 6;

/// What an operation makes up, by name.
pub(super) type Generated = BTreeMap<String, AttributeValue>;

/// A call that takes place, in a world that some changes may have been made to for it.
#[derive(Clone)]
pub(crate) struct Base {
    pub(crate) setting: Vec<Change>,
    pub(crate) inputs: Inputs,
    pub(super) generated: Generated,
    /// What it changes.
    pub(super) changes: Vec<Change>,
}

impl<'a> Checker<'a, '_> {
    /// A call that takes place and changes something; where none is drawn, records are brought into the state that the
    /// conditions want.
    pub(crate) fn base(&mut self, writing: Writing<'a>) -> Option<Base> {
        let generated = self.maker.all(&writing.operation.generated);
        let mut drawn = Vec::new();
        for at in 0..SEARCHED {
            let flavour = if at % 4 == 3 { Flavour::Led(Lead::default()) } else { Flavour::Fresh };
            let Some(inputs) = self.inputs_of(writing, flavour) else { continue };
            if let Some(changes) = self.changes_of(writing, &inputs, &generated) {
                return Some(Base { setting: Vec::new(), inputs, generated, changes });
            }
            drawn.push(inputs);
        }
        drawn.into_iter().find_map(|inputs| self.met(writing, inputs, generated.clone()))
    }

    /// What a call changes; none where it does not take place, or changes nothing.
    fn changes_of(
        &self,
        writing: Writing<'_>,
        inputs: &Inputs,
        generated: &Generated,
    ) -> Option<Vec<Change>> {
        match judge(self.model, &self.world, writing, inputs, generated) {
            Judgement::Holds { changes, .. } => Some(changes).filter(|changes| !changes.is_empty()),
            _ => None,
        }
    }

    /// Alters the records that a call names until it takes place.
    fn met(&mut self, writing: Writing<'a>, inputs: Inputs, generated: Generated) -> Option<Base> {
        let mut setting: Vec<Change> = Vec::new();
        let mut found = None;
        for _ in 0..MOST_MET {
            if let Some(changes) = self.changes_of(writing, &inputs, &generated) {
                found = Some(changes);
                break;
            }
            let nearer = self.nearer(writing, &inputs, &generated);
            let Some(change) = nearer.or_else(|| self.agreeing(writing, &inputs)) else { break };
            self.world.apply(self.model, std::slice::from_ref(&change));
            setting.push(change);
        }
        self.world.revert(self.model, &setting);
        Some(Base { setting, inputs, generated, changes: found? })
    }

    /// A change to a record after which a condition on it is met that is not.
    fn nearer(&self, writing: Writing<'a>, inputs: &Inputs, generated: &Generated) -> Option<Change> {
        let model = self.model;
        writing.write.conditions.iter().find_map(|condition| {
            if let ConditionKind::NotExists { entity } = &condition.kind {
                let there = ConditionKind::Exists { entity: entity.clone() };
                let record = bearers(model, &self.world, writing, inputs, generated, &there).pop()?;
                return Some(Change { entity: entity.clone(), before: Some(record), after: None });
            }
            let named = asked(&condition.kind)?;
            let entity = model.entity(&named.entity)?;
            let attribute = entity.attribute(&named.attribute)?;
            let records = bearers(model, &self.world, writing, inputs, generated, &condition.kind);
            let unmet = |record: &&Record| is_met(model, &condition.kind, record, inputs) != Some(true);
            let record = records.iter().find(unmet)?;
            let wanted = compared(&condition.kind, record, inputs);
            let mut values: Vec<Option<AttributeValue>> = Vec::new();
            wanted.iter().for_each(|wanted| values.extend(around(attribute, Some(wanted))));
            values.extend(around(attribute, None));
            values.into_iter().find_map(|value| {
                let change = altered(entity, record, &attribute.name, value)?;
                let meets = is_met(model, &condition.kind, change.after.as_ref()?, inputs) == Some(true);
                meets.then_some(change)
            })
        })
    }

    /// A change to a record after which it holds what the caller says of it beside its identity.
    fn agreeing(&self, writing: Writing<'a>, inputs: &Inputs) -> Option<Change> {
        let (model, pattern) = (self.model, writing.pattern);
        let kept = |effect: &&Effect| !effect.all && !matches!(effect.action, Action::Create | Action::Put);
        writing.write.effects.iter().filter(kept).find_map(|effect| {
            let entity = model.entity(&effect.entity)?;
            let equal = pattern.inputs().iter().filter(|input| input.role == Role::Equal);
            let told: Record = equal
                .filter_map(|input| {
                    let name = said(model, pattern, input, &entity.name)?;
                    Some((name.to_owned(), inputs.get(&input.name)?.one()?.clone()))
                })
                .collect();
            let identity: Option<Identity> =
                entity.identity_names().map(|name| told.get(name).cloned()).collect();
            let record = self.world.get(&entity.name, &identity?)?;
            let (name, value) = told.iter().find(|(name, value)| record.get(*name) != Some(*value))?;
            altered(entity, record, name, Some(value.clone()))
        })
    }

    /// The same call in a world where the records that it changes have nothing that they may lack; none where they have
    /// nothing such, or it does not take place then.
    pub(crate) fn bare(&mut self, writing: Writing<'a>, base: &Base) -> Option<Base> {
        let model = self.model;
        let bare = base.changes.iter().filter_map(|change| {
            let entity = model.entity(&change.entity)?;
            let before = change.before.clone()?;
            let mut after = before.clone();
            let may_lack = |name: &str| entity.attribute(name).is_none_or(|it| it.is_optional());
            let identifies = |name: &str| entity.identity_names().any(|identity| identity == name);
            after.retain(|name, _| identifies(name) || !may_lack(name));
            (after != before).then(|| Change {
                entity: change.entity.clone(),
                before: Some(before),
                after: Some(after),
            })
        });
        let setting: Vec<Change> = base.setting.iter().cloned().chain(bare).collect();
        if setting.len() == base.setting.len() {
            return None;
        }
        self.world.apply(model, &setting);
        let changes = self.changes_of(writing, &base.inputs, &base.generated);
        self.world.revert(model, &setting);
        Some(Base { setting, changes: changes?, ..base.clone() })
    }

    /// Does something in a world and tables that are changed for it, past all operations. Everything is as it was afterwards.
    pub(crate) fn in_scene<T>(
        &mut self,
        setting: &[Change],
        act: impl FnOnce(&mut Self) -> Result<T, EngineError>,
    ) -> Result<T, EngineError> {
        self.world.open_scene();
        self.session.open_scene();
        let set = setting.iter().try_for_each(|change| self.store(change.clone()));
        let done = set.and_then(|()| act(self));
        self.world.close_scene(self.model);
        self.session.close_scene()?;
        done
    }
}

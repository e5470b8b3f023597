//! Versions that are kept: each write leaves one of what it leaves behind, with a number that none had before.

use keywright_dynamodb::value::AttributeValue;
use keywright_model::model::{Action, Effect, Entity, Role};

use super::Judge;
use crate::interpret::as_integer;
use crate::oracle::select::binding;
use crate::world::{Change, Record, identity};

impl<'a> Judge<'a> {
    /// The entity of which an effect keeps a version.
    pub(super) fn keeps(&self, effect: &Effect) -> Option<&'a str> {
        let original = self.model.entity(&effect.entity)?.versions_of.as_deref()?;
        let writes = |other: &Effect| other.entity == original && other.action != Action::Delete;
        (effect.action == Action::Create && self.write.effects.iter().any(writes)).then_some(original)
    }

    /// The versions that are kept of what changes; in words, why there can be none: its number is no later than the last.
    pub(super) fn versions(&self, changes: &[Change]) -> Result<Vec<Change>, String> {
        let mut kept = Vec::new();
        for effect in &self.write.effects {
            let Some(original) = self.keeps(effect) else { continue };
            let Some(entity) = self.model.entity(&effect.entity) else { continue };
            for change in changes.iter().filter(|change| change.entity == original) {
                let Some(after) = &change.after else { continue };
                let number = |record: &Record| number(self.model.entity(original)?, record);
                let last = change.before.as_ref().and_then(number);
                let there = self.world.get(&entity.name, &identity(entity, after));
                if there.is_some() || last.is_some_and(|last| number(after) <= Some(last)) {
                    return Err(format!("the version number of {original} is new"));
                }
                let (entity, after) = (entity.name.clone(), Some(after.clone()));
                kept.push(Change { entity, before: None, after });
            }
        }
        Ok(kept)
    }

    /// Whether an input gives the number of the version.
    pub(super) fn gives_version(&self, entity: &Entity) -> bool {
        let name = entity.version().map(|version| version.name.as_str());
        self.pattern.inputs().iter().any(|input| binding(self.model, input, &entity.name) == name)
    }

    /// The number that a record gets where no input and no other effect gives it: one more than it had.
    pub(super) fn next_version(&self, entity: &Entity, before: &Record) -> Option<(String, AttributeValue)> {
        let version = entity.version()?;
        let told = self.pattern.inputs().iter().any(|input| {
            matches!(input.role, Role::NewValue | Role::Increment)
                && binding(self.model, input, &entity.name) == Some(&version.name)
        });
        let adds = self.write.effects.iter().any(|effect| {
            effect.entity == entity.name
                && matches!(&effect.action, Action::Add { attribute, .. } if *attribute == version.name)
        });
        let next = number(entity, before).unwrap_or(0) + 1;
        (!told && !adds).then(|| (version.name.clone(), AttributeValue::from(next)))
    }
}

/// The number of a record's version.
fn number(entity: &Entity, record: &Record) -> Option<i64> {
    record.get(&entity.version()?.name).and_then(|value| as_integer(value.as_n()?))
}

//! What a parent leaves behind: where a delete names the parent alone, its children stay, and can still be written and
//! deleted. That must not be left to chance, which may never delete a parent before its children.

use keywright_dynamodb::value::AttributeValue;
use keywright_model::model::{Action, Effect, PatternKind, Relationship, Role};

use crate::check::Checked;
use crate::engine::EngineError;
use crate::inputs::Flavour;
use crate::interpret::{Given, Inputs};
use crate::oracle::binding;
use crate::prover::Prover;
use crate::world::{Identity, Record};
use crate::writing::Writing;

/// Among so many children one is looked for whose parent can be deleted.
const LOOKED_AT: usize = 200;

impl<'a> Prover<'a, '_, '_> {
    /// Deletes a parent for each delete that leaves children behind, and calls every write of a child that is left.
    pub(crate) fn orphans(&mut self) -> Result<(), EngineError> {
        let mut writings = self.writings();
        // What deletes a child comes after what changes it.
        writings.sort_by_key(|writing| matches!(writing.pattern.kind, PatternKind::Delete(_)));
        for delete in writings.iter().copied() {
            for relationship in &self.checker.model.relationships {
                if !leaves_behind(delete, relationship) || self.is_over() {
                    continue;
                }
                let Some(parent) = self.delete_parent(delete, relationship)? else { continue };
                for writing in writings.iter().copied() {
                    let writes = |effect: &Effect| {
                        let comes = matches!(effect.action, Action::Create | Action::Put);
                        effect.entity == relationship.child && !effect.all && !comes
                    };
                    if writing.write.effects.iter().any(writes) && !self.checker.has_failed(writing.id()) {
                        self.write_left(writing, relationship, &parent)?;
                    }
                }
            }
        }
        Ok(())
    }

    /// Deletes a parent that has children; none where no such call would take place.
    fn delete_parent(
        &mut self,
        delete: Writing<'a>,
        relationship: &Relationship,
    ) -> Result<Option<Identity>, EngineError> {
        let model = self.checker.model;
        let world = &self.checker.world;
        let of = |child: &Record| -> Option<Identity> {
            relationship.via.iter().map(|name| child.get(name).cloned()).collect()
        };
        let parents = world.records(&relationship.child).take(LOOKED_AT).filter_map(of);
        let mut parents: Vec<Identity> =
            parents.filter(|it| world.get(&relationship.parent, it).is_some()).collect();
        parents.sort();
        parents.dedup();
        for parent in parents {
            let Some(record) = self.checker.world.get(&relationship.parent, &parent).cloned() else {
                continue;
            };
            let Some(entity) = model.entity(&relationship.parent) else { return Ok(None) };
            let identity: Vec<&str> = entity.identity_names().collect();
            let given = self.naming_by(delete, &entity.name, &record, &identity);
            let Some(made) = self.checker.inputs_of(delete, Flavour::Within(&given)) else { continue };
            if self.checker.foretell(delete, &made).changes_something() {
                let checked = self.checker.check_write(delete, &made, false)?;
                let is_gone = self.checker.world.get(&relationship.parent, &parent).is_none();
                return Ok(matches!(checked, Checked::Held(_)).then_some(parent).filter(|_| is_gone));
            }
        }
        Ok(None)
    }

    /// Calls a write of a child whose parent is gone.
    fn write_left(
        &mut self,
        writing: Writing<'a>,
        relationship: &Relationship,
        parent: &Identity,
    ) -> Result<(), EngineError> {
        let world = &self.checker.world;
        let held: Vec<(&str, &[AttributeValue])> = relationship
            .via
            .iter()
            .map(String::as_str)
            .zip(parent.iter().map(std::slice::from_ref))
            .collect();
        let mut children = world.near(&relationship.child, &held);
        children.retain(|child| held.iter().all(|(name, value)| child.get(*name) == value.first()));
        let children: Vec<Record> = children.into_iter().cloned().collect();
        let Some(entity) = self.checker.model.entity(&relationship.child) else { return Ok(()) };
        let identity: Vec<&str> = entity.identity_names().collect();
        // One that the write's conditions let it change, as far as there is one.
        let mut last = None;
        for child in children {
            let given = self.naming_by(writing, &entity.name, &child, &identity);
            let Some(made) = self.checker.inputs_of(writing, Flavour::Within(&given)) else { continue };
            let changes = self.checker.foretell(writing, &made).changes_something();
            last = Some(made);
            if changes {
                break;
            }
        }
        if let Some(made) = last {
            self.checker.check_write(writing, &made, false)?;
        }
        Ok(())
    }

    /// The inputs of a write that name a record by these of its attributes.
    fn naming_by(&self, writing: Writing<'a>, entity: &str, record: &Record, names: &[&str]) -> Inputs {
        let inputs = writing.pattern.inputs().iter();
        let selecting = inputs.filter(|it| it.role == Role::Equal && it.constant.is_none() && !it.list);
        selecting
            .filter_map(|input| {
                let name = binding(self.checker.model, input, entity).filter(|it| names.contains(it))?;
                Some((input.name.clone(), Given::One(record.get(name)?.clone())))
            })
            .collect()
    }
}

/// Whether a write deletes a parent and leaves its children.
fn leaves_behind(delete: Writing<'_>, relationship: &Relationship) -> bool {
    let effects = || delete.write.effects.iter().filter(|effect| effect.action == Action::Delete);
    !relationship.via.is_empty()
        && effects().any(|effect| effect.entity == relationship.parent && !effect.all)
        && !effects().any(|effect| effect.entity == relationship.child)
}

//! A write or a delete of the document beside the operation that serves it.

use keywright_model::Design;
use keywright_model::design::Operation;
use keywright_model::model::{Action, ConditionKind, Pattern, Role, Write};

/// A write or a delete, and how the design does it.
#[derive(Clone, Copy)]
pub(crate) struct Writing<'a> {
    pub(crate) pattern: &'a Pattern,
    pub(crate) write: &'a Write,
    pub(crate) operation: &'a Operation,
}

impl<'a> Writing<'a> {
    /// A pattern that writes, where the design has an operation for it.
    pub(crate) fn of(design: &'a Design, pattern: &'a Pattern) -> Option<Self> {
        Some(Writing { pattern, write: pattern.write()?, operation: design.operation(&pattern.id)? })
    }

    /// The id of its pattern.
    pub(crate) fn id(&self) -> &'a str {
        &self.pattern.id
    }

    /// Whether it deletes all that there is of something.
    pub(crate) fn deletes_all(&self) -> bool {
        self.write.effects.iter().any(|effect| effect.all && matches!(effect.action, Action::Delete))
    }

    /// Whether it creates records of an entity.
    pub(crate) fn creates(&self, entity: &str) -> bool {
        let mut effects = self.write.effects.iter().filter(|effect| effect.entity == entity);
        effects.any(|effect| matches!(effect.action, Action::Create | Action::Put))
    }

    /// Whether it raises or lowers a number, so that the same call comes to something else each time.
    pub(crate) fn adds(&self) -> bool {
        let grows = self.pattern.inputs().iter().any(|input| input.role == Role::Increment);
        grows || self.write.effects.iter().any(|effect| matches!(effect.action, Action::Add { .. }))
    }

    /// Whether it raises or lowers this number.
    pub(crate) fn adds_to(&self, entity: &str, attribute: &str) -> bool {
        let grows = self.pattern.inputs().iter().filter(|input| input.role == Role::Increment);
        let mut bound = grows.flat_map(|input| &input.binds);
        let mut effects = self.write.effects.iter().filter(|effect| effect.entity == entity);
        bound.any(|bind| bind.entity == entity && bind.attribute == attribute)
            || effects.any(
                |effect| matches!(&effect.action, Action::Add { attribute: added, .. } if added == attribute),
            )
    }

    /// Whether it changes records of an entity.
    fn changes(&self, entity: &str) -> bool {
        self.write.effects.iter().any(|effect| effect.entity == entity)
    }

    /// Whether it changes records of an entity, or its conditions speak of them.
    pub(crate) fn touches(&self, entity: &str) -> bool {
        let depends = self.write.conditions.iter().any(|condition| match &condition.kind {
            ConditionKind::Exists { entity: named }
            | ConditionKind::NotExists { entity: named }
            | ConditionKind::Unique { entity: named, .. }
            | ConditionKind::AtMost { entity: named, .. } => named == entity,
            ConditionKind::Compare { attribute, .. }
            | ConditionKind::OneOf { attribute, .. }
            | ConditionKind::Held { attribute, .. } => attribute.entity == entity,
            ConditionKind::Words => false,
        });
        depends || self.changes(entity)
    }

    /// Whether one write changes what the other changes or depends on.
    pub(crate) fn meets(&self, other: &Writing<'_>) -> bool {
        let concerns = |one: &Writing<'_>, other: &Writing<'_>| {
            one.write.effects.iter().any(|effect| other.touches(&effect.entity))
        };
        concerns(self, other) || concerns(other, self)
    }
}

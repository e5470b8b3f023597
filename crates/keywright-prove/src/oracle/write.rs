//! What a write must do: the changes that it makes, or the condition that it fails.

mod condition;
mod effect;
mod version;

use std::collections::BTreeMap;

use keywright_dynamodb::value::AttributeValue;
use keywright_model::Model;
use keywright_model::model::{Action, ConditionKind, Effect, Pattern, Role, Transaction, Write};

use crate::interpret::{Inputs, as_integer};
use crate::oracle::select::binding;
use crate::world::{Change, Identity, Record, World, identity};
use crate::writing::Writing;

pub(crate) use condition::{declared_number, is_met, unique_sets};
pub(crate) use effect::{initial, made_names};

/// A number that is given out: the sequence, its scope, and the number.
pub(crate) type Number = (String, Identity, i64);

/// What a write must do.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Judgement {
    /// It takes place.
    Holds {
        /// What comes, changes and goes.
        changes: Vec<Change>,
        /// What is given out.
        numbers: Vec<Number>,
    },
    /// It would leave a child of what isn't there. The document does not say whether it may; where all that a parent
    /// holds is deleted meanwhile, it does.
    Orphans {
        /// What comes, changes and goes.
        changes: Vec<Change>,
        /// What is given out.
        numbers: Vec<Number>,
    },
    /// A condition fails and nothing changes.
    Fails(String),
    /// This does not hold of one of its items, but the document wants no transaction: another may be done already when that
    /// is refused.
    InParts(String),
    /// The document does not say.
    Unclear,
}

impl Judgement {
    /// Whether the write takes place and changes something.
    pub(crate) fn changes_something(&self) -> bool {
        matches!(self, Judgement::Holds { changes, .. } if !changes.is_empty())
    }
}

/// Judges a write. What the operation made up is given, since nobody can foretell an identifier.
pub(crate) fn judge(
    model: &Model,
    world: &World,
    writing: Writing<'_>,
    inputs: &Inputs,
    generated: &BTreeMap<String, AttributeValue>,
) -> Judgement {
    let Writing { pattern, write, .. } = writing;
    let judge = Judge { model, world, pattern, write, inputs, generated };
    // Nobody gets as far as the conditions.
    if judge.meets_itself() {
        return Judgement::Unclear;
    }
    let mut numbers = Vec::new();
    let stated = write.effects.iter().filter(|effect| judge.keeps(effect).is_none());
    let changes: Vec<Change> = stated.flat_map(|effect| judge.effect(effect, &mut numbers)).collect();
    if let Some(failed) = judge.failed_condition(&changes) {
        return Judgement::Fails(failed);
    }
    let lacking = |effect: &&Effect| {
        write.must_find(effect) && !changes.iter().any(|change| change.entity == effect.entity)
    };
    if let Some(effect) = write.effects.iter().find(lacking) {
        return Judgement::Fails(must_exist(&effect.entity));
    }
    // Without a transaction, what goes first may be done before what it goes with is refused.
    let apart = |it: &Transaction| matches!(it, Transaction::No | Transaction::Batch);
    let in_parts = write.transaction.as_ref().is_some_and(|it| apart(&it.value) && !it.assumed)
        && writing.operation.requests.iter().filter(|request| !request.actions().is_empty()).count() > 1;
    let refused = |words| if in_parts { Judgement::InParts(words) } else { Judgement::Fails(words) };
    if let Some(entity) = judge.updates_nothing(&changes) {
        return refused(must_exist(entity));
    }
    if judge.is_unclear(&changes) {
        return Judgement::Unclear;
    }
    let orphans =
        changes.iter().any(|change| change.before.is_none() && judge.lacks_parent(change, &changes));
    let mut changes = joined(model, changes);
    match judge.versions(&changes) {
        Ok(kept) => changes.extend(kept),
        Err(failed) => return Judgement::Fails(failed),
    }
    if let Some(entity) = judge.creates_what_is_there(&changes) {
        return refused(must_not_exist(entity));
    }
    if orphans { Judgement::Orphans { changes, numbers } } else { Judgement::Holds { changes, numbers } }
}

/// The records that a condition is asked of.
pub(crate) fn bearers(
    model: &Model,
    world: &World,
    writing: Writing<'_>,
    inputs: &Inputs,
    generated: &BTreeMap<String, AttributeValue>,
    condition: &ConditionKind,
) -> Vec<Record> {
    let Writing { pattern, write, .. } = writing;
    let entity = match condition {
        ConditionKind::Exists { entity } => entity,
        ConditionKind::Compare { attribute, .. }
        | ConditionKind::OneOf { attribute, .. }
        | ConditionKind::Held { attribute, .. } => &attribute.entity,
        _ => return Vec::new(),
    };
    let judge = Judge { model, world, pattern, write, inputs, generated };
    let stated = write.effects.iter().filter(|effect| judge.keeps(effect).is_none());
    let changes: Vec<Change> = stated.flat_map(|effect| judge.effect(effect, &mut Vec::new())).collect();
    judge.bearing(entity, condition, &changes).into_iter().cloned().collect()
}

/// What an update and a delete that counts ask of an entity, in words.
pub(crate) fn must_exist(entity: &str) -> String {
    format!("{entity} must exist")
}

/// What a create asks of an entity, in words.
pub(crate) fn must_not_exist(entity: &str) -> String {
    format!("{entity} must not exist")
}

struct Judge<'a> {
    model: &'a Model,
    world: &'a World,
    pattern: &'a Pattern,
    write: &'a Write,
    inputs: &'a Inputs,
    generated: &'a BTreeMap<String, AttributeValue>,
}

impl Judge<'_> {
    /// Whether a record that comes to be names a parent that neither exists nor comes with it.
    fn lacks_parent(&self, change: &Change, changes: &[Change]) -> bool {
        let Some(record) = &change.after else { return false };
        let comes = |parent: &str, named: &Identity| {
            let Some(entity) = self.model.entity(parent) else { return false };
            let mut comes =
                changes.iter().filter(|it| it.entity == parent).filter_map(|it| it.after.as_ref());
            comes.any(|record| identity(entity, record) == *named)
        };
        self.model.parents_of(&change.entity).filter(|relationship| !relationship.via.is_empty()).any(
            |relationship| {
                let parent = &relationship.parent;
                let named: Option<Identity> =
                    relationship.via.iter().map(|name| record.get(name).cloned()).collect();
                named.is_some_and(|it| self.world.get(parent, &it).is_none() && !comes(parent, &it))
            },
        )
    }

    /// Whether the document leaves these changes open.
    fn is_unclear(&self, changes: &[Change]) -> bool {
        // A unique value that becomes what it is: only where the pattern gives it, since others leave it alone.
        let to_itself = changes.iter().any(|change| {
            let (Some(entity), Some(before), Some(after)) =
                (self.model.entity(&change.entity), &change.before, &change.after)
            else {
                return false;
            };
            unique_sets(entity).iter().flatten().any(|name| {
                let gives = self.pattern.inputs().iter().any(|input| {
                    input.role == Role::NewValue && binding(self.model, input, &entity.name) == Some(name)
                });
                gives && before.get(name) == after.get(name)
            })
        });
        to_itself || changes.iter().any(|change| self.outgrows(change))
    }

    /// The entity of which an effect updates a record that isn't there.
    fn updates_nothing(&self, changes: &[Change]) -> Option<&str> {
        let finds_none = |effect: &&Effect| {
            let mut of_entity = changes.iter().filter(|change| change.entity == effect.entity);
            match effect.action {
                Action::Update | Action::Add { .. } if effect.named_by.is_some() => self
                    .model
                    .entity(&effect.entity)
                    .is_some_and(|entity| self.targets(entity, effect, &self.written(entity)).is_empty()),
                Action::Update | Action::Add { .. } => !effect.all && of_entity.next().is_none(),
                Action::Create | Action::Put | Action::Delete => false,
            }
        };
        self.write.effects.iter().find(finds_none).map(|effect| effect.entity.as_str())
    }

    /// The entity of which an effect creates a record that is there already.
    fn creates_what_is_there(&self, changes: &[Change]) -> Option<&str> {
        let replaced = |change: &Change| change.before.is_some() && change.after.is_some();
        let created = self.write.effects.iter().filter(|effect| effect.action == Action::Create);
        let mut taken = created
            .filter(|effect| changes.iter().any(|change| change.entity == effect.entity && replaced(change)));
        taken.next().map(|effect| effect.entity.as_str())
    }

    /// Whether two items in roles of their own are one, as where somebody pays himself: a transaction takes an item once.
    fn meets_itself(&self) -> bool {
        let stated = self.write.conditions.iter().filter_map(|it| match &it.kind {
            ConditionKind::Exists { entity } => Some(entity),
            ConditionKind::Compare { attribute, .. }
            | ConditionKind::OneOf { attribute, .. }
            | ConditionKind::Held { attribute, .. } => Some(&attribute.entity),
            _ => None,
        });
        let in_roles = self.write.effects.iter().filter(|it| it.named_by.is_some()).map(|it| &it.entity);
        stated.chain(in_roles).any(|entity| {
            let pointing = self.model.pointing(self.pattern, entity);
            let given: Vec<_> =
                pointing.iter().filter_map(|(input, _)| self.inputs.get(&input.name)).collect();
            given.iter().enumerate().any(|(at, one)| given[..at].contains(one))
        })
    }

    /// Whether a number would pass the largest that the document says there is.
    fn outgrows(&self, change: &Change) -> bool {
        let (Some(before), Some(after)) = (&change.before, &change.after) else { return false };
        let Some(entity) = self.model.entity(&change.entity) else { return false };
        let numbers = entity.attributes.iter().filter(|attribute| attribute.ty.is_numeric());
        numbers.filter_map(|attribute| Some((&attribute.name, attribute.max.as_ref()?.value))).any(
            |(name, most)| {
                let number = |record: &Record| as_integer(record.get(name)?.as_n()?);
                number(before) < number(after) && number(after).is_some_and(|it| i128::from(it) > most.into())
            },
        )
    }
}

/// Several effects on one record are one change: from what it was to what it becomes.
fn joined(model: &Model, changes: Vec<Change>) -> Vec<Change> {
    let mut joined: Vec<Change> = Vec::new();
    let mut places: BTreeMap<(String, Identity), usize> = BTreeMap::new();
    for change in changes {
        let named = model.entity(&change.entity).zip(change.before.as_ref());
        let name = named.map(|(entity, before)| (change.entity.clone(), identity(entity, before)));
        let earlier = name.as_ref().and_then(|name| places.get(name)).map(|at| &mut joined[*at]);
        let Some(earlier) = earlier else {
            places.extend(name.map(|name| (name, joined.len())));
            joined.push(change);
            continue;
        };
        let (Some(after), Some(later)) = (earlier.after.as_mut(), &change.after) else {
            earlier.after = None;
            continue;
        };
        for (name, value) in later {
            if change.before.as_ref().and_then(|before| before.get(name)) != Some(value) {
                after.insert(name.clone(), value.clone());
            }
        }
    }
    joined
}

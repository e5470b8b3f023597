//! What must hold for a write: the conditions that the document states, and that unique values are.

use keywright_dynamodb::expression::Comparator;
use keywright_dynamodb::value::AttributeValue;
use keywright_model::Model;
use keywright_model::model::{
    Action, AttributeRef, ConditionKind, ConditionValue, Effect, Entity, Input, Role, Step, Write,
};

use super::Judge;
use crate::interpret::{Inputs, as_integer, key};
use crate::oracle::order::compare_attribute;
use crate::oracle::select::{binding, select};
use crate::world::{Change, Identity, Record, identity};

/// The sets of attributes that are unique over an entity, beside its identity.
pub(crate) fn unique_sets(entity: &Entity) -> Vec<Vec<String>> {
    let mut sets: Vec<Vec<String>> = entity.unique.iter().map(|set| set.attributes.clone()).collect();
    for attribute in &entity.attributes {
        let set = vec![attribute.name.clone()];
        if attribute.unique.as_ref().is_some_and(|unique| unique.value) && !sets.contains(&set) {
            sets.push(set);
        }
    }
    let identity: Vec<String> = entity.identity_names().map(str::to_owned).collect();
    sets.retain(|set| *set != identity);
    sets
}

impl Judge<'_> {
    /// The first condition that does not hold, in words.
    pub(super) fn failed_condition(&self, changes: &[Change]) -> Option<String> {
        let stated = self.write.conditions.iter().find(|condition| !self.holds(&condition.kind, changes));
        if let Some(condition) = stated {
            return Some(condition.text.clone());
        }
        changes.iter().find_map(|change| {
            let (entity, after) = (self.model.entity(&change.entity)?, change.after.as_ref()?);
            let taken = unique_sets(entity)
                .into_iter()
                .find(|set| self.is_taken(entity, set, after, change.before.as_ref()))?;
            Some(format!("{} of {} is unique", taken.join(" and "), entity.name))
        })
    }

    fn is_taken(&self, entity: &Entity, set: &[String], record: &Record, own: Option<&Record>) -> bool {
        if !set.iter().all(|name| record.contains_key(name)) {
            return false;
        }
        let own = identity(entity, own.unwrap_or(record));
        let held: Vec<(&str, &[AttributeValue])> =
            set.iter().map(|name| (name.as_str(), std::slice::from_ref(&record[name]))).collect();
        self.world.near(&entity.name, &held).into_iter().any(|other| {
            set.iter().all(|name| other.get(name) == record.get(name)) && identity(entity, other) != own
        })
    }

    fn holds(&self, condition: &ConditionKind, changes: &[Change]) -> bool {
        match condition {
            ConditionKind::Exists { entity } => {
                let pointing = self.model.pointing(self.pattern, entity);
                match pointing.as_slice() {
                    [] | [_] => !self.named(entity, changes).is_empty(),
                    // Each that an input points to must be there.
                    several => several.iter().all(|(input, _)| !self.pointed(entity, &input.name).is_empty()),
                }
            }
            ConditionKind::NotExists { entity } => {
                let creates = changes.iter().any(|change| change.entity == *entity && change.after.is_some());
                if creates {
                    let of = changes.iter().filter(|change| change.entity == *entity);
                    of.into_iter().all(|change| change.before.is_none())
                } else {
                    self.named(entity, changes).is_empty()
                }
            }
            ConditionKind::Unique { entity, attributes } => {
                let Some(declared) = self.model.entity(entity) else { return true };
                // A new item whose identity is to be unique must not be there.
                let identity: Vec<&str> = declared.identity_names().collect();
                let creates = |it: &Effect| it.entity == *entity && it.action == Action::Create;
                let new = identity == *attributes && self.write.effects.iter().any(creates);
                changes.iter().filter(|change| change.entity == *entity).all(|change| {
                    let taken = |after| self.is_taken(declared, attributes, after, change.before.as_ref());
                    !(change.after.as_ref().is_some_and(taken) || new && change.before.is_some())
                })
            }
            ConditionKind::Compare { attribute, .. }
            | ConditionKind::OneOf { attribute, .. }
            | ConditionKind::Held { attribute, .. } => {
                let records = self.bearing(&attribute.entity, condition, changes);
                !records.is_empty() && records.iter().all(|record| self.is_met(condition, record))
            }
            ConditionKind::AtMost { entity, per, limit } => {
                let mut new = changes.iter().filter(|it| it.entity == *entity && it.before.is_none());
                // Where the document itself keeps a number for it, the limit is on that number.
                if let Some((per, number)) =
                    per.as_deref().and_then(|per| Some((per, self.model.declared_count(entity, per)?)))
                {
                    let value = |record: &Record| as_integer(record.get(number)?.as_n()?);
                    let below = |record: &&Record| value(record).unwrap_or(0) < *limit as i64;
                    return new.next().is_none() || self.named(per, changes).iter().all(below);
                }
                new.all(|change| {
                    let Some(after) = &change.after else { return true };
                    self.siblings(entity, per.as_deref(), after) < *limit
                })
            }
            ConditionKind::Words => true,
        }
    }

    /// The records of an entity that a condition is asked of.
    pub(super) fn bearing(
        &self,
        entity: &str,
        condition: &ConditionKind,
        changes: &[Change],
    ) -> Vec<&Record> {
        let Some(declared) = self.model.entity(entity) else { return Vec::new() };
        let in_roles = self.write.effects.iter().filter(|it| it.entity == entity && it.named_by.is_some());
        let bearing: Vec<&Effect> = in_roles.filter(|it| self.write.bears(it, condition)).collect();
        if bearing.is_empty() {
            return self.named(entity, changes);
        }
        let written = self.written(declared);
        bearing.into_iter().flat_map(|effect| self.targets(declared, effect, &written)).collect()
    }

    /// The records of an entity that an input points to.
    fn pointed(&self, entity: &str, input: &str) -> Vec<&Record> {
        let pattern = self.model.seen_through(self.pattern, entity, input);
        select(self.model, self.world, &pattern, entity, self.inputs, &self.beside_identity(entity))
    }

    /// The attributes of an entity that neither identify its records nor name their tenant.
    fn beside_identity(&self, entity: &str) -> Vec<String> {
        let Some(declared) = self.model.entity(entity) else { return Vec::new() };
        let others = declared.attributes.iter().filter(|attribute| {
            attribute.tenant.is_none() && !declared.identity_names().any(|name| name == attribute.name)
        });
        others.map(|attribute| attribute.name.clone()).collect()
    }

    /// The existing records of an entity that the pattern is about.
    fn named(&self, entity: &str, changes: &[Change]) -> Vec<&Record> {
        let Some(declared) = self.model.entity(entity) else { return Vec::new() };
        let changed = changes.iter().filter(|change| change.entity == entity);
        let befores: Vec<&Record> = changed
            .filter_map(|change| {
                let record = change.before.as_ref().or(change.after.as_ref())?;
                self.world.get(entity, &identity(declared, record))
            })
            .collect();
        // A write of one record means the one that all its inputs select: a book of another branch is none.
        let meant = self.write.effects.iter().any(|effect| {
            effect.entity == entity && !effect.all && !matches!(effect.action, Action::Create | Action::Put)
        });
        if meant || changes.iter().any(|change| change.entity == entity) {
            return befores;
        }
        if let Some(parents) = self.new_parents(entity, changes) {
            let there = parents.iter().filter_map(|it| self.world.get(entity, it));
            return there.filter(|record| self.is_of_tenant(declared, record)).collect();
        }
        // Only what identifies it counts here: other inputs may be values for something that is written.
        let written = self.beside_identity(entity);
        select(self.model, self.world, self.pattern, entity, self.inputs, &written)
    }

    /// The identities of an entity that a new value gives a record as its parent, where no other input names one.
    fn new_parents(&self, entity: &str, changes: &[Change]) -> Option<Vec<Identity>> {
        let parent = self.model.entity(entity)?;
        let inputs = self.pattern.inputs();
        let names_one = |input: &Input| {
            let own = |it: &AttributeRef| {
                it.entity == entity && parent.identity_names().any(|name| name == it.attribute)
            };
            input.role == Role::Equal && input.binds.iter().any(own)
        };
        if inputs.iter().any(names_one) || !self.model.pointing(self.pattern, entity).is_empty() {
            return None;
        }
        let mut found = Vec::new();
        for relationship in self.model.relationships.iter().filter(|it| it.parent == entity) {
            let child = &relationship.child;
            let told = |via: &String, new: bool| {
                let mut told = inputs.iter().filter(|it| match it.role {
                    Role::NewValue => true,
                    Role::Equal => !new,
                    _ => false,
                });
                told.find(|input| binding(self.model, input, child) == Some(via))
            };
            let updates = |it: &Effect| it.entity == *child && it.action == Action::Update;
            if !self.write.effects.iter().any(updates)
                || !relationship.via.iter().any(|via| told(via, true).is_some())
            {
                continue;
            }
            let after = changes.iter().find(|it| it.entity == *child).and_then(|it| it.after.as_ref());
            let value = |via: &String| {
                let given = told(via, true).or_else(|| told(via, false)).and_then(|it| self.value(it));
                given.or_else(|| after?.get(via).cloned())
            };
            found.extend(relationship.via.iter().map(value).collect::<Option<Identity>>());
        }
        (!found.is_empty()).then_some(found)
    }

    /// Whether a record belongs to the tenant that the inputs name, if they name one.
    fn is_of_tenant(&self, entity: &Entity, record: &Record) -> bool {
        let tenants = entity.attributes.iter().filter(|attribute| attribute.tenant.is_some());
        tenants.map(|attribute| &attribute.name).all(|name| {
            let mut equal = self.pattern.inputs().iter().filter(|input| input.role == Role::Equal);
            let given = equal.find(|input| binding(self.model, input, &entity.name) == Some(name));
            given.and_then(|input| self.value(input)).is_none_or(|value| record.get(name) == Some(&value))
        })
    }

    fn is_met(&self, condition: &ConditionKind, record: &Record) -> bool {
        is_met(self.model, condition, record, self.inputs).unwrap_or(false)
    }

    /// How many records of an entity share their parent with this one.
    fn siblings(&self, entity: &str, per: Option<&str>, record: &Record) -> u64 {
        let relationship =
            per.and_then(|per| self.model.parents_of(entity).find(|relationship| relationship.parent == per));
        let via = relationship.map(|relationship| relationship.via.as_slice()).unwrap_or_default();
        let held: Vec<(&str, &[AttributeValue])> = via
            .iter()
            .filter_map(|name| Some((name.as_str(), std::slice::from_ref(record.get(name)?))))
            .collect();
        let same_parent = |other: &&&Record| via.iter().all(|name| other.get(name) == record.get(name));
        self.world.near(entity, &held).iter().filter(same_parent).count() as u64
    }
}

/// The number of a parent's to which a write adds one.
pub(crate) fn declared_number<'w>(write: &'w Write, parent: &str) -> Option<&'w str> {
    let mut effects = write.effects.iter().filter(|effect| effect.entity == parent);
    effects.find_map(|effect| match &effect.action {
        Action::Add { attribute, by: Step::Fixed(1) } => Some(attribute.as_str()),
        _ => None,
    })
}

/// Whether a record meets a condition on one of its attributes; none where the condition speaks of something else, or of
/// an input that is not given.
pub(crate) fn is_met(
    model: &Model,
    condition: &ConditionKind,
    record: &Record,
    inputs: &Inputs,
) -> Option<bool> {
    let (attribute, comparator, value) = match condition {
        ConditionKind::Compare { attribute, comparator, value } => (attribute, comparator, value),
        ConditionKind::OneOf { attribute, values } => {
            let is_one = |value| values.iter().any(|literal| key::same(value, literal));
            return Some(record.get(&attribute.attribute).is_some_and(is_one));
        }
        ConditionKind::Held { attribute, held } => {
            return Some(record.contains_key(&attribute.attribute) == *held);
        }
        _ => return None,
    };
    let other = match value {
        ConditionValue::Literal(literal) => Some(key::literal(literal)),
        ConditionValue::Input(name) => Some(inputs.get(name)?.one()?.clone()),
        ConditionValue::Attribute(name) => record.get(name).cloned(),
    };
    let own = record.get(&attribute.attribute);
    let (Some(own), Some(other)) = (own, &other) else {
        // What nobody holds differs from everything that is.
        return Some(*comparator == Comparator::NotEqual && (own.is_some() || other.is_some()));
    };
    let ordering = compare_attribute(model, attribute, Some(own), Some(other));
    Some(match comparator {
        Comparator::Equal => own == other,
        Comparator::NotEqual => own != other,
        Comparator::Less => ordering.is_lt(),
        Comparator::LessOrEqual => ordering.is_le(),
        Comparator::Greater => ordering.is_gt(),
        Comparator::GreaterOrEqual => ordering.is_ge(),
    })
}

//! What a write must do: the changes that it makes, or the condition that it fails.

use std::collections::BTreeMap;

use keywright_dynamodb::expression::Comparator;
use keywright_dynamodb::value::AttributeValue;
use keywright_model::Model;
use keywright_model::model::{
    Action, Attribute, AttributeRef, ConditionKind, ConditionValue, Effect, Entity, Input, Pattern, Role,
    Step, Type, Write,
};

use crate::interpret::{Given, Inputs, as_integer, key};
use crate::oracle::order::compare_attribute;
use crate::oracle::select::{binding, select};
use crate::world::{Change, Identity, Record, World, identity};

/// What a write must do.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Judgement {
    /// It takes place, with these changes.
    Holds {
        /// What comes, changes and goes.
        changes: Vec<Change>,
        /// Numbers that are given out: sequence, scope, number.
        numbers: Vec<(String, Identity, i64)>,
    },
    /// A condition fails and nothing changes.
    Fails(String),
    /// The document does not say: an update of what isn't there, a create of what is, without a condition.
    Unclear(&'static str),
}

/// What the document leaves open where it does not ask for the parent to be there.
const CHILD_OF_NOTHING: &str = "a child of what isn't there";

/// Judges a write. What the operation made up is given, since nobody can foretell an identifier.
pub(crate) fn judge(
    model: &Model,
    world: &World,
    pattern: &Pattern,
    write: &Write,
    inputs: &Inputs,
    generated: &BTreeMap<String, AttributeValue>,
) -> Judgement {
    judge_it(&Judge { model, world, pattern, write, inputs, generated }, false)
}

/// Judges a write that may come right after all that a parent holds was deleted: its child may then be one of nothing.
pub(crate) fn judge_meanwhile(
    model: &Model,
    world: &World,
    pattern: &Pattern,
    write: &Write,
    inputs: &Inputs,
    generated: &BTreeMap<String, AttributeValue>,
) -> Judgement {
    judge_it(&Judge { model, world, pattern, write, inputs, generated }, true)
}

fn judge_it(judge: &Judge<'_>, orphans: bool) -> Judgement {
    let mut changes = Vec::new();
    let mut numbers = Vec::new();
    for effect in &judge.write.effects {
        match judge.effect(effect, &mut numbers) {
            Ok(some) => changes.extend(some),
            Err(unclear) => return unclear,
        }
    }
    if let Some(failed) = judge.failed_condition(&changes) {
        return Judgement::Fails(failed);
    }
    match judge.unclear(&changes) {
        Some(CHILD_OF_NOTHING) if orphans => {}
        Some(unclear) => return Judgement::Unclear(unclear),
        None => {}
    }
    Judgement::Holds { changes: joined(judge.model, changes), numbers }
}

/// The sequence that an attribute's numbers come from: the entities that share it.
fn sequence_of(entity: &Entity, attribute: &Attribute) -> String {
    let mut names: Vec<&str> = attribute.shared_with.iter().map(|name| name.value.as_str()).collect();
    names.push(&entity.name);
    names.sort_unstable();
    names.join("+")
}

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

/// What a required attribute is where a create is not given it: the first state, no count yet, not so. A design may
/// write it down or leave it out.
pub(crate) fn initial(model: &Model, entity: &str, attribute: &str) -> Option<AttributeValue> {
    if is_counted(model, entity, attribute) {
        return Some(AttributeValue::from(0));
    }
    let declared = model.entity(entity)?.attribute(attribute)?;
    let expires = declared.ttl.as_ref().is_some_and(|ttl| ttl.value);
    let sequential = declared.sequential.as_ref().is_some_and(|flag| flag.value);
    if declared.is_optional() || expires || sequential {
        return None;
    }
    let versioned = declared.version.as_ref().is_some_and(|flag| flag.value);
    match declared.values.first() {
        Some(first) => Some(first.value.as_str().into()),
        None if versioned => Some(AttributeValue::from(1)),
        None if declared.ty.is_numeric() => Some(AttributeValue::from(0)),
        None if *declared.ty == Type::Boolean => Some(AttributeValue::BOOL(false)),
        None => None,
    }
}

/// Whether writes add to an attribute: before the first of them it counts as zero, written or not.
fn is_counted(model: &Model, entity: &str, attribute: &str) -> bool {
    let adds = |effect: &Effect| {
        effect.entity == entity
            && matches!(&effect.action, Action::Add { attribute: added, .. } if added == attribute)
    };
    model.patterns.iter().filter_map(Pattern::write).any(|write| write.effects.iter().any(adds))
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
    fn effect(
        &self,
        effect: &Effect,
        numbers: &mut Vec<(String, Identity, i64)>,
    ) -> Result<Vec<Change>, Judgement> {
        let Some(entity) = self.model.entity(&effect.entity) else { return Ok(Vec::new()) };
        match &effect.action {
            Action::Create | Action::Put => {
                let record = self.new_record(entity, numbers);
                let before = self.world.get(&entity.name, &identity(entity, &record)).cloned();
                Ok(vec![Change { entity: entity.name.clone(), before, after: Some(record) }])
            }
            Action::Update => {
                let skip = self.assigned(entity, effect);
                Ok(self
                    .targets(entity, effect, &skip)
                    .into_iter()
                    .map(|record| Change {
                        entity: entity.name.clone(),
                        before: Some(record.clone()),
                        after: Some(self.updated(entity, record, &skip)),
                    })
                    .collect())
            }
            Action::Add { attribute, by } => Ok(self
                .targets(entity, effect, std::slice::from_ref(attribute))
                .into_iter()
                .map(|record| {
                    let mut after = record.clone();
                    let number =
                        record.get(attribute).and_then(|value| as_integer(value.as_n()?)).unwrap_or(0);
                    after.insert(attribute.clone(), AttributeValue::from(number + self.step(by)));
                    self.touch(entity, &mut after);
                    Change { entity: entity.name.clone(), before: Some(record.clone()), after: Some(after) }
                })
                .collect()),
            Action::Delete => Ok(self
                .targets(entity, effect, &[])
                .into_iter()
                .map(|record| Change {
                    entity: entity.name.clone(),
                    before: Some(record.clone()),
                    after: None,
                })
                .collect()),
        }
    }

    fn targets(&self, entity: &Entity, effect: &Effect, skip: &[String]) -> Vec<&Record> {
        let mut found = select(self.model, self.world, self.pattern, &entity.name, self.inputs, skip);
        if !effect.all && !self.selects_identity(entity) {
            found.truncate(1);
        }
        found
    }

    fn selects_identity(&self, entity: &Entity) -> bool {
        entity.identity_names().all(|name| {
            self.pattern.inputs().iter().any(|input| binding(self.model, input, &entity.name) == Some(name))
        })
    }

    /// The attributes of an entity to which an update gives values.
    fn assigned(&self, entity: &Entity, effect: &Effect) -> Vec<String> {
        let mut names = effect.attributes.clone();
        for input in self.pattern.inputs() {
            if matches!(input.role, Role::NewValue | Role::Increment)
                && let Some(name) = binding(self.model, input, &entity.name)
            {
                names.push(name.to_owned());
            }
        }
        names
    }

    fn step(&self, by: &Step) -> i64 {
        let given = |name: &String| {
            let given = self.inputs.get(name).and_then(Given::one);
            given.and_then(|value| as_integer(value.as_n()?)).unwrap_or(0)
        };
        match by {
            Step::Fixed(step) => *step,
            Step::Input(name) => given(name),
            Step::MinusInput(name) => -given(name),
        }
    }

    fn value(&self, input: &Input) -> Option<AttributeValue> {
        match &input.constant {
            Some(constant) => Some(key::literal(constant)),
            None => match self.inputs.get(&input.name)? {
                Given::One(value) => Some(value.clone()),
                Given::Many(values) => Some(AttributeValue::L(values.clone())),
            },
        }
    }

    fn new_record(&self, entity: &Entity, numbers: &mut Vec<(String, Identity, i64)>) -> Record {
        let mut record = Record::new();
        for input in self.pattern.inputs() {
            if matches!(input.role, Role::Equal | Role::NewValue | Role::Increment)
                && let Some(name) = binding(self.model, input, &entity.name)
                && let Some(value) = self.value(input)
            {
                record.insert(name.to_owned(), value);
            }
        }
        for attribute in &entity.attributes {
            if let Some(value) = self.generated.get(&attribute.name) {
                record.entry(attribute.name.clone()).or_insert_with(|| value.clone());
            }
        }
        for attribute in &entity.attributes {
            let sequential = attribute.sequential.as_ref().is_some_and(|flag| flag.value);
            if sequential && !record.contains_key(&attribute.name) {
                let scope: Identity = entity
                    .identity_names()
                    .filter(|name| *name != attribute.name)
                    .map(|name| record.get(name).cloned().unwrap_or(AttributeValue::NOTHING))
                    .collect();
                let sequence = sequence_of(entity, attribute);
                let number = self.world.last_number(&sequence, &scope) + 1;
                numbers.push((sequence, scope, number));
                record.insert(attribute.name.clone(), AttributeValue::from(number));
            } else if let Some(value) = initial(self.model, &entity.name, &attribute.name) {
                record.entry(attribute.name.clone()).or_insert(value);
            }
        }
        record
    }

    fn updated(&self, entity: &Entity, record: &Record, assigned: &[String]) -> Record {
        let mut after = record.clone();
        for input in self.pattern.inputs() {
            let Some(name) = binding(self.model, input, &entity.name) else { continue };
            if !assigned.iter().any(|other| other == name) {
                continue;
            }
            let Some(value) = self.value(input) else { continue };
            if input.role == Role::Increment {
                let number = |value: Option<&AttributeValue>| {
                    value.and_then(|value| as_integer(value.as_n()?)).unwrap_or(0)
                };
                let sum = number(record.get(name)) + number(Some(&value));
                after.insert(name.to_owned(), AttributeValue::from(sum));
            } else {
                after.insert(name.to_owned(), value);
            }
        }
        self.touch(entity, &mut after);
        after
    }

    /// The time of the last change follows every change, where the operation makes it up.
    fn touch(&self, entity: &Entity, record: &mut Record) {
        for attribute in &entity.attributes {
            let name = attribute.name.to_ascii_lowercase();
            if let Some(value) = self.generated.get(&attribute.name)
                && (name.contains("updated") || name.contains("modified"))
            {
                record.insert(attribute.name.clone(), value.clone());
            }
        }
    }

    /// The first condition that does not hold, in words.
    fn failed_condition(&self, changes: &[Change]) -> Option<String> {
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
            ConditionKind::Exists { entity } => !self.named(entity, changes).is_empty(),
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
                changes.iter().filter(|change| change.entity == *entity).all(|change| {
                    let taken = |after| self.is_taken(declared, attributes, after, change.before.as_ref());
                    !change.after.as_ref().is_some_and(taken)
                })
            }
            ConditionKind::Compare { attribute, comparator, value } => {
                let records = self.named(&attribute.entity, changes);
                !records.is_empty()
                    && records.iter().all(|record| self.compares(record, attribute, *comparator, value))
            }
            ConditionKind::OneOf { attribute, values } => {
                let records = self.named(&attribute.entity, changes);
                !records.is_empty()
                    && records.iter().all(|record| {
                        record
                            .get(&attribute.attribute)
                            .is_some_and(|value| values.iter().any(|literal| key::same(value, literal)))
                    })
            }
            ConditionKind::AtMost { entity, per, limit } => changes
                .iter()
                .filter(|change| change.entity == *entity && change.before.is_none())
                .all(|change| {
                    let Some(after) = &change.after else { return true };
                    self.siblings(entity, per.as_deref(), after) < *limit
                }),
            ConditionKind::Words => true,
        }
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
        // Only what identifies it counts here: other inputs may be values for something that is written.
        let written: Vec<String> = declared
            .attributes
            .iter()
            .map(|attribute| attribute.name.clone())
            .filter(|name| !declared.identity_names().any(|identity| identity == name))
            .collect();
        select(self.model, self.world, self.pattern, entity, self.inputs, &written)
    }

    fn compares(
        &self,
        record: &Record,
        attribute: &AttributeRef,
        comparator: Comparator,
        value: &ConditionValue,
    ) -> bool {
        let other = match value {
            ConditionValue::Literal(literal) => Some(key::literal(literal)),
            ConditionValue::Input(name) => self.inputs.get(name).and_then(Given::one).cloned(),
            ConditionValue::Attribute(name) => record.get(name).cloned(),
        };
        let (Some(own), Some(other)) = (record.get(&attribute.attribute), other) else { return false };
        let ordering = compare_attribute(self.model, attribute, Some(own), Some(&other));
        match comparator {
            Comparator::Equal => *own == other,
            Comparator::NotEqual => *own != other,
            Comparator::Less => ordering.is_lt(),
            Comparator::LessOrEqual => ordering.is_le(),
            Comparator::Greater => ordering.is_gt(),
            Comparator::GreaterOrEqual => ordering.is_ge(),
        }
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

    /// Whether a record that comes to be names a parent that does not exist.
    fn lacks_parent(&self, change: &Change) -> bool {
        let Some(record) = &change.after else { return false };
        self.model.parents_of(&change.entity).filter(|relationship| !relationship.via.is_empty()).any(
            |relationship| {
                let identity: Option<Identity> =
                    relationship.via.iter().map(|name| record.get(name).cloned()).collect();
                identity.is_some_and(|identity| self.world.get(&relationship.parent, &identity).is_none())
            },
        )
    }

    /// What the document leaves open for these changes.
    fn unclear(&self, changes: &[Change]) -> Option<&'static str> {
        let to_itself = changes.iter().any(|change| {
            let (Some(entity), Some(before), Some(after)) =
                (self.model.entity(&change.entity), &change.before, &change.after)
            else {
                return false;
            };
            // Only where the pattern gives the unique value: others leave it alone.
            unique_sets(entity).iter().flatten().any(|name| {
                let gives = self.pattern.inputs().iter().any(|input| {
                    input.role == Role::NewValue && binding(self.model, input, &entity.name) == Some(name)
                });
                gives && before.get(name) == after.get(name)
            })
        });
        if to_itself {
            return Some("a unique value that becomes what it is");
        }
        if changes.iter().any(|change| change.before.is_none() && self.lacks_parent(change)) {
            return Some(CHILD_OF_NOTHING);
        }
        for effect in &self.write.effects {
            let of_entity = || changes.iter().filter(|change| change.entity == effect.entity);
            match effect.action {
                Action::Create
                    if of_entity().any(|change| change.before.is_some() && change.after.is_some()) =>
                {
                    return Some("a create of what is already there");
                }
                Action::Update | Action::Add { .. } if !effect.all && of_entity().next().is_none() => {
                    return Some("an update of what isn't there");
                }
                _ => {}
            }
        }
        None
    }
}

/// Several effects on one record are one change: from what it was to what it becomes.
fn joined(model: &Model, changes: Vec<Change>) -> Vec<Change> {
    let mut joined: Vec<Change> = Vec::new();
    for change in changes {
        let same = |other: &Change| {
            let (Some(entity), Some(before)) = (model.entity(&change.entity), change.before.as_ref()) else {
                return false;
            };
            other.entity == change.entity
                && other
                    .before
                    .as_ref()
                    .is_some_and(|other| identity(entity, other) == identity(entity, before))
        };
        match joined.iter_mut().find(|other| same(other)) {
            Some(earlier) => {
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
            None => joined.push(change),
        }
    }
    joined
}

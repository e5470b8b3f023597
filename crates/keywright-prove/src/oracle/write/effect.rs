//! What a write does to records, as its effects say.

use keywright_dynamodb::number::Number as Decimal;
use keywright_dynamodb::value::AttributeValue;
use keywright_model::Model;
use keywright_model::model::{
    Action, Attribute, Effect, Entity, EntityKind, Input, Pattern, Role, Step, Type,
};

use super::{Judge, Number};
use crate::interpret::{Given, key};
use crate::oracle::select::{binding, is_expected, select};
use crate::world::{Change, Identity, Record, identity};

impl<'a> Judge<'a> {
    /// What comes, changes and goes by one effect.
    pub(super) fn effect(&self, effect: &Effect, numbers: &mut Vec<Number>) -> Vec<Change> {
        let Some(entity) = self.model.entity(&effect.entity) else { return Vec::new() };
        let change = |before: Option<&Record>, after| Change {
            entity: entity.name.clone(),
            before: before.cloned(),
            after,
        };
        let each = |after: &dyn Fn(&Record) -> Option<Record>| -> Vec<Change> {
            let targets = self.targets(entity, effect, &self.written(entity)).into_iter();
            targets.map(|record| change(Some(record), after(record))).collect()
        };
        match &effect.action {
            Action::Create | Action::Put => {
                let mut record = self.new_record(entity, numbers);
                let before = self.world.get(&entity.name, &identity(entity, &record));
                // What is written over without a number gets the next one.
                let kept = effect.action == Action::Put && entity.is(EntityKind::History);
                let next = before.filter(|_| kept && !self.gives_version(entity));
                record.extend(next.and_then(|before| self.next_version(entity, before)));
                vec![change(before, Some(record))]
            }
            Action::Update => {
                let assigned = self.assigned(entity, effect);
                each(&|record| {
                    let mut after = self.updated(entity, effect, record, &assigned);
                    after.retain(|name, _| !effect.removes.contains(name));
                    Some(after)
                })
            }
            Action::Add { attribute, by }
                if self.model.is_tally(self.pattern, effect)
                    && self.targets(entity, effect, &self.written(entity)).is_empty() =>
            {
                let mut record = self.new_record(entity, numbers);
                record.insert(attribute.clone(), self.step(by));
                vec![change(None, Some(record))]
            }
            Action::Add { attribute, by } => each(&|record| {
                let mut after = record.clone();
                after.insert(attribute.clone(), sum(record.get(attribute), Some(&self.step(by))));
                self.touch(entity, record, &mut after);
                Some(after)
            }),
            Action::Delete => each(&|_| None),
        }
    }

    pub(super) fn targets(&self, entity: &Entity, effect: &Effect, skip: &[String]) -> Vec<&Record> {
        let pattern = self.model.seen_by(self.pattern, effect);
        let mut found = select(self.model, self.world, &pattern, &entity.name, self.inputs, skip);
        if !effect.all && !self.selects_identity(&pattern, entity) {
            found.truncate(1);
        }
        found
    }

    fn selects_identity(&self, pattern: &Pattern, entity: &Entity) -> bool {
        entity.identity_names().all(|name| {
            pattern.inputs().iter().any(|input| binding(self.model, input, &entity.name) == Some(name))
        })
    }

    /// The attributes of an entity that any effect on it writes: none of them says which record is meant.
    pub(super) fn written(&self, entity: &Entity) -> Vec<String> {
        let effects = self.write.effects.iter().filter(|effect| effect.entity == entity.name);
        effects
            .flat_map(|effect| match &effect.action {
                Action::Update => self.assigned(entity, effect),
                Action::Add { attribute, .. } => vec![attribute.clone()],
                Action::Create | Action::Put | Action::Delete => Vec::new(),
            })
            .collect()
    }

    /// The attributes of an entity to which an update gives values.
    fn assigned(&self, entity: &Entity, effect: &Effect) -> Vec<String> {
        // What goes is no new value: where the caller gives it, it is what must be there.
        let mut names: Vec<String> =
            effect.attributes.iter().filter(|name| !effect.removes.contains(name)).cloned().collect();
        for input in self.pattern.inputs() {
            if matches!(input.role, Role::NewValue | Role::Increment)
                && !self.is_step(&input.name)
                && let Some(name) = binding(self.model, input, &entity.name)
            {
                names.push(name.to_owned());
            }
        }
        names
    }

    /// Whether a number is raised or lowered by an input: then it becomes no value of its own, whatever its name.
    fn is_step(&self, input: &str) -> bool {
        self.write.effects.iter().any(|effect| match &effect.action {
            Action::Add { by: Step::Input(name) | Step::MinusInput(name), .. } => name == input,
            _ => false,
        })
    }

    fn step(&self, by: &Step) -> AttributeValue {
        let given = |name: &String| {
            let given = self.inputs.get(name).and_then(Given::one);
            given.and_then(AttributeValue::as_n).cloned().unwrap_or_else(|| Decimal::from(0))
        };
        AttributeValue::N(match by {
            Step::Fixed(step) => Decimal::from(*step),
            Step::Input(name) => given(name),
            Step::MinusInput(name) => given(name).negated(),
        })
    }

    pub(super) fn value(&self, input: &Input) -> Option<AttributeValue> {
        match &input.constant {
            Some(constant) => Some(key::literal(constant)),
            None => match self.inputs.get(&input.name)? {
                Given::One(value) => Some(value.clone()),
                Given::Many(values) => Some(AttributeValue::L(values.clone())),
            },
        }
    }

    fn new_record(&self, entity: &Entity, numbers: &mut Vec<Number>) -> Record {
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
            if let Some(value) = self.made_up(entity, &attribute.name).or_else(|| self.handed(attribute)) {
                record.entry(attribute.name.clone()).or_insert_with(|| value.clone());
            }
        }
        let numbered: Vec<_> =
            entity.attributes.iter().filter_map(|it| self.number_of(it, &record)).collect();
        for (name, number) in numbered {
            record.entry(name).or_insert_with(|| AttributeValue::from(number));
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

    fn updated(&self, entity: &Entity, effect: &Effect, record: &Record, assigned: &[String]) -> Record {
        let mut after = record.clone();
        // An instant that is set without being given is the present one, and what points to a new item gets its id.
        for attribute in effect.attributes.iter().filter_map(|name| entity.attribute(name)) {
            let is_instant = matches!(*attribute.ty, Type::Datetime | Type::Date);
            let now = self.made_up(entity, &attribute.name).filter(|_| is_instant);
            if let Some(value) = now.or_else(|| self.handed(attribute)) {
                after.insert(attribute.name.clone(), value.clone());
            }
        }
        for input in self.pattern.inputs() {
            let Some(name) = binding(self.model, input, &entity.name) else { continue };
            if !assigned.iter().any(|other| other == name) || is_expected(self.pattern, input, &entity.name) {
                continue;
            }
            let Some(value) = self.value(input) else { continue };
            if input.role == Role::Increment {
                after.insert(name.to_owned(), sum(record.get(name), Some(&value)));
            } else {
                after.insert(name.to_owned(), value);
            }
        }
        self.touch(entity, record, &mut after);
        after
    }

    /// What the operation made up for an attribute.
    fn made_up(&self, entity: &Entity, attribute: &str) -> Option<&AttributeValue> {
        made_names(entity, attribute).iter().find_map(|name| self.generated.get(name))
    }

    /// The identifier that the operation made up for what an attribute points to, where that comes to be with it.
    fn handed(&self, attribute: &Attribute) -> Option<&AttributeValue> {
        let (parent, identifier) = self.new_behind(attribute)?;
        self.made_up(parent, &identifier.name)
    }

    /// The same of an identifier that is the next number of its sequence.
    fn number_of(&self, attribute: &Attribute, record: &Record) -> Option<(String, i64)> {
        let (parent, identifier) = self.new_behind(attribute)?;
        identifier.sequential.as_ref().filter(|flag| flag.value)?;
        let scope: Option<Identity> = parent
            .identity_names()
            .filter(|it| *it != identifier.name)
            .map(|it| record.get(it).cloned())
            .collect();
        let number = self.world.last_number(&sequence_of(parent, identifier), &scope?) + 1;
        Some((attribute.name.clone(), number))
    }

    /// What comes to be with a record and is what an attribute of it points to, or has the name of; and its identifier.
    fn new_behind(&self, attribute: &Attribute) -> Option<(&'a Entity, &'a Attribute)> {
        let mut created = self
            .write
            .effects
            .iter()
            .filter(|effect| !effect.all && matches!(effect.action, Action::Create | Action::Put));
        let model: &'a Model = self.model;
        created.find_map(|effect| {
            let entity = model.entity(&effect.entity)?;
            let refers = attribute.reference.as_ref().filter(|it| it.value.entity == entity.name);
            let is_called_so = attribute.name.to_lowercase().starts_with(&entity.name.to_lowercase());
            let name = match refers {
                Some(reference) => &reference.value.attribute,
                None => Some(&attribute.name).filter(|_| is_called_so)?,
            };
            let identifier = entity.identity_names().find(|it| it == name)?;
            Some((entity, entity.attribute(identifier)?)).filter(|(_, it)| !std::ptr::eq(*it, attribute))
        })
    }

    /// The time of the last change follows every change, where the operation makes it up; a version counts them.
    fn touch(&self, entity: &Entity, before: &Record, record: &mut Record) {
        record.extend(self.next_version(entity, before));
        for attribute in &entity.attributes {
            let name = attribute.name.to_ascii_lowercase();
            if let Some(value) = self.made_up(entity, &attribute.name)
                && (name.contains("updated") || name.contains("modified"))
            {
                record.insert(attribute.name.clone(), value.clone());
            }
        }
    }
}

/// What a number becomes by adding to it; what is none counts as zero. A sum with more digits than a number can have
/// changes nothing: DynamoDB refuses it.
fn sum(one: Option<&AttributeValue>, other: Option<&AttributeValue>) -> AttributeValue {
    let number = |it: Option<&AttributeValue>| {
        it.and_then(AttributeValue::as_n).cloned().unwrap_or_else(|| Decimal::from(0))
    };
    let one = number(one);
    AttributeValue::N(one.plus(&number(other)).unwrap_or(one))
}

/// The names under which an operation makes something up for an attribute. Where another entity's has the name, the
/// entity's own comes before it.
pub(crate) fn made_names(entity: &Entity, attribute: &str) -> [String; 2] {
    let mut letters = attribute.chars();
    let mut name = entity.name.to_lowercase();
    name.extend(letters.next().map(|first| first.to_ascii_uppercase()));
    name.extend(letters);
    [name, attribute.to_owned()]
}

/// The sequence that an attribute's numbers come from: the entities that share it.
fn sequence_of(entity: &Entity, attribute: &Attribute) -> String {
    let mut names: Vec<&str> = attribute.shared_with.iter().map(|name| name.value.as_str()).collect();
    names.push(&entity.name);
    names.sort_unstable();
    names.join("+")
}

/// What a required attribute is where a create is not given it: the first state, no count yet, not so. A design may
/// write it down or leave it out.
pub(crate) fn initial(model: &Model, entity: &str, attribute: &str) -> Option<AttributeValue> {
    let declared = model.entity(entity)?.attribute(attribute);
    let versioned = declared.is_some_and(|it| it.version.as_ref().is_some_and(|flag| flag.value));
    if is_counted(model, entity, attribute) && !versioned {
        return Some(AttributeValue::from(0));
    }
    let declared = declared?;
    let expires = declared.ttl.as_ref().is_some_and(|ttl| ttl.value);
    let sequential = declared.sequential.as_ref().is_some_and(|flag| flag.value);
    if declared.is_optional() || expires || sequential {
        return None;
    }
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

//! What has to hold for a write to take place: what the document states, and what follows from what it says.

use keywright_dynamodb::expression::Comparator;
use keywright_model::Model;
use keywright_model::model::{
    Action, ConditionKind, ConditionValue, Entity, EntityKind, Input, Pattern, PatternKind, Role, Write,
};

use super::variants::is_numbered;
use crate::oracle::{binding, must_exist, must_not_exist, said, unique_sets};
use crate::writing::Writing;

/// Something that has to hold.
pub(super) struct Demand<'a> {
    /// In words, as the document says it.
    pub(super) words: String,
    pub(super) kind: Kind<'a>,
    /// The pattern without it, where the document states it.
    pub(super) open: Option<Pattern>,
    /// It is a condition of the document that no other one implies.
    pub(super) stated: bool,
}

/// What it is that has to hold.
pub(super) enum Kind<'a> {
    /// A condition on an attribute.
    Attribute(&'a ConditionKind),
    /// A record is there.
    Exists(&'a Entity),
    /// A tally is there, or comes to be with the first that is counted.
    First(&'a Entity),
    /// No record has the identity.
    Absent(&'a Entity),
    /// No other record has the values of these attributes.
    Unique(&'a Entity, Vec<String>),
    /// A record holds, beside its identity, what the caller says of it.
    Beside(&'a Input, &'a Entity, &'a str),
    /// The number of a version that the caller gives is later than the last.
    Version(&'a Input, &'a Entity),
}

impl Demand<'_> {
    /// Whether the oracle says the same without being told by a condition.
    pub(super) fn says(&self, why: &str) -> bool {
        match &self.kind {
            Kind::Exists(entity) => why == must_exist(&entity.name),
            Kind::Absent(entity) => why == must_not_exist(&entity.name),
            Kind::Unique(entity, set) => why == format!("{} of {} is unique", set.join(" and "), entity.name),
            Kind::Version(..) => why == self.words,
            Kind::Attribute(_) | Kind::First(_) | Kind::Beside(..) => false,
        }
    }
}

/// What has to hold for a write. Limits on how many there are have a check of their own.
pub(super) fn demands<'a>(model: &'a Model, writing: Writing<'a>) -> Vec<Demand<'a>> {
    let Writing { pattern, write, .. } = writing;
    let mut demands = Vec::new();
    for (at, condition) in write.conditions.iter().enumerate() {
        let kind = match &condition.kind {
            kind @ (ConditionKind::Compare { .. }
            | ConditionKind::OneOf { .. }
            | ConditionKind::Held { .. }) => Some(Kind::Attribute(kind)),
            ConditionKind::Exists { entity } => model.entity(entity).map(Kind::Exists),
            ConditionKind::NotExists { entity } => model.entity(entity).map(Kind::Absent),
            ConditionKind::Unique { entity, attributes } => model.entity(entity).map(|entity| {
                let identity: Vec<&str> = entity.identity_names().collect();
                match identity == *attributes {
                    true => Kind::Absent(entity),
                    false => Kind::Unique(entity, attributes.clone()),
                }
            }),
            ConditionKind::AtMost { .. } | ConditionKind::Words => None,
        };
        let Some(kind) = kind else { continue };
        let open = Some(without(model, pattern, at));
        let stated = !is_implied(model, write, at);
        demands.push(Demand { words: condition.text.clone(), kind, open, stated });
    }
    let implied = |words: String, kind| Demand { words, kind, open: None, stated: false };
    for effect in &write.effects {
        let Some(entity) = model.entity(&effect.entity) else { continue };
        let known = |demands: &[Demand<'_>], set: &Vec<String>| {
            demands.iter().any(|it| {
                matches!(&it.kind, Kind::Unique(other, others) if other.name == entity.name && others == set)
            })
        };
        if effect.action != Action::Delete {
            for set in unique_sets(entity) {
                if !known(&demands, &set) {
                    let words = format!("{} of {} is unique", set.join(" and "), entity.name);
                    demands.push(implied(words, Kind::Unique(entity, set)));
                }
            }
        }
        if entity.is(EntityKind::History)
            && let Some(version) = entity.version()
            && let Some(input) = pattern.inputs().iter().find(|input| {
                input.constant.is_none() && binding(model, input, &entity.name) == Some(&version.name)
            })
        {
            let words = format!("the version number of {} is new", entity.name);
            demands.push(implied(words, Kind::Version(input, entity)));
        }
        let is_stated = |demands: &[Demand<'_>], absent: bool| {
            demands.iter().any(|it| match it.kind {
                Kind::Absent(other) => absent && other.name == entity.name,
                Kind::Exists(other) => !absent && other.name == entity.name,
                _ => false,
            })
        };
        let comes = effect.action == Action::Create && entity.versions_of.is_none();
        if comes && !is_stated(&demands, true) {
            demands.push(implied(must_not_exist(&entity.name), Kind::Absent(entity)));
        }
        if matches!(effect.action, Action::Create | Action::Put) || effect.all {
            continue;
        }
        for input in pattern.inputs() {
            let given = input.role == Role::Equal && input.constant.is_none() && !input.list;
            let Some(name) = said(model, pattern, input, &entity.name).filter(|_| given) else { continue };
            if !entity.identity_names().any(|identity| identity == name) {
                let words = format!("{name} of {} equals the caller's value", entity.name);
                demands.push(implied(words, Kind::Beside(input, entity, name)));
            }
        }
        let changes = matches!(effect.action, Action::Update | Action::Add { .. });
        if model.is_tally(pattern, effect) {
            demands.push(implied(format!("{} may be missing", entity.name), Kind::First(entity)));
        } else if (changes || write.must_find(effect)) && !is_stated(&demands, false) {
            demands.push(implied(must_exist(&entity.name), Kind::Exists(entity)));
        }
    }
    demands
}

/// The pattern without one of its conditions.
fn without(model: &Model, pattern: &Pattern, at: usize) -> Pattern {
    let mut open = pattern.clone();
    let (PatternKind::Write(write) | PatternKind::Delete(write)) = &mut open.kind else { return open };
    let condition = write.conditions.remove(at);
    // What the caller says must be there selects the record: without the condition it does not.
    if let ConditionKind::Compare {
        attribute,
        comparator: Comparator::Equal,
        value: ConditionValue::Input(name),
    } = &condition.kind
        && let Some(inputs) = &mut open.inputs
    {
        for input in inputs.value.iter_mut().filter(|input| input.name == *name) {
            if binding(model, input, &attribute.entity) == Some(&attribute.attribute) {
                input.binds.retain(|bind| bind.entity != attribute.entity);
            }
        }
    }
    open
}

/// Whether a condition says no more than others: that something is there, beside one that asks for what it holds; that
/// several values are unique together, where some of them are so by themselves; that nothing has the next number.
fn is_implied(model: &Model, write: &Write, at: usize) -> bool {
    match &write.conditions[at].kind {
        ConditionKind::Exists { entity } => write.conditions.iter().any(|other| match &other.kind {
            ConditionKind::Compare { attribute, .. }
            | ConditionKind::OneOf { attribute, .. }
            | ConditionKind::Held { attribute, held: true } => attribute.entity == *entity,
            _ => false,
        }),
        ConditionKind::Unique { entity, attributes } => model.entity(entity).is_some_and(|entity| {
            let identity: Vec<String> = entity.identity_names().map(str::to_owned).collect();
            let within =
                |set: &Vec<String>| set != attributes && set.iter().all(|it| attributes.contains(it));
            unique_sets(entity).iter().chain([&identity]).any(within)
        }),
        // No number of a sequence comes twice.
        ConditionKind::NotExists { entity } => {
            model.entity(entity).is_some_and(|entity| entity.attributes.iter().any(is_numbered))
        }
        _ => false,
    }
}

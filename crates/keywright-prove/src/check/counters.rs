//! Numbers that only the design knows: how many records of an entity a parent has, kept by its writes for a limit.

use std::collections::{BTreeMap, BTreeSet};

use keywright_dynamodb::value::{AttributeValue, Item};
use keywright_key::Template;
use keywright_model::design::{self, ItemKind, Request, Update, Value};
use keywright_model::model::{Action, ConditionKind, Literal, Pattern, Role};
use keywright_model::{Design, Model};

use crate::check::Checker;
use crate::check::write::show_key;
use crate::engine::EngineError;
use crate::image::Place;
use crate::interpret::scope::Scope;
use crate::interpret::{Given, as_integer};
use crate::oracle::binding;
use crate::world::{Change, Record};
use crate::writing::Writing;

/// What a number should be, and what it is.
type Wrong = (String, String);

/// A number of records that writes keep in an item of its own, or in the parent's.
#[derive(Clone)]
pub(crate) struct Kept<'a> {
    /// The entity whose records are counted.
    entity: &'a str,
    /// Its attributes that hold the identity of the parent.
    via: &'a [String],
    /// A write that creates one, …
    pattern: &'a Pattern,
    /// … and how it counts it.
    update: &'a Update,
    attribute: &'a str,
}

impl<'a> Kept<'a> {
    /// The numbers that a design keeps for limits, as far as every write of the document can keep them.
    pub(super) fn all(model: &'a Model, design: &'a Design) -> Vec<Self> {
        let mut all: Vec<Kept<'a>> = Vec::new();
        for writing in model.patterns.iter().filter_map(|pattern| Writing::of(design, pattern)) {
            for condition in &writing.write.conditions {
                let ConditionKind::AtMost { entity, per: Some(per), .. } = &condition.kind else { continue };
                let above = model.parents_of(entity).find(|it| it.parent == *per && !it.via.is_empty());
                let Some(above) = above.filter(|_| writing.creates(entity)) else { continue };
                let of_all = |(_, number): &(&Update, &str)| !is_of_one_state(model, design, number);
                for (update, attribute) in added(design, model, writing).into_iter().filter(of_all) {
                    let kept = Kept { entity, via: &above.via, pattern: writing.pattern, update, attribute };
                    let own = design.item(&update.item).is_some_and(|item| item.kind == ItemKind::Counter);
                    let known = all.iter().any(|it| (it.entity, it.attribute) == (kept.entity, attribute));
                    if !known && kept.is_per_parent(model) && is_exact(model, entity, per, &above.via, own) {
                        all.push(kept);
                    }
                }
            }
        }
        all
    }

    /// Whether the place of the number follows from the parent, and from all of it.
    fn is_per_parent(&self, model: &Model) -> bool {
        let mut held: BTreeSet<&str> = BTreeSet::new();
        for (_, value) in &self.update.key {
            let names: Vec<String> = match value {
                Value::Input(name) => vec![name.clone()],
                Value::Template(text) => match Template::parse(text) {
                    Ok(template) => template.attributes().to_vec(),
                    Err(_) => return false,
                },
                Value::Literal(_) => Vec::new(),
                _ => return false,
            };
            for name in names {
                let input = self.pattern.inputs().iter().find(|input| input.name == name);
                let Some(attribute) = input.and_then(|input| binding(model, input, self.entity)) else {
                    return false;
                };
                held.insert(attribute);
            }
        }
        held == self.via.iter().map(String::as_str).collect()
    }

    /// Where the number is that counts a record.
    fn place(&self, model: &Model, record: &Record) -> Option<Place> {
        let inputs = self.pattern.inputs().iter().filter_map(|input| {
            let value = record.get(binding(model, input, self.entity)?)?;
            Some((input.name.clone(), Given::One(value.clone())))
        });
        let scope = Scope { inputs: inputs.collect(), ..Scope::default() };
        let key: Option<Item> = self
            .update
            .key
            .iter()
            .map(|(name, value)| Some((name.clone(), scope.value(value).ok()??)))
            .collect();
        Some((self.update.table.clone(), key?))
    }

    /// The number that an item holds.
    fn number(&self, item: Option<&Item>) -> Option<i64> {
        match item.and_then(|item| item.get(self.attribute)) {
            None => Some(0),
            Some(value) => as_integer(value.as_n()?),
        }
    }
}

impl Checker<'_, '_> {
    /// A number that is not how many records there are after these changes; the world is the one after them.
    pub(super) fn wrong_kept(&self, changes: &[Change]) -> Option<Wrong> {
        self.kept_of(changes).into_iter().find_map(|(kept, place, count)| {
            let item = self.session.mirror.get(&place.0, &place.1);
            // What a parent that is gone held is gone with it.
            if item.is_none() && !self.is_counter(kept) {
                return None;
            }
            let number = kept.number(item.as_ref());
            (number != Some(count)).then(|| {
                let expected = format!("`{}` at {} is {count}", kept.attribute, show_key(&place.1));
                (
                    expected,
                    number.map_or_else(|| "it is not a number".into(), |number| format!("it is {number}")),
                )
            })
        })
    }

    /// Whether the number of an entity's records is kept for nothing but limits, so that it can be put right.
    pub(crate) fn keeps_number_of(&self, entity: &str) -> bool {
        let read = |operation: &design::Operation| {
            matches!(operation.outcome.shape, design::Shape::Count { attribute: Some(_) })
                && self
                    .model
                    .pattern(&operation.pattern)
                    .is_some_and(|pattern| pattern.entities.iter().any(|name| name.value == entity))
        };
        self.kept.iter().any(|kept| kept.entity == entity) && !self.design.operations.iter().any(read)
    }

    /// Puts the numbers right, so that other patterns are not blamed for them.
    pub(crate) fn repair_kept(&mut self, changes: &[Change]) -> Result<(), EngineError> {
        let wrong: Vec<(Place, String, i64)> = self
            .kept_of(changes)
            .into_iter()
            .map(|(kept, place, count)| (place, kept.attribute.to_owned(), count))
            .collect();
        for ((table, key), attribute, count) in wrong {
            let Some(mut item) = self.session.mirror.get(&table, &key) else { continue };
            item.insert(attribute, AttributeValue::from(count));
            self.session.place(&table, &key, Some(&item))?;
        }
        Ok(())
    }

    /// A number that is wrong at the end, with its item type.
    pub(super) fn wrong_kept_whole(&self) -> Option<(String, Wrong)> {
        self.kept.iter().find_map(|kept| {
            let mut counts: BTreeMap<Place, i64> = BTreeMap::new();
            for record in self.world.records(kept.entity) {
                if let Some(place) = kept.place(self.model, record) {
                    *counts.entry(place).or_default() += 1;
                }
            }
            self.session.mirror.all().find_map(|(table, key, item)| {
                let item_type = self.item_type(&item).filter(|it| it.name == kept.update.item)?;
                let place = (table.to_owned(), key);
                let count = counts.get(&place).copied().unwrap_or(0);
                let number = kept.number(Some(&item));
                (number != Some(count)).then(|| {
                    let at = show_key(&place.1);
                    let wrong = (
                        format!("`{}` at {at} is {count}", kept.attribute),
                        format!("it is {}", number.unwrap_or_default()),
                    );
                    (item_type.name.clone(), wrong)
                })
            })
        })
    }

    fn is_counter(&self, kept: &Kept<'_>) -> bool {
        self.design.item(&kept.update.item).is_some_and(|item| item.kind == ItemKind::Counter)
    }

    /// The numbers that changes concern: where they are, and how many records there are now.
    fn kept_of(&self, changes: &[Change]) -> Vec<(&Kept<'_>, Place, i64)> {
        let mut found = Vec::new();
        for kept in &self.kept {
            let concerned = changes.iter().filter(|change| change.entity == kept.entity);
            for record in concerned.flat_map(|change| [&change.before, &change.after]).flatten() {
                let Some(place) = kept.place(self.model, record) else { continue };
                if found.iter().any(|(_, known, _)| *known == place) {
                    continue;
                }
                let held: Vec<(&str, &[AttributeValue])> = kept
                    .via
                    .iter()
                    .filter_map(|name| Some((name.as_str(), std::slice::from_ref(record.get(name)?))))
                    .collect();
                let siblings = self.world.near(kept.entity, &held).into_iter();
                let count = siblings
                    .filter(|other| kept.via.iter().all(|name| other.get(name) == record.get(name)))
                    .count();
                found.push((kept, place, count as i64));
            }
        }
        found
    }
}

/// Whether a number is of those with one value, as a read asks for it that gives the value.
fn is_of_one_state(model: &Model, design: &Design, number: &str) -> bool {
    let answers = |operation: &&design::Operation| matches!(&operation.outcome.shape, design::Shape::Count { attribute: Some(it) } if it == number);
    let fixed = |pattern: &Pattern| pattern.inputs().iter().any(|input| input.constant.is_some());
    let mut reads = design.operations.iter().filter(answers);
    reads.any(|operation| model.pattern(&operation.pattern).is_some_and(fixed))
}

/// The numbers of its own to which an operation adds one.
fn added<'a>(design: &'a Design, model: &Model, writing: Writing<'a>) -> Vec<(&'a Update, &'a str)> {
    let actions = writing.operation.requests.iter().flat_map(|request| match request {
        Request::Write { action } => std::slice::from_ref(action),
        Request::TransactWriteItems { actions } | Request::BatchWriteItem { actions } => actions.as_slice(),
        _ => &[],
    });
    let one = Value::Literal(Literal::Number("1".to_owned()));
    let mut added = Vec::new();
    for action in actions {
        let design::Action::Update(update) = action else { continue };
        let Some(item) = design.item(&update.item).filter(|_| update.each.is_none()) else { continue };
        for (attribute, by) in &update.update.add {
            let declared = item.entities.iter().any(|name| {
                item.kind != ItemKind::Counter
                    && model.entity(name).is_some_and(|entity| entity.attribute(attribute).is_some())
            });
            if !declared && *by == one {
                added.push((update, attribute.as_str()));
            }
        }
    }
    added
}

/// Whether every write of the document can keep the number: none replaces what it counts, moves it, or deletes it without
/// naming the parent.
fn is_exact(model: &Model, entity: &str, per: &str, via: &[String], own_item: bool) -> bool {
    model.patterns.iter().filter_map(|pattern| Some((pattern, pattern.write()?))).all(|(pattern, write)| {
        let bound = |role: fn(&Role) -> bool, name: &String| {
            let mut inputs = pattern.inputs().iter().filter(|input| role(&input.role));
            inputs.any(|input| binding(model, input, entity) == Some(name))
        };
        let deletes = |name: &str, all: bool| {
            write.effects.iter().any(|effect| {
                effect.entity == name && effect.action == Action::Delete && (effect.all || !all)
            })
        };
        let absent = write
            .conditions
            .iter()
            .any(|it| matches!(&it.kind, ConditionKind::NotExists { entity: named } if named == entity));
        let parent_stays = own_item || !deletes(per, false) || deletes(entity, true);
        parent_stays
            && write.effects.iter().filter(|effect| effect.entity == entity).all(|effect| {
                match &effect.action {
                    Action::Create | Action::Add { .. } => true,
                    // What must not be there is not replaced.
                    Action::Put => absent,
                    Action::Update => !via.iter().any(|name| {
                        effect.attributes.contains(name) || bound(|role| *role == Role::NewValue, name)
                    }),
                    Action::Delete => {
                        !effect.all || via.iter().all(|name| bound(|role| *role == Role::Equal, name))
                    }
                }
            })
    })
}

/// Whether the number that limits what a write creates can be kept by every write of the document.
pub(crate) fn keeps_exactly(
    model: &Model,
    design: &Design,
    writing: Writing<'_>,
    entity: &str,
    per: &str,
) -> bool {
    let is_counter =
        |update: &Update| design.item(&update.item).is_some_and(|it| it.kind == ItemKind::Counter);
    let own_item = added(design, model, writing).iter().all(|(update, _)| is_counter(update));
    let above = model.parents_of(entity).find(|it| it.parent == per && !it.via.is_empty());
    above.is_some_and(|above| is_exact(model, entity, per, &above.via, own_item))
}

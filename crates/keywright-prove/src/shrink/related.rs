//! The part of a world that a failure may depend on, where the whole is too large to be tried again and again.
//!
//! Nobody knows what a failure depends on before it is tried, so this is a guess, and the trial is the judge: what the
//! oracle selects, what holds a value of the inputs or one near it, some of everything else, and the parents of all.

use std::collections::{BTreeMap, BTreeSet};

use keywright_dynamodb::value::AttributeValue;
use keywright_model::design::ItemKind;
use keywright_model::model::{ConditionKind, Pattern};
use keywright_model::{Design, Model};

use crate::image;
use crate::interpret::{Given, Inputs, key};
use crate::mirror::Mirror;
use crate::oracle::select;
use crate::world::{Change, Identity, Record, World, identity};

/// The most records that one reason brings in, so that there is room for the others.
const PER_REASON: usize = 300;
/// The most counters that are kept without looking at whose they are.
const MOST_COUNTERS: usize = 500;

/// Makes a world and tables of about so many records, those that calls of a pattern with these inputs may depend on.
pub(super) fn related(
    model: &Model,
    design: &Design,
    (world, mirror): (&World, &Mirror),
    calls: &[(&Pattern, &Inputs)],
    most: usize,
) -> (World, Mirror) {
    let mut chosen = Chosen { model, design, world, most, records: BTreeMap::new() };
    for (pattern, inputs) in calls {
        chosen.selected(pattern, inputs);
    }
    for (_, inputs) in calls {
        chosen.near(inputs);
    }
    chosen.sample();
    chosen.parents();
    chosen.siblings();
    let chosen = chosen.records;
    let mut few = world.emptied(model);
    let mut tables = Mirror::new(design);
    for (entity, record) in chosen.iter().flat_map(|(entity, some)| some.values().map(move |it| (entity, it)))
    {
        let change = Change { entity: entity.clone(), before: None, after: Some((*record).clone()) };
        few.apply(model, &[change]);
        for (table, key) in
            image::of_record(model, design, world, entity, record).unwrap_or_default().into_keys()
        {
            let item = mirror.get(&table, &key);
            tables.set(&table, &key, item);
        }
    }
    keep_counters(design, mirror, &chosen, &mut tables);
    (few, tables)
}

/// The chosen records, by entity and identity.
struct Chosen<'a> {
    model: &'a Model,
    design: &'a Design,
    world: &'a World,
    most: usize,
    records: Records<'a>,
}

type Records<'a> = BTreeMap<String, BTreeMap<Identity, &'a Record>>;

impl<'a> Chosen<'a> {
    fn is_full(&self) -> bool {
        self.records.values().map(BTreeMap::len).sum::<usize>() >= self.most
    }

    fn add(&mut self, entity: &str, records: impl IntoIterator<Item = &'a Record>) {
        let Some(declared) = self.model.entity(entity) else { return };
        let of_entity = self.records.entry(entity.to_owned()).or_default();
        of_entity.extend(records.into_iter().map(|record| (identity(declared, record), record)));
    }

    /// What the oracle says that a call is about.
    fn selected(&mut self, pattern: &Pattern, inputs: &Inputs) {
        for entity in &pattern.entities {
            let selected = select(self.model, self.world, pattern, entity, inputs, &[]);
            self.add(entity, selected.into_iter().take(PER_REASON));
        }
    }

    /// What holds a value of the inputs, or a text that begins alike.
    fn near(&mut self, inputs: &Inputs) {
        for value in inputs.values().flat_map(Given::all) {
            for entity in &self.model.entities {
                if self.is_full() {
                    return;
                }
                let holding = self.world.holding(&entity.name, value, PER_REASON);
                self.add(&entity.name, holding);
            }
        }
    }

    /// Some of every entity, evenly spread.
    fn sample(&mut self) {
        let entities = &self.model.entities;
        let taken = self.records.values().map(BTreeMap::len).sum::<usize>();
        let each = self.most.saturating_sub(taken) / 2 / entities.len().max(1);
        for entity in entities {
            let count = self.world.count(&entity.name);
            let step = count.div_ceil(each.max(1)).max(1);
            let world = self.world;
            self.add(&entity.name, (0..count).step_by(step).filter_map(|at| world.some(&entity.name, at)));
        }
    }

    /// The parents of what was chosen, and theirs: a child of what isn't there is another story.
    fn parents(&mut self) {
        for _ in 0..self.model.entities.len() {
            let before: usize = self.records.values().map(BTreeMap::len).sum();
            for relationship in self.model.relationships.iter().filter(|it| !it.via.is_empty()) {
                let children: Vec<&Record> = self
                    .records
                    .get(&relationship.child)
                    .into_iter()
                    .flat_map(BTreeMap::values)
                    .copied()
                    .collect();
                let parents = children.into_iter().filter_map(|child| {
                    let named: Option<Identity> =
                        relationship.via.iter().map(|name| child.get(name).cloned()).collect();
                    self.world.get(&relationship.parent, &named?)
                });
                let parents: Vec<&Record> = parents.collect();
                self.add(&relationship.parent, parents);
            }
            if self.records.values().map(BTreeMap::len).sum::<usize>() == before {
                break;
            }
        }
    }

    /// All siblings of what is counted: a number that writes keep would be wrong without them.
    fn siblings(&mut self) {
        for entity in &self.model.entities {
            if !is_counted(self.model, self.design, &entity.name) {
                continue;
            }
            let mut held = self.model.parents_of(&entity.name).filter(|it| !it.via.is_empty()).peekable();
            if held.peek().is_none() {
                self.add(&entity.name, self.world.records(&entity.name));
            }
            for relationship in held {
                let Some(parent) = self.model.entity(&relationship.parent) else { continue };
                let parents: Vec<&Record> =
                    self.records.get(&parent.name).into_iter().flat_map(BTreeMap::values).copied().collect();
                for one in parents {
                    let values: Vec<(&str, &AttributeValue)> = parent
                        .identity_names()
                        .zip(&relationship.via)
                        .filter_map(|(name, via)| Some((via.as_str(), one.get(name)?)))
                        .collect();
                    let held: Vec<(&str, &[AttributeValue])> =
                        values.iter().map(|(via, value)| (*via, std::slice::from_ref(*value))).collect();
                    let children = self.world.near(&entity.name, &held).into_iter();
                    let children: Vec<&Record> = children
                        .filter(|child| values.iter().all(|(via, value)| child.get(*via) == Some(*value)))
                        .collect();
                    self.add(&entity.name, children);
                }
            }
        }
    }
}

/// Whether some number that writes keep, or a limit, depends on how many records of an entity there are.
pub(super) fn is_counted(model: &Model, design: &Design, entity: &str) -> bool {
    let conditions = model.patterns.iter().filter_map(Pattern::write).flat_map(|it| &it.conditions);
    let limited = conditions
        .into_iter()
        .any(|it| matches!(&it.kind, ConditionKind::AtMost { entity: named, .. } if named == entity));
    let kept = |pattern: &Pattern| {
        design.operation(&pattern.id).is_some_and(|operation| {
            matches!(operation.outcome.shape, keywright_model::design::Shape::Count { attribute: Some(_) })
        })
    };
    limited
        || model
            .patterns
            .iter()
            .any(|pattern| pattern.entities.iter().any(|name| name.value == entity) && kept(pattern))
}

/// Counters belong to no record; of many, those are kept whose keys name a record that is.
fn keep_counters(design: &Design, mirror: &Mirror, chosen: &Records<'_>, tables: &mut Mirror) {
    let counts = |item: &_| image::item_type(design, item).is_none_or(|it| it.kind == ItemKind::Counter);
    let counters: Vec<_> = mirror.all().filter(|(_, _, item)| counts(item)).collect();
    let identities = chosen.values().flat_map(BTreeMap::keys).flatten();
    let named: BTreeSet<String> = identities.filter_map(key::text).collect();
    let many = counters.len() > MOST_COUNTERS;
    for (table, key, item) in counters {
        let texts: Vec<String> = key.values().filter_map(key::text).collect();
        if !many || texts.iter().flat_map(|text| text.split('#')).any(|part| named.contains(part)) {
            tables.set(table, &key, Some(item));
        }
    }
}

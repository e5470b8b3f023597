//! Counters that the document implies: the last number of a sequence, and the number of children under a limit.
//!
//! Each is an attribute of the parent, which is there whenever a child is created, so that its update also checks
//! that the parent exists.

use keywright_model::Model;
use keywright_model::model::{Action, ConditionKind, Type};

use crate::problem::{Attr, AttributeFacts, Attrs, Domain, EffectAction, EffectFacts, EntityFacts};

/// The counters of a document.
#[derive(Debug, Default)]
pub(super) struct Counters {
    sequences: Vec<Counter>,
    limits: Vec<Counter>,
}

/// An attribute of a parent that counts its children.
#[derive(Debug)]
struct Counter {
    child: usize,
    parent: usize,
    counter: Attr,
    /// The child's number, for a sequence.
    number: Option<Attr>,
}

/// Finds the counters and adds their attributes to the parents.
pub(super) fn declare(model: &Model, entities: &mut [EntityFacts]) -> Counters {
    let mut counters = Counters::default();
    for child in 0..entities.len() {
        let numbered = entities[child].identity.iter().copied().find(|attr| {
            let it = entities[child].attribute(*attr);
            (it.sequential || !model.entities[child].attributes[attr.index()].shared_with.is_empty())
                && !is_given_to_create(model, &entities[child].name, &it.name)
        });
        let Some(number) = numbered else { continue };
        entities[child].attributes[number.index()].sequential = true;
        entities[child].generated = true;
        let identity = entities[child].identity_set();
        let link = entities[child].parents.iter().find(|link| {
            !link.via.is_empty() && link.via_set().is_subset(identity) && !link.via.contains(&number)
        });
        let Some(parent) = link.map(|link| link.parent) else { continue };
        let attribute = &model.entities[child].attributes[number.index()];
        let shared = !attribute.shared_with.is_empty()
            || model.entities.iter().any(|other| {
                other
                    .attributes
                    .iter()
                    .any(|it| it.shared_with.iter().any(|it| it.value == entities[child].name))
            });
        let of = if shared { String::new() } else { capital(&entities[child].name) };
        let name = format!("last{of}{}", capital(&attribute.name));
        let counter = attribute_of(entities, parent, &name);
        counters.sequences.push(Counter { child, parent, counter, number: Some(number) });
    }
    for write in model.patterns.iter().filter_map(|pattern| pattern.write()) {
        for condition in &write.conditions {
            let ConditionKind::AtMost { entity, per: Some(per), .. } = &condition.kind else { continue };
            let position = |name: &str| entities.iter().position(|it| it.name == name);
            let (Some(child), Some(parent)) = (position(entity), position(per)) else { continue };
            let counts =
                write.effects.iter().any(|it| it.entity == *per && matches!(it.action, Action::Add { .. }));
            if counts || counters.limits.iter().any(|it| it.child == child && it.parent == parent) {
                continue;
            }
            let mut letters = entity.chars();
            let mut name: String =
                letters.next().map(|first| first.to_ascii_lowercase()).into_iter().collect();
            name.extend(letters);
            name.push_str("Count");
            let counter = attribute_of(entities, parent, &name);
            counters.limits.push(Counter { child, parent, counter, number: None });
        }
    }
    counters
}

fn capital(name: &str) -> String {
    let mut letters = name.chars();
    let mut text: String = letters.next().map(|first| first.to_ascii_uppercase()).into_iter().collect();
    text.extend(letters);
    text
}

fn is_given_to_create(model: &Model, entity: &str, attribute: &str) -> bool {
    model.patterns.iter().any(|pattern| {
        let creates = pattern.write().is_some_and(|write| {
            write.effects.iter().any(|effect| {
                effect.entity == entity && matches!(effect.action, Action::Create | Action::Put)
            })
        });
        creates
            && pattern
                .inputs()
                .iter()
                .any(|input| input.binds.iter().any(|it| it.entity == entity && it.attribute == attribute))
    })
}

/// The number of that name, added where the entity lacks it.
fn attribute_of(entities: &mut [EntityFacts], entity: usize, name: &str) -> Attr {
    if let Some(attr) = entities[entity].named(name) {
        return attr;
    }
    let attr = Attr::new(entities[entity].attributes.len());
    entities[entity].attributes.push(AttributeFacts {
        name: name.to_owned(),
        ty: Type::Integer,
        bytes: 8,
        distinct: 1_000,
        optional: false,
        present: 1_000_000,
        values: Vec::new(),
        max: None,
        domain: Domain { entity, attr },
        creation_time: false,
        sequential: false,
        ttl: false,
        version: false,
        changes: true,
    });
    attr
}

impl Counters {
    /// Adds to a write's effects what keeps the counters. `given` says which identifiers of an entity its inputs give.
    pub(super) fn keep(
        &self,
        entities: &[EntityFacts],
        effects: &mut Vec<EffectFacts>,
        given: &dyn Fn(usize) -> Attrs,
    ) {
        for at in 0..effects.len() {
            let (entity, action, all) = (effects[at].entity, effects[at].action, effects[at].all);
            if all {
                continue;
            }
            let creates = matches!(action, EffectAction::Create | EffectAction::Put);
            for counter in self.sequences.iter().filter(|it| it.child == entity && creates) {
                let parent = of_parent(entities, effects, counter.parent, given);
                let kept = &mut effects[parent];
                kept.sets.insert(counter.counter);
                kept.next_number = Some(counter.counter);
                kept.read_first = true;
                effects[at].numbered_by = counter.number.map(|number| (number, counter.counter, parent));
            }
            let step = match action {
                EffectAction::Create => 1,
                EffectAction::Delete => -1,
                EffectAction::Put | EffectAction::Update => continue,
            };
            for counter in self.limits.iter().filter(|it| it.child == entity) {
                let gone =
                    effects.iter().any(|it| it.entity == counter.parent && it.action != EffectAction::Update);
                if gone {
                    continue;
                }
                let parent = of_parent(entities, effects, counter.parent, given);
                effects[parent].sets.insert(counter.counter);
                effects[parent].adds.push((counter.counter, step));
            }
        }
    }
}

/// The effect on the parent: one that is there already, or a new update.
fn of_parent(
    entities: &[EntityFacts],
    effects: &mut Vec<EffectFacts>,
    parent: usize,
    given: &dyn Fn(usize) -> Attrs,
) -> usize {
    if let Some(at) = effects.iter().position(|it| it.entity == parent && it.action == EffectAction::Update) {
        return at;
    }
    let identity = entities[parent].identity_set();
    effects.push(EffectFacts {
        entity: parent,
        action: EffectAction::Update,
        all: false,
        given: given(parent).intersection(identity),
        sets: Attrs::NONE,
        unique: Vec::new(),
        conditions: Vec::new(),
        derived_from: None,
        read_first: false,
        adds: Vec::new(),
        next_number: None,
        numbered_by: None,
        sources: Vec::new(),
    });
    effects.len() - 1
}

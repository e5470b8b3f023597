//! Counters that the document implies: the last number of a sequence, and the number of children under a limit.
//!
//! The number of children is an attribute of the parent, whose update then also checks that the parent exists, or an
//! item of its own beside it; where only a read asks for it, it may also be counted anew each time. What is best
//! depends on the whole design, so that each is resolved apart and weighed (see [`super::countable`]).

use keywright_model::Model;
use keywright_model::model::{Action, Effect, Type, Write};

use super::countable::{Countable, Keeping, Only, countable, number_name, step};
use crate::problem::{
    Attr, AttributeFacts, Attrs, Domain, EffectAction, EffectFacts, EntityFacts, ParentLink,
};

/// The counters of a document.
#[derive(Debug, Default)]
pub(super) struct Counters {
    sequences: Vec<Counter>,
    counts: Vec<Counter>,
}

/// An attribute that counts the children of a parent.
#[derive(Debug)]
struct Counter {
    child: usize,
    /// Whose attribute it is: the parent, or an item of its own for each parent.
    parent: usize,
    counter: Attr,
    /// The child's number, for a sequence.
    number: Option<Attr>,
    /// Only those are counted that have this value.
    only: Option<Only>,
    /// Every write keeps it right, so that a read may rely on it.
    exact: bool,
}

/// Finds the counters and adds their attributes to the parents.
pub(super) fn declare(model: &Model, entities: &mut Vec<EntityFacts>, keeping: &[Keeping]) -> Counters {
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
        // What is put over a parent does not know the last number.
        let lasting = |parent: &usize| model.putting(&entities[*parent].name).is_none();
        let parent = link.map(|link| link.parent).filter(lasting);
        let attribute = &model.entities[child].attributes[number.index()];
        let shared = !attribute.shared_with.is_empty()
            || model.entities.iter().any(|other| {
                other
                    .attributes
                    .iter()
                    .any(|it| it.shared_with.iter().any(|it| it.value == entities[child].name))
            });
        // `lastIssueNumber`, be it the number of an issue or its `issueNumber`.
        let named = attribute.name.to_lowercase().starts_with(&entities[child].name.to_lowercase());
        let of = if shared || named { String::new() } else { capital(&entities[child].name) };
        let name = format!("last{of}{}", capital(&attribute.name));
        // Where nothing is the parent of all that is numbered together, the number is an item of its own.
        let parent = parent.unwrap_or_else(|| scope_of(entities, child, number, &name));
        let counter = attribute_of(model, entities, parent, &name);
        let number = Some(number);
        counters.sequences.push(Counter { child, parent, counter, number, only: None, exact: true });
    }
    for (at, countable) in countable(model, entities).iter().enumerate() {
        let keeping = keeping.get(at).copied().unwrap_or(countable.options[0]);
        let Countable { child, parent, exact, .. } = *countable;
        let only = countable.only.clone();
        let name = number_name(&entities[child], only.as_ref());
        let (parent, counter) = match keeping {
            Keeping::Reading => continue,
            Keeping::Attribute => (parent, attribute_of(model, entities, parent, &name)),
            Keeping::Item => item_of(model, entities, child, parent, &name),
        };
        counters.counts.push(Counter { child, parent, counter, number: None, only, exact });
    }
    counters
}

fn capital(name: &str) -> String {
    let mut letters = name.chars();
    let mut text: String = letters.next().map(|first| first.to_ascii_uppercase()).into_iter().collect();
    text.extend(letters);
    text
}

/// Whether a write of the document adds to an attribute.
fn is_added_to(model: &Model, entity: &str, attribute: &str) -> bool {
    let adds = |effect: &Effect| {
        effect.entity == entity
            && matches!(&effect.action, Action::Add { attribute: added, .. } if added == attribute)
    };
    model.patterns.iter().filter_map(|it| it.write()).any(|write| write.effects.iter().any(adds))
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

/// A kind of item that holds nothing but the number, one for each parent.
fn item_of(
    model: &Model,
    entities: &mut Vec<EntityFacts>,
    child: usize,
    parent: usize,
    name: &str,
) -> (usize, Attr) {
    let item = entities.len();
    let link = entities[child].parents.iter().find(|link| link.parent == parent);
    let (via, mean, max) = link.map_or((Vec::new(), 1, None), |it| (it.via.clone(), it.mean, it.max));
    let attributes: Vec<AttributeFacts> = via
        .iter()
        .zip(&entities[parent].identity)
        .map(|(held, identity)| AttributeFacts {
            name: entities[child].attribute(*held).name.clone(),
            distinct: entities[parent].count,
            ..entities[parent].attribute(*identity).frozen()
        })
        .collect();
    let of = &entities[parent];
    let facts = EntityFacts::counter(capital(name), entities[child].span, attributes, of.count);
    let own = ParentLink { parent, via: facts.identity.clone(), told: None, mean: 1, max: Some(1) };
    let facts = EntityFacts { parents: vec![own], skew: of.skew, ..facts };
    entities.push(facts);
    // Where a write is given only the child, the child tells which number changes.
    entities[child].parents.push(ParentLink { parent: item, via, told: None, mean, max });
    let counter = attribute_of(model, entities, item, name);
    (item, counter)
}

/// A kind of item that holds the last number of a sequence, one for each scope of it: for what is the rest of the identity.
fn scope_of(entities: &mut Vec<EntityFacts>, child: usize, number: Attr, name: &str) -> usize {
    let scope: Vec<Attr> = entities[child].identity.iter().copied().filter(|attr| *attr != number).collect();
    let kind = capital(name);
    // Kinds that share a sequence share its last number.
    let there =
        entities.iter().position(|it| it.counter && it.name == kind && it.identity.len() == scope.len());
    let distinct = |attr: &Attr| entities[child].attribute(*attr).distinct.max(1);
    let all: u64 = scope.iter().map(distinct).fold(1, u64::saturating_mul);
    let count = all.min(entities[child].count).max(1);
    let item = there.unwrap_or(entities.len());
    if there.is_none() {
        let of = &entities[child];
        let attributes = scope.iter().map(|attr| of.attribute(*attr).frozen()).collect();
        let facts = EntityFacts::counter(kind, of.span, attributes, count);
        let facts = EntityFacts { skew: of.skew, ..facts };
        entities.push(facts);
    }
    let mean = entities[child].count.div_ceil(count).max(1);
    entities[child].parents.push(ParentLink { parent: item, via: scope, told: None, mean, max: None });
    item
}

/// The number of that name, added where the entity lacks it. An attribute of the document that is called so and that no
/// write of the document adds to is something else: then the number has another name.
fn attribute_of(model: &Model, entities: &mut [EntityFacts], entity: usize, name: &str) -> Attr {
    let is_other = |name: &str| {
        let stated = model.entities.get(entity).filter(|it| it.attribute(name).is_some());
        stated.is_some_and(|it| !is_added_to(model, &it.name, name))
    };
    let mut name = name.to_owned();
    while is_other(&name) {
        name = format!("kept{}", capital(&name));
    }
    if let Some(attr) = entities[entity].named(&name) {
        return attr;
    }
    let attr = Attr::new(entities[entity].attributes.len());
    entities[entity].attributes.push(AttributeFacts {
        name,
        ty: Type::Integer,
        bytes: 8,
        distinct: 1_000,
        optional: false,
        present: 1_000_000,
        values: Vec::new(),
        rank: Vec::new(),
        max: None,
        domain: Domain { entity, attr },
        creation_time: false,
        sequential: false,
        ttl: false,
        version: false,
        tenant: false,
        changes: true,
        grows: false,
        bucket: None,
    });
    attr
}

impl Counters {
    /// The number of an entity's items under each of another, where writes keep it: whose attribute, and which.
    pub(super) fn kept(
        &self,
        entities: &[EntityFacts],
        child: usize,
        parent: usize,
    ) -> Option<(usize, Attr)> {
        self.find(entities, child, parent, None).map(|it| (it.parent, it.counter))
    }

    /// The same, or that of those with one value, where a read may rely on it.
    pub(super) fn exact(
        &self,
        entities: &[EntityFacts],
        child: usize,
        parent: usize,
        only: Option<&Only>,
    ) -> Option<(usize, Attr)> {
        let kept = self.find(entities, child, parent, only).filter(|it| it.exact);
        kept.map(|it| (it.parent, it.counter))
    }

    fn find(
        &self,
        entities: &[EntityFacts],
        child: usize,
        parent: usize,
        only: Option<&Only>,
    ) -> Option<&Counter> {
        let under = |owner: usize| {
            owner == parent || entities[owner].counter && entities[owner].parents[0].parent == parent
        };
        self.counts.iter().find(|it| it.child == child && it.only.as_ref() == only && under(it.parent))
    }

    /// Adds to a write's effects what keeps the counters. `given` says which identifiers of an entity its inputs give.
    pub(super) fn keep(
        &self,
        write: &Write,
        entities: &[EntityFacts],
        effects: &mut Vec<EffectFacts>,
        given: &dyn Fn(usize) -> Attrs,
    ) {
        for at in 0..effects.len() {
            let (entity, action, all) = (effects[at].entity, effects[at].action, effects[at].all);
            let creates = matches!(action, EffectAction::Create | EffectAction::Put);
            for counter in self.sequences.iter().filter(|it| it.child == entity && creates && !all) {
                // Under a parent that comes with it, it is the first.
                if let Some(begun) = begun(effects, counter) {
                    effects[at].begins.extend(counter.number.map(|number| (number, begun)));
                    continue;
                }
                let parent = of_parent(entities, effects, counter.parent, given);
                let kept = &mut effects[parent];
                kept.sets.insert(counter.counter);
                kept.next_number = Some(counter.counter);
                kept.read_first = true;
                // An item of its own comes to be with the first number.
                kept.upsert = entities[counter.parent].counter;
                effects[at].numbered_by = counter.number.map(|number| (number, counter.counter, parent));
            }
            for counter in self.counts.iter().filter(|it| it.child == entity) {
                let own = entities[counter.parent].counter;
                let step = step(write, &entities[entity], &effects[at], counter.only.as_ref());
                let Some(step) = step.filter(|step| *step != 0) else { continue };
                if step > 0 && begun(effects, counter).is_some() {
                    continue;
                }
                let is_gone =
                    |it: &EffectFacts| it.entity == counter.parent && it.action != EffectAction::Update;
                let gone = effects.iter().any(is_gone);
                // Who takes all of them away with the parent does not miss one that comes meanwhile.
                if all
                    && action == EffectAction::Delete
                    && let Some(parent) = effects.iter_mut().find(|it| is_gone(it) && !it.all)
                    && parent.action == EffectAction::Delete
                {
                    parent.read_first = true;
                    parent.settled.insert(counter.counter);
                }
                // Whose number goes down is said by the inputs, or by nobody: what is found may belong to several.
                let known = entities[counter.parent].identity_set().is_subset(given(counter.parent));
                if gone || all && !known {
                    continue;
                }
                // What is deleted in portions is counted down with each of them: were the number deleted too, nobody
                // would know of what comes meanwhile.
                let parent = match all {
                    false => of_parent(entities, effects, counter.parent, given),
                    true => new_update(entities, effects, counter.parent, given),
                };
                effects[parent].counts_all = all.then_some(at);
                effects[parent].sets.insert(counter.counter);
                effects[parent].adds.push((counter.counter, step));
                effects[parent].upsert = own;
                effects[at].counted = true;
            }
        }
    }
}

/// The number with one more, where the same write creates the parent: its item begins with it.
fn begun(effects: &mut [EffectFacts], counter: &Counter) -> Option<i64> {
    let comes = |it: &&mut EffectFacts| {
        it.entity == counter.parent && matches!(it.action, EffectAction::Create | EffectAction::Put)
    };
    let parent = effects.iter_mut().find(comes)?;
    parent.sets.insert(counter.counter);
    match parent.begins.iter_mut().find(|(attr, _)| *attr == counter.counter) {
        Some((_, number)) => {
            *number += 1;
            Some(*number)
        }
        None => {
            parent.begins.push((counter.counter, 1));
            Some(1)
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
    let there = |it: &EffectFacts| {
        it.entity == parent && it.action == EffectAction::Update && it.counts_all.is_none()
    };
    match effects.iter().position(there) {
        Some(at) => at,
        None => new_update(entities, effects, parent, given),
    }
}

fn new_update(
    entities: &[EntityFacts],
    effects: &mut Vec<EffectFacts>,
    parent: usize,
    given: &dyn Fn(usize) -> Attrs,
) -> usize {
    let identity = entities[parent].identity_set();
    effects.push(EffectFacts {
        given: given(parent).intersection(identity.union(entities[parent].tenants())),
        ..EffectFacts::new(parent, EffectAction::Update)
    });
    effects.len() - 1
}

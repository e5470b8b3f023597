//! Writes that read first, overtaken: another call changes exactly what was read before it is written. Whoever gives up there
//! instead of starting over, or writes over it, is seen whatever is drawn.

use std::collections::BTreeSet;

use keywright_model::design::{self, Operation, Request, Value};
use keywright_model::{Design, Model};

use super::{MUCH, naming_inputs};
use crate::check::Contender;
use crate::inputs::Flavour;
use crate::interpret::{Given, Inputs};
use crate::oracle::Judgement;
use crate::prover::Prover;
use crate::reading::{self, Taken};
use crate::world::{Change, Identity, identity};
use crate::writing::Writing;

/// So many calls are looked at for one that can be overtaken, every second one in a world that is altered for it, …
const OVERTAKEN: usize = 8;
/// … and so many for one that overtakes it.
const OVERTAKING: usize = 12;

/// Two calls of which the second changes what the first one reads, and what is made of the records before.
pub(super) struct Overtaking<'a> {
    pub(super) setting: Vec<Change>,
    pub(super) both: [Contender<'a>; 2],
}

/// An attribute of an item that a write reads and then depends on.
type Watched<'d> = (&'d str, String);

impl<'a> Prover<'a, '_, '_> {
    /// A call of a write and one of another that changes what the first one reads, both of which take place even if the other
    /// one came first; none where none is found.
    pub(super) fn overtaking(&mut self, writing: Writing<'a>, other: Writing<'a>) -> Option<Overtaking<'a>> {
        if other.deletes_all() {
            return None;
        }
        let design = self.checker.design;
        let mut watched = watched(design, writing.operation);
        watched.retain(|watched| may_change(other.operation, watched));
        if watched.is_empty() {
            return None;
        }
        for drawn in 0..OVERTAKEN {
            let (setting, inputs) = match drawn % 2 {
                0 => match self.telling(writing, &Inputs::new(), None) {
                    Some(one) => (Vec::new(), one.inputs),
                    None => continue,
                },
                _ => self.checker.base(writing).map(|base| (base.setting, base.inputs))?,
            };
            let one = Contender { writing, inputs };
            let model = self.checker.model;
            self.checker.world.apply(model, &setting);
            let other = self.overtaker(&one, other, &watched);
            self.checker.world.revert(model, &setting);
            if let Some(other) = other {
                return Some(Overtaking { setting, both: [one, other] });
            }
        }
        None
    }

    /// A call that changes what another one reads, and lets that one take place all the same.
    fn overtaker(
        &mut self,
        one: &Contender<'a>,
        other: Writing<'a>,
        watched: &BTreeSet<Watched<'a>>,
    ) -> Option<Contender<'a>> {
        let (model, design) = (self.checker.model, self.checker.design);
        let Judgement::Holds { changes: first, .. } = self.checker.foretell(one.writing, &one.inputs) else {
            return None;
        };
        if first.len() > MUCH {
            return None;
        }
        let mut shared = self.of_the_same(one, &first, other);
        for (mine, theirs) in named_alike(one.writing.operation, other.operation, watched) {
            if let Some(given) = one.inputs.get(&mine) {
                shared.entry(theirs).or_insert_with(|| given.clone());
            }
        }
        for _ in 0..OVERTAKING {
            let Some(inputs) = self.checker.inputs_of(other, Flavour::Within(&shared)) else { break };
            let Judgement::Holds { changes, numbers } = self.checker.foretell(other, &inputs) else {
                continue;
            };
            if !watched.iter().any(|watched| alters(model, design, &changes, &first, watched)) {
                continue;
            }
            let world = &mut self.checker.world;
            let last: Vec<i64> =
                numbers.iter().map(|(sequence, scope, _)| world.last_number(sequence, scope)).collect();
            numbers.iter().for_each(|(sequence, scope, number)| world.give_number(sequence, scope, *number));
            world.apply(model, &changes);
            let still = self.checker.foretell(one.writing, &one.inputs).changes_something();
            let world = &mut self.checker.world;
            world.revert(model, &changes);
            for ((sequence, scope, _), last) in numbers.iter().zip(last) {
                world.give_number(sequence, scope, last);
            }
            if still {
                return Some(Contender { writing: other, inputs });
            }
        }
        None
    }

    /// The inputs by which a write names the records that a call changes, or names itself, but for those that it creates.
    fn of_the_same(&self, one: &Contender<'a>, changes: &[Change], other: Writing<'a>) -> Inputs {
        let model = self.checker.model;
        let mut shared = Inputs::new();
        for entity in model.entities.iter().filter(|entity| !other.creates(&entity.name)) {
            let changed =
                changes.iter().find(|it| it.entity == entity.name).and_then(|it| it.before.as_ref());
            for attribute in entity.identity_names() {
                let own = changed.and_then(|record| record.get(attribute)).cloned().map(Given::One);
                let named = self.named(one.writing.pattern, &one.inputs, &entity.name, attribute);
                let given = own.or_else(|| one.inputs.get(&named?).cloned());
                let theirs = naming_inputs(model, other.pattern, &entity.name, attribute).next();
                if let (Some(given), Some(theirs)) = (given, theirs) {
                    shared.entry(theirs.name.clone()).or_insert(given);
                }
            }
        }
        shared
    }
}

/// The inputs by which two operations name the key of an item that the first one reads.
fn named_alike(one: &Operation, other: &Operation, watched: &BTreeSet<Watched<'_>>) -> Vec<(String, String)> {
    let mut alike = Vec::new();
    for (item, mine) in one.requests.iter().filter_map(key_read) {
        if !watched.iter().any(|(name, _)| *name == item) {
            continue;
        }
        let written = other.requests.iter().flat_map(Request::actions).filter_map(key_written);
        let theirs = other.requests.iter().filter_map(key_read).chain(written);
        for (_, theirs) in theirs.filter(|(name, _)| *name == item) {
            let names =
                |key: &[(String, Value)]| key.iter().flat_map(|(_, it)| places(it)).collect::<Vec<_>>();
            alike.extend(names(mine).into_iter().zip(names(theirs)));
        }
    }
    alike
}

/// The item that a request reads by its whole key.
fn key_read(request: &Request) -> Option<(&str, &[(String, Value)])> {
    match request {
        Request::GetItem(get) => Some((&get.item, &get.key)),
        _ => None,
    }
}

/// The item that an action changes by its whole key.
fn key_written(action: &design::Action) -> Option<(&str, &[(String, Value)])> {
    match action {
        design::Action::Update(update) => Some((&update.item, &update.key)),
        design::Action::Delete(it) | design::Action::Check(it) => Some((&it.item, &it.key)),
        design::Action::Put(_) => None,
    }
}

/// What a part of a key names, in order.
fn places(value: &Value) -> Vec<String> {
    match value {
        Value::Input(name) => vec![name.clone()],
        Value::Template(text) => {
            let places = text.split('<').skip(1).filter_map(|part| part.split(['>', ':']).next());
            places.map(str::to_owned).collect()
        }
        _ => Vec::new(),
    }
}

/// What an operation reads and then depends on: in a condition, in a key, or in what it writes.
fn watched<'d>(design: &'d Design, operation: &'d Operation) -> BTreeSet<Watched<'d>> {
    let mut read = Taken::new();
    for action in operation.requests.iter().flat_map(Request::actions) {
        let mut note = |value: &Value| reading::note(value, &mut read);
        match action {
            design::Action::Put(put) => {
                put.condition.iter().for_each(|it| it.each_value(&mut note));
                put.values.iter().for_each(|(_, value)| note(value));
            }
            design::Action::Update(update) => {
                update.condition.iter().for_each(|it| it.each_value(&mut note));
                update.key.iter().for_each(|(_, value)| note(value));
                update.update.each_value(&mut note);
                update.entries.iter().filter_map(|it| it.value.as_ref()).for_each(&mut note);
            }
            design::Action::Delete(delete) | design::Action::Check(delete) => {
                delete.condition.iter().for_each(|it| it.each_value(&mut note));
                delete.key.iter().for_each(|(_, value)| note(value));
            }
        }
    }
    let items = |request: u32| match operation.requests.get((request as usize).saturating_sub(1)) {
        Some(Request::GetItem(get)) => std::slice::from_ref(&get.item),
        Some(Request::Query(query)) => query.items.as_slice(),
        _ => &[],
    };
    let of_items = |(request, attribute): (u32, String)| {
        let known = items(request).iter().filter_map(|name| design.item(name));
        known.map(move |item| (item.name.as_str(), attribute.clone()))
    };
    read.into_iter().flat_map(of_items).collect()
}

/// Whether an operation has an action that changes an attribute of such an item.
fn may_change(operation: &Operation, (item, attribute): &Watched<'_>) -> bool {
    let mut actions = operation.requests.iter().flat_map(Request::actions).filter(|it| it.item() == *item);
    actions.any(|action| match action {
        design::Action::Put(_) => true,
        design::Action::Update(update) => {
            update.update.set.iter().any(|(name, _)| name == attribute)
                || update.update.add.iter().any(|(name, _)| name == attribute)
                || update.update.remove.contains(attribute)
        }
        design::Action::Delete(_) | design::Action::Check(_) => false,
    })
}

/// Whether changes give an attribute another value in a record that another call reads. What no entity declares the design
/// keeps for itself: it changes with every call that meets there.
fn alters(
    model: &Model,
    design: &Design,
    changes: &[Change],
    first: &[Change],
    (item, attribute): &Watched<'_>,
) -> bool {
    let entities = design.item(item).into_iter().flat_map(|it| &it.entities);
    let mut entities = entities.filter_map(|name| model.entity(name)).peekable();
    let mut is_declared = false;
    let altered = entities.any(|entity| {
        is_declared |= entity.attribute(attribute).is_some();
        let of_first: BTreeSet<Identity> = first
            .iter()
            .filter(|it| it.entity == entity.name)
            .filter_map(|it| Some(identity(entity, it.before.as_ref()?)))
            .collect();
        changes.iter().filter(|it| it.entity == entity.name).any(|change| {
            let (Some(before), Some(after)) = (&change.before, &change.after) else { return false };
            let met = of_first.is_empty() || of_first.contains(&identity(entity, before));
            met && before.get(attribute) != after.get(attribute)
        })
    });
    altered || !is_declared
}

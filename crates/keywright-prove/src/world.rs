//! The plain entities that a proof believes to exist: values by attribute name, and nothing about keys.

use std::collections::{BTreeMap, BTreeSet};

use keywright_dynamodb::value::AttributeValue;
use keywright_model::Model;
use keywright_model::model::{Entity, Role};

/// One thing of an entity: its attributes by their names in the document; a nested one is dotted.
pub(crate) type Record = BTreeMap<String, AttributeValue>;

/// The values of the identifying attributes, in order; empty for a singleton.
pub(crate) type Identity = Vec<AttributeValue>;

/// All records that exist, by entity and identity.
#[derive(Clone, Debug, Default)]
pub(crate) struct World {
    shelves: BTreeMap<String, Shelf>,
    /// The last number given out, by sequence and scope. A number is never given twice, also after a delete.
    sequences: BTreeMap<(String, Identity), i64>,
    /// What happened since a scene was opened; none where none is open.
    scene: Option<Scene>,
}

/// What it takes to put a world back to what it was.
#[derive(Clone, Debug, Default)]
struct Scene {
    changes: Vec<Change>,
    sequences: BTreeMap<(String, Identity), i64>,
}

/// The records of one entity. A record keeps its slot while it lives, so that everything else can name it by a number.
#[derive(Clone, Debug, Default)]
struct Shelf {
    /// The names of the identifying attributes.
    identity: Vec<String>,
    slots: Vec<Option<Record>>,
    free: Vec<u32>,
    by_identity: BTreeMap<Identity, u32>,
    /// The slots by the values of the attributes that patterns and rules look records up by: without them a large
    /// world is searched whole for every call.
    by_value: BTreeMap<String, BTreeMap<AttributeValue, BTreeSet<u32>>>,
}

/// A record that comes, changes or goes.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Change {
    /// The entity's name.
    pub(crate) entity: String,
    /// The record before; none where it comes to be.
    pub(crate) before: Option<Record>,
    /// The record after; none where it goes.
    pub(crate) after: Option<Record>,
}

impl World {
    /// A world without records, ready for those of a model.
    pub(crate) fn new(model: &Model) -> Self {
        let shelves = model.entities.iter().map(|entity| {
            let shelf = Shelf {
                identity: entity.identity_names().map(str::to_owned).collect(),
                by_value: looked_up(model, entity).map(|name| (name.to_owned(), BTreeMap::new())).collect(),
                ..Shelf::default()
            };
            (entity.name.clone(), shelf)
        });
        World { shelves: shelves.collect(), ..World::default() }
    }

    /// The same without records; numbers that were given out stay given out.
    pub(crate) fn emptied(&self, model: &Model) -> Self {
        World { sequences: self.sequences.clone(), ..World::new(model) }
    }

    /// The records of an entity, in the order of their identities.
    pub(crate) fn records(&self, entity: &str) -> impl Iterator<Item = &Record> {
        let shelf = self.shelves.get(entity);
        shelf.into_iter().flat_map(|shelf| shelf.by_identity.values().filter_map(|slot| shelf.at(*slot)))
    }

    /// How many records an entity has.
    pub(crate) fn count(&self, entity: &str) -> usize {
        self.shelves.get(entity).map_or(0, |shelf| shelf.by_identity.len())
    }

    /// How many records all entities have together.
    pub(crate) fn total(&self) -> usize {
        self.shelves.values().map(|shelf| shelf.by_identity.len()).sum()
    }

    /// Some record, chosen by a number below the count; lower numbers give records that came earlier.
    pub(crate) fn some(&self, entity: &str, at: usize) -> Option<&Record> {
        let shelf = self.shelves.get(entity)?;
        // Where records are gone, the next one stands in for them.
        let start = (at * shelf.slots.len()).checked_div(shelf.by_identity.len())?.min(shelf.slots.len());
        shelf.slots[start..].iter().chain(&shelf.slots[..start]).find_map(Option::as_ref)
    }

    /// The first and the last record in the order of identities.
    pub(crate) fn ends(&self, entity: &str) -> [Option<&Record>; 2] {
        let Some(shelf) = self.shelves.get(entity) else { return [None, None] };
        let mut slots = shelf.by_identity.values();
        [slots.next(), slots.next_back()].map(|slot| shelf.at(*slot?))
    }

    /// The number of slots that records of an entity have or had.
    pub(crate) fn slots(&self, entity: &str) -> usize {
        self.shelves.get(entity).map_or(0, |shelf| shelf.slots.len())
    }

    /// The record in a slot; none where it is gone.
    pub(crate) fn slot(&self, entity: &str, at: usize) -> Option<&Record> {
        self.shelves.get(entity)?.slots.get(at)?.as_ref()
    }

    /// The records of an entity, in the order of their slots, from one slot on and around.
    pub(crate) fn slots_from(&self, entity: &str, from: usize) -> impl Iterator<Item = &Record> {
        let slots = self.shelves.get(entity).map(|shelf| shelf.slots.as_slice()).unwrap_or_default();
        let (before, after) = slots.split_at(from.min(slots.len()));
        after.iter().chain(before).filter_map(Option::as_ref)
    }

    /// The record of that identity.
    pub(crate) fn get(&self, entity: &str, identity: &Identity) -> Option<&Record> {
        let shelf = self.shelves.get(entity)?;
        shelf.at(*shelf.by_identity.get(identity)?)
    }

    /// Records of an entity among which are all that hold, for each of those attributes, one of its values; in the
    /// order of their identities. The more of them can be looked up, the fewer others come along.
    pub(crate) fn near(&self, entity: &str, held: &[(&str, &[AttributeValue])]) -> Vec<&Record> {
        let Some(shelf) = self.shelves.get(entity) else { return Vec::new() };
        if let Some(identity) = shelf.named_by(held) {
            return self.get(entity, &identity).into_iter().collect();
        }
        let Some(sets) = shelf.narrowest(held) else { return self.records(entity).collect() };
        let slots: BTreeSet<u32> = sets.into_iter().flatten().copied().collect();
        let mut records: Vec<&Record> = slots.into_iter().filter_map(|slot| shelf.at(slot)).collect();
        records.sort_by_cached_key(|record| shelf.identity_of(record));
        records
    }

    /// How many records [`World::near`] gives.
    pub(crate) fn count_near(&self, entity: &str, held: &[(&str, &[AttributeValue])]) -> usize {
        let Some(shelf) = self.shelves.get(entity) else { return 0 };
        if shelf.named_by(held).is_some() {
            return 1;
        }
        let sets = shelf.narrowest(held);
        sets.map_or(shelf.by_identity.len(), |sets| sets.into_iter().map(BTreeSet::len).sum())
    }

    /// One of the records near those values that fits, the first from a place on that a number below the count names.
    pub(crate) fn one_near(
        &self,
        entity: &str,
        held: &[(&str, &[AttributeValue])],
        from: usize,
        fits: impl Fn(&Record) -> bool,
    ) -> Option<&Record> {
        let shelf = self.shelves.get(entity)?;
        let found = |slots: &mut dyn Iterator<Item = u32>| {
            slots.filter_map(|slot| shelf.at(slot)).find(|record| fits(record))
        };
        let from = from as u32;
        match shelf.narrowest(held) {
            None => {
                let end = shelf.slots.len() as u32;
                found(&mut (from.min(end)..end).chain(0..from.min(end)))
            }
            Some(sets) => sets.into_iter().find_map(|set| {
                let after = set.range(from..).copied();
                found(&mut after.chain(set.range(..from).copied()))
            }),
        }
    }

    /// Whether an entity has as many records as that which hold these values.
    pub(crate) fn holds_as_many(&self, entity: &str, held: &[(&str, &AttributeValue)], many: u64) -> bool {
        let Some(shelf) = self.shelves.get(entity) else { return many == 0 };
        let sets = held.iter().filter_map(|(name, value)| Some(shelf.by_value.get(*name)?.get(*value)));
        let Some(narrowest) = sets.map(|set| set.map_or(0, BTreeSet::len)).min() else { return false };
        if (narrowest as u64) < many || held.len() == 1 {
            return narrowest as u64 >= many;
        }
        let values: Vec<(&str, &[AttributeValue])> =
            held.iter().map(|(name, value)| (*name, std::slice::from_ref(*value))).collect();
        let all = |record: &&&Record| held.iter().all(|(name, value)| record.get(*name) == Some(*value));
        self.near(entity, &values).iter().filter(all).count() as u64 >= many
    }

    /// Records of an entity that hold, under an attribute by which records are looked up, the value, a text that begins
    /// with it or one that it begins with; not more than so many of an attribute.
    pub(crate) fn holding(&self, entity: &str, value: &AttributeValue, most: usize) -> Vec<&Record> {
        let Some(shelf) = self.shelves.get(entity) else { return Vec::new() };
        let mut slots: BTreeSet<u32> = BTreeSet::new();
        for by_value in shelf.by_value.values() {
            let beginnings = value.as_s().into_iter().flat_map(|text| {
                text.char_indices().skip(1).map(|(end, _)| AttributeValue::from(&text[..end]))
            });
            let shorter = beginnings.filter_map(|text| by_value.get(&text));
            let longer =
                by_value.range(value.clone()..).take_while(|(other, _)| match (other.as_s(), value.as_s()) {
                    (Some(other), Some(text)) => !text.is_empty() && other.starts_with(text),
                    _ => *other == value,
                });
            slots.extend(longer.map(|(_, slots)| slots).chain(shorter).flatten().copied().take(most));
        }
        slots.into_iter().filter_map(|slot| shelf.at(slot)).collect()
    }

    /// From here on everything that happens can be taken back at once.
    pub(crate) fn open_scene(&mut self) {
        self.scene = Some(Scene { changes: Vec::new(), sequences: self.sequences.clone() });
    }

    /// Takes back everything that happened since the scene was opened.
    pub(crate) fn close_scene(&mut self, model: &Model) {
        let Some(scene) = self.scene.take() else { return };
        self.revert(model, &scene.changes);
        self.sequences = scene.sequences;
    }

    /// Applies changes.
    pub(crate) fn apply(&mut self, model: &Model, changes: &[Change]) {
        if let Some(scene) = &mut self.scene {
            scene.changes.extend_from_slice(changes);
        }
        for change in changes {
            let Some(entity) = model.entity(&change.entity) else { continue };
            let shelf = self.shelves.entry(change.entity.clone()).or_default();
            if let Some(before) = &change.before {
                shelf.remove(&identity(entity, before));
            }
            if let Some(after) = &change.after {
                let identity = identity(entity, after);
                shelf.remove(&identity);
                shelf.insert(identity, after.clone());
            }
        }
    }

    /// Takes changes back, the last first.
    pub(crate) fn revert(&mut self, model: &Model, changes: &[Change]) {
        let inverse: Vec<Change> = changes
            .iter()
            .rev()
            .map(|change| Change {
                entity: change.entity.clone(),
                before: change.after.clone(),
                after: change.before.clone(),
            })
            .collect();
        self.apply(model, &inverse);
    }

    /// The last number of a sequence in a scope; zero before the first.
    pub(crate) fn last_number(&self, sequence: &str, scope: &Identity) -> i64 {
        self.sequences.get(&(sequence.to_owned(), scope.clone())).copied().unwrap_or(0)
    }

    /// Notes that a number was given out.
    pub(crate) fn give_number(&mut self, sequence: &str, scope: &Identity, number: i64) {
        self.sequences.insert((sequence.to_owned(), scope.clone()), number);
    }
}

impl Shelf {
    fn at(&self, slot: u32) -> Option<&Record> {
        self.slots.get(slot as usize)?.as_ref()
    }

    /// The identity that the values name, where they do.
    fn named_by(&self, held: &[(&str, &[AttributeValue])]) -> Option<Identity> {
        let one = |name: &String| match held.iter().find(|(held, _)| held == name)? {
            (_, [value]) => Some(value.clone()),
            _ => None,
        };
        self.identity.iter().map(one).collect::<Option<Identity>>().filter(|identity| !identity.is_empty())
    }

    /// The slots of the records that hold one of the values, of the attribute for which there are the fewest; none
    /// where nothing can be looked up.
    fn narrowest(&self, held: &[(&str, &[AttributeValue])]) -> Option<Vec<&BTreeSet<u32>>> {
        held.iter()
            .filter_map(|(name, values)| {
                let slots = self.by_value.get(*name)?;
                Some(values.iter().filter_map(|value| slots.get(value)).collect::<Vec<_>>())
            })
            .min_by_key(|sets| sets.iter().map(|set| set.len()).sum::<usize>())
    }

    fn identity_of(&self, record: &Record) -> Identity {
        let value = |name: &String| record.get(name).cloned().unwrap_or(AttributeValue::NOTHING);
        self.identity.iter().map(value).collect()
    }

    fn insert(&mut self, identity: Identity, record: Record) {
        let slot = self.free.pop().unwrap_or_else(|| {
            self.slots.push(None);
            self.slots.len() as u32 - 1
        });
        for (name, slots) in &mut self.by_value {
            if let Some(value) = record.get(name) {
                slots.entry(value.clone()).or_default().insert(slot);
            }
        }
        self.by_identity.insert(identity, slot);
        self.slots[slot as usize] = Some(record);
    }

    fn remove(&mut self, identity: &Identity) {
        let Some(slot) = self.by_identity.remove(identity) else { return };
        let Some(record) = self.slots[slot as usize].take() else { return };
        for (name, slots) in &mut self.by_value {
            if let Some(value) = record.get(name)
                && let Some(set) = slots.get_mut(value)
            {
                set.remove(&slot);
                if set.is_empty() {
                    slots.remove(value);
                }
            }
        }
        self.free.push(slot);
    }
}

/// The attributes by which patterns, relationships and unique sets look for records of an entity.
fn looked_up<'m>(model: &'m Model, entity: &'m Entity) -> impl Iterator<Item = &'m str> {
    let given = model
        .patterns
        .iter()
        .flat_map(|pattern| pattern.inputs())
        .filter(|input| input.role == Role::Equal)
        .flat_map(|input| &input.binds)
        .filter(|bind| bind.entity == entity.name)
        .map(|bind| bind.attribute.as_str());
    let held = model.parents_of(&entity.name).flat_map(|relationship| &relationship.via).map(String::as_str);
    let unique = entity.unique.iter().flat_map(|set| &set.attributes).map(String::as_str);
    let alone = entity
        .attributes
        .iter()
        .filter(|attribute| attribute.unique.as_ref().is_some_and(|unique| unique.value))
        .map(|attribute| attribute.name.as_str());
    given.chain(held).chain(unique).chain(alone).chain(entity.identity_names())
}

/// The identity of a record; an attribute that it lacks stands as null.
pub(crate) fn identity(entity: &Entity, record: &Record) -> Identity {
    entity.identity_names().map(|name| record.get(name).cloned().unwrap_or(AttributeValue::NOTHING)).collect()
}

#[cfg(test)]
mod tests {
    use keywright_finding::Span;
    use keywright_model::At;
    use keywright_model::model::{Attribute, Type};

    use super::*;

    fn model() -> Model {
        let mut entity = Entity::new("Song", Span::default());
        for name in ["songId", "title"] {
            let ty = At::stated(Type::String, Span::default());
            entity.attributes.push(Attribute::new(name, Span::default(), ty));
        }
        entity.identity.push(At::stated("songId".into(), Span::default()));
        let mut model = Model::default();
        model.entities.push(entity);
        model
    }

    fn song(id: &str, title: &str) -> Record {
        [("songId".to_owned(), id.into()), ("title".to_owned(), title.into())].into()
    }

    fn change(before: Option<Record>, after: Option<Record>) -> Change {
        Change { entity: "Song".into(), before, after }
    }

    #[test]
    fn lookups_follow_every_change_and_its_revert() {
        let model = model();
        let mut world = World::new(&model);
        let first = [change(None, Some(song("b", "x"))), change(None, Some(song("a", "x")))];
        world.apply(&model, &first);
        let ids = |world: &World, held: &[(&str, &[AttributeValue])]| -> Vec<String> {
            let ids = world.near("Song", held).into_iter();
            ids.filter_map(|record| record["songId"].as_s().map(str::to_owned)).collect()
        };
        assert_eq!(ids(&world, &[("songId", &["b".into(), "c".into()])]), ["b"]);
        assert_eq!(ids(&world, &[("title", &["y".into()])]), ["a", "b"], "what can't be looked up is near");
        let moved = [change(Some(song("a", "x")), Some(song("c", "x")))];
        world.apply(&model, &moved);
        assert_eq!(ids(&world, &[("songId", &["a".into(), "c".into()])]), ["c"]);
        assert_eq!(
            world.ends("Song").map(|record| record.map(|it| it["songId"].clone())),
            [Some("b".into()), Some("c".into())]
        );
        world.revert(&model, &moved);
        assert_eq!(ids(&world, &[]), ["a", "b"]);
        world.revert(&model, &first);
        assert_eq!((world.count("Song"), world.some("Song", 0)), (0, None));
    }

    #[test]
    fn every_number_below_the_count_gives_a_record() {
        let model = model();
        let mut world = World::new(&model);
        let all: Vec<Change> = (0..9).map(|at| change(None, Some(song(&at.to_string(), "x")))).collect();
        world.apply(&model, &all);
        world.revert(&model, &all[6..]);
        world.revert(&model, &all[..2]);
        assert_eq!(world.count("Song"), 4);
        assert!((0..4).all(|at| world.some("Song", at).is_some()));
    }
}

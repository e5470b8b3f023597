//! The items that records are stored as, by the templates of a design's item types: what a table should hold.

use std::collections::{BTreeMap, BTreeSet};

use keywright_dynamodb::value::{AttributeValue, Item};
use keywright_key::Template;
use keywright_model::design::{ItemKind, ItemType, KeyValue};
use keywright_model::model::{Entity, EntityKind};
use keywright_model::{Design, Model};

use crate::interpret::{Fault, key};
use crate::oracle::initial;
use crate::world::{Change, Record, World};

/// A place in a table: the table's name in the design, and the primary key.
pub(crate) type Place = (String, Item);

/// An item that should be in a table.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Stored {
    /// The item type's name.
    pub(crate) item_type: String,
    /// The item, as far as records determine it.
    pub(crate) item: Item,
    /// Attributes that the records determine to be absent.
    pub(crate) absent: BTreeSet<String>,
    /// What attributes are before anybody gives them a value: as good as absent.
    pub(crate) initial: BTreeMap<String, AttributeValue>,
}

impl Stored {
    /// An item made right, as far as records determine it.
    pub(crate) fn over(&self, mut item: Item) -> Item {
        self.absent.iter().for_each(|name| key::remove(&mut item, name));
        item.extend(self.item.clone());
        item
    }
}

/// The items that one record takes part in, by place. A merged item needs the records that it is merged with.
pub(crate) fn of_record(
    model: &Model,
    design: &Design,
    world: &World,
    entity: &str,
    record: &Record,
) -> Result<BTreeMap<Place, Stored>, Fault> {
    let mut stored = BTreeMap::new();
    for item_type in &design.items {
        // A counter's value follows from how many writes took place: reads and races prove it.
        if item_type.kind == ItemKind::Counter || !item_type.entities.iter().any(|name| name == entity) {
            continue;
        }
        let parts = parts(model, world, item_type, entity, record);
        if let Some((place, item)) = item_of(model, design, item_type, &parts)? {
            stored.insert(place, item);
        }
    }
    Ok(stored)
}

/// The type of an item, as far as it tells.
pub(crate) fn item_type<'d>(design: &'d Design, item: &Item) -> Option<&'d ItemType> {
    let attribute = design.type_attribute.as_ref();
    match attribute.and_then(|attribute| item.get(attribute)?.as_s()) {
        Some(name) => design.item(name),
        None => {
            // Without a type attribute each table holds one kind.
            let of_keys = |item_type: &&ItemType| {
                design
                    .table(&item_type.table)
                    .is_some_and(|table| table.key().all(|key| item.contains_key(&key.name)))
            };
            design.items.iter().find(of_keys)
        }
    }
}

fn holds_version(model: &Model, design: &Design, stored: &Stored) -> bool {
    design.item(&stored.item_type).is_some_and(|item_type| keeps_versions(model, design, item_type))
}

/// Whether each item of a type is one version of an entity that keeps all of them: its key tells them apart.
pub(crate) fn keeps_versions(model: &Model, design: &Design, item_type: &ItemType) -> bool {
    let Some(table) = design.table(&item_type.table) else { return false };
    let mut entities = item_type.entities.iter().filter_map(|name| model.entity(name));
    entities.any(|entity| {
        let versions =
            entity.attributes.iter().filter(|it| it.version.as_ref().is_some_and(|flag| flag.value));
        let in_key = |version: &str| {
            item_type.keys.iter().filter(|key| table.key().any(|part| part.name == key.attribute)).any(
                |key| match &key.value {
                    KeyValue::Template(text) => Template::parse(text)
                        .is_ok_and(|template| template.attributes().iter().any(|name| name == version)),
                    KeyValue::Natural => key.attribute == version,
                },
            )
        };
        entity.is(EntityKind::History) && versions.into_iter().any(|version| in_key(&version.name))
    })
}

/// What should be stored of the records that changes start from; the world is the one before them.
pub(crate) fn before_changes(
    model: &Model,
    design: &Design,
    world: &World,
    changes: &[Change],
) -> Result<BTreeMap<Place, Stored>, Fault> {
    let mut places = BTreeMap::new();
    for change in changes {
        if let Some(record) = &change.before {
            let stored = of_record(model, design, world, &change.entity, record)?;
            places.extend(stored.into_iter().filter(|(_, stored)| !holds_version(model, design, stored)));
        }
    }
    Ok(places)
}

/// What should be stored of the records that changes lead to; the world is the one after them.
pub(crate) fn after_changes(
    model: &Model,
    design: &Design,
    world: &World,
    changes: &[Change],
) -> Result<BTreeMap<Place, Stored>, Fault> {
    let mut places = BTreeMap::new();
    for change in changes {
        // A version that is kept stays as it is, whatever comes after it.
        if let Some(record) = &change.before {
            let stored = of_record(model, design, world, &change.entity, record)?;
            places.extend(stored.into_iter().filter(|(_, stored)| holds_version(model, design, stored)));
        }
        match (&change.before, &change.after) {
            (_, Some(record)) => places.extend(of_record(model, design, world, &change.entity, record)?),
            // What remains of a merged item when one of its records goes.
            (Some(record), None) => places.extend(remains(model, design, world, &change.entity, record)?),
            (None, None) => {}
        }
    }
    Ok(places)
}

/// The items that a record which is gone was merged into, where other records keep them.
fn remains(
    model: &Model,
    design: &Design,
    world: &World,
    entity: &str,
    record: &Record,
) -> Result<BTreeMap<Place, Stored>, Fault> {
    let mut stored = BTreeMap::new();
    for item_type in design.items.iter().filter(|item| item.entities.len() > 1) {
        if !item_type.entities.iter().any(|name| name == entity) {
            continue;
        }
        for peer in item_type.entities.iter().filter(|name| *name != entity) {
            let Some(declared) = model.entity(peer) else { continue };
            let Some(own) = model.entity(entity) else { continue };
            let Some(other) = partner(model, world, own, record, declared) else { continue };
            stored.extend(of_record(model, design, world, peer, other)?);
        }
    }
    Ok(stored)
}

/// The records that an item of this type is made of, by entity.
fn parts<'r>(
    model: &Model,
    world: &'r World,
    item_type: &ItemType,
    entity: &str,
    record: &'r Record,
) -> Vec<(String, &'r Record)> {
    let mut parts = vec![(entity.to_owned(), record)];
    let Some(own) = model.entity(entity) else { return parts };
    for name in item_type.entities.iter().filter(|name| *name != entity) {
        if let Some(peer) = model.entity(name)
            && let Some(other) = partner(model, world, own, record, peer)
        {
            parts.push((name.clone(), other));
        }
    }
    parts
}

/// The one record of a peer entity that belongs to a record, in a 1:1 relationship.
fn partner<'w>(
    model: &Model,
    world: &'w World,
    own: &Entity,
    record: &Record,
    peer: &Entity,
) -> Option<&'w Record> {
    let linked = model.relationships.iter().find_map(|relationship| {
        let pairs = |parent: &Entity| -> Vec<(String, String)> {
            parent.identity_names().map(str::to_owned).zip(relationship.via.iter().cloned()).collect()
        };
        if relationship.parent == own.name && relationship.child == peer.name {
            Some(pairs(own))
        } else if relationship.child == own.name && relationship.parent == peer.name {
            Some(pairs(peer).into_iter().map(|(identity, via)| (via, identity)).collect())
        } else {
            None
        }
    });
    // Without a stated link, the same identity makes the same thing.
    let linked = linked.filter(|pairs| !pairs.is_empty()).unwrap_or_else(|| {
        own.identity_names().map(str::to_owned).zip(peer.identity_names().map(str::to_owned)).collect()
    });
    let by_identity: Vec<AttributeValue> = peer
        .identity_names()
        .filter_map(|name| {
            let (mine, _) = linked.iter().find(|(_, theirs)| theirs == name)?;
            record.get(mine).cloned()
        })
        .collect();
    if by_identity.len() == peer.identity.len() {
        return world.get(&peer.name, &by_identity);
    }
    let held: Vec<(&str, &[AttributeValue])> = linked
        .iter()
        .filter_map(|(mine, theirs)| Some((theirs.as_str(), std::slice::from_ref(record.get(mine)?))))
        .collect();
    world
        .near(&peer.name, &held)
        .into_iter()
        .find(|other| linked.iter().all(|(mine, theirs)| record.get(mine) == other.get(theirs)))
}

/// The item of that type for those records; none where they don't fill its primary key.
fn item_of(
    model: &Model,
    design: &Design,
    item_type: &ItemType,
    parts: &[(String, &Record)],
) -> Result<Option<(Place, Stored)>, Fault> {
    let mut whole = Item::new();
    let mut item = Item::new();
    let mut absent = BTreeSet::new();
    let mut initials = BTreeMap::new();
    for (name, value) in parts.iter().rev().flat_map(|(_, record)| record.iter()) {
        key::put(&mut whole, name, value.clone());
    }
    for attribute in &item_type.attributes {
        let mut owners = parts
            .iter()
            .filter(|(entity, _)| attribute.entity.as_ref().is_none_or(|owner| owner == entity))
            .filter(|(entity, _)| {
                model.entity(entity).is_some_and(|entity| entity.attribute(&attribute.name).is_some())
            })
            .peekable();
        let known = owners.peek().is_some();
        let start = parts.iter().find_map(|(entity, _)| initial(model, entity, &attribute.name));
        initials.extend(start.map(|value| (attribute.name.clone(), value)));
        match owners.find_map(|(_, record)| record.get(&attribute.name)) {
            Some(value) => key::put(&mut item, &attribute.name, value.clone()),
            None if known => {
                absent.insert(attribute.name.clone());
            }
            None => {}
        }
    }
    let table = design.table(&item_type.table);
    let Some(table) = table else {
        return Err(Fault::Unknown { kind: "table", name: item_type.table.clone() });
    };
    // Key templates speak of the item's attributes, which the records have also where the item leaves them out.
    let keys = match key::keys_of(design, item_type, &whole) {
        Ok(keys) => keys,
        Err(Fault::KeyIncomplete { .. }) => return Ok(None),
        Err(fault) => return Err(fault),
    };
    for assignment in &item_type.keys {
        let natural = matches!(assignment.value, keywright_model::design::KeyValue::Natural);
        match keys.get(&assignment.attribute) {
            Some(value) => {
                item.insert(assignment.attribute.clone(), value.clone());
            }
            None if natural => {
                if let Some(value) = key::at(&whole, &assignment.attribute) {
                    item.insert(assignment.attribute.clone(), value.clone());
                }
            }
            None => {
                absent.insert(assignment.attribute.clone());
            }
        }
    }
    if let Some(attribute) = &design.type_attribute {
        item.insert(attribute.clone(), AttributeValue::S(item_type.name.clone()));
    }
    let place: Option<Item> =
        table.key().map(|key| Some((key.name.clone(), item.get(&key.name)?.clone()))).collect();
    Ok(place.map(|place| {
        let stored = Stored { item_type: item_type.name.clone(), item, absent, initial: initials };
        ((item_type.table.clone(), place), stored)
    }))
}

/// What a stored item lacks or has wrong, in words; none if it is as it should be. An attribute that only the design
/// knows (a counter on a parent) is left to the reads that use it.
pub(crate) fn difference(expected: &Stored, actual: &Item) -> Option<String> {
    for (name, value) in &expected.item {
        match actual.get(name) {
            // A counter that was never added to is zero, written or not.
            None if expected.initial.get(name) == Some(value) => {}
            None => return Some(format!("`{name}` is missing; it should be {}", show(value))),
            Some(other) if other != value => {
                return Some(format!("`{name}` is {}; it should be {}", show(other), show(value)));
            }
            Some(_) => {}
        }
    }
    expected.absent.iter().find_map(|name| {
        let value = key::at(actual, name)?;
        Some(format!("`{name}` is {}; it should not be there", show(value)))
    })
}

/// A value as people read it.
pub(crate) fn show(value: &AttributeValue) -> String {
    key::text(value).map_or_else(|| crate::interpret::to_json(value).to_string(), |text| format!("`{text}`"))
}

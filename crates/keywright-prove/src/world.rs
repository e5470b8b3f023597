//! The plain entities that a proof believes to exist: values by attribute name, and nothing about keys.

use std::collections::BTreeMap;

use keywright_dynamodb::value::AttributeValue;
use keywright_model::Model;
use keywright_model::model::Entity;

/// One thing of an entity: its attributes by their names in the document; a nested one is dotted.
pub(crate) type Record = BTreeMap<String, AttributeValue>;

/// The values of the identifying attributes, in order; empty for a singleton.
pub(crate) type Identity = Vec<AttributeValue>;

/// All records that exist, by entity and identity.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct World {
    records: BTreeMap<String, BTreeMap<Identity, Record>>,
    /// The last number given out, by sequence and scope. A number is never given twice, also after a delete.
    sequences: BTreeMap<(String, Identity), i64>,
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
    /// The records of an entity, in the order of their identities.
    pub(crate) fn records(&self, entity: &str) -> impl Iterator<Item = &Record> {
        self.records.get(entity).into_iter().flat_map(BTreeMap::values)
    }

    /// How many records an entity has.
    pub(crate) fn count(&self, entity: &str) -> usize {
        self.records.get(entity).map_or(0, BTreeMap::len)
    }

    /// The record at a place in the order of identities.
    pub(crate) fn nth(&self, entity: &str, at: usize) -> Option<&Record> {
        self.records.get(entity)?.values().nth(at)
    }

    /// The record of that identity.
    pub(crate) fn get(&self, entity: &str, identity: &Identity) -> Option<&Record> {
        self.records.get(entity)?.get(identity)
    }

    /// Applies changes.
    pub(crate) fn apply(&mut self, model: &Model, changes: &[Change]) {
        for change in changes {
            let Some(entity) = model.entity(&change.entity) else { continue };
            let records = self.records.entry(change.entity.clone()).or_default();
            if let Some(before) = &change.before {
                records.remove(&identity(entity, before));
            }
            if let Some(after) = &change.after {
                records.insert(identity(entity, after), after.clone());
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

/// The identity of a record; an attribute that it lacks stands as null.
pub(crate) fn identity(entity: &Entity, record: &Record) -> Identity {
    entity.identity_names().map(|name| record.get(name).cloned().unwrap_or(AttributeValue::NOTHING)).collect()
}

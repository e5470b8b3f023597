//! Requests that write: the actions, with their keys, values and conditions filled in.

mod ready;
mod send;

use std::collections::BTreeMap;

use keywright_dynamodb::expression::{Assigned, Condition, Update as UpdateExpression};
use keywright_dynamodb::value::{AttributeValue, Item};
use keywright_model::design::{Action, Delete, EntryUpdate, KeyValue, Put, Update, Value};

use crate::interpret::body::Body;
use crate::interpret::{Call, Fault, Wire, WriteTouch, key};
use ready::Changes;
pub(super) use ready::Ready;

/// How often unprocessed parts of a batch are sent again.
pub(super) const BATCH_ATTEMPTS: u32 = 8;

impl<'d> Call<'d> {
    /// The actions, one per item where they are repeated, ready to be sent.
    fn ready(&mut self, actions: &'d [Action], wire: &dyn Wire) -> Result<Vec<Ready>, Fault> {
        let mut ready = Vec::new();
        for action in actions {
            let Some(request) = each(action) else {
                ready.extend(self.one(action, wire)?);
                continue;
            };
            let count = self.scope.reads.get(request as usize - 1).map_or(0, Vec::len);
            for at in 0..count {
                self.scope.at_hand = Some((request, at));
                let one = self.one(action, wire);
                self.scope.at_hand = None;
                ready.extend(one?);
            }
        }
        Ok(ready)
    }

    fn one(&self, action: &Action, wire: &dyn Wire) -> Result<Option<Ready>, Fault> {
        for needed in action.when() {
            if self.scope.value(needed)?.is_none() {
                return Ok(None);
            }
        }
        Ok(match action {
            Action::Put(put) => Some(self.put(put, wire)?),
            Action::Update(update) => self.update(update, wire)?,
            Action::Delete(delete) => Some(self.keyed("Delete", delete, wire)?),
            Action::Check(check) => Some(self.keyed("ConditionCheck", check, wire)?),
        })
    }

    fn put(&self, put: &Put, wire: &dyn Wire) -> Result<Ready, Fault> {
        let item = self.put_item(put)?;
        let table = self.design.table(&put.table).ok_or_else(|| unknown("table", &put.table))?;
        let key = table
            .key()
            .map(|key| match item.get(&key.name) {
                Some(value) => Ok((key.name.clone(), value.clone())),
                None => Err(Fault::Absent { name: key.name.clone() }),
            })
            .collect::<Result<Item, Fault>>()?;
        let mut body = Body::of_table(&wire.table_name(&put.table));
        body.item("Item", &item);
        self.conditioned(&mut body, put.condition.as_ref())?;
        Ok(Ready {
            kind: "Put",
            body: body.finish(),
            touch: WriteTouch { table: put.table.clone(), key, check: false },
            fails_as: put.fails_as.clone(),
            on_reads: put.condition.as_ref().is_some_and(on_reads),
            changes: None,
        })
    }

    /// The whole item that a Put writes.
    fn put_item(&self, put: &Put) -> Result<Item, Fault> {
        let item_type = self.design.item(&put.item).ok_or_else(|| unknown("item type", &put.item))?;
        let mut item = match put.based_on {
            None => Item::new(),
            Some(request) => {
                let at = match self.scope.at_hand {
                    Some((from, at)) if from == request => at,
                    _ => 0,
                };
                let read = self.scope.reads.get((request as usize).saturating_sub(1));
                read.and_then(|items| items.get(at)).cloned().unwrap_or_default()
            }
        };
        for assignment in &item_type.keys {
            if matches!(assignment.value, KeyValue::Template(_)) {
                item.remove(&assignment.attribute);
            }
        }
        for (path, value) in &put.values {
            if let Some(value) = self.scope.value(value)? {
                key::put(&mut item, path, value);
            }
        }
        for map in item_type.maps() {
            if key::at(&item, map).is_none() {
                key::put(&mut item, map, AttributeValue::M(BTreeMap::new()));
            }
        }
        if let Some(attribute) = &self.design.type_attribute {
            item.insert(attribute.clone(), AttributeValue::S(put.item.clone()));
        }
        item.extend(key::keys_of(self.design, item_type, &item)?);
        Ok(item)
    }

    /// An update; none where nothing is left of it and nothing is asked.
    fn update(&self, update: &Update, wire: &dyn Wire) -> Result<Option<Ready>, Fault> {
        let key = self.key(&update.key)?;
        let mut changes = self.scope.update(&update.update)?;
        for entry in &update.entries {
            self.entry(entry, &mut changes)?;
        }
        if changes.is_empty() && update.condition.is_none() {
            return Ok(None);
        }
        let check = changes.is_empty();
        let condition = match &update.condition {
            Some(condition) => self.scope.condition(condition)?,
            None => None,
        };
        let changes = Changes { update: changes, condition };
        Ok(Some(Ready {
            kind: if check { "ConditionCheck" } else { "Update" },
            body: changes.body(&wire.table_name(&update.table), &key),
            touch: WriteTouch { table: update.table.clone(), key, check },
            fails_as: update.fails_as.clone(),
            on_reads: update.condition.as_ref().is_some_and(on_reads) || is_found(&update.key),
            changes: (!check && update.each.is_some()).then_some(changes),
        }))
    }

    /// Sets an index key attribute, removes it, or leaves it where an input that it needs was left out.
    fn entry(
        &self,
        entry: &EntryUpdate,
        changes: &mut UpdateExpression<AttributeValue>,
    ) -> Result<(), Fault> {
        let Some(value) = &entry.value else {
            changes.remove.push(entry.attribute.clone());
            return Ok(());
        };
        if let Some(guard) = &entry.when {
            let left_out =
                matches!(&guard.value, Value::Input(name) if !self.scope.inputs.contains_key(name));
            if left_out {
                return Ok(());
            }
            if !self.scope.holds(guard)? {
                changes.remove.push(entry.attribute.clone());
                return Ok(());
            }
        }
        if let Some(value) = self.scope.value(value)? {
            changes.set.push((entry.attribute.clone(), Assigned::Value(value)));
        }
        Ok(())
    }

    fn keyed(&self, kind: &'static str, delete: &Delete, wire: &dyn Wire) -> Result<Ready, Fault> {
        let key = self.key(&delete.key)?;
        let mut body = Body::of_table(&wire.table_name(&delete.table));
        body.item("Key", &key);
        self.conditioned(&mut body, delete.condition.as_ref())?;
        Ok(Ready {
            kind,
            body: body.finish(),
            touch: WriteTouch { table: delete.table.clone(), key, check: kind == "ConditionCheck" },
            fails_as: delete.fails_as.clone(),
            on_reads: delete.condition.as_ref().is_some_and(on_reads) || is_found(&delete.key),
            changes: None,
        })
    }

    fn conditioned(&self, body: &mut Body, condition: Option<&Condition<Value>>) -> Result<(), Fault> {
        if let Some(condition) = condition
            && let Some(condition) = self.scope.condition(condition)?
        {
            body.condition("ConditionExpression", &condition);
        }
        Ok(())
    }

    /// A whole primary key.
    pub(super) fn key(&self, key: &[(String, Value)]) -> Result<Item, Fault> {
        key.iter()
            .map(|(name, value)| match self.scope.value(value)? {
                Some(value) => Ok((name.clone(), value)),
                None => Err(Fault::Absent { name: name.clone() }),
            })
            .collect()
    }
}

/// The request over whose items an action is repeated.
fn each(action: &Action) -> Option<u32> {
    match action {
        Action::Put(put) => put.each,
        Action::Update(update) => update.each,
        Action::Delete(delete) | Action::Check(delete) => delete.each,
    }
}

/// Whether a condition speaks of what an earlier request read.
fn on_reads(condition: &Condition<Value>) -> bool {
    let mut found = false;
    condition.each_value(&mut |value| found |= value.request().is_some());
    found
}

/// Whether an earlier request found the key: the item may have moved since.
fn is_found(key: &[(String, Value)]) -> bool {
    key.iter().any(|(_, value)| value.request().is_some())
}

pub(super) fn unknown(kind: &'static str, name: &str) -> Fault {
    Fault::Unknown { kind, name: name.to_owned() }
}

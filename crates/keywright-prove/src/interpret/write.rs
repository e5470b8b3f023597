//! Requests that write: single actions, transactions and batches.

use keywright_dynamodb::expression::{Assigned, Condition};
use keywright_dynamodb::limits::{BATCH_WRITE_REQUESTS, TRANSACTION_ACTIONS};
use keywright_dynamodb::value::{AttributeValue, Item};
use keywright_model::design::{Action, Delete, EntryUpdate, KeyValue, Put, Update, Value};
use serde_json::{Value as Json, json};

use crate::interpret::body::Body;
use crate::interpret::{Call, CallError, Fault, Outcome, Sent, Touch, Wire, WriteTouch, key};

/// How often unprocessed parts of a batch are sent again.
pub(super) const BATCH_ATTEMPTS: u32 = 8;

/// An action that is ready to be sent.
struct Ready {
    /// `Put`, `Update`, `Delete` or `ConditionCheck`.
    kind: &'static str,
    body: Json,
    touch: WriteTouch,
    /// The pattern's condition that fails when this one's does.
    fails_as: Option<String>,
    /// Whether its condition speaks of what an earlier request read.
    on_reads: bool,
}

impl<'d> Call<'d> {
    pub(super) fn write(&mut self, action: &'d Action, wire: &mut dyn Wire) -> Result<Outcome, CallError> {
        for ready in self.ready(std::slice::from_ref(action), wire)? {
            let operation = match ready.kind {
                "Put" => "PutItem",
                "Update" => "UpdateItem",
                "Delete" => "DeleteItem",
                _ => return Err(Fault::LoneCheck.into()),
            };
            let touch = Touch::Write { actions: vec![ready.touch.clone()], transaction: false };
            match wire.send(Sent { operation, body: ready.body.clone(), touch }) {
                Ok(_) => {}
                Err(error) if error.is_conditional_check_failed() => return Ok(failed(&[&ready])),
                Err(error) => return Err(error.into()),
            }
        }
        Ok(Outcome::Written)
    }

    pub(super) fn transact(
        &mut self,
        actions: &'d [Action],
        wire: &mut dyn Wire,
    ) -> Result<Outcome, CallError> {
        let ready = met(self.ready(actions, wire)?);
        for chunk in ready.chunks(TRANSACTION_ACTIONS) {
            let items: Vec<Json> = chunk.iter().map(|ready| json!({ready.kind: ready.body})).collect();
            let touches = chunk.iter().map(|ready| ready.touch.clone()).collect();
            let sent = Sent {
                operation: "TransactWriteItems",
                body: json!({"TransactItems": items}),
                touch: Touch::Write { actions: touches, transaction: true },
            };
            match wire.send(sent) {
                Ok(_) => {}
                Err(error) if error.is_transaction_canceled() => {
                    let reasons =
                        error.refusal().map(|refusal| refusal.reasons.as_slice()).unwrap_or_default();
                    let of = |code: &str| -> Vec<&Ready> {
                        let coded = chunk.iter().zip(reasons).filter(|(_, reason)| reason.code == code);
                        coded.map(|(ready, _)| ready).collect()
                    };
                    let conditions = of("ConditionalCheckFailed");
                    if !conditions.is_empty() {
                        return Ok(failed(&conditions));
                    }
                    // An engine that gives no reasons says at least that nothing took place.
                    if !of("TransactionConflict").is_empty() || reasons.is_empty() {
                        return Ok(Outcome::Failed { conditions: Vec::new(), race: true });
                    }
                    return Err(error.into());
                }
                Err(error) => return Err(error.into()),
            }
        }
        Ok(Outcome::Written)
    }

    pub(super) fn batch_write(
        &mut self,
        actions: &'d [Action],
        wire: &mut dyn Wire,
    ) -> Result<Outcome, CallError> {
        let ready = self.ready(actions, wire)?;
        for chunk in ready.chunks(BATCH_WRITE_REQUESTS) {
            let mut requests = serde_json::Map::new();
            for ready in chunk {
                let table = wire.table_name(&ready.touch.table);
                let request = match ready.kind {
                    "Put" => json!({"PutRequest": {"Item": ready.body["Item"]}}),
                    _ => json!({"DeleteRequest": {"Key": ready.body["Key"]}}),
                };
                let of_table = requests.entry(table).or_insert_with(|| Json::Array(Vec::new()));
                of_table.as_array_mut().expect("it was just made an array").push(request);
            }
            let mut rest = Json::Object(requests);
            let mut attempts = 0;
            while rest.as_object().is_some_and(|tables| !tables.is_empty()) {
                if attempts == BATCH_ATTEMPTS {
                    return Err(Fault::Unprocessed { what: "writes", attempts }.into());
                }
                attempts += 1;
                let actions = chunk.iter().map(|ready| ready.touch.clone()).collect();
                let mut answer = wire.send(Sent {
                    operation: "BatchWriteItem",
                    body: json!({"RequestItems": rest}),
                    touch: Touch::Write { actions, transaction: false },
                })?;
                rest = answer["UnprocessedItems"].take();
            }
        }
        Ok(Outcome::Written)
    }

    /// The actions, one per item where they are repeated, ready to be sent.
    fn ready(&mut self, actions: &'d [Action], wire: &dyn Wire) -> Result<Vec<Ready>, CallError> {
        let mut ready = Vec::new();
        for action in actions {
            let each = match action {
                Action::Put(put) => put.each,
                Action::Update(update) => update.each,
                Action::Delete(delete) | Action::Check(delete) => delete.each,
            };
            let Some(request) = each else {
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
        let mut body = Body::of_table(&wire.table_name(&update.table));
        body.item("Key", &key);
        if !changes.is_empty() {
            body.update(&changes);
        }
        self.conditioned(&mut body, update.condition.as_ref())?;
        Ok(Some(Ready {
            kind: if changes.is_empty() { "ConditionCheck" } else { "Update" },
            body: body.finish(),
            touch: WriteTouch { table: update.table.clone(), key, check: changes.is_empty() },
            fails_as: update.fails_as.clone(),
            on_reads: update.condition.as_ref().is_some_and(on_reads),
        }))
    }

    /// Sets an index key attribute, removes it, or leaves it where an input that it needs was left out.
    fn entry(
        &self,
        entry: &EntryUpdate,
        changes: &mut keywright_dynamodb::expression::Update<AttributeValue>,
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
            on_reads: delete.condition.as_ref().is_some_and(on_reads),
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

/// One action per item, as a transaction wants it: a Delete and a Put that meet on one are that Put under the Delete's
/// condition. They meet where a unique value, or a part of a key, is replaced by itself.
fn met(ready: Vec<Ready>) -> Vec<Ready> {
    let mut all: Vec<Ready> = Vec::new();
    for mut one in ready {
        let same = all.iter().position(|other| {
            (one.kind, other.kind) == ("Put", "Delete")
                && (&one.touch.table, &one.touch.key) == (&other.touch.table, &other.touch.key)
        });
        if let Some(at) = same {
            let gone = all.remove(at);
            let mut body = gone.body;
            if let Some(fields) = body.as_object_mut() {
                fields.remove("Key");
            }
            body["Item"] = one.body["Item"].take();
            one = Ready { kind: "Put", body, ..gone };
        }
        all.push(one);
    }
    all
}

fn failed(actions: &[&Ready]) -> Outcome {
    let conditions = actions.iter().filter_map(|ready| ready.fails_as.clone()).collect();
    // What an earlier request read may have changed since, unless a condition of the pattern itself failed.
    let race = actions.iter().any(|ready| ready.fails_as.is_none() || ready.on_reads);
    Outcome::Failed { conditions, race }
}

/// Whether a condition speaks of what an earlier request read.
fn on_reads(condition: &Condition<Value>) -> bool {
    let mut found = false;
    condition.each_value(&mut |value| found |= value.request().is_some());
    found
}

pub(super) fn unknown(kind: &'static str, name: &str) -> Fault {
    Fault::Unknown { kind, name: name.to_owned() }
}

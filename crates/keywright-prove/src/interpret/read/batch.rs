//! Items by their keys, in as many batches as the limits ask for.

use std::collections::BTreeMap;

use keywright_dynamodb::limits::BATCH_GET_KEYS;
use keywright_dynamodb::value::Item;
use keywright_model::design::{BatchGet, Keys, Table};
use serde_json::{Value as Json, json};

use crate::interpret::body::{Body, item, json as to_json};
use crate::interpret::write::{BATCH_ATTEMPTS, unknown};
use crate::interpret::{Call, CallError, Fault, Given, Sent, Touch, Wire};

impl<'d> Call<'d> {
    pub(in crate::interpret) fn batch_get(
        &mut self,
        batch: &'d BatchGet,
        wire: &mut dyn Wire,
    ) -> Result<Vec<Item>, CallError> {
        let table = self.design.table(&batch.table).ok_or_else(|| unknown("table", &batch.table))?;
        let wanted = self.wanted_keys(table, batch)?;
        let mut distinct = wanted.clone();
        distinct.sort();
        distinct.dedup();
        let mut found: BTreeMap<Item, Item> = BTreeMap::new();
        for chunk in distinct.chunks(BATCH_GET_KEYS) {
            self.batch_get_chunk(batch, table, chunk, &mut found, wire)?;
        }
        Ok(wanted.iter().filter_map(|key| found.get(key).cloned()).collect())
    }

    fn wanted_keys(&mut self, table: &Table, batch: &BatchGet) -> Result<Vec<Item>, CallError> {
        match &batch.keys {
            Keys::OfRequest(request) => {
                let entries = self.scope.reads.get((*request as usize).saturating_sub(1));
                let key = |entry: &Item| -> Result<Item, Fault> {
                    table
                        .key()
                        .map(|key| match entry.get(&key.name) {
                            Some(value) => Ok((key.name.clone(), value.clone())),
                            None => Err(Fault::Absent { name: key.name.clone() }),
                        })
                        .collect()
                };
                Ok(entries.into_iter().flatten().map(key).collect::<Result<_, _>>()?)
            }
            Keys::Each(values) if batch.keys.request().is_some() => {
                let request = batch.keys.request().unwrap_or_default();
                let found = self.scope.reads.get((request as usize).saturating_sub(1)).map_or(0, Vec::len);
                let mut keys = Vec::new();
                for at in 0..found {
                    self.scope.at_hand = Some((request, at));
                    let key = self.key(values);
                    self.scope.at_hand = None;
                    keys.push(key?);
                }
                Ok(keys)
            }
            Keys::Each(values) => {
                let elements = self.scope.inputs.values().map(|given| match given {
                    Given::Many(values) => values.len(),
                    Given::One(_) => 0,
                });
                let mut keys = Vec::new();
                for at in 0..elements.max().unwrap_or(0) {
                    self.scope.element = Some(at);
                    let key = self.key(values);
                    self.scope.element = None;
                    keys.push(key?);
                }
                Ok(keys)
            }
        }
    }

    fn batch_get_chunk(
        &self,
        batch: &BatchGet,
        table: &Table,
        keys: &[Item],
        found: &mut BTreeMap<Item, Item>,
        wire: &mut dyn Wire,
    ) -> Result<(), CallError> {
        let name = wire.table_name(&batch.table);
        let mut projection = batch.projection.clone();
        if !projection.is_empty() {
            // Answers come in any order: only their keys tell which is which.
            let missing: Vec<String> = table
                .key()
                .filter(|key| !projection.contains(&key.name))
                .map(|key| key.name.clone())
                .collect();
            projection.extend(missing);
        }
        let mut body = Body::of_table(&name);
        body.projection(&projection);
        if batch.consistent {
            body.set("ConsistentRead", true);
        }
        let mut request = body.finish();
        request.as_object_mut().expect("a body is an object").remove("TableName");
        request["Keys"] = Json::Array(keys.iter().map(to_json).collect());
        let mut rest = json!({name.clone(): request});
        let mut attempts = 0;
        while rest.as_object().is_some_and(|tables| !tables.is_empty()) {
            if attempts == BATCH_ATTEMPTS {
                return Err(Fault::Unprocessed { what: "keys", attempts }.into());
            }
            if attempts > 0 {
                wire.pause(attempts);
            }
            attempts += 1;
            let asked: Vec<Item> =
                rest[&name]["Keys"].as_array().into_iter().flatten().filter_map(item).collect();
            let mut answer = wire.send(Sent {
                operation: "BatchGetItem",
                body: json!({"RequestItems": rest}),
                touch: Touch::BatchGet {
                    table: batch.table.clone(),
                    keys: asked,
                    consistent: batch.consistent,
                },
            })?;
            for read in answer["Responses"][&name].as_array().into_iter().flatten().filter_map(item) {
                let key: Item = table
                    .key()
                    .filter_map(|key| Some((key.name.clone(), read.get(&key.name)?.clone())))
                    .collect();
                found.insert(key, read);
            }
            rest = answer["UnprocessedKeys"].take();
        }
        Ok(())
    }
}

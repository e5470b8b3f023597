//! How actions go to the engine: one by one, together, or in batches; and portion by portion where there are many.

use std::collections::{BTreeMap, VecDeque};

use keywright_dynamodb::limits::{BATCH_WRITE_REQUESTS, TRANSACTION_ACTIONS};
use keywright_model::design::Action;
use serde_json::{Value as Json, json};

use super::ready::{Ready, is_repeated, join, met};
use super::{BATCH_ATTEMPTS, each};
use crate::interpret::{Call, CallError, Fault, Outcome, Sent, Touch, Wire, WriteTouch, item_from_json};

/// How often a write is sent that another one is in the way of: a conflict passes, and says nothing of the design.
const CONFLICT_ATTEMPTS: u32 = 8;

/// How a portion is sent.
type Send<'d> = fn(&Call<'d>, &[Ready], &mut dyn Wire) -> Result<Outcome, CallError>;

impl<'d> Call<'d> {
    pub(in crate::interpret) fn write(
        &mut self,
        action: &'d Action,
        wire: &mut dyn Wire,
    ) -> Result<Outcome, CallError> {
        self.portion_by_portion(std::slice::from_ref(action), usize::MAX, wire, Self::send_singly)
    }

    pub(in crate::interpret) fn transact(
        &mut self,
        actions: &'d [Action],
        wire: &mut dyn Wire,
    ) -> Result<Outcome, CallError> {
        if self.waiting.is_empty() {
            let first = actions.first().and_then(each);
            self.waiting = match first.filter(|_| actions.iter().all(|action| each(action) == first)) {
                Some(request) => self.item_by_item(actions, request, wire)?,
                None => {
                    let all = met(self.ready(actions, wire)?);
                    if all.len() > TRANSACTION_ACTIONS {
                        return Err(Fault::TooManyActions { actions: all.len() }.into());
                    }
                    in_portions(all, TRANSACTION_ACTIONS)
                }
            };
        }
        self.next_portion(wire, Self::send_together)
    }

    /// Transactions that hold together what belongs to one item that a request read.
    fn item_by_item(
        &mut self,
        actions: &'d [Action],
        request: u32,
        wire: &dyn Wire,
    ) -> Result<VecDeque<Vec<Ready>>, Fault> {
        let count = self.scope.reads.get(request as usize - 1).map_or(0, Vec::len);
        let most_items = count.div_ceil(self.portions);
        let mut portions: VecDeque<Vec<Ready>> = VecDeque::new();
        let mut items = 0;
        for at in 0..count {
            self.scope.at_hand = Some((request, at));
            let all: Result<Vec<_>, Fault> = actions.iter().map(|action| self.one(action, wire)).collect();
            self.scope.at_hand = None;
            let all: Vec<Ready> = all?.into_iter().flatten().collect();
            let room = |last: &&mut Vec<Ready>| {
                let new = all.iter().filter(|one| !last.iter().any(|other| is_repeated(one, other))).count();
                items < most_items && last.len() + new <= TRANSACTION_ACTIONS
            };
            match portions.back_mut().filter(room) {
                Some(last) => {
                    all.into_iter().for_each(|one| join(last, one));
                    items += 1;
                }
                None => {
                    portions.push_back(met(all));
                    items = 1;
                }
            }
        }
        Ok(portions)
    }

    pub(in crate::interpret) fn batch_write(
        &mut self,
        actions: &'d [Action],
        wire: &mut dyn Wire,
    ) -> Result<Outcome, CallError> {
        self.portion_by_portion(actions, BATCH_WRITE_REQUESTS, wire, Self::send_batch)
    }

    /// Sends the next portion of actions that nothing holds together, each of at most so many.
    fn portion_by_portion(
        &mut self,
        actions: &'d [Action],
        most: usize,
        wire: &mut dyn Wire,
        send: Send<'d>,
    ) -> Result<Outcome, CallError> {
        if self.waiting.is_empty() {
            let ready = self.ready(actions, wire)?;
            let most = ready.len().div_ceil(self.portions).clamp(1, most);
            self.waiting = in_portions(ready, most);
        }
        self.next_portion(wire, send)
    }

    fn next_portion(&mut self, wire: &mut dyn Wire, send: Send<'d>) -> Result<Outcome, CallError> {
        let Some(portion) = self.waiting.pop_front() else { return Ok(Outcome::Written) };
        match send(self, &portion, wire)? {
            Outcome::Written if !self.waiting.is_empty() => Ok(Outcome::Partly),
            outcome => Ok(outcome),
        }
    }

    /// One action after the other, each by itself.
    fn send_singly(&self, portion: &[Ready], wire: &mut dyn Wire) -> Result<Outcome, CallError> {
        for ready in portion {
            let operation = match ready.kind {
                "Put" => "PutItem",
                "Update" => "UpdateItem",
                "Delete" => "DeleteItem",
                // A check can't stand alone: it is a transaction of one.
                _ => match self.send_together(std::slice::from_ref(ready), wire)? {
                    Outcome::Written => continue,
                    outcome => return Ok(outcome),
                },
            };
            let touch = Touch::Write { actions: vec![ready.touch.clone()], transaction: false };
            let mut attempts = 1;
            loop {
                match wire.send(Sent { operation, body: ready.body.clone(), touch: touch.clone() }) {
                    Ok(_) => break,
                    Err(error) if error.is_conditional_check_failed() => return Ok(failed(&[ready])),
                    Err(error)
                        if error.is_refusal("TransactionConflictException")
                            && attempts < CONFLICT_ATTEMPTS =>
                    {
                        wire.pause(attempts);
                        attempts += 1;
                    }
                    Err(error) => return Err(error.into()),
                }
            }
        }
        Ok(Outcome::Written)
    }

    /// All or nothing.
    fn send_together(&self, portion: &[Ready], wire: &mut dyn Wire) -> Result<Outcome, CallError> {
        let mut attempts = 1;
        loop {
            let (outcome, conflicts) = self.send_once(portion, wire)?;
            if !conflicts || attempts == CONFLICT_ATTEMPTS {
                return Ok(outcome);
            }
            wire.pause(attempts);
            attempts += 1;
        }
    }

    /// All or nothing, tried once; also says whether nothing but another transaction was in the way.
    fn send_once(&self, portion: &[Ready], wire: &mut dyn Wire) -> Result<(Outcome, bool), CallError> {
        let items: Vec<Json> = portion.iter().map(|ready| json!({ready.kind: ready.body})).collect();
        let touches = portion.iter().map(|ready| ready.touch.clone()).collect();
        let sent = Sent {
            operation: "TransactWriteItems",
            body: json!({"TransactItems": items}),
            touch: Touch::Write { actions: touches, transaction: true },
        };
        let error = match wire.send(sent) {
            Ok(_) => return Ok((Outcome::Written, false)),
            Err(error) if error.is_transaction_canceled() => error,
            Err(error) => return Err(error.into()),
        };
        let reasons = error.refusal().map(|refusal| refusal.reasons.as_slice()).unwrap_or_default();
        let of = |code: &str| -> Vec<&Ready> {
            let coded = portion.iter().zip(reasons).filter(|(_, reason)| reason.code == code);
            coded.map(|(ready, _)| ready).collect()
        };
        let conditions = of("ConditionalCheckFailed");
        if !conditions.is_empty() {
            return Ok((failed(&conditions), false));
        }
        // An engine that gives no reasons says at least that nothing took place.
        let conflicts = !of("TransactionConflict").is_empty();
        if conflicts || reasons.is_empty() {
            return Ok((Outcome::Failed { conditions: Vec::new(), race: true }, conflicts));
        }
        Err(error.into())
    }

    /// Puts and deletes in one request, sent again for what the engine leaves over.
    fn send_batch(&self, portion: &[Ready], wire: &mut dyn Wire) -> Result<Outcome, CallError> {
        let mut pending: Vec<&Ready> = portion.iter().collect();
        let mut attempts = 0;
        while !pending.is_empty() {
            if attempts == BATCH_ATTEMPTS {
                return Err(Fault::Unprocessed { what: "writes", attempts }.into());
            }
            if attempts > 0 {
                wire.pause(attempts);
            }
            attempts += 1;
            let mut requests: BTreeMap<String, Vec<Json>> = BTreeMap::new();
            for ready in &pending {
                requests.entry(wire.table_name(&ready.touch.table)).or_default().push(match ready.kind {
                    "Put" => json!({"PutRequest": {"Item": ready.body["Item"]}}),
                    _ => json!({"DeleteRequest": {"Key": ready.body["Key"]}}),
                });
            }
            let actions = pending.iter().map(|ready| ready.touch.clone()).collect();
            let answer = wire.send(Sent {
                operation: "BatchWriteItem",
                body: json!({"RequestItems": requests}),
                touch: Touch::Write { actions, transaction: false },
            })?;
            pending.retain(|ready| {
                is_left_over(&answer["UnprocessedItems"][wire.table_name(&ready.touch.table)], &ready.touch)
            });
        }
        Ok(Outcome::Written)
    }
}

/// Whether an item is among those of its table that an engine did not write.
fn is_left_over(unprocessed: &Json, touch: &WriteTouch) -> bool {
    unprocessed.as_array().into_iter().flatten().any(|request| {
        let named = request.pointer("/PutRequest/Item").or_else(|| request.pointer("/DeleteRequest/Key"));
        let item = named.and_then(item_from_json).unwrap_or_default();
        touch.key.iter().all(|(name, value)| item.get(name) == Some(value))
    })
}

/// The actions in portions of at most so many.
fn in_portions(ready: Vec<Ready>, most: usize) -> VecDeque<Vec<Ready>> {
    let mut portions: VecDeque<Vec<Ready>> = VecDeque::new();
    for one in ready {
        match portions.back_mut() {
            Some(last) if last.len() < most => last.push(one),
            _ => portions.push_back(vec![one]),
        }
    }
    portions
}

fn failed(actions: &[&Ready]) -> Outcome {
    let conditions = actions.iter().filter_map(|ready| ready.fails_as.clone()).collect();
    // What an earlier request read may have changed since, unless a condition of the pattern itself failed.
    let race = actions.iter().any(|ready| ready.fails_as.is_none() || ready.on_reads);
    Outcome::Failed { conditions, race }
}

#[cfg(test)]
mod tests;

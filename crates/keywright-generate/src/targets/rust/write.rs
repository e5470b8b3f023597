//! Steps that write: single actions, transactions and batches.

use std::collections::HashMap;

use aws_sdk_dynamodb::error::BuildError;
use aws_sdk_dynamodb::types::{self, DeleteRequest, PutRequest, TransactWriteItem, WriteRequest};

use super::call::{Call, Failure};
use super::scope::alias;
use super::value::{key_text, put};
use super::wait::pause;
use super::{Action, AttributeValue, Delete, Error, Input, Item, Mode, Put, Update, Value, Write};

const BATCH_ATTEMPTS: u32 = 8;
const TRANSACTION_ACTIONS: usize = 100;

/// An action in the form of a request.
struct Ready {
    item: TransactWriteItem,
    fails_as: Option<&'static str>,
    on_reads: bool,
    /// The value aliases of an ADD, for an update that is repeated for every item.
    adds: Option<Vec<String>>,
}

fn incomplete(error: BuildError) -> Error {
    Error::MalformedItem(error.to_string())
}

impl Call<'_> {
    pub(super) async fn write(&mut self, step: &Write) -> Result<Option<Failure>, Error> {
        match step.mode {
            Mode::Single => {
                for one in &self.ready(step.actions)? {
                    if let Some(failure) = self.write_one(one).await? {
                        return Ok(Some(failure));
                    }
                }
            }
            Mode::Transaction => {
                for portion in self.transactions(step.actions)? {
                    if let Some(failure) = self.transact(&portion).await? {
                        return Ok(Some(failure));
                    }
                }
            }
            Mode::Batch => {
                for portion in self.ready(step.actions)?.chunks(25) {
                    self.write_batch(portion).await?;
                }
            }
        }
        Ok(None)
    }

    /// Splits actions into transactions. If all actions are repeated over the items of one step, those for
    /// one item stay in one transaction.
    fn transactions(&mut self, actions: &[Action]) -> Result<Vec<Vec<Ready>>, Error> {
        let first = actions.first().and_then(Action::each);
        let mut portions: Vec<Vec<Ready>> = Vec::new();
        let Some(step) = first.filter(|_| actions.iter().all(|action| action.each() == first)) else {
            for one in met(self.ready(actions)?)? {
                match portions.last_mut() {
                    Some(last) if last.len() < TRANSACTION_ACTIONS => last.push(one),
                    _ => portions.push(vec![one]),
                }
            }
            return Ok(portions);
        };
        for at in 0..self.scope.items(step).len() {
            let mut all = Vec::new();
            for action in actions {
                all.extend(self.for_item(action, step, at)?);
            }
            let room = |last: &&mut Vec<Ready>| {
                let added = all.iter().filter(|one| !last.iter().any(|other| is_repeated(one, other))).count();
                last.len() + added <= TRANSACTION_ACTIONS
            };
            match portions.last_mut().filter(room) {
                Some(last) => {
                    for one in all {
                        join(last, one)?;
                    }
                }
                None => portions.push(met(all)?),
            }
        }
        Ok(portions)
    }

    async fn write_one(&self, ready: &Ready) -> Result<Option<Failure>, Error> {
        let client = &self.store.client;
        let item = ready.item.clone();
        let refused = if let Some(put) = item.put {
            client
                .put_item()
                .table_name(put.table_name)
                .set_item(Some(put.item))
                .set_condition_expression(put.condition_expression)
                .set_expression_attribute_names(put.expression_attribute_names)
                .set_expression_attribute_values(put.expression_attribute_values)
                .send()
                .await
                .err()
                .map(aws_sdk_dynamodb::Error::from)
        } else if let Some(update) = item.update {
            client
                .update_item()
                .table_name(update.table_name)
                .set_key(Some(update.key))
                .update_expression(update.update_expression)
                .set_condition_expression(update.condition_expression)
                .set_expression_attribute_names(update.expression_attribute_names)
                .set_expression_attribute_values(update.expression_attribute_values)
                .send()
                .await
                .err()
                .map(aws_sdk_dynamodb::Error::from)
        } else if let Some(delete) = item.delete {
            client
                .delete_item()
                .table_name(delete.table_name)
                .set_key(Some(delete.key))
                .set_condition_expression(delete.condition_expression)
                .set_expression_attribute_names(delete.expression_attribute_names)
                .set_expression_attribute_values(delete.expression_attribute_values)
                .send()
                .await
                .err()
                .map(aws_sdk_dynamodb::Error::from)
        } else {
            // DynamoDB has no single condition check, so it is sent as a transaction of one action.
            return self.transact(std::slice::from_ref(ready)).await;
        };
        match refused {
            None => Ok(None),
            Some(aws_sdk_dynamodb::Error::ConditionalCheckFailedException(_)) => Ok(Some(failed(&[ready]))),
            Some(error) => Err(Error::Dynamodb(Box::new(error))),
        }
    }

    async fn transact(&self, ready: &[Ready]) -> Result<Option<Failure>, Error> {
        let items = ready.iter().map(|one| one.item.clone()).collect();
        let sent = self.store.client.transact_write_items().set_transact_items(Some(items)).send().await;
        let error = match sent {
            Ok(_) => return Ok(None),
            Err(error) => aws_sdk_dynamodb::Error::from(error),
        };
        let aws_sdk_dynamodb::Error::TransactionCanceledException(canceled) = &error else {
            return Err(Error::Dynamodb(Box::new(error)));
        };
        let reasons = canceled.cancellation_reasons();
        let of = |code: &str| -> Vec<&Ready> {
            ready.iter().zip(reasons).filter(|(_, reason)| reason.code() == Some(code)).map(|(one, _)| one).collect()
        };
        let refused = of("ConditionalCheckFailed");
        if !refused.is_empty() {
            return Ok(Some(failed(&refused)));
        }
        if !of("TransactionConflict").is_empty() || reasons.is_empty() {
            return Ok(Some(Failure { conditions: Vec::new(), race: true }));
        }
        Err(Error::Dynamodb(Box::new(error)))
    }

    async fn write_batch(&self, ready: &[Ready]) -> Result<(), Error> {
        let mut rest: HashMap<String, Vec<WriteRequest>> = HashMap::new();
        for one in ready {
            if let Some(put) = &one.item.put {
                let request = PutRequest::builder().set_item(Some(put.item.clone())).build().map_err(incomplete)?;
                let request = WriteRequest::builder().put_request(request).build();
                rest.entry(put.table_name.clone()).or_default().push(request);
            } else if let Some(delete) = &one.item.delete {
                let request = DeleteRequest::builder().set_key(Some(delete.key.clone())).build().map_err(incomplete)?;
                let request = WriteRequest::builder().delete_request(request).build();
                rest.entry(delete.table_name.clone()).or_default().push(request);
            }
        }
        let mut attempt = 0;
        while !rest.is_empty() {
            if attempt == BATCH_ATTEMPTS {
                return Err(Error::Unprocessed { pattern: self.operation.pattern });
            }
            if attempt > 0 {
                pause(&self.store.client, attempt).await;
            }
            attempt += 1;
            let answer = self.store.client.batch_write_item().set_request_items(Some(rest)).send().await?;
            rest = answer.unprocessed_items.unwrap_or_default();
        }
        Ok(())
    }

    /// Prepares the actions; repeated ones become one action per item.
    fn ready(&mut self, actions: &[Action]) -> Result<Vec<Ready>, Error> {
        let mut ready = Vec::new();
        for action in actions {
            let Some(step) = action.each() else {
                ready.extend(self.one(action)?);
                continue;
            };
            for at in 0..self.scope.items(step).len() {
                ready.extend(self.for_item(action, step, at)?);
            }
        }
        Ok(ready)
    }

    /// Prepares an action for one of the items that a step read.
    fn for_item(&mut self, action: &Action, step: usize, at: usize) -> Result<Option<Ready>, Error> {
        self.scope.at_hand = Some((step, at));
        let one = self.one(action);
        self.scope.at_hand = None;
        one
    }

    fn one(&mut self, action: &Action) -> Result<Option<Ready>, Error> {
        for needed in action.when() {
            if self.scope.value(needed)?.is_none() {
                return Ok(None);
            }
        }
        match action {
            Action::Put(put) => self.put(put).map(Some),
            Action::Update(update) => self.update(update),
            Action::Delete(delete) => self.delete(delete).map(Some),
            Action::Check(check) => self.check(check),
        }
    }

    fn put(&mut self, action: &Put) -> Result<Ready, Error> {
        let mut item = match action.based_on {
            Some(step) => self.scope.read_item(step).cloned().unwrap_or_default(),
            None => Item::new(),
        };
        for (path, value) in action.values {
            match self.scope.value(value)? {
                Some(Input::One(value)) => put(&mut item, path, value),
                Some(Input::Many(values)) => put(&mut item, path, AttributeValue::L(values)),
                None => {}
            }
        }
        let item = self.store.whole(action.item, item)?;
        for (name, value) in &item {
            self.written.entry(name.clone()).or_insert_with(|| value.clone());
        }
        let mut expressions = self.expressions(&self.scope);
        let condition = expressions.all(action.condition)?;
        let put = types::Put::builder()
            .table_name(self.store.table_name(action.table))
            .set_item(Some(item))
            .set_condition_expression(condition)
            .set_expression_attribute_names(expressions.names())
            .set_expression_attribute_values(expressions.values())
            .build()
            .map_err(incomplete)?;
        let item = TransactWriteItem::builder().put(put).build();
        Ok(Ready { item, fails_as: action.fails_as, on_reads: action.on_reads, adds: None })
    }

    fn update(&self, action: &Update) -> Result<Option<Ready>, Error> {
        let mut expressions = self.expressions(&self.scope);
        let mut set = expressions.clauses(action.set)?;
        let mut remove: Vec<String> = action.remove.iter().map(|path| expressions.aliased(path)).collect();
        for entry in action.entries {
            let path = alias(entry.attribute);
            let mut value: Option<Value> = entry.value;
            if let Some(when) = entry.when.filter(|_| value.is_some()) {
                let guard = self.scope.single(&when)?;
                // If the caller left the input out, the index key attribute stays as it is.
                if guard.is_none() && entry.only_if_given {
                    continue;
                }
                let text = guard.as_ref().and_then(key_text);
                let fits = entry.equals.is_none_or(|wanted| text.as_deref() == Some(wanted));
                value = value.filter(|_| guard.is_some() && fits);
            }
            match value {
                None => remove.push(expressions.aliased(&path)),
                Some(value) => set.extend(expressions.clause(&format!("{path} = {{0}}"), &[value])?),
            }
        }
        let add = expressions.clauses(action.add)?;
        let adds = add.iter().filter_map(|clause| Some(clause.split_once(' ')?.1.to_owned())).collect();
        let parts: Vec<String> = [
            ("SET", set),
            ("REMOVE", remove),
            ("ADD", add),
            ("DELETE", expressions.clauses(action.delete)?),
        ]
        .into_iter()
        .filter(|(_, clauses)| !clauses.is_empty())
        .map(|(word, clauses)| format!("{word} {}", clauses.join(", ")))
        .collect();
        if parts.is_empty() {
            let Update { table, key, condition, fails_as, on_reads, each, .. } = *action;
            return self.check(&Delete { table, key, when: &[], condition, fails_as, on_reads, each });
        }
        let condition = expressions.all(action.condition)?;
        let update = types::Update::builder()
            .table_name(self.store.table_name(action.table))
            .set_key(Some(self.scope.primary_key(action.key)?))
            .update_expression(parts.join(" "))
            .set_condition_expression(condition)
            .set_expression_attribute_names(expressions.names())
            .set_expression_attribute_values(expressions.values())
            .build()
            .map_err(incomplete)?;
        let item = TransactWriteItem::builder().update(update).build();
        let adds = action.each.map(|_| adds);
        Ok(Some(Ready { item, fails_as: action.fails_as, on_reads: action.on_reads, adds }))
    }

    fn delete(&self, action: &Delete) -> Result<Ready, Error> {
        let mut expressions = self.expressions(&self.scope);
        let condition = expressions.all(action.condition)?;
        let delete = types::Delete::builder()
            .table_name(self.store.table_name(action.table))
            .set_key(Some(self.scope.primary_key(action.key)?))
            .set_condition_expression(condition)
            .set_expression_attribute_names(expressions.names())
            .set_expression_attribute_values(expressions.values())
            .build()
            .map_err(incomplete)?;
        let item = TransactWriteItem::builder().delete(delete).build();
        Ok(Ready { item, fails_as: action.fails_as, on_reads: action.on_reads, adds: None })
    }

    /// Prepares a condition check; `None` if no clause of the condition is left.
    fn check(&self, action: &Delete) -> Result<Option<Ready>, Error> {
        let mut expressions = self.expressions(&self.scope);
        let Some(condition) = expressions.all(action.condition)? else { return Ok(None) };
        let check = types::ConditionCheck::builder()
            .table_name(self.store.table_name(action.table))
            .set_key(Some(self.scope.primary_key(action.key)?))
            .condition_expression(condition)
            .set_expression_attribute_names(expressions.names())
            .set_expression_attribute_values(expressions.values())
            .build()
            .map_err(incomplete)?;
        let item = TransactWriteItem::builder().condition_check(check).build();
        Ok(Some(Ready { item, fails_as: action.fails_as, on_reads: action.on_reads, adds: None }))
    }
}

/// Joins actions on the same item, since a transaction allows only one action per item.
fn met(ready: Vec<Ready>) -> Result<Vec<Ready>, Error> {
    let mut all = Vec::new();
    for one in ready {
        join(&mut all, one)?;
    }
    Ok(all)
}

/// Adds an action to a transaction. A Delete and a Put of the same item become that Put with the Delete's
/// condition: this happens if a unique value, or a part of a key, is replaced by itself. Repeated updates of
/// an item become one update that adds the sum.
fn join(all: &mut Vec<Ready>, mut one: Ready) -> Result<(), Error> {
    if let Some(same) = all.iter_mut().find(|other| is_repeated(&one, other)) {
        add_to(same, &one);
        return Ok(());
    }
    let gone = one.item.put.as_ref().and_then(|put| {
        all.iter().position(|other| {
            other.item.delete.as_ref().is_some_and(|delete| {
                let is_there = |(name, value): (&String, &AttributeValue)| put.item.get(name) == Some(value);
                delete.table_name == put.table_name && delete.key.iter().all(is_there)
            })
        })
    });
    if let Some(at) = gone
        && let Some(put) = one.item.put.take()
    {
        let gone = all.remove(at);
        let delete = gone.item.delete.as_ref();
        let put = types::Put::builder()
            .table_name(put.table_name)
            .set_item(Some(put.item))
            .set_condition_expression(delete.and_then(|it| it.condition_expression.clone()))
            .set_expression_attribute_names(delete.and_then(|it| it.expression_attribute_names.clone()))
            .set_expression_attribute_values(delete.and_then(|it| it.expression_attribute_values.clone()))
            .build()
            .map_err(incomplete)?;
        let item = TransactWriteItem::builder().put(put).build();
        one = Ready { item, ..gone };
    }
    all.push(one);
    Ok(())
}

/// Whether two actions are the same repeated update of the same item.
fn is_repeated(one: &Ready, other: &Ready) -> bool {
    let (Some(mine), Some(theirs)) = (&one.item.update, &other.item.update) else { return false };
    one.adds.is_some() && other.adds.is_some() && (&mine.table_name, &mine.key) == (&theirs.table_name, &theirs.key)
}

/// Adds the amounts of `other` to those of `one`.
fn add_to(one: &mut Ready, other: &Ready) {
    let value = |ready: &Ready, alias: &str| {
        let values = ready.item.update.as_ref()?.expression_attribute_values.as_ref()?;
        values.get(alias)?.as_n().ok()?.parse::<i64>().ok()
    };
    for alias in one.adds.clone().unwrap_or_default() {
        let sum = value(one, &alias).unwrap_or(0) + value(other, &alias).unwrap_or(0);
        let update = one.item.update.as_mut();
        if let Some(values) = update.and_then(|update| update.expression_attribute_values.as_mut()) {
            values.insert(alias, AttributeValue::N(sum.to_string()));
        }
    }
}

fn failed(actions: &[&Ready]) -> Failure {
    Failure {
        conditions: actions.iter().filter_map(|one| one.fails_as).collect(),
        // Without a condition of the pattern, or if the action depends on an earlier read, a concurrent write
        // may be the cause.
        race: actions.iter().any(|one| one.fails_as.is_none() || one.on_reads),
    }
}

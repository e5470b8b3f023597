//! Actions that are ready to be sent, and what becomes of those that meet on one item.

use keywright_dynamodb::expression::{Condition, Update as UpdateExpression};
use keywright_dynamodb::value::{AttributeValue, Item};
use serde_json::Value as Json;

use crate::interpret::body::Body;
use crate::interpret::{WriteTouch, as_integer};

/// An action that is ready to be sent.
pub(in crate::interpret) struct Ready {
    /// `Put`, `Update`, `Delete` or `ConditionCheck`.
    pub(super) kind: &'static str,
    pub(super) body: Json,
    pub(super) touch: WriteTouch,
    /// The pattern's condition that fails when this one's does.
    pub(super) fails_as: Option<String>,
    /// Whether its condition speaks of what an earlier request read.
    pub(super) on_reads: bool,
    /// What an Update changes, so that one that is repeated can take in the others that come to its item.
    pub(super) changes: Option<Changes>,
}

/// An Update with its values filled in.
pub(super) struct Changes {
    pub(super) update: UpdateExpression<AttributeValue>,
    pub(super) condition: Option<Condition<AttributeValue>>,
}

impl Changes {
    pub(super) fn body(&self, table: &str, key: &Item) -> Json {
        let mut body = Body::of_table(table);
        body.item("Key", key);
        if !self.update.is_empty() {
            body.update(&self.update);
        }
        if let Some(condition) = &self.condition {
            body.condition("ConditionExpression", condition);
        }
        body.finish()
    }

    /// Adds what another one adds.
    fn take_in(&mut self, other: &Changes) {
        let number = |value: &AttributeValue| value.as_n().and_then(as_integer).unwrap_or(0);
        for ((_, mine), (_, theirs)) in self.update.add.iter_mut().zip(&other.update.add) {
            *mine = AttributeValue::from(number(mine) + number(theirs));
        }
    }
}

/// One action per item, as a transaction wants it.
pub(super) fn met(ready: Vec<Ready>) -> Vec<Ready> {
    let mut all: Vec<Ready> = Vec::new();
    ready.into_iter().for_each(|one| join(&mut all, one));
    all
}

/// Adds an action to a transaction. A Delete and a Put that meet on one item are that Put under the Delete's condition:
/// they meet where a unique value, or a part of a key, is replaced by itself. Repeated Updates are one that adds all.
pub(super) fn join(all: &mut Vec<Ready>, mut one: Ready) {
    if let Some(same) = all.iter_mut().find(|other| is_repeated(&one, other)) {
        if let (Some(changes), Some(more)) = (&mut same.changes, &one.changes) {
            changes.take_in(more);
            let table = same.body["TableName"].as_str().unwrap_or_default().to_owned();
            same.body = changes.body(&table, &same.touch.key);
        }
        return;
    }
    let gone = all.iter().position(|other| {
        (one.kind, other.kind) == ("Put", "Delete") && is_same_item(&one.touch, &other.touch)
    });
    if let Some(at) = gone {
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

/// Whether two are the same Update of the same item, repeated.
pub(super) fn is_repeated(one: &Ready, other: &Ready) -> bool {
    one.changes.is_some() && other.changes.is_some() && is_same_item(&one.touch, &other.touch)
}

fn is_same_item(one: &WriteTouch, other: &WriteTouch) -> bool {
    (&one.table, &one.key) == (&other.table, &other.key)
}

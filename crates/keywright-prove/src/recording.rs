//! A proof's calls as data, so that programs in other languages can be held to the same answers.
//!
//! Whoever replays a recording carries out its events in order: what was placed in a table without a pattern's doing is
//! placed, every call is made through the program's own method, and its answer compared with the one that the proof saw
//! and the oracle agreed with. At the end the tables must hold the same items.

use keywright_dynamodb::value::Item;
use serde::Serialize;
use serde_json::{Map, Value as Json, json};

use crate::interpret::{Answer, Given, Inputs, to_json};

/// What a proof did, in order.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Recording {
    /// The tables, as CreateTable takes them.
    pub tables: Vec<Json>,
    /// What happened.
    pub events: Vec<Event>,
}

/// Something that happened. Items and values are in DynamoDB's JSON.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "event", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum Event {
    /// An item was put into a table, or removed from it, without a pattern's doing.
    Place {
        /// The table.
        table: String,
        /// The primary key.
        key: Json,
        /// The item; none where it was removed.
        item: Option<Json>,
    },
    /// A pattern was run.
    Call {
        /// The pattern's id.
        pattern: String,
        /// What the caller gave: a value, or a list of values, by name.
        inputs: Map<String, Json>,
        /// The page size that the caller asked for; all pages were read.
        #[serde(skip_serializing_if = "Option::is_none")]
        limit: Option<u64>,
        /// What the operation made up, by name.
        #[serde(skip_serializing_if = "Map::is_empty")]
        generated: Map<String, Json>,
        /// What came: `items` in order, a `number`, `written`, `nothingThere`, or `refused` with the failed conditions.
        answer: Json,
    },
    /// What a table holds at the end.
    Whole {
        /// The table.
        table: String,
        /// All its items.
        items: Vec<Json>,
    },
}

/// Takes events down while a proof runs.
#[derive(Clone, Debug, Default)]
pub(crate) struct Recorder {
    pub(crate) recording: Recording,
    /// A call is under way that will be taken down as a whole.
    pub(crate) in_call: bool,
}

impl Recorder {
    /// Takes down what a table holds now at a place.
    pub(crate) fn place(&mut self, table: &str, key: &Item, item: Option<&Item>) {
        if !self.in_call {
            let (table, key, item) = (table.to_owned(), to_json(key), item.map(to_json));
            self.recording.events.push(Event::Place { table, key, item });
        }
    }

    /// Takes a call down.
    pub(crate) fn call(
        &mut self,
        pattern: &str,
        inputs: &Inputs,
        limit: Option<u64>,
        generated: &Item,
        answer: &Answer,
    ) {
        let given = |given: &Given| match given {
            Given::One(value) => to_json(value),
            Given::Many(values) => to_json(values),
        };
        let answer = match answer {
            Answer::Items { items, .. } => json!({ "items": items.iter().map(to_json).collect::<Vec<_>>() }),
            Answer::Number(number) => json!({ "number": number }),
            Answer::Written => json!({ "written": true }),
            Answer::NothingThere => json!({ "nothingThere": true }),
            Answer::Refused(refusal) => {
                json!({ "refused": refusal.conditions, "lostRace": refusal.lost_race })
            }
        };
        self.recording.events.push(Event::Call {
            pattern: pattern.to_owned(),
            inputs: inputs.iter().map(|(name, value)| (name.clone(), given(value))).collect(),
            limit,
            generated: generated.iter().map(|(name, value)| (name.clone(), to_json(value))).collect(),
            answer,
        });
    }
}

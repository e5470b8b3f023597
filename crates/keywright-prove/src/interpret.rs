//! Runs any operation of a design through an engine: builds the keys, sends the requests, follows the pages.
//!
//! A [`Call`] takes one step per request of its operation, and where a request is sent in portions, one per portion, so
//! that two calls can be interleaved. What it needs from outside (time, ids) comes in with [`Maker`], so that a run repeats exactly.

mod body;
pub(crate) mod key;
mod made;
mod order;
mod read;
pub(crate) mod scope;
mod write;

use std::collections::{BTreeMap, VecDeque};
use std::fmt;

use keywright_dynamodb::expression::KeyCondition;
use keywright_dynamodb::limits::TRANSACTION_ACTIONS;
use keywright_dynamodb::value::{AttributeValue, Item};
use keywright_model::Design;
use keywright_model::design::{Limit, Operation, Request, Shape};
use serde_json::Value as Json;

use crate::engine::{EngineError, ServiceError};
pub(crate) use body::{item as item_from_json, json as to_json};
pub(crate) use made::{Maker, instant};
use order::sort_by_order;
pub(crate) use read::Cursor;
pub(crate) use scope::{Given, Inputs, Scope, as_integer};

/// Why an operation can't be carried out as the design states it.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub(crate) enum Fault {
    #[error("the template `{template}` can't be built: {reason}")]
    Template { template: String, reason: String },
    #[error(
        "item type `{item}`: the key attribute `{attribute}` needs more than the operation gives: `{template}`"
    )]
    KeyIncomplete { item: String, attribute: String, template: String },
    #[error("there is no value for `{name}`")]
    Absent { name: String },
    #[error("`{value}` is not a whole number")]
    NotANumber { value: String },
    #[error("the design has no {kind} `{name}`")]
    Unknown { kind: &'static str, name: String },
    #[error("the engine refuses the request: {0}")]
    Refused(ServiceError),
    #[error("the engine still has unprocessed {what} after {attempts} attempts")]
    Unprocessed { what: &'static str, attempts: u32 },
    #[error("a transaction of {actions} actions: DynamoDB takes {TRANSACTION_ACTIONS} at most")]
    TooManyActions { actions: usize },
}

/// Why a step has no result: the design's fault, or the world's.
#[derive(Debug, thiserror::Error)]
pub(crate) enum CallError {
    #[error(transparent)]
    Fault(#[from] Fault),
    #[error(transparent)]
    Engine(EngineError),
}

impl From<EngineError> for CallError {
    fn from(error: EngineError) -> Self {
        match error {
            EngineError::Refused(refusal) => CallError::Fault(Fault::Refused(refusal)),
            error => CallError::Engine(error),
        }
    }
}

/// A request on its way to the engine, with what it is about in terms of the design.
pub(crate) struct Sent {
    /// The name of DynamoDB's operation.
    pub(crate) operation: &'static str,
    /// The body, with the engine's table names.
    pub(crate) body: Json,
    /// What it touches.
    pub(crate) touch: Touch,
}

/// What a request touches, so that whoever watches can reckon its cost.
#[derive(Clone, Debug)]
pub(crate) enum Touch {
    Get { table: String, key: Item, consistent: bool },
    BatchGet { table: String, keys: Vec<Item>, consistent: bool },
    Query(QueryTouch),
    Scan { table: String, index: Option<String>, start: Option<Item> },
    Write { actions: Vec<WriteTouch>, transaction: bool },
}

/// What a Query touches.
#[derive(Clone, Debug)]
pub(crate) struct QueryTouch {
    pub(crate) table: String,
    pub(crate) index: Option<String>,
    pub(crate) condition: KeyCondition<AttributeValue>,
    /// Some of what is read is dropped.
    pub(crate) filtered: bool,
    pub(crate) forward: bool,
    pub(crate) start: Option<Item>,
    pub(crate) consistent: bool,
}

/// One item that a write touches.
#[derive(Clone, Debug)]
pub(crate) struct WriteTouch {
    pub(crate) table: String,
    pub(crate) key: Item,
    /// A ConditionCheck changes nothing.
    pub(crate) check: bool,
}

/// Where requests go: an engine, and whoever watches it.
pub(crate) trait Wire {
    /// Sends a request.
    fn send(&mut self, sent: Sent) -> Result<Json, EngineError>;

    /// The engine's name of a table of the design.
    fn table_name(&self, table: &str) -> String;

    /// Gives an engine that left something undone time to recover, after so many attempts.
    fn pause(&mut self, attempts: u32);
}

/// What an operation gave.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Answer {
    /// Items, and where the next page begins.
    Items { items: Vec<Item>, cursor: Option<Cursor> },
    /// A number.
    Number(i64),
    /// A write took place.
    Written,
    /// A read that the rest depends on found nothing.
    NothingThere,
    /// A condition failed.
    Refused(Refusal),
}

impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Answer::Items { items, .. } => write!(f, "{} items came", items.len()),
            Answer::Number(number) => write!(f, "the number {number} came"),
            Answer::Written => f.write_str("it took place"),
            Answer::NothingThere => f.write_str("it ended early: what it reads first is not there"),
            Answer::Refused(refusal) => refusal.fmt(f),
        }
    }
}

/// A write whose condition failed.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Refusal {
    /// The pattern's conditions that the failed actions stand for.
    pub(crate) conditions: Vec<String>,
    /// Somebody else was faster every time that it was tried.
    pub(crate) lost_race: bool,
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.conditions.as_slice() {
            [] if self.lost_race => f.write_str("it was refused: another writer was faster at every attempt"),
            [] => f.write_str("it was refused: a condition of the request failed"),
            conditions => write!(f, "it was refused: \"{}\" failed", conditions.join("\" and \"")),
        }
    }
}

/// What a step leads to.
pub(crate) enum Step {
    /// There is a further request.
    More,
    /// That was the last one.
    Done(Answer),
}

/// Which page the caller wants.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Page {
    /// How many items; the design's default if none.
    pub(crate) limit: Option<u64>,
    /// Where it begins; at the start if none.
    pub(crate) cursor: Option<Cursor>,
}

/// One call of an operation.
pub(crate) struct Call<'d> {
    design: &'d Design,
    operation: &'d Operation,
    scope: Scope,
    page: Page,
    next: usize,
    retries: u32,
    cursor: Option<Cursor>,
    number: Option<i64>,
    /// What is still to be sent of a request that takes several portions.
    waiting: VecDeque<Vec<write::Ready>>,
    /// Into how many portions a request is cut where it need not be one.
    portions: usize,
    /// How many requests of the engine it took so far.
    sent: u64,
}

impl<'d> Call<'d> {
    /// A call with those inputs; what the operation generates is made now, once.
    pub(crate) fn new(
        design: &'d Design,
        operation: &'d Operation,
        inputs: Inputs,
        page: Page,
        maker: &mut Maker,
    ) -> Self {
        Call::again(design, operation, inputs, page, maker.all(&operation.generated))
    }

    /// A call that repeats another, with what that one made up.
    pub(crate) fn again(
        design: &'d Design,
        operation: &'d Operation,
        inputs: Inputs,
        page: Page,
        generated: BTreeMap<String, AttributeValue>,
    ) -> Self {
        let scope = Scope { inputs, generated, ..Scope::default() };
        Call {
            design,
            operation,
            scope,
            page,
            next: 0,
            retries: 0,
            cursor: None,
            number: None,
            waiting: VecDeque::new(),
            portions: 1,
            sent: 0,
        }
    }

    /// The same in at least so many portions wherever it writes several items that no transaction holds together:
    /// what comes between portions of the largest size comes between those of a few items too.
    pub(crate) fn in_portions(self, portions: usize) -> Self {
        Call { portions, ..self }
    }

    /// The id of the pattern that is run.
    pub(crate) fn pattern(&self) -> &str {
        &self.operation.pattern
    }

    /// What the operation made up.
    pub(crate) fn generated(&self) -> &BTreeMap<String, AttributeValue> {
        &self.scope.generated
    }

    /// How many requests the engine got.
    pub(crate) fn sent(&self) -> u64 {
        self.sent
    }

    /// Runs all steps.
    pub(crate) fn finish(&mut self, wire: &mut dyn Wire) -> Result<Answer, CallError> {
        loop {
            if let Step::Done(answer) = self.step(wire)? {
                return Ok(answer);
            }
        }
    }

    /// Carries out the next request.
    pub(crate) fn step(&mut self, wire: &mut dyn Wire) -> Result<Step, CallError> {
        let Some(request) = self.operation.requests.get(self.next) else {
            return Ok(Step::Done(self.answer()));
        };
        let mut wire = Counted { wire, sent: 0 };
        let outcome = self.carry_out(request, &mut wire);
        self.sent += wire.sent;
        match outcome? {
            Outcome::Read(items) => {
                let goes_on = match request {
                    Request::GetItem(get) => get.may_be_absent || !items.is_empty(),
                    // One that looks for a single item stands for a GetItem.
                    Request::Query(query) => query.limit != Limit::First(1) || !items.is_empty(),
                    _ => true,
                };
                self.scope.reads.truncate(self.next);
                self.scope.reads.push(items);
                self.next += 1;
                let ends = !goes_on && self.next < self.operation.requests.len();
                // What an earlier request found has gone meanwhile: somebody else was faster.
                let again = self.operation.retry.filter(|retry| {
                    let found = self.next > retry.from_request as usize;
                    ends && found && self.retries < retry.attempts
                });
                if let Some(retry) = again.filter(|_| self.operation.outcome.shape == Shape::Nothing) {
                    self.retries += 1;
                    self.next = (retry.from_request as usize).saturating_sub(1);
                    return Ok(Step::More);
                }
                if ends {
                    return Ok(Step::Done(match self.operation.outcome.shape {
                        Shape::Nothing => Answer::NothingThere,
                        _ => self.answer(),
                    }));
                }
            }
            Outcome::Partly => return Ok(Step::More),
            Outcome::Written => {
                self.scope.reads.truncate(self.next);
                self.scope.reads.push(Vec::new());
                self.next += 1;
            }
            Outcome::Failed { conditions, race } => {
                self.waiting.clear();
                let retry = self.operation.retry.filter(|retry| race && self.retries < retry.attempts);
                match retry {
                    Some(retry) => {
                        self.retries += 1;
                        self.next = (retry.from_request as usize).saturating_sub(1);
                        return Ok(Step::More);
                    }
                    None => {
                        let lost_race = race && conditions.is_empty();
                        return Ok(Step::Done(Answer::Refused(Refusal { conditions, lost_race })));
                    }
                }
            }
        }
        if self.next < self.operation.requests.len() { Ok(Step::More) } else { Ok(Step::Done(self.answer())) }
    }

    fn carry_out(&mut self, request: &'d Request, wire: &mut dyn Wire) -> Result<Outcome, CallError> {
        match request {
            Request::GetItem(get) => self.get(get, wire).map(Outcome::Read),
            Request::Query(query) => self.query(query, wire).map(Outcome::Read),
            Request::BatchGetItem(batch) => self.batch_get(batch, wire).map(Outcome::Read),
            Request::Scan(scan) => self.scan(scan, wire).map(Outcome::Read),
            Request::Write { action } => self.write(action, wire),
            Request::TransactWriteItems { actions } => self.transact(actions, wire),
            Request::BatchWriteItem { actions } => self.batch_write(actions, wire),
        }
    }

    /// The answer, from what was read.
    fn answer(&mut self) -> Answer {
        let outcome = &self.operation.outcome;
        let at = (outcome.from_request as usize).saturating_sub(1);
        let mut items = self.scope.reads.get(at).cloned().unwrap_or_default();
        match &outcome.shape {
            Shape::Nothing => Answer::Written,
            Shape::Count { attribute: None } => Answer::Number(self.number.unwrap_or(items.len() as i64)),
            Shape::Count { attribute: Some(attribute) } => {
                let number = items.first().and_then(|item| key::at(item, attribute)?.as_n());
                Answer::Number(number.and_then(as_integer).unwrap_or(0))
            }
            Shape::Single => {
                if outcome.client_sort {
                    sort_by_order(&mut items, &outcome.order);
                }
                items.truncate(1);
                Answer::Items { items, cursor: None }
            }
            Shape::Collection => {
                if outcome.client_sort {
                    sort_by_order(&mut items, &outcome.order);
                }
                Answer::Items { items, cursor: None }
            }
            Shape::Page => {
                let mut cursor = self.cursor.take();
                if outcome.client_sort {
                    sort_by_order(&mut items, &outcome.order);
                    (items, cursor) = read::slice(items, &self.page);
                }
                Answer::Items { items, cursor }
            }
        }
    }
}

/// What a request led to.
enum Outcome {
    Read(Vec<Item>),
    /// One portion is written; the next step writes the next.
    Partly,
    Written,
    /// A condition failed; a race where what failed was read by an earlier request.
    Failed {
        conditions: Vec<String>,
        race: bool,
    },
}

/// Counts what goes over the wire.
struct Counted<'w> {
    wire: &'w mut dyn Wire,
    sent: u64,
}

impl Wire for Counted<'_> {
    fn send(&mut self, sent: Sent) -> Result<Json, EngineError> {
        self.sent += 1;
        self.wire.send(sent)
    }

    fn table_name(&self, table: &str) -> String {
        self.wire.table_name(table)
    }

    fn pause(&mut self, attempts: u32) {
        self.wire.pause(attempts);
    }
}

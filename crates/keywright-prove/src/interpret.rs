//! Runs any operation of a design through an engine: builds the keys, sends the requests, follows the pages.
//!
//! A [`Call`] takes one step per request of its operation, and where a request is sent in portions, one per portion, so
//! that two calls can be interleaved. What it needs from outside (time, ids) comes in with [`Maker`], so that a run repeats exactly.

mod answer;
mod body;
mod fault;
pub(crate) mod key;
mod made;
mod order;
mod read;
pub(crate) mod scope;
mod wire;
mod write;

use std::collections::{BTreeMap, VecDeque};

use keywright_dynamodb::value::{AttributeValue, Item};
use keywright_model::Design;
use keywright_model::design::{Limit, Operation, Request, Shape};

pub(crate) use answer::{Answer, Refusal};
pub(crate) use body::{item as item_from_json, json as to_json};
pub(crate) use fault::{CallError, Fault};
pub(crate) use made::{Maker, instant};
use order::{promised, sort_by_order};
pub(crate) use read::Cursor;
pub(crate) use scope::{Given, Inputs, Scope, as_integer};
use wire::Counted;
pub(crate) use wire::{QueryTouch, Sent, Touch, Wire, WriteTouch};

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
        // Whoever writes a value that no key can hold is refused by the client.
        if let Err(CallError::Fault(fault @ Fault::Unbuilt { .. })) = &outcome
            && self.operation.outcome.shape == Shape::Nothing
        {
            let refusal = Refusal { unbuilt: Some(fault.to_string()), ..Refusal::default() };
            return Ok(Step::Done(Answer::Refused(refusal)));
        }
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
                        // Before what is repeated is reached, nothing is done yet.
                        let from = (retry.from_request as usize).saturating_sub(1);
                        self.next = if self.next < from { 0 } else { from };
                        return Ok(Step::More);
                    }
                    None => {
                        let lost_race = race && conditions.is_empty();
                        let refusal = Refusal { conditions, lost_race, unbuilt: None };
                        return Ok(Step::Done(Answer::Refused(refusal)));
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
                    sort_by_order(&mut items, &promised(self.design, outcome));
                }
                items.truncate(1);
                Answer::Items { items, cursor: None }
            }
            Shape::Collection => {
                if outcome.client_sort {
                    sort_by_order(&mut items, &promised(self.design, outcome));
                }
                let first = outcome.first.and_then(|first| usize::try_from(first).ok());
                items.truncate(first.unwrap_or(usize::MAX));
                Answer::Items { items, cursor: None }
            }
            Shape::Page => {
                let mut cursor = self.cursor.take();
                if outcome.client_sort {
                    sort_by_order(&mut items, &promised(self.design, outcome));
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

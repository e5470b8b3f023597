//! Reads: the set, the order, the attributes, the pages, the count, the number of requests.

mod compare;

use std::time::Duration;

use keywright_dynamodb::limits::PAGE_BYTES;
use keywright_dynamodb::size::item_bytes;
use keywright_dynamodb::value::Item;
use keywright_model::design::{Operation, Request, Shape};
use keywright_model::model::{Pattern, Read};

use crate::check::{Checker, fault, rows};
use crate::engine::EngineError;
use crate::inputs::InputSet;
use crate::interpret::{Answer, Call, Inputs, Page};
use crate::oracle::{self, Expected, Row};
use crate::show;
use crate::shrink::CallOf;
use compare::Comparison;

/// Pages are not walked one by one where that takes more requests than this.
const MOST_REQUESTS: u64 = 60;
/// So many sets of inputs of a pattern are tried with all page sizes; after them, short answers with one, …
const THOROUGH: u64 = 12;
/// … and so they are once its pages took so many requests.
const MOST_THOROUGH: u64 = 500;
/// An answer of so many items is short.
const FEW: u64 = 12;
/// An answer that may have more items than this is long, and takes as long as all the others together: …
const LONG: usize = 1_000;
/// … so many of a pattern are asked for in each phase. Nothing is missed that way that is wrong in the tables: at the end
/// they are read whole.
const LONG_ANSWERS: u32 = 4;
/// How often an eventual read is repeated where it may lag, and how long between.
const PATIENCE: (u32, Duration) = (20, Duration::from_millis(250));

/// What a read gave: items in order, or a number; and in how many requests per call.
struct Seen {
    items: Vec<Item>,
    number: Option<i64>,
    /// Requests of the call that took the most.
    most_requests: u64,
    calls: u64,
}

/// A disagreement: the check, what was expected, what came.
type Disagreement = (&'static str, String, String);

impl<'a> Checker<'a, '_> {
    /// Checks a read with one set of inputs.
    pub(crate) fn check_read(
        &mut self,
        pattern: &'a Pattern,
        read: &'a Read,
        operation: &'a Operation,
        set: &InputSet,
    ) -> Result<(), EngineError> {
        if oracle::at_most(self.model, &self.world, pattern, &set.inputs) > LONG {
            let asked = self.long_answers.entry(pattern.id.clone()).or_default();
            *asked += 1;
            if *asked > LONG_ANSWERS {
                return Ok(());
            }
        }
        let expected = oracle::expected(self.model, &self.world, pattern, read, &set.inputs);
        let mut attempts = 0;
        let disagreement = loop {
            self.session.reset();
            let disagreement = self.disagreement(pattern, read, operation, set, &expected)?;
            attempts += 1;
            // An eventual read may see the past for a while: only one that stays wrong is wrong.
            if disagreement.is_none() || !self.session.may_lag() || attempts > PATIENCE.0 {
                break disagreement;
            }
            std::thread::sleep(PATIENCE.1);
        };
        if expected.most.is_some_and(|most| expected.rows.len() as u64 > most) {
            self.ended.insert(pattern.id.clone());
        }
        self.meet(pattern, read, &set.inputs, &expected);
        let tally = self.tally(&pattern.id);
        tally.inputs += 1;
        tally.items += expected.rows.len() as u64;
        tally.telling += u64::from(!expected.rows.is_empty());
        self.account(&pattern.id, &set.inputs, false);
        if let Some((check, wanted, came)) = disagreement {
            self.fail(&pattern.id, check, &set.inputs, wanted, came);
        }
        self.keep_case(&pattern.id, || CallOf::Read(set.clone()));
        Ok(())
    }

    fn disagreement(
        &mut self,
        pattern: &'a Pattern,
        read: &'a Read,
        operation: &'a Operation,
        set: &InputSet,
        expected: &Expected,
    ) -> Result<Option<Disagreement>, EngineError> {
        let count = expected.rows.len() as u64;
        let mut first: Option<Vec<Row>> = None;
        let typical = set.typical && self.is_usual_read(pattern, &set.inputs);
        let tally = self.tally(&pattern.id);
        let thorough = tally.inputs < THOROUGH && tally.requests < MOST_THOROUGH;
        for limit in limits(operation, count, thorough) {
            let units = self.session.units;
            let seen = match self.pages(operation, &set.inputs, limit)? {
                Ok(seen) => seen,
                Err(reason) => return Ok(Some(("answer", show::rows(expected.rows.iter()), reason))),
            };
            // The page size of the design is the one that its expected cost speaks of.
            if limit.is_none() && typical && seen.calls > 0 {
                let halves = self.session.units.half_units() - units.half_units();
                let tally = self.tally(&pattern.id);
                tally.typical.0 += seen.calls;
                tally.typical.1 += halves;
            }
            if let Some(found) = too_many_requests(operation, &seen) {
                return Ok(Some(found));
            }
            if let Some(number) = seen.number {
                if number != count as i64 {
                    return Ok(Some((
                        "count",
                        format!("the number {count}"),
                        format!("the number {number}"),
                    )));
                }
                continue;
            }
            if expected.count {
                let came = format!("{} items instead of a number", seen.items.len());
                return Ok(Some(("count", format!("the number {count}"), came)));
            }
            let rows = match rows::of_items(self.model, self.design, pattern, read, operation, &seen.items) {
                Ok(rows) => rows,
                Err(reason) => return Ok(Some(("set", show::rows(expected.rows.iter()), reason))),
            };
            let comparison = Comparison { model: self.model, pattern, read, expected, rows: &rows };
            if let Some(found) = comparison.disagreement() {
                return Ok(Some(found));
            }
            match &first {
                None => first = Some(rows),
                Some(first) if *first != rows => {
                    let limit = limit.map_or_else(|| "the default".into(), |limit| limit.to_string());
                    let came = format!("with pages of {limit}: {}", show::rows(rows.iter()));
                    let same = format!(
                        "the same rows in the same order on pages of any size: {}",
                        show::rows(first.iter())
                    );
                    return Ok(Some(("stable pages", same, came)));
                }
                Some(_) => {}
            }
        }
        Ok(None)
    }

    /// Runs the operation, page after page.
    fn pages(
        &mut self,
        operation: &'a Operation,
        inputs: &Inputs,
        limit: Option<u64>,
    ) -> Result<Result<Seen, String>, EngineError> {
        let seen = self.all_pages(operation, inputs, limit)?;
        if let (Ok(seen), Some(recorder)) = (&seen, &mut self.session.recorder) {
            let answer = match seen.number {
                Some(number) => Answer::Number(number),
                None => Answer::Items { items: seen.items.clone(), cursor: None },
            };
            recorder.call(&operation.pattern, inputs, limit, &Item::new(), &answer);
        }
        Ok(seen)
    }

    fn all_pages(
        &mut self,
        operation: &'a Operation,
        inputs: &Inputs,
        limit: Option<u64>,
    ) -> Result<Result<Seen, String>, EngineError> {
        let mut seen = Seen { items: Vec::new(), number: None, most_requests: 0, calls: 0 };
        let mut cursor = None;
        loop {
            let page = Page { limit, cursor };
            let mut call = Call::new(self.design, operation, inputs.clone(), page, &mut self.maker);
            let answer = match fault(call.finish(&mut self.session))? {
                Ok(answer) => answer,
                Err(reason) => return Ok(Err(reason)),
            };
            seen.most_requests = seen.most_requests.max(call.sent());
            seen.calls += 1;
            match answer {
                Answer::Items { items, cursor: next } => {
                    if let Some(limit) = limit
                        && items.len() as u64 > limit
                    {
                        return Ok(Err(format!("{} items in a page of {limit}", items.len())));
                    }
                    seen.items.extend(items);
                    match next {
                        Some(next) => cursor = Some(next),
                        None => return Ok(Ok(seen)),
                    }
                }
                Answer::Number(number) => {
                    seen.number = Some(number);
                    return Ok(Ok(seen));
                }
                Answer::NothingThere => return Ok(Ok(seen)),
                Answer::Written | Answer::Refused(_) => return Ok(Err("it wrote instead of reading".into())),
            }
        }
    }
}

/// The page sizes to try: the design's own, and where it pages also small and large ones.
fn limits(operation: &Operation, count: u64, thorough: bool) -> Vec<Option<u64>> {
    let mut limits = vec![None];
    if operation.outcome.shape != Shape::Page {
        return limits;
    }
    if !thorough {
        // Two pages at least, where there are two records.
        limits.extend((count <= FEW).then_some(Some(if count == 2 { 1 } else { 2 })));
    } else {
        let each = u64::from(operation.shards.max(scattered(operation)));
        let few = |limit: &u64| count / limit * each <= MOST_REQUESTS;
        limits.extend([1, 2, 3, 7].into_iter().filter(few).map(Some));
        limits.push(Some(count.max(1)));
        limits.push(Some(1000));
    }
    limits
}

/// One request per page where the design says one, and no more than it says elsewhere.
fn too_many_requests(operation: &Operation, seen: &Seen) -> Option<Disagreement> {
    let bytes: u64 = seen.items.iter().map(item_bytes).sum();
    let open_ended = operation.requests.iter().any(|request| match request {
        Request::Query(query) => query.filter.is_some(),
        Request::Scan(_) | Request::BatchGetItem(_) => true,
        _ => false,
    });
    // Counting and long answers go on after each megabyte.
    if open_ended || bytes > PAGE_BYTES / 2 || seen.number.is_some() {
        return None;
    }
    let stated = operation.requests.len() as u64 - 1 + u64::from(operation.shards.max(scattered(operation)));
    (seen.most_requests > stated).then(|| {
        ("requests", format!("at most {stated} requests"), format!("{} requests", seen.most_requests))
    })
}

/// Over how many values the requests are scattered.
fn scattered(operation: &Operation) -> u32 {
    let counts = operation.requests.iter().map(|request| match request {
        Request::Query(query) => query.combinations().len() as u32,
        _ => 1,
    });
    counts.max().unwrap_or(1)
}

//! Two writers at once: every interleaving of their requests ends as if one had come after the other.
//!
//! A delete of all that a parent holds reads first, and nothing keeps others out meanwhile. It promises less: all that
//! was there when it began is gone, and what came meanwhile is gone or whole. Where what comes is refused once the delete is
//! done, since the parent is gone, it promises the whole again: one more look finds what came before that.

mod number;
mod schedule;
mod serial;

use std::collections::BTreeMap;

use keywright_dynamodb::value::AttributeValue;
use keywright_model::design::{self, Request};
use keywright_model::model::Action;

use crate::check::{Checker, fault};
use crate::engine::EngineError;
use crate::interpret::{Answer, Call, Inputs, Page, Step};
use crate::show;
use crate::shrink::CallOf;
use crate::writing::Writing;
use schedule::schedules;
use serial::{MOST_MEANWHILE, Serial, Turn};

/// The most interleavings of two calls that are run. Where there are more, those with the fewest changes of turn come
/// first: nearly all mistakes show with one or two.
const MOST_SCHEDULES: usize = 70;
/// Two writes that met before show with other records what they did not show then: mostly with few changes of turn.
const LATER_SCHEDULES: usize = 20;
/// Where the two change many records, all orders together change about so many; yet some orders are always run.
const MOST_CHANGES: usize = 1_000;
const FEWEST_SCHEDULES: usize = 6;

/// No write by itself takes more steps.
const MOST_STEPS: usize = 64;

/// Into how many portions a request is cut that writes many items one by one, so that the other writer comes between.
const PORTIONS: usize = 3;

/// A write that is called while another one is under way.
#[derive(Clone)]
pub(crate) struct Contender<'a> {
    pub(crate) writing: Writing<'a>,
    pub(crate) inputs: Inputs,
}

impl Contender<'_> {
    /// Whether it deletes all records of an entity that its inputs select.
    fn names_all_of(&self, entity: &str) -> bool {
        self.writing.write.effects.iter().any(|effect| effect.all && effect.entity == entity)
    }

    /// Whether it deletes one record with all that belongs to it, which the other one creates with something of that.
    fn deletes_a_parent_of(&self, other: &Contender<'_>) -> bool {
        let effects = || self.writing.write.effects.iter().filter(|it| it.action == Action::Delete);
        effects().any(|it| it.all && other.writing.creates(&it.entity))
            && effects().any(|it| !it.all && other.writing.creates(&it.entity))
    }
}

/// One writer: a contender and what its operation made up.
struct Writer<'a> {
    contender: Contender<'a>,
    generated: BTreeMap<String, AttributeValue>,
}

impl<'a> Checker<'a, '_> {
    /// Runs two writes in interleavings of their requests. The tables are as before afterwards.
    pub(crate) fn check_race(&mut self, contenders: [Contender<'a>; 2]) -> Result<(), EngineError> {
        let writers = contenders.map(|contender| Writer {
            generated: self.maker.all(&contender.writing.operation.generated),
            contender,
        });
        let cascades = writers.iter().any(|writer| writer.contender.writing.deletes_all());
        // Where the document leaves one order open, what comes of it can't be judged; the other orders still can.
        let mut open = false;
        let mut serials = Vec::new();
        for first in [0, 1] {
            match self.serial(&writers, &[Turn::Whole(first), Turn::Whole(1 - first)]) {
                Some(serial) => serials.push(serial),
                None => match self.decided(&writers, first)? {
                    Some(serial) => serials.push(serial),
                    None if cascades => open = true,
                    None => return Ok(()),
                },
            }
        }
        let closed = [0, 1].map(|at| serials.iter().any(|serial| serial.closes(at)));
        let [one, other] = writers.each_ref().map(|writer| writer.contender.writing.pattern);
        // Whoever reads first starts over where another one was faster. Where reads may lag it may see the same again and be
        // refused: nothing is lost, its caller tries again.
        let lags = self.session.may_lag() && one.id != other.id;
        for at in [0, 1] {
            if lags && writers[1 - at].contender.writing.operation.requests.len() > 1 {
                serials.extend(self.serial(&writers, &[Turn::Whole(at)]));
            }
            // A child that is gone may come again before the rest goes, and goes with it.
            if writers[at].contender.writing.deletes_all() {
                let order = [Turn::Children(at), Turn::Whole(1 - at), Turn::Whole(at)];
                serials.extend(self.serial(&writers, &order));
            }
            // A parent may come again with its first child before it has looked for the last time.
            if writers[at].contender.deletes_a_parent_of(&writers[1 - at].contender) {
                for seen in 1..1 << MOST_MEANWHILE {
                    let order = [Turn::Whole(at), Turn::Whole(1 - at), Turn::Again(at, seen)];
                    serials.extend(self.serial(&writers, &order));
                }
            }
            let late = !closed[at] || self.session.may_lag() && looks_in_index(&writers[at]);
            if late && writers[at].contender.writing.deletes_all() {
                for seen in 0..1 << MOST_MEANWHILE {
                    let order = [Turn::Look(at), Turn::Whole(1 - at), Turn::Delete(at, seen)];
                    serials.extend(self.serial(&writers, &order));
                }
            }
        }
        if serials.is_empty() {
            return Ok(());
        }
        let one_by_one =
            writers.iter().any(|it| it.contender.writing.operation.requests.iter().any(updates_each));
        let [first, second] = [self.steps(&writers[0])?, self.steps(&writers[1])?];
        let changes = serials.iter().map(|serial| serial.changes.len()).max().unwrap_or(0);
        let anew = self.raced.insert([one.id.clone(), other.id.clone()]);
        let most = if anew { MOST_SCHEDULES } else { LATER_SCHEDULES };
        let most = (MOST_CHANGES / changes.max(1)).clamp(FEWEST_SCHEDULES, most);
        for schedule in schedules(first, second, most) {
            self.session.reset();
            let answers = self.interleave(&writers, &schedule)?;
            self.tally(&one.id).inputs += 1;
            self.account(&one.id, &writers[0].contender.inputs, false);
            let wrong = match self.explained(&serials, &answers, one_by_one) {
                Ok(Some(serial)) => self.wrong_number(&serial.changes)?,
                Ok(None) => None,
                Err(_) if open => None,
                Err(wrong) => Some(wrong),
            };
            if let Some((expected, actual)) = wrong {
                self.fail_race(&writers, &schedule, &expected, &actual);
                self.session.roll_back()?;
                for [mine, theirs] in [[0, 1], [1, 0]] {
                    let [mine, theirs] = [mine, theirs].map(|at: usize| &writers[at].contender);
                    self.keep_case(mine.writing.id(), || CallOf::Race {
                        inputs: mine.inputs.clone(),
                        other: theirs.writing.id().to_owned(),
                        others: theirs.inputs.clone(),
                    });
                }
                return Ok(());
            }
            self.session.roll_back()?;
        }
        if one.id != other.id {
            self.tally(&other.id).inputs += 1;
        }
        Ok(())
    }

    /// What comes of one writer after the other where the document leaves that open and the design does not: the second finds
    /// nothing to do and is refused. Then it must be so whenever the requests come in that order.
    fn decided(&mut self, writers: &[Writer<'a>; 2], first: usize) -> Result<Option<Serial>, EngineError> {
        let Some(serial) = self.serial(writers, &[Turn::Whole(first)]) else { return Ok(None) };
        self.session.reset();
        let answers = self.interleave(writers, &[first == 1; MOST_STEPS])?;
        let refused = matches!(answers[1 - first], Ok(Answer::Refused(_) | Answer::NothingThere));
        let alone = refused && self.explained(std::slice::from_ref(&serial), &answers, false).is_ok();
        self.session.roll_back()?;
        Ok(alone.then_some(serial))
    }

    /// Notes the failure for both patterns: it takes the two of them.
    fn fail_race(&mut self, writers: &[Writer<'_>; 2], schedule: &[bool], expected: &str, actual: &str) {
        let [one, other] = writers.each_ref().map(|writer| &writer.contender);
        let ids = [one, other].map(|contender| contender.writing.id());
        let order: Vec<&str> = schedule.iter().map(|second| if *second { "B" } else { "A" }).collect();
        let with = if one.inputs == other.inputs && ids[0] == ids[1] {
            "A and B are the same call".to_owned()
        } else {
            format!("A is {}, B is {} {}", ids[0], ids[1], show::inputs(&other.inputs))
        };
        let actual = format!("{actual} ({with}; their requests came in the order {})", order.join(" "));
        self.fail(ids[0], "two writers at once", &one.inputs, expected, actual.clone());
        if ids[0] != ids[1] {
            self.fail(ids[1], "two writers at once", &one.inputs, expected, actual);
        }
    }

    /// How many steps a writer takes by itself: one per request, or per portion of one that writes what another found.
    fn steps(&mut self, writer: &Writer<'a>) -> Result<usize, EngineError> {
        let requests = &writer.contender.writing.operation.requests;
        if !requests.iter().any(is_repeated) {
            return Ok(requests.len());
        }
        self.session.reset();
        let mut call = self.call(writer);
        let mut steps = 1;
        while let Ok(Step::More) = fault(call.step(&mut self.session))? {
            steps += 1;
        }
        self.session.roll_back()?;
        Ok(steps)
    }

    fn call(&self, Writer { contender, generated }: &Writer<'a>) -> Call<'a> {
        let inputs = contender.inputs.clone();
        Call::again(self.design, contender.writing.operation, inputs, Page::default(), generated.clone())
            .in_portions(PORTIONS)
    }

    /// Runs both calls, step by step, in the order of the schedule; what is left over at its end, in turn.
    fn interleave(
        &mut self,
        writers: &[Writer<'a>; 2],
        schedule: &[bool],
    ) -> Result<[Result<Answer, String>; 2], EngineError> {
        let mut calls = writers.each_ref().map(|writer| self.call(writer));
        let mut answers: [Option<Result<Answer, String>>; 2] = [None, None];
        let turns = schedule.iter().map(|second| usize::from(*second)).chain([0, 1].into_iter().cycle());
        for turn in turns {
            if answers.iter().all(Option::is_some) {
                break;
            }
            if answers[turn].is_some() {
                continue;
            }
            match fault(calls[turn].step(&mut self.session))? {
                Ok(Step::More) => {}
                Ok(Step::Done(answer)) => answers[turn] = Some(Ok(answer)),
                Err(reason) => answers[turn] = Some(Err(reason)),
            }
        }
        Ok(answers.map(|answer| answer.unwrap_or_else(|| Err("it did not end".into()))))
    }
}

/// Whether a writer finds what it deletes in an index, which may not hold yet what was just written.
fn looks_in_index(writer: &Writer<'_>) -> bool {
    let mut requests = writer.contender.writing.operation.requests.iter();
    requests.any(|request| matches!(request, Request::Query(query) if query.index.is_some()))
}

/// Whether a request updates each item that an earlier one found, and other requests may come in between.
fn updates_each(request: &Request) -> bool {
    let is_update = |it: &design::Action| matches!(it, design::Action::Update(_));
    let actions = request.actions();
    is_repeated(request) && actions.iter().all(|it| it.each().is_some()) && actions.iter().any(is_update)
}

/// Whether a request writes once for each item that an earlier one found.
fn is_repeated(request: &Request) -> bool {
    let actions = match request {
        Request::Write { action } => std::slice::from_ref(action),
        Request::TransactWriteItems { actions } | Request::BatchWriteItem { actions } => actions,
        _ => &[],
    };
    actions.iter().any(|action| match action {
        design::Action::Put(put) => put.each.is_some(),
        design::Action::Update(update) => update.each.is_some(),
        design::Action::Delete(delete) | design::Action::Check(delete) => delete.each.is_some(),
    })
}

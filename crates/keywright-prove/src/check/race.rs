//! Two writers at once: every interleaving of their requests ends as if one had come after the other.

use std::collections::BTreeMap;

use keywright_dynamodb::value::AttributeValue;
use keywright_model::design::Operation;
use keywright_model::model::{Pattern, Write};

use crate::check::{Checker, fault};
use crate::engine::EngineError;
use crate::image::{self, Place, Stored};
use crate::interpret::{Answer, Call, Inputs, Page, Step};
use crate::oracle::{Judgement, judge};
use crate::world::{Change, Identity};

/// More requests than this per writer are not interleaved in every way: the ways grow too fast.
const MOST_REQUESTS: usize = 4;

/// One writer: its inputs and what its operation made up.
#[derive(Clone)]
struct Writer {
    inputs: Inputs,
    generated: BTreeMap<String, AttributeValue>,
}

/// One way in which the two could have come one after the other.
struct Serial {
    /// Whether each was to take place, in the order of the writers.
    took_place: [bool; 2],
    /// Whether each had nothing to do: then it is all the same whether it is refused.
    idle: [bool; 2],
    before: BTreeMap<Place, Stored>,
    after: BTreeMap<Place, Stored>,
}

impl<'a> Checker<'a, '_> {
    /// Runs two calls of a write in every interleaving of their requests. The tables are as before afterwards.
    pub(crate) fn check_race(
        &mut self,
        pattern: &'a Pattern,
        write: &'a Write,
        operation: &'a Operation,
        inputs: [&Inputs; 2],
    ) -> Result<(), EngineError> {
        if operation.requests.len() > MOST_REQUESTS {
            self.tally(&pattern.id).leave("interleavings of more than four requests");
            return Ok(());
        }
        let writers = inputs
            .map(|inputs| Writer { inputs: inputs.clone(), generated: self.maker.all(&operation.generated) });
        let mut serials = Vec::new();
        for order in [[0, 1], [1, 0]] {
            match self.serial(pattern, write, &writers, order) {
                Some(serial) => serials.push(serial),
                None => return Ok(()),
            }
        }
        for schedule in schedules(operation.requests.len()) {
            self.session.reset();
            let answers = self.interleave(operation, &writers, &schedule)?;
            self.tally(&pattern.id).inputs += 1;
            self.account(&pattern.id, &writers[0].inputs, false);
            if let Some((expected, actual)) = self.no_serial(&serials, &answers) {
                let order: Vec<&str> =
                    schedule.iter().map(|second| if *second { "B" } else { "A" }).collect();
                let actual = format!("requests in the order {}: {actual}", order.join(" "));
                self.fail(&pattern.id, "two writers at once", &writers[0].inputs, expected, actual);
                self.session.roll_back()?;
                return Ok(());
            }
            self.session.roll_back()?;
        }
        Ok(())
    }

    /// What should come of one writer after the other; none where the document does not say.
    fn serial(
        &mut self,
        pattern: &Pattern,
        write: &Write,
        writers: &[Writer; 2],
        order: [usize; 2],
    ) -> Option<Serial> {
        let (before, after) = (BTreeMap::new(), BTreeMap::new());
        let mut serial = Serial { took_place: [false; 2], idle: [false; 2], before, after };
        let mut all: Vec<Change> = Vec::new();
        let mut given: Vec<(String, Identity, i64)> = Vec::new();
        let mut clear = true;
        for at in order {
            let writer = &writers[at];
            match judge(self.model, &self.world, pattern, write, &writer.inputs, &writer.generated) {
                Judgement::Unclear(_) => {
                    clear = false;
                    break;
                }
                Judgement::Fails(_) => {}
                Judgement::Holds { changes, numbers } => {
                    serial.took_place[at] = true;
                    serial.idle[at] = changes.is_empty();
                    let before = image::before_changes(self.model, self.design, &self.world, &changes);
                    clear &= before.is_ok();
                    for (place, stored) in before.unwrap_or_default() {
                        serial.before.entry(place).or_insert(stored);
                    }
                    for (sequence, scope, number) in &numbers {
                        let last = self.world.last_number(sequence, scope);
                        given.push((sequence.clone(), scope.clone(), last));
                        self.world.give_number(sequence, scope, *number);
                    }
                    self.world.apply(self.model, &changes);
                    all.extend(changes);
                }
            }
        }
        match image::after_changes(self.model, self.design, &self.world, &last_changes(&all)) {
            Ok(after) => serial.after = after,
            Err(_) => clear = false,
        }
        self.world.revert(self.model, &all);
        for (sequence, scope, number) in given.into_iter().rev() {
            self.world.give_number(&sequence, &scope, number);
        }
        clear.then_some(serial)
    }

    /// Runs both calls, request by request, in the order of the schedule; what is left over at its end, in turn.
    fn interleave(
        &mut self,
        operation: &'a Operation,
        writers: &[Writer; 2],
        schedule: &[bool],
    ) -> Result<[Result<Answer, String>; 2], EngineError> {
        let mut calls = writers.clone().map(|writer| {
            Call::again(self.design, operation, writer.inputs, Page::default(), writer.generated)
        });
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
        Ok(answers.map(|answer| answer.unwrap_or_else(|| Err("it never ended".into()))))
    }

    /// Why no order of the two explains what came; none if one does.
    fn no_serial(
        &self,
        serials: &[Serial],
        answers: &[Result<Answer, String>; 2],
    ) -> Option<(String, String)> {
        let took_place = |answer: &Result<Answer, String>| matches!(answer, Ok(Answer::Written));
        let took = [took_place(&answers[0]), took_place(&answers[1])];
        let mut reason = None;
        for serial in serials {
            if (0..2).any(|at| serial.took_place[at] != took[at] && !(serial.idle[at] && !took[at])) {
                continue;
            }
            match self.wrong_items(&serial.before, &serial.after) {
                None => return None,
                Some((_, expected, actual)) => reason = Some((expected, actual)),
            }
        }
        Some(reason.unwrap_or_else(|| {
            let ways: Vec<String> = serials.iter().map(|serial| outcomes(&serial.took_place)).collect();
            (ways.join(", or "), format!("{}: {:?} and {:?}", outcomes(&took), answers[0], answers[1]))
        }))
    }
}

fn outcomes(took_place: &[bool; 2]) -> String {
    let word = |took: bool| if took { "takes place" } else { "is refused" };
    format!("A {}, B {}", word(took_place[0]), word(took_place[1]))
}

/// The last change of each record is what remains.
fn last_changes(changes: &[Change]) -> Vec<Change> {
    changes
        .iter()
        .enumerate()
        .filter(|(at, change)| {
            !changes[at + 1..]
                .iter()
                .any(|later| later.entity == change.entity && later.before == change.after)
        })
        .map(|(_, change)| change.clone())
        .collect()
}

/// All orders of two times so many requests; the second writer's are true.
fn schedules(requests: usize) -> Vec<Vec<bool>> {
    let mut all = Vec::new();
    let total = 2 * requests;
    for bits in 0u32..(1 << total) {
        if bits.count_ones() as usize == requests {
            all.push((0..total).map(|at| bits >> at & 1 == 1).collect());
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_interleavings_are_there_once() {
        assert_eq!(schedules(1), [[true, false], [false, true]]);
        assert_eq!(schedules(2).len(), 6);
        assert_eq!(schedules(4).len(), 70);
    }
}

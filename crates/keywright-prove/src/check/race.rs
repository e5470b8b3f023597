//! Two writers at once: every interleaving of their requests ends as if one had come after the other.
//!
//! A delete of all that a parent holds reads first, and nothing keeps others out meanwhile. It promises less: all that
//! was there when it began is gone, and what came meanwhile is gone or whole.

use std::collections::{BTreeMap, BTreeSet};

use keywright_dynamodb::value::AttributeValue;
use keywright_model::design::{Operation, Shape};
use keywright_model::model::{Action, Pattern, PatternKind, Write};

use crate::check::{Checker, fault};
use crate::engine::EngineError;
use crate::image::{self, Place, Stored};
use crate::inputs;
use crate::interpret::{Answer, Call, Inputs, Page, Step};
use crate::oracle::{self, Judgement, judge, judge_meanwhile};
use crate::show;
use crate::shrink::CallOf;
use crate::world::{Change, Identity, identity};

/// The most interleavings of two calls that are run. Where there are more, those with the fewest changes of turn come
/// first: nearly all mistakes show with one or two.
const MOST_SCHEDULES: usize = 70;

/// A write that is called while another one is under way.
#[derive(Clone)]
pub(crate) struct Contender<'a> {
    pub(crate) pattern: &'a Pattern,
    pub(crate) write: &'a Write,
    pub(crate) operation: &'a Operation,
    pub(crate) inputs: Inputs,
}

impl Contender<'_> {
    /// Whether it deletes all that there is of something.
    fn deletes_all(&self) -> bool {
        self.write.effects.iter().any(|effect| effect.all && matches!(effect.action, Action::Delete))
    }

    /// Whether it writes whole records of an entity, whatever was there.
    fn writes_whole(&self, entity: &str) -> bool {
        let mut effects = self.write.effects.iter().filter(|effect| effect.entity == entity);
        effects.any(|effect| matches!(effect.action, Action::Create | Action::Put))
    }

    /// Whether it deletes all records of an entity that its inputs select.
    fn names_all_of(&self, entity: &str) -> bool {
        self.write.effects.iter().any(|effect| effect.all && effect.entity == entity)
    }
}

/// One writer: a contender and what its operation made up.
struct Writer<'a> {
    contender: Contender<'a>,
    generated: BTreeMap<String, AttributeValue>,
}

/// A part of a writer that nothing comes in between of.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Turn {
    /// All of it.
    Whole(usize),
    /// A delete of all that is there looks what that is.
    Look(usize),
    /// It deletes what it saw, and of what came since then the records with these numbers.
    Delete(usize, u32),
}

/// Why nothing can be said of records whose items can't be made: other checks say so.
const NO_ITEMS: &str = "records that the templates can't take";

/// Of so many records that come while all are deleted, each is looked for, gone or whole.
const MOST_MEANWHILE: u32 = 3;

/// A number that the writes keep, as a pattern reads it.
struct WrongNumber {
    pattern: String,
    expected: String,
    actual: String,
}

/// One way in which the two could have come one after the other.
struct Serial {
    /// Whether each was to take place, in the order of the writers.
    took_place: [bool; 2],
    /// Whether each had nothing to do: then it is all the same whether it is refused.
    idle: [bool; 2],
    before: BTreeMap<Place, Stored>,
    after: BTreeMap<Place, Stored>,
    /// What became of the records.
    changes: Vec<Change>,
}

impl<'a> Checker<'a, '_> {
    /// Runs two writes in interleavings of their requests. The tables are as before afterwards.
    pub(crate) fn check_race(&mut self, contenders: [Contender<'a>; 2]) -> Result<(), EngineError> {
        let writers = contenders
            .map(|contender| Writer { generated: self.maker.all(&contender.operation.generated), contender });
        let cascades = writers.iter().any(|writer| writer.contender.deletes_all());
        // Where the document leaves one order open, what comes of it can't be judged; the other orders still can.
        let mut open = false;
        let mut serials = Vec::new();
        for order in [[Turn::Whole(0), Turn::Whole(1)], [Turn::Whole(1), Turn::Whole(0)]] {
            match self.serial(&writers, &order) {
                Ok(serial) => serials.push(serial),
                Err(_) if cascades => open = true,
                Err(_) => return Ok(()),
            }
        }
        let [one, other] = writers.each_ref().map(|writer| writer.contender.pattern);
        // Calls of one write are many and have to get along. Where another write takes away the ground of one that reads
        // first, that one may be refused: nothing is lost, its caller tries again.
        for at in [0, 1] {
            if one.id != other.id && writers[1 - at].contender.operation.requests.len() > 1 {
                serials.extend(self.serial(&writers, &[Turn::Whole(at)]));
            }
            if writers[at].contender.deletes_all() {
                for seen in 0..1 << MOST_MEANWHILE {
                    let order = [Turn::Look(at), Turn::Whole(1 - at), Turn::Delete(at, seen)];
                    serials.extend(self.serial(&writers, &order));
                }
            }
        }
        if serials.is_empty() {
            return Ok(());
        }
        let [first, second] = writers.each_ref().map(|writer| writer.contender.operation.requests.len());
        for schedule in schedules(first, second, MOST_SCHEDULES) {
            self.session.reset();
            let answers = self.interleave(&writers, &schedule)?;
            self.tally(&one.id).inputs += 1;
            self.account(&one.id, &writers[0].contender.inputs, false);
            let wrong = match self.explained(&serials, &answers) {
                Ok(serial) => match self.wrong_number(&serial.changes)? {
                    // A number that goes with all that it counts does not know of what comes meanwhile.
                    Some(wrong) if cascades => {
                        for writer in writers.iter().filter(|writer| writer.contender.deletes_all()) {
                            let number = &wrong.pattern;
                            self.tally(&writer.contender.pattern.id).leave(format!(
                                "the number that {number} reads, once others wrote meanwhile: it was seen to be wrong"
                            ));
                        }
                        None
                    }
                    wrong => wrong.map(|wrong| (wrong.expected, wrong.actual)),
                },
                Err(_) if open => None,
                Err(wrong) => Some(wrong),
            };
            if let Some((expected, actual)) = wrong {
                self.fail_race(&writers, &schedule, &expected, &actual);
                self.session.roll_back()?;
                for [mine, theirs] in [[0, 1], [1, 0]] {
                    let [mine, theirs] = [mine, theirs].map(|at: usize| &writers[at].contender);
                    self.keep_case(&mine.pattern.id, || CallOf::Race {
                        inputs: mine.inputs.clone(),
                        other: theirs.pattern.id.clone(),
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

    /// Notes the failure for both patterns: it takes the two of them.
    fn fail_race(&mut self, writers: &[Writer<'_>; 2], schedule: &[bool], expected: &str, actual: &str) {
        let [one, other] = writers.each_ref().map(|writer| &writer.contender);
        let order: Vec<&str> = schedule.iter().map(|second| if *second { "B" } else { "A" }).collect();
        let with = if one.inputs == other.inputs && one.pattern.id == other.pattern.id {
            "twice the same call".to_owned()
        } else {
            format!("A is {}, B is {} {}", one.pattern.id, other.pattern.id, show::inputs(&other.inputs))
        };
        let actual = format!("{with}, requests in the order {}: {actual}", order.join(" "));
        self.fail(&one.pattern.id, "two writers at once", &one.inputs, expected, actual.clone());
        if one.pattern.id != other.pattern.id {
            self.fail(&other.pattern.id, "two writers at once", &one.inputs, expected, actual);
        }
    }

    /// What should come of the writers one after the other, or what the document does not say.
    fn serial(&mut self, writers: &[Writer<'_>; 2], order: &[Turn]) -> Result<Serial, &'static str> {
        let cascades = writers.iter().any(|writer| writer.contender.deletes_all());
        let (before, after) = (BTreeMap::new(), BTreeMap::new());
        let mut serial =
            Serial { took_place: [false; 2], idle: [false; 2], before, after, changes: Vec::new() };
        let mut all: Vec<Change> = Vec::new();
        let mut given: Vec<(String, Identity, i64)> = Vec::new();
        let mut looked: BTreeSet<(String, Identity)> = BTreeSet::new();
        let mut written: BTreeSet<(String, Identity)> = BTreeSet::new();
        let mut unclear = None;
        for turn in order.iter().copied() {
            let (Turn::Whole(at) | Turn::Look(at) | Turn::Delete(at, _)) = turn;
            let Writer { contender, generated } = &writers[at];
            let Contender { pattern, write, inputs, .. } = contender;
            let judge = if cascades { judge_meanwhile } else { judge };
            match judge(self.model, &self.world, pattern, write, inputs, generated) {
                Judgement::Unclear(reason) => {
                    unclear = Some(reason);
                    break;
                }
                Judgement::Fails(_) => {}
                Judgement::Holds { changes, .. } if matches!(turn, Turn::Look(_)) => {
                    looked.extend(changes.iter().filter_map(|change| self.named(change)));
                }
                Judgement::Holds { mut changes, numbers } => {
                    if let Turn::Delete(_, seen) = turn {
                        let mut since = 0;
                        changes.retain(|change| {
                            let is_new = |name| !looked.contains(&name) || written.contains(&name);
                            let came = contender.names_all_of(&change.entity)
                                && self.named(change).is_some_and(is_new);
                            since += u32::from(came);
                            !came || since <= MOST_MEANWHILE && seen & 1 << (since - 1) != 0
                        });
                    }
                    serial.took_place[at] = true;
                    serial.idle[at] = changes.is_empty();
                    let before = image::before_changes(self.model, self.design, &self.world, &changes);
                    unclear = unclear.or(before.is_err().then_some(NO_ITEMS));
                    for (place, stored) in before.unwrap_or_default() {
                        serial.before.entry(place).or_insert(stored);
                    }
                    for (sequence, scope, number) in &numbers {
                        let last = self.world.last_number(sequence, scope);
                        given.push((sequence.clone(), scope.clone(), last));
                        self.world.give_number(sequence, scope, *number);
                    }
                    self.world.apply(self.model, &changes);
                    let whole = changes.iter().filter(|change| contender.writes_whole(&change.entity));
                    written.extend(whole.filter_map(|change| self.named(change)));
                    all.extend(changes);
                }
            }
        }
        match image::after_changes(self.model, self.design, &self.world, &last_changes(&all)) {
            Ok(after) => serial.after = after,
            Err(_) => unclear = Some(NO_ITEMS),
        }
        self.world.revert(self.model, &all);
        for (sequence, scope, number) in given.into_iter().rev() {
            self.world.give_number(&sequence, &scope, number);
        }
        serial.changes = all;
        unclear.map_or(Ok(serial), Err)
    }

    /// Which record a change is about, while it was there.
    fn named(&self, change: &Change) -> Option<(String, Identity)> {
        let record = change.before.as_ref()?;
        Some((change.entity.clone(), identity(self.model.entity(&change.entity)?, record)))
    }

    /// Runs both calls, request by request, in the order of the schedule; what is left over at its end, in turn.
    fn interleave(
        &mut self,
        writers: &[Writer<'a>; 2],
        schedule: &[bool],
    ) -> Result<[Result<Answer, String>; 2], EngineError> {
        let mut calls = writers.each_ref().map(|Writer { contender, generated }| {
            let inputs = contender.inputs.clone();
            Call::again(self.design, contender.operation, inputs, Page::default(), generated.clone())
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

    /// The order of the two that explains what came, or why none does.
    fn explained<'s>(
        &self,
        serials: &'s [Serial],
        answers: &[Result<Answer, String>; 2],
    ) -> Result<&'s Serial, (String, String)> {
        let took_place = |answer: &Result<Answer, String>| matches!(answer, Ok(Answer::Written));
        let took = [took_place(&answers[0]), took_place(&answers[1])];
        let mut reason = None;
        for serial in serials {
            if (0..2).any(|at| serial.took_place[at] != took[at] && (took[at] || !serial.idle[at])) {
                continue;
            }
            match self.wrong_items(&serial.before, &serial.after) {
                None => return Ok(serial),
                Some((_, expected, actual)) => reason = Some((expected, actual)),
            }
        }
        Err(reason.unwrap_or_else(|| {
            let ways: Vec<String> = serials.iter().map(|serial| outcomes(&serial.took_place)).collect();
            (ways.join(", or "), format!("{}: {:?} and {:?}", outcomes(&took), answers[0], answers[1]))
        }))
    }

    /// A number that the writes keep and that no longer is how many records there are after these changes.
    fn wrong_number(&mut self, changes: &[Change]) -> Result<Option<WrongNumber>, EngineError> {
        let (model, design) = (self.model, self.design);
        let kept = design
            .operations
            .iter()
            .filter(|operation| matches!(operation.outcome.shape, Shape::Count { attribute: Some(_) }));
        // What is looked at here is no part of what the writers did.
        let changed = std::mem::take(&mut self.session.changed);
        self.world.apply(model, changes);
        let mut wrong = None;
        let lags = self.session.may_lag();
        for operation in kept.filter(|_| !lags) {
            let Some(pattern) = model.pattern(&operation.pattern) else { continue };
            let PatternKind::Read(read) = &pattern.kind else { continue };
            for change in
                changes.iter().filter(|it| pattern.entities.iter().any(|name| name.value == it.entity))
            {
                for record in [&change.before, &change.after].into_iter().flatten() {
                    let set = inputs::of_record(model, pattern, operation, &change.entity, record);
                    let Some(set) = set.filter(|_| wrong.is_none()) else { continue };
                    let count = oracle::expected(model, &self.world, pattern, read, &set.inputs).rows.len();
                    let (given, page) = (set.inputs.clone(), Page::default());
                    let mut call = Call::again(design, operation, given, page, BTreeMap::new());
                    let answer = fault(call.finish(&mut self.session))?;
                    if answer != Ok(Answer::Number(count as i64)) {
                        let asked = format!("{} {}", pattern.id, show::inputs(&set.inputs));
                        wrong = Some(WrongNumber {
                            pattern: pattern.id.clone(),
                            expected: format!("{asked} is {count}"),
                            actual: format!("it is {answer:?}"),
                        });
                    }
                }
            }
        }
        self.world.revert(model, changes);
        self.session.changed = changed;
        Ok(wrong)
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

/// The orders of one writer's requests and the other's, whose are true: all of them, or the most that keep within the
/// limit, those with fewer changes of turn first.
fn schedules(first: usize, second: usize, most: usize) -> Vec<Vec<bool>> {
    let mut all: Vec<Vec<bool>> = Vec::new();
    for turns in 1..=first + second {
        for starts in [true, false] {
            with_turns(first, second, starts, turns, &mut Vec::new(), most, &mut all);
        }
    }
    all
}

/// The orders that change turns exactly so often, the last request included; until there are enough.
fn with_turns(
    first: usize,
    second: usize,
    turn: bool,
    turns: usize,
    so_far: &mut Vec<bool>,
    most: usize,
    all: &mut Vec<Vec<bool>>,
) {
    if all.len() == most {
        return;
    }
    let left = if turn { second } else { first };
    let other = if turn { first } else { second };
    if turns == 1 {
        if other == 0 && left > 0 {
            let order = so_far.iter().copied().chain(std::iter::repeat_n(turn, left));
            all.push(order.collect());
        }
        return;
    }
    for count in 1..=left {
        so_far.extend(std::iter::repeat_n(turn, count));
        let (first, second) = if turn { (first, second - count) } else { (first - count, second) };
        with_turns(first, second, !turn, turns - 1, so_far, most, all);
        so_far.truncate(so_far.len() - count);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_interleavings_are_there_once() {
        assert_eq!(schedules(1, 1, 70), [[true, false], [false, true]]);
        for (first, second, count) in [(2, 2, 6), (4, 4, 70), (1, 3, 4), (3, 2, 10)] {
            let mut all = schedules(first, second, 70);
            assert!(all.iter().all(|one| one.iter().filter(|turn| **turn).count() == second));
            all.sort();
            all.dedup();
            assert_eq!(all.len(), count);
        }
    }

    #[test]
    fn of_too_many_interleavings_those_with_the_fewest_turns_remain() {
        let turns = |order: &Vec<bool>| order.windows(2).filter(|pair| pair[0] != pair[1]).count();
        let some = schedules(6, 6, 70);
        assert_eq!(some.len(), 70);
        assert!(some.windows(2).all(|pair| turns(&pair[0]) <= turns(&pair[1])));
        assert_eq!(some, schedules(6, 6, 70));
    }
}

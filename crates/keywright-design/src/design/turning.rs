//! Turning points with all other choices free to move: the rate of a pattern from which on another design is cheaper.
//!
//! The price of the optimum over one rate is concave and made of straight pieces, and the present design is one of the
//! lines that it is the least of. Newton's method finds where it leaves that line: from a rate where something else wins,
//! go to where the winner's line meets the present one, and look again who wins there, until nobody does.

use std::cell::Cell;

use keywright_model::design::{Decision, Design, Operation, Subject};
use keywright_model::{At, Model, Rate};

use super::Outcome;
use crate::decide::{FASTEST, Turn};
use crate::search::Stop;

/// So often a document is solved again for one turning point at most.
const MOST_TRIES: usize = 16;

/// So many patterns of designs are derived again at most, over all turning points: about a second's work. Where they are
/// used up, the other turning points are those for which nothing else changes. A clock would not give the same every time.
const MOST_WORK: usize = 10_000;

/// So much is no difference, in pico-dollars a month: what rounding to whole pico-dollars leaves.
const NOTHING: i128 = 1_000_000;

/// In so many parts of the way to an estimate the present design's line is drawn through the first.
const APART: i128 = 64;

/// How far beyond an estimate to look for something that wins, in parts of it.
const FARTHER: [(i128, i128); 3] = [(1, 50), (1, 4), (3, 4)];

/// A step of a rate that is small beside it.
fn small(nano: i128) -> i128 {
    (nano / 1024).max(1)
}

/// Which turning points hold whatever else changes with them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum TurningPoints {
    /// None: each is reckoned with all other choices as they are, and says so.
    #[default]
    Estimated,
    /// That of the pattern with this id.
    Of(String),
    /// All of them.
    Exact,
}

/// Finds the turning points that are wanted, and says of each what wins there. Where time does not reach all of them, all
/// stay as they are if nothing else changes.
pub(super) fn settle(
    model: &Model,
    wanted: &TurningPoints,
    outcome: &mut Outcome,
    stop: Stop,
    solve: &dyn Fn(&Model) -> Outcome,
) {
    let is_wanted = |turn: &Turn| match wanted {
        TurningPoints::Estimated => false,
        TurningPoints::Of(id) => turn.pattern == *id,
        TurningPoints::Exact => true,
    };
    let turns: Vec<Turn> = std::mem::take(&mut outcome.turns).into_iter().filter(is_wanted).collect();
    let proven = outcome.proven.is_some_and(|proven| proven.gap.pico() == 0);
    let (Some(total), true) = (total(outcome), proven) else { return };
    let each = (outcome.space.designs * model.patterns.len()).max(1);
    let left = Cell::new(MOST_WORK / each);
    let Some(design) = &mut outcome.design else { return };
    let present = design.clone();
    let mut settled = Vec::new();
    for turn in turns {
        let Some(at) = model.patterns.iter().position(|pattern| pattern.id == turn.pattern) else { continue };
        let search = Search { model, at, present: &present, stop, solve, left: &left };
        if stop.now() {
            return;
        }
        // Where the search finds no end the estimate stays, and says what it is.
        let Some(found) = search.leave(total, &turn) else { continue };
        let said = found.filter(|nano| *nano <= FASTEST).and_then(|nano| search.say(&turn, nano));
        settled.push((Subject::Pattern(turn.pattern), said));
    }
    // What a search found that ended early is no answer, and half of them would be another half each time.
    if stop.now() {
        return;
    }
    for (own, said) in settled {
        if let Some(decision) = design.decisions.iter_mut().find(|it| it.subject == own) {
            decision.turning_point = said;
        }
    }
}

/// What a month costs, operating included.
fn total(outcome: &Outcome) -> Option<i128> {
    let total = &outcome.design.as_ref()?.total;
    Some(total.bill.pico() + total.operational.pico())
}

struct Search<'a> {
    model: &'a Model,
    /// The pattern whose rate varies.
    at: usize,
    /// The design at the document's own rate.
    present: &'a Design,
    stop: Stop,
    solve: &'a dyn Fn(&Model) -> Outcome,
    /// So often may a document still be solved again.
    left: &'a Cell<usize>,
}

/// A straight line over the rate: through a price at a rate, with what a step of the rate adds to it.
struct Line {
    nano: i128,
    price: i128,
    step: i128,
    rise: i128,
}

impl Line {
    /// The price at a rate; none where the numbers are too large to tell.
    fn at(&self, nano: i128) -> Option<i128> {
        let rise = self.rise.checked_mul(nano.checked_sub(self.nano)?)?;
        self.price.checked_add(rise.checked_div(self.step)?)
    }

    /// The rate at which two lines meet, if they do and the numbers are not too large to tell.
    fn meets(&self, other: &Line) -> Option<i128> {
        let steeper = other.rise.checked_mul(self.step)?.checked_sub(self.rise.checked_mul(other.step)?)?;
        let apart = self.at(other.nano)?.checked_sub(other.price)?;
        let steps = apart.checked_mul(self.step)?.checked_mul(other.step)?;
        other.nano.checked_add(steps.checked_div(steeper)?)
    }
}

impl Search<'_> {
    /// The document with another rate of the pattern.
    fn solved(&self, nano: i128) -> Option<Outcome> {
        let left = self.left.get().checked_sub(1)?;
        self.left.set(left);
        if self.stop.now() {
            return None;
        }
        let rate = Rate::from_nano(u64::try_from(nano).ok()?);
        let mut model = self.model.clone();
        let pattern = &mut model.patterns[self.at];
        pattern.rate = Some(At::stated(rate, pattern.span));
        Some((self.solve)(&model))
    }

    /// What a month costs at another rate, and whether the present design is what is taken there.
    fn weighed(&self, nano: i128) -> Option<(i128, bool)> {
        let outcome = self.solved(nano)?;
        let same = outcome.design.as_ref().is_some_and(|design| is_same(design, self.present));
        Some((total(&outcome)?, same))
    }

    /// The line of what wins at a rate, from a price a small step away.
    fn line(&self, nano: i128, price: i128, sign: i128) -> Option<Line> {
        let step = sign * small(nano);
        Some(Line { nano, price, step, rise: self.weighed(nano + step)?.0 - price })
    }

    /// The line of the present design. A step that is small beside a small rate is no more than what prices are rounded
    /// to, so that the line is drawn through a rate that is well apart, if the design is the same there.
    fn own_line(&self, start: i128, present: i128, turn: &Turn) -> Option<Line> {
        let step = (turn.nano - start) / APART;
        match self.weighed(start + step) {
            Some((price, true)) if step.abs() > small(start) => {
                Some(Line { nano: start, price: present, step, rise: price - present })
            }
            _ => self.line(start, present, if turn.above { 1 } else { -1 }),
        }
    }

    /// The rate at which the present design is left, towards the side that a turn names: none where it holds far beyond
    /// the rate that the turn names. No answer where the search does not come to an end.
    fn leave(&self, present: i128, turn: &Turn) -> Option<Option<i128>> {
        let start = i128::from(self.model.patterns[self.at].mean_rate().nano());
        let sign = if turn.above { 1 } else { -1 };
        let mut mine = self.own_line(start, present, turn)?;
        let mut farther = FARTHER.iter().map(|(more, of)| turn.nano + sign * turn.nano * more / of);
        // The farthest rate where the present design is known to be the cheapest, and the nearest where it is not.
        let (mut holds, mut lost): (i128, Option<i128>) = (start, None);
        let (mut next, mut level) = (turn.nano, false);
        for _ in 0..MOST_TRIES {
            // Looking there and saying what wins takes three.
            if self.stop.now() || self.left.get() <= 3 {
                return None;
            }
            let there = self.weighed(next);
            let same = there.is_some_and(|(_, same)| same);
            if let Some((price, _)) = there.filter(|_| same && next != start) {
                mine = Line { nano: start, price: present, step: next - start, rise: price - present };
            }
            // What the present design costs beside it; where nobody can tell, the way between is halved.
            let there = there.and_then(|(price, _)| Some((price, mine.at(next)?)));
            if same || there.is_some_and(|(price, own)| (price - own).abs() <= NOTHING) {
                // Where the winner draws level nobody is cheaper.
                if level {
                    return Some(Some(next));
                }
                holds = next;
                next = match (lost, farther.next()) {
                    (Some(lost), _) => (holds + lost) / 2,
                    (None, Some(farther)) => farther,
                    (None, None) => return Some(None),
                };
            } else {
                let other = there
                    .filter(|(price, own)| price < own)
                    .and_then(|(price, _)| self.line(next, price, -sign));
                let between = |nano: &i128| (*nano - holds) * sign >= 0 && (next - *nano) * sign > 0;
                let meets = other.and_then(|other| mine.meets(&other)).filter(between);
                lost = Some(next);
                level = meets.is_some();
                next = meets.unwrap_or((holds + next) / 2);
                if (next - holds).abs() <= small(next) {
                    return Some(Some(next));
                }
            }
        }
        None
    }

    /// What wins beyond a rate, in words.
    fn say(&self, turn: &Turn, nano: i128) -> Option<String> {
        let sign = if turn.above { 1 } else { -1 };
        let beyond = self.solved(nano + sign * (nano / 200).max(1))?;
        let changed: Vec<&Decision> = match &beyond.design {
            Some(design) => {
                design.decisions.iter().filter(|it| is_new(it, &self.present.decisions)).collect()
            }
            None => Vec::new(),
        };
        let own = Subject::Pattern(turn.pattern.clone());
        let in_words = |decision: &Decision| match &decision.subject {
            Subject::Pattern(id) if *id == turn.pattern => Some(decision.chosen.clone()),
            Subject::Pattern(id) => Some(format!("{id} by {}", decision.chosen)),
            Subject::Item(name) => Some(format!("{name} with {}", decision.chosen)),
            _ => None,
        };
        // The pattern itself first, then reads, which say where they run, then keys.
        let rank = |decision: &Decision| match &decision.subject {
            it if *it == own => 0,
            Subject::Pattern(id) if self.model.pattern(id).is_some_and(|it| it.read().is_some()) => 1,
            Subject::Item(_) => 2,
            _ => 3,
        };
        let first = changed.iter().min_by_key(|decision| rank(decision));
        let wins = match (&beyond.design, first.and_then(|decision| in_words(decision))) {
            (None, _) => "another document, since no design serves this one,".to_owned(),
            (Some(_), Some(words)) => words,
            (Some(_), None) => "another design".to_owned(),
        };
        Turn { wins, nano, ..turn.clone() }.exact()
    }
}

/// Whether two designs keep and serve everything alike.
fn is_same(one: &Design, other: &Design) -> bool {
    // What a call and a month cost goes with the rate.
    let served = |design: &Design| -> Vec<_> {
        design.operations.iter().map(|it| Operation { expected: None, ..it.clone() }).collect()
    };
    one.items == other.items && one.indexes == other.indexes && served(one) == served(other)
}

/// Whether a choice is none of the present ones.
fn is_new(decision: &Decision, present: &[Decision]) -> bool {
    let same = |it: &&Decision| it.subject == decision.subject;
    matches!(decision.subject, Subject::Pattern(_) | Subject::Item(_))
        && present.iter().find(same).is_none_or(|it| it.chosen != decision.chosen)
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use super::super::{Options, over_merges};
    use super::*;

    const QUESTS: &str = "# DynamoDB Access Patterns

## Entities

### Quest
- **Attributes**:
  - `questId` (uuid, id)
  - `email` (string, unique, immutable, ~25 bytes)
- **Cardinality**: ~50K total

## Access Patterns

### Reads

| ID | Entity | Description | Input Parameters | Result | Sort | Paginated | Rate | Consistency | Multi-Entity |
|---|---|---|---|---|---|---|---|---|---|
| AP-001 | Quest | Get a quest | questId | Single | - | No | 200 | Eventual | No |
| AP-005 | Quest | Find a quest by email | email | Single | - | No | 60 | Eventual | No |
";

    #[test]
    fn lines_meet_where_they_cross() {
        let flat = Line { nano: 0, price: 100, step: 10, rise: 0 };
        let steep = Line { nano: 20, price: 60, step: 10, rise: 20 };
        assert_eq!((flat.meets(&steep), steep.meets(&flat)), (Some(40), Some(40)));
        assert_eq!(flat.meets(&Line { price: 50, ..flat }), None);
    }

    #[test]
    fn lines_of_enormous_rates_meet_nowhere() {
        // A million calls a second, of which each costs thousands of dollars a month.
        let line =
            |price: i128| Line { nano: 10i128.pow(15), price, step: 10i128.pow(12), rise: price / 1000 };
        let (one, other) = (line(10i128.pow(30)), line(9 * 10i128.pow(29)));
        assert_eq!((one.meets(&other), one.at(i128::MAX)), (None, None));
    }

    #[test]
    fn nothing_is_solved_again_when_the_time_is_up() {
        let (model, _) = keywright_document::read_access_patterns(QUESTS);
        let mut outcome = over_merges(&model, &Options::default(), Instant::now());
        assert!(!outcome.turns.is_empty(), "{:?}", outcome.findings);
        let up = Stop { at: Some(Instant::now()) };
        let solve = |_: &Model| -> Outcome { panic!("the time is up") };
        settle(&model, &TurningPoints::Exact, &mut outcome, up, &solve);
        assert!(outcome.design.is_some());
    }
}

//! What may come of two writers: as if one had come after the other, or between the looking and the deleting of one
//! that deletes all.

use std::collections::{BTreeMap, BTreeSet};

use keywright_model::Model;

use super::{Contender, Writer};
use crate::check::Checker;
use crate::image::{self, Place, Stored};
use crate::interpret::Answer;
use crate::oracle::{Judgement, judge};
use crate::show;
use crate::world::{Change, Identity, identity};

/// A part of a writer that nothing comes in between of.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Turn {
    /// All of it.
    Whole(usize),
    /// A delete of all that is there looks what that is.
    Look(usize),
    /// It deletes the children that are there, and goes on with the rest later.
    Children(usize),
    /// It deletes what it saw, and of what came since then the records with these numbers.
    Delete(usize, u32),
    /// It has deleted all, and looks once more: of what came with a new parent since then it deletes the records with these
    /// numbers.
    Again(usize, u32),
}

/// Of so many records that come while all are deleted, each is looked for, gone or whole.
pub(super) const MOST_MEANWHILE: u32 = 3;

/// One way in which the two could have come one after the other.
pub(super) struct Serial {
    /// Who comes first.
    first: usize,
    /// Whether each was to take place, in the order of the writers.
    took_place: [bool; 2],
    /// Whether each had nothing to do: then it is all the same whether it is refused.
    idle: [bool; 2],
    before: BTreeMap<Place, Stored>,
    after: BTreeMap<Place, Stored>,
    /// What became of the records.
    pub(super) changes: Vec<Change>,
}

impl Serial {
    /// Whether a writer comes first here and the other one is refused for it: nothing comes once it is done.
    pub(super) fn closes(&self, first: usize) -> bool {
        self.first == first && self.took_place[first] && !self.took_place[1 - first]
    }
}

impl Checker<'_, '_> {
    /// What should come of the writers one after the other; none where the document does not say, or where the items of
    /// the records can't be made, which other checks say.
    pub(super) fn serial(&mut self, writers: &[Writer<'_>; 2], order: &[Turn]) -> Option<Serial> {
        let cascades = writers.iter().any(|writer| writer.contender.writing.deletes_all());
        let (before, after) = (BTreeMap::new(), BTreeMap::new());
        let (
            Some(
                Turn::Whole(first)
                | Turn::Look(first)
                | Turn::Children(first)
                | Turn::Delete(first, _)
                | Turn::Again(first, _),
            ),
            changes,
        ) = (order.first().copied(), Vec::new())
        else {
            return None;
        };
        let mut serial = Serial { first, took_place: [false; 2], idle: [false; 2], before, after, changes };
        let mut given: Vec<(String, Identity, i64)> = Vec::new();
        let mut looked: BTreeSet<(String, Identity)> = BTreeSet::new();
        let mut written: BTreeSet<(String, Identity)> = BTreeSet::new();
        let mut clear = true;
        for turn in order.iter().copied() {
            let (Turn::Whole(at)
            | Turn::Look(at)
            | Turn::Children(at)
            | Turn::Delete(at, _)
            | Turn::Again(at, _)) = turn;
            let Writer { contender, generated } = &writers[at];
            let Contender { writing, inputs } = contender;
            let (mut changes, numbers) = match judge(self.model, &self.world, *writing, inputs, generated) {
                Judgement::Fails(_) => continue,
                Judgement::Holds { changes, numbers } => (changes, numbers),
                Judgement::Orphans { changes, numbers } if cascades => (changes, numbers),
                Judgement::Orphans { .. } | Judgement::InParts(_) | Judgement::Unclear => {
                    clear = false;
                    break;
                }
            };
            if matches!(turn, Turn::Look(_)) {
                looked.extend(changes.iter().filter_map(|change| self.named(change)));
                continue;
            }
            if matches!(turn, Turn::Children(_)) {
                changes.retain(|change| contender.names_all_of(&change.entity));
            }
            if let Turn::Delete(_, seen) = turn {
                let mut since = 0;
                changes.retain(|change| {
                    let is_new = |name| !looked.contains(&name) || written.contains(&name);
                    let came =
                        contender.names_all_of(&change.entity) && self.named(change).is_some_and(is_new);
                    since += u32::from(came);
                    !came || since <= MOST_MEANWHILE && seen & 1 << (since - 1) != 0
                });
            }
            if let Turn::Again(_, seen) = turn {
                changes.retain(|change| contender.names_all_of(&change.entity));
                let mut nth = 0;
                changes.retain(|_| {
                    nth += 1;
                    nth <= MOST_MEANWHILE && seen & 1 << (nth - 1) != 0
                });
            } else {
                serial.idle[at] = changes.is_empty();
            }
            serial.took_place[at] = true;
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
            let whole = changes.iter().filter(|change| writing.creates(&change.entity));
            written.extend(whole.filter_map(|change| self.named(change)));
            serial.changes.extend(changes);
        }
        let last = last_changes(self.model, &serial.changes);
        let after = image::after_changes(self.model, self.design, &self.world, &last);
        self.world.revert(self.model, &serial.changes);
        for (sequence, scope, number) in given.into_iter().rev() {
            self.world.give_number(&sequence, &scope, number);
        }
        serial.after = after.ok()?;
        clear.then_some(serial)
    }

    /// Which record a change is about, while it was there.
    fn named(&self, change: &Change) -> Option<(String, Identity)> {
        let record = change.before.as_ref()?;
        Some((change.entity.clone(), identity(self.model.entity(&change.entity)?, record)))
    }

    /// The order of the two that explains what came, or why none does. Where items are written one by one, and nothing holds
    /// them together, each may have met the other writer in its own order: then none of the orders explains all of it.
    pub(super) fn explained<'s>(
        &self,
        serials: &'s [Serial],
        answers: &[Result<Answer, String>; 2],
        one_by_one: bool,
    ) -> Result<Option<&'s Serial>, (String, String)> {
        let took_place = |answer: &Result<Answer, String>| matches!(answer, Ok(Answer::Written));
        let took = [took_place(&answers[0]), took_place(&answers[1])];
        let fits = |serial: &&Serial| {
            !(0..2).any(|at| serial.took_place[at] != took[at] && (took[at] || !serial.idle[at]))
        };
        let fitting: Vec<&Serial> = serials.iter().filter(fits).collect();
        let mut reason = None;
        for serial in &fitting {
            match self.wrong_items(&serial.before, &serial.after) {
                None => return Ok(Some(serial)),
                Some((_, expected, actual)) => reason = Some((expected, actual)),
            }
        }
        if one_by_one && fitting.len() > 1 && self.explains_each(&fitting) {
            return Ok(None);
        }
        Err(reason.unwrap_or_else(|| {
            let ways: BTreeSet<String> = serials.iter().map(|serial| outcomes(&serial.took_place)).collect();
            (ways.into_iter().collect::<Vec<_>>().join(", or "), {
                let [a, b] = answers.each_ref().map(show::outcome);
                format!("{}; A: {a}; B: {b}", outcomes(&took))
            })
        }))
    }
}

impl Checker<'_, '_> {
    /// Whether each item is as one of these orders leaves it.
    fn explains_each(&self, serials: &[&Serial]) -> bool {
        let (mut before, mut after) = (BTreeMap::new(), BTreeMap::new());
        for serial in serials {
            before.extend(serial.before.clone());
        }
        let places: BTreeSet<&Place> = serials.iter().flat_map(|it| it.after.keys()).collect();
        for place in places {
            let actual = self.session.mirror.get(&place.0, &place.1);
            let as_left = |serial: &&&Serial| match (serial.after.get(place), &actual) {
                (Some(stored), Some(actual)) => image::difference(stored, actual).is_none(),
                (stored, actual) => stored.is_none() && actual.is_none(),
            };
            let Some(serial) = serials.iter().find(as_left) else { return false };
            after.extend(serial.after.get(place).map(|stored| (place.clone(), stored.clone())));
        }
        self.wrong_items(&before, &after).is_none()
    }
}

fn outcomes(took_place: &[bool; 2]) -> String {
    let word = |took: bool| if took { "takes place" } else { "is refused" };
    format!("A {}, B {}", word(took_place[0]), word(took_place[1]))
}

/// The last change of each record is what remains.
fn last_changes(model: &Model, changes: &[Change]) -> Vec<Change> {
    let mut last: BTreeMap<(&str, Identity), &Change> = BTreeMap::new();
    for change in changes {
        let Some(entity) = model.entity(&change.entity) else { continue };
        let name = |record| (entity.name.as_str(), identity(entity, record));
        // A change of the identity leaves nothing at the old one.
        if let Some(before) = &change.before {
            last.remove(&name(before));
        }
        if let Some(record) = change.after.as_ref().or(change.before.as_ref()) {
            last.insert(name(record), change);
        }
    }
    last.into_values().cloned().collect()
}

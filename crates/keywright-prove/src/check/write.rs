//! Writes and deletes: every item that the design names appears, changes or vanishes, and nothing else does.

use std::collections::BTreeMap;

use keywright_dynamodb::value::{AttributeValue, Item};
use keywright_model::design::{ItemKind, ItemType};
use keywright_model::model::Pattern;

use crate::check::{Checker, fault};
use crate::engine::EngineError;
use crate::image::{self, Place, Stored};
use crate::interpret::{Answer, Call, Inputs, Page};
use crate::oracle::{Judgement, judge};
use crate::session::Changed;
use crate::show;
use crate::shrink::CallOf;
use crate::world::Change;
use crate::writing::Writing;

/// What became of a checked write.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Checked {
    /// It took place, with these changes.
    Held(Vec<Change>),
    /// It was refused, as it should be.
    Refused,
    /// The document does not say what should happen: nothing was done.
    Unclear,
    /// It went wrong; the tables were put right again.
    Failed,
}

impl<'a> Checker<'a, '_> {
    /// Runs a write with those inputs and checks what it did.
    pub(crate) fn check_write(
        &mut self,
        writing: Writing<'a>,
        inputs: &Inputs,
        typical: bool,
    ) -> Result<Checked, EngineError> {
        let generated = self.maker.all(&writing.operation.generated);
        self.check_write_with(writing, inputs, generated, typical)
    }

    /// The same, with what the operation is to make up.
    pub(crate) fn check_write_with(
        &mut self,
        writing: Writing<'a>,
        inputs: &Inputs,
        generated: BTreeMap<String, AttributeValue>,
        typical: bool,
    ) -> Result<Checked, EngineError> {
        let Writing { pattern, operation, .. } = writing;
        let mut call =
            Call::again(self.design, operation, inputs.clone(), Page::default(), generated.clone());
        let judgement = judge(self.model, &self.world, writing, inputs, &generated);
        self.last_generated = generated;
        let checked = match judgement {
            Judgement::Unclear => Checked::Unclear,
            Judgement::InParts(words) => {
                self.tally(&pattern.id).leave(format!(
                    "\"{words}\": without a transaction, a part may be done when another is refused; write Yes under \
                     Transaction to have it checked"
                ));
                Checked::Unclear
            }
            // The document does not say whether what comes may be a child of nobody: it comes whole or not at all.
            Judgement::Orphans { changes, numbers } => {
                self.session.reset();
                let answer = self.recorded(&mut call, inputs)?;
                self.tally(&pattern.id).inputs += 1;
                self.account(&pattern.id, inputs, false);
                match answer {
                    Ok(Answer::Written) => {
                        for (sequence, scope, number) in numbers {
                            self.world.give_number(&sequence, &scope, number);
                        }
                        self.check_changes(writing, inputs, changes)?
                    }
                    other => self.check_refused(pattern, inputs, "its parent must exist", other)?,
                }
            }
            Judgement::Fails(condition) => {
                self.session.reset();
                let answer = self.recorded(&mut call, inputs)?;
                self.tally(&pattern.id).inputs += 1;
                self.account(&pattern.id, inputs, false);
                self.check_refused(pattern, inputs, &condition, answer)?
            }
            Judgement::Holds { changes, numbers } => {
                self.session.reset();
                let answer = self.recorded(&mut call, inputs)?;
                self.tally(&pattern.id).inputs += 1;
                self.account(&pattern.id, inputs, typical);
                match answer {
                    Ok(Answer::Written) => {
                        let checked = self.check_changes(writing, inputs, changes)?;
                        // Not before: whoever looks at a failure again starts from the numbers before it.
                        for (sequence, scope, number) in numbers {
                            self.world.give_number(&sequence, &scope, number);
                        }
                        checked
                    }
                    // Nothing to delete, nothing deleted.
                    Ok(Answer::NothingThere | Answer::Refused(_)) if changes.is_empty() => Checked::Refused,
                    other => {
                        let came = show::outcome(&other);
                        self.fail(&pattern.id, "write", inputs, "the write succeeds", came);
                        self.session.roll_back()?;
                        Checked::Failed
                    }
                }
            }
        };
        self.keep_call(writing, inputs);
        Ok(checked)
    }

    /// Runs a write of which nobody can say what should come of it; in words, what it changed of some items.
    pub(crate) fn run_unjudged(
        &mut self,
        writing: Writing<'a>,
        inputs: &Inputs,
        generated: BTreeMap<String, AttributeValue>,
        places: &[Place],
    ) -> Result<Option<String>, EngineError> {
        self.session.reset();
        let mut call =
            Call::again(self.design, writing.operation, inputs.clone(), Page::default(), generated);
        // Also what can't be carried out leaves the items alone.
        let _answer = self.recorded(&mut call, inputs)?;
        self.tally(writing.id()).inputs += 1;
        self.account(writing.id(), inputs, false);
        let mut changed = std::mem::take(&mut self.session.changed);
        changed.retain(|one| places.contains(&(one.table.clone(), one.key.clone())));
        Ok((!changed.is_empty()).then(|| show_changed(&changed)))
    }

    /// Keeps the call, with what it made up, where it has just failed for the first time.
    fn keep_call(&mut self, writing: Writing<'a>, inputs: &Inputs) {
        let generated = self.last_generated.clone();
        self.keep_case(writing.id(), || CallOf::Write(inputs.clone(), generated));
    }

    /// What a write with these inputs must come to, without making it.
    pub(crate) fn foretell(&self, writing: Writing<'a>, inputs: &Inputs) -> Judgement {
        let generated = self.maker.clone().all(&writing.operation.generated);
        judge(self.model, &self.world, writing, inputs, &generated)
    }

    /// Carries a write out, and takes it down where somebody wants that.
    fn recorded(
        &mut self,
        call: &mut Call<'a>,
        inputs: &Inputs,
    ) -> Result<Result<Answer, String>, EngineError> {
        self.session.in_call(true);
        let answer = fault(call.finish(&mut self.session));
        self.session.in_call(false);
        let answer = answer?;
        // Of what a client refuses by itself, each language has its own word.
        if let (Ok(answer), Some(recorder)) = (&answer, &mut self.session.recorder)
            && !matches!(answer, Answer::Refused(refusal) if refusal.unbuilt.is_some())
        {
            recorder.call(call.pattern(), inputs, None, call.generated(), answer);
        }
        Ok(answer)
    }

    /// A write that must be refused: a condition fails, and nothing changes.
    fn check_refused(
        &mut self,
        pattern: &Pattern,
        inputs: &Inputs,
        condition: &str,
        answer: Result<Answer, String>,
    ) -> Result<Checked, EngineError> {
        let expected = format!("a refusal, because this does not hold: {condition}");
        match answer {
            Ok(Answer::Refused(_) | Answer::NothingThere) if self.session.changed.is_empty() => {
                Ok(Checked::Refused)
            }
            Ok(Answer::Refused(_) | Answer::NothingThere) => {
                let came = show_changed(&self.session.changed);
                self.fail(&pattern.id, "a failed condition changes nothing", inputs, expected, came);
                self.session.roll_back()?;
                Ok(Checked::Failed)
            }
            other => {
                let came = match other {
                    Ok(_) if self.session.changed.is_empty() => {
                        "it succeeded, and left every item as it was".into()
                    }
                    Ok(_) => format!("it succeeded: {}", show_changed(&self.session.changed)),
                    Err(reason) => reason,
                };
                self.fail(&pattern.id, "condition", inputs, expected, came);
                self.session.roll_back()?;
                Ok(Checked::Failed)
            }
        }
    }

    /// A write that took place: the items of every record that changed are as they should be.
    fn check_changes(
        &mut self,
        writing: Writing<'a>,
        inputs: &Inputs,
        changes: Vec<Change>,
    ) -> Result<Checked, EngineError> {
        let pattern = writing.pattern;
        let before = image::before_changes(self.model, self.design, &self.world, &changes);
        self.world.apply(self.model, &changes);
        let after = image::after_changes(self.model, self.design, &self.world, &changes);
        let (before, after) = match (before, after) {
            (Ok(before), Ok(after)) => (before, after),
            (Err(fault), _) | (_, Err(fault)) => {
                self.fail(&pattern.id, "items", inputs, "items by the design's templates", fault.to_string());
                return Ok(Checked::Failed);
            }
        };
        let tally = self.tally(&pattern.id);
        tally.items += after.len() as u64;
        tally.telling += u64::from(!changes.is_empty());
        let wrong_number =
            || self.wrong_kept(&changes).map(|(expected, actual)| ("number", expected, actual));
        if let Some((check, expected, actual)) = self.wrong_items(&before, &after).or_else(wrong_number) {
            self.fail(&pattern.id, check, inputs, expected, actual);
            self.keep_call(writing, inputs);
            if let Some(case) = self.cases.remove(&pattern.id) {
                self.cases.insert(pattern.id.clone(), case.before(self.model, &changes, &self.session));
            }
            self.repair(&before, &after)?;
            self.repair_kept(&changes)?;
            return Ok(Checked::Failed);
        }
        Ok(Checked::Held(changes))
    }

    /// What the tables hold wrongly after a write, by what should be at the places that it concerns.
    pub(super) fn wrong_items(
        &self,
        before: &BTreeMap<Place, Stored>,
        after: &BTreeMap<Place, Stored>,
    ) -> Option<(&'static str, String, String)> {
        for (place, stored) in after {
            let name = &stored.item_type;
            match self.session.mirror.get(&place.0, &place.1) {
                None => {
                    return Some((
                        "items",
                        format!("{name} at {}", show_key(&place.1)),
                        "no such item".into(),
                    ));
                }
                Some(actual) => {
                    if let Some(difference) = image::difference(stored, &actual) {
                        return Some(("items", format!("{name} at {}", show_key(&place.1)), difference));
                    }
                }
            }
        }
        for (place, stored) in before {
            if !after.contains_key(place) && self.session.mirror.get(&place.0, &place.1).is_some() {
                let name = &stored.item_type;
                return Some((
                    "items",
                    format!("no {name} at {}", show_key(&place.1)),
                    "it still exists".into(),
                ));
            }
        }
        for changed in &self.session.changed {
            let place = (changed.table.clone(), changed.key.clone());
            if !after.contains_key(&place)
                && !before.contains_key(&place)
                && let Some(what) = self.unexpected(changed)
            {
                return Some(("items", "no other item changes".into(), what));
            }
        }
        None
    }

    /// A change to an item that the write should have left alone. Counters, and attributes that only the design
    /// knows, are the design's own business: they are counted again, and the reads that use them prove them.
    fn unexpected(&self, changed: &Changed) -> Option<String> {
        let item_type = self.item_type(changed.after.as_ref().or(changed.before.as_ref())?);
        if item_type.is_some_and(|item_type| item_type.kind == ItemKind::Counter) {
            return None;
        }
        let at = show_key(&changed.key);
        match (&changed.before, &changed.after) {
            (Some(before), Some(after)) => {
                let names = before.keys().chain(after.keys());
                let moved = names.filter(|name| before.get(*name) != after.get(*name));
                let foreign = moved.into_iter().find(|name| !self.is_designs_own(item_type, name))?;
                Some(format!("`{foreign}` changed at {at}"))
            }
            (None, Some(_)) => Some(format!("an item appeared at {at}")),
            (Some(_), None) => Some(format!("an item disappeared at {at}")),
            (None, None) => None,
        }
    }

    /// Whether an attribute is in no entity: the design added it.
    fn is_designs_own(&self, item_type: Option<&ItemType>, name: &str) -> bool {
        item_type.is_some_and(|item_type| {
            let declared = item_type.entities.iter().any(|entity| {
                self.model.entity(entity).is_some_and(|entity| entity.attribute(name).is_some())
            });
            !declared && item_type.attribute(name).is_some()
        })
    }

    pub(super) fn item_type(&self, item: &Item) -> Option<&'a ItemType> {
        image::item_type(self.design, item)
    }

    /// Puts the tables right after a write that went wrong, so that other patterns are not blamed for it.
    fn repair(
        &mut self,
        before: &BTreeMap<Place, Stored>,
        after: &BTreeMap<Place, Stored>,
    ) -> Result<(), EngineError> {
        let changed = std::mem::take(&mut self.session.changed);
        for one in changed.iter().rev() {
            let place = (one.table.clone(), one.key.clone());
            if !before.contains_key(&place) && !after.contains_key(&place) && self.unexpected(one).is_some() {
                self.session.place(&one.table, &one.key, one.before.as_ref())?;
            }
        }
        for (place, stored) in after {
            let item = stored.over(self.session.mirror.get(&place.0, &place.1).unwrap_or_default());
            self.session.place(&place.0, &place.1, Some(&item))?;
        }
        for place in before.keys().filter(|place| !after.contains_key(*place)) {
            self.session.place(&place.0, &place.1, None)?;
        }
        Ok(())
    }

    /// Repeats a write that took place, with what it made up: an idempotent one changes nothing.
    pub(crate) fn check_replay(
        &mut self,
        writing: Writing<'a>,
        inputs: &Inputs,
        generated: &BTreeMap<String, AttributeValue>,
    ) -> Result<(), EngineError> {
        let Writing { pattern, operation, .. } = writing;
        let idempotent = match judge(self.model, &self.world, writing, inputs, generated) {
            Judgement::Fails(_) => true,
            Judgement::Unclear | Judgement::InParts(_) | Judgement::Orphans { .. } => !writing.adds(),
            Judgement::Holds { changes, numbers } => {
                numbers.is_empty() && changes.iter().all(|change| change.before == change.after)
            }
        };
        if !idempotent || operation.retry.is_some() {
            return Ok(());
        }
        self.session.reset();
        let mut call =
            Call::again(self.design, operation, inputs.clone(), Page::default(), generated.clone());
        let answer = self.recorded(&mut call, inputs)?;
        self.account(&pattern.id, inputs, false);
        if !self.session.changed.is_empty() {
            let came = format!("{}, and {}", show::outcome(&answer), show_changed(&self.session.changed));
            self.fail(&pattern.id, "replay", inputs, "a repeated write changes nothing", came);
            self.session.roll_back()?;
        }
        Ok(())
    }
}

/// A primary key as people read it.
pub(super) fn show_key(key: &Item) -> String {
    let parts: Vec<String> =
        key.iter().map(|(name, value)| format!("{name} {}", image::show(value))).collect();
    parts.join(", ")
}

/// What changed, in words.
fn show_changed(changed: &[Changed]) -> String {
    if changed.is_empty() {
        return "no item changed".into();
    }
    let parts: Vec<String> = changed
        .iter()
        .take(4)
        .map(|one| {
            let what = match (&one.before, &one.after) {
                (None, _) => "appeared",
                (_, None) => "vanished",
                _ => "changed",
            };
            format!("{} {what}", show_key(&one.key))
        })
        .collect();
    parts.join("; ")
}

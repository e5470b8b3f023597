//! The numbers that writes keep, counted again.

use std::collections::{BTreeMap, BTreeSet};

use keywright_model::design::Shape;
use keywright_model::model::PatternKind;

use crate::check::{Checker, fault};
use crate::engine::EngineError;
use crate::inputs;
use crate::interpret::{Answer, Call, Inputs, Page};
use crate::oracle;
use crate::show;
use crate::world::Change;

/// What a pattern should read, and what it reads.
type Wrong = (String, String);

impl Checker<'_, '_> {
    /// A number that the writes keep and that no longer is how many records there are after these changes.
    pub(super) fn wrong_number(&mut self, changes: &[Change]) -> Result<Option<Wrong>, EngineError> {
        // A lagging index is no fault of the design's.
        if self.session.may_lag() {
            return Ok(None);
        }
        // What is looked at here is no part of what the writers did.
        let changed = std::mem::take(&mut self.session.changed);
        self.world.apply(self.model, changes);
        let wrong = self.wrong_now(changes);
        self.world.revert(self.model, changes);
        self.session.changed = changed;
        wrong
    }

    fn wrong_now(&mut self, changes: &[Change]) -> Result<Option<Wrong>, EngineError> {
        let (model, design) = (self.model, self.design);
        for operation in &design.operations {
            let Shape::Count { attribute: Some(_) } = operation.outcome.shape else { continue };
            let Some(pattern) = model.pattern(&operation.pattern) else { continue };
            let PatternKind::Read(read) = &pattern.kind else { continue };
            let concerned =
                changes.iter().filter(|it| pattern.entities.iter().any(|name| name.value == it.entity));
            let asked: BTreeSet<Inputs> = concerned
                .flat_map(|change| {
                    let records = [&change.before, &change.after].into_iter().flatten();
                    records.map(move |record| (&change.entity, record))
                })
                .filter_map(|(entity, record)| inputs::of_record(model, pattern, operation, entity, record))
                .map(|set| set.inputs)
                .collect();
            for given in asked {
                let count = oracle::expected(model, &self.world, pattern, read, &given).rows.len();
                let asked = format!("{} {}", pattern.id, show::inputs(&given));
                let mut call = Call::again(design, operation, given, Page::default(), BTreeMap::new());
                let answer = fault(call.finish(&mut self.session))?;
                if answer != Ok(Answer::Number(count as i64)) {
                    return Ok(Some((format!("{asked} is {count}"), show::outcome(&answer))));
                }
            }
        }
        Ok(self.wrong_kept(changes))
    }
}

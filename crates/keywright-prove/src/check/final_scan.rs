//! The tables and their indexes, read whole at the end: nothing stale, nothing orphaned, nothing missing.

use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};

use keywright_dynamodb::value::Item;
use keywright_model::design::{Action, ItemKind, Request};

use crate::check::Checker;
use crate::check::write::show_key;
use crate::engine::EngineError;
use crate::image;
use crate::interpret::Inputs;

/// What is wrong: the item type that it is about, what should be, and what is.
type Wrong = (Option<String>, String, String);

impl Checker<'_, '_> {
    /// Reads everything and holds it against the records.
    pub(crate) fn check_whole(&mut self) -> Result<(), EngineError> {
        let wrong_number = || {
            let (item_type, (expected, actual)) = self.wrong_kept_whole()?;
            Some((Some(item_type), expected, actual))
        };
        let wrong_image = self.wrong_image().or_else(wrong_number).or_else(|| self.wrong_lasting());
        let wrong = [self.wrong_engine()?, wrong_image];
        self.session.last_request = None;
        for (item_type, expected, actual) in wrong.into_iter().flatten() {
            for pattern in self.writers_of(item_type.as_deref()) {
                self.fail(
                    &pattern,
                    "the tables as a whole",
                    &Inputs::new(),
                    expected.clone(),
                    actual.clone(),
                );
            }
        }
        Ok(())
    }

    /// Where the engine's tables and indexes differ from what its answers led us to believe.
    fn wrong_engine(&self) -> Result<Option<Wrong>, EngineError> {
        for table in &self.design.tables {
            let key = |item: &Item| -> Item {
                table.key().filter_map(|key| Some((key.name.clone(), item.get(&key.name)?.clone()))).collect()
            };
            // One table or index at a time, and only what differs is kept.
            let mut seen = 0;
            let mut wrong = None;
            self.session.whole(&table.name, None, &mut |item| {
                seen += 1;
                let believed = self.session.mirror.get(&table.name, &key(&item));
                if believed.as_ref() != Some(&item) && wrong.is_none() {
                    wrong = Some(item);
                }
            })?;
            let believed = self.session.mirror.item_count(&table.name);
            if let Some(item) = wrong {
                let name = self.item_type(&item).map(|item_type| item_type.name.clone());
                let actual = format!("{} exists there", show_key(&item));
                return Ok(Some((name, "only the items that the writes left".into(), actual)));
            }
            if seen != believed {
                return Ok(Some((
                    None,
                    format!("{believed} items in {}", table.name),
                    format!("{seen} items"),
                )));
            }
            for index in self.session.mirror.indexes(&table.name) {
                let mirror = &self.session.mirror;
                let mut seen = 0;
                let mut wrong = None;
                self.session.whole(&table.name, Some(index), &mut |entry| {
                    seen += 1;
                    let item = mirror.get(&table.name, &key(&entry));
                    let believed = item.and_then(|item| mirror.entry(&table.name, index, &item));
                    if believed.as_ref() != Some(&entry) && wrong.is_none() {
                        wrong = Some(entry);
                    }
                })?;
                // A lagging index is no fault of the design's.
                if self.session.may_lag() {
                    continue;
                }
                if let Some(entry) = wrong {
                    let name = self.item_type(&entry).map(|item_type| item_type.name.clone());
                    let actual = format!("{index} has a stale entry: {}", show_key(&entry));
                    return Ok(Some((name, format!("{index} follows the table"), actual)));
                }
                let believed = mirror.entry_count(&table.name, index);
                if seen != believed {
                    let expected = format!("{believed} entries in {index}");
                    return Ok(Some((None, expected, format!("{seen} entries"))));
                }
            }
        }
        Ok(None)
    }

    /// Where the tables differ from what the records should be stored as.
    fn wrong_image(&self) -> Option<Wrong> {
        // Of the places only a hash is kept: the items of a large world would not fit a second time.
        let mut expected: HashSet<u64> = HashSet::new();
        let records = self.model.entities.iter().flat_map(|entity| {
            self.world.records(&entity.name).map(move |record| (entity.name.as_str(), record))
        });
        for (entity, record) in records {
            let places = match image::of_record(self.model, self.design, &self.world, entity, record) {
                Ok(places) => places,
                Err(fault) => {
                    return Some((None, "items by the design's templates".into(), fault.to_string()));
                }
            };
            for (place, stored) in places {
                expected.insert(hash(&place.0, &place.1));
                let should_be = || format!("{} at {}", stored.item_type, show_key(&place.1));
                let difference = match self.session.mirror.get(&place.0, &place.1) {
                    None => Some("no such item".into()),
                    Some(actual) => image::difference(&stored, &actual),
                };
                if let Some(difference) = difference {
                    return Some((Some(stored.item_type.clone()), should_be(), difference));
                }
            }
        }
        self.session.mirror.all().find_map(|(table, key, item)| {
            let item_type = self.item_type(&item);
            let counts = item_type.is_some_and(|item_type| item_type.kind == ItemKind::Counter);
            let past = item_type.is_some_and(|it| image::keeps_versions(self.model, self.design, it));
            let expected = expected.contains(&hash(table, &key));
            (!counts && !past && !expected).then(|| {
                let name = item_type.map(|item_type| item_type.name.clone());
                (name, "no item without a record".into(), format!("an orphan at {}", show_key(&key)))
            })
        })
    }

    /// The patterns whose operations write items of a type; all that write, where it is not known.
    fn writers_of(&self, item_type: Option<&str>) -> Vec<String> {
        let names = |request: &Request| -> Vec<String> {
            let actions: &[Action] = match request {
                Request::Write { action } => std::slice::from_ref(action),
                Request::TransactWriteItems { actions } | Request::BatchWriteItem { actions } => actions,
                _ => &[],
            };
            let named = actions.iter().map(|action| match action {
                Action::Put(put) => put.item.clone(),
                Action::Update(update) => update.item.clone(),
                Action::Delete(delete) | Action::Check(delete) => delete.item.clone(),
            });
            named.collect()
        };
        let mut writers: Vec<String> = self
            .design
            .operations
            .iter()
            .filter(|operation| {
                let written: Vec<String> = operation.requests.iter().flat_map(names).collect();
                !written.is_empty()
                    && item_type.is_none_or(|item_type| written.iter().any(|name| name == item_type))
            })
            .map(|operation| operation.pattern.clone())
            .collect();
        if writers.is_empty() {
            writers.extend(self.design.operations.first().map(|operation| operation.pattern.clone()));
        }
        writers
    }
}

/// A place as a number; the same in every run.
fn hash(table: &str, key: &Item) -> u64 {
    let mut hasher = DefaultHasher::new();
    (table, key).hash(&mut hasher);
    hasher.finish()
}

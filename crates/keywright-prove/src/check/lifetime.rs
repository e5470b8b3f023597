//! Lifetimes: what expires by itself says when, where its table reads that from, and nothing else does.
//!
//! That DynamoDB then deletes it is not waited for: it takes its time, up to days.

use keywright_dynamodb::value::{AttributeValue, Item};
use keywright_model::design::{Generator, ItemKind};
use keywright_model::model::{Attribute, Entity, Pattern};

use crate::check::Checker;
use crate::engine::EngineError;
use crate::interpret::Inputs;
use crate::oracle::{binding, made_names};
use crate::writing::Writing;

/// The name of the check.
const LIFETIME: &str = "time to live";

/// What should be, and what is.
type Wrong = (String, String);

impl Checker<'_, '_> {
    /// Checks that the items of what a pattern creates can expire, where the document says that they do.
    pub(super) fn check_lifetime(&mut self, pattern: &Pattern) {
        let Some(writing) = Writing::of(self.design, pattern) else { return };
        let created = self.model.entities.iter().filter(|entity| writing.creates(&entity.name));
        let mut expiring = created.filter_map(|entity| Some((entity, expiry_of(entity)?)));
        let wrong = expiring.find_map(|(entity, expiry)| {
            self.wrong_table(entity, expiry).or_else(|| self.wrong_instant(writing, entity, expiry))
        });
        if let Some((expected, actual)) = wrong {
            self.session.last_request = None;
            self.fail(&pattern.id, LIFETIME, &Inputs::new(), expected, actual);
        }
    }

    /// Where items of an entity are that can't expire by its attribute.
    fn wrong_table(&self, entity: &Entity, expiry: &Attribute) -> Option<Wrong> {
        let kinds = [ItemKind::Main, ItemKind::Singleton, ItemKind::Copy, ItemKind::Edge];
        let mut own = self
            .design
            .items
            .iter()
            .filter(|it| kinds.contains(&it.kind) && it.entities.contains(&entity.name));
        own.find_map(|item_type| {
            let name = &expiry.name;
            if item_type.attribute(name).is_none() {
                let expected = format!("`{name}` in {}: {} expires by it", item_type.name, entity.name);
                return Some((expected, "the item has no such attribute".to_owned()));
            }
            let table = self.design.table(&item_type.table)?;
            let expected = format!("{} expires items by `{name}`, as {} requires", table.name, entity.name);
            match &table.ttl {
                Some(ttl) if ttl == name => None,
                Some(ttl) => Some((expected, format!("it expires them by `{ttl}`"))),
                None => Some((expected, "it expires none".to_owned())),
            }
        })
    }

    /// An instant that an operation makes up and that is not the one at which the document lets the record expire. What the
    /// items then hold is that instant, which the writes show.
    fn wrong_instant(&self, writing: Writing<'_>, entity: &Entity, expiry: &Attribute) -> Option<Wrong> {
        let days = entity.retention.as_ref()?.days;
        let mut inputs = writing.pattern.inputs().iter();
        if inputs.any(|input| binding(self.model, input, &entity.name) == Some(&expiry.name)) {
            return None;
        }
        let [first, second] = made_names(entity, &expiry.name);
        let made = |name: &str| writing.operation.generated.iter().find(|made| made.name == name);
        let came = made(&first).or_else(|| made(&second)).map(|made| made.generator);
        let actual = match came {
            Some(Generator::ExpiresAfterDays(after)) if after == days => return None,
            Some(Generator::ExpiresAfterDays(after)) => format!("it expires after {after} days"),
            Some(other) => format!("it is set to {other:?}, which is not an expiry time"),
            None => "no write sets it".to_owned(),
        };
        let name = &expiry.name;
        Some((
            format!("a `{name}` {days} days after {} was created, in seconds since 1970", entity.name),
            actual,
        ))
    }

    /// An item that DynamoDB would take for one that expires, of a type that does not.
    pub(super) fn wrong_lasting(&self) -> Option<(Option<String>, String, String)> {
        let ttl_of = |table: &str| self.design.table(table)?.ttl.as_deref();
        let expires = |item: &Item, ttl: &str| {
            let Some(item_type) = self.item_type(item) else { return true };
            let mut entities = item_type.entities.iter().filter_map(|name| self.model.entity(name));
            entities.any(|entity| expiry_of(entity).is_some_and(|attribute| attribute.name == ttl))
        };
        self.session.mirror.all().find_map(|(table, key, item)| {
            let ttl = ttl_of(table)?;
            let read = matches!(item.get(ttl), Some(AttributeValue::N(_)));
            (read && !expires(&item, ttl)).then(|| {
                let name = self.item_type(&item).map(|item_type| item_type.name.clone());
                let expected = format!("`{ttl}` only in items that expire");
                (name, expected, format!("{} has it", super::write::show_key(&key)))
            })
        })
    }

    /// Lets the engine expire items as the tables say, and looks whether it says so too. The last thing that is done, and
    /// only in tables that nobody keeps: the instants of a run lie in the past.
    pub(crate) fn check_expiring(&mut self) -> Result<(), EngineError> {
        for table in &self.design.tables {
            let Some(ttl) = &table.ttl else { continue };
            let patterns: Vec<String> = self
                .model
                .patterns
                .iter()
                .filter(|pattern| self.lets_expire(pattern, &table.name))
                .map(|pattern| pattern.id.clone())
                .collect();
            if self.session.keeps_tables {
                for pattern in patterns {
                    let reason =
                        "that items expire: the tables are kept, and it would delete what is in them";
                    self.tally(&pattern).leave(reason);
                }
                continue;
            }
            let answer = self.session.expire_by(&table.name, ttl)?;
            for pattern in patterns {
                match &answer {
                    Ok(None) => {}
                    Ok(Some(came)) => {
                        let expected = format!("{} expires items by `{ttl}`", table.name);
                        self.session.last_request = None;
                        self.fail(&pattern, LIFETIME, &Inputs::new(), expected, came.clone());
                    }
                    Err(reason) => self
                        .tally(&pattern)
                        .leave(format!("expiry: the engine does not support time to live: {reason}")),
                }
            }
        }
        Ok(())
    }

    /// Whether a pattern creates what expires from a table.
    fn lets_expire(&self, pattern: &Pattern, table: &str) -> bool {
        Writing::of(self.design, pattern).is_some_and(|writing| {
            self.design.items.iter().filter(|it| it.table == table).flat_map(|it| &it.entities).any(|name| {
                writing.creates(name) && self.model.entity(name).is_some_and(|it| expiry_of(it).is_some())
            })
        })
    }
}

/// The attribute by which an entity expires.
fn expiry_of(entity: &Entity) -> Option<&Attribute> {
    entity.attributes.iter().find(|attribute| attribute.ttl.as_ref().is_some_and(|ttl| ttl.value))
}

//! The store: the access to DynamoDB that all repositories share.

use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;
use std::time::SystemTime;

use aws_sdk_dynamodb::Client;
use keywright::Instant;

use super::call::Call;
use super::cursor::{self, Position};
use super::scope::{Scope, build};
use super::value::{at, key_text, put};
use super::{Answer, AttributeValue, Error, How, Inputs, Item, Made, Operation, Schema};

/// A page of items. The last page has no next cursor.
#[derive(Clone, Debug, PartialEq)]
pub struct Page<T> {
    /// The items.
    pub items: Vec<T>,
    /// The cursor of the next page.
    pub next_cursor: Option<String>,
}

/// The page that the caller wants.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PageOptions {
    /// The number of items; `None` for the default of the design.
    pub limit: Option<u32>,
    /// The cursor of the previous page; `None` for the first page.
    pub cursor: Option<String>,
}

type Maker = Arc<dyn Fn(&Made) -> AttributeValue + Send + Sync>;

/// The access to DynamoDB that all repositories share. Cheap to clone.
#[derive(Clone)]
pub struct Store {
    pub(super) client: Client,
    pub(super) schema: &'static Schema,
    table_names: Arc<HashMap<String, String>>,
    maker: Option<Maker>,
}

impl fmt::Debug for Store {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Store").field("table_names", &self.table_names).finish_non_exhaustive()
    }
}

impl Store {
    /// A store with that schema.
    pub fn new(client: Client, schema: &'static Schema) -> Self {
        Store { client, schema, table_names: Arc::default(), maker: None }
    }

    /// The same store, for tables that are deployed under other names than in the design.
    #[must_use]
    pub fn with_table_names(self, names: HashMap<String, String>) -> Self {
        Store { table_names: Arc::new(names), ..self }
    }

    /// The same store, with generated values from `maker` instead of the clock and the system's random
    /// numbers.
    #[must_use]
    pub fn with_maker(self, maker: impl Fn(&Made) -> AttributeValue + Send + Sync + 'static) -> Self {
        Store { maker: Some(Arc::new(maker)), ..self }
    }

    /// Runs an operation.
    pub async fn run(
        &self,
        operation: &'static Operation,
        inputs: Inputs,
        page: PageOptions,
    ) -> Result<Answer, Error> {
        let position = match &page.cursor {
            Some(cursor) => cursor::decode(cursor, operation.pattern)?,
            None => Position::default(),
        };
        let now = Instant::try_from(SystemTime::now()).unwrap_or(Instant::EPOCH);
        let make = |made: &Made| match &self.maker {
            Some(maker) => maker(made),
            None => make(made, now),
        };
        let generated = operation.made.iter().map(|made| (made.name.to_owned(), make(made))).collect();
        let scope = Scope { inputs, generated, ..Scope::default() };
        Call::new(self, operation, scope, page.limit.filter(|limit| *limit > 0), position).run().await
    }

    pub(super) fn table_name(&self, table: &str) -> String {
        self.table_names.get(table).cloned().unwrap_or_else(|| table.to_owned())
    }

    /// Completes an item: adds its type attribute and the key attributes that its templates build.
    pub(super) fn whole(&self, name: &str, mut item: Item) -> Result<Item, Error> {
        let item_type = self
            .schema
            .items
            .iter()
            .find(|it| it.name == name)
            .ok_or_else(|| Error::MalformedItem(format!("there is no item type {name}")))?;
        for key in item_type.keys {
            item.remove(key.attribute);
        }
        for map in item_type.maps {
            if at(&item, map).is_none() {
                put(&mut item, map, AttributeValue::M(HashMap::new()));
            }
        }
        if let Some(attribute) = self.schema.type_attribute {
            item.insert(attribute.to_owned(), AttributeValue::S(name.to_owned()));
        }
        let mut keys = Item::new();
        for key in item_type.keys {
            if let Some(when) = key.when {
                let guard = at(&item, when);
                let fits = key.equals.is_none_or(|wanted| guard.and_then(key_text).as_deref() == Some(wanted));
                if guard.is_none() || !fits {
                    continue;
                }
            }
            if let Some(built) = build(key.template, |attribute| at(&item, attribute).and_then(key_text))? {
                keys.insert(key.attribute.to_owned(), AttributeValue::S(built));
            }
        }
        // The key attributes of an index that depend on the same sparse attribute are set together or not at
        // all: a part of them would leave a stale attribute on the item. Keys with another or no sparse
        // attribute stay, and so do key attributes that are also the table's.
        let primary = self.schema.table_key(item_type.table);
        for index in self.schema.indexes.iter().filter(|index| index.table == item_type.table) {
            let own = || item_type.keys.iter().filter(|key| index.key.contains(&key.attribute));
            let lacking = own().filter(|key| !keys.contains_key(key.attribute));
            let ended: Vec<_> = lacking.map(|key| (key.when, key.equals)).collect();
            for key in own().filter(|key| ended.contains(&(key.when, key.equals))) {
                if !primary.contains(&key.attribute) {
                    keys.remove(key.attribute);
                }
            }
        }
        item.extend(keys);
        match self.schema.table_key(item_type.table).iter().find(|name| !item.contains_key(**name)) {
            Some(lacks) => {
                Err(Error::MalformedItem(format!("{name}: the attributes of its key {lacks} are not all there")))
            }
            None => Ok(item),
        }
    }
}

fn make(made: &Made, now: Instant) -> AttributeValue {
    let text = iso(now);
    match made.how {
        How::Ulid => AttributeValue::S(keywright::ids::ulid().to_string()),
        How::Uuid => AttributeValue::S(keywright::ids::uuid_v7().to_string()),
        How::Ksuid => AttributeValue::S(keywright::ids::ksuid().to_string()),
        How::Now => AttributeValue::S(text),
        How::NowMillis => AttributeValue::N(now.unix_millis().to_string()),
        How::Today => AttributeValue::S(text[..10].to_owned()),
        How::Expiry => AttributeValue::N((now.unix_seconds() + made.days * 86_400).to_string()),
    }
}

/// An instant with milliseconds, so that the text sorts by time.
fn iso(now: Instant) -> String {
    let (hour, minute, second) = now.clock();
    let millis = now.subsec_nanos() / 1_000_000;
    format!("{}T{hour:02}:{minute:02}:{second:02}.{millis:03}Z", now.date())
}

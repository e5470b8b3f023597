//! A proof's line to the engine: sends, watches what is touched, and holds every answer against our own reckoning.

use std::collections::BTreeMap;
use std::time::Duration;

use keywright_dynamodb::limits::{PARTITION_KEY_BYTES, SORT_KEY_BYTES};
use keywright_dynamodb::units::Units;
use keywright_dynamodb::value::{AttributeValue, Item};
use keywright_model::Design;
use keywright_model::design::{KeyType, Projection, Table};
use serde_json::{Value as Json, json};

use crate::cost::{self, Bill};
use crate::engine::{Capability, Engine, EngineError, REPEATED, Support, Tables};
use crate::interpret::{Sent, Touch, Wire, item_from_json, to_json};
use crate::mirror::Mirror;
use crate::recording::Recorder;

/// How long an engine gets that left a part of a batch undone; it doubles after each further attempt, up to the longest.
const FIRST_PAUSE: Duration = Duration::from_millis(50);
const LONGEST_PAUSE: Duration = Duration::from_secs(2);

/// A cost that differs, with the request that shows it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct CostDifference {
    /// The request.
    pub(crate) request: String,
    /// What we reckon.
    pub(crate) reckoned: String,
    /// What the engine says.
    pub(crate) stated: String,
}

/// A line to the engine.
pub(crate) struct Session<'e> {
    engine: &'e dyn Engine,
    /// The engine's name of each table of the design.
    names: BTreeMap<String, String>,
    pub(crate) mirror: Mirror,
    /// Whether the tables outlive the run: then nothing may be turned on that deletes what is in them.
    pub(crate) keeps_tables: bool,
    /// Whether the engine states consumed capacity.
    pub(crate) states_capacity: bool,
    /// Whether that of a Query follows the size of what it read.
    pub(crate) sizes_reads: bool,
    /// Requests sent since [`Session::reset`].
    pub(crate) requests: u64,
    /// Units consumed since then, by our reckoning.
    pub(crate) units: Units,
    /// The last request, as JSON text.
    pub(crate) last_request: Option<(String, Json)>,
    /// The first difference in cost since then.
    pub(crate) difference: Option<CostDifference>,
    /// What changed since then, one entry per write.
    pub(crate) changed: Vec<Changed>,
    /// The first key beyond DynamoDB's limits since then, in words.
    pub(crate) oversized_key: Option<String>,
    /// Takes down what happens, where somebody wants it.
    pub(crate) recorder: Option<Recorder>,
    /// What each place held when the scene that is open began to change it; none where none is open.
    scene: Option<BTreeMap<(String, Item), Option<Item>>>,
}

/// An item that a write changed.
#[derive(Clone, Debug)]
pub(crate) struct Changed {
    pub(crate) table: String,
    pub(crate) key: Item,
    pub(crate) before: Option<Item>,
    pub(crate) after: Option<Item>,
}

impl<'e> Session<'e> {
    /// Creates the design's tables.
    pub(crate) fn open(
        design: &Design,
        engine: &'e dyn Engine,
        tables: &mut Tables<'_>,
    ) -> Result<Self, EngineError> {
        let mut names = BTreeMap::new();
        for table in &design.tables {
            let name = tables.create(&definition(design, table))?;
            names.insert(table.name.clone(), name);
        }
        let states_capacity = engine.support(Capability::ConsumedCapacity)? == Support::Present;
        Ok(Session {
            engine,
            names,
            mirror: Mirror::new(design),
            keeps_tables: tables.is_kept(),
            states_capacity,
            sizes_reads: engine.support(Capability::ReadCapacityBySize)? == Support::Present,
            requests: 0,
            units: Units::ZERO,
            last_request: None,
            difference: None,
            changed: Vec::new(),
            oversized_key: None,
            recorder: None,
            scene: None,
        })
    }

    /// Starts counting anew.
    pub(crate) fn reset(&mut self) {
        self.requests = 0;
        self.units = Units::ZERO;
        self.last_request = None;
        self.difference = None;
        self.changed.clear();
        self.oversized_key = None;
    }

    /// Takes back everything that changed since [`Session::reset`], the last first.
    pub(crate) fn roll_back(&mut self) -> Result<(), EngineError> {
        for changed in std::mem::take(&mut self.changed).into_iter().rev() {
            self.place(&changed.table, &changed.key, changed.before.as_ref())?;
        }
        Ok(())
    }

    /// From here on everything that changes can be taken back at once.
    pub(crate) fn open_scene(&mut self) {
        self.scene = Some(BTreeMap::new());
    }

    /// Takes back everything that changed since the scene was opened.
    pub(crate) fn close_scene(&mut self) -> Result<(), EngineError> {
        for ((table, key), before) in self.scene.take().unwrap_or_default() {
            if self.mirror.get(&table, &key) != before {
                self.place(&table, &key, before.as_ref())?;
            }
        }
        Ok(())
    }

    fn note(&mut self, table: &str, key: &Item) {
        if let Some(scene) = &mut self.scene {
            let before = || self.mirror.get(table, key);
            scene.entry((table.to_owned(), key.clone())).or_insert_with(before);
        }
    }

    /// Whether eventual reads may lag behind writes here.
    pub(crate) fn may_lag(&self) -> bool {
        !self.engine.is_private()
    }

    /// Reads one item as it is now, outside all counts.
    pub(crate) fn look(&self, table: &str, key: &Item) -> Result<Option<Item>, EngineError> {
        let body = json!({"TableName": self.table_name(table), "Key": to_json(key), "ConsistentRead": true});
        Ok(self.engine.call("GetItem", body)?.get("Item").and_then(item_from_json))
    }

    /// Lets the engine expire a table's items by an attribute. What it says afterwards where that is something else; the
    /// inner error is what it refuses with where it can't.
    pub(crate) fn expire_by(
        &self,
        table: &str,
        attribute: &str,
    ) -> Result<Result<Option<String>, String>, EngineError> {
        let name = self.table_name(table);
        let specification = json!({"AttributeName": attribute, "Enabled": true});
        let body = json!({"TableName": name, "TimeToLiveSpecification": specification});
        let told = self.engine.call("UpdateTimeToLive", body).and_then(|_| {
            let answer = self.engine.call("DescribeTimeToLive", json!({"TableName": name}))?;
            Ok(answer["TimeToLiveDescription"].clone())
        });
        match told {
            Ok(told) => {
                let enabled = matches!(told["TimeToLiveStatus"].as_str(), Some("ENABLED" | "ENABLING"));
                let right = enabled && told["AttributeName"] == attribute;
                Ok(Ok((!right).then(|| format!("the engine reports {told}"))))
            }
            Err(
                error @ (EngineError::Refused(_) | EngineError::Failing { .. } | EngineError::Garbled { .. }),
            ) => Ok(Err(error.to_string())),
            Err(error) => Err(error),
        }
    }

    /// Writes one item as it is, or removes it, outside all counts.
    pub(crate) fn place(&mut self, table: &str, key: &Item, item: Option<&Item>) -> Result<(), EngineError> {
        let name = self.table_name(table);
        match item {
            Some(item) => self.engine.call("PutItem", json!({"TableName": name, "Item": to_json(item)}))?,
            None => self.engine.call("DeleteItem", json!({"TableName": name, "Key": to_json(key)}))?,
        };
        self.note(table, key);
        self.mirror.set(table, key, item.cloned());
        if let Some(recorder) = &mut self.recorder {
            recorder.place(table, key, item);
        }
        Ok(())
    }

    /// A call begins, or is over, that will be taken down as a whole.
    pub(crate) fn in_call(&mut self, under_way: bool) {
        if let Some(recorder) = &mut self.recorder {
            recorder.in_call = under_way;
        }
    }

    /// Reads a table or an index whole, page after page, outside all counts.
    pub(crate) fn whole(
        &self,
        table: &str,
        index: Option<&str>,
        each: &mut dyn FnMut(Item),
    ) -> Result<(), EngineError> {
        let mut start = Json::Null;
        loop {
            let mut body = json!({"TableName": self.table_name(table)});
            match index {
                Some(index) => body["IndexName"] = index.into(),
                None => body["ConsistentRead"] = true.into(),
            }
            if !start.is_null() {
                body["ExclusiveStartKey"] = start;
            }
            let mut answer = self.engine.call("Scan", body)?;
            answer["Items"].as_array().into_iter().flatten().filter_map(item_from_json).for_each(&mut *each);
            start = answer["LastEvaluatedKey"].take();
            if start.as_object().is_none_or(serde_json::Map::is_empty) {
                return Ok(());
            }
        }
    }

    /// Brings the mirror up to date with what a write changed, and says what that was.
    fn watch(&mut self, touch: &Touch) -> Result<Option<Bill>, EngineError> {
        let Touch::Write { actions, transaction } = touch else { return Ok(None) };
        let mut images = Vec::new();
        let mut checks = Vec::new();
        for action in actions {
            let before = self.mirror.get(&action.table, &action.key);
            let after = if action.check { before.clone() } else { self.look(&action.table, &action.key)? };
            images.push((action.table.clone(), action.key.clone(), before, after));
            checks.push(action.check);
        }
        let bill = cost::of_write(&self.mirror, &images, &checks, *transaction);
        for (table, key, before, after) in images {
            if before != after {
                self.note(&table, &key);
                self.mirror.set(&table, &key, after.clone());
                if let Some(recorder) = &mut self.recorder {
                    recorder.place(&table, &key, after.as_ref());
                }
                self.oversized_key =
                    self.oversized_key.take().or_else(|| self.beyond_limits(&table, after.as_ref()));
                self.changed.push(Changed { table, key, before, after });
            }
        }
        Ok(Some(bill))
    }

    /// A key attribute that DynamoDB would refuse: engines don't all check those of indexes.
    fn beyond_limits(&self, table: &str, item: Option<&Item>) -> Option<String> {
        let item = item?;
        let keys = std::iter::once(self.mirror.table_key(table)?)
            .chain(self.mirror.indexes(table).filter_map(|index| self.mirror.index_key(table, index)));
        for key in keys {
            for (names, most) in [(&key.partition, PARTITION_KEY_BYTES), (&key.sort, SORT_KEY_BYTES)] {
                for name in names {
                    let bytes = match item.get(name) {
                        Some(AttributeValue::S(text)) => text.len(),
                        Some(AttributeValue::B(bytes)) => bytes.len(),
                        _ => continue,
                    };
                    if bytes == 0 || bytes as u64 > most {
                        return Some(format!(
                            "the key attribute `{name}` has {bytes} bytes; 1 to {most} are \
                                             allowed"
                        ));
                    }
                }
            }
        }
        None
    }

    /// Holds what we reckon against what the engine says; none where it does not add up its reads.
    fn compare(&mut self, bill: Option<Bill>, answer: Option<&Json>) {
        let Some(bill) = bill else { return };
        self.units += bill.values().map(keywright_dynamodb::units::Consumed::total).sum();
        let Some(answer) = answer.filter(|_| self.states_capacity && self.difference.is_none()) else {
            return;
        };
        let stated: Option<Bill> = cost::stated(answer).map(|stated| {
            let own = |name: &str| {
                let found = self.names.iter().find(|(_, theirs)| theirs.as_str() == name);
                found.map_or_else(|| name.to_owned(), |(ours, _)| ours.clone())
            };
            stated.into_iter().map(|(name, consumed)| (own(&name), consumed)).collect()
        });
        if stated.as_ref() != Some(&bill) {
            let request = self.last_request.as_ref().map(|(name, body)| format!("{name} {body}"));
            self.difference = Some(CostDifference {
                request: request.unwrap_or_default(),
                reckoned: cost::show(&bill),
                stated: match &stated {
                    Some(stated) => cost::show(stated),
                    None => answer["ConsumedCapacity"].to_string(),
                },
            });
        }
    }
}

impl Wire for Session<'_> {
    fn send(&mut self, sent: Sent) -> Result<Json, EngineError> {
        let mut body = sent.body;
        self.requests += 1;
        self.last_request = Some((sent.operation.to_owned(), body.clone()));
        body["ReturnConsumedCapacity"] = "INDEXES".into();
        let answer = match self.engine.call(sent.operation, body) {
            Ok(answer) => answer,
            Err(error) => {
                // A refused write must have left everything as it was: what it names is looked at again.
                if error.refusal().is_some() {
                    self.watch(&sent.touch)?;
                }
                return Err(error);
            }
        };
        let bill = match &sent.touch {
            touch @ Touch::Write { .. } => {
                let bill = self.watch(touch)?;
                // What was not processed was not charged: a batch cut short is not reckoned.
                let partly = answer["UnprocessedItems"].as_object().is_some_and(|rest| !rest.is_empty());
                bill.filter(|_| !partly)
            }
            touch => cost::of_read(&self.mirror, touch, &answer),
        };
        let once = answer.get(REPEATED).is_none();
        // An engine that does not add up what a Query reads knows no more of what a batch does.
        let adds_up = matches!(sent.touch, Touch::Query(_) | Touch::Scan { .. } | Touch::BatchGet { .. });
        let trusted = once && (self.sizes_reads || !adds_up);
        self.compare(bill, trusted.then_some(&answer));
        Ok(answer)
    }

    fn pause(&mut self, attempts: u32) {
        if !self.engine.is_private() {
            std::thread::sleep((FIRST_PAUSE * 2_u32.pow(attempts.min(8) - 1)).min(LONGEST_PAUSE));
        }
    }

    fn table_name(&self, table: &str) -> String {
        self.names.get(table).cloned().unwrap_or_else(|| table.to_owned())
    }
}

/// A table of the design as CreateTable takes it.
pub(crate) fn definition(design: &Design, table: &Table) -> Json {
    let mut attributes: BTreeMap<&str, KeyType> =
        table.key().map(|key| (key.name.as_str(), key.ty)).collect();
    let element = |name: &str, kind: &str| json!({"AttributeName": name, "KeyType": kind});
    let mut indexes = Vec::new();
    for index in design.indexes.iter().filter(|index| index.table == table.name) {
        attributes.extend(index.key().map(|key| (key.name.as_str(), key.ty)));
        let keys: Vec<Json> = index
            .partition
            .iter()
            .map(|key| element(&key.name, "HASH"))
            .chain(index.sort.iter().map(|key| element(&key.name, "RANGE")))
            .collect();
        let projection = match &index.projection {
            Projection::All => json!({"ProjectionType": "ALL"}),
            Projection::KeysOnly => json!({"ProjectionType": "KEYS_ONLY"}),
            Projection::Include(names) => json!({"ProjectionType": "INCLUDE", "NonKeyAttributes": names}),
        };
        indexes.push(json!({"IndexName": index.name, "KeySchema": keys, "Projection": projection}));
    }
    let mut keys = vec![element(&table.partition.name, "HASH")];
    keys.extend(table.sort.iter().map(|sort| element(&sort.name, "RANGE")));
    let attributes: Vec<Json> = attributes
        .into_iter()
        .map(|(name, ty)| json!({"AttributeName": name, "AttributeType": ty.symbol()}))
        .collect();
    let mut definition = json!({
        "TableName": table.name,
        "BillingMode": "PAY_PER_REQUEST",
        "AttributeDefinitions": attributes,
        "KeySchema": keys,
    });
    if !indexes.is_empty() {
        definition["GlobalSecondaryIndexes"] = indexes.into();
    }
    definition
}

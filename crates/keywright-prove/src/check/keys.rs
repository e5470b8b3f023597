//! What can be seen of keys without running anything: that they hold every value there may be, begin with the tenant, and
//! are spread over as many shards as are read. A run would need a value as large as the largest, or a table as hot as the
//! hottest, to notice.

use keywright_key::{Encoding, Template};
use keywright_model::design::{ItemKind, ItemType, KeyType, KeyValue, Operation, Query, Request, Scatter};
use keywright_model::model::{Entity, EntityKind, Pattern, Role, Type};

use super::statics::Wrong;
use crate::check::Checker;
use crate::oracle::binding;

impl Checker<'_, '_> {
    /// What is wrong with the keys of the items that an operation writes, or of those that it reads.
    pub(super) fn wrong_keys(&self, operation: &Operation) -> Option<Wrong> {
        let written = operation.requests.iter().flat_map(Request::actions).map(|action| action.item());
        let written = written.filter_map(|name| self.design.item(name));
        let read = operation.requests.iter().filter_map(|request| match request {
            Request::Query(query) => Some(query),
            _ => None,
        });
        written
            .clone()
            .find_map(|item| self.too_narrow(item))
            .or_else(|| written.clone().find_map(|item| self.taken_key(item)))
            .or_else(|| read.clone().find_map(|query| self.other_shards(query)))
            .or_else(|| {
                let items = read.flat_map(|query| &query.items).filter_map(|name| self.design.item(name));
                let mut items = written.chain(items);
                items.find_map(|item| self.mistyped(item).or_else(|| self.outside_tenant(item)))
            })
    }

    /// A key attribute that holds another type than the table or the index states: DynamoDB refuses such an item.
    pub(crate) fn mistyped(&self, item: &ItemType) -> Option<Wrong> {
        let table = self.design.table(&item.table)?;
        let indexes = self.design.indexes.iter().filter(|index| index.table == item.table);
        let stated = table.key().chain(indexes.flat_map(|index| index.key()));
        for key in stated {
            let held = match item.key(&key.name).map(|it| &it.value) {
                Some(KeyValue::Template(_)) => KeyType::String,
                Some(KeyValue::Natural) => match item.attribute(&key.name).and_then(|it| key_type(it.ty)) {
                    Some(held) => held,
                    None => continue,
                },
                None => continue,
            };
            if held != key.ty {
                return Some((
                    "key type",
                    format!("a key `{}` of type {}, as {} holds it", key.name, held.symbol(), item.name),
                    format!("type {}: DynamoDB refuses the item", key.ty.symbol()),
                ));
            }
        }
        None
    }

    /// An item that reserves a value under a key that another item can have: whoever wants the value, or the item, is then
    /// refused for nothing, or takes the place of the other.
    fn taken_key(&self, item: &ItemType) -> Option<Wrong> {
        if item.kind != ItemKind::Uniqueness {
            return None;
        }
        let table = self.design.table(&item.table)?;
        let of = |item: &ItemType, name: &str| templates(item).find(|(key, _)| *key == name).map(|it| it.1);
        let own: Vec<Template> = table.key().map(|key| of(item, &key.name)).collect::<Option<_>>()?;
        let others = self.design.items.iter().filter(|it| it.table == item.table && it.name != item.name);
        for other in others {
            let theirs: Option<Vec<Template>> = table.key().map(|key| of(other, &key.name)).collect();
            let Some(theirs) = theirs else { continue };
            if own.iter().zip(&theirs).all(|(one, another)| one.may_collide(another)) {
                let show = |keys: &[Template]| {
                    keys.iter().map(|it| format!("`{it}`")).collect::<Vec<_>>().join(" and ")
                };
                return Some((
                    "keys apart",
                    format!("a key of {} that no {} can have", item.name, other.name),
                    format!("{}, beside {}", show(&own), show(&theirs)),
                ));
            }
        }
        None
    }

    /// A key that can't hold the largest number that the document allows.
    fn too_narrow(&self, item: &ItemType) -> Option<Wrong> {
        let entities = || item.entities.iter().filter_map(|name| self.model.entity(name));
        for (key, template) in templates(item) {
            for placeholder in template.placeholders() {
                let digits = match placeholder.encoding() {
                    Encoding::Unsigned { digits, .. } | Encoding::Signed { digits, .. } => u32::from(*digits),
                    _ => continue,
                };
                let declared = entities().find_map(|entity| entity.attribute(placeholder.name()));
                let Some(max) = declared.filter(|it| it.ty.is_numeric()).and_then(|it| it.max.as_ref())
                else {
                    continue;
                };
                let most = 10u64.checked_pow(digits).map_or(u64::MAX, |beyond| beyond - 1);
                if max.value > most {
                    return Some((
                        "key range",
                        format!(
                            "a `{key}` of {} that holds {} up to {}",
                            item.name,
                            placeholder.name(),
                            max.value
                        ),
                        format!("`{template}`, which holds it up to {most}"),
                    ));
                }
            }
        }
        None
    }

    /// A Query that asks more or fewer shards than items are written to.
    fn other_shards(&self, query: &Query) -> Option<Wrong> {
        let asked = query.scatter.iter().find_map(|scatter| match scatter {
            Scatter::Shards { count, .. } => Some(*count),
            Scatter::Values { .. } => None,
        })?;
        let index = self.design.index(&query.table, query.index.as_ref()?)?;
        let items = query.items.iter().filter_map(|name| self.design.item(name));
        for (item, (key, template)) in items.flat_map(|item| templates(item).map(move |it| (item, it))) {
            if !index.partition.iter().any(|part| part.name == key) {
                continue;
            }
            let written = template.placeholders().find_map(|placeholder| match placeholder.encoding() {
                Encoding::Shard { count } => Some(*count),
                _ => None,
            });
            if written != Some(asked) {
                let written = written.map_or("none".to_owned(), |count| count.to_string());
                return Some((
                    "shards",
                    format!("a Query of each shard that {} is written to: {written}", item.name),
                    format!("a Query of {asked} shards of {}", index.name),
                ));
            }
        }
        None
    }

    /// An item of a tenant whose partition key another tenant's item may have, though every pattern names the tenant.
    fn outside_tenant(&self, item: &ItemType) -> Option<Wrong> {
        if item.kind != ItemKind::Main {
            return None;
        }
        let table = self.design.table(&item.table)?;
        let entity = item.entities.iter().find_map(|name| self.model.entity(name))?;
        let tenant = self.tenant(entity)?;
        let holds =
            item.keys.iter().filter(|key| table.partition.name == key.attribute).any(|key| {
                match &key.value {
                    KeyValue::Template(text) => Template::parse(text)
                        .is_ok_and(|template| template.attributes().iter().any(|name| name == tenant)),
                    KeyValue::Natural => key.attribute == tenant,
                }
            });
        (!holds).then(|| {
            (
                "tenants apart",
                format!("a partition key of {} that holds `{tenant}`", item.name),
                "partitions that hold items of several tenants".to_owned(),
            )
        })
    }

    /// The part of an entity's identity that names its tenant, where every pattern of the entity gives it.
    fn tenant<'e>(&self, entity: &'e Entity) -> Option<&'e str> {
        let flagged = |name: &&str| {
            let tenant = entity.attribute(name).and_then(|it| it.tenant.as_ref());
            tenant.is_some_and(|flag| flag.value)
        };
        let tenant = entity.identity_names().find(flagged).filter(|_| !entity.is(EntityKind::Common))?;
        let concerns = |pattern: &&Pattern| pattern.entities.iter().any(|it| it.value == entity.name);
        let gives = |pattern: &Pattern| {
            let mut equal = pattern.inputs().iter().filter(|input| input.role == Role::Equal);
            equal.any(|input| binding(self.model, input, &entity.name) == Some(tenant))
        };
        self.model.patterns.iter().filter(concerns).all(gives).then_some(tenant)
    }
}

/// The keys of an item type that are made by templates.
fn templates(item: &ItemType) -> impl Iterator<Item = (&str, Template)> {
    item.keys.iter().filter_map(|key| match &key.value {
        KeyValue::Template(text) => Some((key.attribute.as_str(), Template::parse(text).ok()?)),
        KeyValue::Natural => None,
    })
}

/// The type that a key attribute has which holds a value of that type as it is; none where it can't be a key.
fn key_type(ty: Type) -> Option<KeyType> {
    match ty {
        ty if ty.is_numeric() => Some(KeyType::Number),
        Type::Binary => Some(KeyType::Binary),
        Type::Boolean | Type::List | Type::Set | Type::Map => None,
        _ => Some(KeyType::String),
    }
}

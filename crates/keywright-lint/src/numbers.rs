//! Numbers for rules that judge capacity: how many values a partition key has, and how hot the hottest of them runs.

use keywright_dynamodb::heat::{Bearable, Heat, Share};
use keywright_dynamodb::rate::Rate;
use keywright_dynamodb::units::{self, Consistency};
use keywright_finding::{Finding, Level, Rule};
use keywright_key::Encoding;
use keywright_model::design::{Action, Index, Limit, Operation, Projection, Request, Update};
use keywright_model::model::{Attribute, Entity, Type};

use crate::DesignFacts;
use crate::design_facts::{Member, Space, shape};
use crate::words::number;

/// What is known of the load on a partition key.
pub(crate) struct Load {
    /// How many values it has; none where nothing tells.
    pub(crate) distinct: Option<u64>,
    /// The heat of its hottest value.
    pub(crate) heat: Heat,
    /// The pattern that heats it most, and its rate in whole requests per second.
    pub(crate) hottest: Option<(String, u64)>,
}

impl Load {
    /// Whether one partition bears the hottest value.
    pub(crate) fn fits(&self) -> bool {
        self.heat.fits(Bearable::PARTITION)
    }

    /// The heat as a percentage of what a partition bears: of writes, or of reads if they are worse.
    pub(crate) fn percent(&self) -> u128 {
        let writes = self.heat.write_units_per_second() * 100 / u128::from(Bearable::PARTITION.write);
        let reads = self.heat.read_units_per_second() * 100 / u128::from(Bearable::PARTITION.read);
        writes.max(reads)
    }

    /// How many shards would bear it.
    pub(crate) fn shards(&self) -> u64 {
        self.heat.shards(Bearable::PLANNED)
    }

    /// The number that made a rule speak: "at 1 800/s (AP-010) the hottest takes 180 % of a partition".
    pub(crate) fn words(&self) -> String {
        let rate = self
            .hottest
            .as_ref()
            .map_or(String::new(), |(id, rate)| format!("at {}/s ({id}) ", number(*rate)));
        format!("{rate}the hottest takes up to {} % of a partition", self.percent())
    }
}

/// The load on the partition keys of this shape in a space; none where the Model has no rates for it.
pub(crate) fn load(facts: &DesignFacts<'_>, space: &Space<'_>, member: &Member<'_>) -> Option<Load> {
    facts.model?;
    let collection = facts.collection(space, member);
    let members: Vec<&str> = collection.iter().map(|it| facts.item(it.item).name.as_str()).collect();
    let distinct = distinct(facts, member);
    let share = match distinct {
        Some(1) => Share::ALL,
        Some(distinct) => Share::of_hottest(distinct),
        None => return None,
    };
    let share = share.max(skew(facts, member));
    let mut heat = Heat::ZERO;
    let mut hottest: Option<(String, u64)> = None;
    let mut stated = false;
    for (operation, _) in facts.operations() {
        let Some(pattern) = facts.pattern(operation) else { continue };
        stated |= pattern.rate.is_some() || pattern.frequency.is_some();
        let rate = rate(pattern.peak_rate());
        let own = heat_of(operation, rate, space, &members, &member.shape, facts);
        let per_second = pattern.peak_rate().nano() / 1_000_000_000;
        if own != Heat::ZERO && hottest.as_ref().is_none_or(|(_, most)| per_second > *most) {
            hottest = Some((operation.pattern.clone(), per_second));
        }
        heat = heat + own.share(share);
    }
    stated.then_some(Load { distinct, heat, hottest })
}

/// A rate for arithmetic, rounded up to a whole request per day or, for fast ones, per second.
pub(crate) fn rate(rate: keywright_model::Rate) -> Rate {
    const NANO: u64 = 1_000_000_000;
    let per_second = rate.nano().div_ceil(NANO);
    if per_second > 10_000 {
        return Rate::per_second(u32::try_from(per_second).unwrap_or(u32::MAX));
    }
    let per_day = (u128::from(rate.nano()) * 86_400).div_ceil(u128::from(NANO));
    Rate::per_day(u32::try_from(per_day).unwrap_or(u32::MAX))
}

const fn consistency(strong: bool) -> Consistency {
    if strong { Consistency::Strong } else { Consistency::Eventual }
}

/// A finding on a partition key that capacity decides: with numbers an error above the limit and a note below it,
/// without numbers a warning.
pub(crate) fn judged(
    facts: &DesignFacts<'_>,
    space: &Space<'_>,
    member: &Member<'_>,
    rule: &'static Rule,
    what: &str,
) -> Finding {
    let text = member.partition.text();
    let on = space.index.map_or_else(String::new, |index| format!(" of {index}"));
    let load = load(facts, space, member);
    let (level, message) = match &load {
        Some(load) => {
            let what = match load.distinct {
                Some(1) => "has one value".to_owned(),
                Some(count) => format!("has {} values", number(count)),
                None => what.to_owned(),
            };
            let level = if load.fits() { Level::Note } else { Level::Error };
            (level, format!("`{text}`{on} {what}; {}", load.words()))
        }
        None => (
            Level::Warning,
            format!(
                "`{text}`{on} {what}, and no rate is stated to tell whether one \
                                      partition can serve that"
            ),
        ),
    };
    let help = match &load {
        Some(load) if !load.fits() => format!(
            "add an attribute with many values to the key, or spread it over {} shards with `<id:shard{}>`",
            load.shards().max(2),
            load.shards().max(2)
        ),
        _ => "add an attribute with many values to the key, or state rates in the access patterns".to_owned(),
    };
    Finding::new(rule, member.partition.span, message).level(level).help(help)
}

/// The members of a space, one for each shape of partition key.
pub(crate) fn partitions<'s, 'd>(space: &'s Space<'d>) -> Vec<&'s Member<'d>> {
    let mut seen = std::collections::BTreeSet::new();
    space.members.iter().filter(|member| seen.insert(member.shape.as_str())).collect()
}

/// The heat that an operation brings to a space, all values together.
fn heat_of(
    operation: &Operation,
    rate: Rate,
    space: &Space<'_>,
    members: &[&str],
    partition: &str,
    facts: &DesignFacts<'_>,
) -> Heat {
    let mut heat = Heat::ZERO;
    for request in &operation.requests {
        match request {
            Request::GetItem(get)
                if space.index.is_none()
                    && get.table == space.table
                    && members.contains(&get.item.as_str()) =>
            {
                heat = heat
                    + Heat::of_reads(
                        rate,
                        units::read(item_bytes(facts, &get.item), consistency(get.consistent)),
                    );
            }
            Request::Query(query)
                if query.table == space.table
                    && query.index.as_deref() == space.index
                    && query.items.iter().any(|item| members.contains(&item.as_str()))
                    && partition_shape(request).is_none_or(|it| it == partition) =>
            {
                let items = match query.limit {
                    Limit::First(count) | Limit::Page { default: count } => count,
                    Limit::All => 25,
                };
                let entry = |item: &String| entry_bytes(facts, space, item);
                let bytes = query.items.first().map_or(0, entry).saturating_mul(items);
                heat = heat + Heat::of_reads(rate, units::read(bytes, consistency(query.consistent)));
            }
            Request::Write { action } => heat = heat + write_heat(action, rate, space, members, facts),
            Request::TransactWriteItems { actions } | Request::BatchWriteItem { actions } => {
                for action in actions {
                    heat = heat + write_heat(action, rate, space, members, facts);
                }
            }
            _ => {}
        }
    }
    heat
}

fn partition_shape(request: &Request) -> Option<String> {
    match request {
        Request::Query(query) => match &query.key.partition.first()?.1 {
            keywright_model::design::Value::Template(template) => Some(shape(template)),
            _ => None,
        },
        _ => None,
    }
}

fn write_heat(
    action: &Action,
    rate: Rate,
    space: &Space<'_>,
    members: &[&str],
    facts: &DesignFacts<'_>,
) -> Heat {
    let item = match action {
        Action::Put(put) => &put.item,
        Action::Update(update) if !changes_entry(update, space, facts) => return Heat::ZERO,
        Action::Update(update) => &update.item,
        Action::Delete(delete) => &delete.item,
        Action::Check(_) => return Heat::ZERO,
    };
    if !members.contains(&item.as_str()) {
        return Heat::ZERO;
    }
    Heat::of_writes(rate, units::write(entry_bytes(facts, space, item)))
}

/// Whether an update writes to a space: to an index only where it changes a key of it or what it projects.
fn changes_entry(update: &Update, space: &Space<'_>, facts: &DesignFacts<'_>) -> bool {
    let Some(index) = index(facts, space) else { return true };
    let is_key = |name: &str| index.partition.iter().chain(&index.sort).any(|key| key.name == name);
    if update.entries.iter().any(|entry| is_key(&entry.attribute)) {
        return true;
    }
    let keys = facts.item_named(&update.item).map(|at| &facts.item(at).keys);
    let of_key = |name: &str| {
        let of_index = keys.into_iter().flatten().filter(|key| is_key(&key.attribute));
        of_index
            .filter_map(|key| facts.template_of(key))
            .any(|it| it.attributes().iter().any(|at| at == name))
    };
    let shown = |name: &str| match &index.projection {
        Projection::All => true,
        Projection::KeysOnly => false,
        Projection::Include(names) => names.iter().any(|it| it == name),
    };
    let it = &update.update;
    let set = it.set.iter().map(|(path, _)| path);
    let added = it.add.iter().chain(&it.delete).map(|(path, _)| path);
    set.chain(&it.remove).chain(added).any(|name| is_key(name) || of_key(name) || shown(name))
}

/// The index of a space, none for a table.
fn index<'d>(facts: &DesignFacts<'d>, space: &Space<'_>) -> Option<&'d Index> {
    let name = space.index?;
    facts.design.indexes.iter().find(|index| index.name == name && index.table == space.table)
}

/// The bytes of an item in a space: in an index only its keys and what that projects.
fn entry_bytes(facts: &DesignFacts<'_>, space: &Space<'_>, item: &str) -> u64 {
    let shown: &[String] = match index(facts, space).map(|index| &index.projection) {
        None | Some(Projection::All) => return item_bytes(facts, item),
        Some(Projection::KeysOnly) => &[],
        Some(Projection::Include(names)) => names,
    };
    let is_key = |name: &str| {
        let table = facts.design.tables.iter().filter(|table| table.name == space.table);
        let of_table = table.flat_map(|table| std::iter::once(&table.partition).chain(&table.sort));
        let of_index = index(facts, space).into_iter().flat_map(|it| it.partition.iter().chain(&it.sort));
        of_table.chain(of_index).any(|key| key.name == name)
    };
    bytes_of(facts, item, |name| shown.iter().any(|it| it == name) || is_key(name))
}

/// The bytes of an item, from what the Model declares of its attributes.
pub(crate) fn item_bytes(facts: &DesignFacts<'_>, item: &str) -> u64 {
    bytes_of(facts, item, |_| true)
}

/// The bytes of some attributes of an item.
fn bytes_of(facts: &DesignFacts<'_>, item: &str, some: impl Fn(&str) -> bool) -> u64 {
    let Some(at) = facts.item_named(item) else { return 1 };
    let own = facts.item(at);
    let attributes: u64 = own
        .attributes
        .iter()
        .filter(|attribute| some(&attribute.name))
        .map(|attribute| {
            let known = facts.known(at, &attribute.name);
            let value = known
                .and_then(|known| known.model)
                .map_or_else(|| default_bytes(attribute.ty), attribute_bytes);
            value.saturating_add(attribute.name.len() as u64)
        })
        .fold(0, u64::saturating_add);
    let keys = own.keys.iter().filter(|key| some(&key.attribute));
    let keys: u64 = keys.map(|key| 30 + key.attribute.len() as u64).sum();
    attributes.saturating_add(keys).max(1)
}

/// The bytes of a value, stated or by its type.
pub(crate) fn attribute_bytes(attribute: &Attribute) -> u64 {
    attribute.bytes.as_ref().map_or_else(|| default_bytes(attribute.ty.value), |bytes| bytes.value)
}

fn default_bytes(ty: Type) -> u64 {
    match ty {
        Type::Text | Type::Map | Type::List | Type::Set => 200,
        Type::Number | Type::Integer | Type::Decimal => 8,
        Type::Boolean => 1,
        Type::Uuid => 36,
        _ => 24,
    }
}

/// How many values a partition key has: the product over its attributes. A shard has as many as there are shards.
pub(crate) fn distinct(facts: &DesignFacts<'_>, member: &Member<'_>) -> Option<u64> {
    let mut product: u64 = 1;
    for key in std::iter::once(&member.partition).chain(&member.further.0) {
        let shards = |name: &str| {
            let mut places = key.places().into_iter().filter(|place| place.name() == name);
            places.find_map(|place| match place.encoding() {
                Encoding::Shard { count } => Some(u64::from(*count)),
                _ => None,
            })
        };
        for name in key.names() {
            let values = shards(name).or_else(|| attribute_distinct(facts, member.item, name))?;
            product = product.saturating_mul(values);
        }
    }
    Some(product)
}

/// How many values an attribute has.
pub(crate) fn attribute_distinct(facts: &DesignFacts<'_>, item: usize, name: &str) -> Option<u64> {
    let known = facts.known(item, name)?;
    if let Some(values) = known.values {
        return Some(values);
    }
    if known.ty == Type::Boolean {
        return Some(2);
    }
    let attribute = known.model?;
    if let Some(distinct) = &attribute.distinct {
        return Some(distinct.value);
    }
    let model = facts.model?;
    if let Some(reference) = &attribute.reference {
        return model.entity(&reference.entity).and_then(|entity| count(entity.entity));
    }
    let owner = facts.item(item).entities.iter().find_map(|entity| model.entity(entity))?;
    let identifies = owner.entity.identity_names().any(|it| it == name);
    let unique = attribute.unique.as_ref().is_some_and(|it| it.value)
        || owner.entity.unique.iter().any(|set| set.attributes.iter().any(|it| it == name));
    if identifies || unique {
        // A part of an identity that another entity has whole is one of that entity's.
        let whole = facts.model?.model.entities.iter().find(|entity| {
            entity.name != owner.entity.name
                && entity.identity.len() == 1
                && entity.identity_names().any(|it| it == name)
        });
        return whole.map_or_else(|| count(owner.entity), count);
    }
    None
}

fn count(entity: &Entity) -> Option<u64> {
    Some(entity.count.as_ref().map_or(1_000_000, |count| count.value))
}

/// The share of the hottest value that the Model states.
fn skew(facts: &DesignFacts<'_>, member: &Member<'_>) -> Share {
    let Some(model) = facts.model else { return Share::new(0, 1) };
    let stated = facts
        .item(member.item)
        .entities
        .iter()
        .filter_map(|entity| model.entity(entity)?.entity.skew.as_ref());
    stated.map(|skew| Share::new(u64::from(skew.value), 1_000_000)).fold(Share::new(0, 1), Share::max)
}

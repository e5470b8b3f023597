//! What extending a table adds to it, and what that takes: nothing, a backfill, or a migration.

use keywright_dynamodb::Money;
use keywright_dynamodb::limits::{READ_UNIT_BYTES, WRITE_UNIT_BYTES};
use keywright_finding::Finding;
use keywright_model::design::{Decision, Design, ItemType, Subject};

use crate::cost::{MonthlyPrice, Sizes, entry_bytes, item_bytes, plain_bytes, share_in};
use crate::emit::Context;
use crate::existing::{Existing, Kept, KeptIndex};
use crate::path::{Path, Projection};
use crate::problem::EntityFacts;
use crate::rules;

/// What an addition takes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Takes {
    /// Nothing that exists is touched.
    Nothing,
    /// Items that exist get new attributes, once.
    Backfill {
        /// How many items.
        items: u64,
        /// What reading and writing them costs, with their index entries.
        price: Money,
    },
}

/// Something that a design adds to a table that exists.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Addition {
    /// The item type or the index.
    pub subject: Subject,
    /// What comes new, in words.
    pub what: String,
    /// What it takes.
    pub takes: Takes,
}

impl Addition {
    /// The addition as a decision, for the document.
    pub(crate) fn decision(&self) -> Decision {
        let reason = match &self.takes {
            Takes::Nothing => "additive: no existing item changes".to_owned(),
            Takes::Backfill { items, price } => {
                format!(
                    "needs a backfill: every item is read and {items} items are written once, for {}",
                    price.in_cents()
                )
            }
        };
        Decision {
            subject: self.subject.clone(),
            chosen: self.what.clone(),
            reason,
            alternatives: Vec::new(),
            turning_point: None,
        }
    }
}

/// What a design adds to the table that it extends.
pub(crate) fn additions(
    context: &Context<'_>,
    month: &MonthlyPrice,
    existing: &Existing<'_>,
    design: &Design,
) -> Vec<Addition> {
    let before = existing.design;
    let mut additions = Vec::new();
    for index in design.indexes.iter().filter(|index| before.index(&index.table, &index.name).is_none()) {
        additions.push(Addition {
            subject: Subject::Index(index.name.clone()),
            what: format!("a new index {}", index.name),
            takes: Takes::Nothing,
        });
    }
    for item in &design.items {
        let Some(old) = before.item(&item.name) else {
            let what = match before.tables.iter().any(|table| table.name == item.table) {
                true => format!("a new item type {}", item.name),
                false => format!("a new item type {} in a table of its own, {}", item.name, item.table),
            };
            let takes = counted(context, month, before, item);
            additions.push(Addition { subject: Subject::Item(item.name.clone()), what, takes });
            continue;
        };
        let names = new_attributes(old, item);
        if names.is_empty() {
            continue;
        }
        let needed = names.iter().any(|name| item.attribute(name).is_none_or(|it| !it.optional));
        let entity = context.problem.entities.iter().position(|facts| facts.name == item.name);
        let takes = match entity.filter(|_| needed) {
            Some(entity) => backfill(context, month, entity, item, &names),
            None => Takes::Nothing,
        };
        additions.push(Addition {
            subject: Subject::Item(item.name.clone()),
            what: format!("items of {} get {}", item.name, names.join(", ")),
            takes,
        });
    }
    additions
}

/// What it takes to give items new attributes: all are read, and written are those that get one. Where these are only
/// keys of new indexes, that is who comes into one of them. An index that is there and shows a new attribute, as one
/// that shows all does, writes the entries of these items again.
fn backfill(
    context: &Context<'_>,
    month: &MonthlyPrice,
    entity: usize,
    item: &ItemType,
    names: &[String],
) -> Takes {
    let (facts, layout) = (context.entity(entity), context.layout(entity));
    let candidates = &context.tasks[entity].candidates;
    let of_all = |all: u64, index: usize| {
        let share = share_in(facts, &candidates.indexes[index].path);
        u64::try_from(u128::from(all) * u128::from(share) / 1_000_000).unwrap_or(all).max(1)
    };
    let entries = || layout.indexes.iter().copied().zip(layout.entry_bytes.iter().copied());
    let (mut entering, mut writes) = (0u64, 0i128);
    for (index, bytes) in entries().filter(|(index, _)| *index >= candidates.kept) {
        let items = of_all(facts.count, index);
        entering = entering.saturating_add(items);
        writes += i128::from(items) * i128::from(units(bytes));
    }
    let only_keys = names.iter().all(|name| item.key(name).is_some());
    let items = if only_keys { entering.min(facts.count) } else { facts.count };
    let shows = |index: usize| match candidates.indexes[index].projection {
        Projection::All => true,
        Projection::Keys => false,
        Projection::Include(list) => {
            names.iter().any(|name| facts.named(name).is_some_and(|it| list.contains(it)))
        }
    };
    for (index, bytes) in entries().filter(|(index, _)| *index < candidates.kept && shows(*index)) {
        writes += i128::from(of_all(items, index)) * i128::from(units(bytes));
    }
    writes += i128::from(items) * i128::from(units(layout.item_bytes));
    Takes::Backfill { items, price: read(month, facts.count, layout.item_bytes) + written(month, writes) }
}

/// What a new kind of item takes: a number of items that are there has to be counted once, and each of those that are
/// copied has to be written once more; anything else is new.
fn counted(context: &Context<'_>, month: &MonthlyPrice, before: &Design, item: &ItemType) -> Takes {
    let entities = &context.problem.entities;
    let copy = entities.iter().position(|facts| facts.copy_of.is_some() && facts.name == item.name);
    let original = copy.and_then(|copy| entities[copy].copy_of);
    let there = |original: &usize| before.item(&entities[*original].name).is_some();
    if let (Some(copy), Some(original)) = (copy, original.filter(there)) {
        let (count, layout) = (entities[original].count, context.layout(copy));
        let each = units(layout.item_bytes) + layout.entry_bytes.iter().map(|it| units(*it)).sum::<u64>();
        let read = read(month, count, context.layout(original).item_bytes);
        let writes = i128::from(count) * i128::from(each);
        return Takes::Backfill { items: count, price: read + written(month, writes) };
    }
    let counter = entities.iter().position(|facts| facts.counter && facts.name == item.name);
    let Some(counter) = counter else { return Takes::Nothing };
    let child = entities.iter().position(|it| it.parents.iter().any(|link| link.parent == counter));
    let Some(child) = child.filter(|child| before.item(&entities[*child].name).is_some()) else {
        return Takes::Nothing;
    };
    // All of the children are read, and every number is written.
    let read = read(month, entities[child].count, context.layout(child).item_bytes);
    let count = entities[counter].count;
    let numbers = i128::from(count) * i128::from(units(context.layout(counter).item_bytes));
    Takes::Backfill { items: count, price: read + written(month, numbers) }
}

/// Names that items of a type have now and had not before.
fn new_attributes(old: &ItemType, new: &ItemType) -> Vec<String> {
    let keys = new.keys.iter().map(|key| &key.attribute).filter(|name| old.key(name).is_none());
    let attributes = new.attributes.iter().map(|it| &it.name);
    let mut names: Vec<String> = Vec::new();
    for name in keys.chain(attributes) {
        if old.key(name).is_none() && old.attribute(name).is_none() && !names.contains(name) {
            names.push(name.clone());
        }
    }
    names
}

fn units(bytes: u64) -> u64 {
    bytes.div_ceil(WRITE_UNIT_BYTES).max(1)
}

/// What it costs to read all items of a type once, in pages, eventually: half a unit for every 4 KB of all of them.
fn read(month: &MonthlyPrice, count: u64, bytes: u64) -> Money {
    let halves = (i128::from(count) * i128::from(bytes)).div_euclid(i128::from(READ_UNIT_BYTES)) + 1;
    Money::from_pico(month.table.million_read_units.pico() * halves / 2_000_000)
}

/// What so many write units cost.
fn written(month: &MonthlyPrice, units: i128) -> Money {
    Money::from_pico(month.table.million_write_units.pico() * units / 1_000_000)
}

/// What moves where a design takes the keys of an entity as movable; none where its items stay as they are.
pub(crate) struct Migration {
    /// What reading and writing its items once costs.
    pub(crate) price: Money,
    pub(crate) finding: Finding,
}

/// What moving the keys of an entity's items costs: each is read, written under its new keys and deleted under the old,
/// and so are its entries in indexes.
pub(crate) fn migration(
    context: &Context<'_>,
    month: &MonthlyPrice,
    existing: &Existing<'_>,
    entity: usize,
) -> Option<Migration> {
    let before = existing.moved.get(&entity)?;
    let facts = context.entity(entity);
    let layout = context.layout(entity);
    let candidates = &context.tasks[entity].candidates;
    let key = &candidates.bases[layout.base];
    let indexes = || layout.indexes.iter().map(|index| &candidates.indexes[*index].path);
    // Of the items that are in an index, so many units for every million of all.
    let of_entry = |path: &Path, bytes: u64| u128::from(units(bytes)) * u128::from(share_in(facts, path));
    let put = || indexes().zip(layout.entry_bytes.iter().copied());
    let old_bytes = old_entry_bytes(context, entity, before);
    let deleted = || before.indexes.iter().map(|it| &it.path).zip(old_bytes.iter().copied());
    let stays =
        |path: &Path| indexes().any(|it| it == path) && before.indexes.iter().any(|it| it.path == *path);
    let item = u128::from(units(layout.item_bytes)) * 1_000_000;
    let (old, new) = (before.table(existing), context.table(entity));
    let (what, writes) = if *key != before.path || *old != new || existing.is_left() {
        let (from, to) = match (existing.is_left(), *old == new) {
            (true, _) => {
                let sorted = context.has_sort_key(entity);
                let to = if sorted { " in a new table that has one" } else { " in a new table" };
                (format!(" in table `{old}`, which has no sort key,"), to.to_owned())
            }
            (false, true) => (String::new(), String::new()),
            (false, false) => (format!(" in table `{old}`"), format!(" in table `{new}`")),
        };
        let what = format!(
            "the key of {} would have to move: from {}{from} to {}{to}",
            facts.name,
            in_words(facts, &before.path),
            in_words(facts, key),
        );
        let entries: u128 = put().chain(deleted()).map(|(path, bytes)| of_entry(path, bytes)).sum();
        (what, 2 * item + entries)
    } else {
        let gone = before.indexes.iter().map(|it| &it.path).find(|path| indexes().all(|it| it != *path));
        let from = gone?;
        let new = indexes().find(|path| before.indexes.iter().all(|it| it.path != **path));
        let to = new.map_or_else(String::new, |path| format!(" to {}", in_words(facts, path)));
        let what = format!(
            "the index entries of {} would have to move: from {}{to}",
            facts.name,
            in_words(facts, from)
        );
        let moved = put().chain(deleted()).filter(|(path, _)| !stays(path));
        (what, item + moved.map(|(path, bytes)| of_entry(path, bytes)).sum::<u128>())
    };
    let writes = u128::from(facts.count).saturating_mul(writes) / 1_000_000;
    let writes = i128::try_from(writes).unwrap_or(i128::MAX);
    let price = read(month, facts.count, layout.item_bytes) + written(month, writes);
    let finding = Finding::new(&rules::KEY_MUST_MOVE, facts.span, what).help(format!(
        "the migration reads and writes all {} items of {} once, for {}; to avoid it, change the pattern so \
         that the existing key serves it",
        facts.count,
        facts.name,
        price.in_cents()
    ));
    Some(Migration { price, finding })
}

/// The bytes of an item's entries in the indexes that it leaves.
fn old_entry_bytes(context: &Context<'_>, entity: usize, before: &Kept) -> Vec<u64> {
    let (problem, forms) = (context.problem, context.tasks[entity].forms);
    let base = Sizes::in_base(problem, entity, &before.path, forms.base);
    let in_index = |it: &KeptIndex| Sizes::in_index(problem, entity, &it.path, forms.index);
    let item = item_bytes(plain_bytes(problem, entity), base, before.indexes.iter().map(in_index));
    let entry = |it: &KeptIndex| entry_bytes(problem, entity, it.projection, item, base, in_index(it));
    before.indexes.iter().map(entry).collect()
}

/// A key in words: what its partition and its sort key are made of.
fn in_words(facts: &EntityFacts, path: &Path) -> String {
    let words = |names: Vec<String>| match names.is_empty() {
        true => format!("`{}`", facts.name),
        false => names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", "),
    };
    let partition = words(facts.names(path.partition.iter().copied()));
    match path.sort.is_empty() {
        true => format!("{partition} as partition key"),
        false => {
            let sort = words(facts.names(path.sort.iter().map(|segment| segment.attr)));
            format!("{partition} as partition key and {sort} as sort key")
        }
    }
}

//! Item types from headings: labelled lines for keys, attributes and TTL, and a JSON block for the example.

mod attribute;
mod key;
mod line;

use keywright_finding::Span;
use keywright_model::At;
use keywright_model::design::source::{ItemSource, KeySource};
use keywright_model::design::{ItemKind, ItemType, KeyAssignment, KeyValue};

use super::super::cell::{fold, is_nothing};
use super::structure::{said, whole, words};
use super::{Part, Reader, Topic};
use crate::markdown::{Block, Phrase, Piece};
use attribute::{attribute, example, outside_brackets};
use key::{key_value, sparse};
use line::{Label, lines};
pub(super) use line::{describes_item, goes_on_about_item, has_partition_key};

/// An item type that is being read.
#[derive(Default)]
struct Draft {
    item: Option<ItemType>,
    source: ItemSource,
    /// Lines nested below are attributes.
    in_attributes: bool,
    same_as: Option<String>,
}

impl Reader {
    /// The item types under one heading.
    pub(super) fn entity(&mut self, part: &Part<'_>) {
        let Some(title) = part.title else { return };
        let mut draft = Draft::default();
        let mut announced: Option<Phrase<'_>> = None;
        let mut started = 0;
        for line in lines(part) {
            let found = line.labelled();
            if draft.in_attributes && line.depth > 0 {
                if let Some(item) = &mut draft.item
                    && let Some((attribute, span)) = attribute(line.phrase)
                {
                    item.attributes.push(attribute);
                    draft.source.attributes.push(span);
                }
                continue;
            }
            draft.in_attributes = false;
            let Some((label, label_phrase, value)) = found else { continue };
            if matches!(label, Label::Partition) && !draft.source.keys.is_empty() {
                self.finish(std::mem::take(&mut draft));
            }
            let opens = !matches!(label, Label::Other);
            if opens && draft.item.is_none() {
                let (item, span) = self.heading(title, announced.take(), started);
                draft.item = Some(item);
                draft.source.name = span;
                started += 1;
            }
            self.labelled_line(&mut draft, label, label_phrase, value);
            if let Some((Label::Other, label, value)) = line.labelled() {
                let index_key = self.index_key_named(label.as_str());
                if let Some(attribute) = index_key.filter(|_| draft.item.is_some()) {
                    self.key(&mut draft, attribute, label, value);
                } else if value.is_empty() {
                    // `Email tracking item:` announces the next item type.
                    announced = Some(label);
                }
            }
        }
        for block in part.blocks {
            if let Block::Code { language, text, span } = block
                && language == "json"
            {
                draft.source.example = example(part.page.phrase(*text), *span);
            }
        }
        if draft.item.is_none() && part.topic == Topic::Entity {
            let (item, span) = self.heading(title, None, 0);
            draft.item = Some(item);
            draft.source.name = span;
        }
        self.finish(draft);
    }

    /// The name of the partition key as items are read.
    pub(super) fn partition_name(&self) -> String {
        self.design.tables.first().map_or_else(
            || self.key_labels.0.clone().unwrap_or_else(|| "PK".to_owned()),
            |table| table.partition.name.clone(),
        )
    }

    fn sort_name(&self, table: Option<&str>) -> String {
        let table = match table {
            Some(name) => self.design.table(name),
            None => self.design.tables.first(),
        };
        table.and_then(|table| table.sort.as_ref()).map_or_else(
            || self.key_labels.1.clone().unwrap_or_else(|| "SK".to_owned()),
            |sort| sort.name.clone(),
        )
    }

    /// The key attribute of an index that a label names.
    pub(super) fn index_key_named(&self, label: &str) -> Option<String> {
        // `_type` is not `type`, where there are both.
        let names =
            || self.design.indexes.iter().flat_map(keywright_model::design::Index::key).map(|key| &key.name);
        let exact = names().find(|name| *name == label);
        exact.or_else(|| names().find(|name| fold(name) == fold(label))).cloned()
    }

    /// An item type of a heading: its name, and what a remark says it stands for.
    fn heading(
        &mut self,
        title: Phrase<'_>,
        announced: Option<Phrase<'_>>,
        started: usize,
    ) -> (ItemType, Span) {
        let (name, remark) = match title.pieces().first() {
            Some(Piece::Code(name)) => {
                let rest = &title.as_str()[name.as_str().len()..];
                (*name, Some(title.part(rest)))
            }
            _ => match title.as_str().find('(') {
                Some(at) => (title.slice(0..at).trim(), Some(title.slice(at..title.as_str().len()))),
                None => (title, None),
            },
        };
        let base = words(name);
        let full = match announced.map(|label| words(label)) {
            Some(label) if started > 0 || fold(&label) != fold(&base) => {
                let label = label.trim_end_matches(" items").trim_end_matches(" item").to_owned();
                if fold(&label) == "main" { base.clone() } else { label }
            }
            _ if started > 0 => format!("{base} {}", started + 1),
            _ => base.clone(),
        };
        let remark = remark
            .map(|it| it.as_str().trim().trim_start_matches('(').trim_end_matches(')').trim().to_owned());
        let (kind, entities) = remark.as_deref().and_then(kind_of).unwrap_or((ItemKind::Main, vec![base]));
        let table = self.main_table();
        let item = ItemType {
            name: full,
            kind,
            entities,
            table,
            keys: Vec::new(),
            attributes: Vec::new(),
            description: None,
        };
        (item, announced.unwrap_or(name).span())
    }

    fn labelled_line(
        &mut self,
        draft: &mut Draft,
        label: Label,
        label_phrase: Phrase<'_>,
        value: Phrase<'_>,
    ) {
        let Some(item) = &mut draft.item else { return };
        match label {
            Label::Partition => {
                let name = match self.design.table(&item.table) {
                    Some(table) => table.partition.name.clone(),
                    None => self.partition_name(),
                };
                self.key(draft, name, label_phrase, value);
            }
            Label::Sort => {
                let name = self.sort_name(Some(&item.table));
                self.key(draft, name, label_phrase, value);
            }
            Label::IndexKey(written) => {
                let name = self.index_key_named(&written).unwrap_or(written);
                self.key(draft, name, label_phrase, value);
            }
            Label::Description => {
                draft.source.notes.push(said(value));
                item.description = Some(words(value)).filter(|it| !it.is_empty());
            }
            Label::Attributes => {
                draft.in_attributes = true;
                if let Some(other) = same_as(value) {
                    draft.same_as = Some(other);
                } else if !is_nothing(value.as_str()) {
                    for part in outside_brackets(value) {
                        if let Some((attribute, span)) = attribute(part) {
                            item.attributes.push(attribute);
                            draft.source.attributes.push(span);
                        }
                    }
                }
            }
            Label::Ttl => {
                if let Some(first) = whole(value).value().filter(|it| !is_nothing(it.as_str())) {
                    draft.source.ttl = Some(said(value));
                    let name = first.as_str().split_whitespace().next().unwrap_or_default().to_owned();
                    let table = item.table.clone();
                    if let Some(table) = self.design.tables.iter_mut().find(|it| it.name == table)
                        && table.ttl.is_none()
                    {
                        table.ttl = Some(name);
                    }
                }
            }
            Label::Table => {
                if let Some(first) = whole(value).value() {
                    item.table = words(first);
                }
            }
            Label::Other => {}
        }
    }

    /// The value of a key attribute.
    pub(super) fn key_value(
        &mut self,
        attribute: &str,
        value: Phrase<'_>,
        partition: Option<&KeyValue>,
    ) -> Option<(KeyAssignment, At<String>)> {
        let entry = whole(value);
        let (value, written) = key_value(&entry, partition, &mut self.problems)?;
        Some((KeyAssignment { attribute: attribute.to_owned(), value, sparse: sparse(&entry) }, written))
    }

    fn key(&mut self, draft: &mut Draft, attribute: String, label: Phrase<'_>, value: Phrase<'_>) {
        let partition = draft.item.as_ref().and_then(|item| item.keys.first()).map(|key| key.value.clone());
        let read = self.key_value(&attribute, value, partition.as_ref());
        let (Some((assignment, written)), Some(item)) = (read, &mut draft.item) else { return };
        draft.source.notes.extend(whole(value).texts().map(said));
        item.keys.push(assignment);
        draft.source.keys.push(KeySource { label: label.span(), value: written });
    }

    fn finish(&mut self, draft: Draft) {
        let Some(item) = draft.item else { return };
        self.add_item(item, draft.source, draft.same_as);
    }

    /// Adds an item type, unless it is there already.
    pub(super) fn add_item(&mut self, item: ItemType, source: ItemSource, same_as: Option<String>) {
        if let Some(at) = self.design.items.iter().position(|it| it.name == item.name) {
            let before = &self.design.items[at];
            let differs = item
                .keys
                .iter()
                .find(|key| before.key(&key.attribute).is_some_and(|it| it.value != key.value));
            if let Some(key) = differs {
                let span = item
                    .keys
                    .iter()
                    .position(|it| it == key)
                    .and_then(|at| source.keys.get(at))
                    .map_or(source.name, |key| key.value.span);
                self.problems.contradiction(
                    span,
                    format!("`{}` gets two values for `{}`", item.name, key.attribute),
                    self.source.items[at].name,
                    "the other one is of this item type",
                );
            }
            self.complete_item(at, item, source, same_as);
            return;
        }
        if let Some(other) = same_as {
            self.same_as.push((self.design.items.len(), other));
        }
        self.design.items.push(item);
        self.source.items.push(source);
    }
}

impl Reader {
    /// A chart may give the keys of an item type, and a section of its own all else, or the other way round.
    fn complete_item(&mut self, at: usize, item: ItemType, source: ItemSource, same_as: Option<String>) {
        let (own, own_source) = (&mut self.design.items[at], &mut self.source.items[at]);
        for (key, place) in item.keys.into_iter().zip(source.keys) {
            if own.key(&key.attribute).is_none() {
                own.keys.push(key);
                own_source.keys.push(place);
            }
        }
        for (attribute, place) in item.attributes.into_iter().zip(source.attributes) {
            if own.attribute(&attribute.name).is_none() {
                own.attributes.push(attribute);
                own_source.attributes.push(place);
            }
        }
        own.description = own.description.take().or(item.description);
        own_source.example = own_source.example.take().or(source.example);
        own_source.ttl = own_source.ttl.take().or(source.ttl);
        own_source.notes.extend(source.notes);
        self.same_as.extend(same_as.map(|other| (at, other)));
    }
}

/// `uniqueness item of Customer`, `merged Song + Rating`.
fn kind_of(remark: &str) -> Option<(ItemKind, Vec<String>)> {
    let names = |text: &str| {
        text.split(" + ").map(str::trim).filter(|it| !it.is_empty()).map(str::to_owned).collect()
    };
    if let Some(rest) = remark.strip_prefix("merged ") {
        return Some((ItemKind::Main, names(rest)));
    }
    let (kind, entities) = remark.split_once(" of ").map_or((remark, ""), |(kind, rest)| (kind, rest));
    let kind = match fold(kind).as_str() {
        "mainitem" => ItemKind::Main,
        "uniquenessitem" | "uniqueness" => ItemKind::Uniqueness,
        "edge" => ItemKind::Edge,
        "counter" => ItemKind::Counter,
        "copy" => ItemKind::Copy,
        "singleton" => ItemKind::Singleton,
        _ => return None,
    };
    Some((kind, names(entities)))
}

/// `Same as X`.
fn same_as(value: Phrase<'_>) -> Option<String> {
    let text = words(value);
    let rest = text.get(..8).filter(|it| it.eq_ignore_ascii_case("same as "))?;
    Some(text[rest.len()..].trim_end_matches('.').to_owned())
}

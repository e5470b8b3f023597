//! Entities: headings with labelled lists below them, rows of a table, or items of a list.

mod body;
mod facts;
mod listed;
mod rows;
mod told;

pub(super) use facts::share;
pub(super) use listed::declares;

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};

use keywright_finding::{Finding, Span};
use keywright_model::model::{self, Attribute, Entity};

use crate::markdown::{Block, Page, Phrase};
use crate::rules::{DUPLICATE_ATTRIBUTE, DUPLICATE_ENTITY, UNREADABLE_CELL};

use super::columns::is_entity_table;
use super::names::fold;
use super::outline::{Section, Topic};
use super::remarks::{Declared, Remarks};

/// The longest name of an attribute in bytes: what DynamoDB allows for a key attribute.
const LONGEST_NAME: usize = 255;

/// What an entity is described by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Field {
    Description,
    Attributes,
    Identity,
    Unique,
    Relationships,
    Cardinality,
    Lifecycle,
    Kind,
    Skew,
}

impl Field {
    /// The field of a folded label.
    pub(super) fn named(folded: &str) -> Option<Self> {
        Some(match folded {
            "description" => Field::Description,
            "attributes" | "attribute" | "fields" | "properties" => Field::Attributes,
            "identifier" | "identity" | "primaryidentifier" | "identifiers" | "primarykey" | "id" => {
                Field::Identity
            }
            "unique" | "uniqueon" | "uniqueness" | "uniqueattributes" => Field::Unique,
            "relationships" | "relationship" | "relations" => Field::Relationships,
            "cardinality" | "volume" | "volumes" | "count" => Field::Cardinality,
            "lifecycle" | "retention" => Field::Lifecycle,
            "kind" => Field::Kind,
            "skew" => Field::Skew,
            _ => return None,
        })
    }
}

/// An entity and the prose about it that names other entities, to be read once all are known.
#[derive(Debug)]
pub(super) struct Draft<'p> {
    pub(super) entity: Entity,
    /// The attributes by their folded names.
    names: BTreeMap<String, usize>,
    pub(super) identity: Vec<Phrase<'p>>,
    pub(super) unique: Vec<Phrase<'p>>,
    pub(super) relationships: Vec<Phrase<'p>>,
    pub(super) cardinality: Vec<Phrase<'p>>,
    pub(super) lifecycle: Vec<Phrase<'p>>,
    /// The folded names of attributes that a diagram marks as foreign keys.
    pub(super) foreign: BTreeSet<String>,
}

impl Draft<'_> {
    pub(super) fn new(name: &str, span: Span) -> Self {
        Draft {
            entity: Entity::new(name, span),
            names: BTreeMap::new(),
            identity: Vec::new(),
            unique: Vec::new(),
            relationships: Vec::new(),
            cardinality: Vec::new(),
            lifecycle: Vec::new(),
            foreign: BTreeSet::new(),
        }
    }

    /// The attribute of a name, in any case.
    pub(super) fn attribute(&self, written: &str) -> Option<&Attribute> {
        self.names.get(&fold(written)).map(|index| &self.entity.attributes[*index])
    }

    /// The attribute of a name, in any case, to be changed.
    pub(super) fn attribute_mut(&mut self, written: &str) -> Option<&mut Attribute> {
        self.names.get(&fold(written)).map(|index| &mut self.entity.attributes[*index])
    }

    /// Leaves out a map whose members are declared: it holds nothing but them. They may be absent where it may.
    pub(super) fn part_maps(&mut self) {
        let is_in = |member: &Attribute, map: &Attribute| {
            member.name.strip_prefix(map.name.as_str()).is_some_and(|rest| rest.starts_with('.'))
        };
        let attributes = std::mem::take(&mut self.entity.attributes);
        let maps: Vec<Attribute> =
            attributes.iter().filter(|map| attributes.iter().any(|it| is_in(it, map))).cloned().collect();
        self.entity.attributes = attributes;
        self.entity.attributes.retain(|it| !maps.iter().any(|map| map.name == it.name));
        for member in &mut self.entity.attributes {
            let optional = maps.iter().filter(|map| is_in(member, map)).find_map(|map| map.optional.clone());
            member.optional = member.optional.take().or(optional);
        }
        let names = self.entity.attributes.iter().enumerate();
        self.names = names.map(|(index, it)| (fold(&it.name), index)).collect();
    }

    /// Adds an attribute unless one of that name is there.
    pub(super) fn declare(&mut self, attribute: Attribute, remarks: &mut Remarks) {
        if attribute.name.len() > LONGEST_NAME {
            return remarks.say(
                &UNREADABLE_CELL,
                attribute.span,
                format!(
                    "the name of an attribute has {} bytes; {LONGEST_NAME} are allowed",
                    attribute.name.len()
                ),
                "give it a shorter name",
            );
        }
        match self.names.entry(fold(&attribute.name)) {
            Entry::Vacant(_) if !remarks.has_room(Declared::Attribute, attribute.span) => {}
            Entry::Vacant(place) => {
                place.insert(self.entity.attributes.len());
                self.entity.attributes.push(attribute);
            }
            Entry::Occupied(first) => remarks.report(
                Finding::new(
                    &DUPLICATE_ATTRIBUTE,
                    attribute.span,
                    format!("the attribute `{}` of `{}` is declared twice", attribute.name, self.entity.name),
                )
                .help("remove one of the two; the first one counts")
                .related(self.entity.attributes[*first.get()].span, "first declared here"),
            ),
        }
    }
}

/// Reads all entities of a document.
pub(super) fn read<'p>(sections: &[Section<'p>], page: &'p Page, remarks: &mut Remarks) -> Vec<Draft<'p>> {
    let mut drafts: Vec<Draft<'p>> = Vec::new();
    let mut known = BTreeMap::new();
    for section in sections {
        match section.topic {
            Topic::Entity => {
                let Some(title) = section.title else { continue };
                let name = entity_name(title);
                let mut draft = Draft::new(name.as_str(), name.span());
                body::read(&mut draft, section.blocks, None, page, remarks);
                add(&mut drafts, &mut known, draft, remarks);
            }
            Topic::EntityField => {
                let field = section.title.and_then(|title| Field::named(&fold(title.as_str())));
                if let (Some(draft), Some(field)) = (drafts.last_mut(), field) {
                    body::read(draft, section.blocks, Some(field), page, remarks);
                }
            }
            Topic::Entities => {
                for block in section.blocks {
                    let found = match block {
                        Block::Table(table) => rows::read(table, page, remarks),
                        Block::List(items) => {
                            let said = remarks.findings.len();
                            let found = listed::read(items, page, remarks);
                            if found.is_empty() && remarks.findings.len() == said {
                                listed::report_list(items, page, remarks);
                            }
                            found
                        }
                        Block::Paragraph(words) => told::read(page.phrase(*words).trim(), remarks),
                        _ => Vec::new(),
                    };
                    for draft in found {
                        add(&mut drafts, &mut known, draft, remarks);
                    }
                }
            }
            // A table of entities needs no heading.
            Topic::Preamble | Topic::Overview | Topic::Patterns(_) | Topic::Notes => {
                for block in section.blocks {
                    let Block::Table(table) = block else { continue };
                    if is_entity_table(table, page) {
                        for draft in rows::read(table, page, remarks) {
                            add(&mut drafts, &mut known, draft, remarks);
                        }
                    }
                }
            }
            _ => {}
        }
    }
    if drafts.is_empty() {
        // "A Doctor has a doctorId and a name", where the domain is described.
        for section in sections.iter().filter(|it| matches!(it.topic, Topic::Preamble | Topic::Overview)) {
            for block in section.blocks {
                let Block::Paragraph(words) = block else { continue };
                for draft in told::read(page.phrase(*words).trim(), remarks) {
                    add(&mut drafts, &mut known, draft, remarks);
                }
            }
        }
    }
    if drafts.is_empty() {
        let among = sections.iter().filter(|section| section.topic == Topic::Entities);
        let paragraph = among.flat_map(|section| section.blocks).find_map(|block| match block {
            Block::Paragraph(words) => Some(page.phrase(*words).trim()),
            _ => None,
        });
        if let Some(paragraph) = paragraph {
            told::report(paragraph, remarks);
        }
    }
    drafts
}

fn add<'p>(
    drafts: &mut Vec<Draft<'p>>,
    known: &mut BTreeMap<String, usize>,
    draft: Draft<'p>,
    remarks: &mut Remarks,
) {
    match known.entry(fold(&draft.entity.name)) {
        Entry::Vacant(place) => {
            place.insert(drafts.len());
            drafts.push(draft);
        }
        Entry::Occupied(first) => remarks.report(
            Finding::new(
                &DUPLICATE_ENTITY,
                draft.entity.span,
                format!("the entity `{}` is declared twice", draft.entity.name),
            )
            .help("rename one of the two, or merge them; the first one counts")
            .related(drafts[*first.get()].entity.span, "first declared here"),
        ),
    }
}

/// The name in a heading: without `Entity:` in front and a remark in parentheses behind.
fn entity_name(title: Phrase<'_>) -> Phrase<'_> {
    let text = title.as_str();
    let text = match text.split_once(':') {
        Some((label, name)) if fold(label) == "entity" && !name.trim().is_empty() => name.trim(),
        _ => text,
    };
    let name = text.find(" (").map_or(text, |remark| &text[..remark]);
    title.part(name.trim()).trim_matches(&['"', '*'])
}

/// The entities without the prose about them.
pub(super) fn finished(drafts: Vec<Draft<'_>>) -> Vec<model::Entity> {
    drafts.into_iter().map(|draft| draft.entity).collect()
}

//! Entities: headings with labelled lists below them, or rows of a table.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};

use keywright_finding::{Finding, Span, Suggestions};
use keywright_model::model::{Attribute, Entity, EntityKind};
use keywright_model::{At, model};

use crate::markdown::{Block, Item, Page, Phrase, Table};
use crate::rules::{DUPLICATE_ATTRIBUTE, DUPLICATE_ENTITY, IGNORED_SECTION, UNREADABLE_CELL};

use super::attribute;
use super::cell::{Said, text};
use super::columns::AttributeColumn;
use super::names::fold;
use super::outline::{Section, Topic, labelled};
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
                read_body(&mut draft, section.blocks, None, page, remarks);
                add(&mut drafts, &mut known, draft, remarks);
            }
            Topic::EntityField => {
                let field = section.title.and_then(|title| Field::named(&fold(title.as_str())));
                if let (Some(draft), Some(field)) = (drafts.last_mut(), field) {
                    read_body(draft, section.blocks, Some(field), page, remarks);
                }
            }
            Topic::Entities => {
                for block in section.blocks {
                    if let Block::Table(table) = block {
                        for draft in read_table(table, page, remarks) {
                            add(&mut drafts, &mut known, draft, remarks);
                        }
                    }
                }
            }
            _ => {}
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
            .help("rename one of the two, or join them; the first one counts")
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

/// Reads labelled lists, paragraphs and tables of attributes.
fn read_body<'p>(
    draft: &mut Draft<'p>,
    blocks: &[Block],
    mut field: Option<Field>,
    page: &'p Page,
    remarks: &mut Remarks,
) {
    for block in blocks {
        match block {
            Block::List(items) => read_items(draft, items, field, page, remarks),
            Block::Paragraph(words) => {
                let phrase = page.phrase(*words).trim();
                match labelled(phrase)
                    .and_then(|(label, value)| Some((Field::named(&fold(label.as_str()))?, value)))
                {
                    Some((named, value)) => {
                        field = Some(named);
                        if let Said::Words(value) = value {
                            read_field(draft, named, value, remarks);
                        }
                    }
                    None => match field {
                        Some(field) => read_field(draft, field, phrase, remarks),
                        None => {
                            draft.entity.description.get_or_insert_with(|| text(phrase));
                        }
                    },
                }
            }
            Block::Table(table) if super::columns::is_attribute_table(table, page) => {
                read_attribute_table(draft, table, page, remarks);
            }
            _ => {}
        }
    }
}

/// The parents of an attribute that is nested in others, as the dotted beginning of its name.
#[derive(Default)]
struct Nesting(Vec<(usize, String)>);

impl Nesting {
    fn enter(&mut self, depth: usize, name: &str) -> String {
        self.0.retain(|(above, _)| *above < depth);
        let full = match self.0.last() {
            // Too long already: it is refused as it is, and not copied into all that is nested in it.
            Some((_, parent)) if parent.len() > LONGEST_NAME => parent.clone(),
            Some((_, parent)) => format!("{parent}.{name}"),
            None => name.to_owned(),
        };
        self.0.push((depth, full.clone()));
        full
    }
}

fn read_items<'p>(
    draft: &mut Draft<'p>,
    items: &[Item],
    outer: Option<Field>,
    page: &'p Page,
    remarks: &mut Remarks,
) {
    let mut field = outer;
    let mut nesting = Nesting::default();
    for item in items {
        let phrase = page.phrase(item.words).trim();
        let labelled = (item.depth == 0).then(|| labelled(phrase)).flatten();
        // `- **Attributes**` without a colon is a label as well.
        let bare = (item.depth == 0).then(|| Field::named(&fold(phrase.as_str()))).flatten();
        let named = labelled.and_then(|(label, _)| Field::named(&fold(label.as_str()))).or(bare);
        if let Some(named) = named.filter(|_| outer != Some(Field::Attributes)) {
            field = Some(named);
            nesting = Nesting::default();
            if let Some((_, Said::Words(value))) = labelled {
                read_field(draft, named, value, remarks);
            }
            continue;
        }
        match (item.depth, field) {
            (0, None) => match labelled {
                Some((label, _)) => ignore_item(draft, label, remarks),
                None if attribute::is_declaration(phrase) => {
                    if let Some(mut attribute) = attribute::read(phrase, remarks) {
                        attribute.name = nesting.enter(0, &attribute.name);
                        draft.declare(attribute, remarks);
                    }
                }
                None => read_unlabelled(draft, phrase, remarks),
            },
            // A label that is not known ends the field above it.
            (0, Some(_)) if outer.is_none() => {
                field = None;
                match labelled {
                    Some((label, _)) => ignore_item(draft, label, remarks),
                    None => read_unlabelled(draft, phrase, remarks),
                }
            }
            (depth, Some(Field::Attributes)) => {
                if phrase.is_empty() {
                    continue;
                }
                if let Some(mut attribute) = attribute::read(phrase, remarks) {
                    attribute.name = nesting.enter(depth, &attribute.name);
                    draft.declare(attribute, remarks);
                }
            }
            (_, Some(field)) => read_field(draft, field, phrase, remarks),
            (_, None) => {}
        }
    }
}

/// Reads a line without a label by its first words: "identified by a and b", "~40 per customer"; else it describes.
fn read_unlabelled<'p>(draft: &mut Draft<'p>, phrase: Phrase<'p>, remarks: &mut Remarks) {
    const LEADS: [(&str, Field); 5] = [
        ("identified by ", Field::Identity),
        ("unique on ", Field::Unique),
        ("belongs to ", Field::Relationships),
        ("has many ", Field::Relationships),
        ("has one ", Field::Relationships),
    ];
    let written = phrase.as_str();
    let begins = |lead: &str| written.get(..lead.len()).is_some_and(|it| it.eq_ignore_ascii_case(lead));
    let amount = written.trim_start_matches(['~', '≈', '<', '≤', ' ']);
    let counts = ["about ", "around ", "at most ", "up to ", "max "].iter().any(|lead| begins(lead))
        && written.contains(|it: char| it.is_ascii_digit());
    match LEADS.iter().find(|(lead, _)| begins(lead)) {
        Some((lead, field @ (Field::Identity | Field::Unique))) => {
            read_field(draft, *field, phrase.slice(lead.len()..written.len()), remarks);
        }
        Some((_, field)) => read_field(draft, *field, phrase, remarks),
        None if counts || amount.starts_with(|it: char| it.is_ascii_digit()) => {
            read_field(draft, Field::Cardinality, phrase, remarks);
        }
        None => {
            draft.entity.description.get_or_insert_with(|| text(phrase));
        }
    }
}

fn ignore_item(draft: &Draft<'_>, label: Phrase<'_>, remarks: &mut Remarks) {
    remarks.say(
        &IGNORED_SECTION,
        label.span(),
        format!("`{}` of `{}` is not read", label.as_str(), draft.entity.name),
        "read are Description, Attributes, Identifier, Unique, Relationships, Cardinality, Lifecycle, Kind and Skew",
    );
}

fn read_field<'p>(draft: &mut Draft<'p>, field: Field, value: Phrase<'p>, remarks: &mut Remarks) {
    let Said::Words(value) = Said::new(Some(value)) else { return };
    match field {
        Field::Description => {
            draft.entity.description.get_or_insert_with(|| text(value));
        }
        Field::Attributes => {
            for part in attribute::split_list(value) {
                if let Some(attribute) = attribute::read(part, remarks) {
                    draft.declare(attribute, remarks);
                }
            }
        }
        Field::Identity => draft.identity.push(value),
        Field::Unique => draft.unique.push(value),
        Field::Relationships => draft.relationships.push(value),
        Field::Cardinality => draft.cardinality.push(value),
        Field::Lifecycle => {
            draft.entity.lifecycle.get_or_insert_with(|| text(value));
            draft.lifecycle.push(value);
        }
        Field::Kind => read_kind(draft, value, remarks),
        Field::Skew => read_skew(draft, value, remarks),
    }
}

fn read_kind(draft: &mut Draft<'_>, value: Phrase<'_>, remarks: &mut Remarks) {
    for word in value.split(&[',', ';', '+', '/']) {
        let first = word.words().next().unwrap_or(word);
        let kind = match fold(first.as_str()).as_str() {
            "singleton" => EntityKind::Singleton,
            "history" | "versioned" => EntityKind::History,
            "common" | "shared" => EntityKind::Common,
            _ => {
                let near = Suggestions::new(["singleton", "history", "common"]).nearest(first.as_str());
                let help = near.map_or_else(
                    || "write singleton, history or common".to_owned(),
                    |near| format!("did you mean `{near}`?"),
                );
                remarks.say(
                    &UNREADABLE_CELL,
                    word.span(),
                    format!("`{}` is no kind of entity", word.as_str()),
                    help,
                );
                continue;
            }
        };
        if !draft.entity.is(kind) {
            draft.entity.kinds.push(At::stated(kind, word.span()));
        }
    }
}

/// The share of the hottest value: `30%`, `0.3`, `hottest customer takes 5 %`.
fn read_skew(draft: &mut Draft<'_>, value: Phrase<'_>, remarks: &mut Remarks) {
    match share(value.as_str()) {
        Some(share) => draft.entity.skew = Some(At::stated(share, value.span())),
        None => remarks.say(
            &UNREADABLE_CELL,
            value.span(),
            format!("`{}` is no share", value.as_str()),
            "write the share of the hottest value, such as `5%`",
        ),
    }
}

/// A share in millionths: `5%`, `0.05`.
pub(super) fn share(text: &str) -> Option<u32> {
    let start = text.find(|next: char| next.is_ascii_digit())?;
    let end = text[start..]
        .find(|next: char| !(next.is_ascii_digit() || next == '.'))
        .map_or(text.len(), |length| start + length);
    let digits = text[start..end].trim_end_matches('.');
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let scale: u64 = if text[end..].trim_start().starts_with('%') { 10_000 } else { 1_000_000 };
    let mut value = whole.parse::<u64>().ok()?.checked_mul(scale)?;
    let mut place = scale;
    for digit in fraction.bytes() {
        place /= 10;
        value = value.checked_add(u64::from(digit.checked_sub(b'0')?) * place)?;
    }
    u32::try_from(value).ok().filter(|share| *share <= 1_000_000)
}

fn read_attribute_table<'p>(draft: &mut Draft<'p>, table: &Table, page: &'p Page, remarks: &mut Remarks) {
    let columns: Vec<_> =
        table.header.iter().map(|words| AttributeColumn::named(page.phrase(*words).trim())).collect();
    for row in &table.rows {
        let cell = |wanted: AttributeColumn| {
            let index = columns.iter().position(|column| *column == Some(wanted))?;
            Said::new(row.cell(page, index)).words()
        };
        if let Some(name) = cell(AttributeColumn::Name)
            && let Some(attribute) = attribute::from_cells(
                name,
                cell(AttributeColumn::Type),
                [cell(AttributeColumn::Facts), cell(AttributeColumn::Key)],
                cell(AttributeColumn::Description),
                cell(AttributeColumn::Optional),
                cell(AttributeColumn::Required),
                remarks,
            )
        {
            draft.declare(attribute, remarks);
        }
    }
}

/// Entities as rows: `Entity | Description | Attributes | …`.
fn read_table<'p>(table: &Table, page: &'p Page, remarks: &mut Remarks) -> Vec<Draft<'p>> {
    let heading = |index: usize| table.header.get(index).map(|words| fold(page.phrase(*words).as_str()));
    let Some(name_column) = (0..table.header.len()).find(|index| {
        heading(*index).is_some_and(|it| matches!(it.as_str(), "entity" | "name" | "entityname"))
    }) else {
        return Vec::new();
    };
    let mut drafts = Vec::new();
    for row in &table.rows {
        let Said::Words(name) = Said::new(row.cell(page, name_column)) else { continue };
        let name = entity_name(name);
        let mut draft = Draft::new(name.as_str(), name.span());
        for (index, _) in table.header.iter().enumerate() {
            let field = heading(index).and_then(|it| match it.as_str() {
                "notes" | "purpose" => Some(Field::Description),
                other => Field::named(other),
            });
            if let (Some(field), Said::Words(value)) = (field, Said::new(row.cell(page, index))) {
                read_field(&mut draft, field, value, remarks);
            }
        }
        drafts.push(draft);
    }
    drafts
}

/// The entities without the prose about them.
pub(super) fn finished(drafts: Vec<Draft<'_>>) -> Vec<model::Entity> {
    drafts.into_iter().map(|draft| draft.entity).collect()
}

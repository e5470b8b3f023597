//! What stands below the name of an entity: labelled lists, paragraphs and tables of attributes.

use crate::access_patterns::attribute;
use crate::access_patterns::cell::{Said, text};
use crate::access_patterns::columns::{AttributeColumn, is_attribute_table};
use crate::access_patterns::names::fold;
use crate::access_patterns::outline::labelled;
use crate::access_patterns::remarks::Remarks;
use crate::markdown::{Block, Item, Page, Phrase, Table};
use crate::rules::IGNORED_SECTION;

use super::facts::{read_kind, read_skew};
use super::{Draft, Field, LONGEST_NAME};

/// Reads labelled lists, paragraphs and tables of attributes.
pub(super) fn read<'p>(
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
                        None => read_unlabelled(draft, phrase, remarks),
                    },
                }
            }
            Block::Table(table) if is_attribute_table(table, page) => {
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

    /// Declares an attribute at its depth.
    fn declare(&mut self, draft: &mut Draft<'_>, depth: usize, phrase: Phrase<'_>, remarks: &mut Remarks) {
        if let Some(mut attribute) = attribute::read(phrase, remarks) {
            attribute.name = self.enter(depth, &attribute.name);
            draft.declare(attribute, remarks);
        }
    }
}

/// Whether items are nested in the one at a position.
fn nests(items: &[Item], at: usize) -> bool {
    items.get(at + 1).is_some_and(|next| next.depth > items[at].depth)
}

pub(super) fn read_items<'p>(
    draft: &mut Draft<'p>,
    items: &[Item],
    outer: Option<Field>,
    page: &'p Page,
    remarks: &mut Remarks,
) {
    let mut field = outer;
    let mut nesting = Nesting::default();
    for (at, item) in items.iter().enumerate() {
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
            // A label that is not known ends the field above it.
            (0, _) if outer.is_none() => {
                field = None;
                match labelled {
                    _ if attribute::is_declaration(phrase) => {
                        nesting.declare(draft, 0, phrase, remarks);
                        // What is nested in it are attributes too.
                        field = Some(Field::Attributes).filter(|_| nests(items, at));
                    }
                    Some((label, _)) => ignore_item(draft, label, remarks),
                    None => read_unlabelled(draft, phrase, remarks),
                }
            }
            (depth, Some(Field::Attributes)) if !phrase.is_empty() => {
                nesting.declare(draft, depth, phrase, remarks);
            }
            (_, Some(Field::Attributes)) => {}
            (_, Some(field)) => read_field(draft, field, phrase, remarks),
            (_, None) => {}
        }
    }
}

/// Reads a line without a label by its first words: "identified by a and b", "~40 per customer"; else it describes.
pub(super) fn read_unlabelled<'p>(draft: &mut Draft<'p>, phrase: Phrase<'p>, remarks: &mut Remarks) {
    const LEADS: [(&str, Field); 5] = [
        ("identified by ", Field::Identity),
        ("unique on ", Field::Unique),
        ("belongs to ", Field::Relationships),
        ("has many ", Field::Relationships),
        ("has one ", Field::Relationships),
    ];
    let written = phrase.as_str();
    let begins = |lead: &str| written.get(..lead.len()).is_some_and(|it| it.eq_ignore_ascii_case(lead));
    match LEADS.iter().find(|(lead, _)| begins(lead)) {
        Some((lead, field @ (Field::Identity | Field::Unique))) => {
            read_field(draft, *field, phrase.slice(lead.len()..written.len()), remarks);
        }
        Some((_, field)) => read_field(draft, *field, phrase, remarks),
        None if counts(phrase) => {
            read_field(draft, Field::Cardinality, phrase, remarks);
        }
        None if ends(phrase) => read_field(draft, Field::Lifecycle, phrase, remarks),
        // `songId, title, length` in one line below the name.
        None if attribute::is_list(phrase) => read_field(draft, Field::Attributes, phrase, remarks),
        None => {
            draft.entity.description.get_or_insert_with(|| text(phrase));
        }
    }
}

/// Whether words tell how long an item lasts: "expires after 7 days", "kept for a year".
pub(super) fn ends(phrase: Phrase<'_>) -> bool {
    let lower = phrase.as_str().to_lowercase();
    let begins =
        ["expires after ", "expire after ", "expires in ", "kept for ", "deleted after ", "removed after "];
    begins.iter().any(|lead| lower.starts_with(lead)) && !attribute::is_list(phrase)
}

/// Whether words begin with how many there are: "~40 per customer", "max 12 per keeper".
pub(super) fn counts(phrase: Phrase<'_>) -> bool {
    let written = phrase.as_str();
    let begins = |lead: &str| written.get(..lead.len()).is_some_and(|it| it.eq_ignore_ascii_case(lead));
    let is_digit = |next: char| next.is_ascii_digit();
    written.trim_start_matches(['~', '≈', '<', '≤', ' ']).starts_with(is_digit)
        || written.contains(is_digit)
            && ["about ", "around ", "at most ", "up to ", "max "].into_iter().any(begins)
}

fn ignore_item(draft: &Draft<'_>, label: Phrase<'_>, remarks: &mut Remarks) {
    remarks.say(
        &IGNORED_SECTION,
        label.span(),
        format!("`{}` of `{}` is not read", label.as_str(), draft.entity.name),
        "read are Description, Attributes, Identifier, Unique, Relationships, Cardinality, Lifecycle, Kind and Skew",
    );
}

pub(super) fn read_field<'p>(draft: &mut Draft<'p>, field: Field, value: Phrase<'p>, remarks: &mut Remarks) {
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

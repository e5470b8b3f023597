//! The labelled lines of a section: what each announces, and whether a section describes an item type.

use keywright_model::design::ItemType;

use super::super::super::cell::{fold, is_same_name};
use super::super::{Part, Topic};
use crate::markdown::{Block, Page, Phrase};

/// A line of a section and how deep it is nested.
#[derive(Clone, Copy)]
pub(super) struct Line<'p> {
    pub(super) phrase: Phrase<'p>,
    pub(super) depth: usize,
    /// Label and value, where they stand in cells of their own.
    cells: Option<(Phrase<'p>, Phrase<'p>)>,
}

impl<'p> Line<'p> {
    fn new(phrase: Phrase<'p>, depth: usize) -> Self {
        Line { phrase, depth, cells: None }
    }

    pub(super) fn labelled(&self) -> Option<(Label, Phrase<'p>, Phrase<'p>)> {
        match self.cells {
            Some((label, value)) => Some((label_of(label), label, value)),
            None => labelled(self.phrase),
        }
    }
}

/// What the label of a line announces.
pub(super) enum Label {
    Partition,
    Sort,
    IndexKey(String),
    Description,
    Attributes,
    Ttl,
    Table,
    Other,
}

/// Whether a section says of an item type what only an item type has.
pub(in super::super) fn describes_item(part: &Part<'_>) -> bool {
    matches!(part.topic, Topic::Unknown | Topic::Entity | Topic::Entities)
        && lines(part).iter().any(|line| matches!(line.labelled(), Some((Label::Partition, ..))))
}

/// Whether a section goes on about an item type that a chart lists: its title is the name, and it has a label of ours.
pub(in super::super) fn goes_on_about_item(part: &Part<'_>, items: &[ItemType]) -> bool {
    let Some(title) = part.title.filter(|_| part.topic == Topic::Unknown) else { return false };
    let is_label = |line: &Line<'_>| !matches!(line.labelled(), None | Some((Label::Other, ..)));
    items.iter().any(|item| is_same_name(&item.name, title.as_str())) && lines(part).iter().any(is_label)
}

/// Whether a block says what a partition key is.
pub(in super::super) fn has_partition_key(block: &Block, page: &Page) -> bool {
    let Block::List(items) = block else { return false };
    let mut lines = items.iter().map(|item| Line::new(page.phrase(item.words).trim(), item.depth));
    lines.any(|line| matches!(line.labelled(), Some((Label::Partition, ..))))
}

/// The lines of a section.
pub(super) fn lines<'p>(part: &Part<'p>) -> Vec<Line<'p>> {
    let mut list = Vec::new();
    for block in part.blocks {
        match block {
            Block::List(items) => {
                for item in items {
                    list.push(Line::new(part.page.phrase(item.words).trim(), item.depth));
                }
            }
            Block::Paragraph(text) => {
                let lines = part.page.phrase(*text).split(&['\n']);
                list.extend(lines.map(|phrase| Line::new(phrase, 0)));
            }
            Block::Code { language, text, .. }
                if matches!(language.as_str(), "" | "text" | "txt" | "plaintext") =>
            {
                let lines = part.page.phrase(*text).split(&['\n']);
                list.extend(lines.map(|phrase| Line::new(phrase, 0)));
            }
            // | Key | Value |
            Block::Table(table) if table.header.len() == 2 && part.topic == Topic::Entity => {
                for row in &table.rows {
                    if let (Some(label), Some(value)) = (row.cell(part.page, 0), row.cell(part.page, 1)) {
                        let cells = Some((label.trim_matches(&['`', '*', ' ']), value.trim()));
                        list.push(Line { cells, ..Line::new(value, 0) });
                    }
                }
            }
            _ => {}
        }
    }
    list
}

/// A longer text before a colon is a sentence. Keys of several attributes have long names.
const LONGEST_LABEL: usize = 80;

/// The label of a line, where it stands, and what follows.
fn labelled(phrase: Phrase<'_>) -> Option<(Label, Phrase<'_>, Phrase<'_>)> {
    let text = phrase.as_str();
    let at = text.find([':', '='])?;
    let label = &text[..at];
    if label.len() > LONGEST_LABEL || label.contains(['<', '#', '{', '(']) {
        return None;
    }
    let value = phrase.part(&text[at + 1..]).trim();
    let label = phrase.part(label).trim();
    Some((label_of(label), label, value))
}

fn label_of(label: Phrase<'_>) -> Label {
    match fold(label.as_str()).as_str() {
        "pk" | "partitionkey" | "hashkey" => Label::Partition,
        "sk" | "sortkey" | "rangekey" => Label::Sort,
        "description" => Label::Description,
        "attributes" => Label::Attributes,
        "ttl" => Label::Ttl,
        "table" => Label::Table,
        other if is_index_key(other) => Label::IndexKey(label.as_str().replace(' ', "")),
        _ => Label::Other,
    }
}

/// `gsi1pk`, `lsi2sk`.
fn is_index_key(folded: &str) -> bool {
    let rest = folded.strip_prefix("gsi").or_else(|| folded.strip_prefix("lsi"));
    rest.and_then(|rest| rest.strip_suffix("pk").or_else(|| rest.strip_suffix("sk"))).is_some()
}

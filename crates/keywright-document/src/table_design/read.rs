//! Reads a table design as people write it: any text gives a Design, its places and findings.

mod chart;
mod columns;
mod infer;
mod items;
mod keys;
mod mapping;
mod meeting;
mod notes;
mod structure;

use std::collections::BTreeMap;

use keywright_finding::{Finding, Span};
use keywright_model::Design;
use keywright_model::design::DesignSource;

use super::cell::fold;
use super::{Problems, Section};
use crate::markdown::{self, Block, Blocks, Page, Phrase};
use columns::{Shape, shape_of};
use meeting::Meetings;

/// What a document says of a design.
#[derive(Clone, Debug, Default)]
pub struct TableDesign {
    /// The design, as far as it could be read.
    pub design: Design,
    /// Where its parts stand.
    pub source: DesignSource,
    /// What could not be read, contradicts itself or was left out.
    pub findings: Vec<Finding>,
}

/// Reads any text as a table design.
///
/// ```
/// let read = keywright_document::read_table_design("| Entity | PK | SK |\n|---|---|---|\n| User | USER#{id} | PROFILE |\n");
/// assert_eq!(read.design.items[0].name, "User");
/// ```
#[must_use]
pub fn read_table_design(source: &str) -> TableDesign {
    let blocks = markdown::read(source);
    let mut reader = Reader::default();
    let parts = outline(&blocks);
    for part in &parts {
        reader.structure(part);
    }
    for part in &parts {
        reader.items(part);
    }
    for part in &parts {
        reader.ignored(part);
    }
    reader.finish_items();
    for part in &parts {
        reader.mapping(part);
    }
    reader.order_operations();
    let Reader { design, source, mut problems, .. } = reader;
    problems.findings.sort_by_key(|finding| finding.span);
    TableDesign { design, source, findings: problems.findings }
}

/// What is read so far.
#[derive(Debug, Default)]
struct Reader {
    design: Design,
    source: DesignSource,
    problems: Problems,
    /// Item types that say `Same as X`: by position, with the other's name.
    same_as: Vec<(usize, String)>,
    /// The positions that operations state, one for each.
    positions: Vec<Option<u32>>,
    /// The patterns that have an operation, with the places of their ids.
    mapped: BTreeMap<String, Span>,
    /// The item types by their keys, once all are read.
    meetings: Meetings,
    /// Words for the key attributes as items use them, where the document configures no table.
    key_labels: (Option<String>, Option<String>),
    /// The document names its style, as only a written design does: it lists the keys of every item type.
    is_complete: bool,
}

/// What a section is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Topic {
    Preamble,
    Configuration,
    Indexes,
    LocalIndexes,
    Entities,
    Entity,
    Collections,
    Mapping(Option<Section>),
    Decisions,
    /// Written for people; not read again.
    Skipped,
    Unknown,
}

/// A heading and the blocks up to the next.
#[derive(Debug)]
struct Part<'b> {
    page: &'b Page,
    topic: Topic,
    title: Option<Phrase<'b>>,
    span: Span,
    blocks: &'b [Block],
}

fn outline(blocks: &Blocks) -> Vec<Part<'_>> {
    let mut parts = Vec::new();
    let mut above: Option<(Topic, u8)> = None;
    let mut heading: Option<(u8, Phrase<'_>, Span)> = None;
    let mut start = 0;
    let mut stated: u8 = 1;
    let mut stated_title = None;
    for at in 0..=blocks.list.len() {
        let next = match blocks.list.get(at) {
            Some(Block::Heading { level, title, span }) => {
                let title = blocks.page.phrase(*title).trim();
                (stated, stated_title) = (*level, Some(title));
                Some((*level, title, *span))
            }
            // A bold line that says what a heading would say stands below the last heading.
            Some(Block::Paragraph(words)) if blocks.bold.contains(&at) => {
                let title = blocks.page.phrase(*words).trim_matches(&[':']);
                if !is_heading(title, stated_title, blocks.list.get(at + 1), &blocks.page) {
                    continue;
                }
                Some((stated.saturating_add(1), title, title.span()))
            }
            Some(_) => continue,
            None => None,
        };
        let body = &blocks.list[start..at];
        let part = match heading {
            None => Part {
                page: &blocks.page,
                topic: Topic::Preamble,
                title: None,
                span: Span::default(),
                blocks: body,
            },
            Some((level, title, span)) => {
                let below = above.filter(|(_, it)| level > *it).map(|(topic, _)| topic);
                let topic =
                    topic_of(&fold(unnumbered(title.as_str())), below, parts.len() == 1 && level == 1);
                if !matches!(
                    (topic, below),
                    (Topic::Entity, _) | (Topic::Mapping(Some(_)), Some(Topic::Mapping(_)))
                ) {
                    above = Some((topic, level));
                }
                Part { page: &blocks.page, topic, title: Some(title), span, blocks: body }
            }
        };
        parts.push(part);
        heading = next;
        start = at + 1;
    }
    parts
}

/// Whether a bold line opens a section: it names one of those that hold tables, or, right below the heading of the
/// item types, a list of keys follows.
fn is_heading(title: Phrase<'_>, above: Option<Phrase<'_>>, next: Option<&Block>, page: &Page) -> bool {
    let topic = |title: Phrase<'_>| topic_of(&fold(unnumbered(title.as_str())), None, false);
    let Some(next) = next else { return false };
    match topic(title) {
        Topic::Unknown => {
            above.is_none_or(|above| topic(above) == Topic::Entities) && items::has_partition_key(next, page)
        }
        Topic::Configuration | Topic::Indexes | Topic::LocalIndexes | Topic::Collections => {
            matches!(next, Block::Table(_) | Block::List(_))
        }
        Topic::Entities | Topic::Mapping(_) => true,
        _ => false,
    }
}

/// A title without a number in front.
fn unnumbered(title: &str) -> &str {
    let rest = title.trim_start_matches(|it: char| it.is_ascii_digit() || it == '.' || it == ')');
    if rest.starts_with(' ') { rest.trim_start() } else { title }
}

fn topic_of(title: &str, below: Option<Topic>, first: bool) -> Topic {
    let known = match title {
        "tableconfiguration" | "tableconfig" | "table" | "tabledefinition" | "tablestructure" | "tables" => {
            Some(Topic::Configuration)
        }
        "globalsecondaryindexes"
        | "gsis"
        | "gsi"
        | "secondaryindexes"
        | "indexes"
        | "gsidesign"
        | "gsidefinitions" => Some(Topic::Indexes),
        "localsecondaryindexes" | "lsis" | "lsi" => Some(Topic::LocalIndexes),
        "entitykeydesign" | "keydesign" | "entities" | "itemtypes" | "entitychart" | "primarykeydesign"
        | "entitykeys" | "keys" | "entitydesign" | "keystructure" => Some(Topic::Entities),
        "itemcollections" => Some(Topic::Collections),
        "accesspatternmapping" | "accesspatterns" | "accesspatternmappings" | "mapping" | "operations" => {
            Some(Topic::Mapping(None))
        }
        "reads" | "readpatterns" | "queries" => Some(Topic::Mapping(Some(Section::Reads))),
        "writes" | "writepatterns" => Some(Topic::Mapping(Some(Section::Writes))),
        "deletes" | "deletepatterns" => Some(Topic::Mapping(Some(Section::Deletes))),
        "designdecisions" | "decisions" | "notes" | "notesanddecisions" => Some(Topic::Decisions),
        "proof" | "validation" | "validationchecklist" | "satisfactiontable" | "cdk" | "infrastructure" => {
            Some(Topic::Skipped)
        }
        _ => None,
    };
    match (known, below) {
        // An item type may be called `Table` or `Reads`.
        (Some(Topic::Configuration | Topic::Mapping(Some(_))) | None, Some(Topic::Entities)) => Topic::Entity,
        (Some(topic), _) => topic,
        (None, Some(Topic::Mapping(section))) => Topic::Mapping(section),
        (None, Some(topic @ (Topic::Skipped | Topic::Decisions | Topic::Unknown))) => topic,
        (None, _) if first => Topic::Preamble,
        (None, _) => Topic::Unknown,
    }
}

impl Reader {
    /// First pass: the header, tables, indexes, collections and notes.
    fn structure(&mut self, part: &Part<'_>) {
        for block in part.blocks {
            match block {
                Block::Quote(words) => self.header(part.page.phrase(*words)),
                // The keys of one item type, as a table.
                Block::Table(table) if part.topic == Topic::Entity && table.header.len() == 2 => {}
                Block::Table(table) => match shape_of(table, part.page) {
                    Some(Shape::Properties) => self.properties(table, part.page),
                    Some(Shape::Indexes) => self.indexes(table, part.page, part.topic == Topic::LocalIndexes),
                    Some(Shape::Collections) => self.collections(table, part.page),
                    Some(Shape::Chart | Shape::Reads | Shape::Writes) => {}
                    None if matches!(part.topic, Topic::Skipped | Topic::Unknown | Topic::Decisions) => {}
                    None => {
                        let headings = table.header.iter().map(|words| part.page.phrase(*words).trim());
                        // A column of numbers is nothing that anybody would miss.
                        for heading in headings.filter(|it| !matches!(it.as_str(), "" | "#")) {
                            self.problems.ignored_column(heading);
                        }
                    }
                },
                Block::List(items) if part.topic == Topic::Configuration => {
                    for item in items {
                        if let Some((property, value)) = part.page.phrase(item.words).split_once(':') {
                            self.property(&fold(property.as_str()), value);
                        }
                    }
                }
                _ if part.topic == Topic::Decisions => self.notes(block, part.page),
                _ => {}
            }
        }
    }

    /// Says which sections are not read, once it is known which item types there are.
    fn ignored(&mut self, part: &Part<'_>) {
        let has_known_table = || {
            part.blocks
                .iter()
                .any(|block| matches!(block, Block::Table(table) if shape_of(table, part.page).is_some()))
        };
        if part.topic == Topic::Unknown
            && let Some(title) = part.title
            && !has_known_table()
            && !items::describes_item(part)
            && !items::goes_on_about_item(part, &self.design.items)
        {
            self.problems.ignored_section(part.span, title.as_str());
        }
    }

    /// Second pass: the item types, from headings and charts.
    fn items(&mut self, part: &Part<'_>) {
        for block in part.blocks {
            if let Block::Table(table) = block
                && shape_of(table, part.page) == Some(Shape::Chart)
            {
                self.chart(table, part.page);
            }
        }
        let elsewhere = !matches!(part.topic, Topic::Skipped | Topic::Configuration | Topic::Decisions);
        let described = items::describes_item(part) || items::goes_on_about_item(part, &self.design.items);
        if part.topic == Topic::Entity || (elsewhere && described) {
            self.entity(part);
        }
    }

    /// Third pass: the operations.
    fn mapping(&mut self, part: &Part<'_>) {
        for block in part.blocks {
            if let Block::Table(table) = block {
                match shape_of(table, part.page) {
                    Some(Shape::Reads) => self.reads(table, part.page),
                    Some(Shape::Writes) => self.writes(table, part.page),
                    _ => {}
                }
            }
        }
    }
}

//! Which part of a document is about what: headings in any case, at any level, with or without numbers.

use keywright_finding::Span;

use crate::markdown::{Block, Blocks, Page, Phrase};

use super::attribute;
use super::cell::Said;
use super::columns;
use super::names::fold;

/// What a section is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Topic {
    /// The title and what stands above the first section.
    Preamble,
    /// Prose on the domain, diagrams.
    Overview,
    /// The entities as a whole.
    Entities,
    /// One entity.
    Entity,
    /// A part of the entity above, as a heading of its own: `#### Attributes`.
    EntityField,
    /// Access patterns, of one kind where the heading says so.
    Patterns(Option<Kind>),
    /// Candidates for item collections.
    Collections,
    /// Notes and decisions.
    Notes,
    /// Something that the format does not know.
    Unknown,
}

/// The kind of pattern that a heading announces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Read,
    Write,
    Delete,
}

/// A heading and the blocks below it, up to the next heading.
#[derive(Debug)]
pub(super) struct Section<'b> {
    pub(super) topic: Topic,
    /// The title's words; none above the first heading.
    pub(super) title: Option<Phrase<'b>>,
    pub(super) blocks: &'b [Block],
    /// Whether the section above already said that it is not read.
    pub(super) nested_in_unknown: bool,
    /// Where the heading stands.
    pub(super) span: Span,
}

/// Cuts a document into sections.
pub(super) fn outline(blocks: &Blocks) -> Vec<Section<'_>> {
    let mut sections: Vec<Section<'_>> = Vec::new();
    let mut context = Context::default();
    let mut start = 0;
    let mut stated: u8 = 1;
    let mut heading: Option<(u8, Phrase<'_>, Span)> = None;
    for index in 0..=blocks.list.len() {
        let next = match blocks.list.get(index) {
            Some(Block::Heading { level, title, span }) => {
                stated = *level;
                Some((*level, blocks.page.phrase(*title).trim(), *span))
            }
            // A bold line that says what a heading would say stands below the last heading.
            Some(Block::Paragraph(words)) if blocks.bold.contains(&index) => {
                let title = blocks.page.phrase(*words).trim();
                let around = (&blocks.list[start..index], blocks.list.get(index + 1));
                if !context.is_heading(heading, title, around, &blocks.page) {
                    continue;
                }
                Some((stated.saturating_add(1), title, title.span()))
            }
            Some(_) => continue,
            None => None,
        };
        let body = &blocks.list[start..index];
        let section = match heading {
            None => Section {
                topic: Topic::Preamble,
                title: None,
                blocks: body,
                nested_in_unknown: false,
                span: Span::default(),
            },
            Some((level, title, span)) => {
                let title = plain_title(title);
                let (topic, nested_in_unknown) = context.enter(level, title, body, &blocks.page);
                Section { topic, title: Some(title), blocks: body, nested_in_unknown, span }
            }
        };
        sections.push(section);
        heading = next;
        start = index + 1;
    }
    sections
}

/// What the headings so far say about the next one.
#[derive(Default)]
struct Context {
    /// The last heading of a known topic that others may stand below, and its level.
    topic: Option<(Topic, u8)>,
    seen_heading: bool,
    /// The level of the heading of the entity that is being read.
    entity: Option<u8>,
}

impl Context {
    /// Whether a bold line opens a section: it names one of those that hold tables, or, among entities, what follows
    /// describes one. The heading above it was not entered yet.
    fn is_heading(
        &self,
        above: Option<(u8, Phrase<'_>, Span)>,
        title: Phrase<'_>,
        (before, next): (&[Block], Option<&Block>),
        page: &Page,
    ) -> bool {
        let folded = |title: Phrase<'_>| fold(plain_title(title).as_str());
        match known_topic(&folded(title)) {
            Some(Topic::Entities | Topic::Patterns(_) | Topic::Collections) => return true,
            Some(_) => return false,
            None => {}
        }
        let below_entities =
            above.is_some_and(|(_, above, _)| known_topic(&folded(above)) == Some(Topic::Entities));
        // Behind another entity that says what it is; else the line is a remark on the one that the heading names.
        let behind_entity =
            matches!(self.topic, Some((Topic::Entities, _))) && describes_entity(before, page);
        let describes = next.is_some_and(|next| describes_entity(std::slice::from_ref(next), page));
        (below_entities || behind_entity) && describes && !is_entity_field(&folded(title))
    }

    fn enter(&mut self, level: u8, title: Phrase<'_>, body: &[Block], page: &Page) -> (Topic, bool) {
        let first = !std::mem::replace(&mut self.seen_heading, true);
        let below = self.topic.filter(|(_, above)| level > *above).map(|(topic, _)| topic);
        let among_entities = matches!(self.topic, Some((Topic::Entities, _)));
        let folded = fold(title.as_str());
        let describes = describes_entity(body, page);
        if among_entities && self.entity.is_some_and(|entity| level > entity) && is_entity_field(&folded) {
            return (Topic::EntityField, false);
        }
        // An entity may be called "Note" or "Read": what it says of itself tells.
        let known = known_topic(&folded).filter(|_| !(describes && among_entities && below.is_some()));
        if let Some(topic) =
            known.filter(|topic| !(first && level == 1 && matches!(topic, Topic::Patterns(None))))
        {
            self.topic = Some((topic, level));
            self.entity = None;
            return (topic, false);
        }
        if first && level == 1 && !describes {
            return (Topic::Preamble, false);
        }
        if describes || (among_entities && below.is_some()) {
            self.entity = Some(level);
            if !among_entities {
                self.topic = Some((Topic::Entities, level.saturating_sub(1)));
            }
            return (Topic::Entity, false);
        }
        match below {
            Some(Topic::Patterns(kind)) => (Topic::Patterns(kind_in(&folded).or(kind)), false),
            Some(topic @ (Topic::Overview | Topic::Collections | Topic::Notes)) => (topic, false),
            Some(Topic::Unknown) => (Topic::Unknown, true),
            // "Things we keep", above a list of them.
            _ if lists_entities(body, page) => {
                self.topic = Some((Topic::Entities, level));
                self.entity = None;
                (Topic::Entities, false)
            }
            _ => {
                self.topic = Some((Topic::Unknown, level));
                self.entity = None;
                (Topic::Unknown, false)
            }
        }
    }
}

/// The title without numbers in front, remarks and anchors behind.
fn plain_title(title: Phrase<'_>) -> Phrase<'_> {
    let text = title.as_str();
    let text = text.find("{#").map_or(text, |anchor| &text[..anchor]).trim();
    let digits = text.trim_start_matches(|next: char| next.is_ascii_digit() || next == '.');
    let text = match digits.strip_prefix(')').unwrap_or(digits) {
        rest if rest.len() < text.len() && rest.starts_with(' ') => rest.trim_start(),
        _ => text,
    };
    title.part(text.trim_end_matches(':').trim())
}

/// The topic of a section whose folded title the format knows.
fn known_topic(folded: &str) -> Option<Topic> {
    Some(match folded {
        "entities"
        | "entity"
        | "entitydefinitions"
        | "entitylist"
        | "domainentities"
        | "entitiesandattributes"
        | "datamodel"
        | "domainmodel"
        | "entitymodel"
        | "coreentities"
        | "data"
        | "schema"
        | "dataschema"
        | "objects"
        | "models"
        | "things"
        | "whatwestore" => Topic::Entities,
        "accesspatterns"
        | "accesspattern"
        | "patterns"
        | "accesspatterntable"
        | "accesspatternlist"
        | "accesspatternstable"
        | "queryrequirements"
        | "accesspatternrequirements"
        | "workload"
        | "accesspatternsanalysis"
        | "usecases"
        | "operations"
        | "userstories"
        | "requirements"
        | "functionalrequirements"
        | "whatweneed"
        | "whatweneedtodo"
        | "whatwedo"
        | "screens"
        | "apioperations" => Topic::Patterns(None),
        "reads" | "read" | "readpatterns" | "readaccesspatterns" | "queries" | "readoperations" => {
            Topic::Patterns(Some(Kind::Read))
        }
        "writes"
        | "write"
        | "writepatterns"
        | "writeaccesspatterns"
        | "writeoperations"
        | "mutations"
        | "commands" => Topic::Patterns(Some(Kind::Write)),
        "deletes"
        | "delete"
        | "deletepatterns"
        | "deleteaccesspatterns"
        | "deletions"
        | "deleteoperations" => Topic::Patterns(Some(Kind::Delete)),
        "itemcollectioncandidates" | "itemcollections" | "collectioncandidates" => Topic::Collections,
        "notesanddecisions" | "notes" | "decisions" | "designdecisions" | "openquestions"
        | "notesdecisions" => Topic::Notes,
        "domainoverview"
        | "overview"
        | "domain"
        | "introduction"
        | "context"
        | "summary"
        | "erd"
        | "diagram"
        | "diagrams"
        | "entityrelationshipdiagram"
        | "relationships"
        | "entityrelationships"
        | "background" => Topic::Overview,
        _ => return None,
    })
}

/// The kind that a freely worded heading among the patterns announces: `### Customer reads`.
pub(super) fn kind_in(folded: &str) -> Option<Kind> {
    if folded.contains("delet") || folded.contains("remov") {
        Some(Kind::Delete)
    } else if ["write", "writing", "mutation", "command"].iter().any(|it| folded.contains(it)) {
        Some(Kind::Write)
    } else if folded.contains("read") || folded.contains("quer") {
        Some(Kind::Read)
    } else {
        None
    }
}

/// Whether a folded label or title names a part of an entity.
pub(super) fn is_entity_field(folded: &str) -> bool {
    super::entities::Field::named(folded).is_some()
}

/// Whether blocks say of an entity what only an entity has.
fn describes_entity(body: &[Block], page: &Page) -> bool {
    let label_of = |phrase: Phrase<'_>| {
        let text = phrase.as_str();
        let label = text.split_once(':').map_or(text, |(label, _)| label);
        label.len() <= 40 && is_entity_field(&fold(label))
    };
    body.iter().any(|block| match block {
        Block::List(items) => {
            let mut top = items.iter().filter(|item| item.depth == 0).map(|item| page.phrase(item.words));
            top.clone().any(label_of) || top.next().is_some_and(attribute::declares_with_type)
        }
        Block::Paragraph(words) => {
            let phrase = page.phrase(*words);
            phrase.as_str().trim_end().ends_with(':') && label_of(phrase)
        }
        Block::Table(table) => columns::is_attribute_table(table, page),
        _ => false,
    }) && !body
        .iter()
        .any(|block| matches!(block, Block::Table(table) if columns::is_pattern_table(table, page)))
}

/// Whether a list is one of entities with their attributes, and of nothing else.
fn lists_entities(body: &[Block], page: &Page) -> bool {
    body.iter().any(|block| match block {
        Block::List(items) => {
            let mut top = items.iter().filter(|item| item.depth == 0).peekable();
            top.peek().is_some() && top.all(|item| super::entities::declares(page.phrase(item.words).trim()))
        }
        Block::Table(table) => columns::is_entity_table(table, page),
        _ => false,
    })
}

/// The label and the value of `Label: value`, where the label is short.
pub(super) fn labelled(phrase: Phrase<'_>) -> Option<(Phrase<'_>, Said<'_>)> {
    let (label, value) = phrase.as_str().split_once(':')?;
    if label.len() > 40 || label.contains(['\n', '(', '`']) {
        return None;
    }
    let value = phrase.part(value).trim();
    Some((phrase.part(label).trim(), Said::new(Some(value))))
}
